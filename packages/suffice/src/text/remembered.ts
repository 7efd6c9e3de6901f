/**
 * The bags of cells that are in memory, between the first pass and the second: then no text is cut into words twice, and no word of a list
 * looked up twice. Cells come again in the order in which they came; where one does not, it is read again.
 */
import type { BagSink, Cell } from "../contract.ts"
import type { Tally } from "./tally.ts"

/** Entries that are held together, unless a cell has more: at first, and at most. */
const LEAST = 1 << 12
const MOST = 1 << 18

interface Piece {
  readonly codes: Int32Array
  readonly counts: Int32Array
}

export class Remembered {
  readonly #cells: Cell[] = []
  /** Of each cell: the piece that holds its entries, and where they begin and end there. */
  readonly #pieces: Piece[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #piece: Piece = pieceOf(0)
  #length = 0
  /** What each code became, where some were left out; −1: nothing. */
  became: Int32Array | undefined
  /** Room for what of a cell was not left out. */
  #left: Piece = pieceOf(0)
  /** The cell that should come next. */
  #next = 0

  /** Counts that are not whole are not remembered. */
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

  /** The bag of this cell. False: it is not its turn. */
  fill(cell: Cell, bag: BagSink): boolean {
    const cells = this.#cells
    // a row with a soft label comes several times
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

  /** The words that were not left out, as they are numbered now. */
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
