/** Step sizes ρ_t, t = 1, 2, … being the number of batches so far. A short batch counts as a fraction: t may be any number above 0. */
import { SufficeError, show, wrongOption } from "../errors.ts"
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"

export type StepSize =
  /** ρ_t = 1/t: the plain average of all rows. */
  | { readonly kind: "average" }
  /** ρ_t = (t + delay)^−power, ½ < power ≤ 1 (Cappé & Moulines 2009). */
  | { readonly kind: "power"; readonly power: number; readonly delay: number }
  /** ρ_t = rho / (1 + decay·t). */
  | { readonly kind: "decay"; readonly rho: number; readonly decay: number }
  | { readonly kind: "constant"; readonly rho: number }

export function stepSizes(where: string, size: StepSize): (t: number) => number {
  switch (size?.kind) {
    case "average":
      return t => 1 / t
    case "power":
      check(
        where,
        "power",
        size.power,
        Number.isFinite(size.power) && size.power > 0.5 && size.power <= 1,
        "above ½ and at most 1",
      )
      check(where, "delay", size.delay, Number.isFinite(size.delay) && size.delay >= 0, "a finite number ≥ 0")
      return t => exp(-size.power * log(t + size.delay))
    case "decay":
      check(where, "rho", size.rho, Number.isFinite(size.rho) && size.rho > 0, "a finite number above 0")
      check(where, "decay", size.decay, Number.isFinite(size.decay) && size.decay >= 0, "a finite number ≥ 0")
      return t => size.rho / (1 + size.decay * t)
    case "constant":
      check(where, "rho", size.rho, Number.isFinite(size.rho) && size.rho > 0, "a finite number above 0")
      return () => size.rho
    default:
      throw wrongOption(
        where,
        "stepSize",
        size,
        'It says how far each step goes, as { kind: "average" | "power" | "decay" | "constant", … }. Leave it out for the default.',
      )
  }
}

function check(where: string, name: string, value: unknown, fine: boolean, range: string): void {
  if (fine) return
  throw new SufficeError(
    "option",
    `${where}: ${name} of stepSize is ${show(value)}. It must be ${range}. Leave stepSize out for the default.`,
    { option: "stepSize", value },
  )
}
