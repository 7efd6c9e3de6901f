/**
 * Files become tables: opened as the options say, or as a model remembers them, and described for people.
 * Long because every command reads its data here, and says of it the same.
 */

import { type Cell, type Column, type Columns, type Model, nearest } from "suffice"
import { familiesIn, usualFamily } from "suffice/describe"
import type { ColumnReport, FileTable, Format, TableInput, TableOptions } from "suffice-files"
import type { ColumnAnswer, DataAnswer } from "./answers.ts"
import { asTyped, Failure } from "./failure.ts"
import { count, many, percent } from "./format.ts"
import type { LooseFitted } from "./loose.ts"
import type { As } from "./options.ts"
import { type ColumnSource, rowCount } from "./tabular.ts"
import type { Session } from "./terminal/session.ts"
import { shown } from "./terminal/shown.ts"
import { type TableColumn, textTable } from "./terminal/table.ts"

/** The options that say how data is read. */
export interface DataOptions {
  readonly sql?: string
  readonly as?: Readonly<Record<string, As>>
  readonly missing?: readonly string[]
  readonly delimiter?: string
  readonly header?: boolean
  readonly decimal?: "." | ","
  readonly thousands?: "," | "." | " " | "'" | ""
  readonly encoding?: "utf-8" | "utf-16" | "windows-1252" | "latin-1"
  readonly quote?: '"' | "'" | ""
  readonly sheet?: string
  readonly names?: readonly string[]
  readonly format?: Format
}

/** DATA as it is typed: files, patterns, - for the standard input; none where --sql says what is read. */
export type DataPaths = readonly string[]

/** Open DATA, or what --sql selects. */
export async function openData(
  paths: DataPaths,
  {
    sql,
    as,
    missing,
    delimiter,
    header,
    quote,
    decimal,
    thousands,
    encoding,
    sheet,
    names,
    format,
  }: DataOptions,
  more: Pick<TableOptions, "label" | "signal" | "onRows" | "asIfThere"> = {},
): Promise<FileTable> {
  if ((paths.length === 0) === (sql === undefined)) {
    throw new Failure(
      "usage",
      paths.length === 0
        ? "no data is named. A command needs a file, a folder, or a query to read. Name a file, or write --sql \"select … from 'file.parquet'\"."
        : "both a file and --sql are given. One of them is the data. Name the file inside the query, or leave --sql out.",
    )
  }
  const { openTable } = await import("suffice-files")
  const opening = openTable(sql === undefined ? await inputOf(paths) : { sql }, {
    ...(as && { as }),
    ...(missing && { missing }),
    ...(delimiter !== undefined && { delimiter: delimiter === "\\t" ? "\t" : delimiter }),
    ...(header === false && { header }),
    ...(quote !== undefined && { quote }),
    ...(decimal !== undefined && { decimal }),
    ...(thousands !== undefined && { thousands }),
    ...(encoding && { encoding }),
    ...(sheet !== undefined && { sheet: /^\d+$/.test(sheet) ? Number(sheet) : sheet }),
    ...(names && { names }),
    ...(format && { format }),
    ...more,
  })
  return opening.catch(error => {
    throw columnAmong(paths, error)
  })
}

