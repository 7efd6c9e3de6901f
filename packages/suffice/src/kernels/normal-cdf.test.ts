import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { normalCdf, normalQuantile } from "./normal-cdf.ts"
import { worstUlps } from "./ulp.ts"

const golden: Record<string, number[]> = JSON.parse(
  readFileSync(new URL("../../../../checks/golden/kernels.json", import.meta.url), "utf8"),
)

test("Φ agrees with mpmath to within 40 ulps, down to 1e-307", () => {
  expect(worstUlps(normalCdf, golden.normalCdf)).toBeLessThan(40)
})

test("Φ(x) + Φ(−x) = 1", () => {
  for (let x = 0; x < 9; x += 0.013) expect(normalCdf(x) + normalCdf(-x)).toBeCloseTo(1, 15)
})

test("Φ is ½ at 0, 0 at −∞, 1 at ∞, NaN at NaN", () => {
  expect([0, -Infinity, -40, Infinity, 40, NaN].map(normalCdf)).toEqual([0.5, 0, 0, 1, 1, NaN])
})

test("Φ⁻¹ agrees with mpmath to within 8 ulps", () => {
  expect(worstUlps(normalQuantile, golden.normalQuantile)).toBeLessThan(8)
})

test("Φ⁻¹ inverts Φ in the lower half, far tail included", () => {
  for (let x = -37; x < 0; x += 0.11) {
    expect(Math.abs(normalQuantile(normalCdf(x)) / x - 1)).toBeLessThan(1e-14)
  }
})

test("Φ⁻¹ is 0 at ½, ∓∞ at 0 and 1, NaN outside", () => {
  expect([0.5, 0, 1, -0.1, 1.1, NaN].map(normalQuantile)).toEqual([0, -Infinity, Infinity, NaN, NaN, NaN])
})
