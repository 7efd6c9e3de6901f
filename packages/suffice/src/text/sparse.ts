/**
 * Documents whose words are counted already, as one sparse matrix (CSR): document i has the entries offsets[i] … offsets[i + 1] − 1, each the
 * number of a word and a count. It is checked once, here, and brought into the order that bags have: words by their code units, those of a
 * document in that order, each once, no count 0. What is in that order is kept as it is, not copied.
 *
 * A cell is one document of it. The door reads cells that stand one after the other in their source together.
 */
import type { Cell, SparseBag } from "../contract.ts"
import { SufficeError, show } from "../errors.ts"
import { Tally } from "./tally.ts"

/** Counts that are there already. The arrays must not change afterwards: they are read where they are. */
export interface SparseCounts {
  /** One more than there are documents: 0, and where each document ends. */
  readonly offsets: ArrayLike<number>
  /** Of each entry: the place of its word in `words`. */
  readonly codes: ArrayLike<number>
  /** Of each entry: how often it is there; 1 unless they are given. */
  readonly counts?: ArrayLike<number> | undefined
  /** The vocabulary: different words. Those that no document holds are none to the model. */
  readonly words: readonly string[]
}

/** As it is held: tidy, and words in the order of their code units. */
export interface SparseSource {
  readonly offsets: Int32Array
  readonly codes: Int32Array
  /** Absent: all are 1. */
  readonly counts: Float64Array | undefined
  readonly words: readonly string[]
  /** By code: is the word in any document? */
  readonly met: Uint8Array
}

export class SparseDocument implements SparseBag {
  readonly source: SparseSource
  readonly row: number

  constructor(source: SparseSource, row: number) {
    this.source = source
    this.row = row
  }

  toJSON(): Record<string, number> {
    const { offsets, codes, counts, words } = this.source
    const entries: [string, number][] = []
    for (let t = offsets[this.row]; t < offsets[this.row + 1]; t++)
      entries.push([words[codes[t]], counts ? counts[t] : 1])
    return Object.fromEntries(entries)
  }
}

/** One cell per document, for a column or for rows. */
export function sparse({ offsets, codes, counts, words }: SparseCounts): SparseBag[] {
  for (const [name, value] of Object.entries({ offsets, codes, counts: counts ?? [], words })) {
    if (typeof value === "object" && typeof value?.length === "number") continue
    throw refused(
      `${name} is ${show(value)}`,
      "It is an array",
      "Pass offsets, codes and words, and counts unless all are 1",
    )
  }
  if (counts && counts.length !== codes.length)
    throw refused(
      `there are ${counts.length} counts for ${codes.length} codes`,
      "Each entry has one of both",
      "Leave counts out if all are 1",
    )
  const documents = offsetsOf(offsets, codes.length)
  const { sorted, ranks } = inOrder(words)
  const source =
    tidy(documents, codes, counts, sorted, ranks) ?? tidied(documents, codes, counts, sorted, ranks)
  return Array.from({ length: documents.length - 1 }, (_, row) => new SparseDocument(source, row))
}

/** Where cells end that follow each other in one source, from this one on; it itself, where it is no such cell. Rows of weight 0 end them. */
export function runOf(cells: ArrayLike<Cell>, from: number, to: number, weights?: Float64Array): number {
  const first = cells[from]
  if (!(first instanceof SparseDocument)) return from
  const { source, row } = first
  for (let i = from; i < to; i++) {
    const cell = cells[i] as Partial<SparseDocument> | null | undefined
    if (cell?.source !== source || cell.row !== row + i - from || weights?.[i] === 0) return i
  }
  return to
}

function offsetsOf(given: ArrayLike<number>, entries: number): Int32Array {
  for (let i = 0; i <= given.length; i++) {
    const isFine =
      i === 0 ? given[0] === 0 : i === given.length ? given[i - 1] === entries : given[i] >= given[i - 1]
    if (isFine && (i === given.length || Number.isInteger(given[i]))) continue
    const at = Math.min(i, Math.max(given.length - 1, 0))
    throw refused(
      `offsets[${at}] is ${show(given[at])}`,
      `Document i has the entries from offsets[i] up to offsets[i + 1], so they are whole numbers that begin with 0, never fall, and end with the number of entries, ${entries}`,
      "Pass them as a CSR matrix has them",
    )
  }
  return given instanceof Int32Array ? given : Int32Array.from(given)
}

