// Between the parameters of a beta distribution and the means of ln x and ln(1 − x).
//
//   η = (ψ(a) − ψ(c), ψ(b) − ψ(c))      c = a + b
//
// There is no closed form back. With a(c) = ψ⁻¹(η_1 + ψ(c)) and b(c) alike, c − a(c) − b(c) has one root: where it has one it rises, since ln B is strictly
// convex. It is found by Newton's steps within a bracket.

import { exp } from "./exp.ts"
import { digamma, inverseDigamma, trigamma } from "./log-gamma.ts"
import { increasingRoot } from "./root.ts"

/** 1 − e^η_1 − e^η_2: above 0 where shares differ, by the inequality of Jensen. */
export function betaGap(eta: ArrayLike<number>): number {
  return 1 - exp(eta[0]) - exp(eta[1])
}

/** The means of ln x and ln(1 − x). */
export function betaMoments(a: number, b: number): [number, number] {
  return [digamma(a) - digamma(a + b), digamma(b) - digamma(a + b)]
}

/** (a − 1, b − 1) of these means, whose gap is above 0. */
export function solveBeta(eta: Float64Array, theta: Float64Array): void {
  const part = (j: number, c: number): number => inverseDigamma(eta[j] + digamma(c))
  const value = (c: number): number => c - part(0, c) - part(1, c)
  const slope = (c: number): number =>
    1 - trigamma(c) / trigamma(part(0, c)) - trigamma(c) / trigamma(part(1, c))
  // where shares are narrow, a ≈ ½ + (c − ½) e^η_1
  const gap = betaGap(eta)
  const start = (0.5 + 0.5 * gap) / gap
  let [low, high] = [start, start]
  while (low > 1e-9 && value(low) > 0) low *= 0.5
  while (high < 1e18 && value(high) < 0) high *= 2
  const c = increasingRoot(value, slope, low, high, start)
  theta[0] = part(0, c) - 1
  theta[1] = part(1, c) - 1
}
