/**
 * Words by code: 0, 1, 2 … in order of insertion. Most ASCII words have up to ten letters or digits, nearly all up to fifteen: at 6 bits each
 * they are three numbers, found by open addressing; their strings are made only when all words are requested. Other words are in a Map.
 */
import { SufficeError } from "../errors.ts"
import { detached, spelt, symbols } from "./packed.ts"
import { codeOf, place, scannerOf } from "./scan.ts"
import type { Tally } from "./tally.ts"
import { folded, isPlainObject, unitsInside } from "./tokenise.ts"

/** The limit of the bags of a block (data/chunk.ts), and of a Map. */
export const MOST_WORDS = 16777216

const encoder = /* @__PURE__ */ new TextEncoder()

export class WordTable {
  readonly #most: number
  /** Slots of four: letters 1 to 5 (0: empty), 6 to 10, 11 to 15, and the code. At most half are in use, with few words hardly any, so that most words are found at the first probe. */
  slots = new Int32Array(16384)
  #packed = 0
  readonly #others = new Map<string, number>()
  /** By code: the word, or nothing for a packed word until strings are requested. */
  readonly #words: (string | undefined)[] = []

  constructor(words: Iterable<string> = [], most = MOST_WORDS) {
    this.#most = most
    for (const word of words) this.code(word, 0, word.length, true)
  }

  get size(): number {
    return this.#words.length
  }

  word(code: number): string {
    if (this.#words[code] === undefined) this.#spell()
    return this.#words[code]!
  }

  /** The code of the word text[from, to). If it is not in the table: a new one if it may be added, otherwise −1. */
  code(text: string, from: number, to: number, add: boolean): number {
    return codeOf(this, text, from, to, add)
  }

  /**
   * Tallies the words of a text; or those of a list, of { word: count } or of a Map of counts, unchanged, skipping counts of 0.
   * False if it is something else, or has a word that is not a string or a count that is negative or not finite. `unknown` is called for words
   * without a code, except those of a text.
   */
  take(
    cell: unknown,
    lowercase: boolean,
    add: boolean,
    tally: Tally,
    unknown?: (word: string) => void,
  ): boolean {
    if (typeof cell === "string") {
      this.read(cell, lowercase, add, tally)
      return true
    }
    if (Array.isArray(cell)) return this.#takeList(cell, add, tally, unknown)
    if (cell instanceof Map) return this.#takeMap(cell, add, tally, unknown)
    return isPlainObject(cell) && this.#takeCounts(cell, add, tally, unknown)
  }

  // separate loops: each sees one type, which engines optimise better
  #takeList(
    words: readonly unknown[],
    add: boolean,
    tally: Tally,
    unknown?: (word: string) => void,
  ): boolean {
    const { length } = words
    tally.begin(length)
    for (let i = 0; i < length; i++) {
      const word = words[i]
      if (typeof word !== "string") return false
      const code = codeOf(this, word, 0, word.length, add)
      if (code >= 0) tally.add(code, 1)
      else unknown?.(word)
    }
    tally.any = length > 0
    return true
  }

