/** The rows of a list that have weight in a slot, for both forms of weights. */
import type { Weights } from "../../contract/block.ts"

export interface Picked {
  /** The rows of the last `pick` and their weights. */
  rows: Int32Array
  weights: Float64Array
  /** Take the rows list[from … to − 1]; returns how many slots may have weight there. */
  open(weights: Weights, blockRows: number, list: Int32Array, from: number, to: number): number
  /** The c-th of these slots. */
  slot(c: number): number
  /** Fill `rows` and `weights` for the c-th slot, weights of 0 left out; returns how many. */
  pick(c: number): number
}

export function picked(slots: number): Picked {
  const heads = new Int32Array(slots).fill(-1) // "one": the first row of each slot
  const touched = new Int32Array(slots) // "one": the slots that have rows
  let links = new Int32Array(0) // "one": the next row of the same slot
  let source: Weights = { form: "each", values: new Float64Array(0) }
  let list = new Int32Array(0)
  let stride = 0
  let from = 0
  let to = 0

  const self: Picked = {
    rows: new Int32Array(0),
    weights: new Float64Array(0),

    open(weights, blockRows, candidates, first, end) {
      source = weights
      stride = blockRows
      list = candidates as Int32Array<ArrayBuffer>
      from = first
      to = end
      if (self.rows.length < blockRows) {
        self.rows = new Int32Array(blockRows)
        self.weights = new Float64Array(blockRows)
        links = new Int32Array(blockRows)
      }
      if (weights.form === "each") return slots
      let count = 0
      for (let t = to - 1; t >= from; t--) {
        const i = list[t]
        if (weights.weight[i] === 0) continue
        const p = weights.slot[i]
        if (heads[p] < 0) touched[count++] = p
        links[i] = heads[p]
        heads[p] = i
      }
      return count
    },

    slot: c => (source.form === "each" ? c : touched[c]),

    pick(c) {
      const { rows, weights } = self
      let count = 0
      if (source.form === "each") {
        const values = source.values
        const candidates = list
        const end = to
        for (let t = from, at = c * stride; t < end; t++) {
          const i = candidates[t]
          const w = values[at + i]
          if (w === 0) continue
          rows[count] = i
          weights[count++] = w
        }
        return count
      }
      const p = touched[c]
      for (let i = heads[p]; i >= 0; i = links[i]) {
        rows[count] = i
        weights[count++] = source.weight[i]
      }
      heads[p] = -1
      return count
    },
  }
  return self
}
