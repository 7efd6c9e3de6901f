/**
 * Cells to bags. First pass: which words there are, and in how many documents each stands. Further passes: the code of each word.
 *
 * The vocabulary is the words that were met, in the order of their code units; or, of these, the ones within limits, counted in documents
 * (cells of training rows with weight); or those that were given; or buckets. What an earlier model knows comes first.
 */
import type { Column, Need, Reading, Stem, TextOptions } from "../contract.ts"
import { SufficeError, show } from "../errors.ts"
import { bucketNames, bucketOf } from "./hash.ts"
import { type EachWord, eachWord, type WordSink } from "./tokenise.ts"
import { WordTable } from "./word-table.ts"

type BagNeed = Extract<Need, { kind: "bag" }>
type BagColumn = Extract<Column, { kind: "bag" }>

export function readingOf(text: TextOptions, stem?: Stem): Reading {
  const each = eachWord(text, stem)
  const encoders = new WeakMap<Column, Encoder>()
  return {
    explore(need, known, scaling) {
      const explorer = new WordExplorer(need, known as BagColumn | undefined, scaling)
      return {
        look(cell) {
          explorer.begin()
          return each(cell, explorer)
        },
        get seen() {
          return explorer.seen
        },
        column: name => explorer.column(name),
      }
    },
    encoder(column) {
      let encoder = encoders.get(column)
      if (!encoder) {
        encoder = new Encoder(column as BagColumn, each)
        encoders.set(column, encoder)
      }
      return encoder.read
    },
  }
}

/** Were the words chosen out of those that were met? Then a word that is unknown need not be new. */
function isChosen({ minDocuments, maxDocuments, maxWords }: TextOptions): boolean {
  return minDocuments !== undefined || maxDocuments !== undefined || maxWords !== undefined
}

// ── the first pass ─────────────────────────────────────────────────────────────────────────────────

class WordExplorer implements WordSink {
  readonly #need: BagNeed
  readonly #earlier: BagColumn | undefined
  readonly #scaling: TextOptions["scaling"]
  readonly #buckets: number | undefined
  readonly #table: WordTable
  /** No word can be added. */
  readonly #fixed: boolean
  readonly #counting: boolean
  /** Documents so far; in how many a word stands, and in which last. */
  #documents = 0
  #counts = new Int32Array(1024)
  #last = new Int32Array(1024)
  seen = false

  constructor(need: BagNeed, earlier: BagColumn | undefined, preferred: TextOptions["scaling"]) {
    const { text, words } = need
    this.#need = need
    this.#earlier = earlier
    this.#scaling = earlier ? earlier.text.scaling : (text.scaling ?? preferred)
    this.#buckets = text.hash
    this.#fixed = words !== undefined || (earlier !== undefined && isChosen(text))
    this.#counting = this.#scaling === "tfidf" || (isChosen(text) && !this.#fixed)
    this.#table = new WordTable(text.hash === undefined ? (words ?? earlier?.words) : [])
  }

  begin(): void {
    this.#documents++
  }

  word(text: string, from: number, to: number, hash: number): void {
    this.seen = true
    const buckets = this.#buckets
    let code: number
    if (buckets !== undefined) code = this.#counting ? bucketOf(text, from, to, hash, buckets) : -1
    else if (this.#fixed) code = this.#table.find(text, from, to, hash)
    else code = this.#table.add(text, from, to, hash)
    if (this.#counting && code >= 0) this.#count(code)
  }

  #count(code: number): void {
    if (code >= this.#counts.length) {
      const length = Math.max(2 * this.#counts.length, code + 1)
      this.#counts = longer(this.#counts, length)
      this.#last = longer(this.#last, length)
    }
    if (this.#last[code] === this.#documents) return
    this.#last[code] = this.#documents
    this.#counts[code]++
  }

  column(name: string): BagColumn {
    const { text: asked } = this.#need
    const codes = this.#codes(name)
    const words = this.#buckets === undefined ? codes.map(code => this.#table.word(code)) : undefined
    const text = { ...asked, ...(this.#scaling !== undefined && { scaling: this.#scaling }) }
    const { text: before } = this.#earlier ?? {}
    return {
      kind: "bag",
      name,
      words: words ?? bucketNames(this.#buckets!),
      text:
        this.#scaling === "tfidf"
          ? {
              ...text,
              // words of an earlier model keep what they weigh
              documents: before?.documents ?? this.#documents,
              frequencies: codes.map((code, w) => before?.frequencies?.[w] ?? this.#counts[code] ?? 0),
            }
          : text,
    }
  }

  /** Of the words of the column, in their order. */
  #codes(name: string): number[] {
    const { text, words } = this.#need
    const known = this.#buckets ?? words?.length ?? this.#earlier?.words.length ?? 0
    const codes = Array.from({ length: known }, (_, code) => code)
    if (this.#buckets !== undefined || this.#fixed) return codes
    const found = Array.from({ length: this.#table.size - known }, (_, w) => known + w)
    const kept = isChosen(text) ? this.#within(text, found, name) : found
    const spelt = kept.map(code => ({ code, word: this.#table.word(code) }))
    spelt.sort((a, b) => (a.word < b.word ? -1 : 1))
    return [...codes, ...spelt.map(({ code }) => code)]
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
    const ranked = kept.map(code => ({ code, word: this.#table.word(code) }))
    ranked.sort((a, b) => counts[b.code] - counts[a.code] || (a.word < b.word ? -1 : 1))
    return ranked.slice(0, maxWords).map(({ code }) => code)
  }
}

function nothingLeft(column: string, words: number, documents: number): SufficeError {
  return new SufficeError(
    "option",
    `none of the ${words} words of ${show(column)} stands in as many of its ${documents} documents as minDocuments and maxDocuments ask. Nothing is left to learn from. Lower minDocuments, or raise maxDocuments.`,
    { column, words, documents },
  )
}

function longer(old: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const fresh = new Int32Array(length)
  fresh.set(old)
  return fresh
}

// ── further passes ─────────────────────────────────────────────────────────────────────────────────

class Encoder implements WordSink {
  readonly #buckets: number | undefined
  readonly #table: WordTable
  readonly #isChosen: boolean
  readonly read: ReturnType<Reading["encoder"]>
  #bag!: { addWord(code: number, count: number): void }
  #unknown: ((word: string) => void) | undefined

  constructor({ words, text }: BagColumn, each: EachWord) {
    this.#buckets = text.hash
    this.#table = new WordTable(text.hash === undefined ? words : [])
    this.#isChosen = isChosen(text)
    this.read = (cell, bag, unknown) => {
      this.#bag = bag
      this.#unknown = this.#isChosen ? undefined : unknown
      return each(cell, this)
    }
  }

  word(text: string, from: number, to: number, hash: number, count: number): void {
    const code =
      this.#buckets === undefined
        ? this.#table.find(text, from, to, hash)
        : bucketOf(text, from, to, hash, this.#buckets)
    if (code >= 0) this.#bag.addWord(code, count)
    else this.#unknown?.(text.slice(from, to))
  }
}
