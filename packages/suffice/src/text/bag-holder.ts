/** Bags of a chunk under construction: words and counts one after the other, and where each bag ends. */
import type { BagSink, Bags, Cell, Holder, Strangers } from "../contract.ts"
import { notABag } from "../errors.ts"

/** The words of a cell into the bag, in order of their codes, each once; `unknown` hears of words that were never met. False: no bag. */
export type ReadBag = (cell: Cell, bag: BagSink, unknown: ((word: string) => void) | undefined) => boolean

const noNumbers = /* @__PURE__ */ new Float64Array(0)
const noCodes = /* @__PURE__ */ new Int32Array(0)

export class BagHolder implements Holder, BagSink {
  readonly #name: string
  readonly #readBag: ReadBag
  /** Hears of words that were never met; one for all rows: where it is, is set row by row. */
  readonly #unknown = (word: string): void => this.#tell?.(this.#row, this.#name, word)
  #tell: Strangers["word"]
  #row = 0
  #offsets = noCodes
  #bags = 0
  #words = noCodes
  #counts = noNumbers
  #length = 0
  #reuse = false
  #cut: Bags | undefined

  constructor(name: string, readBag: ReadBag) {
    this.#name = name
    this.#readBag = readBag
  }

  /** Unless its room is used again, what is cut is a copy, or gone from here. */
  begin(rows: number, reuse: boolean): void {
    this.#reuse = reuse
    if (this.#offsets.length <= rows) this.#offsets = new Int32Array(rows + 1)
    this.#bags = 0
    this.#length = 0
  }

  read(
    cells: ArrayLike<Cell>,
    first: number,
    from: number,
    to: number,
    _at: number,
    { word }: Strangers,
  ): void {
    this.#tell = word
    const unknown = word && this.#unknown
    for (let i = from; i < to; i++) {
      const cell = cells[i]
      this.#row = first + i
      if (isSeen(cell) && !this.#readBag(cell, this, unknown)) throw notABag(cell, this.#row, this.#name)
      this.skip(1)
    }
  }

  /** So many bags end here. */
  skip(count: number): void {
    for (let i = 0; i < count; i++) this.#offsets[++this.#bags] = this.#length
  }

  /** In order of their codes, each once. */
  addWords(codes: Int32Array, counts: Float64Array, size: number): void {
    const at = this.#length
    if (at + size > this.#words.length) {
      const length = 2 * at + size + 64
      this.#words = longer(this.#words, new Int32Array(length))
      this.#counts = longer(this.#counts, new Float64Array(length))
    }
    const words = this.#words
    const own = this.#counts
    for (let t = 0; t < size; t++) {
      words[at + t] = codes[t]
      own[at + t] = counts[t]
    }
    this.#length = at + size
  }

  cut(from: number, to: number): Bags {
    const start = this.#offsets[from]
    const end = this.#offsets[to]
    if (from === 0 && to === this.#bags)
      return this.#reuse && this.#offsets.length === 2 ? this.#only() : this.#whole(end)
    const offsets = this.#offsets.slice(from, to + 1)
    for (let i = 0; i < offsets.length; i++) offsets[i] -= start
    return { offsets, words: this.#words.slice(start, end), counts: this.#counts.slice(start, end) }
  }

  /** The only bag there is room for, in arrays that may be longer than it is. */
  #only(): Bags {
    if (this.#cut?.words !== this.#words) {
      this.#cut = { offsets: this.#offsets, words: this.#words, counts: this.#counts }
    }
    this.#cut.scaled = undefined
    return this.#cut
  }

  /** All that is here: nothing is copied. */
  #whole(end: number): Bags {
    const bags: Bags = {
      offsets: this.#offsets.subarray(0, this.#bags + 1),
      words: this.#words.subarray(0, end),
      counts: this.#counts.subarray(0, end),
    }
    if (!this.#reuse) {
      this.#offsets = noCodes
      this.#words = noCodes
      this.#counts = noNumbers
    }
    return bags
  }
}

/** NaN is missing too. */
function isSeen(cell: Cell): boolean {
  return cell !== null && cell !== undefined && (cell as unknown) === (cell as unknown)
}

function longer<T extends Float64Array | Int32Array>(old: T, fresh: T): T {
  fresh.set(old)
  return fresh
}
