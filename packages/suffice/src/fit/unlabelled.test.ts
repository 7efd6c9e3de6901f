/** What rows without a label weigh: given, kept, or chosen. */
import { describe, expect, test } from "vitest"
import type { Row } from "../contract/cells.ts"
import type { Learner } from "../contract/learner.ts"
import { categorical, classes, dice, em, fit, gaussian, independent, load, multinomial } from "../index.ts"
import { onlineEm, sdem } from "../learn.ts"
import { evaluate } from "../measure.ts"

/** Two clouds: naive Bayes is right about them. */
function clouds(seed: number, count: number): { y: string; u: number; v: number }[] {
  const roll = dice(seed)
  return Array.from({ length: count }, (_, i) => {
    const at = i % 2 ? 0 : 2.5
    return { y: i % 2 ? "a" : "b", u: at + roll.normal(), v: at + roll.normal() }
  })
}

/** Six copies of one column: naive Bayes counts it six times, and EM splits it where it likes. */
function copies(seed: number, count: number): Row[] {
  const roll = dice(seed)
  return Array.from({ length: count }, () => {
    const z = 2 * roll.normal()
    const y = z * z > 2 ? "far" : "near"
    return { y, ...Object.fromEntries([0, 1, 2, 3, 4, 5].map(j => [`x${j}`, z + 0.1 * roll.normal()])) }
  })
}

const round = classes("y", independent({ u: gaussian(), v: gaussian() }))
const wrong = classes(
  "y",
  independent(Object.fromEntries([0, 1, 2, 3, 4, 5].map(j => [`x${j}`, gaussian()]))),
)
const labelled = <R extends Row>(rows: readonly R[], every: number): (R | (R & { y: null }))[] =>
  rows.map((row, i) => (i % every < 2 ? row : { ...row, y: null }))
const notes = (fitted: { diagnostics: readonly { code: string; message: string }[] }): string[] =>
  fitted.diagnostics.flatMap(({ code, message }) => (code === "unlabelled-rows" ? [message] : []))

