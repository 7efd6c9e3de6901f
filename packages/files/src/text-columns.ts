/**
 * Columns of written cells, without a database: what each is (written.ts decides, from counts made here), and the value that each of its cells means. The twin of
 * duckdb/csv-columns.ts, for pages: the same file gives the same columns and the same cells.
 */
import { cellsAsked } from "./asked.ts"
import { daysOf } from "./dates.ts"
import { MISSING } from "./limits.ts"
import { currencyIn, isNumeral, type Numeral, numeralText } from "./numerals.ts"
import { SIGNS, STAND_INS } from "./stand-ins.ts"
import type { ColumnType, FileColumn, TableOptions } from "./table.ts"
import {
  CLEAR,
  candidatesOf,
  DATE,
  type Found,
  mayBeNumerals,
  type Seen,
  type Textual,
  typeOf,
  usualDecimal,
  type Written,
} from "./written.ts"

/** How the cells of a column become values. */
export type Decoding = "number" | "boolean" | "string"

/** A column of written cells, and the value of each. */
export interface TextColumn extends FileColumn {
  readonly decoding: Decoding
  /** The value of a cell that is there, null if it means missing; undefined: it cannot be one of this column. */
  value(cell: string): number | string | boolean | null | undefined
  /** Its cells may be numbers that a stand-in interrupts. */
  readonly plain: boolean
}

const SPACES = /^\p{Zs}+|\p{Zs}+$/gu
const DIGITS = String.raw`\d+(?:_\d+)*`
const NUMBER = new RegExp(
  String.raw`^[\t-\r ]*[+-]?(?:(?:${DIGITS}(?:\.(?:${DIGITS})?)?|\.${DIGITS})(?:e[+-]?${DIGITS})?|inf(?:inity)?|nan)[\t-\r ]*$`,
  "i",
)
const PLAIN = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** Without blanks around it. */
export function trimmed(cell: string): string {
  const first = cell.charCodeAt(0)
  const last = cell.charCodeAt(cell.length - 1)
  // most cells have none
  return first === 32 || first > 127 || last === 32 || last > 127 ? cell.replace(SPACES, "") : cell
}

/** The number that a cell is, as databases read it; undefined if it is none. */
export function numberIn(cell: string): number | undefined {
  if (PLAIN.test(cell)) return Number(cell)
  if (!NUMBER.test(cell)) return undefined
  const plain = cell.trim().replaceAll("_", "").toLowerCase()
  if (plain.endsWith("nan")) return Number.NaN
  if (plain.includes("inf"))
    return plain.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(plain)
}

/** Cells that are missing wherever they stand; a blank may stand before them. */
export function missingCells(also: readonly string[] = []): ReadonlySet<string> {
  return new Set(
    [...MISSING, ...also].flatMap(marker => (marker === "" ? ["", " "] : [marker, ` ${marker}`])),
  )
}

const SOFT = new Set(STAND_INS)
const SIGN = new Set(SIGNS)
const DATES = new RegExp(DATE)
const CLEARLY = new RegExp(CLEAR)
const LETTER = /[\p{L}\p{N}]/u

/** The columns of a table whose cells are given column by column; null is a missing cell. */
export function textColumns(
  names: readonly string[],
  cells: readonly (readonly (string | null)[])[],
  delimiter: string,
  options: TableOptions,
): TextColumn[] {
  const seen = cells.map(seenIn)
  const textual = cells.map((column, c) =>
    seen[c].numbers === seen[c].present ? undefined : textualIn(column),
  )
  const numerals = candidatesOf(options)
  const written = new Map<number, Written>()
  for (const [c, own] of textual.entries())
    if (own && mayBeNumerals(seen[c], own)) written.set(c, writtenIn(cells[c], numerals))
  // A decimal comma somewhere in the file: then 1.234 may be 1234 elsewhere.
  const fractions = [...cells.keys()].filter(c => !textual[c] && seen[c].numbers > seen[c].integers)
  if (numerals.some(({ decimal }) => decimal === ",") && (options.decimal === "," || written.size > 0))
    for (const c of fractions) written.set(c, writtenIn(cells[c], numerals))
  const all = new Map(seen.entries())
  const others = new Map([...textual.entries()].flatMap(([c, own]) => (own ? [[c, own] as const] : [])))
  const usual = usualDecimal(all, others, written, fractions, delimiter)
  return names.map((name, c) => {
    const known = { seen: seen[c], textual: textual[c], written: written.get(c), usual }
    return columnFrom(
      name,
      cellsAsked(options.as ?? {}, name),
      known.seen,
      known.textual,
      typeOf(known, options),
    )
  })
}

function seenIn(cells: readonly (string | null)[]): Seen {
  let [present, numbers, integers, codes, longest] = [0, 0, 0, 0, 0]
  for (const cell of cells) {
    if (cell === null) continue
    present++
    const number = numberIn(cell)
    if (number !== undefined) {
      numbers++
      if (Number.isInteger(number)) integers++
    }
    if (cell.length > 1 && cell.charCodeAt(0) === 48 && !cell.includes(".")) codes++
    if (cell.length > longest) longest = cell.length
  }
  return { rows: cells.length, present, numbers, integers, codes, longest }
}

