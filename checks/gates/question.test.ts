/**
 * A question of one row allocates nothing but its answer: everything else is reused. Measured in a Node whose young generation no round fills and that
 * sweeps at once. The size of the answers is what remains after a collection while all answers are kept.
 */
import { beforeAll, expect, test } from "vitest"
import { inChild, still } from "./testing/child.ts"
import type { Core } from "./testing/core.ts"
import type { Meter } from "./testing/meter.ts"

/** Bytes, less than one object: the engine itself also allocates a little. */
const NEXT_TO_NOTHING = 8

type Bytes = Record<string, { posterior: number; predict: number; reading: number }>

/** Runs in the child: bytes per call beside the answer, and those of reading the row's cells by name, case by case. */
async function measure(core: Core, { allocated, kept }: Meter): Promise<Bytes> {
  const dice = core.dice(1)
  const named = (count: number) => Array.from({ length: count }, (_, j) => `x${j}`)
  const numbers = (count: number, i: number) =>
    Object.fromEntries(named(count).map(name => [name, dice.normal() + (i % 5)]))
  const words = (i: number) => Array.from({ length: 50 }, () => `w${dice.integer(100) + 20 * (i % 5)}`)
  const table = (count: number, cells: (i: number) => object) =>
    Array.from({ length: count }, (_, i) => ({ ...cells(i), y: `class ${i % 5}` }))
  const gaussians = (count: number) =>
    core.independent(Object.fromEntries(named(count).map(name => [name, core.gaussian()])))
  const documents = core.sparse({
    offsets: Array.from({ length: 501 }, (_, i) => 50 * i),
    codes: Array.from({ length: 500 * 50 }, (_, t) => (t % 50) + 20 * (Math.floor(t / 50) % 5)),
    words: Array.from({ length: 130 }, (_, w) => `w${w}`),
  })
  const cases = {
    "10 columns": [core.classes("y", gaussians(10)), table(200, i => numbers(10, i)), "y"],
    "110 columns": [core.classes("y", gaussians(110)), table(200, i => numbers(110, i)), "y"],
    words: [
      core.classes("y", core.independent({ t: core.multinomial() })),
      table(500, i => ({ t: words(i) })),
      "y",
    ],
    "a Map of counts": [
      core.classes("y", core.independent({ t: core.multinomial() })),
      table(500, i => ({ t: new Map(words(i).map((word, w) => [word, 1 + (w % 3)])) })),
      "y",
    ],
    "sparse counts": [
      core.classes("y", core.independent({ t: core.multinomial() })),
      table(500, i => ({ t: documents[i] })),
      "y",
    ],
    "a mixture": [
      core.mixture(4, core.normal(named(6)), { name: "z" }),
      table(200, i => numbers(6, i)).map(({ y: _, ...row }) => row),
      "z",
    ],
  } as const
  const bytes: Bytes = {}
  for (const [name, [model, rows, target]] of Object.entries(cases)) {
    const fitted = await core.fit(model as never, rows as never, { learner: core.em({ maxIterations: 3 }) })
    const { [target]: _, ...cells } = rows[0] as Record<string, unknown>
    // as a server receives it; counts are its own
    const one = [JSON.parse(JSON.stringify(cells))]
    for (const [key, cell] of Object.entries(cells))
      if (typeof cell === "object" && !Array.isArray(cell)) one[0][key] = cell
    const names = Object.keys(cells)
    const room: unknown[] = [null]
    const options = { target } as never
    const posterior = () => fitted.posterior(one as never, options)
    const predict = () => fitted.predict(one as never, options)
    bytes[name] = {
      posterior: allocated(posterior) - kept(posterior),
      predict: allocated(predict) - kept(predict),
      reading: allocated(() => {
        for (let c = 0; c < names.length; c++) room[0] = one[0][names[c]]
      }),
    }
  }
  return bytes
}

/** Runs in a child of its own, where what the engine inlines does not depend on other cases: bytes per step that is followed, beside the answer. */
async function measureFollowed(core: Core, { allocated, kept }: Meter): Promise<number> {
  const dice = core.dice(1)
  const series = Array.from({ length: 400 }, (_, t) => ({ x: dice.normal() + 3 * (Math.floor(t / 40) % 2) }))
  const steps = core.chain(8, core.independent({ x: core.gaussian() }))
  const fitted = await core.fit(steps, [{ steps: series }] as never, {
    learner: core.em({ maxIterations: 3 }),
  })
  const live = fitted.follow()
  let at = 0
  const push = () => live.push(series[at++ % series.length] as never)
  return allocated(push) - kept(push)
}

let bytes: Bytes
beforeAll(async () => {
  bytes = await inChild(measure, still(256))
})

test.each(["10 columns", "110 columns", "words", "a Map of counts", "sparse counts", "a mixture"])(
  "a question of one row allocates nothing beside its answer and the boxes of the numbers it reads: %s",
  name => {
    const { posterior, predict, reading } = bytes[name]
    expect(posterior - reading).toBeLessThanOrEqual(NEXT_TO_NOTHING)
    expect(predict - reading).toBeLessThanOrEqual(NEXT_TO_NOTHING)
  },
)

/** A number that a function returns, or that is read out of a row, is boxed: 12 to 16 bytes. */
const BOXES = 5 * 16

test("a step that is followed allocates nothing beside its answer but boxes of single numbers", async () => {
  expect(await inChild(measureFollowed, still(256))).toBeLessThanOrEqual(BOXES + NEXT_TO_NOTHING)
})