describe("λ is chosen", () => {
  test("above 0 where rows without a label help", async () => {
    const [rows, asked] = [labelled(clouds(1, 600), 60), clouds(2, 600)]
    const fitted = await fit(round, rows as never)
    expect(fitted.training).toMatchObject({ rows: 600, unlabelled: 1, weight: 600 })
    expect(notes(fitted)).toEqual([])
    const alone = await fit(round, rows.filter(row => row.y !== null) as never)
    expect(evaluate(fitted, asked).logLoss).toBeLessThan(evaluate(alone, asked).logLoss)
    expect(alone.training).not.toHaveProperty("unlabelled")
  })

  test("0 where they hurt, and it says so", async () => {
    const rows = labelled(copies(3, 600), 20)
    const fitted = await fit(wrong, rows as never)
    expect(fitted.training).toMatchObject({ rows: 60, unlabelled: 0 })
    expect(notes(fitted)).toMatchInlineSnapshot(`
      [
        "540 rows without a "y" were left out: the cross-validated log-loss of "y" is 0.115 without them, 0.279 with all of their weight, and no weight lowers it by more than its standard error. To count them fully all the same: em({ unlabelled: 1 }).",
      ]
    `)
    const alone = await fit(wrong, rows.filter(row => row.y !== null) as never)
    expect(fitted.describe()).toEqual(alone.describe())
  })

  test("between the two where that is best, and it says so", async () => {
    // trials that a heavy prior spoils, but for one
    const trial = (weight: number) => em({ unlabelled: weight, prior: weight === 0.1 ? 1 : 500 })
    const learner: Learner = { ...em(), unlabelled: { trial } }
    const signs = clouds(1, 400).map(({ y, u, v }) => ({
      y,
      u: u > 1.25 ? "+" : "-",
      v: v > 1.25 ? "+" : "-",
    }))
    const levels = classes("y", independent({ u: categorical(), v: categorical() }))
    const fitted = await fit(levels, labelled(signs, 20) as never, { learner })
    expect(fitted.training).toMatchObject({ rows: 400, unlabelled: 0.1 })
    expect(fitted.training!.weight).toBeCloseTo(40 + 0.1 * 360)
    expect(notes(fitted)).toMatchInlineSnapshot(`
      [
        "360 rows without a "y" count 0.1 each: the cross-validated log-loss of "y" is 0.671 without them, 0.147 with 0.1 of their weight, 0.668 with all of it. To count them fully all the same: em({ unlabelled: 1 }).",
      ]
    `)
  })

  test("0 with fewer than five labelled rows a class, and it says so", async () => {
    const rows = labelled(clouds(1, 40), 10)
    const fitted = await fit(round, rows as never)
    expect(fitted.training).toMatchObject({ rows: 8, unlabelled: 0 })
    expect(notes(fitted)).toMatchInlineSnapshot(`
      [
        "32 rows without a "y" were left out: with 8 labelled rows for 2 classes, fewer than five a class, it cannot be told whether they help. Label more rows, or count these fully: em({ unlabelled: 1 }).",
      ]
    `)
    const one = await fit(round, rows.filter((row, i) => row.y !== null || i === 5) as never)
    expect(notes(one)).toMatchInlineSnapshot(`
      [
        "1 row without a "y" was left out: with 8 labelled rows for 2 classes, fewer than five a class, it cannot be told whether they help. Label more rows, or count these fully: em({ unlabelled: 1 }).",
      ]
    `)
  })

  test("1 where no row has a label, or a declared class has none", async () => {
    const named = classes("y", independent({ u: gaussian(), v: gaussian() }), { levels: ["a", "b", "c"] })
    const none = clouds(1, 60).map(row => ({ ...row, y: null }))
    expect((await fit(named, none)).training).toMatchObject({ rows: 60 })
    const some = labelled(clouds(1, 200), 10)
    expect((await fit(named, some as never)).training).toMatchObject({ rows: 200, unlabelled: 1 })
  })

  test("the same again with the same seed, for rows, columns and sources alike", async () => {
    const rows = labelled(clouds(4, 400), 20)
    const columns = {
      y: rows.map(({ y }) => y),
      u: rows.map(({ u }) => u),
      v: Float64Array.from(rows, ({ v }) => v),
    }
    const source = {
      async *[Symbol.asyncIterator]() {
        for (let from = 0; from < 400; from += 70) yield rows.slice(from, from + 70)
      },
    }
    const [one, ...others] = await Promise.all(
      [rows, rows, columns, source].map(async data => JSON.stringify(await fit(round, data as never))),
    )
    for (const other of others) expect(other).toBe(one)
  })

  test("with weights, soft labels and holes", async () => {
    const rows = labelled(clouds(5, 400), 10).map((row, i) => ({
      ...row,
      u: i % 7 ? row.u : null,
      y: i % 30 === 0 ? { a: 1, b: 3 } : row.y,
      w: i % 5 === 4 ? 0 : 1 + (i % 3),
    }))
    const fitted = await fit(round, rows as never, { weight: "w", classWeights: { a: 2 } })
    expect(fitted.training!.unlabelled).toBeGreaterThan(0)
  })

  test("with a class that its weight leaves out", async () => {
    const rows = labelled(clouds(1, 600), 60).map((row, i) => (i % 60 === 7 ? { ...row, y: "c" } : row))
    const fitted = await fit(round, rows as never, { classWeights: { c: 0 } })
    expect(fitted.training).toMatchObject({ rows: 590, unlabelled: 1 })
  })

  test("0 where no label is sure, and it says so", async () => {
    const soft = labelled(clouds(1, 100), 10).map(row => ({ ...row, y: row.y && { a: 1, b: 2 } }))
    const fitted = await fit(round, soft as never)
    expect(fitted.training?.unlabelled).toBe(0)
    expect(notes(fitted)).toMatchInlineSnapshot(`
      [
        "80 rows without a "y" were left out: no other label is sure, so that it cannot be told whether they help. Label some rows for certain, or count these fully: em({ unlabelled: 1 }).",
      ]
    `)
  })

  test("of many rows some are tried, and λ stands for all", async () => {
    const rows = labelled(clouds(6, 12_000), 1000)
    const fitted = await fit(round, rows as never)
    expect(fitted.training?.unlabelled).toBeGreaterThan(0)
  })
})

