/** Rows without missing cells: no factorisation, whole blocks at a time. */
import type { Block, Weights } from "../../contract/block.ts"
import { scoreDense, scoreLines } from "../../kernels/dense-scores.ts"
import { absorbDense, absorbList } from "../../kernels/dense-sums.ts"
import { pin } from "../../kernels/pin.ts"
import { fastKernels } from "../../kernels/twins.ts"
import type { Layout } from "./layout.ts"
import { hasLines } from "./lines.ts"
import type { Patterns } from "./patterns.ts"
import type { Picked } from "./picked.ts"

export interface CompleteRows {
  /** out[p,i] += ln p(x_i | μ_p, Σ_p) for the rows of group 0; `upToConstant`: up to a term that is the same for all slots. */
  score(
    block: Block,
    patterns: Patterns,
    params: Float64Array,
    out: Float64Array,
    upToConstant?: boolean,
  ): void
  /** stats += Σ w (1, x, xxᵀ) over the rows of group 0. */
  absorb(block: Block, patterns: Patterns, weights: Weights, stats: Float64Array): void
}

export function completeRows(layout: Layout, picked: Picked): CompleteRows {
  const { d, slots, share } = layout
  const kernels = fastKernels() ?? { pin, scoreDense, scoreLines, absorbDense, absorbList }
  const gathered: Float64Array[] = Array.from({ length: d }, () => new Float64Array(0))
  let values = new Float64Array(0) // scores or weights of the complete rows, slot by slot

  /** The complete rows, column by column: usually the whole block. */
  function open(block: Block, { columns, rows }: Patterns, count: number): readonly Float64Array[] {
    if (count === block.rows) return columns
    if (values.length < slots * block.rows) values = new Float64Array(slots * block.rows)
    for (let j = 0; j < d; j++) {
      if (gathered[j].length < count) gathered[j] = new Float64Array(block.rows)
      const cells = columns[j]
      const to = gathered[j]
      for (let t = 0; t < count; t++) to[t] = cells[rows[t]]
    }
    kernels.pin(gathered, count, d)
    return gathered
  }

  function scores(
    x: readonly Float64Array[],
    count: number,
    params: Float64Array,
    out: Float64Array,
    upToConstant?: boolean,
  ): void {
    if (upToConstant && hasLines(layout, params)) {
      kernels.scoreLines(x, count, d, slots, params, layout.linesAt + 1, out)
    } else kernels.scoreDense(x, count, d, slots, share, params, out)
  }

  /** One slot per row: each slot absorbs its own. */
  function absorbOne(
    { rows }: Block,
    { columns, rows: list }: Patterns,
    count: number,
    weights: Extract<Weights, { form: "one" }>,
    stats: Float64Array,
  ): void {
    const candidates = picked.open(weights, rows, list, 0, count)
    for (let c = 0; c < candidates; c++) {
      const p = picked.slot(c)
      const kept = picked.pick(c)
      const squares = share === 1 ? layout.squaresAt(p) : -1
      const sums = layout.sumsAt(p)
      kernels.absorbList(columns, rows, d, picked.rows, kept, picked.weights, stats, sums, squares)
    }
    if (share === 1) return
    // the shared matrix absorbs all rows
    let kept = 0
    for (let t = 0; t < count; t++) {
      picked.rows[kept] = list[t]
      picked.weights[kept] = weights.weight[list[t]]
      if (picked.weights[kept] !== 0) kept++
    }
    const squares = layout.squaresAt(0)
    kernels.absorbList(columns, rows, d, picked.rows, kept, picked.weights, stats, -1, squares)
  }

  return {
    score(block, patterns, params, out, upToConstant) {
      const { rows, offsets } = patterns
      const count = offsets[1]
      if (count === 0) return
      const x = open(block, patterns, count)
      if (count === block.rows) {
        scores(x, count, params, out, upToConstant)
        return
      }
      values.fill(0, 0, slots * count)
      scores(x, count, params, values, upToConstant)
      for (let p = 0; p < slots; p++) {
        for (let t = 0; t < count; t++) out[p * block.rows + rows[t]] += values[p * count + t]
      }
    },

    absorb(block, patterns, weights, stats) {
      const { rows, offsets } = patterns
      const count = offsets[1]
      if (count === 0) return
      if (weights.form === "one") {
        absorbOne(block, patterns, count, weights, stats)
        return
      }
      const x = open(block, patterns, count)
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
