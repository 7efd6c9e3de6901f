/**
 * What a column of written cells is, from counts of its cells: numbers, whole ones, as people write them, dates, true and false, codes, words; and which cells
 * stand in for missing ones. Who counts is another matter: DuckDB does where files are read in Node (duckdb/csv-columns.ts), text-columns.ts elsewhere.
 */
import { grouped, quoted } from "./errors.ts"
import type { Numeral } from "./numerals.ts"
import { SIGNS } from "./stand-ins.ts"
import type { TableOptions } from "./table.ts"

/** How many cells of a column are what. */
export interface Seen {
  readonly rows: number
  readonly present: number
  readonly numbers: number
  readonly integers: number
  /** Numbers with a leading zero: as numbers, 0815 and 815 would be the same. */
  readonly codes: number
  readonly longest: number
}

/** Of a column that does not hold numbers only, or whose numbers may be written otherwise. */
export interface Textual {
  readonly booleans: number
  readonly dates: number
  /** Dates that can be read in one way only: the year first, or the day first and points between. */
  readonly clear: number
  /** Cells that stand in for missing ones, and what they are. */
  readonly standIns: number
  readonly words: readonly string[] | null
  readonly signs: number
  /** Are there at least two other words, and no other signs? */
  readonly levels: boolean | null
  /** Cells with a digit. */
  readonly digits: number
  /** A cell that is no number. */
  readonly odd: string | null
}

/** Of a column that may hold numbers as people write them: how many cells are so written, by decimal sign. */
export interface Written {
  readonly point: number
  readonly comma: number
  readonly percents: number
  readonly currencies: readonly string[] | null
  /** The longest that is no plain number. */
  readonly sample: string | null
}

/** Dates, with a time or without. */
export const DATE =
  "^\\s*(\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}|\\d{1,2}[./-]\\d{1,2}[./-]\\d{4})([T ]+\\d{1,2}:\\d{2}(:\\d{2}([.,]\\d+)?)?\\s*([AaPp][Mm]|Z|[+-]\\d{2}:?\\d{2})?)?\\s*$"
/** Of these, the ones that can be read in one way only. */
export const CLEAR = "^(\\d{4}[-/]|\\d{1,2}\\.\\d{1,2}\\.)"

/** May the cells be numbers as people write them? Then they are counted by decimal sign. */
export function mayBeNumerals(
  { present, numbers }: Seen,
  { booleans, dates, standIns, digits }: Textual,
): boolean {
  return booleans === 0 && dates === 0 && digits > 0 && numbers + digits > MOSTLY * (present - standIns)
}

const MOSTLY = 0.5

/** The ways that are looked for: with this sign for decimals, or with either. */
export function candidatesOf({ decimal, thousands }: TableOptions): Numeral[] {
  const decimals = decimal === undefined ? ([".", ","] as const) : [decimal]
  return decimals
    .filter(sign => sign !== thousands)
    .map(sign => ({ decimal: sign, ...(thousands !== undefined && { thousands }) }))
}

/** The decimal sign where a column says nothing: as in the other columns, else as files with this delimiter have it. */
export function usualDecimal(
  seen: ReadonlyMap<number, Seen>,
  textual: ReadonlyMap<number, Textual>,
  written: ReadonlyMap<number, Written>,
  fractions: readonly number[],
  delimiter: string,
): "." | "," {
  let [points, commas] = [fractions.filter(c => !written.has(c)).length, 0]
  for (const [c, { point, comma }] of written) {
    const total = seen.get(c)!.present - (textual.get(c)?.standIns ?? 0)
    if (comma === total && point < total) commas++
    else if (point === total && comma < total) points++
  }
  return commas === points ? (delimiter === ";" ? "," : ".") : commas > points ? "," : "."
}

/** What is known of a column when its type is decided. */
export interface Known {
  readonly seen: Seen
  readonly textual: Textual | undefined
  readonly written: Written | undefined
  readonly usual: "." | ","
}

/** What it is, and how its cells are read. */
export type Found =
  | {
      readonly type: "number" | "integer"
      readonly numeral?: Numeral
      readonly lenient?: boolean
      readonly note?: string
    }
  | { readonly type: "boolean"; readonly lenient?: boolean; readonly note?: string }
  | { readonly type: "string" | "date"; readonly missing?: readonly string[]; readonly note?: string }

