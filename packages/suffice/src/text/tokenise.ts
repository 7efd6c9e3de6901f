/**
 * Text to words: the maximal runs of Unicode letters, marks and numbers, as /[\p{L}\p{M}\p{N}]+/gu would find them.
 * Everything else separates words, including apostrophes and hyphens. Scripts without spaces come out as long runs.
 *
 * Lower case is taken code point by code point, without locale or context: Σ becomes σ at the end of a word as well.
 *
 *     text → words → lower case → no stop words → stems → runs of up to n neighbours, joined by a space
 *
 * One pass over the code units. A word is passed on as a range of the text, so a known word needs no string; only stop words, stems
 * and runs of words do. (word-table.ts finds the same words in bytes.)
 */
import type { Stem, TextOptions } from "../contract/columns.ts"
import { SufficeError, show } from "../errors.ts"
import { SparseDocument } from "./sparse.ts"

/** Receives the words one by one: text[from, to), and its count. */
export interface WordSink {
  word(text: string, from: number, to: number, count: number): void
}

const IN_A_WORD = /^[\p{L}\p{M}\p{N}]/u

/** Kinds of code units: between words, in a word, or the first half of a character that has two. */
const BETWEEN = 1
const INSIDE = 2
const HALF = 3

/** The kind of every code unit met so far, 0 for others: the regex runs once per character. */
const kinds = /* @__PURE__ */ new Uint8Array(65536)

function ask(code: number): number {
  const isHalf = code >= 0xd800 && code < 0xdc00
  kinds[code] = isHalf ? HALF : IN_A_WORD.test(String.fromCharCode(code)) ? INSIDE : BETWEEN
  return kinds[code]
}

/** In lower case. Σ is the only character whose lower case depends on its neighbours. */
export function folded(text: string): string {
  return text.replaceAll("Σ", "σ").toLowerCase()
}

/** The number of code units of the character at i if it is part of a word, otherwise 0. */
export function unitsInside(text: string, i: number): number {
  const code = text.charCodeAt(i)
  const kind = kinds[code] || ask(code)
  if (kind !== HALF) return kind === INSIDE ? 1 : 0
  return IN_A_WORD.test(text.slice(i, i + 2)) ? 2 : 0
}

function scan(given: string, lowercase: boolean, sink: WordSink): void {
  const text = lowercase ? folded(given) : given
  let start = -1
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const kind = kinds[code] || ask(code)
    if (kind === INSIDE) {
      if (start < 0) start = i
    } else if (kind === HALF && IN_A_WORD.test(text.slice(i, i + 2))) {
      if (start < 0) start = i
      i++
    } else if (start >= 0) {
      sink.word(text, start, i, 1)
      start = -1
    }
  }
  if (start >= 0) sink.word(text, start, text.length, 1)
}

/**
 * Passes the words of a cell to a sink. Words of a list are taken as they are, apart from stop words, stems and runs; those of { word: count }, of a
 * Map of counts and of sparse counts are taken unchanged, and counts of 0 are skipped. False if the cell is not a bag, or has a word that is not a string or
 * a count that is negative or not finite; words before that one may have been passed on.
 */
export type EachWord = (cell: unknown, sink: WordSink) => boolean

export function eachWord(options: TextOptions, stem?: Stem): EachWord {
  const { lowercase } = options
  const bending = isPlain(options) ? undefined : new WordFilter(options, stem)
  return (cell, sink) => {
    bending?.begin()
    if (typeof cell === "string") scan(cell, lowercase, bending ?? sink)
    else if (Array.isArray(cell)) {
      for (const word of cell) {
        if (typeof word !== "string") return false
        whole(word, 1, bending ?? sink)
      }
    } else return eachCount(cell, sink)
    bending?.end(sink)
    return true
  }
}

/** Are words counted as they are found, without stop words, stems or runs? */
export function isPlain({ ngrams = 1, stopWords = [], stem }: TextOptions): boolean {
  return ngrams === 1 && stopWords.length === 0 && stem === undefined
}

function eachCount(cell: unknown, sink: WordSink): boolean {
  const plain = cell instanceof SparseDocument ? cell.toJSON() : cell
  const counts = plain instanceof Map ? plain : isPlainObject(plain) && Object.entries(plain)
  if (!counts) return false
  for (const [word, count] of counts) {
    if (typeof word !== "string" || typeof count !== "number" || !(count >= 0 && count < Infinity))
      return false
    if (count > 0) whole(word, count, sink)
  }
  return true
}

function whole(word: string, count: number, sink: WordSink): void {
  sink.word(word, 0, word.length, count)
}

/** Removes stop words, stems the others, and passes on the runs of them. */
class WordFilter implements WordSink {
  readonly #stopped: ReadonlySet<string>
  readonly #stem: Stem | undefined
  readonly #name: string | undefined
  readonly #longest: number
  readonly #words: string[] = []

  constructor({ ngrams = 1, stopWords = [], stem: name }: TextOptions, stem: Stem | undefined) {
    this.#stopped = new Set(stopWords)
    this.#stem = stem
    this.#name = name
    this.#longest = ngrams
  }

  begin(): void {
    this.#words.length = 0
  }

  word(text: string, from: number, to: number): void {
    const word = text.slice(from, to)
    if (this.#stopped.has(word)) return
    const stem = this.#stem ? this.#stem(word) : word
    if (typeof stem !== "string") throw noStem(this.#name, word, stem)
    if (stem !== "") this.#words.push(stem)
  }

  end(sink: WordSink): void {
    const words = this.#words
    for (let i = 0; i < words.length; i++) {
      let run = words[i]
      whole(run, 1, sink)
      for (let j = i + 1; j < words.length && j < i + this.#longest; j++) {
        run += ` ${words[j]}`
        whole(run, 1, sink)
      }
    }
  }
}

function noStem(name: string | undefined, word: string, stem: unknown): SufficeError {
  return new SufficeError(
    "option",
    `the stemmer ${show(name)} made ${show(stem)} of ${show(word)}. A stem is text. Return the word itself where there is nothing to cut.`,
    { option: "stem", value: stem },
  )
}

/** Is the cell a bag of words, whatever the options? */
export function isBag(cell: unknown): boolean {
  return readable(cell, { word: () => undefined })
}

const readable = /* @__PURE__ */ eachWord({ lowercase: false })

/** An object literal, of this realm or another; not a Date, Set or typed array. */
export function isPlainObject(cell: unknown): cell is Readonly<Record<string, unknown>> {
  if (typeof cell !== "object" || cell === null) return false
  const prototype = Object.getPrototypeOf(cell)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
