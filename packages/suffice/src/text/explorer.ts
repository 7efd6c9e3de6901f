/**
 * The first pass over a column of bags: which words occur, and in how many documents each; a row of weight w counts as w documents.
 *
 * The vocabulary is the words that occur, in order of first occurrence; or those of them within limits on their number of documents (cells of
 * training rows with weight); or a given list; or buckets. Words of an earlier model come first. Words that occur early tend to be frequent: in this
 * order their parameters are adjacent, and stay in the cache.
 */
import type { Cell } from "../contract/cells.ts"
import type { Column, Need, TextOptions } from "../contract/columns.ts"
import type { WordsPart } from "../contract/door.ts"
import { SufficeError, show } from "../errors.ts"
import { TieredSum, TieredSums } from "../kernels/tiered.ts"
import { bucketNames, bucketOf } from "./hash.ts"
import { Remembered } from "./remembered.ts"
import { runOf, type SparseDocument, type SparseSource } from "./sparse.ts"
import { Tally } from "./tally.ts"
import { type EachWord, isPlain, type WordSink } from "./tokenise.ts"
import { WordTable } from "./word-table.ts"

type BagNeed = Extract<Need, { kind: "bag" }>
type BagColumn = Extract<Column, { kind: "bag" }>

/** Are the words a selection of those that occur? Then an unknown word is not necessarily new. */
export function isChosen({ minDocuments, maxDocuments, maxWords }: TextOptions): boolean {
  return minDocuments !== undefined || maxDocuments !== undefined || maxWords !== undefined
}

/** Which words of a source occur: by their codes there, the weight of their documents, or 1 if that is not needed. */
interface Met {
  readonly weights: Float64Array
  /** How many do not occur yet. */
  left: number
}

export class WordExplorer implements WordSink {
  readonly #need: BagNeed
  readonly #earlier: BagColumn | undefined
  readonly #scaling: TextOptions["scaling"]
  readonly #each: EachWord
  readonly #table: WordTable
  /** The number of words known before the first row. */
  readonly #before: number
  /** May words be added? */
  readonly #open: boolean
  readonly #inBytes: boolean
  readonly #counting: boolean
  readonly remembered: Remembered | undefined
  /** The words of the column once it is made, unless some were left out. */
  table: WordTable | undefined
  readonly #tally = new Tally()
  /** For sparse counts. Their words get codes at the end, in the order of their source, so that codes usually agree. */
  readonly #met = new Map<SparseSource, Met>()
  /** The weight of the documents so far, and of those that contain each word. */
  readonly #documents = new TieredSum()
  readonly #counts = new TieredSums()
  seen = false

  constructor(
    need: BagNeed,
    earlier: BagColumn | undefined,
    preferred: TextOptions["scaling"],
    each: EachWord,
    remember: boolean,
  ) {
    const { text, words } = need
    this.#need = need
    this.#earlier = earlier
    this.#scaling = earlier ? earlier.text.scaling : (text.scaling ?? preferred)
    this.#each = each
    this.#table = new WordTable(text.hash === undefined ? (words ?? earlier?.words) : [])
    this.#before = this.#table.size
    this.#open = words === undefined && !(earlier && isChosen(text))
    this.#inBytes = isPlain(text) && text.hash === undefined
    this.#counting = this.#scaling === "tfidf" || (isChosen(text) && this.#open)
    this.remembered = remember && text.hash === undefined ? new Remembered() : undefined
  }

