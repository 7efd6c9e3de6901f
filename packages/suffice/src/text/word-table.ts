/**
 * Words by code, 0, 1, 2 … in the order they came. Most words of most languages that are written in ASCII have up to ten letters or
 * digits, nearly all up to fifteen: at 6 bits each they are three numbers, which are looked for by open addressing, and no string is made of
 * them. Others stand in a Map.
 */
import { SufficeError } from "../errors.ts"
import { folded, unitsInside } from "./tokenise.ts"

/** What the bags of a block have room for (data/chunk.ts), and a Map. */
export const MOST_WORDS = 16777216

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/** Letters of a packed word: five in each of three numbers. */
const LONGEST = 15

/** By code unit: 1 + its place in the alphabet, 0 elsewhere. */
const symbols = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, unit) =>
  unit === 0 ? 0 : 1 + ALPHABET.indexOf(String.fromCharCode(unit)),
)
/** The same in lower case. */
const foldedSymbols = /* @__PURE__ */ Uint8Array.from(symbols, symbol => (symbol > 36 ? symbol - 36 : symbol))

const encoder = /* @__PURE__ */ new TextEncoder()
let bytes = /* @__PURE__ */ new Uint8Array(1024)

export class WordTable {
  readonly #most: number
  /** Slots of four: letters 1 to 5 (0: nobody is here), 6 to 10, 11 to 15, and the code. At most three of four are taken. */
  #slots = new Int32Array(4096)
  #packed = 0
  readonly #others = new Map<string, number>()
  readonly #words: string[] = []
  /** What `codes` found. */
  found = new Int32Array(512)

  constructor(words: Iterable<string> = [], most = MOST_WORDS) {
    this.#most = most
    for (const word of words) this.code(word, 0, word.length, true)
  }

  get size(): number {
    return this.#words.length
  }

  word(code: number): string {
    return this.#words[code]
  }

  /** The code of the word text[from, to): if it is not here, −1 or, if it may be added, a new one. */
  code(text: string, from: number, to: number, add: boolean): number {
    if (to > from && to - from <= LONGEST) {
      let a = 0
      let b = 0
      let c = 0
      let i = from
      for (; i < to; i++) {
        const unit = text.charCodeAt(i)
        if (unit > 127 || symbols[unit] === 0) break
        if (i < from + 5) a = (a << 6) | symbols[unit]
        else if (i < from + 10) b = (b << 6) | symbols[unit]
        else c = (c << 6) | symbols[unit]
      }
      if (i === to) return this.#short(a, b, c, add)
    }
    return this.#other(text.slice(from, to), add)
  }

  /**
   * The codes of the words of a text, in `found`, in any order; returns how many there are. One pass over bytes: of ASCII as the engine
   * gives them, else without the words that are not ASCII, which are looked up one by one.
   */
  codes(given: string, lowercase: boolean, add: boolean): number {
    const { length } = given
    if (bytes.length <= length) bytes = new Uint8Array(2 * length)
    if (2 * this.found.length <= length) this.found = new Int32Array(length)
    const { read, written } = encoder.encodeInto(given, bytes)
    if (read === length && written === length)
      return this.#scan(given, lowercase ? foldedSymbols : symbols, 0, add)
    const text = lowercase ? folded(given) : given
    if (bytes.length <= text.length) bytes = new Uint8Array(2 * text.length)
    if (2 * this.found.length <= text.length) this.found = new Int32Array(text.length)
    return this.#scan(text, symbols, this.#beyond(text, add), add)
  }

