import { expect, test } from "vitest"
import { log } from "./log.ts"
import { logSumExp } from "./log-sum-exp.ts"

const all = (...values: number[]) => logSumExp(Float64Array.from(values), 0, values.length, 1)

test("k equal terms add ln k", () => {
  for (const k of [1, 2, 3, 100]) expect(all(...new Array(k).fill(-5))).toBeCloseTo(-5 + log(k), 14)
})

test("a common shift comes out, however large", () => {
  for (const shift of [-1e6, -1000, 0, 1000, 1e6]) {
    expect(all(shift + 1, shift + 2, shift + 3) - shift).toBeCloseTo(3.40760596444438, 9)
  }
})

test("a sum of zeros is zero: −∞ everywhere gives −∞, not NaN", () => {
  expect(all(-Infinity)).toBe(-Infinity)
  expect(all(-Infinity, -Infinity, -Infinity)).toBe(-Infinity)
  expect(all()).toBe(-Infinity)
})

test("−∞ adds nothing, +∞ swallows everything, NaN is not hidden by a number", () => {
  expect(all(-Infinity, 2, -Infinity)).toBe(2)
  expect(all(Infinity, 2, -Infinity)).toBe(Infinity)
  expect(all(Infinity, Infinity)).toBe(Infinity)
  expect(all(1, NaN, 2)).toBeNaN()
})

test("offset and stride pick a column of a matrix", () => {
  const matrix = Float64Array.from([9, 1, 9, 9, 2, 9, 9, 3, 9])
  expect(logSumExp(matrix, 1, 3, 3)).toBe(all(1, 2, 3))
  expect(logSumExp(matrix, 3, 2, 1)).toBe(all(9, 2))
})