export function typeOf(known: Known, options: TableOptions): Found {
  const { seen, textual, written, usual } = known
  const { present, numbers, integers, codes } = seen
  if (present === 0) return { type: "string" }
  if (numbers === present && codes > 0) {
    return {
      type: "string",
      note: "whole numbers, some with leading zeros: read as text, since they are codes",
    }
  }
  const standIns = textual?.standIns ?? 0
  const total = present - standIns
  const lenient = standIns > 0
  const absent = lenient ? standInNote(textual!.words ?? [], standIns) : undefined
  const numeral = written && total > 0 ? numeralOf(written, total, usual, options) : undefined
  if (numeral) {
    const isPlain = numbers === total && numeral.decimal === "."
    if (isPlain && !lenient) return { type: "number" }
    return {
      type: "number",
      lenient,
      ...(!isPlain && { numeral }),
      ...noted(!isPlain && numeralNote(known, numeral), absent),
    }
  }
  if (numbers === total && codes === 0 && total > 0 && options.decimal !== ",") {
    return { type: integers === total ? "integer" : "number", lenient, ...noted(absent) }
  }
  if (numbers === total && integers === total && codes === 0 && total > 0)
    return { type: "integer", lenient, ...noted(absent) }
  if (!textual)
    return {
      type: "string",
      note: "numbers with a point, which is not the decimal sign: read as text; pass another decimal if it is",
    }
  if (textual.booleans === total && total > 0) return { type: "boolean", lenient, ...noted(absent) }
  if (textual.dates === total && total > 0)
    return { type: "date", ...(textual.words && { missing: textual.words }), ...noted(absent) }
  return textFound(known, total)
}

function textFound({ seen, textual, written }: Known, total: number): Found {
  const { present, numbers } = seen
  const { odd, signs, words, levels, standIns } = textual!
  const fitting = Math.max(numbers, written?.point ?? 0, written?.comma ?? 0)
  if (fitting > MOSTLY * total && total > 0) {
    const others = present - fitting
    if (others === 0)
      return { type: "string", note: "numbers of several units: read as text; bring them to one" }
    return {
      type: "string",
      note: `mixed: ${grouped(fitting)} cells are numbers, ${grouped(others)} ${others === 1 ? "is" : "are"} not, such as ${quoted(odd ?? "", 20)}; if that means "not known", name it among the missing cells`,
    }
  }
  const missing = (words ?? []).filter(word => SIGNS.includes(word))
  if (signs > 0 && levels) {
    return {
      type: "string",
      missing,
      note: `${standInNote(missing, signs)}; if it is a level, read the column as a category`,
    }
  }
  const kept = (words ?? []).filter(word => !SIGNS.includes(word))
  if (kept.length > 0 && standIns - signs < present) {
    const named = kept.map(word => quoted(word)).join(", ")
    return {
      type: "string",
      note: `${named} ${kept.length === 1 ? "is a level" : "are levels"}; if ${kept.length === 1 ? "it means" : "they mean"} "not known", name ${kept.length === 1 ? "it" : "them"} among the missing cells`,
    }
  }
  return { type: "string" }
}

/** The one way in which all cells are numbers; where there are two, the usual one. */
function numeralOf(
  { point, comma, percents, currencies }: Written,
  total: number,
  usual: "." | ",",
  options: TableOptions,
): Numeral | undefined {
  if ((percents > 0 && percents < total) || (currencies ?? []).length > 1) return undefined
  const fitting = candidatesOf(options).filter(({ decimal }) => (decimal === "." ? point : comma) === total)
  return fitting.find(({ decimal }) => decimal === usual) ?? fitting[0]
}

function numeralNote({ written }: Known, { decimal }: Numeral): string {
  const { sample, point, comma } = written!
  const cell = sample ?? ""
  const isEither = point === comma && /[.,]\d{3}(\D|$)/.test(cell)
  return `${quoted(cell, 30)} is read as ${meaning(cell, decimal)}${isEither ? `; if that is wrong, pass decimal: ${quoted(decimal === "," ? "." : ",")}` : ""}`
}

/** What a cell means, for notes. */
function meaning(cell: string, decimal: "." | ","): string {
  const digits = cell.replace(/[^\d.,+\-−(]/g, "").replace(/[−(]/g, "-")
  const plain = decimal === "." ? digits.replaceAll(",", "") : digits.replaceAll(".", "").replace(",", ".")
  return `${Number(plain)}${cell.endsWith("%") ? " (per cent)" : ""}`
}

function standInNote(words: readonly string[], cells: number): string {
  const named = words.map(word => quoted(word)).join(", ")
  return `${named} (${grouped(cells)} ${cells === 1 ? "cell" : "cells"}) taken for missing`
}

function noted(...notes: readonly (string | false | undefined)[]): { note?: string } {
  const note = notes.filter(Boolean).join("; ")
  return note === "" ? {} : { note }
}
