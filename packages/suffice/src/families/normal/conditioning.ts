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
import { logDetFromCholesky, triangle } from "../../kernels/triangle.ts"
import { LN_2PI } from "./columns.ts"
import {
  addFilled,
  addSpread,
  type Elimination,
  eliminationOf,
  factorise,
  fill,
  predict,
  whiten,
} from "./elimination.ts"
import type { Layout } from "./layout.ts"
import { arrange, type Patterns } from "./patterns.ts"
import type { Picked } from "./picked.ts"
import { factorWithRidge } from "./ridge.ts"

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

export function conditioning(layout: Layout, picked: Picked): Conditioning {
  const elimination = eliminationOf(layout, picked)
  return {
    score: (block, patterns, params, out) => score(elimination, block, patterns, params, out),
    absorb: (block, patterns, params, weights, stats) =>
      absorb(elimination, block, patterns, params, weights, stats),
    sample: (params, slot, block, dice) => sample(elimination, params, slot, block, dice),
    expect: (block, params, slot, place, mean, variance) =>
      expect(elimination, block, params, slot, place, mean, variance),
  }
}

function score(
  elimination: Elimination,
  block: Block,
  { groups, offsets, rows }: Patterns,
  params: Float64Array,
  out: Float64Array,
): void {
  const { layout, order, a, z } = elimination
  const { places, slots, logScale } = layout
  for (let g = 1; g < groups; g++) {
    const seen = arrange(places, block, rows[offsets[g]], -1, order)
    if (seen === 0) continue
    let scale = 0
    for (let k = 0; k < seen; k++) scale += logScale[order[k]]
    let factored = -1
    let top = 0
    for (let p = 0; p < slots; p++) {
      const matrix = layout.matrixOf(p)
      if (matrix !== factored) {
        factorise(elimination, params, matrix, seen, seen)
        top = -0.5 * (seen * LN_2PI + logDetFromCholesky(a, 0, seen)) - scale
        factored = matrix
      }
      const meanAt = layout.meanAt(p)
      for (let t = offsets[g]; t < offsets[g + 1]; t++) {
        whiten(elimination, block, rows[t], params, meanAt, seen)
        let square = 0
        for (let k = 0; k < seen; k++) square += z[k] * z[k]
        out[p * block.rows + rows[t]] += top - 0.5 * square
      }
    }
  }
}

function absorb(
  elimination: Elimination,
  block: Block,
  patterns: Patterns,
  params: Float64Array,
  weights: Weights,
  stats: Float64Array,
): boolean {
  const { layout, picked, order } = elimination
  let guessed = false
  for (let g = 1; g < patterns.groups; g++) {
    const from = patterns.offsets[g]
    const seen = arrange(layout.places, block, patterns.rows[from], -1, order)
    const candidates = picked.open(weights, block.rows, patterns.rows, from, patterns.offsets[g + 1])
    let factored = -1
    for (let c = 0; c < candidates; c++) {
      const p = picked.slot(c)
      const count = picked.pick(c)
      if (count === 0) continue
      guessed = true
      const matrix = layout.matrixOf(p)
      if (matrix !== factored) factorise(elimination, params, matrix, seen, layout.d)
      factored = matrix
      let total = 0
      for (let t = 0; t < count; t++) {
        fill(elimination, block, picked.rows[t], params, layout.meanAt(p), seen)
        addFilled(elimination, t, stats, layout.sumsAt(p), layout.squaresAt(matrix))
        total += picked.weights[t]
      }
      addSpread(elimination, total, seen, stats, layout.squaresAt(matrix))
    }
  }
  return guessed
}

function sample(
  elimination: Elimination,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const { layout, order, rest, restVariance, a, z, filled } = elimination
  const { d, places } = layout
  const seen = arrange(places, block, 0, -1, order)
  const missing = d - seen
  if (missing === 0) return
  const covariance = layout.covarianceAt(layout.matrixOf(slot))
  factorise(elimination, params, layout.matrixOf(slot), seen, d)
  fill(elimination, block, 0, params, layout.meanAt(slot), seen)
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
}

function expect(
  elimination: Elimination,
  block: Block,
  params: Float64Array,
  slot: number,
  place: number,
  mean: Float64Array,
  variance: Float64Array,
): void {
  const { layout, scratch, order, a } = elimination
  const target = layout.places.indexOf(place)
  scratch.group(block, target)
  for (let g = 1; g < scratch.groups; g++) {
    const from = scratch.offsets[g]
    const seen = arrange(layout.places, block, scratch.rows[from], target, order)
    factorise(elimination, params, layout.matrixOf(slot), seen, seen + 1)
    for (let t = from; t < scratch.offsets[g + 1]; t++) {
      const i = scratch.rows[t]
      whiten(elimination, block, i, params, layout.meanAt(slot), seen)
      predict(elimination, seen, params, layout.meanAt(slot), seen, mean, i)
      variance[i] = Math.max(a[triangle(seen) + seen], 0)
    }
  }
}
