/**
 * A WebAssembly memory that fast kernels compute in, and the arrays in it. It never grows: growing detaches its arrays, and from then on V8 checks
 * every typed array of the program at each access, which costs a third more time. So it is opened at its full size; untouched pages cost nothing.
 */
import type { Exports } from "./exports.ts"

const PAGE = 65536
/** Arrays are aligned to cache lines: the slots of a word then touch fewer of them. */
const LINE = 64

/** An arena with this many free bytes; undefined if the engine has no memory for it. */
export type OpenArena = (bytes: number) => Arena | undefined

export class Arena {
  readonly wasm: Exports
  readonly buffer: ArrayBuffer
  /** The whole arena as numbers and as integers: number i begins at integer 2i and byte 8i. */
  readonly numbers: Float64Array
  readonly integers: Int32Array
  /** The first free byte. */
  #top: number

  constructor(wasm: Exports) {
    this.wasm = wasm
    this.buffer = wasm.memory.buffer
    this.numbers = new Float64Array(this.buffer)
    this.integers = new Int32Array(this.buffer)
    this.#top = align(wasm.heapBase())
  }

  /** Reserves this many bytes; returns where they begin. */
  reserve(bytes: number): number {
    const at = this.#top
    this.#top = align(at + bytes)
    return at
  }

  /** An array of zeros, for the lifetime of the arena. */
  allocate(length: number): Float64Array {
    return new Float64Array(this.buffer, this.reserve(8 * length), length)
  }

  allocateIntegers(length: number): Int32Array {
    return new Int32Array(this.buffer, this.reserve(4 * length), length)
  }
}

function align(bytes: number): number {
  return Math.ceil(bytes / LINE) * LINE
}

/** Arenas of one module. */
export function arenasOf(module: WebAssembly.Module): OpenArena {
  return bytes => {
    try {
      // one more page: for the module's own data, for alignment, and for kernels that read ahead
      const memory = new WebAssembly.Memory({ initial: 1 + Math.ceil(bytes / PAGE) })
      const { exports } = new WebAssembly.Instance(module, { env: { memory } })
      return new Arena(exports as unknown as Exports)
    } catch {
      return undefined
    }
  }
}

/** The first `count` elements: usually all of them. */
export function first<T extends Float64Array | Int32Array>(cells: T, count: number): T {
  return cells.length === count ? cells : (cells.subarray(0, count) as T)
}

/** Rounded up to an even number, as registers hold two numbers. */
export function even(count: number): number {
  return (count + 1) & -2
}
