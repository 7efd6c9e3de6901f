import { describe, expect, test } from "vitest"
import { type Checkpointing, categorical, classes, dice, fit, gaussian, independent } from "../index.ts"
import { onlineEm, sdem } from "../learn.ts"

const model = independent({ u: categorical() })

/** The share of "a" that a model has. */
const shareOfA = (fitted: { describe(): unknown }): number =>
  (fitted.describe() as { u: { probabilities: { a: number } } }).u.probabilities.a

const counting = { epochs: 1, stepSize: { kind: "average" }, average: false, prior: 0 } as const

type Weighed = { u: string; w: number }

async function* inSlices(rows: readonly Weighed[], size: number): AsyncGenerator<Weighed[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size)
}

const rolls = dice(9)
const weighed = Array.from({ length: 650 }, () => ({
  u: rolls.uniform() < 0.3 ? "a" : "b",
  w: 0.1 + rolls.gamma(1),
}))

function counted(rows: readonly Weighed[]): number {
  const weight = (some: readonly Weighed[]): number => some.reduce((sum, { w }) => sum + w, 0)
  return weight(rows.filter(({ u }) => u === "a")) / weight(rows)
}

describe("with ρ = 1/t online EM is counting", () => {
  test("65 rows in batches of 64: the last row counts as one row, not as a batch", async () => {
    const rows = Array.from({ length: 65 }, (_, i) => ({ u: i < 41 ? "a" : "b" }))
    for (const seed of [1, 2, 3]) {
      const learner = onlineEm({ ...counting, batch: 64 })
      expect(shareOfA(await fit(model, rows, { learner, seed }))).toBeCloseTo(41 / 65, 12)
    }
  })

  test.each([1, 7, 64, 500, 1e6])("from a stream in batches of %i, weights included", async batch => {
    // a warm-up shorter than a batch does not make batches shorter
    for (const warmup of [20, 4096]) {
      const learner = onlineEm({ ...counting, batch, warmup })
      const fitted = await fit(model, inSlices(weighed, 13) as never, { learner, weight: "w" })
      expect(shareOfA(fitted)).toBeCloseTo(counted(weighed), 12)
    }
  })

  test("also where a stream ended, and another goes on from its checkpoint", async () => {
    let bytes: Uint8Array | undefined
    const checkpoint: Checkpointing = {
      read: () => bytes,
      write(written) {
        bytes = written
      },
    }
    const learner = onlineEm({ ...counting, batch: 64 })
    const parts = [weighed.slice(0, 100), weighed.slice(100, 140), weighed.slice(140)]
    let seen = 0
    for (const part of parts) {
      const fitted = await fit(model, inSlices(part, 30) as never, { learner, weight: "w", checkpoint })
      seen += part.length
      expect(shareOfA(fitted)).toBeCloseTo(counted(weighed.slice(0, seen)), 12)
    }
  })

  test("and where a class appears on the way, up to the one row it begins with", async () => {
    const rows = weighed.map(({ u, w }, i) => ({
      u,
      y: i < 300 || i % 3 > 0 ? u : "c",
      w: i < 300 ? w : 50 * w,
    }))
    const fitted = await fit(classes("y", model), inSlices(rows as never, 50) as never, {
      learner: onlineEm({ ...counting, batch: 64, warmup: 100 }),
      weight: "w",
    })
    const total = rows.reduce((sum, { w }) => sum + w, 0)
    const own = rows.reduce((sum, { y, w }) => sum + (y === "c" ? w : 0), 0)
    const { y } = fitted.describe() as unknown as { y: { probabilities: { c: number } } }
    expect(Math.abs(y.probabilities.c - own / total)).toBeLessThan(1.5 / total)
  })
})

describe("an update", () => {
  const numbers = dice(4)
  const rows = Array.from({ length: 1000 }, () => ({
    y: numbers.uniform() < 0.5 ? "a" : "b",
    x: numbers.normal(),
  }))
  const body = classes("y", independent({ x: gaussian() }))

  test.each([
    ["onlineEm", onlineEm({ epochs: 4, batch: 16 }), onlineEm({ epochs: 4, batch: 16, average: false })],
    ["sdem", sdem({ epochs: 4 }), sdem({ epochs: 4, average: false })],
  ])(
    "%s: the second half of its steps is averaged, however many rows were there before",
    async (_, ...learners) => {
      const before = await fit(body, rows)
      const [averaged, last] = await Promise.all(
        learners.map(learner => before.update(rows.slice(0, 40), { learner })),
      )
      expect(averaged.describe()).not.toEqual(last.describe())
    },
  )

  test("with ρ = 1 on all of its rows at once it forgets what was before, as a first fit does", async () => {
    const before = await fit(model, weighed.slice(0, 400))
    const learner = onlineEm({
      epochs: 1,
      batch: 1e6,
      stepSize: { kind: "constant", rho: 1 },
      average: false,
      prior: 0,
    })
    const fresh = weighed.slice(400)
    const updated = await before.update(fresh, { learner })
    expect(shareOfA(updated)).toBeCloseTo(fresh.filter(({ u }) => u === "a").length / fresh.length, 12)
  })
})
