import { describe, expect, test } from "vitest"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { normal } from "../structures/normal.ts"
import { lay, priorOf, solve, spreadOf, value, withPrior } from "./lay.ts"

const number = (name: string): Column => ({ kind: "number", name, shift: 0, scale: 1, variance: 1 })
const level = (name: string, count: number): Column => ({
  kind: "level",
  name,
  levels: Array.from({ length: count }, (_, l) => l),
})

describe("a laid-out model", () => {
  const model = classes("y", mixture(2, independent({ x: gaussian(), u: categorical() }))) as Model
  const laid = lay(model, [level("y", 3), number("x"), level("u", 4)])

  test("gives every part its place, side by side, without gaps", () => {
    expect(laid.parts.map(part => [part.leaf.shape.slots, part.leaf.shape.statistics])).toEqual([
      [1, 3],
      [3, 6],
      [6, 18],
      [6, 24],
    ])
    const places = laid.parts.map(part => part.ranges.statsAt)
    expect(places).toEqual([0, 3, 9, 27])
    expect(laid.statistics).toBe(51)
    expect(laid.parameters).toBe(51)
  })

  test("counts its free parameters", () => {
    expect(laid.free).toBe(2 + 3 * 1 + 6 * 2 + 6 * 3)
  })

  test("adds α at any strength; strength 0 changes nothing", () => {
    const prior = priorOf(laid)
    const stats = new Float64Array(laid.statistics).fill(2)
    const spread = spreadOf(laid, stats)
    expect(withPrior(laid, stats, 0)).toBe(stats)
    // numbers around their own means, here 1: Σx of a pseudo-row is 1, and Σx² is 1 + V
    const around = new Float64Array(laid.statistics)
    for (const { leaf, ranges } of laid.parts)
      leaf.prior(ranges.statsOf(around), 1, ranges.spreadOf(spread), ranges.statsOf(stats))
    withPrior(laid, stats, 3).forEach((both, j) => void expect(both).toBeCloseTo(2 + 3 * around[j], 12))
    expect([...around.slice(9, 12)]).toEqual([6, 6, expect.closeTo(6 * (1 + spread[0]), 12)])
    // no smoothing of classes, one pseudo-row per component and slot
    expect([...prior.slice(0, 9)]).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 1])
  })

  test("has as value the sum of its parts", () => {
    const stats = Float64Array.from({ length: laid.statistics }, (_, j) => 1 + (j % 4))
    const { params } = solve(laid, stats, 0)
    const parts = laid.parts.reduce(
      (sum, part) => sum + part.leaf.value(part.ranges.statsOf(stats), part.ranges.paramsOf(params)),
      0,
    )
    expect(value(laid, stats, params)).toBe(parts)
  })
})

describe("a model beyond memory is refused before anything is made", () => {
  const body = (name: string, family: unknown): Model => independent({ [name]: family as never }) as Model
  test("a column with many levels in many contexts", () => {
    const model = mixture(100, mixture(100, body("customer", categorical()))) as Model
    expect(() => lay(model, [level("customer", 50_000)])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model would hold 500010100 numbers, more than the 134217728 that fit in a GiB. 500000000 of them are for "customer": 50000 levels in each of 10000 contexts, as "mixture(customer)" has 100 values. Leave out a column that is an id, pool rare levels, or ask for fewer components.]`,
    )
  })

  test("a label with many levels", () => {
    const model = classes("id", mixture(1000, body("x", gaussian()))) as Model
    expect(() => lay(model, [level("id", 200_000), number("x")])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model would hold 800200000 numbers, more than the 134217728 that fit in a GiB. 600000000 of them are for "x": its parameters in each of 200000000 contexts, as "id" has 200000 values. Leave out a column that is an id, pool rare levels, or ask for fewer components.]`,
    )
  })

  test("many words", () => {
    const words = Array.from({ length: 1_000_000 }, (_, w) => `w${w}`)
    const column: Column = { kind: "bag", name: "text", words, text: { lowercase: true } }
    const model = mixture(200, body("text", multinomial())) as Model
    expect(() => lay(model, [column])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model would hold 200000400 numbers, more than the 134217728 that fit in a GiB. 200000200 of them are for "text": 1000000 words in each of 200 contexts, as "mixture(text)" has 200 values. Leave out a column that is an id, pool rare levels, or ask for fewer components.]`,
    )
  })

  test("many components", () => {
    const model = mixture(1_000_000, mixture(1_000_000, body("x", gaussian()))) as Model
    expect(() => lay(model, [number("x")])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model would hold 4000001000000 numbers, more than the 134217728 that fit in a GiB. 3000000000000 of them are for "x": its parameters in each of 1000000000000 contexts, as "mixture(x)" has 1000000 values. Leave out a column that is an id, pool rare levels, or ask for fewer components.]`,
    )
  })

  test("many correlated columns", () => {
    const names = Array.from({ length: 300 }, (_, j) => `x${j}`)
    const model = mixture(5000, normal(names)) as Model
    expect(() => lay(model, names.map(number))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model would hold 453010000 numbers, more than the 134217728 that fit in a GiB. 453005000 of them are for "x0", "x1", "x2" and 297 more: 300 columns in each of 5000 contexts, as "mixture(x0, x1, x2, …)" has 5000 values. Leave out a column that is an id, pool rare levels, or ask for fewer components.]`,
    )
  })
})
