import { afterAll, expect, test } from "vitest"
import { dice } from "../random.ts"
import { WORTH } from "./bag-rows.ts"
import { useKernels } from "./fast/use.ts"
import { KeptTopics } from "./kept-topics.ts"
import { deliverEach, deliverOne } from "./topic-counts.ts"
import { PLAIN } from "./topic-fold.ts"
import { scoreTopics } from "./topic-rows.ts"
import { placesOf, sizeOf, type TopicShape, topicsOf, widthOf } from "./topic-shape.ts"

afterAll(() => useKernels("wasm"))

const CLIMB = { steps: 20, tolerance: 1e-7, leaps: true }

function drawn(shape: TopicShape, seed: number): Float64Array {
  const rolls = dice(seed)
  const { e, inverse, alpha, end } = placesOf(shape)
  const params = new Float64Array(end)
  for (let j = 0; j < e; j++) params[j] = rolls.uniform() < 0.2 ? 0 : rolls.gamma(0.5)
  for (let q = inverse; q < alpha; q++) params[q] = 0.1 + rolls.uniform()
  for (let q = alpha; q < end; q++) params[q] = 0.01 + rolls.uniform()
  return params
}

/** To the bit; `toEqual` takes seconds for long arrays. */
function same(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]))
}

/** One long document, one empty, many short; the same object with other words in every block. */
function block(words: number, rows: number, seed: number, into: { offsets: Int32Array; words: Int32Array }) {
  const rolls = dice(seed)
  let at = 0
  for (let i = 0; i < rows; i++) {
    const chance = i === 3 ? 1 : i === 5 ? 0 : 0.02
    for (let w = 0; w < words; w++) if (rolls.uniform() < chance) into.words[at++] = w
    into.offsets[i + 1] = at
  }
  return Float64Array.from(into.words, () => 1 + rolls.integer(3))
}

test.each([
  ["one slot", { slots: 1, own: 20, shared: 0 }],
  ["own and shared topics, an odd number of them", { slots: 3, own: 4, shared: 7 }],
  ["shared topics", { slots: 2, own: 0, shared: 20 }],
])("a sweep gathers, folds and delivers to the same bits in TypeScript and in wasm: %s", (_, size) => {
  const shape: TopicShape = { ...size, words: 1500 }
  const rows = 60
  const width = widthOf(shape)
  const bags = { offsets: new Int32Array(rows + 1), words: new Int32Array(rows * 1500) }
  useKernels("wasm")
  const kept = new KeptTopics(shape)
  for (const sweep of [0, 1]) {
    let gathered = 0
    const params = drawn(shape, sweep)
    for (let b = 0; b < 20; b++) {
      const x = block(1500, rows, 31 * sweep + b, bags)
      gathered += bags.offsets[rows] * topicsOf(shape)
      const rolls = dice(b)
      const slot = Int32Array.from({ length: rows }, () => rolls.integer(shape.slots))
      const weight = Float64Array.from({ length: rows }, () => rolls.integer(3) / 2)
      const values = Float64Array.from({ length: rows * shape.slots }, () => rolls.integer(3) - 1)
      const weights =
        b % 2 === 0 ? ({ form: "one", slot, weight } as const) : ({ form: "each", values } as const)
      const [found, expected] = [0, 1].map(() => ({
        out: new Float64Array(rows * shape.slots),
        g: new Float64Array(rows * shape.slots * width),
        stats: new Float64Array(sizeOf(shape)),
      }))
      scoreTopics(bags, x, rows, params, shape, CLIMB, expected.out, expected.g, PLAIN)
      if (weights.form === "one")
        deliverOne(bags, x, rows, slot, weight, params, shape, expected.g, expected.stats)
      else deliverEach(bags, x, rows, values, params, shape, expected.g, expected.stats)
      kept.score(bags, x, rows, params, CLIMB, found.out, found.g)
      kept.deliver(bags, x, { rows }, weights, params, found.g, found.stats)
      for (const part of ["out", "g", "stats"] as const) expect(same(found[part], expected[part])).toBe(true)
    }
    // the copy is worth it before the sweep ends
    expect(gathered).toBeGreaterThan(1.5 * WORTH)
  }
})

test("parameters that have been changed in place are copied anew", () => {
  const shape: TopicShape = { slots: 1, own: 20, shared: 0, words: 900 }
  const rows = 60
  const bags = { offsets: new Int32Array(rows + 1), words: new Int32Array(rows * 900) }
  const x = block(900, rows, 1, bags)
  useKernels("wasm")
  const kept = new KeptTopics(shape)
  const params = drawn(shape, 0)
  const scored = (): Float64Array => {
    const out = new Float64Array(rows)
    kept.score(bags, x, rows, params, CLIMB, out, new Float64Array(rows * 20))
    return out
  }
  for (let b = 0; b < 20; b++) scored()
  params.set(drawn(shape, 1))
  kept.changed(params)
  const expected = new Float64Array(rows)
  scoreTopics(bags, x, rows, params, shape, CLIMB, expected, new Float64Array(rows * 20), PLAIN)
  for (let b = 0; b < 20; b++) expect(same(scored(), expected)).toBe(true)
})
