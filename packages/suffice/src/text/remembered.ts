/**
 * Keeps the bags of cells in memory from the first pass to the second, so that no text is tokenised twice, and no word of a list looked up
 * twice. Cells come again in the same order; one that does not is read again.
 */
import type { Cell } from "../contract/cells.ts"
import type { BagSink } from "../contract/door.ts"
import type { Tally } from "./tally.ts"

/** Entries per piece, unless a cell has more: of the first piece, and at most. */
const LEAST = 1 << 12
const MOST = 1 << 18

interface Piece {
  readonly codes: Int32Array
  readonly counts: Int32Array
}

export class Remembered {
  readonly #cells: Cell[] = []
  /** For each cell: the piece with its entries, and where they start and end in it. */
  readonly #pieces: Piece[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #piece: Piece = pieceOf(0)
  #length = 0
  /** The new code of each code, if some were left out; −1 if it was. */
  became: Int32Array | undefined
  /** Scratch for the entries of a cell that were not left out. */
  #left: Piece = pieceOf(0)
  /** The cell that should come next. */
  #next = 0

  /** Cells with fractional counts are not remembered. */
  add(cell: Cell, { codes, counts, size }: Tally): void {
    const { length } = this.#piece.codes
    if (this.#length + size > length) {
      this.#piece = pieceOf(Math.max(size, Math.min(4 * length + LEAST, MOST)))
      this.#length = 0
    }
    const start = this.#length
    const piece = this.#piece
    for (let t = 0; t < size; t++) {
      piece.codes[start + t] = codes[t]
      piece.counts[start + t] = counts[t]
      if (piece.counts[start + t] !== counts[t]) return
    }
    this.#length += size
    this.#cells.push(cell)
    this.#pieces.push(piece)
    this.#starts.push(start)
    this.#ends.push(this.#length)
  }

  /** Adds the bag of this cell. False if it is not the expected cell. */
  fill(cell: Cell, bag: BagSink): boolean {
    const cells = this.#cells
    // a row with a soft label comes more than once
    if (cells[this.#next] !== cell && cells[--this.#next] !== cell) {
      this.#next++
      return false
    }
    const b = this.#next++
    const { codes, counts } = this.#pieces[b]
    if (this.became) this.#giveLeft(codes, counts, this.#starts[b], this.#ends[b], this.became, bag)
    else bag.addWords(codes, counts, this.#starts[b], this.#ends[b])
    return true
  }

  /** The words that were not left out, with their new codes. */
  #giveLeft(
    codes: Int32Array,
    counts: Int32Array,
    from: number,
    to: number,
    became: Int32Array,
    bag: BagSink,
  ): void {
    if (this.#left.codes.length < to - from) this.#left = pieceOf(2 * (to - from))
    const left = this.#left
    let size = 0
    for (let t = from; t < to; t++) {
      left.codes[size] = became[codes[t]]
      left.counts[size] = counts[t]
      if (left.codes[size] >= 0) size++
    }
    bag.addWords(left.codes, left.counts, 0, size)
  }
}

function pieceOf(entries: number): Piece {
  return { codes: new Int32Array(entries), counts: new Int32Array(entries) }
}
