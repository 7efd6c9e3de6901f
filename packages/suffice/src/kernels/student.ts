// Student's t, the multivariate gamma function, and the quantiles of t, beta and gamma: what predictions and credible intervals are made of.
//
//   ln t(x | ν) = ln Γ((ν + d)/2) − ln Γ(ν/2) − ½ d ln νπ − ½ (ν + d) ln(1 + δ²/ν)      δ: the distance in d dimensions, of scale 1
//   ln Γ_d(x) = ¼ d(d − 1) ln π + Σ_{j<d} ln Γ(x − ½ j)                                   (Anderson 2003, 7.2)
//   P(T ≤ t) = ½ I_{ν/(ν + t²)}(ν/2, ½) for t ≤ 0                                         (Abramowitz & Stegun 1964, 26.7.1)

import { incompleteBeta } from "./incomplete-beta.ts"
import { gammaAbove } from "./incomplete-gamma.ts"
import { log, log1p } from "./log.ts"
import { logGamma, logGammaStep } from "./log-gamma.ts"

const LN_PI = 1.1447298858494002

/** ln Γ_d(x) for x > ½ (d − 1). */
export function logMultivariateGamma(x: number, d: number): number {
  let sum = 0.25 * d * (d - 1) * LN_PI
  for (let j = 0; j < d; j++) sum += logGamma(x - 0.5 * j)
  return sum
}

/** The logarithm of Student's density at its centre: ν > 0 degrees of freedom, d dimensions, scale 1. */
export function studentTop(freedom: number, d: number): number {
  // the two ln Γ agree in most of their digits where ν is large
  const ratio =
    freedom >= 2
      ? logGammaStep(0.5 * freedom - 1, 0.5 * d + 1)
      : logGamma(0.5 * (freedom + d)) - logGamma(0.5 * freedom)
  return ratio - 0.5 * d * (log(freedom) + LN_PI)
}

/** ln(1 + u²), where u² would overflow too. */
export function logOnePlusSquare(u: number): number {
  const size = Math.abs(u)
  return size > 1e8 ? 2 * log(size) : log1p(u * u)
}

/** P(T ≤ t) with this many degrees of freedom. */
export function studentBelow(t: number, freedom: number): number {
  if (t === 0) return 0.5
  // t² beyond the range of doubles: the tail is 0 either way
  const tail = 0.5 * incompleteBeta(0.5 * freedom, 0.5, 1 / (1 + (t / freedom) * t))
  return t < 0 ? tail : 1 - tail
}

/** The t with P(T ≤ t) = probability. */
export function studentQuantile(probability: number, freedom: number): number {
  if (probability > 0.5) return -studentQuantile(1 - probability, freedom)
  return -bisect(t => studentBelow(-t, freedom) <= probability, 0, 1)
}

/** The x with P(X ≤ x) = probability, X ~ Beta(a, b). */
export function betaQuantile(probability: number, a: number, b: number): number {
  return bisect(x => incompleteBeta(a, b, x) >= probability, 0, 1, 1)
}

/** The x with P(X ≤ x) = probability, X ~ Gamma(shape, 1). */
export function gammaQuantile(probability: number, shape: number): number {
  return bisect(x => 1 - gammaAbove(shape, x) >= probability, 0, Math.max(1, shape))
}

/** The least x ≥ low where `isBeyond` holds, to the last bits. `high` is doubled until it holds there, up to `most`. */
function bisect(isBeyond: (x: number) => boolean, low: number, high: number, most = 1e300): number {
  let end = high
  while (end < most && !isBeyond(end)) end *= 2
  let start = low
  for (let step = 0; step < 1100; step++) {
    const middle = 0.5 * (start + end)
    if (middle <= start || middle >= end) break
    if (isBeyond(middle)) end = middle
    else start = middle
  }
  return 0.5 * (start + end)
}
