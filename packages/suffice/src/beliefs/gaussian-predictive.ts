/** Expected and predictive densities of a normal column. */
import { log } from "../kernels/log.ts"
import { type GaussianBelief, WIDTH } from "./gaussian-posterior.ts"
import { expectedTop, LN_2PI } from "./spreads.ts"
import { putStudent, STUDENT } from "./student.ts"

export function fillExpected(
  { slots, logScale }: GaussianBelief,
  q: Float64Array,
  params: Float64Array,
): void {
  for (let p = 0; p < slots; p++) {
    const [kappa, m, nu, s] = q.subarray(p * WIDTH, p * WIDTH + WIDTH)
    params[p * 3] = m
    params[p * 3 + 1] = nu / s
    params[p * 3 + 2] = expectedTop(nu, s, kappa) - logScale
  }
}

export function fillPredictive(
  { slots, logScale }: GaussianBelief,
  q: Float64Array,
  params: Float64Array,
): void {
  for (let p = 0; p < slots; p++) {
    const [kappa, m, nu, s] = q.subarray(p * WIDTH, p * WIDTH + WIDTH)
    params[p * 3] = m
    params[p * 3 + 1] = nu / s
    params[p * 3 + 2] = -0.5 * (LN_2PI + log(s / nu)) - logScale
    putStudent(params, slots * 3 + p * STUDENT, m, (s / nu) * ((kappa + 1) / kappa), nu, logScale)
  }
}
