/**
 * Packs the words of texts and lists (packed.ts) and looks them up. Both loops close over their arrays as constants, which engines access twice
 * as fast; constants of a module become variables in a bundle.
 */
import { foldedSymbols, LONGEST, symbols } from "./packed.ts"
import type { Tally } from "./tally.ts"

/** What looking up a word needs of a table (word-table.ts). */
export interface Packed {
  readonly size: number
  /** Slots of four: three numbers of letters, of which the first is 0 in an empty slot, and the code. */
  readonly slots: Int32Array
  /** The code of a packed word; below, of any other. */
  short(a: number, b: number, c: number, add: boolean): number
  other(word: string, add: boolean): number
}

/** The first probe of a packed word: a multiple of 4, to be masked to the size of the table. */
export function place(a: number, b: number, c: number): number {
  const hash = Math.imul(a ^ Math.imul(b ^ Math.imul(c, 0xc2b2ae35), 0x9e3779b1), 0x85ebca6b)
  return (hash ^ (hash >>> 15)) << 2
}

/** The code of the word text[from, to). If it is not in the table: a new one if it may be added, otherwise −1. */
export const codeOf = /* @__PURE__ */ coder()

function coder(): (table: Packed, text: string, from: number, to: number, add: boolean) => number {
  const alphabet = symbols.slice(0, 128)
  return (table, text, from, to, add) => {
    const length = to - from
    if (length === 0 || length > LONGEST) return table.other(text.slice(from, to), add)
    let letters = 0 // of the current five
    let a = 0
    let b = 0
    let room = 30
    for (let i = from; i < to; i++) {
      const unit = text.charCodeAt(i)
      const symbol = unit < 128 ? alphabet[unit] : 0
      if (symbol === 0) return table.other(text.slice(from, to), add)
      if (room === 0) {
        if (i === from + 5) a = letters
        else b = letters
        letters = 0
        room = 30
      }
      room -= 6
      letters |= symbol << room
    }
    const second = length > 5
    const third = length > 10
    const first = second ? a : letters
    const middle = third ? b : second ? letters : 0
    const last = third ? letters : 0
    const { slots } = table
    const at = place(first, middle, last) & (slots.length - 4)
    if (slots[at] === first && slots[at + 1] === middle && slots[at + 2] === last) return slots[at + 3]
    return table.short(first, middle, last, add)
  }
}

/** The scanner reads this many bytes past the end. */
const BEYOND = 10
const ROOM = 1 << 16

let scanner: Scanner | undefined

/** A scanner for texts up to this length. */
export function scannerOf(length: number, lowercase: boolean): Scanner {
  if (!scanner || scanner.bytes.length < length + BEYOND) scanner = new Scanner(Math.max(2 * length, ROOM))
  scanner.fold(lowercase)
  return scanner
}

class Scanner {
  /** The text, or the ASCII part of it. */
  readonly bytes: Uint8Array
  readonly #alphabet = new Uint8Array(256)
  #lowered: boolean | undefined

  constructor(room: number) {
    this.bytes = new Uint8Array(room + BEYOND)
  }

  fold(lowercase: boolean): void {
    if (lowercase === this.#lowered) return
    this.#alphabet.set(lowercase ? foldedSymbols : symbols)
    this.#lowered = lowercase
  }

  /**
   * The loop over bytes. The end of a word is unpredictable, and a mispredicted branch costs more than a few letters: five letters are read
   * at a time, and those after the end are masked.
   */
  scan(text: string, table: Packed, add: boolean, tally: Tally): void {
    const input = this.bytes
    const alphabet = this.#alphabet
    const { codes, counts, first } = tally
    const end = text.length
    for (let k = 0; k < BEYOND; k++) input[end + k] = 0 // ends the last word
    tally.reserve(table.size)
    let { stamps, size } = tally
    let slots = table.slots
    let last = slots.length - 4
    let i = 0
    for (;;) {
      let symbol = alphabet[input[i]]
      while (symbol === 0 && i < end) symbol = alphabet[input[++i]]
      if (symbol === 0) break
      const start = i
      let second = alphabet[input[i + 1]]
      let third = alphabet[input[i + 2]]
      let fourth = alphabet[input[i + 3]]
      let fifth = alphabet[input[i + 4]]
      // all ones if this letter and those before it are part of the word
      let has2 = -second >> 31
      let has3 = has2 & (-third >> 31)
      let has4 = has3 & (-fourth >> 31)
      let has5 = has4 & (-fifth >> 31)
      const a =
        (symbol << 24) |
        ((second << 18) & has2) |
        ((third << 12) & has3) |
        ((fourth << 6) & has4) |
        (fifth & has5)
      i += 1 - has2 - has3 - has4 - has5
      let b = 0
      let c = 0
      symbol = alphabet[input[i]]
      if (symbol !== 0) {
        second = alphabet[input[i + 1]]
        third = alphabet[input[i + 2]]
        fourth = alphabet[input[i + 3]]
        fifth = alphabet[input[i + 4]]
        has2 = -second >> 31
        has3 = has2 & (-third >> 31)
        has4 = has3 & (-fourth >> 31)
        has5 = has4 & (-fifth >> 31)
        b =
          (symbol << 24) |
          ((second << 18) & has2) |
          ((third << 12) & has3) |
          ((fourth << 6) & has4) |
          (fifth & has5)
        i += 1 - has2 - has3 - has4 - has5
        symbol = alphabet[input[i]]
        for (let shift = 24; symbol !== 0 && shift >= 0; shift -= 6) {
          c |= symbol << shift
          symbol = alphabet[input[++i]]
        }
      }
      const at = place(a, b, c) & last
      let code = slots[at + 3]
      if (slots[at] !== a || slots[at + 1] !== b || slots[at + 2] !== c || symbol !== 0) {
        tally.any = true
        if (symbol === 0) code = table.short(a, b, c, add)
        else {
          while (alphabet[input[i]] !== 0) i++
          const word = text.slice(start, i)
          code = table.other(this.#lowered ? word.toLowerCase() : word, add)
        }
        if (code < 0) continue
        slots = table.slots
        last = slots.length - 4
        tally.reserve(code)
        stamps = tally.stamps
      }
      const stamp = stamps[code]
      if (stamp > first) counts[stamp - first - 1]++
      else {
        codes[size] = code
        counts[size++] = 1
        stamps[code] = first + size
      }
    }
    tally.size = size
    if (size > 0) tally.any = true
  }
}
