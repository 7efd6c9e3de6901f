/**
 * The bags of texts that are in memory, between the first pass and the second: then no text is cut into words twice. Texts come again in
 * the order in which they came; where one does not, it is cut again.
 */
import { giveInOrder } from "./sort.ts"
import type { Tally } from "./tally.ts"

/** Entries that are held together, unless a text has more. */
const PIECE = 1 << 18

interface Piece {
  readonly codes: Int32Array
  readonly counts: Int32Array
}

export class Remembered {
  readonly #texts: string[] = []
  /** Of each text: the piece that holds its entries, and where they begin and end there. */
  readonly #pieces: Piece[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #piece: Piece = pieceOf(0)
  #length = 0
  /** What each code became; −1: nothing. */
  #became = new Int32Array(0)
  /** The text that should come next. */
  #next = 0
  /** The bag that is asked for. */
  #words = new Int32Array(0)
  #sizes = new Float64Array(0)

  add(text: string, { codes, counts, size }: Tally): void {
    if (this.#length + size > this.#piece.codes.length) {
      this.#piece = pieceOf(Math.max(size, PIECE))
      this.#length = 0
    }
    const start = this.#length
    const piece = this.#piece
    for (let t = 0; t < size; t++) {
      piece.codes[start + t] = codes[t]
      piece.counts[start + t] = counts[t]
    }
    this.#length += size
    this.#texts.push(text)
    this.#pieces.push(piece)
    this.#starts.push(start)
    this.#ends.push(this.#length)
  }

  /** The words of the column, by the codes they had: word w was codes[w], of so many. */
  settle(codes: Int32Array, size: number): void {
    this.#became = new Int32Array(size).fill(-1)
    for (let w = 0; w < codes.length; w++) this.#became[codes[w]] = w
    this.#words = new Int32Array(codes.length)
    this.#sizes = new Float64Array(codes.length)
  }

  /** The bag of this text, in order of its words. False: it is not its turn. */
  fill(text: string, bag: { addWord(code: number, count: number): void }): boolean {
    const texts = this.#texts
    // a row with a soft label comes several times
    if (texts[this.#next] !== text && texts[--this.#next] !== text) {
      this.#next++
      return false
    }
    const b = this.#next++
    const { codes, counts } = this.#pieces[b]
    const end = this.#ends[b]
    const words = this.#words
    const sizes = this.#sizes
    let size = 0
    for (let t = this.#starts[b]; t < end; t++) {
      const word = this.#became[codes[t]]
      if (word < 0) continue
      words[size] = word
      sizes[size++] = counts[t]
    }
    giveInOrder(words, sizes, size, bag)
    return true
  }
}

function pieceOf(entries: number): Piece {
  return { codes: new Int32Array(entries), counts: new Int32Array(entries) }
}
