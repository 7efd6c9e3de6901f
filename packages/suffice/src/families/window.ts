/**
 * The words that a window makes of a step and its neighbours.
 *
 *     { of: "word", at: [-1, 1] }                  word@-1=the   word=old   word@1=man
 *     { of: "word", at: [-1, 0], ngrams: 2 }       word@-1=the   word=old   word@-1|word=the|old
 *     { of: "word", as: "suffix", length: [1, 2] } word.suffix1=d   word.suffix2=ld
 *     { of: ["word", "pos"] }                      word|pos=old|JJ
 *
 * Before the first step stand <s1>, <s2> …, after the last one </s1>, </s2> … A cell that is missing makes no word.
 */
import type { Cell } from "../contract/cells.ts"
import type { MadeCells } from "../contract/door.ts"
import { SufficeError, show } from "../errors.ts"
import { folded } from "../text/tokenise.ts"

/** Some cells of a step and of its neighbours. */
export type WindowPart = {
  /** The column; several: their cells together are one word. */
  readonly of: string | readonly string[]
  /** Which steps: 0 is the step itself, −1 the one before; two numbers are the first and the last of several. By default the step itself. */
  readonly at?: number | readonly [from: number, to: number]
  /** Runs of up to this many neighbouring cells are words, too. By default 1. */
  readonly ngrams?: number
} & (
  | {
      /** Instead of the cell: in lower case, or its shape, where Xx stands for letters and d for digits, and no more than two of them in a row. */
      readonly as?: "lower" | "shape"
    }
  | {
      /** Its beginning or its end, in lower case. */
      readonly as: "prefix" | "suffix"
      /** Of so many characters, or of each number from the first to the second; the whole cell if it is shorter. */
      readonly length: number | readonly [from: number, to: number]
    }
)

export const FORMS = ["lower", "shape", "prefix", "suffix"] as const
type Form = (typeof FORMS)[number]

/** A cell of a step nearby, as text. */
interface Piece {
  readonly source: number
  readonly form: Form | undefined
  readonly length: number
  readonly at: number
}

/** One word of each step, if its cells are there: name=cell, or name|name=cell|cell. */
interface Look {
  readonly name: string
  readonly pieces: readonly Piece[]
}

/** Both ends of a number or a pair of them. */
export function ends(range: number | readonly [number, number]): readonly [number, number] {
  return typeof range === "number" ? [range, range] : range
}

export function columnsOf({ of }: WindowPart): readonly string[] {
  return typeof of === "string" ? [of] : of
}

/** The words of these parts, each name once. `from`: the columns they are made of. */
function looksOf(parts: readonly WindowPart[], from: readonly string[]): Look[] {
  const looks = new Map<string, Look>()
  for (const part of parts) {
    const { at = 0, ngrams = 1, as: form } = part
    const [first, last] = ends(at)
    const [least, most] = "length" in part ? ends(part.length) : [0, 0]
    for (let length = least; length <= most; length++) {
      const cellsAt = (t: number): Piece[] =>
        columnsOf(part).map(name => ({ source: from.indexOf(name), form, length, at: t }))
      for (let t = first; t <= last; t++) {
        const pieces: Piece[] = []
        for (let end = t; end <= last && end < t + ngrams; end++) {
          pieces.push(...cellsAt(end))
          const name = pieces.map(piece => nameOf(piece, from)).join("|")
          looks.set(name, { name, pieces: [...pieces] })
        }
      }
    }
  }
  return [...looks.values()]
}

function nameOf({ source, form, length, at }: Piece, from: readonly string[]): string {
  const column = form ? `${from[source]}.${form}${length > 0 ? length : ""}` : from[source]
  return at === 0 ? column : `${column}@${at}`
}

/** The words found so far, by the cells they are made of: a word that was met needs no new string. */
type Words = Map<string, Words | string>

