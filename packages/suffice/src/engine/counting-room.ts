/**
 * Where the chunks of a sweep are counted: the first into the total, all others into one array that is then added. In a room of the kernels
 * that count words, if there are enough of them.
 *
 * Words that are only counted are whole numbers, whose sums are exact in whatever order: all chunks then go into the total, and in single
 * precision while that is exact too. It takes half the memory, and that is what counting waits for.
 */
import type { Bags, Chunk } from "../contract.ts"
import { allOnes } from "../kernels/all-ones.ts"
import { type BagRoom, giveBack, lend, roomOfLent, WORTH } from "../kernels/bag-rooms.ts"
import { EXACT, wholeIn } from "../kernels/bag-rows.ts"
import type { Laid } from "./lay.ts"

export class CountingRoom {
  readonly #laid: Laid
  /** For two arrays. */
  readonly #lent: Float64Array | undefined
  /** What no number of the total exceeds, all being whole; Infinity: that is not known. */
  #most: number
  #total: Float64Array | undefined
  #part: Float64Array | undefined

  /** `certain`: nothing is hidden. */
  constructor(laid: Laid, certain: boolean, first: Chunk) {
    const { columns, statistics } = laid
    let words = 0
    columns.forEach(({ kind }, place) => {
      if (kind === "bag") for (const { cells } of first) words += (cells[place] as Bags).words.length
    })
    this.#laid = laid
    this.#lent = 8 * words < Math.max(statistics, WORTH) ? undefined : lend(2 * statistics)
    this.#most = certain && this.#lent ? 0 : Infinity
  }

  /** Zeros, or the total, where this chunk is counted into it. */
  numbersFor(chunk: Chunk): Float64Array {
    const lent = this.#lent
    const { statistics } = this.#laid
    if (this.#most < EXACT) this.#most += largestSum(this.#laid, chunk, roomOfLent(lent!))
    if (this.#most < EXACT) {
      this.#total ??= wholeIn(lent!, statistics)
      return this.#total
    }
    const at = this.#total ? statistics : 0
    const numbers = this.#part ?? lent?.subarray(at, at + statistics) ?? new Float64Array(statistics)
    if (at) this.#part = numbers
    else this.#total = numbers
    return numbers.fill(0)
  }

  close(): void {
    if (this.#lent) giveBack(this.#lent)
  }
}

/** No number of the chunk's statistics is larger, if all rows weigh 1 and all they add are whole numbers; else Infinity. */
function largestSum({ columns, parts, switches }: Laid, chunk: Chunk, { largestWhole }: BagRoom): number {
  if (switches.some(node => node.hidden)) return Infinity
  let sum = 0
  for (const part of parts) {
    if (part.isChoice) continue
    const [column] = part.columns
    if (!part.leaf.lengthGiven || column.kind !== "bag" || (column.text.scaling ?? "raw") !== "raw")
      return Infinity
    const place = columns.findIndex(({ name }) => name === part.names[0])
    for (const { rows, weight, cells } of chunk) {
      if (sum === Infinity || !allOnes(weight, rows)) return Infinity
      // a row has each word once
      sum += rows * Math.max(largestWhole((cells[place] as Bags).counts), 1)
    }
  }
  return sum
}
