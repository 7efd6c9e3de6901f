/** Rows that lack nothing: no factorisation, whole blocks at a time. */
import type { Block, Weights } from "../../contract.ts"
import type { Layout } from "./layout.ts"
import type { Patterns } from "./patterns.ts"
import type { Picked } from "./picked.ts"
import { addSquares, LANES, MARGIN, squareTiles, whitenTiles } from "./tiles.ts"

export interface CompleteRows {
  /** out[p,i] += ln p(x_i | μ_p, Σ_p) for the rows of group 0. */
  score(block: Block, params: Float64Array, out: Float64Array): void
  /** stats += Σ w (1, x, xxᵀ) over the rows of group 0. */
  absorb(block: Block, weights: Weights, stats: Float64Array): void
}

export function completeRows(layout: Layout, patterns: Patterns, picked: Picked): CompleteRows {
  const { d, places, slots, share } = layout
  const centred = new Float64Array(d * LANES)
  const zero = new Float64Array(d)
  const whiteMean = new Float64Array(d)
  let tiles = new Float64Array(0) // x, tile by tile
  let z = new Float64Array(0) // L⁻¹(x − centre), tile by tile
  let squares = new Float64Array(0) // |z − centre|², row by row
  let x = new Float64Array(0) // x and w·x of the picked rows, column by column
  let wx = new Float64Array(0)
  let total = new Float64Array(0) // Σ_p w[p,i]

  /** Copy the complete rows into tiles; returns how many tiles. */
  function tile(block: Block): number {
    const { rows, offsets } = patterns
    const count = offsets[1]
    const used = Math.ceil(count / LANES)
    const length = used * LANES * d
    if (tiles.length < length) {
      tiles = new Float64Array(length)
      z = new Float64Array(length)
      squares = new Float64Array(used * LANES)
    }
    const to = tiles
    for (let j = 0; j < d; j++) {
      const cells = block.cells[places[j]] as Float64Array
      for (let t = 0; t < count; t++) to[(t & -LANES) * d + j * LANES + (t & (LANES - 1))] = cells[rows[t]]
    }
    return used
  }

  function addScores(top: number, at: number, out: Float64Array): void {
    const { rows, offsets } = patterns
    const from = squares
    const count = offsets[1]
    for (let t = 0; t < count; t++) out[at + rows[t]] += top - 0.5 * from[t]
  }

  /** A matrix per slot: z = L_p⁻¹ (x − μ_p) */
  function scoreOwn(used: number, rows: number, params: Float64Array, out: Float64Array): void {
    for (let p = 0; p < slots; p++) {
      whitenTiles(tiles, used, d, params, layout.inverseAt(p), params, layout.meanAt(p), centred, z)
      squareTiles(z, used, d, zero, 0, squares)
      addScores(params[layout.topAt(p)], p * rows, out)
    }
  }

  /** One matrix: z = L⁻¹x once per row, whatever the number of slots; then z − L⁻¹μ_p */
  function scoreShared(used: number, rows: number, params: Float64Array, out: Float64Array): void {
    const inverse = layout.inverseAt(0)
    whitenTiles(tiles, used, d, params, inverse, zero, 0, centred, z)
    for (let p = 0; p < slots; p++) {
      const mean = layout.meanAt(p)
      for (let k = 0, row = inverse; k < d; row += ++k) {
        let sum = 0
        for (let j = 0; j <= k; j++) sum += params[row + j] * params[mean + j]
        whiteMean[k] = sum
      }
      squareTiles(z, used, d, whiteMean, 0, squares)
      addScores(params[layout.topAt(0)], p * rows, out)
    }
  }

  /** stats of slot p += Σ w (1, x) over the picked rows. */
  function addSums(block: Block, count: number, stats: Float64Array, at: number): void {
    const { rows, weights } = picked
    let n = 0
    for (let t = 0; t < count; t++) n += weights[t]
    stats[at] += n
    for (let j = 0; j < d; j++) {
      const cells = block.cells[places[j]] as Float64Array
      let sum = 0
      for (let t = 0; t < count; t++) sum += weights[t] * cells[rows[t]]
      stats[at + 1 + j] += sum
    }
  }

  /** stats += Σ w xxᵀ over the picked rows. */
  function addPickedSquares(block: Block, count: number, stats: Float64Array, at: number): void {
    const { rows, weights } = picked
    const room = (d + MARGIN) * count
    if (x.length < room) {
      x = new Float64Array(room)
      wx = new Float64Array(room)
    }
    const values = x
    const weighted = wx
    for (let j = 0; j < d; j++) {
      const cells = block.cells[places[j]] as Float64Array
      const to = j * count
      for (let t = 0; t < count; t++) {
        const value = cells[rows[t]]
        values[to + t] = value
        weighted[to + t] = weights[t] * value
      }
    }
    addSquares(values, weighted, d, count, stats, at)
  }

  /** Σ_p w[p,i] of every complete row, picked as if it were one slot; returns how many rows have any. */
  function pickTotals(): number {
    let count = 0
    for (let t = 0; t < patterns.offsets[1]; t++) {
      const i = patterns.rows[t]
      if (total[i] === 0) continue
      picked.rows[count] = i
      picked.weights[count++] = total[i]
    }
    return count
  }

  return {
    score(block, params, out) {
      if (patterns.offsets[1] === 0) return
      const used = tile(block)
      if (share === 1) scoreOwn(used, block.rows, params, out)
      else scoreShared(used, block.rows, params, out)
    },

    absorb(block, weights, stats) {
      if (patterns.offsets[1] === 0) return
      if (total.length < block.rows) total = new Float64Array(block.rows)
      else total.fill(0)
      const candidates = picked.open(weights, block.rows, patterns.rows, 0, patterns.offsets[1])
      for (let c = 0; c < candidates; c++) {
        const p = picked.slot(c)
        const count = picked.pick(c)
        if (count === 0) continue
        addSums(block, count, stats, layout.sumsAt(p))
        if (share === 1) addPickedSquares(block, count, stats, layout.squaresAt(p))
        else for (let t = 0; t < count; t++) total[picked.rows[t]] += picked.weights[t]
      }
      if (share > 1) addPickedSquares(block, pickTotals(), stats, layout.squaresAt(0))
    },
  }
}