export function windowCells(parts: readonly WindowPart[]): MadeCells {
  const from = [...new Set(parts.flatMap(columnsOf))]
  const looks = looksOf(parts, from)
  const all = looks.flatMap(({ pieces }) => pieces.map(({ at }) => at))
  return {
    from,
    reach: [Math.min(0, ...all), Math.max(0, ...all)],
    cells(columns, offsets) {
      const texts = new Map<string, (string | undefined)[]>()
      const textsOf = (piece: Piece): (string | undefined)[] => {
        const { source, form, length } = piece
        const key = `${source} ${form} ${length}`
        let found = texts.get(key)
        if (!found) {
          const cells = columns[source] ?? []
          found = asTexts(cells, from[source], offsets[offsets.length - 1], textIn(form, length))
          texts.set(key, found)
        }
        return found
      }
      const steps = offsets[offsets.length - 1]
      const words: string[][] = Array.from({ length: steps }, () => [])
      for (const { name, pieces } of looks) look(name, pieces, pieces.map(textsOf), offsets, words)
      return words
    },
  }
}

/** Adds one word to every step that has its cells. */
function look(
  name: string,
  pieces: readonly Piece[],
  texts: readonly (readonly (string | undefined)[])[],
  offsets: Int32Array,
  words: readonly string[][],
): void {
  const met: Words = new Map()
  const last = pieces.length - 1
  for (let i = 0; i + 1 < offsets.length; i++) {
    const [start, end] = [offsets[i], offsets[i + 1]]
    for (let t = start; t < end; t++) {
      let here = met
      for (let p = 0; p <= last; p++) {
        const at = t + pieces[p].at
        const text = at >= start && at < end ? texts[p][at] : mark(at, start, end)
        if (text === undefined) break
        let next = here.get(text)
        if (next === undefined) {
          next = p < last ? new Map() : wordOf(name, pieces, texts, start, end, t)
          here.set(text, next)
        }
        if (p === last) words[t].push(next as string)
        else here = next as Words
      }
    }
  }
}

/** What stands outside of the steps start … end − 1. */
function mark(at: number, start: number, end: number): string {
  return at < start ? `<s${start - at}>` : `</s${at - end + 1}>`
}

function wordOf(
  name: string,
  pieces: readonly Piece[],
  texts: readonly (readonly (string | undefined)[])[],
  start: number,
  end: number,
  t: number,
): string {
  const cells = pieces.map((piece, p) => {
    const at = t + piece.at
    return at >= start && at < end ? texts[p][at] : mark(at, start, end)
  })
  return `${name}=${cells.join("|")}`
}

/** The cells of all steps as texts; undefined: missing. */
function asTexts(
  cells: ArrayLike<Cell>,
  column: string,
  steps: number,
  text: (cell: string) => string,
): (string | undefined)[] {
  const met = new Map<Cell, string>()
  const texts = new Array<string | undefined>(steps)
  for (let t = 0; t < steps; t++) {
    const cell = cells[t]
    // NaN is missing
    if (cell === null || cell === undefined || cell !== cell) continue
    let found = met.get(cell)
    if (found === undefined) {
      if (typeof cell === "object") throw noLevel(cell, t, column)
      found = text(String(cell))
      met.set(cell, found)
    }
    texts[t] = found
  }
  return texts
}

function noLevel(cell: Cell, row: number, column: string): SufficeError {
  return new SufficeError(
    "cell",
    `row ${row} of ${show(column)} holds ${show(cell)}. A window makes words of text, numbers, true and false. Pass one of these, or null.`,
    { row, column, value: cell },
  )
}

function textIn(form: Form | undefined, length: number): (cell: string) => string {
  switch (form) {
    case undefined:
      return cell => cell
    case "lower":
      return folded
    case "shape":
      return shapeOf
    case "prefix":
      return cell => [...folded(cell)].slice(0, length).join("")
    case "suffix":
      return cell => [...folded(cell)].slice(-length).join("")
    default:
      return form satisfies never
  }
}

/** X for upper case, x for other letters, d for digits; a run of three or more is one of two. */
function shapeOf(cell: string): string {
  return cell
    .replace(/\p{Lu}/gu, "X")
    .replace(/\p{Ll}/gu, "x")
    .replace(/\p{Nd}/gu, "d")
    .replace(/(.)\1{2,}/gu, "$1$1")
}
