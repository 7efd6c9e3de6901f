/** The memory of an instance that is used anew in every call. */
export interface WithMemory {
  readonly memory: WebAssembly.Memory
  heapBase(): number
}

export const PAGE = 65536

/** The first so many: mostly all of them. */
export function first<T extends Float64Array | Int32Array>(cells: T, count: number): T {
  return cells.length === count ? cells : (cells.subarray(0, count) as T)
}

/** The memory of an instance, as numbers and as integers. */
export class Memory<Wasm extends WithMemory> {
  readonly wasm: Wasm
  readonly start: number
  numbers: Float64Array
  integers: Int32Array
  #view: Float64Array

  /** `after` so many numbers that others have. */
  constructor(wasm: Wasm, after = 0) {
    this.wasm = wasm
    this.start = Math.ceil(wasm.heapBase() / 16) * 2 + after
    this.numbers = new Float64Array(wasm.memory.buffer)
    this.integers = new Int32Array(wasm.memory.buffer)
    this.#view = this.numbers
  }

  /** So many numbers, from the beginning of the room on. */
  view(count: number): Float64Array {
    if (this.#view.length !== count || this.#view.buffer !== this.numbers.buffer) {
      this.#view = this.numbers.subarray(this.start, this.start + count)
    }
    return this.#view
  }

  /** Room for so many numbers, and some alignment: where it begins, in numbers. */
  begin(count: number): number {
    const missing = this.start + count + 16 - this.numbers.length
    if (missing > 0) {
      this.wasm.memory.grow(Math.ceil((8 * missing) / PAGE))
      this.numbers = new Float64Array(this.wasm.memory.buffer)
      this.integers = new Int32Array(this.wasm.memory.buffer)
    }
    return this.start
  }
}
