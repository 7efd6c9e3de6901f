/**
 * A memory that fast kernels compute in, and the arrays in it. It never grows: that would take its arrays away, and from then on engines check
 * every array of the program wherever it is read, a third more time. So it is opened as large as it will ever be; pages that nobody touches cost
 * nothing.
 */
import type { Exports } from "./exports.ts"

const PAGE = 65536
/** Arrays begin at lines of the cache: words then reach into fewer of them. */
const LINE = 64

/** An arena with this many free bytes; undefined where the engine has no memory left for one. */
export type OpenArena = (bytes: number) => Arena | undefined

export class Arena {
  readonly wasm: Exports
  readonly buffer: ArrayBuffer
  /** All of it, as numbers and as integers: what begins at number i begins at integer 2i and byte 8i. */
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

  /** Takes this many bytes: where they begin. */
  reserve(bytes: number): number {
    const at = this.#top
    this.#top = align(at + bytes)
    return at
  }

  /** An array of numbers, zeros to begin with, for as long as the arena is there. */
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
      // one page more: for what the module itself holds, for alignment, and for kernels that read some lines ahead
      const memory = new WebAssembly.Memory({ initial: 1 + Math.ceil(bytes / PAGE) })
      const { exports } = new WebAssembly.Instance(module, { env: { memory } })
      return new Arena(exports as unknown as Exports)
    } catch {
      return undefined
    }
  }
}

/** The first `count` elements: mostly all of them. */
export function first<T extends Float64Array | Int32Array>(cells: T, count: number): T {
  return cells.length === count ? cells : (cells.subarray(0, count) as T)
}

/** Rounded up to whole registers of two numbers. */
export function even(count: number): number {
  return (count + 1) & -2
}
