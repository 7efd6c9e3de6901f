/**
 * A regression line: coefficients w and the variance around it unknown (normal–inverse-gamma; Bishop 2006, 3.3). z = (1, x).
 *
 *     Λ = Λ₀ + Σw zzᵀ      m = Λ⁻¹( Λ₀m₀ + Σw zy )      ν = ν₀ + n      S = S₀ + m₀ᵀΛ₀m₀ + Σwy² − mᵀΛm
 *     E[ln p(y | x)] = ½( ψ(ν/2) + ln 2 − ln S ) − ½ ln 2π − ½ (ν/S)(y − m·z)² − ½ zᵀΛ⁻¹z
 *     B = ln Γ(ν/2) + ½ν ln 2 − ½ν ln S − ½ ln|Λ| − ½n ln 2π
 *     p(y | x, rows) = Student's t, ν degrees, centre m·z, scale² (S/ν)(1 + zᵀΛ⁻¹z)
 *
 * By default m₀ = the pooled mean of y and no slope, S₀ = (d + 3)v, ν₀ = 2, Λ₀ = 0.1·t·diag(1, u): v the variance of the residuals within slots, u those of x, t = v / (that of y).
 * The Cholesky factor of Λ with a row for y has √S as its last pivot: nothing is subtracted.
 *
 * Long because the leaf to learn with and the one that answers share what the posterior computes.
 */

import { placeIn } from "../blocks/encoded.ts"
import type { BeliefKind } from "../contract/belief.ts"
import type { Block } from "../contract/block.ts"
import { unreadable } from "../errors.ts"
import { linearSlots } from "../families/linear/slots.ts"
import { GIVEN, RESIDUAL, TIGHTNESS } from "../families/linear/spread.ts"
import type { NumberColumn } from "../families/normal/columns.ts"
import { log } from "../kernels/log.ts"
import { logOnePlusSquare, studentQuantile, studentTop } from "../kernels/student.ts"
import { cholesky, logDetFromCholesky, solveLower, triangle } from "../kernels/triangle.ts"
import { priorOf } from "./elicited.ts"
import { elicitedLine } from "./linear-prior.ts"
import { expectedTop, heldSpread, LN_2PI, logSpread } from "./spreads.ts"
import { beliefOf, held } from "./stand-in.ts"
import { studentCdf, studentVariance } from "./student.ts"

