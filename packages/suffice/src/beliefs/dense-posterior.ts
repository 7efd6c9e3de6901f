/** Posterior of correlated normal columns: its numbers, evidence, draws and intervals. */
import type { About } from "../contract/belief.ts"
import type { Dice } from "../contract/dice.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { encodedCovariance, encodedMeans, type NumberColumn } from "../families/normal/columns.ts"
import { type Layout, layout as layOut } from "../families/normal/layout.ts"
import { addRidge, factorWithRidge } from "../families/normal/ridge.ts"
import { log } from "../kernels/log.ts"
import { logMultivariateGamma, studentQuantile } from "../kernels/student.ts"
import { addOuter, cholesky, invertLower, logDetFromCholesky, triangle } from "../kernels/triangle.ts"
import { amount, checkReach, DEGREES, knownNames, priorOf, refused, STRENGTH } from "./elicited.ts"
import { heldSpread, LN_2PI } from "./spreads.ts"
import { held } from "./stand-in.ts"

/** Layout and prior of the posterior, and memory within one call. */
export interface DenseBelief {
  readonly plain: Leaf
  readonly about: About
  readonly columns: readonly NumberColumn[]
  readonly slots: number
  readonly share: number
  readonly layout: Layout
  readonly d: number
  readonly size: number
  readonly matrices: number
  readonly variance: Float64Array
  readonly filled: number
  readonly logScales: number
  readonly factor: number
  readonly own: ReturnType<typeof elicited> | undefined
  readonly centre: Float64Array
  readonly off: Float64Array
  readonly mean: Float64Array
  readonly factored: Float64Array
  readonly uAt: number
  readonly expected: Leaf["score"]
}

export function denseNumbers(plain: Leaf, about: About): DenseBelief {
  const columns = about.columns as readonly NumberColumn[]
  const { slots } = plain.shape
  const share = about.options.covariance === "tied" ? slots : 1
  const layout = layOut(columns, about.places, slots, share)
  const { d, size, matrices, variance } = layout
  const filled = columns.filter(({ empty }) => !empty).length
  const logScales = layout.logScale.reduce((sum, value) => sum + value, 0)
  const { factor, given } = priorOf(about, ["mean", "strength", "covariance", "sd", "correlation", "degrees"])
  const own = given && elicited(about, columns, d)
  const centre = own?.mean ?? new Float64Array(d)
  const off = new Float64Array(d)
  const mean = new Float64Array(d)
  const factored = new Float64Array(size)

  const uAt = layout.parameters
  const expected = plain.score
  return {
    plain,
    about,
    columns,
    slots,
    share,
    layout,
    d,
    size,
    matrices,
    variance,
    filled,
    logScales,
    factor,
    own,
    centre,
    off,
    mean,
    factored,
    uAt,
    expected,
  }
}
// the numbers of a slot: κ, n, m; of a matrix: ν, S
export function slotAt({ d }: DenseBelief, p: number): number {
  return p * (2 + d)
}

export function matrixAt({ slots, d, size }: DenseBelief, matrix: number): number {
  return slots * (2 + d) + matrix * (1 + size)
}

/** L of S, with a ridge if rounding leaves none; returns ln|S|. */
export function factorOf(belief: DenseBelief, q: Float64Array, matrix: number): number {
  const { factored, d } = belief
  const at = matrixAt(belief, matrix) + 1
  if (cholesky(set(belief, factored, q, at), 0, d) !== 0) {
    const diagonal = Float64Array.from({ length: d }, (_, j) => q[at + triangle(j) + j])
    addRidge(q, at, d, diagonal, factorWithRidge(q, at, d, diagonal, factored, 0))
  }
  return logDetFromCholesky(factored, 0, d)
}

function set(belief: DenseBelief, to: Float64Array, q: Float64Array, at: number): Float64Array {
  const { size } = belief
  for (let j = 0; j < size; j++) to[j] = q[at + j]
  return to
}

export function posterior(
  belief: DenseBelief,
  stats: Float64Array,
  strength: number,
  spread: Float64Array,
  q: Float64Array,
): void {
  const { factor, d, columns, variance, own, filled, matrices, layout, size, share, mean, centre, off } =
    belief
  const s = strength * factor
  let ratio = 0
  for (let j = 0; j < d; j++) if (!columns[j].empty) ratio += variance[j] / spread[triangle(j) + j]
  const kappa0 = s * (own?.kappa ?? (0.1 * Math.max(filled, 1)) / Math.max(ratio, 1))
  // the degrees beyond d − 1 are worth the strength: the prior is proper at any
  const nu0 = d - 1 + s * ((own?.degrees ?? 2 * filled + (d - filled)) - (d - 1))
  const wide = own?.scatter ?? spread
  const times = s * (own ? 1 : filled + 2)
  for (let matrix = 0; matrix < matrices; matrix++) {
    const at = matrixAt(belief, matrix)
    let nu = nu0
    const squares = layout.squaresAt(matrix)
    for (let j = 0; j < size; j++) q[at + 1 + j] = stats[squares + j]
    for (let p = matrix * share; p < (matrix + 1) * share; p++) {
      const sums = layout.sumsAt(p)
      const n = Math.max(stats[sums], 0)
      const kappa = kappa0 + n
      nu += n
      for (let j = 0; j < d; j++) {
        mean[j] = n > 0 ? stats[sums + 1 + j] / n : centre[j]
        off[j] = mean[j] - centre[j]
        q[slotAt(belief, p) + 2 + j] = centre[j] + (n / kappa) * off[j]
      }
      addOuter(d, q, at + 1, -n, mean, 0)
      addOuter(d, q, at + 1, (kappa0 * n) / kappa, off, 0)
      q[slotAt(belief, p)] = kappa
      q[slotAt(belief, p) + 1] = n
    }
    q[at] = nu
    for (let j = 0; j < size; j++) q[at + 1 + j] += times * wide[j]
  }
}

