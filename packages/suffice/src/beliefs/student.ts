/** Student's t, the predictive distribution of a normal whose variance is not known. */
import type { Leaf } from "../contract/leaf.ts"
import { log } from "../kernels/log.ts"
import { logOnePlusSquare, studentBelow, studentTop } from "../kernels/student.ts"

/** Tails that fall as a power of x have no variance at 2 and below; what is said then is that of 2.1. */
export function leastVariable(power: number): number {
  return Math.max(power, 2.1)
}

/** Variance of Student's t relative to its scale². */
export function studentVariance(freedom: number): number {
  const nu = leastVariable(freedom)
  return nu / (nu - 2)
}

/** P(X ≤ x) of a t with this mean, variance and degrees of freedom. */
export function studentCdf(x: number, mean: number, variance: number, freedom = 1): number {
  return studentBelow((x - mean) / Math.sqrt(variance / studentVariance(freedom)), freedom)
}

/** How much of δ² a column has; an equal share where there is nothing to share out, or more than can be told. */
export function shareOf(part: number, square: number, columns: number): number {
  return square > 0 && square < Infinity ? part / square : 1 / columns
}

/** The length of the parameters of a t: m, 1/(scale √ν), ½(ν + 1), ln of the density at m, ν. */
export const STUDENT = 5

/** params[at …] ← those of a t with this centre, scale² and degrees of freedom. */
export function putStudent(
  params: Float64Array,
  at: number,
  m: number,
  square: number,
  nu: number,
  logScale: number,
): void {
  params[at] = m
  params[at + 1] = 1 / (Math.sqrt(square) * Math.sqrt(nu))
  params[at + 2] = 0.5 * (nu + 1)
  params[at + 3] = studentTop(nu, 1) - 0.5 * log(square) - logScale
  params[at + 4] = nu
}

/** Student's t in a column, its parameters slot by slot from `at` on. */
export function studentColumn(
  place: number,
  slots: number,
  at: number,
): Required<Pick<Leaf, "score" | "sample" | "numbers">> {
  return {
    score(block, params, out) {
      const x = block.cells[place] as Float64Array
      const { rows } = block
      for (let p = 0; p < slots; p++) {
        const own = at + p * STUDENT
        const [m, unit, half, top] = [params[own], params[own + 1], params[own + 2], params[own + 3]]
        for (let i = 0; i < rows; i++) {
          if (x[i] === x[i]) out[p * rows + i] += top - half * logOnePlusSquare((x[i] - m) * unit)
        }
      }
      return undefined
    },

    sample(params, slot, block, dice) {
      const x = block.cells[place] as Float64Array
      if (!Number.isNaN(x[0])) return
      const own = at + slot * STUDENT
      const nu = params[own + 4]
      x[0] = params[own] + dice.normal() / (params[own + 1] * Math.sqrt(2 * dice.gamma(0.5 * nu)))
    },
    numbers: {
      expect(_block, params, slot, _place, mean, variance, freedom) {
        const own = at + slot * STUDENT
        const nu = params[own + 4]
        const scale = 1 / (params[own + 1] * Math.sqrt(nu))
        mean.fill(params[own])
        variance.fill(scale * scale * studentVariance(nu))
        freedom?.fill(nu)
      },
      cdf: studentCdf,
    },
  }
}