describe("λ is given", () => {
  const rows = labelled(copies(3, 200), 10)

  test("and nothing is tried or said", async () => {
    for (const unlabelled of [0, 0.25, 1]) {
      for (const learner of [em({ unlabelled }), onlineEm({ unlabelled })]) {
        const fitted = await fit(wrong, rows as never, { learner })
        expect(fitted.training).toMatchObject({ unlabelled, weight: 40 + unlabelled * 160 })
        expect(notes(fitted)).toEqual([])
      }
    }
  })

  test("it is in the saved model", async () => {
    const fitted = await fit(wrong, rows as never, { learner: em({ unlabelled: 0.25 }) })
    const again = load(JSON.stringify(fitted))
    expect(again.training).toEqual(fitted.training)
    expect(() =>
      load({ ...JSON.parse(JSON.stringify(fitted)), training: { unlabelled: -1 } } as never),
    ).toThrow()
  })

  test("out of range it is refused", () => {
    expect(() => em({ unlabelled: 2 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: em: unlabelled is 2. It must be between 0 and 1. Leave it out for the default.]`,
    )
    expect(() => onlineEm({ unlabelled: -0.1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: onlineEm: unlabelled is -0.1. It must be between 0 and 1. Leave it out for the default.]`,
    )
  })

  test("words that stand only in rows without a label are none of the model's where these weigh nothing", async () => {
    const model = classes("y", independent({ t: multinomial(), c: categorical() }))
    const texts = [
      { y: "a", t: "sun and sand", c: "p" },
      { y: "b", t: "ice and snow", c: "q" },
      { y: null, t: "unheard of", c: "r" },
    ]
    const fitted = await fit(model, texts)
    expect(fitted.describe()).toEqual((await fit(model, texts.slice(0, 2))).describe())
    expect(JSON.stringify(fitted)).not.toContain("unheard")
  })
})

describe("an update", () => {
  test("keeps the λ of the fit", async () => {
    const first = await fit(wrong, labelled(copies(3, 200), 10) as never, {
      learner: em({ unlabelled: 0.25 }),
    })
    const more = labelled(copies(4, 100), 5)
    const updated = await first.update(more as never)
    expect(updated.training).toMatchObject({ unlabelled: 0.25, weight: 80 + 40 + 0.25 * 60 })
    const none = copies(4, 10).map(row => ({ ...row, y: null }))
    expect((await updated.update(none as never)).training?.weight).toBeCloseTo(135 + 2.5)
    const other = await first.update(more as never, { learner: em({ unlabelled: 1 }) })
    expect(other.training).toMatchObject({ unlabelled: 1, weight: 180 })
  })

  test("that brings nothing to learn from is refused", async () => {
    const first = await fit(wrong, labelled(copies(3, 200), 10) as never, { learner: em({ unlabelled: 0 }) })
    const none = copies(4, 10).map(row => ({ ...row, y: null }))
    await expect(first.update(none as never)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: update: no row has a "y", and rows without one count 0 here. There is nothing to learn from. Bring rows that have it, or count these: { learner: em({ unlabelled: 1 }) }.]`,
    )
  })
})

describe("sdEM", () => {
  const rows = labelled(copies(7, 300), 10)
  const known = rows.filter(row => row.y !== null)
  const learners: Record<string, Learner> = {
    ncll: sdem({ epochs: 3 }),
    hinge: sdem({ loss: "hinge", epochs: 3 }),
    "rows held out": sdem({ holdout: 0.3, epochs: 3 }),
    "another target": sdem({ target: "x1", epochs: 3 }),
  }

  test.each(Object.entries(learners))(
    "learns as if rows without the target were not there: %s",
    async (_, learner) => {
      const target = (learner.options.target as string) ?? "y"
      const some = rows.map((row, i) => (target === "y" || i % 3 ? row : { ...row, [target]: null }))
      const seen = some.filter(row => (row as Row)[target] !== null)
      const [one, other] = [
        await fit(wrong, some as never, { learner }),
        await fit(wrong, seen as never, { learner }),
      ]
      expect(one.describe()).toEqual(other.describe())
      expect(one.training!.rows).toBe(seen.length)
      expect(notes(one)).toEqual([])
    },
  )

  test("all labels missing: the unsupervised fit", async () => {
    const named = classes("y", independent({ x0: gaussian(), x1: gaussian() }), { levels: ["far", "near"] })
    const none = known.map(row => ({ ...row, y: null }))
    const fitted = await fit(named, none as never, { learner: sdem({ epochs: 1 }) })
    expect(fitted.training!.rows).toBe(none.length)
  })

  test("with λ = generative above 0 rows without a label count, and a few labels do not run away", async () => {
    for (const generative of [0.05, 0.5]) {
      const fitted = await fit(wrong, rows as never, { learner: sdem({ generative }) })
      expect(fitted.training!.rows).toBe(300)
      expect(fitted.diagnostics.filter(({ code }) => code === "guarded-steps")).toEqual([])
    }
  })
})

describe("a stream", () => {
  const rows = labelled(copies(8, 600), 10)
  const stream = async function* (): AsyncGenerator<Row[]> {
    for (let from = 0; from < rows.length; from += 50) yield rows.slice(from, from + 50) as Row[]
  }

  test("chooses λ on its warm-up, and keeps it", async () => {
    const learner = onlineEm({ warmup: 200 })
    const fitted = await fit(wrong, stream() as never, { learner })
    expect(fitted.training).toMatchObject({ unlabelled: 0, rows: 120 })
    expect(notes(fitted)).toHaveLength(1)
  })

  test("goes on from a checkpoint with it, to the same bits", async () => {
    const learner = onlineEm({ warmup: 200, unlabelled: 0.5 })
    const source = async function* (): AsyncGenerator<Row[]> {
      for (let time = 0; time < 60; time++) yield* stream()
    }
    const written: Uint8Array[] = []
    const whole = await fit(wrong, source() as never, {
      learner,
      checkpoint: { read: () => undefined, write: bytes => void written.push(bytes) },
    })
    expect(written.length).toBeGreaterThan(2)
    const { stream: kept } = JSON.parse(new TextDecoder().decode(written[0]).split("\n")[1]) as {
      stream: { unlabelled: unknown }
    }
    expect(kept.unlabelled).toEqual({ column: "y", weight: 0.5 })
    expect(whole.training).toMatchObject({ unlabelled: 0.5, weight: 60 * (120 + 0.5 * 480) })
    const rest = async function* (): AsyncGenerator<Row[]> {
      yield rows as Row[]
    }
    const further = await fit(wrong, rest() as never, {
      learner,
      checkpoint: { read: () => written.at(-1), write: () => undefined },
    })
    expect(further.training).toMatchObject({ unlabelled: 0.5, weight: 61 * (120 + 0.5 * 480) })
  })

  test("of sdEM leaves rows without the target out, also where the warm-up has none of them", async () => {
    const learner = sdem({ warmup: 50 })
    const complete = async function* (): AsyncGenerator<Row[]> {
      yield copies(9, 50)
      yield rows as Row[]
    }
    const fitted = await fit(wrong, complete() as never, { learner })
    expect(fitted.training).toMatchObject({ rows: 50 + 120, unlabelled: 0 })
  })
})

test("a fit in the middle goes on from its checkpoint with the same λ, to the same bits", async () => {
  const rows = labelled(clouds(1, 600), 60)
  const learner = em({ tolerance: 1e-9 })
  const written: Uint8Array[] = []
  const checkpoint = { read: () => undefined, write: (bytes: Uint8Array) => void written.push(bytes) }
  const whole = await fit(round, rows as never, { learner, checkpoint })
  expect(written.length).toBeGreaterThan(3)
  const further = await fit(round, rows as never, {
    learner,
    checkpoint: { read: () => written[2], write: () => undefined },
  })
  expect(JSON.stringify(further)).toBe(JSON.stringify(whole))
})
