/**
 * Sums in three levels: rows to a chunk, 64 chunks to a stretch, stretches to the total. Whoever sums a chunk or a stretch (this thread, another one, another
 * machine), the total has the same bits. Up to one chunk they are those of a plain sum.
 */

/** Chunks to a stretch. A constant, not an option: it decides the bits. */
export const CHUNKS_PER_STRETCH = 64

/** One number. */
export class TieredSum {
  #chunk = 0
  #stretch = 0
  #total = 0

  add(value: number): void {
    this.#chunk += value
  }

  endChunk(): void {
    this.#stretch += this.#chunk
    this.#chunk = 0
  }

  endStretch(): void {
    this.#total += this.#stretch
    this.#stretch = 0
  }

  /** The sum of the chunks of this stretch that have ended. */
  get part(): number {
    return this.#stretch
  }

  /** Chunks, or a whole stretch, that were summed elsewhere. */
  join(part: number): void {
    this.#stretch += part
  }

  get sum(): number {
    return this.#total + (this.#stretch + this.#chunk)
  }
}

/** Any number of sums, which grow with the largest index. */
export class TieredSums {
  #chunk = new Float64Array(0)
  #stretch = new Float64Array(0)
  #total = new Float64Array(0)

  /** Makes space for this many. */
  reach(length: number): void {
    if (this.#chunk.length >= length) return
    const longer = (before: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
      const after = new Float64Array(Math.max(2 * length, 1024))
      after.set(before)
      return after
    }
    this.#chunk = longer(this.#chunk)
    this.#stretch = longer(this.#stretch)
    this.#total = longer(this.#total)
  }

  /** The sums of the current chunk, to be added to. */
  get chunk(): Float64Array {
    return this.#chunk
  }

  endChunk(): void {
    empty(this.#chunk, this.#stretch)
  }

  endStretch(): void {
    empty(this.#stretch, this.#total)
  }

  /** The sums of the chunks of this stretch that have ended. */
  get part(): Float64Array {
    return this.#stretch
  }

  join(index: number, part: number): void {
    this.reach(index + 1)
    this.#stretch[index] += part
  }

  sum(index: number): number {
    if (index >= this.#total.length) return 0
    return this.#total[index] + (this.#stretch[index] + this.#chunk[index])
  }
}

function empty(from: Float64Array, into: Float64Array): void {
  for (let i = 0; i < from.length; i++) into[i] += from[i]
  from.fill(0)
}
