import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { log, log1p } from "./log.ts"
import {
  digamma,
  digammaGap,
  inverseDigamma,
  logFactorial,
  logGamma,
  logGammaStep,
  trigamma,
  trigammaGap,
} from "./log-gamma.ts"
import { worstAbsolute, worstUlps } from "./ulp.ts"

const golden: Record<string, number[]> = JSON.parse(
  readFileSync(new URL("../../../../checks/golden/kernels.json", import.meta.url), "utf8"),
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

interface Table {
  readonly x: readonly number[]
  readonly y: readonly number[]
}
const scipy: Record<"digamma" | "trigamma" | "inverseDigamma", Table> = JSON.parse(
  readFileSync(new URL("../../../../checks/golden/supports.json", import.meta.url), "utf8"),
).functions

test("ψ′ agrees with scipy to 1e-14, and ψ⁻¹ to 1e-13", () => {
  scipy.trigamma.x.forEach((x, i) => {
    expect(Math.abs(trigamma(x) / scipy.trigamma.y[i] - 1), `ψ′(${x})`).toBeLessThan(1e-14)
  })
  scipy.inverseDigamma.x.forEach((x, i) => {
    expect(Math.abs(inverseDigamma(x) / scipy.inverseDigamma.y[i] - 1), `ψ⁻¹(${x})`).toBeLessThan(1e-13)
    expect(Math.abs(digamma(inverseDigamma(x)) - x)).toBeLessThan(1e-13 * Math.max(1, Math.abs(x)))
  })
})

test("what is left of ψ beside ln x, and of ψ′ beside 1/x, keeps its digits where they nearly agree", () => {
  for (const x of [0.3, 9.99, 10, 55, 1e4, 1e9, 1e15]) {
    const wide = digammaGap(x) * 2 * x
    expect(wide).toBeGreaterThan(1)
    expect(wide).toBeLessThan(2)
    // ln(x + 1) − ψ(x + 1) = ln x − ψ(x) + ln(1 + 1/x) − 1/x, and so for ψ′
    const step = digammaGap(x + 1) - digammaGap(x) - (log1p(1 / x) - 1 / x)
    expect(Math.abs(step)).toBeLessThan(1e-14 * Math.max(1, 1 / x))
    expect(Math.abs(trigammaGap(x) + 1 / x - trigamma(x))).toBeLessThan(1e-15 * trigamma(x))
  }
  expect(digammaGap(1e12) * 2e12).toBeCloseTo(1, 12)
  expect(trigammaGap(1e12) * 2e24).toBeCloseTo(1, 11)
})

test("ln Γ(x + r) − ln Γ(x + 1) is the difference, and (r − 1) ln x where that has lost its digits", () => {
  for (const r of [0.2, 1, 2.5, 40]) {
    for (const x of [0, 0.5, 8, 9, 12, 400]) {
      const plain = logGamma(x + r) - logGamma(x + 1)
      expect(Math.abs(logGammaStep(x, r) - plain)).toBeLessThan(1e-12 * Math.max(1, Math.abs(plain)))
    }
    const far = (r - 1) * log(1e15)
    expect(Math.abs(logGammaStep(1e15, r) - far)).toBeLessThan(2e-12)
  }
})
