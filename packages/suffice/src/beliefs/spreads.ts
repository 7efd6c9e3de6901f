/** What is believed of a variance: S/σ² is χ² with ν degrees of freedom. */
import { log } from "../kernels/log.ts"
import { digamma, logGamma } from "../kernels/log-gamma.ts"
import { gammaQuantile } from "../kernels/student.ts"
import { held } from "./stand-in.ts"

export const LN_2PI = 1.8378770664093453

/** ln Γ(ν/2) + ½ν ln 2 − ½ν ln S */
export function logSpread(nu: number, s: number): number {
  return logGamma(0.5 * nu) + 0.5 * nu * (Math.LN2 - log(s))
}

/** ½( ψ(ν/2) + ln 2 − ln S ) − ½ ln 2π − ½/κ */
export function expectedTop(nu: number, s: number, kappa: number): number {
  return 0.5 * (digamma(0.5 * nu) + Math.LN2 - log(s)) - 0.5 * LN_2PI - 0.5 / kappa
}

/** A standard deviation with its interval: S/σ² is χ² with ν degrees. */
export function heldSpread(scale: number, s: number, nu: number, probability: number) {
  const beyond = 0.5 * (1 - probability)
  const root = (chi: number): number => scale * Math.sqrt(s / (2 * chi))
  return held(
    scale * Math.sqrt(s / nu),
    root(gammaQuantile(1 - beyond, 0.5 * nu)),
    root(gammaQuantile(beyond, 0.5 * nu)),
  )
}
