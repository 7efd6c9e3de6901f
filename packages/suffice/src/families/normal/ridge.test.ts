import { expect, test } from "vitest"
import { factorWithRidge } from "./ridge.ts"

// two columns that differ by a residual of variance `own`
function ridgeFor(own: number, variance = 1): number {
  const a = Float64Array.of(variance, variance, variance + own)
  return factorWithRidge(a, 0, 2, Float64Array.of(variance, variance), new Float64Array(3), 0)
}

test("a column with less than ½ · 1e-9 of its variance to itself gets a ridge, relative to that variance", () => {
  expect(ridgeFor(1e-3)).toBe(0)
  expect(ridgeFor(1e-9)).toBe(0)
  expect(ridgeFor(1e-11)).toBe(1e-9)
  expect(ridgeFor(0)).toBe(1e-9)
  expect(ridgeFor(1e-11, 1e-8)).toBe(0)
})

test("the ridge grows tenfold until the matrix factors", () => {
  expect(ridgeFor(-1e-4)).toBeCloseTo(1e-4, 12)
  expect(ridgeFor(Number.NaN)).toBe(Infinity)
})