  /** Looks up the words that are not ASCII; the others are left in the bytes. */
  #beyond(text: string, add: boolean): number {
    const output = bytes
    let count = 0
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      output[i] = unit < 128 ? unit : 0
      if (unit < 128 || unitsInside(text, i) === 0) continue
      let start = i
      while (start > 0 && symbols[output[start - 1]] !== 0) output[--start] = 0
      let end = i
      for (let units = 1; end < text.length && units > 0; end += units) units = unitsInside(text, end)
      output.fill(0, start, end)
      this.found[count++] = this.#other(text.slice(start, end), add)
      i = end - 1
    }
    return count
  }

  #scan(text: string, alphabet: Uint8Array, before: number, add: boolean): number {
    const { found } = this
    const input = bytes
    const end = text.length
    input[end] = 0 // ends the last word
    let slots = this.#slots
    let last = slots.length - 4
    let count = before
    let i = 0
    for (;;) {
      let symbol = alphabet[input[i]]
      while (symbol === 0) {
        if (i >= end) return count
        symbol = alphabet[input[++i]]
      }
      const start = i
      let a = 0
      let b = 0
      let c = 0
      for (; symbol !== 0 && i < start + 5; symbol = alphabet[input[++i]]) a = (a << 6) | symbol
      for (; symbol !== 0 && i < start + 10; symbol = alphabet[input[++i]]) b = (b << 6) | symbol
      for (; symbol !== 0 && i < start + 15; symbol = alphabet[input[++i]]) c = (c << 6) | symbol
      if (symbol !== 0) {
        while (alphabet[input[i]] !== 0) i++
        const word = text.slice(start, i)
        found[count++] = this.#other(alphabet === foldedSymbols ? word.toLowerCase() : word, add)
        continue
      }
      let at = place(a, b, c) & last
      while (slots[at] !== 0 && (slots[at] !== a || slots[at + 1] !== b || slots[at + 2] !== c))
        at = (at + 4) & last
      if (slots[at] !== 0) found[count++] = slots[at + 3]
      else {
        found[count++] = this.#short(a, b, c, add)
        slots = this.#slots
        last = slots.length - 4
      }
    }
  }

  #short(a: number, b: number, c: number, add: boolean): number {
    const slots = this.#slots
    const last = slots.length - 4
    let at = place(a, b, c) & last
    while (slots[at] !== 0 && (slots[at] !== a || slots[at + 1] !== b || slots[at + 2] !== c))
      at = (at + 4) & last
    if (slots[at] !== 0) return slots[at + 3]
    if (!add) return -1
    const code = this.#name(spelt(a) + spelt(b) + spelt(c))
    slots[at] = a
    slots[at + 1] = b
    slots[at + 2] = c
    slots[at + 3] = code
    if (16 * ++this.#packed > 3 * slots.length) this.#grow()
    return code
  }

  #grow(): void {
    const old = this.#slots
    const slots = new Int32Array(2 * old.length)
    for (let from = 0; from < old.length; from += 4) {
      if (old[from] === 0) continue
      let at = place(old[from], old[from + 1], old[from + 2]) & (slots.length - 4)
      while (slots[at] !== 0) at = (at + 4) & (slots.length - 4)
      for (let k = 0; k < 4; k++) slots[at + k] = old[from + k]
    }
    this.#slots = slots
  }

  #other(word: string, add: boolean): number {
    const known = this.#others.get(word)
    if (known !== undefined) return known
    if (!add) return -1
    const own = detached(word)
    const code = this.#name(own)
    this.#others.set(own, code)
    return code
  }

  #name(word: string): number {
    if (this.size < this.#most) return this.#words.push(word) - 1
    throw new SufficeError(
      "size",
      `there are more than ${this.#most} different words. No more have room in a model. Give them buckets, for example hash: 262144, or leave the column out if it holds ids.`,
      { words: this.#most },
    )
  }
}

/** Where a packed word begins to be looked for: a multiple of 4, before it is cut to the length of the table. */
function place(a: number, b: number, c: number): number {
  const hash = Math.imul(a ^ Math.imul(b ^ Math.imul(c, 0xc2b2ae35), 0x9e3779b1), 0x85ebca6b)
  return (hash ^ (hash >>> 15)) << 2
}

/** Five packed letters. */
function spelt(packed: number): string {
  let word = ""
  for (let rest = packed; rest > 0; rest >>>= 6) word = ALPHABET[(rest & 63) - 1] + word
  return word
}

/** The same word in memory of its own. Engines keep a word cut from a text as a view of it: one long word holds the whole text. */
function detached(word: string): string {
  return JSON.parse(JSON.stringify(word)) as string
}
