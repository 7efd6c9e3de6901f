import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { log } from "./log.ts"
import { digamma, logFactorial, logGamma } from "./log-gamma.ts"
import { worstAbsolute, worstUlps } from "./ulp.ts"

const golden: Record<string, number[]> = JSON.parse(
  readFileSync(new URL("../../../../golden/kernels.json", import.meta.url), "utf8"),
)

test("ln Γ agrees with mpmath to within 8 ulps, around its zeros too", () => {
  expect(worstUlps(logGamma, golden.logGamma)).toBeLessThan(8)
})

test("ln Γ is 0 at 1 and 2, and infinite at 0 and ∞", () => {
  expect([logGamma(1), logGamma(2)].map(Math.abs)).toEqual([0, 0])
  expect([logGamma(0), logGamma(Infinity), logGamma(1e308)]).toEqual([Infinity, Infinity, Infinity])
})

test("Γ(x + 1) = x Γ(x), across the boundaries of the four ranges", () => {
  for (let x = 0.01; x < 30; x += 0.01) {
    const step = logGamma(x + 1) - logGamma(x)
    expect(Math.abs(step - log(x))).toBeLessThan(1e-15 * (4 + logGamma(x + 1)))
  }
})

test("ln n! agrees with mpmath, from the table and beyond it", () => {
  expect(worstUlps(logFactorial, golden.logFactorial)).toBeLessThan(4)
})

test("ln n! is the sum of logarithms", () => {
  for (let n = 0, sum = 0; n < 400; sum += log(++n)) {
    expect(Math.abs(logFactorial(n) - sum)).toBeLessThan(1e-13 * (1 + sum))
  }
})

test("ψ agrees with mpmath, absolutely around its zero at 1.4616", () => {
  expect(worstAbsolute(digamma, golden.digamma)).toBeLessThan(4e-15)
})

test("ψ is the slope of ln Γ, and ψ(1) = −γ", () => {
  expect(digamma(1)).toBeCloseTo(-0.5772156649015329, 14)
  for (const x of [0.3, 1, 1.7, 4, 9.99, 10.01, 55]) {
    const h = 1e-4 * x
    expect((logGamma(x + h) - logGamma(x - h)) / (2 * h)).toBeCloseTo(digamma(x), 6)
  }
  expect([digamma(0), digamma(Infinity)]).toEqual([-Infinity, Infinity])
})
