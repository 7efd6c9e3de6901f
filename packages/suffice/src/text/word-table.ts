/**
 * Words by code, 0, 1, 2 … in the order they came, found by hash and code units: no string is made of a word that is known.
 * Open addressing with linear steps; the units of all words stand one after the other in one array, so that no word holds on to the
 * text it was cut from.
 */
import { SufficeError } from "../errors.ts"
import { hashOf, mixed } from "./hash.ts"

/** What the bags of a block have room for (data/chunk.ts). */
export const MOST_WORDS = 16777216

export class WordTable {
  readonly #most: number
  /** Code + 1 of the word there; 0: nobody. At most half of it is taken. */
  #places = new Int32Array(1024)
  #hashes = new Int32Array(512)
  /** Units of word w: [starts[w], starts[w + 1]). */
  #starts = new Int32Array(513)
  #units = new Uint16Array(4096)
  size = 0

  constructor(words: Iterable<string> = [], most = MOST_WORDS) {
    this.#most = most
    for (const word of words) this.add(word, 0, word.length, hashOf(word))
  }

  /** The code of the word text[from, to), whose hash this is; −1: not here. */
  find(text: string, from: number, to: number, hash: number): number {
    const last = this.#places.length - 1
    for (let place = mixed(hash) & last; ; place = (place + 1) & last) {
      const code = this.#places[place] - 1
      if (code < 0 || (this.#hashes[code] === hash && this.#holds(code, text, from, to))) return code
    }
  }

  #holds(code: number, text: string, from: number, to: number): boolean {
    const start = this.#starts[code]
    if (this.#starts[code + 1] - start !== to - from) return false
    const units = this.#units
    for (let i = from, u = start; i < to; i++, u++) if (units[u] !== text.charCodeAt(i)) return false
    return true
  }

  /** The code of the word, which is new if it was not here. */
  add(text: string, from: number, to: number, hash: number): number {
    const found = this.find(text, from, to, hash)
    return found < 0 ? this.#put(text, from, to, hash) : found
  }

  #put(text: string, from: number, to: number, hash: number): number {
    const code = this.size
    if (code === this.#most) {
      throw new SufficeError(
        "size",
        `there are more than ${this.#most} different words. No more have room in a model. Give them buckets, for example hash: 262144, or leave the column out if it holds ids.`,
        { words: code },
      )
    }
    const start = this.#starts[code]
    if (code === this.#hashes.length) this.#grow()
    while (start + to - from > this.#units.length) this.#units = longer(this.#units, Uint16Array)
    for (let i = from; i < to; i++) this.#units[start + i - from] = text.charCodeAt(i)
    this.#starts[code + 1] = start + to - from
    this.#hashes[code] = hash
    this.#place(code)
    return this.size++
  }

  #place(code: number): void {
    const last = this.#places.length - 1
    let place = mixed(this.#hashes[code]) & last
    while (this.#places[place] > 0) place = (place + 1) & last
    this.#places[place] = code + 1
  }

  #grow(): void {
    const starts = new Int32Array(2 * this.size + 1)
    starts.set(this.#starts)
    this.#starts = starts
    this.#hashes = longer(this.#hashes, Int32Array)
    this.#places = new Int32Array(2 * this.#places.length)
    for (let code = 0; code < this.size; code++) this.#place(code)
  }

  /** The word of this code. */
  word(code: number): string {
    let word = ""
    // pieces, since a call takes only so many arguments
    for (let at = this.#starts[code]; at < this.#starts[code + 1]; at += 4096)
      word += String.fromCharCode(...this.#units.subarray(at, Math.min(at + 4096, this.#starts[code + 1])))
    return word
  }
}

function longer<T extends Int32Array | Uint16Array>(old: T, kind: new (length: number) => T): T {
  const fresh = new kind(2 * old.length)
  fresh.set(old)
  return fresh
}
