import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { exp, expm1 } from "./exp.ts"
import { worstUlps } from "./ulp.ts"

const golden: Record<string, number[]> = JSON.parse(
  readFileSync(new URL("../../../../checks/golden/kernels.json", import.meta.url), "utf8"),
)

describe("exp", () => {
  test("agrees with mpmath to within one ulp", () => {
    expect(worstUlps(exp, golden.exp)).toBeLessThan(1)
  })

  test("is exactly 1 at 0, and e is the double nearest or next to it", () => {
    expect([exp(0), exp(-0)]).toEqual([1, 1])
    expect(Math.abs(exp(1) - Math.E)).toBeLessThan(5e-16)
  })

  test("reaches its limits: 0 at −∞, ∞ at ∞, NaN at NaN", () => {
    expect([exp(-Infinity), exp(Infinity), exp(NaN)]).toEqual([0, Infinity, NaN])
    expect(Object.is(exp(-1000), 0)).toBe(true)
  })

  test("is never subnormal: below ln 2^−1022 it is 0", () => {
    expect(exp(-708.396418532264)).toBeGreaterThanOrEqual(2.2250738585072014e-308)
    expect([exp(-708.3964185322642), exp(-709), exp(-745)]).toEqual([0, 0, 0])
    for (let x = -708.4; x < -708.39; x += 1e-6)
      expect(exp(x) === 0 || exp(x) >= 2.2250738585072014e-308).toBe(true)
  })

  test("overflows at the logarithm of the largest double and not before", () => {
    expect(exp(709.782712893384)).toBeLessThan(Infinity)
    expect(exp(709.7827128933841)).toBe(Infinity)
    expect(exp(709.5) / exp(709)).toBeCloseTo(exp(0.5), 12)
  })

  test("never falls as x grows, across every boundary of the reduction", () => {
    const ln2 = Math.LN2
    for (let k = -1021; k < 1023; k++) {
      for (let step = -3; step < 3; step++) {
        const x = (k + 0.5) * ln2 + step * 1e-13
        expect(exp(x)).toBeLessThanOrEqual(exp(x + 1e-13))
      }
    }
  })

  test("has these bits on every engine", () => {
    let sum = 0
    for (let i = -2000; i < 2000; i++) sum += exp(i / 97) * (i % 2 === 0 ? 1 : -0.75)
    expect(sum).toMatchInlineSnapshot(`10471444936.605934`)
  })
})

describe("expm1", () => {
  test("agrees with mpmath to within one ulp", () => {
    expect(worstUlps(expm1, golden.expm1)).toBeLessThan(1)
  })

  test("is x itself where x² is below rounding, −1 at −∞, ∞ at ∞, NaN at NaN", () => {
    expect([expm1(1e-300), expm1(-5e-324), expm1(0)]).toEqual([1e-300, -5e-324, 0])
    expect([expm1(-Infinity), expm1(-50), expm1(Infinity), expm1(710), expm1(NaN)]).toEqual([
      -1,
      -1,
      Infinity,
      Infinity,
      NaN,
    ])
  })
})
