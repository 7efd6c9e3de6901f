import { expect, test } from "vitest"
import { dice } from "../random.ts"
import {
  addOne,
  addOneBound,
  entropy,
  hoeffdingBound,
  hoeffdingInterval,
  hoeffdingRows,
  relativeEntropy,
} from "./bounds.ts"

test("the examples of the documentation hold", () => {
  expect(hoeffdingBound(1000, 0.05)).toBeCloseTo(0.0429, 4)
  expect(hoeffdingInterval(0.9, 1000, 0.05).map(x => x.toFixed(3))).toEqual(["0.857", "0.943"])
  expect(hoeffdingRows(0.01, 0.05)).toBe(18445)
  expect(entropy([0.5, 0.5])).toBeCloseTo(Math.log(2), 15)
  expect(relativeEntropy([1, 0], [0.5, 0.5])).toBeCloseTo(Math.log(2), 15)
  expect(addOne(0, 8)).toBe(0.1)
  expect(addOneBound(8)).toBeCloseTo(Math.log(10), 15)
})

test("Hoeffding's bound has two sides: ln(2/δ), wider than the misprinted ln(1/δ)", () => {
  expect(2 * Math.exp(-2 * 50 * hoeffdingBound(50, 0.1) ** 2)).toBeCloseTo(0.1, 12)
  expect(hoeffdingBound(50, 0.1)).toBeGreaterThan(Math.sqrt(Math.log(1 / 0.1) / 100))
})

test("the estimate lies within the bound in at least 1 − δ of all samples", () => {
  const d = dice(8)
  for (const [truth, delta] of [
    [0.5, 0.05],
    [0.5, 0.5],
    [0.1, 0.2],
  ]) {
    let held = 0
    for (let run = 0; run < 5000; run++) {
      let hits = 0
      for (let i = 0; i < 40; i++) if (d.uniform() < truth) hits++
      const [low, high] = hoeffdingInterval(hits / 40, 40, delta)
      if (low <= truth && truth <= high) held++
    }
    expect(held / 5000).toBeGreaterThanOrEqual(1 - delta)
  }
})

test("with δ = 0.5 the one-sided bound would fail more often than it says", () => {
  // m = 1, θ = ½: the estimate is always ½ away. √(ln 2 / 2) = 0.59 allows it; δ close to 1 shows the difference.
  const oneSided = Math.sqrt(Math.log(1 / 0.7) / 2)
  expect(oneSided).toBeLessThan(0.5)
  expect(hoeffdingBound(1, 0.7)).toBeGreaterThan(0.5)
})

test("hoeffdingRows is the fewest rows whose bound is small enough", () => {
  for (const epsilon of [0.3, 0.05, 0.01, 0.003]) {
    for (const delta of [0.5, 0.05, 1e-6]) {
      const rows = hoeffdingRows(epsilon, delta)
      expect(hoeffdingBound(rows, delta)).toBeLessThanOrEqual(epsilon)
      if (rows > 1) expect(hoeffdingBound(rows - 1, delta)).toBeGreaterThan(epsilon)
    }
  }
})

test("entropy is largest where nothing is known, relative entropy is 0 only at the truth", () => {
  expect(entropy([1, 0, 0])).toBe(0)
  expect(entropy([0.25, 0.25, 0.25, 0.25])).toBeCloseTo(Math.log(4), 15)
  expect(entropy([0.4, 0.2, 0.2, 0.2])).toBeLessThan(Math.log(4))
  expect(relativeEntropy([0.3, 0.7], [0.3, 0.7])).toBe(0)
  expect(relativeEntropy([0.3, 0.7], [0.4, 0.6])).toBeGreaterThan(0)
  expect(relativeEntropy([0, 1], [0.5, 0.5])).toBeCloseTo(Math.log(2), 15)
  expect(relativeEntropy([0.5, 0.5], [0, 1])).toBe(Infinity)
})

test("the add-one estimate never loses more than ln(m + 2), and the bound is reached", () => {
  const loss = (truth: number, said: number): number =>
    entropy([truth, 1 - truth]) + relativeEntropy([truth, 1 - truth], [said, 1 - said])
  for (const m of [0, 1, 5, 30]) {
    for (let hits = 0; hits <= m; hits++) {
      for (const truth of [0, 0.01, 0.3, 0.5, 0.9, 1]) {
        expect(loss(truth, addOne(hits, m))).toBeLessThanOrEqual(addOneBound(m) + 1e-12)
      }
    }
    expect(loss(0, addOne(m, m))).toBeCloseTo(addOneBound(m), 12)
  }
})

test("plain maximum likelihood can lose infinitely: after m hits it holds a miss impossible", () => {
  expect(relativeEntropy([0.9, 0.1], [1, 0])).toBe(Infinity)
  // and does so with probability 0.9^10 for ten rows of θ* = 0.9
  const d = dice(9)
  let infinite = 0
  for (let run = 0; run < 2000; run++) {
    let hits = 0
    for (let i = 0; i < 10; i++) if (d.uniform() < 0.9) hits++
    if (relativeEntropy([0.9, 0.1], [hits / 10, 1 - hits / 10]) === Infinity) infinite++
  }
  expect(infinite / 2000).toBeCloseTo(0.9 ** 10, 1)
})

test("every refusal says what, why and what to do", () => {
  expect(() => hoeffdingBound(0, 0.05)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: hoeffdingBound: the number of rows is 0. Rows are counted: a whole number from 1 on. Pass the count.]`,
  )
  expect(() => hoeffdingBound(10, 1)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: hoeffdingBound: delta is 1. It is the probability that the bound fails, above 0 and below 1. Write for example 0.05.]`,
  )
  expect(() => hoeffdingInterval(90, 100, 0.05)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: hoeffdingInterval: the estimate is 90. The bound is for a share, between 0 and 1. Divide the count by the rows.]`,
  )
  expect(() => hoeffdingRows(0, 0.05)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: hoeffdingRows: epsilon is 0. No number of rows makes an estimate exact. Give the error you accept, for example 0.01.]`,
  )
  expect(() => entropy([3, 1])).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: entropy: the probabilities add up to 4. They must be numbers ≥ 0 that add up to 1. Divide counts by their sum.]`,
  )
  expect(() => entropy([])).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: entropy: the probabilities are a list of 0. They must be numbers ≥ 0 that add up to 1. Divide counts by their sum.]`,
  )
  expect(() => relativeEntropy([1.5, -0.5], [0.5, 0.5])).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: relativeEntropy: probability 1 is -0.5. They must be numbers ≥ 0 that add up to 1. Divide counts by their sum.]`,
  )
  expect(() => relativeEntropy([0.5, 0.5], [1])).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: relativeEntropy: p has 2 levels, q has 1. They must be probabilities of the same levels. Give 0 to a level that one of them lacks.]`,
  )
  expect(() => addOne(5, 4)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: addOne: 5 hits among 4 rows. Hits are some of the rows. Give a number between 0 and 4.]`,
  )
  expect(() => addOneBound(-1)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: addOneBound: the number of rows is -1. Rows are counted: a whole number from 0 on. Pass the count.]`,
  )
})
