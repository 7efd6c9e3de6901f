/**
 * Text to words: the maximal runs of Unicode letters, marks and numbers, as /[\p{L}\p{M}\p{N}]+/gu would find them.
 * Everything else stands between words, apostrophes and hyphens too. Scripts without spaces come out as long runs.
 *
 * Lower case is taken code point by code point, without locale or context: Σ becomes σ at the end of a word as well.
 */
import type { TextOptions } from "../contract.ts"

const IN_A_WORD = /^[\p{L}\p{M}\p{N}]/u

/** Kinds of code units: between words, in a word, or the first half of a character that has two. */
const BETWEEN = 1
const INSIDE = 2
const HALF = 3

/** The kind of every code unit that was met, 0 for the others: the regex is asked once per character. */
const kinds = /* @__PURE__ */ new Uint8Array(65536)

function ask(code: number): number {
  const isHalf = code >= 0xd800 && code < 0xdc00
  kinds[code] = isHalf ? HALF : IN_A_WORD.test(String.fromCharCode(code)) ? INSIDE : BETWEEN
  return kinds[code]
}

export function tokenise(text: string, { lowercase }: TextOptions): string[] {
  const words: string[] = []
  eachToken(text, lowercase, word => words.push(word))
  return words
}

function eachToken(given: string, lowercase: boolean, visit: (word: string, count: number) => void): void {
  // Σ is the one character whose lower case looks at its neighbours
  const text = lowercase ? given.replaceAll("Σ", "σ").toLowerCase() : given
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
      visit(text.slice(start, i), 1)
      start = -1
    }
  }
  if (start >= 0) visit(text.slice(start), 1)
}

/**
 * Calls `visit` for each word of a bag: text is tokenised, the words of a list and of counts stand as they are.
 * Text and lists give every occurrence with count 1; counts of 0 are skipped.
 * False if the cell is no bag, or holds a word that is no string or a count that is negative or not finite;
 * words before that one have been visited.
 */
export function eachWord(
  cell: unknown,
  text: TextOptions,
  visit: (word: string, count: number) => void,
): boolean {
  if (typeof cell === "string") {
    eachToken(cell, text.lowercase, visit)
    return true
  }
  if (Array.isArray(cell)) {
    for (const word of cell) {
      if (typeof word !== "string") return false
      visit(word, 1)
    }
    return true
  }
  if (!isPlainObject(cell)) return false
  for (const word of Object.keys(cell)) {
    const count = cell[word]
    if (typeof count !== "number" || !(count >= 0 && count < Infinity)) return false
    if (count > 0) visit(word, count)
  }
  return true
}

/** An object literal, of this realm or another; no Date, Map or typed array. */
function isPlainObject(cell: unknown): cell is Readonly<Record<string, unknown>> {
  if (typeof cell !== "object" || cell === null) return false
  const prototype = Object.getPrototypeOf(cell)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The same word in memory of its own. Engines keep a word cut from a text as a view of it: one long word holds the whole text. */
export function detached(word: string): string {
  return JSON.parse(JSON.stringify(word)) as string
}
