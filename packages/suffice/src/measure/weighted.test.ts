import { expect, test } from "vitest"
import { effectiveRows, weightedMean } from "./weighted.ts"

test("a row of weight 0 is no row, even where it holds Infinity", () => {
  expect(weightedMean([1, Infinity, 4], [2, 0, 1])).toBe(2)
})

test("equal weights are worth their number, one heavy row is worth one", () => {
  expect(effectiveRows([3, 3, 3, 3])).toBe(4)
  expect(effectiveRows([1, 0, 0])).toBe(1)
  expect(effectiveRows([1e200, 1e200])).toBe(2)
  expect(effectiveRows([1, 1, 2])).toBeCloseTo(16 / 6, 14)
})
