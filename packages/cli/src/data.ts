/** Files become tables: opened as the options say, or as a model remembers them, and described for people. */
import type { Column, Model } from "suffice"
import type { ColumnReport, FileTable, Format, TableOptions } from "suffice-files"
import type { ColumnAnswer, DataAnswer } from "./answers.ts"
import { Failure } from "./failure.ts"
import { count, percent } from "./format.ts"
import type { LooseFitted } from "./loose.ts"
import type { As } from "./options.ts"
import { shown } from "./terminal/shown.ts"
import { type TableColumn, textTable } from "./terminal/table.ts"

/** The options that say how data is read. */
export interface DataOptions {
  readonly sql?: string
  readonly as?: Readonly<Record<string, As>>
  readonly missing?: readonly string[]
  readonly delimiter?: string
  readonly header?: boolean
  readonly encoding?: "utf-8" | "utf-16" | "latin-1"
  readonly quote?: '"' | "'" | ""
  readonly format?: Format
}

/** Open DATA, or what --sql selects. */
export async function openData(
  path: string | undefined,
  { sql, as, missing, delimiter, header, quote, encoding, format }: DataOptions,
  more: Pick<TableOptions, "label" | "signal"> = {},
): Promise<FileTable> {
  if ((path === undefined) === (sql === undefined)) {
    throw new Failure(
      "usage",
      path === undefined
        ? "no data is named. A command needs a file, a folder, or a query to read. Name a file, or write --sql \"select … from 'file.parquet'\"."
        : "both a file and --sql are given. One of them is the data. Name the file inside the query, or leave --sql out.",
    )
  }
  const { openTable } = await import("suffice-files")
  return openTable(sql === undefined ? path! : { sql }, {
    ...(as && { as }),
    ...(missing && { missing }),
    ...(delimiter !== undefined && { delimiter: delimiter === "\\t" ? "\t" : delimiter }),
    ...(header === false && { header }),
    ...(quote !== undefined && { quote }),
    ...(encoding && { encoding }),
    ...(format && { format }),
    ...(more.label !== undefined && { label: more.label }),
    ...(more.signal && { signal: more.signal }),
  })
}

/** Data for a model that has been learned: its columns are read as what they were then. */
export async function openDataFor(
  fitted: LooseFitted,
  path: string | undefined,
  options: DataOptions,
  signal: AbortSignal,
): Promise<FileTable> {
  let as: Record<string, As> = { ...remembered(fitted), ...options.as }
  for (;;) {
    try {
      return await openData(path, { ...options, as }, { signal })
    } catch (error) {
      // a column that this file does not have is spoken of when the model asks for it
      const { name, code, details } = error as { name?: string; code?: string; details?: { column?: string } }
      const column = details?.column
      if (name !== "FileError" || code !== "column" || column === undefined) throw error
      if (!Object.hasOwn(as, column) || Object.hasOwn(options.as ?? {}, column)) throw error
      const { [column]: _, ...rest } = as
      as = rest
    }
  }
}

function remembered(fitted: LooseFitted): Record<string, As> {
  return Object.fromEntries(
    columnsOf(fitted).flatMap((column): [string, As][] => {
      if (column.kind === "number") return [[column.name, "number"]]
      if (column.kind === "count") return [[column.name, "count"]]
      if (column.kind === "bag") return [[column.name, "text"]]
      return column.levels.every(level => typeof level === "string")
        ? [[column.name, "category"]]
        : column.levels.every(level => typeof level === "number")
          ? [[column.name, "number"]]
          : []
    }),
  )
}

/** The columns a fitted model knows. */
export function columnsOf(fitted: LooseFitted): readonly Column[] {
  return fitted.toJSON().columns as unknown as readonly Column[]
}

/** Levels of which the rest were pooled when the model was learned. */
export async function pooledFor(fitted: LooseFitted): Promise<Record<string, readonly string[]>> {
  const { OTHER } = await import("suffice-files")
  return Object.fromEntries(
    columnsOf(fitted).flatMap(column =>
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

/** The columns of the data that a model reads. If one is not there, all are: the model then says which are near. */
export function readBy(model: Model, table: FileTable, also: readonly string[] = []): string[] {
  const names = table.columns.map(({ name }) => name)
  const uses = model.uses.filter(use => use.role !== "hidden")
  const wanted = new Set([...uses.map(use => use.column), ...also])
  const absent = uses.some(use => use.role !== "label" && !names.includes(use.column))
  return absent ? names : names.filter(name => wanted.has(name))
}

/** What was read, with the part each column plays in the model. */
export function dataAnswer(
  name: string,
  reports: readonly ColumnReport[],
  model: Model,
  label?: string,
): DataAnswer {
  const families = familiesIn(model)
  return {
    name,
    // a column that is ignored was not looked at
    rows: reports.reduce((most, report) => Math.max(most, report.rows), 0),
    columns: reports.map((report): ColumnAnswer => {
      const isSwitch = model.uses.some(use => use.column === report.name && use.role === "label")
      const isLabel = label === undefined ? isSwitch : report.name === label
      // the levels that a regression switches on are a column of the model as others are
      const family = families.get(report.name) ?? (isSwitch && !isLabel ? "categorical" : undefined)
      return {
        name: report.name,
        kind: report.kind,
        role: isLabel ? "label" : family === undefined ? "left out" : "cell",
        ...(family !== undefined && { family }),
        missing: report.missing.share,
        ...(report.levels && { levels: report.levels.count }),
        ...noteOf(report, isLabel || family !== undefined),
      }
    }),
  }
}

function noteOf({ note, why }: ColumnReport, used: boolean): { note?: string } {
  if (note !== undefined) return { note }
  return used ? {} : { note: why }
}

type Spec = {
  readonly kind: string
  readonly columns?: readonly string[]
  readonly family?: string
} & Readonly<Record<string, unknown>>

/** The family of each column, as the declaration names it. */
function familiesIn(model: Model): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (spec: Spec): void => {
    for (const column of spec.columns ?? []) if (!found.has(column)) found.set(column, spec.family ?? "")
    for (const part of [...((spec.parts ?? []) as Spec[]), ...((spec.bodies ?? []) as Spec[])]) walk(part)
  }
  walk(model.spec as unknown as Spec)
  return found
}

const HEADS: readonly TableColumn[] = [
  { title: "column" },
  { title: "kind" },
  { title: "family" },
  { title: "missing", align: "right" },
  { title: "levels", align: "right" },
  { title: "" },
]

export function dataText({ name, rows, columns }: DataAnswer): string {
  const lines = columns.map(one => [
    one.name,
    one.kind,
    one.role === "label" ? "(label)" : (one.family ?? "(left out)"),
    percent(one.missing),
    one.levels === undefined ? "" : count(one.levels),
    one.note ?? "",
  ])
  return `${shown(name)}: ${count(rows)} rows, ${columns.length} columns\n\n${textTable(HEADS, lines)}\n`
}
