/**
 * Rows with missing cells: o are the columns seen, m those missing.
 *
 *     x̂_m = μ_m + Σ_mo Σ_oo⁻¹ (x_o − μ_o)         C = Σ_mm − Σ_mo Σ_oo⁻¹ Σ_om
 *     score: ln N(x_o | μ_o, Σ_oo)        E[xxᵀ | x_o] = x̂x̂ᵀ + C in the m,m block
 *
 * One elimination of the columns of o from Σ, taken in the order (o, m), gives L_oo, L_mo = Σ_mo L_oo⁻ᵀ and C. With
 * z = L_oo⁻¹ (x_o − μ_o): x̂_m = μ_m + L_mo z.
 */
import type { Block, Weights } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import { logDetFromCholesky, solveLower, triangle } from "../../kernels/triangle.ts"
import { LN_2PI } from "./columns.ts"
import type { Layout } from "./layout.ts"
import { arrange, type Patterns, patterns as patternsOf } from "./patterns.ts"
import type { Picked } from "./picked.ts"
import { factorWithRidge, nextRidge } from "./ridge.ts"

export interface Conditioning {
  /** out[p,i] += ln p(x_o of row i | μ_p, Σ_p) for the rows of groups 1, 2, … */
  score(block: Block, patterns: Patterns, params: Float64Array, out: Float64Array): void
  /** stats += Σ w E[(1, x, xxᵀ) | x_o, θ_p] over the rows of groups 1, 2, … True if any of them has weight. */
  absorb(
    block: Block,
    patterns: Patterns,
    params: Float64Array,
    weights: Weights,
    stats: Float64Array,
  ): boolean
  sample(params: Float64Array, slot: number, block: Block, dice: Dice): void
  expect(
    block: Block,
    params: Float64Array,
    slot: number,
    place: number,
    mean: Float64Array,
    variance: Float64Array,
  ): void
}

/**
 * Eliminate the first `seen` of the d columns of packed A in place: L in the first `seen` columns, and A_mm − L_mo L_moᵀ
 * in the others. `work`: scratch for 2d numbers. Returns 0, or 1 + k for the first column whose pivot is rounding error.
 */
export function eliminate(a: Float64Array, d: number, seen: number, work: Float64Array): number {
  for (let k = 0; k < seen; k++) work[d + k] = 1e-13 * a[triangle(k) + k]
  for (let k = 0; k < seen; k++) {
    const at = triangle(k) + k
    if (!(a[at] > work[d + k])) return 1 + k
    const root = Math.sqrt(a[at])
    a[at] = root
    for (let i = k + 1, row = triangle(k + 1); i < d; row += ++i) {
      const l = a[row + k] / root
      a[row + k] = l
      work[i] = l
      // a_ij −= l_ik l_jk
      for (let j = k + 1; j <= i; j++) a[row + j] -= l * work[j]
    }
  }
  return 0
}

/** Packed out[i,j] ← A[order[i], order[j]] over the first `count` of the order. */
function permute(a: Float64Array, at: number, order: Int32Array, count: number, out: Float64Array): void {
  let to = 0
  for (let i = 0; i < count; i++) {
    const p = order[i]
    const row = at + triangle(p)
    for (let j = 0; j <= i; j++) {
      const q = order[j]
      out[to++] = a[q <= p ? row + q : at + triangle(q) + p]
    }
  }
}