function textualIn(cells: readonly (string | null)[]): Textual {
  let [booleans, dates, clear, standIns, signs, digits, signsOnly] = [0, 0, 0, 0, 0, 0, 0]
  const words = new Set<string>()
  let [least, most, odd]: (string | null)[] = [null, null, null]
  for (const cell of cells) {
    if (cell === null) continue
    const text = trimmed(cell)
    const small = text.toLowerCase()
    if (small === "true" || small === "false") booleans++
    if (DATES.test(cell)) {
      dates++
      if (CLEARLY.test(text)) clear++
    }
    const isSoft = SOFT.has(small)
    if (isSoft) {
      standIns++
      words.add(text)
    }
    if (SIGN.has(text)) signs++
    else {
      if (least === null || text < least) least = text
      if (most === null || text > most) most = text
      if (!LETTER.test(text)) signsOnly++
    }
    if (numberIn(cell) === undefined) {
      if (/\d/.test(cell)) digits++
      if (!isSoft && (odd === null || cell < odd)) odd = cell
    }
  }
  return {
    booleans,
    dates,
    clear,
    standIns,
    words: words.size === 0 ? null : [...words].sort(),
    signs,
    levels: least !== most && signsOnly === 0,
    digits,
    odd,
  }
}

function writtenIn(cells: readonly (string | null)[], numerals: readonly Numeral[]): Written {
  let [point, comma, percents] = [0, 0, 0]
  const currencies = new Set<string>()
  let sample: string | null = null
  for (const cell of cells) {
    if (cell === null) continue
    const text = trimmed(cell)
    let isOne = false
    for (const numeral of numerals) {
      if (!isNumeral(text, numeral)) continue
      isOne = true
      if (numeral.decimal === ".") point++
      else comma++
    }
    if (text.endsWith("%")) percents++
    if (!isOne) continue
    const currency = currencyIn(text)
    if (currency !== "") currencies.add(currency)
    if (sample === null || text.length > sample.length) sample = text
  }
  return { point, comma, percents, currencies: currencies.size === 0 ? null : [...currencies], sample }
}

// ── one column ─────────────────────────────────────────────────────────────────────────────────────

function columnFrom(
  name: string,
  asked: ReturnType<typeof cellsAsked>,
  { present }: Seen,
  textual: Textual | undefined,
  found: Found,
): TextColumn {
  if (asked === "category" || asked === "text") return stringColumn(name, "string")
  const said = found.note === undefined ? {} : { note: found.note }
  if (asked === "number" || asked === "count") {
    const type = asked === "count" ? "integer" : "number"
    if (textual && textual.clear > 0 && textual.clear + textual.standIns === present)
      return { ...dayColumn(name), ...said }
    const numeral = "numeral" in found ? found.numeral : undefined
    if (numeral || (textual?.standIns ?? 0) > 0) return { ...lenientColumn(name, type, numeral), ...said }
    return numberColumn(name, type)
  }
  switch (found.type) {
    case "number":
    case "integer":
      return {
        ...(found.numeral || found.lenient
          ? lenientColumn(name, found.type, found.numeral)
          : numberColumn(name, found.type)),
        ...said,
      }
    case "boolean":
      return { ...booleanColumn(name, found.lenient ?? false), ...said }
    default:
      return {
        ...stringColumn(name, found.type, found.missing),
        ...said,
        ...(present === 0 && { empty: true }),
      }
  }
}

function isSoft(cell: string): boolean {
  return SOFT.has(trimmed(cell).toLowerCase())
}

function numberColumn(name: string, type: "number" | "integer"): TextColumn {
  return { name, type, decoding: "number", plain: true, value: numberIn }
}

/** Numbers among which stand-ins are missing, written as people do. */
export function lenientColumn(name: string, type: "number" | "integer", numeral?: Numeral): TextColumn {
  const value = (cell: string): number | null | undefined =>
    isSoft(cell) ? null : numberIn(numeral ? numeralText(trimmed(cell), numeral) : cell)
  return { name, type, decoding: "number", plain: false, value }
}

function dayColumn(name: string): TextColumn {
  return {
    name,
    type: "number",
    decoding: "number",
    plain: false,
    value: cell => (isSoft(cell) ? null : daysOf(trimmed(cell))),
    note: "dates, as days since 1970-01-01",
  }
}

function booleanColumn(name: string, lenient: boolean): TextColumn {
  const value = (cell: string): boolean | null | undefined => {
    if (lenient && isSoft(cell)) return null
    const text = trimmed(cell).toLowerCase()
    return text === "true" ? true : text === "false" ? false : undefined
  }
  return { name, type: "boolean", decoding: "boolean", plain: false, value }
}

/** Blanks around text are typing, not meaning. */
export function stringColumn(name: string, type: ColumnType, missing: readonly string[] = []): TextColumn {
  const value = (cell: string): string | null => {
    const text = trimmed(cell)
    return missing.includes(text) ? null : text
  }
  return { name, type, decoding: "string", plain: false, value }
}

/** A column in which a cell turned out to be no number: it is missing if it stands in for one, else the column is text. */
export function retyped(
  column: TextColumn,
  note: string,
  quotedCell: string,
  cell?: string,
): TextColumn | undefined {
  if (column.decoding === "string") return undefined
  if (cell !== undefined && SOFT.has(cell.trim().toLowerCase()) && column.plain)
    return {
      ...lenientColumn(column.name, column.type as "number" | "integer"),
      note: `${quotedCell} taken for missing`,
    }
  return { ...stringColumn(column.name, "string"), note }
}
