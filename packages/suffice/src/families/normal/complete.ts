/** Rows that lack nothing: no factorisation, whole blocks at a time. */
import type { Block, Weights } from "../../contract.ts"
import { scoreDense } from "../../kernels/dense-scores.ts"
import { absorbDense, absorbSlot } from "../../kernels/dense-sums.ts"
import { fastKernels } from "../../kernels/twins.ts"
import type { Layout } from "./layout.ts"
import type { Patterns } from "./patterns.ts"
import type { Picked } from "./picked.ts"

export interface CompleteRows {
  /** out[p,i] += ln p(x_i | μ_p, Σ_p) for the rows of group 0. */
  score(block: Block, params: Float64Array, out: Float64Array): void
  /** stats += Σ w (1, x, xxᵀ) over the rows of group 0. */
  absorb(block: Block, weights: Weights, stats: Float64Array): void
}

export function completeRows(layout: Layout, patterns: Patterns, picked: Picked): CompleteRows {
  const { d, places, slots, share } = layout
  const kernels = fastKernels() ?? { scoreDense, absorbDense, absorbSlot }
  const columns: Float64Array[] = new Array(d)
  const gathered: Float64Array[] = Array.from({ length: d }, () => new Float64Array(0))
  let values = new Float64Array(0) // scores or weights of the complete rows, slot by slot

  /** The listed rows, column by column. */
  function gather(block: Block, rows: Int32Array, count: number): readonly Float64Array[] {
    for (let j = 0; j < d; j++) {
      if (gathered[j].length < count) gathered[j] = new Float64Array(block.rows)
      const cells = block.cells[places[j]] as Float64Array
      const to = gathered[j]
      for (let t = 0; t < count; t++) to[t] = cells[rows[t]]
    }
    return gathered
  }

  /** The complete rows, column by column: mostly the whole block. */
  function open(block: Block, count: number): readonly Float64Array[] {
    if (count < block.rows) {
      if (values.length < slots * block.rows) values = new Float64Array(slots * block.rows)
      return gather(block, patterns.rows, count)
    }
    for (let j = 0; j < d; j++) columns[j] = block.cells[places[j]] as Float64Array
    return columns
  }

  /** One slot per row: each slot absorbs its own. */
  function absorbOne(block: Block, count: number, weights: Weights, stats: Float64Array): void {
    const candidates = picked.open(weights, block.rows, patterns.rows, 0, count)
    for (let c = 0; c < candidates; c++) {
      const p = picked.slot(c)
      const held = picked.pick(c)
      const x = gather(block, picked.rows, held)
      const squares = share === 1 ? layout.squaresAt(p) : -1
      kernels.absorbSlot(x, held, d, picked.weights, 0, stats, layout.sumsAt(p), squares)
    }
    if (share === 1 || weights.form === "each") return
    // the one matrix takes all rows
    for (let t = 0; t < count; t++) picked.weights[t] = weights.weight[patterns.rows[t]]
    kernels.absorbSlot(open(block, count), count, d, picked.weights, 0, stats, -1, layout.squaresAt(0))
  }

  return {
    score(block, params, out) {
      const { rows, offsets } = patterns
      const count = offsets[1]
      if (count === 0) return
      const x = open(block, count)
      if (count === block.rows) {
        kernels.scoreDense(x, count, d, slots, share, params, out)
        return
      }
      values.fill(0, 0, slots * count)
      kernels.scoreDense(x, count, d, slots, share, params, values)
      for (let p = 0; p < slots; p++) {
        for (let t = 0; t < count; t++) out[p * block.rows + rows[t]] += values[p * count + t]
      }
    },

    absorb(block, weights, stats) {
      const { rows, offsets } = patterns
      const count = offsets[1]
      if (count === 0) return
      if (weights.form === "one") {
        absorbOne(block, count, weights, stats)
        return
      }
      const x = open(block, count)
      if (count === block.rows) {
        kernels.absorbDense(x, count, d, slots, share, weights.values, stats)
        return
      }
      for (let p = 0; p < slots; p++) {
        for (let t = 0; t < count; t++) values[p * count + t] = weights.values[p * block.rows + rows[t]]
      }
      kernels.absorbDense(x, count, d, slots, share, values, stats)
    },
  }
}