export function conditioning(layout: Layout, picked: Picked): Conditioning {
  const { d, places, slots, size } = layout
  const order = new Int32Array(d) // the columns of o, then those of m
  const scratch = patternsOf(places)
  const a = new Float64Array(size) // Σ in the order (o, m), eliminated
  const z = new Float64Array(d)
  const filled = new Float64Array(d) // x̂, columns in their own order
  const work = new Float64Array(2 * d)
  const rest = new Float64Array(size)
  const restVariance = new Float64Array(d)

  /** a ← Σ over the first `count` columns of the order, with o eliminated. */
  function factor(params: Float64Array, matrix: number, seen: number, count: number): void {
    // Σ is positive definite, and so is Σ_oo, but for rounding: hence the ridge
    for (let ridge = 0; ridge < 1e300; ridge = nextRidge(ridge)) {
      permute(params, layout.covarianceAt(matrix), order, count, a)
      for (let i = 0; i < count; i++) a[triangle(i) + i] *= 1 + ridge
      if (eliminate(a, count, seen, work) === 0) return
    }
  }

  /** z ← L_oo⁻¹ (x_o − μ_o) for one row. */
  function lead(block: Block, row: number, params: Float64Array, meanAt: number, seen: number): void {
    for (let k = 0; k < seen; k++) {
      const j = order[k]
      z[k] = (block.cells[places[j]] as Float64Array)[row] - params[meanAt + j]
    }
    solveLower(a, 0, seen, z, 0)
  }

  // Numbers computed per row and slot are returned in arrays: a returned number may be boxed.

  /** out[to] ← x̂ = μ_m + L_mo z for column order[i]. */
  function guess(
    i: number,
    params: Float64Array,
    meanAt: number,
    seen: number,
    out: Float64Array,
    to: number,
  ): void {
    const at = triangle(i)
    let sum = params[meanAt + order[i]]
    for (let k = 0; k < seen; k++) sum += a[at + k] * z[k]
    out[to] = sum
  }

  function fill(block: Block, row: number, params: Float64Array, meanAt: number, seen: number): void {
    lead(block, row, params, meanAt, seen)
    for (let k = 0; k < seen; k++) filled[order[k]] = (block.cells[places[order[k]]] as Float64Array)[row]
    for (let i = seen; i < d; i++) guess(i, params, meanAt, seen, filled, order[i])
  }

  /** stats += w (1, x̂, x̂x̂ᵀ), w = picked.weights[t]. */
  function addFilled(t: number, stats: Float64Array, sums: number, squares: number): void {
    const w = picked.weights[t]
    stats[sums] += w
    for (let j = 0, to = squares; j < d; j++) {
      const wx = w * filled[j]
      stats[sums + 1 + j] += wx
      for (let k = 0; k <= j; k++) stats[to++] += wx * filled[k]
    }
  }

  /** stats += w · C; the columns of m are in ascending order. */
  function addSpread(w: number, seen: number, stats: Float64Array, squares: number): void {
    for (let i = seen; i < d; i++) {
      const from = triangle(i)
      const to = squares + triangle(order[i])
      for (let j = seen; j <= i; j++) stats[to + order[j]] += w * a[from + j]
    }
  }

  return {
    score(block, patterns, params, out) {
      for (let g = 1; g < patterns.groups; g++) {
        const from = patterns.offsets[g]
        const seen = arrange(places, block, patterns.rows[from], -1, order)
        if (seen === 0) continue
        let logScale = 0
        for (let k = 0; k < seen; k++) logScale += layout.logScale[order[k]]
        let factored = -1
        let top = 0
        for (let p = 0; p < slots; p++) {
          const matrix = layout.matrixOf(p)
          if (matrix !== factored) {
            factor(params, matrix, seen, seen)
            top = -0.5 * (seen * LN_2PI + logDetFromCholesky(a, 0, seen)) - logScale
            factored = matrix
          }
          for (let t = from; t < patterns.offsets[g + 1]; t++) {
            const i = patterns.rows[t]
            lead(block, i, params, layout.meanAt(p), seen)
            let square = 0
            for (let k = 0; k < seen; k++) square += z[k] * z[k]
            out[p * block.rows + i] += top - 0.5 * square
          }
        }
      }
    },

    absorb(block, patterns, params, weights, stats) {
      let guessed = false
      for (let g = 1; g < patterns.groups; g++) {
        const from = patterns.offsets[g]
        const seen = arrange(places, block, patterns.rows[from], -1, order)
        const candidates = picked.open(weights, block.rows, patterns.rows, from, patterns.offsets[g + 1])
        let factored = -1
        for (let c = 0; c < candidates; c++) {
          const p = picked.slot(c)
          const count = picked.pick(c)
          if (count === 0) continue
          guessed = true
          const matrix = layout.matrixOf(p)
          if (matrix !== factored) factor(params, matrix, seen, d)
          factored = matrix
          let total = 0
          for (let t = 0; t < count; t++) {
            fill(block, picked.rows[t], params, layout.meanAt(p), seen)
            addFilled(t, stats, layout.sumsAt(p), layout.squaresAt(matrix))
            total += picked.weights[t]
          }
          addSpread(total, seen, stats, layout.squaresAt(matrix))
        }
      }
      return guessed
    },

    sample(params, slot, block, dice) {
      const seen = arrange(places, block, 0, -1, order)
      const missing = d - seen
      if (missing === 0) return
      const covariance = layout.covarianceAt(layout.matrixOf(slot))
      factor(params, layout.matrixOf(slot), seen, d)
      fill(block, 0, params, layout.meanAt(slot), seen)
      for (let i = 0, to = 0; i < missing; i++) {
        restVariance[i] = params[covariance + triangle(order[seen + i]) + order[seen + i]]
        for (let j = 0; j <= i; j++) rest[to++] = a[triangle(seen + i) + seen + j]
      }
      // x_m = x̂_m + R ε, C = RRᵀ
      factorWithRidge(rest, 0, missing, restVariance, a, 0)
      for (let i = 0; i < missing; i++) z[i] = dice.normal()
      for (let i = 0, row = 0; i < missing; row += ++i) {
        const j = order[seen + i]
        let value = filled[j]
        for (let k = 0; k <= i; k++) value += a[row + k] * z[k]
        ;(block.cells[places[j]] as Float64Array)[0] = value
      }
    },

    expect(block, params, slot, place, mean, variance) {
      const asked = places.indexOf(place)
      scratch.group(block, asked)
      for (let g = 1; g < scratch.groups; g++) {
        const from = scratch.offsets[g]
        const seen = arrange(places, block, scratch.rows[from], asked, order)
        factor(params, layout.matrixOf(slot), seen, seen + 1)
        for (let t = from; t < scratch.offsets[g + 1]; t++) {
          const i = scratch.rows[t]
          lead(block, i, params, layout.meanAt(slot), seen)
          guess(seen, params, layout.meanAt(slot), seen, mean, i)
          variance[i] = Math.max(a[triangle(seen) + seen], 0)
        }
      }
    },
  }
}
