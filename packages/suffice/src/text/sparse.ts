/**
 * Documents with counted words, as one sparse matrix (CSR): document i has the entries offsets[i] … offsets[i + 1] − 1, each the
 * number of a word and a count. It is checked once, here, and copied in the form of bags: words numbered in order of
 * occurrence, sorted within a document, each once, no count 0.
 *
 * A cell is one document of it. The door reads consecutive cells of a source together.
 */
import type { Cell, SparseBag } from "../contract/cells.ts"
import { SufficeError, show } from "../errors.ts"
import { sortWords } from "./sort.ts"
import { Tally } from "./tally.ts"

/** Words that have been counted elsewhere. */
export interface SparseCounts {
  /** One more than the number of documents: 0, then the end of each document. */
  readonly offsets: ArrayLike<number>
  /** For each entry: the index of its word in `words`. */
  readonly codes: ArrayLike<number>
  /** For each entry: how often the word occurs; 1 by default. */
  readonly counts?: ArrayLike<number> | undefined
  /** The vocabulary, without duplicates. Words that occur in no document are ignored. */
  readonly words: readonly string[]
}

/** The checked copy: words in order of first occurrence, without those that occur nowhere. */
export interface SparseSource {
  readonly offsets: Int32Array
  readonly codes: Int32Array
  readonly counts: Float64Array
  readonly words: readonly string[]
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
    for (let t = offsets[this.row]; t < offsets[this.row + 1]; t++) entries.push([words[codes[t]], counts[t]])
    return Object.fromEntries(entries)
  }
}

/** One cell per document, for a column or for rows. */
export function sparse(given: SparseCounts): SparseBag[] {
  if (typeof given !== "object" || given === null)
    throw refused(
      "the argument",
      given,
      "an object",
      "Pass offsets, codes and words, and counts unless all are 1",
    )
  const { offsets, codes, counts, words } = given
  for (const [name, array] of Object.entries({ offsets, codes, counts: counts ?? codes, words })) {
    if (typeof array !== "object" || !(array?.length >= 0))
      throw refused(name, array, "an array", "Pass offsets, codes and words, and counts unless all are 1")
  }
  if (counts && counts.length !== codes.length)
    throw refused(
      "counts.length",
      counts.length,
      `${codes.length}, that of codes`,
      "Leave counts out if all are 1",
    )
  checkWords(words)
  const source = tidied(offsets, codes, counts, words)
  return Array.from({ length: offsets.length - 1 }, (_, row) => new SparseDocument(source, row))
}

function checkWords(words: readonly string[]): void {
  const seen = new Set<string>()
  words.forEach((word, w) => {
    if (typeof word !== "string") throw refused(`words[${w}]`, word, "text", "Give each code its word")
    if (seen.size === seen.add(word).size)
      throw refused(`words[${w}]`, word, "there once", "Name each word once")
  })
}

function tidied(
  offsets: ArrayLike<number>,
  codes: ArrayLike<number>,
  counts: ArrayLike<number> | undefined,
  words: readonly string[],
): SparseSource {
  const entries = codes.length
  /** By code: the rank of its word in order of occurrence, or −1. */
  const ranks = new Int32Array(words.length).fill(-1)
  const met: string[] = []
  const own = {
    offsets: new Int32Array(offsets.length),
    codes: new Int32Array(entries),
    counts: new Float64Array(entries),
    words: met,
  }
  let length = 0
  const tally = new Tally()
  let from = 0
  for (let i = 0; i === 0 || i < offsets.length; i++) {
    const to = offsets[i]
    const least = i + 1 === offsets.length ? entries : from
    const most = i === 0 ? from : entries
    if (!(to >= least && to <= most && Number.isInteger(to)))
      throw refused(
        `offsets[${i}]`,
        to,
        `one of whole numbers that begin with 0, never fall, and end with ${entries}, the number of codes`,
        "Pass them as a CSR matrix has them",
      )
    tally.begin(to - from)
    for (; from < to; from++) {
      const count = counts ? counts[from] : 1
      const code = codes[from]
      let rank = ranks[code]
      if (rank === undefined)
        throw refused(
          `codes[${from}]`,
          code,
          `the place of one of the ${words.length} words`,
          "Correct it, or give words all there are",
        )
      if (typeof count !== "number" || !(count >= 0 && count < Infinity))
        throw refused(`counts[${from}]`, count, "a finite number ≥ 0", "Correct it, or leave the entry out")
      if (count === 0) continue
      if (rank < 0) {
        rank = met.push(words[code]) - 1
        ranks[code] = rank
      }
      tally.add(rank, count)
    }
    sortWords(tally.codes, tally.counts, 0, tally.size, own.codes, own.counts, length)
    length += tally.size
    own.offsets[i] = length
  }
  return own
}

function refused(what: string, value: unknown, must: string, todo: string): SufficeError {
  return new SufficeError("data", `sparse: ${what} is ${show(value)}. It must be ${must}. ${todo}.`)
}

/** The end of the run of consecutive documents of one source that starts at `from`; `from` itself if that is not such a cell. A row of weight 0 ends a run. */
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
