/**
 * Sums over the rows of each slot, column after column:
 *
 *     sums[3p …] = Σ w (1, x, x²)        over the rows i of slot p in which x is seen
 *
 * If every row belongs to one slot, the rows are sorted by slot, once. There are four partial sums per slot, as in the registers of the
 * fast twin.
 */
import type { SummedWeights, Weights } from "../contract/block.ts"
import { absorbDiagonal } from "./diagonal-rows.ts"
import { countLevels } from "./level-counts.ts"
import { growCodes } from "./workspace.ts"

/** Weights with their sums (SummedWeights); the twins compute them differently. */
export abstract class WeightSums {
  protected rows = 0
  protected slots = 0
  readonly #sums = (x: Float64Array): Float64Array => this.sum(x)
  readonly #count = (codes: Int32Array, stats: Float64Array): void => this.count(codes, stats)
  // reused for every leaf, as there may be thousands
  readonly #one = {
    form: "one" as const,
    slot: new Int32Array(0) as Int32Array,
    weight: new Float64Array(0) as Float64Array,
    sums: this.#sums,
    count: this.#count,
  }
  readonly #each = {
    form: "each" as const,
    values: new Float64Array(0) as Float64Array,
    sums: this.#sums,
    count: this.#count,
  }
  protected weights: SummedWeights = this.#one

  /** These weights with their sums. Valid until the arrays change, or other weights are given. */
  given(weights: Weights, rows: number, slots: number): SummedWeights {
    this.rows = rows
    this.slots = slots
    if (weights.form === "one") {
      this.#one.slot = weights.slot
      this.#one.weight = weights.weight
      this.weights = this.#one
    } else {
      this.#each.values = weights.values
      this.weights = this.#each
    }
    this.renew()
    return this.weights
  }

  /** Called for new weights: what was computed from the last ones is out of date. */
  protected abstract renew(): void
  /** The next call overwrites the result. */
  protected abstract sum(x: Float64Array): Float64Array
  protected abstract count(codes: Int32Array, stats: Float64Array): void
}

export class SlotSums extends WeightSums {
  readonly #sorted = new SortedRows()
  #isSorted = false
  #scratch = new Float64Array(0)

  protected renew(): void {
    this.#isSorted = false
  }

  protected sum(x: Float64Array): Float64Array {
    const { weights, rows, slots } = this
    if (this.#scratch.length < 3 * slots) this.#scratch = new Float64Array(3 * slots)
    const sums = this.#scratch
    if (weights.form === "each") {
      // the sums of a diagonal normal of one column
      absorbDiagonal([x], rows, 1, slots, 1, weights.values, sums.fill(0))
      return sums
    }
    if (!this.#isSorted) {
      this.#sorted.sort(weights.slot, rows, slots)
      this.#isSorted = true
    }
    const { order, starts } = this.#sorted
    for (let p = 0; p < slots; p++) {
      sumSlot(x, weights.weight, order, starts[p], starts[p + 1], sums, 3 * p)
    }
    return sums
  }

  protected count(codes: Int32Array, stats: Float64Array): void {
    countLevels(codes, this.rows, this.slots, this.weights, stats)
  }
}

/** Slot p has the rows order[starts[p]] … order[starts[p + 1] − 1], in their order. */
class SortedRows {
  readonly #places = growCodes()
  readonly #rows = growCodes()
  order: Int32Array = new Int32Array(0)
  starts: Int32Array = new Int32Array(0)

  sort(slot: Int32Array, rows: number, slots: number): this {
    const order = this.#rows(rows)
    const starts = this.#places(slots + 1).fill(0)
    // counting sort: the number of rows of each slot, then where each slot ends, then rows placed from the last one on
    for (let i = 0; i < rows; i++) starts[slot[i]]++
    for (let p = 1; p <= slots; p++) starts[p] += starts[p - 1]
    for (let i = rows - 1; i >= 0; i--) order[--starts[slot[i]]] = i
    this.order = order
    this.starts = starts
    return this
  }
}

const parts = /* @__PURE__ */ new Float64Array(12)

/** sums[at …] = Σ w (1, x, x²) over the rows order[from] … order[to − 1] in which x is seen. */
function sumSlot(
  x: Float64Array,
  weight: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
  sums: Float64Array,
  at: number,
): void {
  parts.fill(0)
  for (let i = from; i < to; i++) {
    const row = order[i]
    const cell = x[row]
    if (cell !== cell) continue
    const part = 3 * ((i - from) & 3)
    const wx = weight[row] * cell
    parts[part] += weight[row]
    parts[part + 1] += wx
    parts[part + 2] += wx * cell
  }
  for (let s = 0; s < 3; s++) sums[at + s] = parts[s] + parts[6 + s] + (parts[3 + s] + parts[9 + s])
}
