// I_x(a, b) = ∫_0^x t^(a − 1) (1 − t)^(b − 1) dt / B(a, b), the regularised incomplete beta function, and Student's t by it.
//
//   I_x(a, b) = x^a (1 − x)^b / (a B(a, b)) · 1/(1 + d_1/(1 + d_2/(1 + …)))      x ≤ (a + 1)/(a + b + 2), else 1 − I_{1−x}(b, a)
//   d_{2m+1} = −(a + m)(a + b + m) x / ((a + 2m)(a + 2m + 1))      d_{2m} = m(b − m) x / ((a + 2m − 1)(a + 2m))
//                                                                        (Abramowitz & Stegun 1964, 26.5.8, by Lentz 1976)
//   P(|T| > t) = I_{ν/(ν + t²)}(ν/2, ½)      T ~ Student(ν)               (26.7.1)

import { exp } from "./exp.ts"
import { log } from "./log.ts"
import { logGamma } from "./log-gamma.ts"

/** I_x(a, b) for a, b > 0 and 0 ≤ x ≤ 1. */
export function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x)
  const front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x)) / a
  return front * fraction(a, b, x)
}

// 1/(1 + d_1/(1 + d_2/(1 + …))): left of the turning point some 10 + 2√(a + b) steps suffice
function fraction(a: number, b: number, x: number): number {
  const away = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m < 10_000; m++) {
    let change = 1
    for (const step of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / away(1 + step * d)
      c = away(1 + step / c)
      change *= c * d
    }
    value *= change
    if (Math.abs(change - 1) < 1e-16) break
  }
  return value
}

/** The t with P(|T| ≤ t) = coverage under Student's law with `freedom` degrees, by halving. */
export function studentReach(coverage: number, freedom: number): number {
  const outside = (t: number): number => incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t))
  let high = 1
  while (outside(high) > 1 - coverage && high < 1e12) high *= 2
  let low = 0
  for (let k = 0; k < 80; k++) {
    const middle = (low + high) / 2
    if (outside(middle) > 1 - coverage) low = middle
    else high = middle
  }
  return (low + high) / 2
}
