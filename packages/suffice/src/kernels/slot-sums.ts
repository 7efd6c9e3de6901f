/**
 * Sums over the rows of each slot, column after column:
 *
 *     sums[3p …] = Σ w (1, x, x²)        over the rows i of slot p that hold x
 *
 * Where every row belongs to one slot, the rows are sorted by slot, once, and the sums of a slot stay in registers. Even and odd rows of
 * a slot are summed apart, since they need not wait for each other.
 */
import type { Weights } from "../contract.ts"
import { allOnes } from "./all-ones.ts"
import { absorbDiagonal } from "./diagonal-rows.ts"
import { fastKernels } from "./twins.ts"
import { growCodes } from "./workspace.ts"

export class SlotSums {
  readonly #places = growCodes()
  readonly #rows = growCodes()
  #sums = new Float64Array(0)
  /** Slot p has the rows order[starts[p]] … order[starts[p + 1] − 1], in their order. */
  #order: Int32Array = new Int32Array(0)
  #starts: Int32Array = new Int32Array(0)
  #weight: Float64Array = new Float64Array(0)
  #slots = 0
  #count = 0
  #sorted = false
  #plain = false
  readonly #of = (x: Float64Array): Float64Array => this.#summed(x)
  // handed out again and again: leaves come by the thousand
  readonly #one = { form: "one" as const, slot: this.#order, weight: this.#weight, sums: this.#of }
  readonly #each = { form: "each" as const, values: this.#weight, sums: this.#of }
  #given: Weights = this.#one

  /** The same weights with their sums, as long as their arrays hold what they hold now, and until the next are given. */
  given(weights: Weights, rows: number, slots: number): Weights {
    this.#count = rows
    this.#slots = slots
    this.#sorted = false
    if (weights.form === "one") {
      this.#one.slot = weights.slot
      this.#one.weight = weights.weight
      this.#given = this.#one
    } else {
      this.#each.values = weights.values
      this.#given = this.#each
    }
    return this.#given
  }

  #summed(x: Float64Array): Float64Array {
    const slots = this.#slots
    if (this.#sums.length < 3 * slots) this.#sums = new Float64Array(3 * slots)
    const sums = this.#sums
    const weights = this.#given
    if (weights.form === "each") {
      // a diagonal normal of one column
      const kernels = fastKernels() ?? { absorbDiagonal }
      kernels.absorbDiagonal([x], this.#count, 1, slots, 1, weights.values, sums.fill(0))
      return sums
    }
    if (!this.#sorted) this.#sort(weights.slot, weights.weight, this.#count, slots)
    this.#sorted = true
    const [order, starts] = [this.#order, this.#starts]
    for (let p = 0; p < slots; p++) {
      const [from, to] = [starts[p], starts[p + 1]]
      if (this.#plain && sumPlainRows(x, order, from, to, sums, 3 * p)) continue
      sumRows(x, this.#weight, order, from, to, sums, 3 * p)
    }
    return sums
  }

  #sort(slot: Int32Array, weight: Float64Array, rows: number, slots: number): void {
    const order = this.#rows(rows)
    const starts = this.#places(slots + 1).fill(0)
    // how many in each; then where each ends; then, from the last row on, one place before that
    for (let i = 0; i < rows; i++) starts[slot[i]]++
    for (let p = 1; p <= slots; p++) starts[p] += starts[p - 1]
    for (let i = rows - 1; i >= 0; i--) order[--starts[slot[i]]] = i
    this.#order = order
    this.#starts = starts
    this.#weight = weight
    this.#plain = allOnes(weight, rows)
  }
}

/** The same where every weight is 1 and no cell is missing, to the same bits; false where some cell is. */
function sumPlainRows(
  x: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
  sums: Float64Array,
  at: number,
): boolean {
  let sum = 0
  let sum1 = 0
  let squares = 0
  let squares1 = 0
  let i = from
  for (; i + 1 < to; i += 2) {
    const cell = x[order[i]]
    const cell1 = x[order[i + 1]]
    sum += cell
    sum1 += cell1
    squares += cell * cell
    squares1 += cell1 * cell1
  }
  if (i < to) {
    const cell = x[order[i]]
    sum += cell
    squares += cell * cell
  }
  sums[at] = to - from
  sums[at + 1] = sum + sum1
  sums[at + 2] = squares + squares1
  // a missing cell is in both
  return squares === squares && squares1 === squares1
}

/** sums[at …] = Σ w (1, x, x²) over the rows order[from] … order[to − 1] that hold x. */
function sumRows(
  x: Float64Array,
  weight: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
  sums: Float64Array,
  at: number,
): void {
  let n = 0
  let n1 = 0
  let sum = 0
  let sum1 = 0
  let squares = 0
  let squares1 = 0
  for (let i = from; i < to; i += 2) {
    const row = order[i]
    const cell = x[row]
    if (cell === cell) {
      const wx = weight[row] * cell
      n += weight[row]
      sum += wx
      squares += wx * cell
    }
    if (i + 1 === to) break
    const row1 = order[i + 1]
    const cell1 = x[row1]
    if (cell1 !== cell1) continue
    const wx1 = weight[row1] * cell1
    n1 += weight[row1]
    sum1 += wx1
    squares1 += wx1 * cell1
  }
  sums[at] = n + n1
  sums[at + 1] = sum + sum1
  sums[at + 2] = squares + squares1
}
