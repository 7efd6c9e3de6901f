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
  /** The first number that is free. */
  readonly start: number
  numbers!: Float64Array
  integers!: Int32Array

  /** `after` so many numbers that others have. */
  constructor(wasm: Wasm, after = 0) {
    this.wasm = wasm
    this.start = Math.ceil(wasm.heapBase() / 16) * 2 + after
    this.#grow(0)
  }

  /** There is room for so many numbers, and some alignment. */
  begin(count: number): void {
    const missing = this.start + count + 16 - this.numbers.length
    if (missing > 0) this.#grow(missing)
  }

  #grow(numbers: number): void {
    const { memory } = this.wasm
    if (numbers > 0) memory.grow(Math.ceil((8 * numbers) / PAGE))
    this.numbers = new Float64Array(memory.buffer)
    this.integers = new Int32Array(memory.buffer)
  }
}
