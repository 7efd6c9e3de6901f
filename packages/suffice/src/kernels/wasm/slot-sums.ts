/**
 * Weights in wasm: they are copied in once, and then column after column is summed or counted with them. What is not worth the copies (few
 * rows, tables of levels that are larger than the rows, rows of one slot and a weight of their own) goes to the TypeScript twins, whose
 * bits are the same.
 */
import { allOnes } from "../all-ones.ts"
import { SlotSums, SortedRows, WeightSums } from "../slot-sums.ts"
import { first, Memory, type WithMemory } from "./memory.ts"

/** What assembly/slot-sums.ts exports. Places are bytes. */
export interface SumExports extends WithMemory {
  sumPlain(...places: [x: number, order: number, starts: number, slots: number, sums: number]): void
  sumEach(...places: [x: number, rows: number, slots: number, weights: number, sums: number]): void
  countEach(...places: [codes: number, rows: number, width: number, values: number, counts: number]): void
  turnWeights(...places: [values: number, rows: number, slots: number, width: number, out: number]): void
}

/** Fewer rows are not worth the copies; more numbers take too much room. */
const FEW = 8
const MANY = 0x400000
/** Tables with more numbers than this many times the rows are not worth it either. */
const LARGE = 2

export function wasmSums(open: () => SumExports): () => WeightSums {
  let shared: Shared | undefined
  return () => {
    shared ??= { room: new Memory(open()), owner: undefined }
    return new WasmSums(shared)
  }
}

interface Shared {
  readonly room: Memory<SumExports>
  /** Whose weights are in it. */
  owner: WasmSums | undefined
}

/** A column comes first; then, of rows with one slot each, the rows sorted by slot; else the weights, and they once more side by side. */
class WasmSums extends WeightSums {
  readonly #shared: Shared
  /** What is done in TypeScript. */
  readonly #plain = new SlotSums()
  #given = this.weights
  /** In wasm: weights for every slot, or rows of weight 1. */
  #isHere = false
  readonly #sorted = new SortedRows()
  #isTurned = false
  // places, in numbers
  #x = 0
  #weights = 0
  #order = 0
  #starts = 0
  #turned = 0
  #behind = 0
  #sums = new Float64Array(0)

  constructor(shared: Shared) {
    super()
    this.#shared = shared
  }

  protected renew(): void {
    const { rows, slots, weights } = this
    if (this.#shared.owner === this) this.#shared.owner = undefined
    this.#given = this.#plain.given(weights, rows, slots)
    this.#isHere =
      rows >= FEW && slots * rows <= MANY && (weights.form === "each" || allOnes(weights.weight, rows))
  }

  protected sum(x: Float64Array): Float64Array {
    if (!this.#isHere) return this.#given.sums(x)
    const { rows, slots, weights } = this
    const { wasm, numbers } = this.#bring(3 * slots)
    numbers.set(first(x, rows), this.#x)
    const column = 8 * this.#x
    const behind = this.#behind
    if (weights.form === "each") wasm.sumEach(column, rows, slots, 8 * this.#weights, 8 * behind)
    else {
      wasm.sumPlain(column, 8 * this.#order, 8 * this.#starts, slots, 8 * behind)
      if (hasHole(numbers, behind, slots)) return this.#given.sums(x)
    }
    if (this.#sums.length < 3 * slots) this.#sums = new Float64Array(3 * slots)
    for (let j = 0; j < 3 * slots; j++) this.#sums[j] = numbers[behind + j]
    return this.#sums
  }

  protected count(codes: Int32Array, stats: Float64Array): void {
    const { rows, slots, weights } = this
    const width = even(slots)
    const size = (stats.length / slots) * width
    // one slot per row: a row adds one number, which is not worth a copy
    if (weights.form === "one" || !this.#isHere || size > LARGE * rows) {
      this.#given.count(codes, stats)
      return
    }
    const { wasm, numbers, integers } = this.#bring(size)
    integers.set(first(codes, rows), 2 * this.#x)
    const behind = this.#behind
    for (let from = 0, to = behind; from < stats.length; from += slots, to += width) {
      for (let p = 0; p < slots; p++) numbers[to + p] = stats[from + p]
    }
    if (!this.#isTurned) wasm.turnWeights(8 * this.#weights, rows, slots, width, 8 * this.#turned)
    this.#isTurned = true
    wasm.countEach(8 * this.#x, rows, width, 8 * this.#turned, 8 * behind)
    for (let to = 0, from = behind; to < stats.length; to += slots, from += width) {
      for (let p = 0; p < slots; p++) stats[to + p] = numbers[from + p]
    }
  }

  /** The weights are there, and behind them room for so many numbers. */
  #bring(out: number): Memory<SumExports> {
    const { room } = this.#shared
    const { rows, slots, weights } = this
    if (this.#shared.owner === this) {
      room.begin(this.#behind - this.#x + out)
      return room
    }
    const x = room.begin(0)
    this.#x = x
    this.#order = x + even(rows)
    this.#starts = this.#order + even(rows)
    this.#weights = x + even(rows)
    this.#turned = this.#weights + even(slots * rows)
    this.#behind = weights.form === "one" ? this.#starts + even(slots + 1) : this.#turned + rows * even(slots)
    room.begin(this.#behind - x + out)
    if (weights.form === "one") {
      const { order, starts } = this.#sorted.sort(weights.slot, rows, slots)
      const { integers } = room
      for (let i = 0; i < rows; i++) integers[2 * this.#order + i] = 8 * order[i]
      for (let p = 0; p <= slots; p++) integers[2 * this.#starts + p] = starts[p]
    } else room.numbers.set(first(weights.values, slots * rows), this.#weights)
    this.#isTurned = false
    this.#shared.owner = this
    return room
  }
}

/** A missing cell is in the sums of its slot. */
function hasHole(numbers: Float64Array, sums: number, slots: number): boolean {
  for (let p = 0; p < slots; p++) {
    const squares = numbers[sums + 3 * p + 2]
    if (squares !== squares) return true
  }
  return false
}

function even(count: number): number {
  return (count + 1) & -2
}
