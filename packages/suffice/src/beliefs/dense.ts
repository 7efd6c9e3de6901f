/**
 * Correlated normal columns, a matrix per slot ("full") or one for all ("tied"): normal–inverse-Wishart (Murphy 2007; Bishop 2006, 10.2).
 *
 *     κ = κ₀ + n      m = ( κ₀m₀ + Σwx ) / κ      ν = ν₀ + n      S = S₀ + M + κ₀n/κ·(x̄ − m₀)(x̄ − m₀)ᵀ      M: the scatter of the slot; tied: Σ over slots
 *     E[Σ⁻¹] = ν S⁻¹      E[ln p(x)] = ln N(x | m, S/ν) + u      u = ½( Σ_{j<d} ψ(½(ν − j)) − d ln(ν/2) ) − ½ d/κ
 *     B = ln Γ_d(ν/2) + ½νd ln 2 − ½ν ln|S| − ½d ln κ − ½nd ln 2π
 *     p(x | rows) = Student's t, ν − d + 1 degrees, centre m, scale S(κ + 1)/(κ(ν − d + 1))      (beliefs/dense-student.ts)
 *
 * By default S₀ = (d + 2)V, ν₀ = 2d, κ₀ = 0.1·d/Σ(T_j/v_j); V: the variation within slots, v its diagonal, T in total.
 * Missing cells are hidden values: given E[Σ⁻¹] and m they are normal, and the constant u stays. A row without any of the cells says nothing.
 */
import type { About, Belief } from "../contract/belief.ts"
import type { Block, SummedWeights } from "../contract/block.ts"
import type { Leaf } from "../contract/leaf.ts"
import { encodedCovariance, encodedMeans, type NumberColumn } from "../families/normal/columns.ts"
import { layout as layOut } from "../families/normal/layout.ts"
import { drawLines } from "../families/normal/lines.ts"
import { addRidge, factorWithRidge } from "../families/normal/ridge.ts"
import { log } from "../kernels/log.ts"
import { digamma } from "../kernels/log-gamma.ts"
import { logMultivariateGamma, studentQuantile } from "../kernels/student.ts"
import { addOuter, cholesky, invertLower, logDetFromCholesky, triangle } from "../kernels/triangle.ts"
import { denseStudent } from "./dense-student.ts"
import { amount, checkReach, DEGREES, knownNames, priorOf, refused, STRENGTH } from "./elicited.ts"
import { heldSpread, LN_2PI } from "./spreads.ts"
import { beliefOf, held } from "./stand-in.ts"

