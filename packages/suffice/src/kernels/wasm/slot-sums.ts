/**
 * Weights in wasm: they are copied in once, and then column after column is summed or counted with them. Few rows, and tables of levels that
 * are larger than the rows, are not worth the copies and go to the TypeScript twins, whose bits are the same.
 */
import { allOnes } from "../all-ones.ts"
import { countLevels } from "../level-counts.ts"
import { SlotSums, SortedRows, WeightSums } from "../slot-sums.ts"
import { first, Memory, type WithMemory } from "./memory.ts"

/** What assembly/slot-sums.ts exports. Places are bytes. */
export interface SumExports extends WithMemory {
  sumPlain(...places: [x: number, order: number, starts: number, slots: number, sums: number]): void
  sumWeighted(
    ...places: [x: number, weight: number, order: number, starts: number, slots: number, sums: number]
  ): void
  sumEach(...places: [x: number, rows: number, slots: number, weights: number, sums: number]): void
  countOne(
    ...places: [codes: number, rows: number, slots: number, slot: number, weight: number, counts: number]
  ): void
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

/** A column comes first; then the weights; then, of rows with one slot each, their slots, and the rows sorted by slot. */
class WasmSums extends WeightSums {
  readonly #shared: Shared
  readonly #few = new SlotSums()
  #little = this.weights
  #isLittle = true
  readonly #sorted = new SortedRows()
  #isSorted = false
  #isPlain = false
  #isTurned = false
  // places, in numbers
  #x = 0
  #weights = 0
  #slot = 0
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
    const { rows, slots } = this
    if (this.#shared.owner === this) this.#shared.owner = undefined
    this.#isLittle = rows < FEW || slots * rows > MANY
    if (this.#isLittle) this.#little = this.#few.given(this.weights, rows, slots)
  }

  protected sum(x: Float64Array): Float64Array {
    if (this.#isLittle) return this.#little.sums(x)
    const { rows, slots, weights } = this
    const { wasm, numbers } = this.#bring(3 * slots)
    numbers.set(first(x, rows), this.#x)
    const column = 8 * this.#x
    const out = 8 * this.#behind
    if (weights.form === "each") wasm.sumEach(column, rows, slots, 8 * this.#weights, out)
    else {
      if (!this.#isSorted) this.#sort(weights.slot, weights.weight)
      if (this.#isPlain) wasm.sumPlain(column, 8 * this.#order, 8 * this.#starts, slots, out)
      if (!this.#isPlain || this.#hasHole(numbers)) {
        wasm.sumWeighted(column, 8 * this.#weights, 8 * this.#order, 8 * this.#starts, slots, out)
      }
    }
    if (this.#sums.length < 3 * slots) this.#sums = new Float64Array(3 * slots)
    for (let j = 0; j < 3 * slots; j++) this.#sums[j] = numbers[this.#behind + j]
    return this.#sums
  }

  protected count(codes: Int32Array, stats: Float64Array): void {
    const { rows, slots, weights } = this
    const isOne = weights.form === "one"
    const width = isOne ? slots : even(slots)
    const size = (stats.length / slots) * width
    if (this.#isLittle || size > LARGE * rows) {
      countLevels(codes, rows, slots, weights, stats)
      return
    }
    const { wasm, numbers, integers } = this.#bring(size)
    integers.set(first(codes, rows), 2 * this.#x)
    const behind = this.#behind
    for (let from = 0, to = behind; from < stats.length; from += slots, to += width) {
      for (let p = 0; p < slots; p++) numbers[to + p] = stats[from + p]
    }
    const column = 8 * this.#x
    const out = 8 * behind
    if (isOne) wasm.countOne(column, rows, slots, 8 * this.#slot, 8 * this.#weights, out)
    else {
      if (!this.#isTurned) wasm.turnWeights(8 * this.#weights, rows, slots, width, 8 * this.#turned)
      this.#isTurned = true
      wasm.countEach(column, rows, width, 8 * this.#turned, out)
    }
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
    const isOne = weights.form === "one"
    const x = room.begin(0)
    this.#x = x
    this.#weights = x + even(rows)
    this.#slot = this.#weights + even(isOne ? rows : slots * rows)
    this.#order = this.#slot + (isOne ? even(rows) : 0)
    this.#starts = this.#order + (isOne ? even(rows) : 0)
    this.#turned = this.#starts + (isOne ? even(slots + 1) : 0)
    this.#behind = this.#turned + (isOne ? 0 : rows * even(slots))
    room.begin(this.#behind - x + out)
    if (weights.form === "one") {
      room.numbers.set(first(weights.weight, rows), this.#weights)
      room.integers.set(first(weights.slot, rows), 2 * this.#slot)
    } else room.numbers.set(first(weights.values, slots * rows), this.#weights)
    this.#isSorted = false
    this.#isTurned = false
    this.#shared.owner = this
    return room
  }

  #sort(slot: Int32Array, weight: Float64Array): void {
    const { rows, slots } = this
    const { integers } = this.#shared.room
    this.#sorted.sort(slot, rows, slots)
    const { order, starts } = this.#sorted
    for (let i = 0; i < rows; i++) integers[2 * this.#order + i] = 8 * order[i]
    for (let p = 0; p <= slots; p++) integers[2 * this.#starts + p] = starts[p]
    this.#isPlain = allOnes(weight, rows)
    this.#isSorted = true
  }

  #hasHole(numbers: Float64Array): boolean {
    for (let p = 0; p < this.slots; p++) {
      const squares = numbers[this.#behind + 3 * p + 2]
      if (squares !== squares) return true
    }
    return false
  }
}

function even(count: number): number {
  return (count + 1) & -2
}
