import { expect, test } from "vitest"
import { exp } from "./exp.ts"
import { expectedOverCounts } from "./expected-count.ts"
import { log, log1p } from "./log.ts"
import { logGamma, logGammaStep } from "./log-gamma.ts"

/** Negative binomial of r successes. */
function mass(r: number, mean: number): (x: number) => number {
  return x => exp(logGammaStep(x, r) - logGamma(r) - x * log1p(r / mean) - r * log1p(mean / r))
}

test("the mean of a count is its mean, by ones and by runs", () => {
  for (const r of [1e-6, 0.3, 1, 2.5, 60, 1e5]) {
    for (const mean of [0.01, 3, 500, 3e4, 1e7, 1e12]) {
      const spread = Math.max(Math.sqrt(mean * (1 + mean / r)), mean / r)
      const found = expectedOverCounts(mass(r, mean), x => x, mean, spread)
      expect(Math.abs(found / mean - 1), `r ${r}, mean ${mean}`).toBeLessThan(1e-8)
    }
  }
})

test("a smooth function of a large count is as the plain sum has it", () => {
  const [r, mean] = [2.5, 2e4]
  const p = mass(r, mean)
  let sum = 0
  for (let x = 0; x < 60 * mean; x++) sum += p(x) * log(1 + x)
  const spread = Math.sqrt(mean * (1 + mean / r))
  expect(Math.abs(expectedOverCounts(p, x => log(1 + x), mean, spread) / sum - 1)).toBeLessThan(1e-9)
})