export const linearBelief: BeliefKind = {
  family: "linear",
  of(plain, about) {
    const { slots } = plain.shape
    const columns = [...about.columns, ...about.given] as readonly NumberColumn[]
    const [y, ...given] = columns
    const { places } = about
    const laid = linearSlots(columns)
    const { d, size, width: plainWidth, precision: PRECISION, top: TOP, mean: MEAN, spread: SPREAD } = laid
    const last = d + 1
    const logScale = log(y.scale)
    const { factor, given: prior } = priorOf(about, [
      "intercept",
      "coefficients",
      "strength",
      "sd",
      "degrees",
      "on",
    ])
    const own = prior && elicitedLine(about, columns)
    // the numbers of a slot: L of (Λ, its row for y), m, ν, S, n
    const width = size + d + 1 + 3
    const [NU, S, N] = [size + d + 1, size + d + 2, size + d + 3]
    const z = new Float64Array(d + 1)

    function posterior(stats: Float64Array, strength: number, spread: Float64Array, q: Float64Array): void {
      const s = strength * factor
      for (let p = 0; p < slots; p++) {
        const at = p * width
        for (let j = 0; j < size; j++) q[at + j] = stats[p * size + j]
        const n = Math.max(stats[p * size], 0)
        if (own) for (let j = 0; j < size; j++) q[at + j] += s * own.pseudo[j]
        else {
          const rows = s * PSEUDO * spread[TIGHTNESS]
          q[at] += rows
          for (let j = 0; j < d; j++) q[at + triangle(j + 1) + j + 1] += rows * spread[GIVEN + j]
        }
        const nu0 = s * (own?.degrees ?? 2)
        // as for a normal column, which has no slope: 3v; each coefficient takes a degree of freedom
        const s0 = s * (own ? own.scatter : (d + 3) * spread[RESIDUAL])
        q[at + triangle(last) + last] += s0
        factored(q, at)
        // m solves Lᵀm = (the row of y)
        const row = at + triangle(last)
        for (let j = d; j >= 0; j--) {
          let sum = q[row + j]
          for (let k = j + 1; k <= d; k++) sum -= q[at + triangle(k) + j] * q[at + size + k]
          q[at + size + j] = sum / q[at + triangle(j) + j]
        }
        const pivot = q[row + last]
        q[at + NU] = nu0 + n
        q[at + S] = pivot * pivot
        q[at + N] = n
      }
    }

    /** A = LLᵀ in place; columns that repeat each other get a little more on the diagonal. */
    function factored(q: Float64Array, at: number): void {
      const kept = q.slice(at, at + size)
      for (let ridge = 1e-12; cholesky(q, at, last + 1) !== 0 && ridge < 1e6; ridge *= 10) {
        for (let j = 0; j < size; j++) q[at + j] = kept[j]
        for (let j = 0; j <= last; j++) q[at + triangle(j) + j] *= 1 + ridge
      }
    }

    /** zᵀΛ⁻¹z of row i, with L at `at`; NaN if a column it reads is missing. */
    function leverage(block: Block, i: number, q: Float64Array, at: number): number {
      z[0] = 1
      for (let j = 0; j < d; j++) z[1 + j] = (block.cells[places[1 + j]] as Float64Array)[i]
      solveLower(q, at, d + 1, z, 0)
      let sum = 0
      for (let j = 0; j <= d; j++) sum += z[j] * z[j]
      return sum
    }

    function centreOf(block: Block, i: number, params: Float64Array, at: number): number {
      let sum = params[at]
      for (let j = 0; j < d; j++) sum += params[at + 1 + j] * (block.cells[places[1 + j]] as Float64Array)[i]
      return sum
    }

    function refusal(block: Block, i: number): Error {
      const missing = given.find((_, j) => Number.isNaN((block.cells[places[1 + j]] as Float64Array)[i]))!
      return unreadable(
        placeIn(block, i),
        y.name,
        missing.name,
        given.map(({ name }) => name),
      )
    }

    /** The plain parameters of slot p, at the posterior mean, with this log-density at the line. */
    function put(q: Float64Array, p: number, params: Float64Array, top: number): void {
      const from = p * width
      const to = p * plainWidth
      for (let j = 0; j <= d; j++) params[to + j] = q[from + size + j]
      params[to + PRECISION] = q[from + NU] / q[from + S]
      params[to + TOP] = top
      // x̄ and C, from Λ = LLᵀ
      const entry = (j: number, k: number): number => {
        let sum = 0
        for (let i = 0; i <= k; i++) sum += q[from + triangle(j) + i] * q[from + triangle(k) + i]
        return sum
      }
      const n = entry(0, 0)
      for (let j = 0; j < d; j++) {
        params[to + MEAN + j] = entry(j + 1, 0) / n
        for (let k = 0; k <= j; k++)
          params[to + SPREAD + triangle(j) + k] =
            entry(j + 1, k + 1) / n - params[to + MEAN + j] * params[to + MEAN + k]
      }
    }

    // after the plain parameters, slot by slot: L of Λ, then ν, S/ν, ln of the density of a t at its centre
    const own_ = triangle(d + 1)
    const more = own_ + 3
    const moreAt = (p: number): number => slots * plainWidth + p * more
    const putMore = (q: Float64Array, p: number, params: Float64Array): void => {
      const [nu, s] = [q[p * width + NU], q[p * width + S]]
      for (let j = 0; j < own_; j++) params[moreAt(p) + j] = q[p * width + j]
      params[moreAt(p) + own_] = nu
      params[moreAt(p) + own_ + 1] = s / nu
      params[moreAt(p) + own_ + 2] = studentTop(nu, 1) - logScale
    }

    return beliefOf(
      plain,
      {
        numbers: slots * width,
        posterior,

        logNormaliser(q) {
          let sum = 0
          for (let p = 0; p < slots; p++) {
            const at = p * width
            sum += logSpread(q[at + NU], q[at + S]) - 0.5 * logDetFromCholesky(q, at, d + 1)
            sum -= q[at + N] * (0.5 * LN_2PI + logScale)
          }
          return sum
        },

        draw(q, dice, params) {
          for (let p = 0; p < slots; p++) {
            const at = p * width
            const variance = q[at + S] / (2 * dice.gamma(0.5 * q[at + NU]))
            put(q, p, params, -0.5 * (LN_2PI + log(variance)) - logScale)
            params[p * plainWidth + PRECISION] = 1 / variance
            // w = m + σ L⁻ᵀ ε
            for (let j = 0; j <= d; j++) z[j] = dice.normal()
            for (let j = d; j >= 0; j--) {
              for (let k = j + 1; k <= d; k++) z[j] -= q[at + triangle(k) + j] * z[k]
              z[j] /= q[at + triangle(j) + j]
              params[p * plainWidth + j] += Math.sqrt(variance) * z[j]
            }
          }
        },

        interval(q, slot, probability) {
          const at = slot * width
          const nu = q[at + NU]
          const reach = studentQuantile(0.5 + 0.5 * probability, nu) * Math.sqrt(q[at + S] / nu)
          // a linear function of w, a·w: centre a·m, spread √(aᵀΛ⁻¹a); of a/max|a|, as squares of 1e300 are no numbers
          const wide = (a: Float64Array): number => {
            const most = a.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
            if (most === 0) return 0
            const unit = a.map(v => v / most)
            solveLower(q, at, d + 1, unit, 0)
            return most * (reach * Math.sqrt(unit.reduce((sum, v) => sum + v * v, 0)))
          }
          const slope = (j: number): Float64Array =>
            Float64Array.from({ length: d + 1 }, (_, k) => (k === j + 1 ? y.scale / given[j].scale : 0))
          const coefficient = (j: number): number => (q[at + size + 1 + j] * y.scale) / given[j].scale
          const intercept = given.reduce(
            (sum, { shift }, j) => sum - coefficient(j) * shift,
            y.shift + y.scale * q[at + size],
          )
          const a = Float64Array.from({ length: d + 1 }, (_, k) =>
            k === 0 ? y.scale : (-y.scale / given[k - 1].scale) * given[k - 1].shift,
          )
          const around = (value: number, off: number) => held(value, value - off, value + off)
          return {
            intercept: around(intercept, wide(a)),
            coefficients: Object.fromEntries(
              given.map(({ name }, j) => [name, around(coefficient(j), wide(slope(j)))]),
            ),
            sd: heldSpread(y.scale, q[at + S], nu, probability),
          }
        },
      },
      {
        expected: {
          shape: { parameters: slots * (plainWidth + more) },
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              // without −½/κ: that is zᵀΛ⁻¹z here
              put(q, p, params, expectedTop(q[p * width + NU], q[p * width + S], Infinity) - logScale)
              putMore(q, p, params)
            }
          },
          score(block, params, out, upToConstant, reuse) {
            const work = plain.score(block, params, out, upToConstant, reuse)
            const cells = block.cells[places[0]] as Float64Array
            for (let p = 0; p < slots; p++) {
              for (let i = 0; i < block.rows; i++)
                if (cells[i] === cells[i])
                  out[p * block.rows + i] -= 0.5 * leverage(block, i, params, moreAt(p))
            }
            return work
          },
          value(stats, params) {
            let sum = plain.value(stats, params)
            // −½ tr Λ⁻¹ Σzzᵀ = −½ Σ_k (row k of L⁻¹) Σzzᵀ (row k of L⁻¹)ᵀ
            const v = new Float64Array(d + 1)
            for (let p = 0; p < slots; p++) {
              for (let k = 0; k <= d; k++) {
                // column k of Σzzᵀ, then Λ⁻¹ of it at k
                for (let j = 0; j <= d; j++)
                  v[j] = stats[p * size + (j >= k ? triangle(j) + k : triangle(k) + j)]
                solveLower(params, moreAt(p), d + 1, v, 0)
                for (let j = d; j >= k; j--) {
                  v[j] /= params[moreAt(p) + triangle(j) + j]
                  for (let i = k; i < j; i++) v[i] -= params[moreAt(p) + triangle(j) + i] * v[j]
                }
                sum -= 0.5 * v[k]
              }
            }
            return sum
          },
        },
        predictive: {
          shape: { parameters: slots * (plainWidth + more) },
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              put(q, p, params, -0.5 * (LN_2PI + log(q[p * width + S] / q[p * width + NU])) - logScale)
              putMore(q, p, params)
            }
          },
          score(block, params, out) {
            const cells = block.cells[places[0]] as Float64Array
            for (let p = 0; p < slots; p++) {
              const [nu, variance, top] = params.subarray(moreAt(p) + own_, moreAt(p) + own_ + 3)
              for (let i = 0; i < block.rows; i++) {
                if (cells[i] !== cells[i]) continue
                const square = variance * (1 + leverage(block, i, params, moreAt(p)))
                const gap = cells[i] - centreOf(block, i, params, p * plainWidth)
                if (gap !== gap) throw refusal(block, i)
                out[p * block.rows + i] +=
                  top - 0.5 * log(square) - 0.5 * (nu + 1) * logOnePlusSquare(gap / Math.sqrt(square * nu))
              }
            }
            return undefined
          },
          sample(params, slot, block, dice) {
            const cells = block.cells[places[0]] as Float64Array
            if (!Number.isNaN(cells[0])) return
            if (Number.isNaN(centreOf(block, 0, params, slot * plainWidth))) {
              plain.sample(params, slot, block, dice) // it says what is missing
              return
            }
            const [nu, variance] = params.subarray(moreAt(slot) + own_, moreAt(slot) + own_ + 2)
            const square = variance * (1 + leverage(block, 0, params, moreAt(slot)))
            const t = dice.normal() / Math.sqrt((2 / nu) * dice.gamma(0.5 * nu))
            cells[0] = centreOf(block, 0, params, slot * plainWidth) + t * Math.sqrt(square)
          },
          numbers: {
            expect(block, params, slot, _place, mean, variance, freedom) {
              const [nu, residual] = params.subarray(moreAt(slot) + own_, moreAt(slot) + own_ + 2)
              for (let i = 0; i < block.rows; i++) {
                mean[i] = centreOf(block, i, params, slot * plainWidth)
                if (Number.isNaN(mean[i])) throw refusal(block, i)
                variance[i] = residual * (1 + leverage(block, i, params, moreAt(slot))) * studentVariance(nu)
              }
              freedom?.fill(nu)
            },
            cdf: studentCdf,
          },
        },
      },
    )
  },
}

/** Pseudo-rows of the default prior on the line, times t. */
const PSEUDO = 0.1
