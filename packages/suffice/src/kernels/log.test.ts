import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { exp } from "./exp.ts"
import { log, log1p } from "./log.ts"
import { worstUlps } from "./ulp.ts"

const golden: Record<string, number[]> = JSON.parse(
  readFileSync(new URL("../../../../checks/golden/kernels.json", import.meta.url), "utf8"),
)

describe("log", () => {
  test("agrees with mpmath to within one ulp, subnormals included", () => {
    expect(worstUlps(log, golden.log)).toBeLessThan(1)
  })

  test("is 0 at 1, −∞ at 0, ∞ at ∞, NaN below 0", () => {
    expect(Object.is(log(1), 0)).toBe(true)
    expect([log(0), log(-0), log(Infinity)]).toEqual([-Infinity, -Infinity, Infinity])
    expect([log(-1), log(-5e-324), log(-Infinity), log(NaN)]).toEqual([NaN, NaN, NaN, NaN])
  })

  test("inverts exp", () => {
    for (let x = -708; x < 709; x += 0.37)
      expect(Math.abs(log(exp(x)) - x)).toBeLessThan(2.3e-16 * (1 + Math.abs(x)))
  })

  test("turns powers of two into multiples of ln 2", () => {
    for (let k = 1, x = 2; k < 1024; k++, x *= 2) {
      expect(Math.abs(log(x) / k - Math.LN2)).toBeLessThan(1.2e-16)
      expect(log(1 / x)).toBe(-log(x))
    }
  })

  test("has these bits on every engine", () => {
    let sum = 0
    for (let i = 1; i < 4000; i++) sum += log(i / 97) * (i % 2 === 0 ? 1 : -0.75)
    expect(sum).toMatchInlineSnapshot(`1360.409508999659`)
  })
})

describe("log1p", () => {
  test("agrees with mpmath to within one ulp", () => {
    expect(worstUlps(log1p, golden.log1p)).toBeLessThan(1)
  })

  test("is x itself where x² is below rounding, −∞ at −1, ∞ at ∞, NaN below −1", () => {
    expect([log1p(1e-300), log1p(-5e-324), log1p(0)]).toEqual([1e-300, -5e-324, 0])
    expect([log1p(-1), log1p(Infinity), log1p(-1.5), log1p(NaN)]).toEqual([-Infinity, Infinity, NaN, NaN])
  })
})
