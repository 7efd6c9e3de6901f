/**
 * Weights are copied into the memory of fast kernels once, and then used for column after column. Cases that are not worth the copies (few rows,
 * tables of levels that are larger than the rows, sums with one slot per row and weights other than 1) go to the plain twins, to the same bits.
 */
import { allOnes } from "../all-ones.ts"
import { SlotSums, WeightSums } from "../slot-sums.ts"
import { type Arena, even, first } from "./arena.ts"
import type { RowMemory } from "./row-memory.ts"

/** Fewer rows are not worth the copies. */
const FEW = 8
/** Nor are tables of more than this many times as many numbers as there are rows. */
const LARGE = 2

/** Layout: a column copied in; the weights; then for "one" the slots and the rows sorted by slot, for "each" the weights transposed; then the sums. */
export class FastSums extends WeightSums {
  readonly #memory: RowMemory
  /** The plain twin. */
  readonly #slow = new SlotSums()
  #given = this.weights
  /** The rows are worth copying. */
  #isHere = false
  /** One slot per row, and all weights 1. */
  #isPlain = false
  /** The rows are sorted, or the weights transposed. */
  #isArranged = false
  // offsets, in numbers
  #x = 0
  #weights = 0
  /** The slot of each row, or the transposed weights. */
  #beside = 0
  #order = 0
  #starts = 0
  #behind = 0
  /** At #behind. */
  #sums: Float64Array | undefined

  constructor(memory: RowMemory) {
    super()
    this.#memory = memory
  }

  protected renew(): void {
    const { rows, slots, weights } = this
    if (this.#memory.sumsOwner === this) this.#memory.sumsOwner = undefined
    this.#given = this.#slow.given(weights, rows, slots)
    this.#isHere = rows >= FEW && 4 * slots * rows <= this.#memory.sums.length
    this.#isPlain = weights.form === "one" && allOnes(weights.weight, rows)
  }

  protected sum(x: Float64Array): Float64Array {
    const { rows, slots, weights } = this
    const isOne = weights.form === "one"
    if (!this.#isHere || (isOne && !this.#isPlain)) return this.#given.sums(x)
    const { wasm, numbers } = this.#copyIn()
    let column = this.#memory.locate(x)
    if (column < 0) {
      numbers.set(first(x, rows), this.#x)
      column = 8 * this.#x
    }
    const sums = this.#sums!
    if (!isOne) {
      // the sums of a diagonal normal of one column
      wasm.absorbColumns(column, 0, rows, 1, slots, 8 * this.#weights, sums.fill(0).byteOffset, 0)
      return sums
    }
    if (!this.#isArranged) wasm.sortRows(8 * this.#beside, rows, slots, 8 * this.#order, 8 * this.#starts)
    this.#isArranged = true
    const isSeen = wasm.sumPlain(column, 8 * this.#order, 8 * this.#starts, slots, sums.byteOffset)
    return isSeen ? sums : this.#given.sums(x)
  }

  protected count(codes: Int32Array, stats: Float64Array): void {
    const { rows, slots, weights } = this
    const isOne = weights.form === "one"
    const width = isOne ? slots : even(slots)
    const size = (stats.length / slots) * width
    if (!this.#isHere || size > LARGE * rows) {
      this.#given.count(codes, stats)
      return
    }
    const { wasm, numbers, integers } = this.#copyIn()
    integers.set(first(codes, rows), 2 * this.#x)
    const behind = this.#behind
    for (let from = 0, to = behind; from < stats.length; from += slots, to += width) {
      for (let p = 0; p < slots; p++) numbers[to + p] = stats[from + p]
    }
    const column = 8 * this.#x
    const given = 8 * this.#weights
    const beside = 8 * this.#beside
    if (isOne) wasm.countOne(column, rows, slots, beside, given, 8 * behind)
    else {
      if (!this.#isArranged) wasm.turnWeights(given, rows, slots, width, beside)
      this.#isArranged = true
      wasm.countEach(column, rows, width, beside, 8 * behind)
    }
    for (let to = 0, from = behind; to < stats.length; to += slots, from += width) {
      for (let p = 0; p < slots; p++) stats[to + p] = numbers[from + p]
    }
  }

  /** Copies the weights in, unless they are there, and sets the offsets. */
  #copyIn(): Arena {
    const { arena, sums, sumsOwner } = this.#memory
    if (sumsOwner === this) return arena
    const { rows, slots, weights } = this
    const isOne = weights.form === "one"
    const all = isOne ? rows : slots * rows
    const x = sums.start
    this.#x = x
    this.#weights = x + even(rows)
    this.#beside = this.#weights + even(all)
    this.#order = this.#beside + even(rows)
    this.#starts = this.#order + even(rows)
    const behind = isOne ? this.#starts + even(slots + 1) : this.#beside + rows * even(slots)
    if (this.#behind !== behind || this.#sums?.length !== 3 * slots) {
      this.#sums = arena.numbers.subarray(behind, behind + 3 * slots)
    }
    this.#behind = behind
    arena.numbers.set(first(isOne ? weights.weight : weights.values, all), this.#weights)
    if (isOne) arena.integers.set(first(weights.slot, rows), 2 * this.#beside)
    this.#isArranged = false
    this.#memory.sumsOwner = this
    return arena
  }
}
