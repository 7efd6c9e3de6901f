import { absorb } from "suffice-laws/probe"
import { describe, expect, test } from "vitest"
import type { Block, Weights } from "../contract/block.ts"
import type { Column, ColumnSummary } from "../contract/columns.ts"
import type { Description } from "../contract/report.ts"
import { log } from "../kernels/log.ts"
import { dice } from "../random.ts"
import { type CategoricalOptions, categorical, categoricalKind } from "./categorical.ts"

const column: Column = { kind: "level", name: "island", levels: ["Biscoe", "Dream", "Torgersen"] }
const bind = (options: CategoricalOptions, slots: number) => categorical(options).bind([column], [0], slots)

const codes = Int32Array.of(1, 0, -1, 2, 1)
const block: Block = { rows: 5, weight: new Float64Array(5).fill(1), cells: [codes] }
// two slots, entry l·2 + p
const theta = Float64Array.from([0.5, 0.2, 0.3, 0.2, 0.2, 0.6], log)
const each: Weights = { form: "each", values: Float64Array.of(0.7, 1, 0.1, 2, 0.5, 0.3, 1, 0.9, -1, 0) }
const absorbed = (weights: Weights) => {
  const stats = new Float64Array(6)
  expect(absorb(bind({}, 2), block, theta, weights, stats)).toBe(false)
  return stats
}

test("ln p(x = l) = θ_l, and a missing cell scores 0", () => {
  const out = new Float64Array(10).fill(1)
  bind({}, 2).score(block, theta, out)
  const expected = [0, 1].flatMap(p => Array.from(codes, code => (code < 0 ? 1 : 1 + theta[code * 2 + p])))
  expect(Array.from(out)).toEqual(expected)
})

test("the statistics are the weights of the levels; a missing cell adds nothing", () => {
  const stats = absorbed(each)
  expect(stats[1 * 2 + 0]).toBeCloseTo(0.7 + 0.5, 14) // "Dream" in slot 0
  expect(stats[2 * 2 + 1]).toBe(-1) // "Torgersen" in slot 1, a negative weight
  expect(bind({}, 2).mass(stats, 0)).toBeCloseTo(0.7 + 1 + 2 + 0.5, 14)
})

test("one pseudo-count per level is Laplace: (n_l + 1) / (n + L)", () => {
  const leaf = bind({}, 1)
  const stats = Float64Array.of(3, 0, 1)
  const params = new Float64Array(3)
  leaf.prior(stats)
  expect(leaf.solve(stats, 0, params)).toBe(0)
  expect(Array.from(params, Math.exp)).toEqual([4 / 7, 1 / 7, 2 / 7].map(p => expect.closeTo(p, 14)))
})

test("the prior is as many pseudo-counts per level as it says", () => {
  const stats = new Float64Array(6)
  bind({ prior: 0.5 }, 2).prior(stats)
  expect(Array.from(stats)).toEqual(new Array(6).fill(0.5))
})

test("a slot without mass is uniform, and a negative count is held at the edge", () => {
  const params = new Float64Array(6)
  expect(bind({}, 2).solve(Float64Array.of(0, -1, 0, 2, 0, 2), 0, params)).toBe(1)
  expect(params[0]).toBeCloseTo(Math.log(1 / 3), 14)
  expect(params[1]).toBe(-Infinity)
})

test("describe names the probabilities, and adopt reads them back", () => {
  const leaf = bind({}, 2)
  expect(leaf.describe(theta, 1)).toEqual({
    probabilities: {
      Biscoe: expect.closeTo(0.2, 14),
      Dream: expect.closeTo(0.2, 14),
      Torgersen: expect.closeTo(0.6, 14),
    },
  })
  const stats = new Float64Array(6)
  const back = new Float64Array(6)
  leaf.adopt(leaf.describe(theta, 0), 0, 3, stats)
  leaf.adopt(leaf.describe(theta, 1), 1, 4, stats)
  leaf.solve(stats, 0, back)
  expect(Array.from(back)).toEqual(Array.from(theta, t => expect.closeTo(t, 14)))
})

test("samples have the frequencies of θ, and a cell that was seen is left alone", () => {
  const held = Int32Array.of(-1)
  const one: Block = { rows: 1, weight: Float64Array.of(1), cells: [held] }
  const throws = dice(3)
  const counts = [0, 0, 0]
  for (let i = 0; i < 4000; i++) {
    held[0] = -1
    bind({}, 2).sample(theta, 0, one, throws)
    counts[held[0]]++
  }
  ;[0.5, 0.3, 0.2].forEach((p, l) => {
    expect(Math.abs(counts[l] / 4000 - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / 4000))
  })
  held[0] = 2
  bind({}, 2).sample(theta, 0, one, throws)
  expect(held[0]).toBe(2)
})

test("L − 1 free parameters per slot", () => {
  expect(bind({}, 2).shape.free).toBe(4)
})

test("auto() takes strings that recur: words a little, phrases a lot", () => {
  const words: ColumnSummary = {
    ...{
      name: "x",
      rows: 110,
      missing: 10,
      numbers: 0,
      integers: 0,
      negatives: 0,
      smallest: Infinity,
      largest: -Infinity,
      mean: Number.NaN,
      variance: Number.NaN,
      booleans: 0,
    },
    ...{ strings: 100, texts: 0, bags: 0, distinct: 3 },
  }
  const phrases = { ...words, texts: 100 }
  expect(categoricalKind.suits?.(words)).toBe("3 different words in 100 cells")
  expect(categoricalKind.suits?.({ ...words, distinct: 50 })).toBe("50 different words in 100 cells")
  expect(categoricalKind.suits?.({ ...words, distinct: 51 })).toBeUndefined()
  expect(categoricalKind.suits?.({ ...words, rows: 7010, strings: 7000, distinct: 1000 })).toBeUndefined()
  expect(categoricalKind.suits?.({ ...phrases, distinct: 10 })).toBe("10 different phrases in 100 cells")
  expect(categoricalKind.suits?.({ ...phrases, distinct: 11 })).toBeUndefined()
  expect(categoricalKind.suits?.({ ...words, strings: 99, numbers: 1 })).toBeUndefined()
})

describe("messages", () => {
  test("an infinite prior", () => {
    expect(() => categorical({ prior: Infinity })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: categorical: prior is Infinity. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.]`,
    )
  })
  test("an unknown option", () => {
    expect(() => categoricalKind.make({ level: ["a"] })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: categorical: there is no option "level". It knows "levels" and "prior". Did you mean "levels"?]`,
    )
  })
  test("described probabilities that do not add up", () => {
    const adopt = (description: Description) => () =>
      bind({}, 1).adopt(description, 0, 1, new Float64Array(3))
    expect(
      adopt({ probabilities: { Biscoe: 1, Dream: 1, Torgersen: 1 } }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: categorical: the probabilities of column "island" are not a distribution over "Biscoe", "Dream" and "Torgersen". Each level needs a number ≥ 0 and they must add up to 1. Give the parameters as describe() prints them.]`,
    )
  })
})
