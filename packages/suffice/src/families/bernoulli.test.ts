import { absorb } from "suffice-laws/probe"
import { describe, expect, test } from "vitest"
import type { Block, Weights } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Description } from "../contract/report.ts"
import { log } from "../kernels/log.ts"
import { dice } from "../random.ts"
import { type BernoulliOptions, bernoulli, bernoulliKind } from "./bernoulli.ts"
import { categorical } from "./categorical.ts"

const column: Column = { kind: "level", name: "smoker", levels: [false, true] }
const bind = (options: BernoulliOptions, slots: number) => bernoulli(options).bind([column], [0], slots)

const codes = Int32Array.of(1, 0, -1, 1)
const block: Block = { rows: 4, weight: new Float64Array(4).fill(1), cells: [codes] }
const q = [0.3, 0.9]
const theta = Float64Array.from([0.7, 0.1, 0.3, 0.9], log)
const each: Weights = { form: "each", values: Float64Array.of(0.7, 1, 0.1, 2, 0.3, 1, 0.9, -1) }
const absorbed = (weights: Weights) => {
  const stats = new Float64Array(4)
  expect(absorb(bind({}, 2), block, theta, weights, stats)).toBe(false)
  return stats
}

test("ln p(x) = x ln q + (1 − x) ln(1 − q), and a missing cell scores 0", () => {
  const out = new Float64Array(8)
  bind({}, 2).score(block, theta, out)
  const expected = q.flatMap(p => [log(p), log(1 - p), 0, log(p)])
  expect(Array.from(out)).toEqual(expected.map(score => expect.closeTo(score, 14)))
})

test("it is the categorical of two levels", () => {
  const ours = new Float64Array(8)
  const theirs = new Float64Array(8)
  bind({}, 2).score(block, theta, ours)
  categorical().bind([column], [0], 2).score(block, theta, theirs)
  expect(ours).toEqual(theirs)
})

test("a missing cell adds nothing: n is the weight of the cells that were seen", () => {
  const stats = absorbed(each)
  expect(bind({}, 2).mass(stats, 0)).toBeCloseTo(0.7 + 1 + 2, 14)
  expect(stats[3]).toBeCloseTo(0.3 - 1, 14) // Σwx in slot 1, a negative weight
})

test("one pseudo-count on each side is Laplace: (Σwx + 1) / (n + 2)", () => {
  const leaf = bind({}, 1)
  const stats = Float64Array.of(1, 4)
  const params = new Float64Array(2)
  leaf.prior(stats)
  leaf.solve(stats, 0, params)
  expect(leaf.describe(params, 0)).toEqual({ probability: expect.closeTo(5 / 7, 14) })
})

test("describe gives the probability of true, and adopt reads it back", () => {
  const leaf = bind({}, 2)
  const stats = new Float64Array(4)
  const back = new Float64Array(4)
  expect(leaf.describe(theta, 1)).toEqual({ probability: expect.closeTo(0.9, 14) })
  leaf.adopt(leaf.describe(theta, 0), 0, 3, stats)
  leaf.adopt(leaf.describe(theta, 1), 1, 4, stats)
  leaf.solve(stats, 0, back)
  expect(Array.from(back)).toEqual(Array.from(theta, t => expect.closeTo(t, 14)))
  expect([leaf.mass(stats, 0), leaf.mass(stats, 1)]).toEqual([3, 4])
})

test("samples are true as often as q says, and a cell that was seen is left alone", () => {
  const held = Int32Array.of(-1)
  const one: Block = { rows: 1, weight: Float64Array.of(1), cells: [held] }
  const throws = dice(7)
  let yes = 0
  for (let i = 0; i < 4000; i++) {
    held[0] = -1
    bind({}, 2).sample(theta, 0, one, throws)
    yes += held[0]
  }
  expect(Math.abs(yes / 4000 - 0.3)).toBeLessThan(4 * Math.sqrt((0.3 * 0.7) / 4000))
  held[0] = 0
  bind({}, 2).sample(Float64Array.of(-Infinity, -Infinity, 0, 0), 0, one, throws)
  expect(held[0]).toBe(0)
})

test("one free parameter per slot", () => {
  expect(bind({}, 2).shape.free).toBe(2)
})

test("auto() takes booleans and columns of 0 and 1, but not of 1 and 2", () => {
  const summary = {
    ...{ name: "x", rows: 10, missing: 2, numbers: 0, integers: 0, negatives: 0, booleans: 8 },
    ...{ strings: 0, texts: 0, bags: 0, distinct: 2, smallest: Infinity, largest: -Infinity },
    ...{ mean: Number.NaN, variance: Number.NaN },
  }
  const numbers = { ...summary, booleans: 0, numbers: 8, integers: 8 }
  expect(bernoulliKind.suits?.(summary)).toBe("true or false")
  expect(bernoulliKind.suits?.({ ...numbers, smallest: 0, largest: 1 } as typeof summary)).toBe(
    "only 0 and 1",
  )
  expect(bernoulliKind.suits?.({ ...numbers, smallest: 1, largest: 2 } as typeof summary)).toBeUndefined()
  expect(
    bernoulliKind.suits?.({ ...numbers, integers: 7, smallest: 0, largest: 1 } as typeof summary),
  ).toBeUndefined()
})

describe("messages", () => {
  test("a prior that is no number", () => {
    expect(() => bernoulli({ prior: Number.NaN })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: bernoulli: prior is NaN. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.]`,
    )
  })
  test("an unknown option", () => {
    expect(() => bernoulliKind.make({ piror: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: bernoulli: there is no option "piror". It knows "prior". Did you mean "prior"?]`,
    )
  })
  test("a described probability above 1", () => {
    const adopt = (description: Description) => () =>
      bind({}, 1).adopt(description, 0, 1, new Float64Array(2))
    expect(adopt({ probability: 1.2 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: bernoulli: "probability" of column "smoker" is 1.2. It must be a number between 0 and 1. Give the parameters as describe() prints them.]`,
    )
  })
})