  /** False if the cell is not a bag. */
  look(cell: Cell, weight: number): boolean {
    const tally = this.#tally
    if (this.#inBytes) {
      if (!this.#table.take(cell, this.#need.text.lowercase, this.#open, tally)) return false
    } else {
      tally.begin(0)
      if (!this.#each(cell, this)) return false
    }
    if (tally.any) this.seen = true
    this.remembered?.add(cell, tally)
    this.#documents.add(weight)
    if (this.#counting) this.#count(weight)
    return true
  }

  /** Sparse counts, a run at a time; one by one if documents are counted by bucket, since words share buckets. */
  run(cells: ArrayLike<Cell>, weights: Float64Array, from: number): number {
    const isHashed = this.#need.text.hash !== undefined
    const to = isHashed && this.#counting ? from : runOf(cells, from, weights.length, weights)
    if (to === from) return from
    const { source, row } = cells[from] as SparseDocument
    const { offsets, words } = source
    const start = offsets[row]
    const end = offsets[row + to - from]
    if (start < end) this.seen = true
    if (!this.#counting && (isHashed || !this.#open)) return to
    let met = this.#met.get(source)
    if (!met) {
      met = { weights: new Float64Array(words.length), left: words.length }
      this.#met.set(source, met)
    }
    if (this.#counting) this.#countRun(source, met, row, weights, from, to)
    else if (met.left > 0) meet(source, met, start, end)
    return to
  }

  #countRun(
    { offsets, codes }: SparseSource,
    met: Met,
    row: number,
    weights: Float64Array,
    from: number,
    to: number,
  ): void {
    for (let i = from, t = offsets[row]; i < to; i++) {
      const weight = weights[i]
      const end = offsets[row + i - from + 1]
      this.#documents.add(weight)
      for (; t < end; t++) met.weights[codes[t]] += weight
    }
  }

  /** Assigns codes to the words of sparse counts. */
  #name(): void {
    for (const [{ words }, { weights }] of this.#met) {
      words.forEach((word, w) => {
        const code = weights[w] > 0 ? this.#table.code(word, 0, word.length, this.#open) : -1
        if (code < 0) return
        this.#counts.reach(code + 1)
        this.#counts.chunk[code] += weights[w]
      })
    }
    this.#met.clear()
  }

  word(text: string, from: number, to: number, count: number): void {
    this.#tally.any = true
    const { hash } = this.#need.text
    if (hash !== undefined && !this.#counting) return
    const code =
      hash === undefined ? this.#table.code(text, from, to, this.#open) : bucketOf(text, from, to, hash)
    if (code >= 0) this.#tally.add(code, count)
  }

  /** Adds `weight` documents to the words of this one. */
  #count(weight: number): void {
    const { codes, size, stamps } = this.#tally
    this.#counts.reach(stamps.length)
    const counts = this.#counts.chunk
    for (let t = 0; t < size; t++) counts[codes[t]] += weight
  }

  endChunk(): void {
    this.#documents.endChunk()
    if (this.#counting) this.#counts.endChunk()
  }

  endStretch(): void {
    this.#documents.endStretch()
    if (this.#counting) this.#counts.endStretch()
  }

  /** Of the chunks of this stretch that have ended; the words are those of all rows so far. */
  part(): WordsPart {
    if (this.#met.size > 0) {
      this.#name()
      this.endChunk()
    }
    const counts: [number, number][] = []
    this.#counts.part.forEach((count, code) => {
      if (count > 0) counts.push([code, count])
    })
    const words = Array.from({ length: this.#table.size - this.#before }, (_, w) =>
      this.#table.word(this.#before + w),
    )
    return { seen: this.seen, documents: this.#documents.part, words, counts }
  }

  join({ seen, documents, words, counts }: WordsPart): void {
    if (seen) this.seen = true
    this.#documents.join(documents)
    const isHashed = this.#need.text.hash !== undefined
    const codes = words.map(word => this.#table.code(word, 0, word.length, this.#open))
    for (const [code, count] of counts) {
      const own = isHashed || code < this.#before ? code : codes[code - this.#before]
      this.#counts.join(own, count)
    }
  }

  column(name: string): BagColumn {
    const { text: asked } = this.#need
    const codes = this.#codes(name)
    const text = { ...asked, ...(this.#scaling !== undefined && { scaling: this.#scaling }) }
    return {
      kind: "bag",
      name,
      words: asked.hash === undefined ? this.#settle(codes) : bucketNames(asked.hash),
      text: this.#scaling === "tfidf" ? { ...text, ...this.#frequencies(codes) } : text,
    }
  }

  /** Renumbers these codes by their position and returns their words. */
  #settle(codes: Int32Array): string[] {
    const table = this.#table
    if (codes.length === table.size) this.table = table
    else if (this.remembered) {
      const became = new Int32Array(table.size).fill(-1)
      codes.forEach((code, w) => {
        became[code] = w
      })
      this.remembered.became = became
    }
    return Array.from(codes, code => table.word(code))
  }

  /** Words of an earlier model keep their frequency. New ones get the frequency they have in these documents. */
  #frequencies(codes: Int32Array): Pick<TextOptions, "documents" | "frequencies"> {
    const before = this.#earlier?.text
    const seen = this.#documents.sum
    const documents = before?.documents ?? seen
    const share = documents / seen
    return {
      documents,
      frequencies: Array.from(codes, (code, w) => {
        const count = this.#counts.sum(code)
        return before?.frequencies?.[w] ?? (count > 0 ? Math.min(count * share, documents) : 0)
      }),
    }
  }

  /** The codes of the words of the column, in their order. */
  #codes(name: string): Int32Array {
    const { text } = this.#need
    this.#name()
    const codes = new Int32Array(text.hash ?? this.#table.size).map((_, code) => code)
    return isChosen(text) && this.#open && text.hash === undefined ? this.#within(text, codes, name) : codes
  }

  /** The words within the limits, in the given order. */
  #within(
    { minDocuments = 1, maxDocuments = 1, maxWords = Number.POSITIVE_INFINITY }: TextOptions,
    codes: Int32Array,
    name: string,
  ): Int32Array {
    const counts = Float64Array.from(codes, code => this.#counts.sum(code))
    const documents = this.#documents.sum
    const most = maxDocuments * documents
    const kept = codes.filter(code => counts[code] >= minDocuments && counts[code] <= most)
    if (kept.length === 0 && codes.length > 0) throw nothingLeft(name, codes.length, documents)
    if (kept.length <= maxWords) return kept
    const isBefore = (a: number, b: number): boolean => this.#table.word(a) < this.#table.word(b)
    const byCount = [...kept].sort((a, b) => counts[b] - counts[a] || (isBefore(a, b) ? -1 : 1))
    const frequent = new Set(byCount.slice(0, maxWords))
    return kept.filter(code => frequent.has(code))
  }
}

/** Marks the words of entries start … end − 1 as met. */
function meet({ codes }: SparseSource, met: Met, start: number, end: number): void {
  for (let t = start; t < end; t++) {
    if (met.weights[codes[t]] > 0) continue
    met.weights[codes[t]] = 1
    met.left--
  }
}

function nothingLeft(column: string, words: number, documents: number): SufficeError {
  return new SufficeError(
    "option",
    `none of the ${words} words of ${show(column)} stands in as many of its ${documents} documents as minDocuments and maxDocuments ask. Nothing is left to learn from. Lower minDocuments, or raise maxDocuments.`,
    { column, words, documents },
  )
}
