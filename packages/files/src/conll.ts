/**
 * CoNLL: a token per line, its cells between tabs or blanks, a blank line after each sentence. The table has a row for each token, and the column `sequence`
 * counts the sentences from 0. All cells are text, and none means "not known": ? and NA are words. `#` begins a comment, unless the line has the cells of a token.
 *
 * CoNLL-U names its ten columns; `_` is missing there but as a form or lemma, and lines of several words (3-4) or of none (3.1) are left out.
 */
import type { Cell, Columns } from "suffice"
import { type Found, findFile, linesOf, type Place } from "./bytes.ts"
import { nothingIn } from "./csv-sentences.ts"
import { counted, FileError, grouped, listed, quoted } from "./errors.ts"
import { LIMITS } from "./limits.ts"
import type { Reader, TableOptions } from "./table.ts"

const SEQUENCE = "sequence"
const UNIVERSAL = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"]
/** Columns of CoNLL-U in which an underscore may be the word itself. */
const WORDS = ["form", "lemma"]

export async function openConll(
  place: Place,
  { names, missing = [], signal }: TableOptions,
  isUniversal: boolean,
): Promise<Reader> {
  const file = await findFile(place, signal)
  const layout = await layoutOf(file, isUniversal)
  const called = namesOf(file, layout, names)
  const unknown = new Set(missing)
  return {
    name: file.name,
    columns: [
      { name: SEQUENCE, type: "integer" },
      ...called.map(name => ({ name, type: "string" }) as const),
    ],
    read: wanted => ({ [Symbol.asyncIterator]: () => batches(file, layout, called, wanted, unknown) }),
  }
}

/** How the lines of a file are cut, by the first of a token. */
interface Layout {
  readonly isUniversal: boolean
  readonly tabs: boolean
  readonly cells: number
  /** The line they are counted in. */
  readonly line: number
}

async function layoutOf(file: Found, isUniversal: boolean): Promise<Layout> {
  for await (const lines of linesOf(file)) {
    for (const { text, line } of lines) {
      if (text.trim() === "" || isDocument(text) || text.startsWith("#")) continue
      const tabs = text.includes("\t")
      return { isUniversal, tabs, cells: cut(text, tabs).length, line }
    }
  }
  throw nothingIn(file.path)
}

/** The line that parts documents in the files of 2003. */
function isDocument(text: string): boolean {
  return text.startsWith("-DOCSTART-")
}

function cut(text: string, tabs: boolean): string[] {
  return tabs ? text.split("\t") : text.trim().split(/\s+/)
}

function namesOf(
  file: Found,
  { isUniversal, cells }: Layout,
  given: readonly string[] | undefined,
): string[] {
  if (given === undefined) {
    if (isUniversal && cells === UNIVERSAL.length) return UNIVERSAL
    return Array.from({ length: cells }, (_, c) => `c${c + 1}`)
  }
  const isList = Array.isArray(given) && given.every(name => typeof name === "string" && name !== "")
  if (!isList || given.length !== cells) {
    throw new FileError(
      "option",
      `names ${isList ? `lists ${counted(given.length, "column")}` : "is no list of names"}, and a line of ${quoted(file.path, 200)} has ${counted(cells, "cell")}. Each needs a name of its own. Pass for example names: ${JSON.stringify(["word", "tag", "chunk", "entity"].slice(0, Math.min(cells, 4)))}.`,
      { option: "names", path: file.path },
    )
  }
  const twice = given.find((name, at) => name === SEQUENCE || given.indexOf(name) !== at)
  if (twice === undefined) return [...given]
  throw new FileError(
    "option",
    `names gives ${quoted(twice)} to two columns${twice === SEQUENCE ? ", one of which counts the sentences" : ""}. Columns go by their names. Choose another for one of them.`,
    { option: "names", column: twice },
  )
}

async function* batches(
  file: Found,
  layout: Layout,
  names: readonly string[],
  wanted: readonly string[],
  missing: ReadonlySet<string>,
): AsyncGenerator<Columns> {
  const { isUniversal } = layout
  const places = wanted.map(name => names.indexOf(name))
  const isMissing = names.map(
    name => (cell: string) => missing.has(cell) || (isUniversal && cell === "_" && !WORDS.includes(name)),
  )
  let sequence = 0
  let isBegun = false
  let ids: number[] = []
  let columns: Cell[][] = wanted.map(() => [])
  const take = (): Columns => {
    const made = Object.fromEntries(
      wanted.map((name, w) => [name, places[w] < 0 ? Float64Array.from(ids) : columns[w]]),
    )
    ids = []
    columns = wanted.map(() => [])
    return made
  }
  for await (const lines of linesOf(file)) {
    for (const { text, line } of lines) {
      if (text.trim() === "" || isDocument(text)) {
        if (isBegun) sequence++
        isBegun = false
        continue
      }
      const cells = cut(text, layout.tabs)
      if (text.startsWith("#") && (isUniversal || cells.length !== layout.cells)) continue
      if (cells.length !== layout.cells) throw ragged(file, layout, cells, line)
      if (isUniversal && /^\d+[-.]\d+$/.test(cells[0])) continue
      isBegun = true
      ids.push(sequence)
      places.forEach((place, w) => {
        if (place >= 0) columns[w].push(isMissing[place](cells[place]) ? null : cells[place])
      })
      if (ids.length === LIMITS.batch) yield take()
    }
  }
  if (ids.length > 0) yield take()
}

function ragged({ path }: Found, layout: Layout, cells: readonly string[], line: number): FileError {
  return new FileError(
    "row",
    `line ${grouped(line)} of ${quoted(path, 200)} has ${counted(cells.length, "cell")} (${listed(cells, 3)}), line ${grouped(layout.line)} has ${grouped(layout.cells)}. Every token has the same columns, between ${layout.tabs ? "tabs" : "blanks"}. Mend the line; a blank line ends a sentence, and # begins a comment.`,
    { path, line },
  )
}
