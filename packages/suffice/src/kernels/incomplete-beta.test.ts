import { describe, expect, test } from "vitest"
import { incompleteBeta, studentReach } from "./incomplete-beta.ts"

const xs = [1e-6, 0.01, 0.2, 0.5, 0.77, 0.99, 1 - 1e-9]

describe("the regularised incomplete beta function", () => {
  test("is the tail of a binomial where a and b are whole: I_x(a, b) = P(at least a of a + b − 1)", () => {
    for (const [a, b] of [
      [1, 1],
      [2, 5],
      [9, 4],
      [30, 30],
    ]) {
      for (const x of xs) {
        const n = a + b - 1
        let tail = 0
        for (let k = a; k <= n; k++) {
          let term = 1
          for (let i = 1; i <= k; i++) term *= ((n - k + i) / i) * x
          tail += term * (1 - x) ** (n - k)
        }
        expect(Math.abs(incompleteBeta(a, b, x) - tail)).toBeLessThan(1e-12)
      }
    }
  })

  test("is the arcsine law at ½, ½", () => {
    for (const x of xs) {
      expect(
        Math.abs(incompleteBeta(0.5, 0.5, x) - (2 / Math.PI) * Math.atan2(Math.sqrt(x), Math.sqrt(1 - x))),
      ).toBeLessThan(1e-12)
    }
  })

  test("is 0 and 1 at its ends", () => {
    expect([incompleteBeta(2, 3, 0), incompleteBeta(2, 3, 1)]).toEqual([0, 1])
  })
})

describe("the reach of Student's t", () => {
  test("with one degree is Cauchy's: tan(½ π coverage)", () => {
    for (const coverage of [0.5, 0.9, 0.95, 0.99]) {
      const wanted = Math.tan(0.5 * Math.PI * coverage)
      expect(Math.abs(studentReach(coverage, 1) / wanted - 1)).toBeLessThan(1e-10)
    }
  })

  test("with two degrees is c √(2/(1 − c²))", () => {
    for (const c of [0.5, 0.9, 0.95, 0.99]) {
      expect(Math.abs(studentReach(c, 2) / (c * Math.sqrt(2 / (1 - c * c))) - 1)).toBeLessThan(1e-10)
    }
  })

  test("with four degrees solves P(|T| ≤ t) = s(1 + ½(1 − s²)), s = t/√(4 + t²)", () => {
    const t = studentReach(0.95, 4)
    const s = t / Math.sqrt(4 + t * t)
    expect(Math.abs(s * (1 + 0.5 * (1 - s * s)) - 0.95)).toBeLessThan(1e-12)
  })
})
