/** Batches as text: CSV and TSV after RFC 4180, or NDJSON. Missing cells are empty, or null; bags are JSON. */
import type { Batch, Cell, Columns, Row } from "suffice"
import { FileError, listed } from "./errors.ts"

export type TextFormat = "csv" | "tsv" | "ndjson"

export interface EncodeOptions {
  readonly format: TextFormat
  readonly columns: readonly string[]
  /** CSV and TSV: start with the names. */
  readonly header: boolean
  /** CSV and TSV: text that a spreadsheet would take for a formula begins with a single quote. */
  readonly safe?: boolean
}

export function encode(batch: Batch, { format, columns, header, safe = false }: EncodeOptions): string {
  const cellAt = cellsOf(batch, columns)
  const rows = cellAt.rows
  const lines: string[] = []
  if (format === "ndjson") {
    for (let i = 0; i < rows; i++) {
      lines.push(JSON.stringify(Object.fromEntries(columns.map((name, c) => [name, jsonCell(cellAt(i, c))]))))
    }
  } else {
    const delimiter = format === "tsv" ? "\t" : ","
    const cellOf = (cell: Cell): string => csvCell(cell, delimiter, safe)
    if (header) lines.push(columns.map(cellOf).join(delimiter))
    for (let i = 0; i < rows; i++) {
      lines.push(columns.map((_, c) => cellOf(cellAt(i, c))).join(delimiter))
    }
  }
  return lines.length > 0 ? `${lines.join("\n")}\n` : ""
}

/** The columns of a batch, in the order they are met. */
export function namesOf(batch: Batch): string[] {
  if (!Array.isArray(batch)) return Object.keys(batch)
  const names = new Set<string>()
  for (const row of batch as readonly Row[]) for (const name of Object.keys(row)) names.add(name)
  return [...names]
}

/** The cell of row i and column c, and how many rows there are. */
export function cellsOf(
  batch: Batch,
  columns: readonly string[],
): ((i: number, c: number) => Cell) & { rows: number } {
  if (Array.isArray(batch)) {
    const rows = batch as readonly Row[]
    // own properties only: every object has a "constructor"
    const cellAt = (i: number, c: number): Cell =>
      Object.hasOwn(rows[i], columns[c]) ? rows[i][columns[c]] : null
    return Object.assign(cellAt, { rows: rows.length })
  }
  const cells = columns.map(name => (Object.hasOwn(batch, name) ? (batch as Columns)[name] : undefined))
  const rows = cells.find(column => column !== undefined)?.length ?? 0
  return Object.assign((i: number, c: number) => cells[c]?.[i], { rows })
}

/** Refuses columns that first appear after the first batch, unless they were named. */
export function refuseNewColumns(batch: Batch, columns: readonly string[]): void {
  const strange = namesOf(batch).filter(name => !columns.includes(name))
  if (strange.length === 0) return
  throw new FileError(
    "write",
    `a later row brings the ${strange.length === 1 ? "column" : "columns"} ${listed(strange)}. The file was begun with ${listed(columns)}. Name all columns at the start: columns: [ … ].`,
    { columns: strange },
  )
}

function isMissing(cell: Cell): boolean {
  return cell === null || cell === undefined || Number.isNaN(cell)
}

/** What makes spreadsheets compute (OWASP, CSV injection); their full-width forms count as well. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/** A number is not a formula. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

function csvCell(cell: Cell, delimiter: string, safe: boolean): string {
  if (isMissing(cell)) return ""
  const own = typeof cell === "object" ? JSON.stringify(cell) : String(cell)
  const text = safe && FORMULA.test(own) && !NUMBER.test(own) ? `'${own}` : own
  const plain = !text.includes(delimiter) && !/["\r\n]|^\s|\s$/.test(text)
  return plain ? text : `"${text.replaceAll('"', '""')}"`
}

function jsonCell(cell: Cell): unknown {
  if (isMissing(cell)) return null
  return typeof cell === "bigint" ? Number(cell) : cell
}
