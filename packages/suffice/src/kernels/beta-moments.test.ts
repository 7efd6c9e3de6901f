import { expect, test } from "vitest"
import { betaGap, betaMoments, solveBeta } from "./beta-moments.ts"

test("the parameters of a beta come back from its moments, to 1e-12 where their gap has the digits", () => {
  for (const a of [0.002, 0.3, 1, 2.5, 40, 3e4]) {
    for (const b of [0.002, 0.7, 1, 8, 1e3, 3e4]) {
      const eta = Float64Array.from(betaMoments(a, b))
      const theta = new Float64Array(2)
      solveBeta(eta, theta)
      // c is known as well as the gap, which is about 1/2c
      const tolerance = 1e-12 + 1e-14 / betaGap(eta)
      expect(Math.abs((theta[0] + 1) / a - 1), `a of ${a}, ${b}`).toBeLessThan(tolerance)
      expect(Math.abs((theta[1] + 1) / b - 1), `b of ${a}, ${b}`).toBeLessThan(tolerance)
      const [one, other] = betaMoments(theta[0] + 1, theta[1] + 1)
      expect(Math.abs(one - eta[0])).toBeLessThan(1e-12 * Math.max(1, Math.abs(eta[0])))
      expect(Math.abs(other - eta[1])).toBeLessThan(1e-12 * Math.max(1, Math.abs(eta[1])))
    }
  }
})