  #takeCounts(
    counts: Readonly<Record<string, unknown>>,
    add: boolean,
    tally: Tally,
    unknown?: (word: string) => void,
  ): boolean {
    const words = Object.keys(counts)
    tally.begin(words.length)
    for (let i = 0; i < words.length; i++) {
      const word = words[i]
      const count = counts[word]
      if (typeof count !== "number" || !(count >= 0 && count < Infinity)) return false
      if (count === 0) continue
      tally.any = true
      const code = codeOf(this, word, 0, word.length, add)
      if (code >= 0) tally.put(code, count)
      else unknown?.(word)
    }
    tally.reserve(this.size)
    return true
  }

  // two parallel iterators: entries() would allocate a pair for each word
  #takeMap(
    counts: ReadonlyMap<unknown, unknown>,
    add: boolean,
    tally: Tally,
    unknown?: (word: string) => void,
  ): boolean {
    tally.begin(counts.size)
    const values = counts.values()
    for (const word of counts.keys()) {
      const count = values.next().value
      if (typeof word !== "string" || typeof count !== "number" || !(count >= 0 && count < Infinity))
        return false
      if (count === 0) continue
      tally.any = true
      const code = codeOf(this, word, 0, word.length, add)
      if (code >= 0) tally.put(code, count)
      else unknown?.(word)
    }
    tally.reserve(this.size)
    return true
  }

  /**
   * Tallies the words of a text in one pass over its bytes. Words that are not ASCII are removed first, and looked up one by one.
   */
  read(text: string, lowercase: boolean, add: boolean, tally: Tally): void {
    const { length } = text
    const scanner = scannerOf(length, lowercase)
    const { read, written } = encoder.encodeInto(text, scanner.bytes)
    tally.begin((length >> 1) + 1)
    if (read !== length || written !== length) this.#beyond(text, lowercase, add, tally, scanner.bytes)
    scanner.scan(text, this, add, tally)
  }

  /** Looks up the words that are not ASCII; the others stay in the bytes. Some become ASCII in lower case: K, the kelvin sign. */
  #beyond(text: string, lowercase: boolean, add: boolean, tally: Tally, output: Uint8Array): void {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      output[i] = unit < 128 ? unit : 0
      if (unit < 128 || unitsInside(text, i) === 0) continue
      let start = i
      while (start > 0 && symbols[output[start - 1]] !== 0) output[--start] = 0
      let end = i
      for (let units = 1; end < text.length && units > 0; end += units) units = unitsInside(text, end)
      output.fill(0, start, end)
      tally.any = true
      const found = text.slice(start, end)
      const word = lowercase ? folded(found) : found
      const code = this.code(word, 0, word.length, add)
      if (code >= 0) tally.add(code, 1)
      i = end - 1
    }
  }

  /** The code of a word that cannot be packed: too long, or with other letters. */
  other(word: string, add: boolean): number {
    const known = this.#others.get(word)
    if (known !== undefined) return known
    if (!add) return -1
    const own = detached(word)
    const code = this.#name(own)
    this.#others.set(own, code)
    return code
  }

  /** The code of a packed word. */
  short(a: number, b: number, c: number, add: boolean): number {
    const slots = this.slots
    const last = slots.length - 4
    let at = place(a, b, c) & last
    while (slots[at] !== 0 && (slots[at] !== a || slots[at + 1] !== b || slots[at + 2] !== c))
      at = (at + 4) & last
    if (slots[at] !== 0) return slots[at + 3]
    if (!add) return -1
    const code = this.#name(undefined)
    slots[at] = a
    slots[at + 1] = b
    slots[at + 2] = c
    slots[at + 3] = code
    if (8 * ++this.#packed > slots.length) this.#grow()
    return code
  }

  #grow(): void {
    const old = this.slots
    const slots = new Int32Array(2 * old.length)
    for (let from = 0; from < old.length; from += 4) {
      if (old[from] === 0) continue
      let at = place(old[from], old[from + 1], old[from + 2]) & (slots.length - 4)
      while (slots[at] !== 0) at = (at + 4) & (slots.length - 4)
      for (let k = 0; k < 4; k++) slots[at + k] = old[from + k]
    }
    this.slots = slots
  }

  #name(word: string | undefined): number {
    if (this.size < this.#most) return this.#words.push(word) - 1
    throw new SufficeError(
      "size",
      `there are more than ${this.#most} different words. No more have room in a model. Give them buckets, for example hash: 262144, or leave the column out if it holds ids.`,
      { words: this.#most },
    )
  }

  /** Makes strings of the packed words. */
  #spell(): void {
    const { codes, words } = spelt(this.slots, this.#packed)
    for (let w = 0; w < codes.length; w++) this.#words[codes[w]] = words[w]
  }
}