/** L⁻¹ and the log-density at the mean, from Σ in params. */
export function settle(belief: DenseBelief, params: Float64Array, matrix: number): void {
  const { layout, size, d, logScales } = belief
  const inverse = layout.inverseAt(matrix)
  const at = layout.covarianceAt(matrix)
  for (let j = 0; j < size; j++) params[inverse + j] = params[at + j]
  if (cholesky(params, inverse, d) !== 0) {
    const diagonal = Float64Array.from({ length: d }, (_, j) => params[at + triangle(j) + j])
    addRidge(params, at, d, diagonal, factorWithRidge(params, at, d, diagonal, params, inverse))
  }
  params[layout.topAt(matrix)] = -0.5 * (d * LN_2PI + logDetFromCholesky(params, inverse, d)) - logScales
  invertLower(params, inverse, d, params, inverse)
}

export function logNormaliser(belief: DenseBelief, q: Float64Array): number {
  const { matrices, d, slots, logScales } = belief
  let sum = 0
  for (let matrix = 0; matrix < matrices; matrix++) {
    const nu = q[matrixAt(belief, matrix)]
    sum += logMultivariateGamma(0.5 * nu, d) + 0.5 * nu * (d * Math.LN2 - factorOf(belief, q, matrix))
  }
  for (let p = 0; p < slots; p++) {
    sum -= 0.5 * d * log(q[slotAt(belief, p)]) + q[slotAt(belief, p) + 1] * (0.5 * d * LN_2PI + logScales)
  }
  return sum
}

export function draw(belief: DenseBelief, q: Float64Array, dice: Dice, params: Float64Array): void {
  const { size, d, slots, layout, share, factored } = belief
  // Σ = U Uᵀ, U = L A⁻ᵀ: A lower with χ on its diagonal, normals below (Bartlett 1933)
  const a = new Float64Array(size)
  const u = new Float64Array(d * d)
  const z = new Float64Array(d)
  for (let p = 0; p < slots; p++) {
    const matrix = layout.matrixOf(p)
    if (p % share === 0) {
      factorOf(belief, q, matrix)
      for (let i = 0; i < d; i++) {
        for (let j = 0; j < i; j++) a[triangle(i) + j] = dice.normal()
        a[triangle(i) + i] = Math.sqrt(2 * dice.gamma(0.5 * (q[matrixAt(belief, matrix)] - i)))
      }
      invertLower(a, 0, d, a, 0)
      for (let i = 0; i < d; i++)
        for (let k = 0; k < d; k++) {
          let sum = 0 // Σ_j L_ij (A⁻¹)_kj
          for (let j = 0; j <= Math.min(i, k); j++) sum += factored[triangle(i) + j] * a[triangle(k) + j]
          u[i * d + k] = sum
        }
      const at = layout.covarianceAt(matrix)
      for (let i = 0; i < d; i++)
        for (let j = 0; j <= i; j++) {
          let sum = 0
          for (let k = 0; k < d; k++) sum += u[i * d + k] * u[j * d + k]
          params[at + triangle(i) + j] = sum
        }
      settle(belief, params, matrix)
    }
    for (let k = 0; k < d; k++) z[k] = dice.normal() / Math.sqrt(q[slotAt(belief, p)])
    for (let i = 0; i < d; i++) {
      let sum = q[slotAt(belief, p) + 2 + i]
      for (let k = 0; k < d; k++) sum += u[i * d + k] * z[k]
      params[layout.meanAt(p) + i] = sum
    }
  }
}

export function interval(
  belief: DenseBelief,
  q: Float64Array,
  slot: number,
  probability: number,
): Description {
  const { layout, d, columns } = belief
  const nu = q[matrixAt(belief, layout.matrixOf(slot))] - d + 1
  const at = matrixAt(belief, layout.matrixOf(slot)) + 1
  const reach = studentQuantile(0.5 + 0.5 * probability, nu)
  const of = <T>(value: (j: number) => T) =>
    Object.fromEntries(columns.map(({ name }, j) => [name, value(j)] as const))
  return {
    mean: of(j => {
      const { shift, scale } = columns[j]
      const m = q[slotAt(belief, slot) + 2 + j]
      const wide = reach * Math.sqrt(q[at + triangle(j) + j] / nu / q[slotAt(belief, slot)])
      return held(shift + scale * m, shift + scale * (m - wide), shift + scale * (m + wide))
    }),
    // the marginal of one variance is inverse gamma, with d − 1 degrees less
    sd: of(j => heldSpread(columns[j].scale, q[at + triangle(j) + j], nu, probability)),
  }
}

/** κ₀, m₀, ν₀ and S₀ = ν₀·Σ₀, in encoded units. */
export function elicited(about: About, columns: readonly NumberColumn[], d: number) {
  const given = about.options.prior as { readonly [name: string]: never }
  const names = columns.map(({ name }) => name)
  knownNames(about, "mean", given.mean, names)
  const degrees = amount(about, given, "degrees", d - 1, DEGREES)
  const kappa = amount(about, given, "strength", 0, STRENGTH)
  let mean: Float64Array
  let scatter: Float64Array
  try {
    mean = Float64Array.from(encodedMeans(columns, given))
    scatter = encodedCovariance(columns, given).map(value => degrees * value)
  } catch (error) {
    throw refused(about, `the prior cannot be used. ${(error as Error).message}`)
  }
  checkReach(
    about,
    mean,
    columns.map((_, j) => scatter[triangle(j) + j]),
  )
  return { kappa, mean, degrees, scatter }
}