/** The words in order; by place, where each came to be, unless they are in order already. */
function inOrder(words: readonly string[]): { sorted: readonly string[]; ranks: Int32Array | undefined } {
  let isSorted = true
  for (let w = 0; w < words.length; w++) {
    if (typeof words[w] !== "string")
      throw refused(`words[${w}] is ${show(words[w])}`, "A word is text", "Give each code its word")
    if (w > 0 && !(words[w - 1] < words[w])) isSorted = false
  }
  if (isSorted) return { sorted: words, ranks: undefined }
  const places = Array.from(words.keys()).sort((a, b) =>
    words[a] < words[b] ? -1 : words[a] > words[b] ? 1 : a - b,
  )
  const ranks = new Int32Array(words.length)
  places.forEach((place, rank) => {
    const before = places[rank - 1]
    if (words[before] === words[place])
      throw refused(
        `words[${before}] and words[${place}] are both ${show(words[place])}`,
        "A word has one code",
        "Name each word once",
      )
    ranks[place] = rank
  })
  return { sorted: places.map(place => words[place]), ranks }
}

/** Of checked entries, if they are in order. */
function tidy(
  offsets: Int32Array,
  codes: ArrayLike<number>,
  counts: ArrayLike<number> | undefined,
  words: readonly string[],
  ranks: Int32Array | undefined,
): SparseSource | undefined {
  const met = new Uint8Array(words.length)
  let isTidy = !ranks
  let document = 0
  for (let t = 0, before = -1; t < codes.length; t++) {
    const code = codes[t]
    const count = counts ? counts[t] : 1
    if (!(code >= 0 && code < words.length && Number.isInteger(code)))
      throw refused(
        `codes[${t}] is ${show(code)}`,
        `A code is the place of a word among the ${words.length} of words, from 0 on`,
        "Correct it, or give words all there are",
      )
    if (typeof count !== "number" || !(count >= 0 && count < Infinity))
      throw refused(
        `counts[${t}] is ${show(count)}`,
        "A count is a finite number ≥ 0",
        "Correct it, or leave the entry out",
      )
    for (; offsets[document] <= t; document++) before = -1
    if (code <= before || count === 0) isTidy = false
    before = code
    met[code] = 1
  }
  if (!isTidy) return undefined
  return {
    offsets,
    codes: codes instanceof Int32Array ? codes : Int32Array.from(codes),
    counts: counts && (counts instanceof Float64Array ? counts : Float64Array.from(counts)),
    words,
    met,
  }
}

/** In order: entries of one word added up. */
function tidied(
  offsets: Int32Array,
  codes: ArrayLike<number>,
  counts: ArrayLike<number> | undefined,
  words: readonly string[],
  ranks: Int32Array | undefined,
): SparseSource {
  const own = {
    offsets: new Int32Array(offsets.length),
    codes: new Int32Array(codes.length),
    counts: new Float64Array(codes.length),
    words,
    met: new Uint8Array(words.length),
  }
  let length = 0
  const bag = {
    addWords(codes: Int32Array, counts: Float64Array, size: number): void {
      own.codes.set(codes.subarray(0, size), length)
      own.counts.set(counts.subarray(0, size), length)
      length += size
    },
  }
  const tally = new Tally()
  for (let i = 1; i < offsets.length; i++) {
    tally.begin(offsets[i] - offsets[i - 1])
    for (let t = offsets[i - 1]; t < offsets[i]; t++) {
      const count = counts ? counts[t] : 1
      if (count > 0) tally.add(ranks ? ranks[codes[t]] : codes[t], count)
    }
    tally.give(bag)
    own.offsets[i] = length
  }
  for (let t = 0; t < length; t++) own.met[own.codes[t]] = 1
  return !counts && length === codes.length ? { ...own, counts: undefined } : own
}

function refused(what: string, why: string, todo: string): SufficeError {
  return new SufficeError("data", `sparse: ${what}. ${why}. ${todo}.`)
}
