/**
 * Uncorrelated normal columns: a variance for each ("diag"), one for all ("spherical"), or 1 ("identity").
 *
 *     κ_j = κ₀ + n_j      m_j = ( κ₀m₀ + Σwx_j ) / κ_j      ν = ν₀ + Σn_j      S = S₀ + Σ_j( Σw(x_j − x̄_j)² + κ₀n_j/κ_j·(x̄_j − m₀)² )      over the columns of a variance
 *     p(x | rows) = a t for each column (diag), one t for all of them (spherical), or normal with variance 1 + 1/κ (identity)
 *
 * By default as in beliefs/gaussian.ts; for identity κ₀ = 0.1.
 *
 * Long because the leaf to learn with and the one that answers share what the posterior computes.
 */
import type { About, Belief } from "../contract/belief.ts"
import type { Leaf } from "../contract/leaf.ts"
import { type NumberColumn, pooledVariances } from "../families/normal/columns.ts"
import { diagonalLeaf } from "../families/normal/diagonal.ts"
import { log } from "../kernels/log.ts"
import { normalBelow } from "../kernels/normal-cdf.ts"
import { logOnePlusSquare, studentQuantile, studentTop } from "../kernels/student.ts"
import { elicitedColumns } from "./diagonal-prior.ts"
import { priorOf } from "./elicited.ts"
import { expectedTop, heldSpread, LN_2PI, logSpread } from "./spreads.ts"
import { beliefOf, held } from "./stand-in.ts"
import { shareOf, studentCdf, studentVariance } from "./student.ts"