export function denseBelief(plain: Leaf, about: About): Belief {
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
  // the numbers of a slot: κ, n, m; of a matrix: ν, S
  const slotAt = (p: number): number => p * (2 + d)
  const matrixAt = (matrix: number): number => slots * (2 + d) + matrix * (1 + size)
  const off = new Float64Array(d)
  const mean = new Float64Array(d)
  const factored = new Float64Array(size)

  /** L of S, with a ridge if rounding leaves none; returns ln|S|. */
  function factor_(q: Float64Array, matrix: number): number {
    const at = matrixAt(matrix) + 1
    if (cholesky(set(factored, q, at), 0, d) !== 0) {
      const diagonal = Float64Array.from({ length: d }, (_, j) => q[at + triangle(j) + j])
      addRidge(q, at, d, diagonal, factorWithRidge(q, at, d, diagonal, factored, 0))
    }
    return logDetFromCholesky(factored, 0, d)
  }

  function set(to: Float64Array, q: Float64Array, at: number): Float64Array {
    for (let j = 0; j < size; j++) to[j] = q[at + j]
    return to
  }

  function posterior(stats: Float64Array, strength: number, spread: Float64Array, q: Float64Array): void {
    const s = strength * factor
    let ratio = 0
    for (let j = 0; j < d; j++) if (!columns[j].empty) ratio += variance[j] / spread[triangle(j) + j]
    const kappa0 = s * (own?.kappa ?? (0.1 * Math.max(filled, 1)) / Math.max(ratio, 1))
    // the degrees beyond d − 1 are worth the strength: the prior is proper at any
    const nu0 = d - 1 + s * ((own?.degrees ?? 2 * filled + (d - filled)) - (d - 1))
    const wide = own?.scatter ?? spread
    const times = s * (own ? 1 : filled + 2)
    for (let matrix = 0; matrix < matrices; matrix++) {
      const at = matrixAt(matrix)
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
          q[slotAt(p) + 2 + j] = centre[j] + (n / kappa) * off[j]
        }
        addOuter(d, q, at + 1, -n, mean, 0)
        addOuter(d, q, at + 1, (kappa0 * n) / kappa, off, 0)
        q[slotAt(p)] = kappa
        q[slotAt(p) + 1] = n
      }
      q[at] = nu
      for (let j = 0; j < size; j++) q[at + 1 + j] += times * wide[j]
    }
  }

  const uAt = layout.parameters
  const expected = plain.score

  return beliefOf(
    plain,
    {
      numbers: matrixAt(matrices),
      posterior,

      logNormaliser(q) {
        let sum = 0
        for (let matrix = 0; matrix < matrices; matrix++) {
          const nu = q[matrixAt(matrix)]
          sum += logMultivariateGamma(0.5 * nu, d) + 0.5 * nu * (d * Math.LN2 - factor_(q, matrix))
        }
        for (let p = 0; p < slots; p++) {
          sum -= 0.5 * d * log(q[slotAt(p)]) + q[slotAt(p) + 1] * (0.5 * d * LN_2PI + logScales)
        }
        return sum
      },

      draw(q, dice, params) {
        // Σ = U Uᵀ, U = L A⁻ᵀ: A lower with χ on its diagonal, normals below (Bartlett 1933)
        const a = new Float64Array(size)
        const u = new Float64Array(d * d)
        const z = new Float64Array(d)
        for (let p = 0; p < slots; p++) {
          const matrix = layout.matrixOf(p)
          if (p % share === 0) {
            factor_(q, matrix)
            for (let i = 0; i < d; i++) {
              for (let j = 0; j < i; j++) a[triangle(i) + j] = dice.normal()
              a[triangle(i) + i] = Math.sqrt(2 * dice.gamma(0.5 * (q[matrixAt(matrix)] - i)))
            }
            invertLower(a, 0, d, a, 0)
            for (let i = 0; i < d; i++)
              for (let k = 0; k < d; k++) {
                let sum = 0 // Σ_j L_ij (A⁻¹)_kj
                for (let j = 0; j <= Math.min(i, k); j++)
                  sum += factored[triangle(i) + j] * a[triangle(k) + j]
                u[i * d + k] = sum
              }
            const at = layout.covarianceAt(matrix)
            for (let i = 0; i < d; i++)
              for (let j = 0; j <= i; j++) {
                let sum = 0
                for (let k = 0; k < d; k++) sum += u[i * d + k] * u[j * d + k]
                params[at + triangle(i) + j] = sum
              }
            settle(params, matrix)
          }
          for (let k = 0; k < d; k++) z[k] = dice.normal() / Math.sqrt(q[slotAt(p)])
          for (let i = 0; i < d; i++) {
            let sum = q[slotAt(p) + 2 + i]
            for (let k = 0; k < d; k++) sum += u[i * d + k] * z[k]
            params[layout.meanAt(p) + i] = sum
          }
        }
      },

      interval(q, slot, probability) {
        const nu = q[matrixAt(layout.matrixOf(slot))] - d + 1
        const at = matrixAt(layout.matrixOf(slot)) + 1
        const reach = studentQuantile(0.5 + 0.5 * probability, nu)
        const of = <T>(value: (j: number) => T) =>
          Object.fromEntries(columns.map(({ name }, j) => [name, value(j)] as const))
        return {
          mean: of(j => {
            const { shift, scale } = columns[j]
            const m = q[slotAt(slot) + 2 + j]
            const wide = reach * Math.sqrt(q[at + triangle(j) + j] / nu / q[slotAt(slot)])
            return held(shift + scale * m, shift + scale * (m - wide), shift + scale * (m + wide))
          }),
          // the marginal of one variance is inverse gamma, with d − 1 degrees less
          sd: of(j => heldSpread(columns[j].scale, q[at + triangle(j) + j], nu, probability)),
        }
      },
    },
    {
      // the plain parameters of N(m, S/ν), then u slot by slot
      expected: {
        shape: { parameters: layout.parameters + slots },
        fill(q, params) {
          putPoint(q, params)
          for (let p = 0; p < slots; p++) {
            const nu = q[matrixAt(layout.matrixOf(p))]
            let sum = 0
            for (let j = 0; j < d; j++) sum += digamma(0.5 * (nu - j))
            params[uAt + p] = 0.5 * (sum - d * log(0.5 * nu)) - (0.5 * d) / q[slotAt(p)]
          }
        },
        score(block, params, out, upToConstant, reuse) {
          const work = expected(block, params, out, upToConstant, reuse)
          const { rows } = block
          const empty = emptyRows(block)
          for (let p = 0; p < slots; p++) {
            const u = params[uAt + p]
            for (let i = 0; i < rows; i++) if (!empty?.[i]) out[p * rows + i] += u
          }
          return work
        },
        absorb(block, params, weights, stats, work) {
          const empty = emptyRows(block)
          return plain.absorb(
            block,
            params,
            empty ? without(weights, empty, block.rows) : weights,
            stats,
            work,
          )
        },
        value(stats, params) {
          let sum = plain.value(stats, params)
          for (let p = 0; p < slots; p++) sum += stats[layout.sumsAt(p)] * params[uAt + p]
          return sum
        },
      },
      predictive: denseStudent(layout, {
        fill: putPoint,
        of(q, p) {
          const matrix = layout.matrixOf(p)
          return {
            kappa: q[slotAt(p)],
            mean: slotAt(p) + 2,
            nu: q[matrixAt(matrix)],
            scatter: matrixAt(matrix) + 1,
          }
        },
      }),
    },
  )

  /** The plain parameters of N(m, S/ν). */
  function putPoint(q: Float64Array, params: Float64Array): void {
    for (let p = 0; p < slots; p++)
      for (let j = 0; j < d; j++) params[layout.meanAt(p) + j] = q[slotAt(p) + 2 + j]
    for (let matrix = 0; matrix < matrices; matrix++) {
      const nu = q[matrixAt(matrix)]
      factor_(q, matrix)
      for (let j = 0; j < size; j++)
        params[layout.covarianceAt(matrix) + j] = q[matrixAt(matrix) + 1 + j] / nu
      settle(params, matrix)
    }
    if (share > 1) drawLines(layout, params)
  }

  /** L⁻¹ and the log-density at the mean, from Σ in params. */
  function settle(params: Float64Array, matrix: number): void {
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

  /** Which rows have none of the cells; undefined if none is so. */
  function emptyRows({ rows, cells }: Block): Uint8Array | undefined {
    let found: Uint8Array | undefined
    const x = about.places.map(place => cells[place] as Float64Array)
    for (let i = 0; i < rows; i++) {
      if (x[0][i] === x[0][i] || x.some(column => column[i] === column[i])) continue
      found ??= new Uint8Array(rows)
      found[i] = 1
    }
    return found
  }
}

/** These weights, with 0 for the rows marked. */
function without(weights: SummedWeights, empty: Uint8Array, rows: number): SummedWeights {
  if (weights.form === "one") return { ...weights, weight: weights.weight.map((w, i) => (empty[i] ? 0 : w)) }
  return { ...weights, values: weights.values.map((w, j) => (empty[j % rows] ? 0 : w)) }
}

/** κ₀, m₀, ν₀ and S₀ = ν₀·Σ₀, in encoded units. */
function elicited(about: About, columns: readonly NumberColumn[], d: number) {
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
