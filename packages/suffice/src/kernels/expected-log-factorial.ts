// E[ln x!] of a Poisson count.

import { exp } from "./exp.ts"
import { log } from "./log.ts"
import { logFactorial } from "./log-gamma.ts"

/** From here on the series below errs by less than 1e-13. */
const LARGE = 1000
const HALF_LN_2PI_E = 1.4189385332046727

/**
 * E[ln x!] = Σ_x p(x) ln x!, from the mode outwards until the terms vanish; for large λ by the entropy of a count,
 * λ − λ ln λ + E[ln x!] = ½ ln 2πeλ − 1/(12λ) − 1/(24λ²) − 19/(360λ³) − … (Adell, Lekuona & Yu 2010).
 */
export function expectedLogFactorial(rate: number): number {
  if (rate >= LARGE) {
    const u = 1 / rate
    return (
      rate * (log(rate) - 1) + HALF_LN_2PI_E + 0.5 * log(rate) - u * (1 / 12 + u * (1 / 24 + (19 / 360) * u))
    )
  }
  const mode = Math.floor(rate)
  const top = exp((mode === 0 ? 0 : mode * log(rate)) - rate - logFactorial(mode))
  let total = top * logFactorial(mode)
  for (let x = mode + 1, p = top; ; x++) {
    p *= rate / x
    const term = p * logFactorial(x)
    total += term
    if (x > 2 && term <= 1e-18 * total) break
  }
  for (let x = mode, p = top; x > 1; x--) {
    p *= x / rate
    const term = p * logFactorial(x - 1)
    total += term
    if (x > 2 && term <= 1e-18 * total) break
  }
  return total
}