/** A file that is not there, named behind one that is, may be meant as a column. */
function columnAmong(
  paths: DataPaths,
  error: Error & { code?: string; details?: { path?: unknown } },
): Error {
  const path = error.details?.path
  if (error.code !== "path" || paths.indexOf(path as string) < 1 || /[./*]/.test(path as string)) return error
  return new Failure("column", `${error.message} If it is a column to predict, write --label ${path}.`, {
    path,
  })
}

async function inputOf(paths: DataPaths): Promise<TableInput> {
  if (paths.length === 1 && paths[0] === "-") return { stream: process.stdin, name: "standard input" }
  if (paths.includes("-")) {
    throw new Failure(
      "usage",
      "the standard input (-) is named beside files. It is read by itself. Name it alone, or files only.",
    )
  }
  const { filesOf } = await import("suffice-files")
  const files = (await Promise.all(paths.map(filesOf))).flat()
  return files.length === 1 ? files[0] : files
}

/** Data for a model that has been learned: its columns are read as what they were then. */
export async function openDataFor(
  fitted: LooseFitted,
  paths: DataPaths,
  options: DataOptions,
  signal: AbortSignal,
): Promise<FileTable> {
  return openData(paths, options, { signal, asIfThere: remembered(fitted) })
}

/** What a model reads of a table, and its batches as it reads them. */
export interface Reading {
  readonly columns: readonly string[]
  /** Rare levels are pooled, and a column that the table does not have is missing in every row. */
  prepared(batch: Columns): Columns
}

/** That a column is not there is said; not so of the target, which is never read to be predicted. */
export async function readingOf(
  session: Session,
  fitted: LooseFitted,
  table: FileTable,
  target: string | undefined = fitted.model.target,
): Promise<Reading> {
  const { pooling } = await import("suffice-files/columns")
  const names = table.columns.map(({ name }) => name)
  const cells = fitted.model.uses.filter(use => use.role !== "hidden" && use.role !== "label")
  const all = [...new Set(cells.map(({ column }) => column))].filter(column => column !== target)
  const absent = all.filter(column => !table.has(column))
  if (absent.length > 0) sayAbsent(session, table.name, names, absent, all.length)
  const pooled = pooling(await pooledFor(fitted))
  return {
    columns: readable(
      fitted.model.uses.map(use => use.column),
      table,
    ),
    prepared(batch) {
      if (absent.length === 0) return pooled(batch)
      const missing = new Array<null>(rowCount(batch)).fill(null)
      return { ...pooled(batch), ...Object.fromEntries(absent.map(name => [name, missing])) }
    },
  }
}

/** The rows of a table as a model reads them, with further columns. */
export async function sourceOf(
  session: Session,
  fitted: LooseFitted,
  table: FileTable,
  { also = [], target }: { readonly also?: readonly string[]; readonly target?: string | undefined } = {},
): Promise<ColumnSource> {
  const { columns, prepared } = await readingOf(session, fitted, table, target)
  const read = table.read([...new Set([...columns, ...also])])
  return {
    async *[Symbol.asyncIterator]() {
      for await (const batch of read) yield prepared(batch as Columns)
    },
  }
}

/** That columns are not there; none at all is an error. */
export function sayAbsent(
  session: Session,
  table: string,
  names: readonly string[],
  absent: readonly string[],
  all: number,
): void {
  const hint = absent
    .map(column => [column, nearest(column, names)[0]] as const)
    .find(([, near]) => near !== undefined)
  const part = absent.find(column => /[^.]\.(year|month|weekday|hour)$/.test(column))
  const near = hint
    ? ` Did you mean ${JSON.stringify(hint[1])} by ${JSON.stringify(hint[0])}?`
    : part
      ? ` ${JSON.stringify(part)} is made of dates in a column ${JSON.stringify(part.replace(/\.\w+$/, ""))}.`
      : ""
  const listed = absent
    .slice(0, 3)
    .map(name => JSON.stringify(name))
    .join(", ")
  const named = absent.length > 3 ? `${listed} and ${absent.length - 3} more` : listed
  if (absent.length === all) {
    throw new Failure(
      "column",
      `${table} has none of the columns that the model reads: ${named}.${near} Nothing can be said of its rows. Name the file with these columns, or rename those of the data.`,
      { columns: absent },
    )
  }
  session.note(
    `note: ${table} has no ${absent.length === 1 ? "column" : "columns"} ${named}: missing in every row.${near}`,
  )
}

export function remembered(fitted: LooseFitted): Record<string, As> {
  // the cells that words are made of stay as they are written
  const written = fitted.model.uses.flatMap(({ need }) =>
    need.kind !== "steps"
      ? []
      : need.uses.flatMap(use => (use.need.kind === "bag" ? (use.need.reading.made?.from ?? []) : [])),
  )
  return Object.fromEntries([
    ...written.map((name): [string, As] => [name, "category"]),
    ...knownColumns(fitted).flatMap((column): [string, As][] => {
      if (column.kind === "number") return [[column.name, "number"]]
      if (column.kind === "count") return [[column.name, "count"]]
      if (column.kind === "bag") return [[column.name, "text"]]
      if (column.kind === "steps") return []
      return column.levels.every(level => typeof level === "string")
        ? [[column.name, "category"]]
        : column.levels.every(level => typeof level === "number")
          ? [[column.name, "number"]]
          : []
    }),
  ])
}

/** Those that cells are read for: in place of steps, what is in them. */
function knownColumns(fitted: LooseFitted): Column[] {
  return fitted.columns.flatMap(column => (column.kind === "steps" ? column.columns : [column]))
}

/** The levels that were kept when rare ones were pooled in training. */
export async function pooledFor(fitted: LooseFitted): Promise<Record<string, readonly string[]>> {
  const { OTHER } = await import("suffice-files/columns")
  return Object.fromEntries(
    knownColumns(fitted).flatMap(column =>
      column.kind === "level" && column.levels.includes(OTHER)
        ? [[column.name, column.levels.filter(level => level !== OTHER).map(String)]]
        : [],
    ),
  )
}

/** A column that an option names. */
export function checkColumn(table: FileTable, option: string, column: string): void {
  try {
    table.read([column])
  } catch (error) {
    throw new Failure("column", (error as Error).message.replace(/^read names/, `${option} names`), {
      option,
      column,
    })
  }
}

/** The columns of the data that a model learns from. If one is missing, all columns: the model then suggests similar names. */
export function readBy(model: Model, table: FileTable, also: readonly string[] = []): string[] {
  const uses = model.uses.filter(use => use.role !== "hidden")
  const absent = uses.some(use => use.role !== "label" && !table.has(use.column))
  return absent
    ? table.columns.map(({ name }) => name)
    : readable([...uses.map(use => use.column), ...also], table)
}

/** Those of the wanted columns that can be read: in the order of the table, and the parts of its dates behind them. */
function readable(columns: readonly string[], table: FileTable): string[] {
  const wanted = new Set(columns)
  const own = table.columns.map(({ name }) => name).filter(name => wanted.delete(name))
  return [...own, ...[...wanted].filter(name => table.has(name))]
}

/** How many rows there are: an ignored column was not counted. */
export function rowsIn(reports: readonly ColumnReport[]): number {
  return reports.reduce((most, report) => Math.max(most, report.rows), 0)
}

/** What was read, with the role of each column in the model. */
export function dataAnswer(
  name: string,
  reports: readonly ColumnReport[],
  model: Model,
  label?: string,
): DataAnswer {
  const families = familiesIn(model.spec)
  return {
    name,
    rows: rowsIn(reports),
    columns: reports.map((report): ColumnAnswer => {
      const isSwitch = model.uses.some(use => use.column === report.name && use.role === "label")
      const isLabel = label === undefined ? isSwitch : report.name === label
      // the levels that a regression switches on are a column of the model as others are
      const family =
        families.get(report.name) ??
        (isSwitch && !isLabel ? usualFamily("category") : readIn(model, report.name))
      return {
        name: report.name,
        kind: report.kind,
        role: isLabel ? "label" : family === undefined ? "left out" : "cell",
        ...(family !== undefined && { family }),
        missing: report.missing.share,
        ...(report.levels && { levels: report.levels.count }),
        ...(report.made && { of: report.made.of }),
        ...noteOf(report, isLabel || family !== undefined),
      }
    }),
  }
}

export function noteOf({ name, note, why }: ColumnReport, used: boolean): { note?: string } {
  if (note !== undefined) {
    const typed = asTyped(note)
      .replace(/read (it|the column) as a category/, `--as ${name}=category`)
      .replace(/read it as its parts, or as/, `--as ${name}=parts, or --as ${name}=number for`)
      .replace(/name (it|them) among the missing cells/, "name $1 with --missing")
    return { note: typed }
  }
  return used ? {} : { note: why }
}

/** A column that a regression reads has no family of its own. */
function readIn(model: Model, column: string): string | undefined {
  return model.uses.some(use => use.column === column && use.role === "read") ? "read" : undefined
}

const HEADS: readonly TableColumn[] = [
  { title: "column" },
  { title: "kind" },
  { title: "family" },
  { title: "missing", align: "right" },
  { title: "levels", align: "right" },
  { title: "" },
]

/** A table with more columns is wide: what is said of it is short, so that all of it fits on a terminal. The rest is in the report. */
const WIDE = 20
const SHOWN = 2

export function isWide(columns: number): boolean {
  return columns > WIDE
}

export function dataText({ name, rows, columns }: DataAnswer): string {
  const some = isWide(columns.length) ? mostTelling(columns) : columns
  const lines = some.map(one => [
    one.name,
    one.kind,
    one.role === "label" ? "(label)" : (one.family ?? "(left out)"),
    percent(one.missing),
    one.levels === undefined ? "" : count(one.levels),
    one.note ?? "",
  ])
  const more = some.length < columns.length ? `  … ${othersText(columns, some)}\n` : ""
  const own = columns.filter(({ of }) => of === undefined)
  return `${shown(name)}: ${count(rows)} rows, ${own.length} columns\n\n${textTable(HEADS, lines)}\n${more}`
}

/** The label, columns that something is said of, and the first of the others; in the order of the file. */
function mostTelling(columns: readonly ColumnAnswer[]): ColumnAnswer[] {
  const label = columns.filter(({ role }) => role === "label")
  const noted = columns.filter(({ role, note }) => role !== "label" && note !== undefined).slice(0, SHOWN / 2)
  const chosen = new Set([...label, ...noted])
  for (const column of columns) if (chosen.size < SHOWN) chosen.add(column)
  return columns.filter(column => chosen.has(column))
}

/** "1,982 more columns: 1,900 number, 82 category. All are in the report (--report) and in --json." */
function othersText(columns: readonly ColumnAnswer[], some: readonly ColumnAnswer[]): string {
  const shownOnes = new Set(some)
  const kinds = new Map<string, number>()
  for (const column of columns) {
    if (shownOnes.has(column)) continue
    const kind = column.role === "left out" ? "left out" : column.kind
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  const counted = [...kinds].map(([kind, times]) => `${count(times)} ${kind}`).join(", ")
  return `${many(columns.length - some.length, "more column")}: ${counted}. All are in the report (--report) and in --json.`
}

/** Typed values are text, or numbers for numeric columns. The model itself refuses what does not fit. */
export function typedCells(
  fitted: LooseFitted,
  given: Readonly<Record<string, string>>,
): Record<string, Cell> {
  const columns = new Map(fitted.columns.map(column => [column.name, column]))
  return Object.fromEntries(
    Object.entries(given).map(([name, text]): [string, Cell] => {
      const column = columns.get(name)
      if (column?.kind === "number" || column?.kind === "count")
        return [name, text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text)]
      if (column?.kind === "level") return [name, column.levels.find(level => String(level) === text) ?? text]
      return [name, text]
    }),
  )
}