export function diagonalBelief(plain: Leaf, about: About): Belief {
  const columns = about.columns as readonly NumberColumn[]
  const { slots } = plain.shape
  const { places } = about
  const shape = about.options.covariance as "diag" | "spherical" | "identity"
  const d = columns.length
  const variances = shape === "diag" ? d : 1
  const step = shape === "diag" ? 1 : 0
  const covers = d / variances
  const isFixed = shape === "identity"
  const width = 2 * d + variances
  const unit = 1 / Math.min(Math.max(columns[0].scale * columns[0].scale, 1e-300), 1e300)
  const logScale = columns.map(({ scale }) => log(scale))
  const total = new Float64Array(variances)
  pooledVariances(columns).forEach((value, j) => {
    total[j * step] += value / covers
  })
  const { factor, given } = priorOf(
    about,
    isFixed ? ["mean", "strength"] : ["mean", "strength", "sd", "degrees"],
  )
  const own = given && elicitedColumns(about, columns, shape)
  // the numbers of a slot: κ, m, n (d each), then ν, S (one per variance)
  const numbers = 3 * d + 2 * variances
  /** Scored by the leaf of a variance per column: κ differs by column where cells are missing. */
  const each = diagonalLeaf(columns, places, slots, "each", 1)

  function posterior(stats: Float64Array, strength: number, spread: Float64Array, q: Float64Array): void {
    const s = strength * factor
    for (let p = 0; p < slots; p++) {
      const to = p * numbers
      const from = p * width
      for (let v = 0; v < variances; v++) {
        const within = isFixed ? unit : spread[v]
        const kappa0 = s * (own?.kappa ?? (isFixed ? 0.1 : (0.1 * within) / total[v]))
        let nu = s * (own?.degrees ?? 2)
        let scatter = Math.max(stats[from + 2 * d + v], 0)
        const s0 = s * (own ? own.scatter[v] : 3 * within)
        for (let j = v * covers; j < (v + 1) * covers; j++) {
          const n = Math.max(stats[from + j], 0)
          const centre = own?.mean[j] ?? 0
          const mean = n > 0 ? stats[from + d + j] / n : centre
          const off = mean - centre
          const kappa = kappa0 + n
          q[to + j] = kappa
          q[to + d + j] = centre + (n / kappa) * off
          q[to + 2 * d + j] = n
          nu += n
          scatter += ((kappa0 * n) / kappa) * off * off - n * mean * mean
        }
        q[to + 3 * d + v] = nu
        q[to + 3 * d + variances + v] = isFixed ? nu * unit : Math.max(scatter, 0) + s0
        // Σ is known: what is left of the squares enters the evidence
        if (isFixed) q[to + 3 * d] = scatter / unit
      }
    }
  }

  const nuOf = (q: Float64Array, p: number, v: number): number => q[p * numbers + 3 * d + v]
  const scatterOf = (q: Float64Array, p: number, v: number): number => q[p * numbers + 3 * d + variances + v]
  /** E[1/σ²] */
  const precisionOf = (q: Float64Array, p: number, v: number): number =>
    isFixed ? 1 / unit : nuOf(q, p, v) / scatterOf(q, p, v)

  const putPoint = (q: Float64Array, params: Float64Array): void => {
    const reach = d + 2 * variances
    for (let p = 0; p < slots; p++) {
      for (let j = 0; j < d; j++) params[p * reach + j] = q[p * numbers + d + j]
      for (let v = 0; v < variances; v++) {
        const precision = precisionOf(q, p, v)
        params[p * reach + d + v] = precision
        params[p * reach + d + variances + v] = isFixed
          ? -0.5 * LN_2PI
          : 0.5 * (log(precision) - LN_2PI) - logScale[v]
      }
    }
  }

  // predictive: after the plain parameters, slot by slot m (d), scale² (d), f (per variance; identity: Infinity)
  const reach = slots * (d + 2 * variances)
  const more = 2 * d + variances

  return beliefOf(
    plain,
    {
      numbers: slots * numbers,
      posterior,

      logNormaliser(q) {
        let sum = 0
        for (let p = 0; p < slots; p++) {
          for (let v = 0; v < variances; v++)
            sum += isFixed ? -0.5 * nuOf(q, p, v) : logSpread(nuOf(q, p, v), scatterOf(q, p, v))
          for (let j = 0; j < d; j++) {
            const n = q[p * numbers + 2 * d + j]
            sum -= 0.5 * log(q[p * numbers + j]) + n * (0.5 * LN_2PI + (isFixed ? 0 : logScale[j]))
          }
        }
        return sum
      },

      draw(q, dice, params) {
        const to = d + 2 * variances
        for (let p = 0; p < slots; p++) {
          for (let v = 0; v < variances; v++) {
            const variance = isFixed ? unit : scatterOf(q, p, v) / (2 * dice.gamma(0.5 * nuOf(q, p, v)))
            params[p * to + d + v] = 1 / variance
            for (let j = v * covers; j < (v + 1) * covers; j++) {
              params[p * to + j] =
                q[p * numbers + d + j] + dice.normal() * Math.sqrt(variance / q[p * numbers + j])
            }
          }
        }
      },

      interval(q, slot, probability) {
        const of = <T>(value: (j: number) => T) =>
          Object.fromEntries(columns.map(({ name }, j) => [name, value(j)] as const))
        const at = slot * numbers
        return {
          mean: of(j => {
            const { shift, scale } = columns[j]
            const freedom = isFixed ? 1e9 : nuOf(q, slot, j * step)
            const wide =
              studentQuantile(0.5 + 0.5 * probability, freedom) /
              Math.sqrt(precisionOf(q, slot, j * step) * q[at + j])
            const m = q[at + d + j]
            return held(shift + scale * m, shift + scale * (m - wide), shift + scale * (m + wide))
          }),
          ...(!isFixed && {
            sd: of(j =>
              heldSpread(
                columns[j].scale,
                scatterOf(q, slot, j * step),
                nuOf(q, slot, j * step),
                probability,
              ),
            ),
          }),
        }
      },
    },
    {
      expected: {
        shape: { parameters: each.shape.parameters },
        fill(q, params) {
          for (let p = 0; p < slots; p++) {
            for (let j = 0; j < d; j++) {
              const v = j * step
              const kappa = q[p * numbers + j]
              params[p * 3 * d + j] = q[p * numbers + d + j]
              params[p * 3 * d + d + j] = precisionOf(q, p, v)
              params[p * 3 * d + 2 * d + j] = isFixed
                ? -0.5 * LN_2PI - 0.5 / kappa
                : expectedTop(nuOf(q, p, v), scatterOf(q, p, v), kappa) - logScale[j]
            }
          }
        },
        score: each.score,
        value(stats, params) {
          let sum = 0
          for (let p = 0; p < slots; p++) {
            const from = p * width
            const at = p * 3 * d
            for (let v = 0; v < variances; v++) sum -= 0.5 * params[at + d + v] * stats[from + 2 * d + v]
            for (let j = 0; j < d; j++) {
              const [n, s, m] = [stats[from + j], stats[from + d + j], params[at + j]]
              sum += n * params[at + 2 * d + j] - 0.5 * params[at + d + j] * m * (n * m - 2 * s)
            }
          }
          return sum
        },
      },
      predictive: {
        shape: { parameters: reach + slots * more },
        fill(q, params) {
          putPoint(q, params)
          for (let p = 0; p < slots; p++) {
            const at = reach + p * more
            for (let j = 0; j < d; j++) {
              const kappa = q[p * numbers + j]
              params[at + j] = q[p * numbers + d + j]
              params[at + d + j] = (kappa + 1) / kappa / precisionOf(q, p, j * step)
            }
            for (let v = 0; v < variances; v++) params[at + 2 * d + v] = isFixed ? Infinity : nuOf(q, p, v)
          }
        },

        score(block, params, out) {
          const { rows } = block
          for (let p = 0; p < slots; p++) {
            for (let i = 0; i < rows; i++)
              out[p * rows + i] += scoreRow(block.cells as Float64Array[], i, params, p)
          }
          return undefined
        },

        sample(params, slot, block, dice) {
          const at = reach + slot * more
          for (let v = 0; v < variances; v++) {
            const [square, seen] = isFixed
              ? [0, 0]
              : distance(block.cells as Float64Array[], 0, params, slot, v)
            const f = params[at + 2 * d + v]
            const times = isFixed ? 1 : Math.sqrt((f + square) / (2 * dice.gamma(0.5 * (f + seen))))
            for (let j = v * covers; j < (v + 1) * covers; j++) {
              const x = block.cells[places[j]] as Float64Array
              if (Number.isNaN(x[0]))
                x[0] = params[at + j] + times * Math.sqrt(params[at + d + j]) * dice.normal()
            }
          }
        },
        numbers: {
          expect(block, params, slot, place, mean, variance, freedom) {
            const j = places.indexOf(place)
            const at = reach + slot * more
            for (let i = 0; i < block.rows; i++) {
              mean[i] = params[at + j]
              variance[i] = params[at + d + j]
              if (isFixed) continue
              const [square, seen] = distance(block.cells as Float64Array[], i, params, slot, j * step, j)
              const f = params[at + 2 * d + j * step]
              variance[i] *= ((f + square) / (f + seen)) * studentVariance(f + seen)
              if (freedom) freedom[i] = f + seen
            }
          },
          cdf: isFixed ? normalBelow : studentCdf,
        },
        terms: {
          contributions(block, params, slot, out) {
            const cells = block.cells as Float64Array[]
            const at = reach + slot * more
            for (let v = 0; v < variances; v++) {
              const [square, seen] = distance(cells, 0, params, slot, v)
              const f = params[at + 2 * d + v]
              const shared = isFixed || seen === 0 ? -0.5 * LN_2PI : studentTop(f, seen) / seen
              const tail = isFixed ? 0.5 * square : 0.5 * (f + seen) * logOnePlusSquare(Math.sqrt(square / f))
              for (let j = v * covers; j < (v + 1) * covers; j++) {
                const gap = cells[places[j]][0] - params[at + j]
                const variance = params[at + d + j]
                if (gap !== gap) continue
                out[j] += shared - logScale[j] - 0.5 * log(variance)
                out[j] -= tail * shareOf((gap / variance) * gap, square, seen)
              }
            }
          },
        },
      },
    },
  )

  /** Σ (x_j − m_j)²/scale_j² over the seen columns of a variance but one, and how many they are. */
  function distance(
    cells: readonly Float64Array[],
    row: number,
    params: Float64Array,
    slot: number,
    v: number,
    but = -1,
  ): readonly [square: number, seen: number] {
    const at = reach + slot * more
    let square = 0
    let seen = 0
    for (let j = v * covers; j < (v + 1) * covers; j++) {
      const gap = cells[places[j]][row] - params[at + j]
      if (j === but || gap !== gap) continue
      square += (gap / params[at + d + j]) * gap
      seen++
    }
    return [square, seen]
  }

  /** The log-density of the seen columns of a variance. */
  function scoreOf(
    cells: readonly Float64Array[],
    row: number,
    params: Float64Array,
    slot: number,
    v: number,
  ): number {
    const at = reach + slot * more
    const [square, seen] = distance(cells, row, params, slot, v)
    if (seen === 0) return 0
    let units = 0
    for (let j = v * covers; j < (v + 1) * covers; j++) {
      if (cells[places[j]][row] === cells[places[j]][row])
        units += logScale[j] + 0.5 * log(params[at + d + j])
    }
    if (isFixed) return -0.5 * (seen * LN_2PI + square) - units
    const f = params[at + 2 * d + v]
    return studentTop(f, seen) - units - 0.5 * (f + seen) * logOnePlusSquare(Math.sqrt(square / f))
  }

  function scoreRow(cells: readonly Float64Array[], row: number, params: Float64Array, slot: number): number {
    let sum = 0
    for (let v = 0; v < variances; v++) sum += scoreOf(cells, row, params, slot, v)
    return sum
  }
}
