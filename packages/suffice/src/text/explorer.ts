/**
 * The first pass over a column of bags: which words there are, and in how many documents each stands; a row of weight w is w documents.
 *
 * The vocabulary is the words that were met, in the order of their code units; or, of these, the ones within limits, counted in documents
 * (cells of training rows with weight); or those that were given; or buckets. What an earlier model knows comes first.
 */
import type { Cell, Column, Need, TextOptions } from "../contract.ts"
import { SufficeError, show } from "../errors.ts"
import { bucketNames, bucketOf } from "./hash.ts"
import { Remembered } from "./remembered.ts"
import { type EachWord, isPlain, type WordSink } from "./tokenise.ts"
import { WordTable } from "./word-table.ts"

type BagNeed = Extract<Need, { kind: "bag" }>
type BagColumn = Extract<Column, { kind: "bag" }>

/** Were the words chosen out of those that were met? Then a word that is unknown need not be new. */
export function isChosen({ minDocuments, maxDocuments, maxWords }: TextOptions): boolean {
  return minDocuments !== undefined || maxDocuments !== undefined || maxWords !== undefined
}

export class WordExplorer implements WordSink {
  readonly #need: BagNeed
  readonly #earlier: BagColumn | undefined
  readonly #scaling: TextOptions["scaling"]
  readonly #each: EachWord
  readonly #table: WordTable
  /** May words be added? */
  readonly #open: boolean
  readonly #inBytes: boolean
  readonly #counting: boolean
  readonly remembered: Remembered | undefined
  #isNew = false
  /** The weight of the documents so far, and of those in which each word stands; in which it stood last. */
  #documents = 0
  #counts = new Float64Array(1024)
  #last = new Int32Array(1024)
  #document = 0
  #weight = 1
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
    this.#open = words === undefined && !(earlier && isChosen(text))
    this.#inBytes = isPlain(text) && text.hash === undefined
    this.#counting = this.#scaling === "tfidf" || (isChosen(text) && this.#open)
    this.remembered = remember && text.hash === undefined ? new Remembered() : undefined
  }

  /** False: no bag. */
  look(cell: Cell, weight: number): boolean {
    this.#document++
    this.#weight = weight
    this.#documents += weight
    if (typeof cell !== "string") {
      this.#isNew = false
      return this.#each(cell, this)
    }
    this.#isNew = this.remembered?.begin(cell) ?? false
    if (this.#inBytes) this.#lookInBytes(cell)
    else this.#each(cell, this)
    if (this.#isNew) this.remembered!.end()
    return true
  }

  #lookInBytes(text: string): void {
    const table = this.#table
    const count = table.codes(text, this.#need.text.lowercase, this.#open)
    if (count > 0) this.seen = true
    if (!this.#isNew && !this.#counting) return
    for (let t = 0; t < count; t++) if (table.found[t] >= 0) this.#met(table.found[t])
  }

  word(text: string, from: number, to: number): void {
    this.seen = true
    const { hash } = this.#need.text
    if (hash !== undefined && !this.#counting) return
    const code =
      hash === undefined ? this.#table.code(text, from, to, this.#open) : bucketOf(text, from, to, hash)
    if (code >= 0) this.#met(code)
  }

  #met(code: number): void {
    if (this.#isNew) this.remembered!.add(code)
    if (!this.#counting) return
    if (code >= this.#counts.length) {
      const length = Math.max(2 * this.#counts.length, code + 1)
      this.#counts = longer(this.#counts, new Float64Array(length))
      this.#last = longer(this.#last, new Int32Array(length))
    }
    if (this.#last[code] === this.#document) return
    this.#last[code] = this.#document
    this.#counts[code] += this.#weight
  }

  column(name: string): BagColumn {
    const { text: asked } = this.#need
    const codes = this.#codes(name)
    this.remembered?.settle(codes, this.#table.size)
    const text = { ...asked, ...(this.#scaling !== undefined && { scaling: this.#scaling }) }
    return {
      kind: "bag",
      name,
      words: asked.hash === undefined ? codes.map(code => this.#table.word(code)) : bucketNames(asked.hash),
      text: this.#scaling === "tfidf" ? { ...text, ...this.#frequencies(codes) } : text,
    }
  }

  /** Words of an earlier model keep what they weigh. Others count as often among its documents as they stand among these. */
  #frequencies(codes: readonly number[]): Pick<TextOptions, "documents" | "frequencies"> {
    const before = this.#earlier?.text
    const documents = before?.documents ?? this.#documents
    const share = documents / this.#documents
    return {
      documents,
      frequencies: codes.map((code, w) => {
        const count = this.#counts[code] ?? 0
        return before?.frequencies?.[w] ?? (count > 0 ? Math.min(count * share, documents) : 0)
      }),
    }
  }

  /** Of the words of the column, in their order. */
  #codes(name: string): number[] {
    const { text, words } = this.#need
    const known = text.hash ?? words?.length ?? this.#earlier?.words.length ?? 0
    const codes = Array.from({ length: known }, (_, code) => code)
    if (text.hash !== undefined || !this.#open) return codes
    const found = Array.from({ length: this.#table.size - known }, (_, w) => known + w)
    const kept = isChosen(text) ? this.#within(text, found, name) : found
    for (const word of kept.map(code => this.#table.word(code)).sort())
      codes.push(this.#table.code(word, 0, word.length, false))
    return codes
  }

  /** The words within the limits. */
  #within(
    { minDocuments = 1, maxDocuments = 1, maxWords = Number.POSITIVE_INFINITY }: TextOptions,
    codes: readonly number[],
    name: string,
  ): number[] {
    const counts = this.#counts
    const most = maxDocuments * this.#documents
    const kept = codes.filter(code => counts[code] >= minDocuments && counts[code] <= most)
    if (kept.length === 0 && codes.length > 0) throw nothingLeft(name, codes.length, this.#documents)
    if (kept.length <= maxWords) return kept
    const inOrder = (a: number, b: number): number => (this.#table.word(a) < this.#table.word(b) ? -1 : 1)
    return kept.sort((a, b) => counts[b] - counts[a] || inOrder(a, b)).slice(0, maxWords)
  }
}

function nothingLeft(column: string, words: number, documents: number): SufficeError {
  return new SufficeError(
    "option",
    `none of the ${words} words of ${show(column)} stands in as many of its ${documents} documents as minDocuments and maxDocuments ask. Nothing is left to learn from. Lower minDocuments, or raise maxDocuments.`,
    { column, words, documents },
  )
}

function longer<T extends Float64Array | Int32Array>(old: T, fresh: T): T {
  fresh.set(old)
  return fresh
}
