/**
 * Student's t in several correlated columns: what a normal with unknown mean and covariance predicts.
 *
 *     ln t(x) = top(f, d) − ½ ln|Ψ| − ½(f + d) ln(1 + δ²/f)      f = ν − d + 1      Ψ = S(κ + 1)/(κf)      δ² = (x − m)ᵀΨ⁻¹(x − m)
 *
 * Missing cells: the marginal over those that are seen has the same f. Given the seen ones o, the others are a t with f + d_o degrees, the mean of a normal, and
 * the scale of a normal times (f + δ²_o)/(f + d_o).
 */
import type { Block } from "../contract/block.ts"
import type { Layout } from "../families/normal/layout.ts"
import { arrange, patterns as patternsOf } from "../families/normal/patterns.ts"
import { log } from "../kernels/log.ts"
import { logOnePlusSquare, studentTop } from "../kernels/student.ts"
import { cholesky, logDetFromCholesky, solveUpper, triangle } from "../kernels/triangle.ts"
import type { Difference } from "./stand-in.ts"
import { shareOf, studentCdf, studentVariance } from "./student.ts"

/** Where the numbers of a slot stand in q. */
export interface SlotNumbers {
  readonly kappa: number
  readonly mean: number
  readonly nu: number
  readonly scatter: number
}

export function denseStudent(
  layout: Layout,
  from: {
    fill(q: Float64Array, params: Float64Array): void
    of(q: Float64Array, slot: number): SlotNumbers
  },
): Difference {
  const { d, size, slots, places, logScale } = layout
  // after the plain parameters, slot by slot: f, m, Ψ
  const width = 1 + d + size
  const at = (slot: number): number => layout.parameters + slot * width
  const order = new Int32Array(d)
  const l = new Float64Array(size)
  const z = new Float64Array(d)
  const grouped = patternsOf(places)

  /** l ← L of Ψ with the columns in the present order, the first `count` of them. */
  function factor(params: Float64Array, slot: number, count: number): void {
    const own = at(slot) + 1 + d
    for (let i = 0; i < count; i++)
      for (let j = 0; j <= i; j++) {
        const [a, b] = [Math.max(order[i], order[j]), Math.min(order[i], order[j])]
        l[triangle(i) + j] = params[own + triangle(a) + b]
      }
    cholesky(l, 0, count)
  }

  /** z ← L⁻¹(x − m) of the first `seen` columns of a row; returns δ². */
  function whiten(block: Block, row: number, params: Float64Array, slot: number, seen: number): number {
    let square = 0
    for (let i = 0; i < seen; i++) {
      let sum = (block.cells[places[order[i]]] as Float64Array)[row] - params[at(slot) + 1 + order[i]]
      for (let j = 0; j < i; j++) sum -= l[triangle(i) + j] * z[j]
      z[i] = sum / l[triangle(i) + i]
      square += z[i] * z[i]
    }
    return square
  }

  return {
    shape: { parameters: layout.parameters + slots * width },

    fill(q, params) {
      from.fill(q, params)
      for (let p = 0; p < slots; p++) {
        const { kappa, mean, nu, scatter } = from.of(q, p)
        const f = nu - d + 1
        params[at(p)] = f
        for (let j = 0; j < d; j++) params[at(p) + 1 + j] = q[mean + j]
        for (let j = 0; j < size; j++)
          params[at(p) + 1 + d + j] = q[scatter + j] * ((kappa + 1) / (kappa * f))
      }
    },

    score(block, params, out) {
      const { rows } = block
      grouped.group(block, -1)
      for (let g = 0; g < grouped.groups; g++) {
        const [first, end] = [grouped.offsets[g], grouped.offsets[g + 1]]
        if (first === end) continue
        const seen = arrange(places, block, grouped.rows[first], -1, order)
        if (seen === 0) continue
        let units = 0
        for (let k = 0; k < seen; k++) units += logScale[order[k]]
        for (let p = 0; p < slots; p++) {
          const f = params[at(p)]
          factor(params, p, seen)
          const top = studentTop(f, seen) - 0.5 * logDetFromCholesky(l, 0, seen) - units
          for (let t = first; t < end; t++) {
            const i = grouped.rows[t]
            const square = whiten(block, i, params, p, seen)
            out[p * rows + i] += top - 0.5 * (f + seen) * logOnePlusSquare(Math.sqrt(square / f))
          }
        }
      }
      return undefined
    },

    sample(params, slot, block, dice) {
      const seen = arrange(places, block, 0, -1, order)
      if (seen === d) return
      factor(params, slot, d)
      const f = params[at(slot)]
      const square = whiten(block, 0, params, slot, seen)
      const times = Math.sqrt((f + square) / (2 * dice.gamma(0.5 * (f + seen))))
      for (let i = seen; i < d; i++) z[i] = times * dice.normal()
      for (let i = seen; i < d; i++) {
        let sum = params[at(slot) + 1 + order[i]]
        for (let j = 0; j <= i; j++) sum += l[triangle(i) + j] * z[j]
        ;(block.cells[places[order[i]]] as Float64Array)[0] = sum
      }
    },
    numbers: {
      expect(block, params, slot, place, mean, variance, freedom) {
        const asked = places.indexOf(place)
        grouped.group(block, asked)
        const f = params[at(slot)]
        for (let g = 1; g < grouped.groups; g++) {
          const first = grouped.offsets[g]
          const seen = arrange(places, block, grouped.rows[first], asked, order)
          factor(params, slot, seen + 1)
          const last = l[triangle(seen) + seen]
          for (let t = first; t < grouped.offsets[g + 1]; t++) {
            const i = grouped.rows[t]
            const square = whiten(block, i, params, slot, seen)
            let sum = params[at(slot) + 1 + asked]
            for (let j = 0; j < seen; j++) sum += l[triangle(seen) + j] * z[j]
            mean[i] = sum
            variance[i] = last * last * ((f + square) / (f + seen)) * studentVariance(f + seen)
            if (freedom) freedom[i] = f + seen
          }
        }
      },
      cdf: studentCdf,
    },
    terms: {
      /** As of a normal (families/normal/shares.ts): each column has its part of δ², its own scale, and an equal share of what belongs to all. */
      contributions(block, params, slot, out) {
        const seen = arrange(places, block, 0, -1, order)
        if (seen === 0) return
        factor(params, slot, seen)
        const f = params[at(slot)]
        const own = at(slot) + 1 + d
        const square = whiten(block, 0, params, slot, seen)
        const solved = z.slice(0, seen) // Ψ_oo⁻¹ δ
        solveUpper(l, 0, seen, solved, 0)
        const tail = 0.5 * (f + seen) * logOnePlusSquare(Math.sqrt(square / f))
        let shared = studentTop(f, seen) - 0.5 * logDetFromCholesky(l, 0, seen)
        const scales = Array.from({ length: seen }, (_, k) => params[own + triangle(order[k]) + order[k]])
        for (const scale of scales) shared += 0.5 * log(scale)
        scales.forEach((scale, k) => {
          const j = order[k]
          const gap = (block.cells[places[j]] as Float64Array)[0] - params[at(slot) + 1 + j]
          out[j] += shared / seen - 0.5 * log(scale) - logScale[j]
          out[j] -= tail * shareOf(gap * solved[k], square, seen)
        })
      },
    },
  }
}
