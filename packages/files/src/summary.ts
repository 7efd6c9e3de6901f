/**
 * What each column is, from all of its rows: its kind, the family proposed for it, what is missing, its levels. Families are
 * chosen as the core's auto() does; here are ids, dates, codes, and categories with too many levels.
 */
import { type Columns, familyFor, type Source } from "suffice"
import { guideOf, usualFamily } from "suffice/describe"
import { type As, askedOf, isFamily, kindAsked } from "./asked.ts"
import { type DatePart, DateScan, partColumn } from "./dates.ts"
import { grouped, quoted } from "./errors.ts"
import { LIMITS, OTHER } from "./limits.ts"
import { Scan } from "./scan.ts"
import type { ColumnType, FileColumn } from "./table.ts"

export type ColumnKind =
  | "number"
  | "count"
  | "category"
  | "binary"
  | "text"
  | "label"
  | "id"
  | "date"
  | "constant"
  | "ignore"

export interface ColumnReport {
  readonly name: string
  readonly type: ColumnType
  readonly kind: ColumnKind
  /** The family proposed for it; none for a label, and for what is left out. */
  readonly family?: string
  /** The reason for its kind. */
  readonly why: string
  readonly rows: number
  readonly missing: { readonly count: number; readonly share: number }
  /** Of a category, a label, and of few different values; `more`: counting stopped there. */
  readonly levels?: {
    readonly count: number
    readonly more: boolean
    readonly frequent: readonly { readonly level: string | number | boolean; readonly rows: number }[]
  }
  /** The smallest number of a label that has numbers. */
  readonly smallest?: number
  /** Levels the file declares (ARFF), rare or not. */
  readonly declared?: readonly string[]
  /** Of a category with too many levels: those to keep; all others become "(other)". */
  readonly keep?: readonly string[]
  /** A part of a column of dates: not in the file, but made. */
  readonly made?: FileColumn["made"]
  /** Of dates that nobody said anything of: their parts that differ from row to row, which a table can read (`day.month`). */
  readonly parts?: readonly ColumnReport[]
  readonly note?: string
}

export interface SummariseOptions {
  readonly as?: Readonly<Record<string, As>>
  readonly label?: string
}

export async function summarise(
  columns: readonly FileColumn[],
  source: Source,
  { as = {}, label }: SummariseOptions,
): Promise<ColumnReport[]> {
  const scans = new Map(columns.map(({ name }) => [name, new Scan()]))
  const isOfDates = ({ name, type }: FileColumn): boolean =>
    type === "date" && askedOf(as, name) === undefined && name !== label
  const dates = new Map(columns.filter(isOfDates).map(({ name }) => [name, new DateScan()]))
  for await (const batch of source) {
    for (const name of Object.keys(batch)) {
      const cells = (batch as Columns)[name]
      scans.get(name)?.add(cells)
      dates.get(name)?.add(cells)
    }
  }
  return columns.map(column => {
    const { name } = column
    const own = report(column, scans.get(name)!, askedOf(as, name), name === label)
    const found = dates.get(name)
    return found && own.kind === "date" ? { ...own, ...partsFound(name, found) } : own
  })
}

/** What can be said of dates beside that they are some: their parts, or why they have none. */
function partsFound(name: string, { parts, unclear }: DateScan): Pick<ColumnReport, "parts" | "note"> {
  if (unclear !== undefined) {
    return {
      note: `left out: dates such as ${quoted(unclear, 20)} do not all say which is the day and which the month; write the year first, as in 2024-01-31`,
    }
  }
  const reports = [...parts].map(([part, scan]) => report(partColumn(name, part), scan, undefined, false))
  const differing = reports.filter(({ kind }) => kind !== "constant")
  return differing.length === 0 ? {} : { parts: differing }
}

interface Judged {
  readonly kind: ColumnKind
  readonly family?: string
  readonly why: string
  readonly keep?: readonly string[]
  readonly note?: string
}

const FREQUENT = 5

function report(column: FileColumn, scan: Scan, as: As | undefined, isLabel: boolean): ColumnReport {
  const judged = isLabel ? { kind: "label" as const, why: "it is the label" } : judge(column, scan, as)
  const note = [column.note, judged.note].filter(Boolean).join("; ")
  const few = judged.kind === "category" || judged.kind === "label" || judged.kind === "binary"
  const isCode = scan.numbers > 0 && scan.integers === scan.numbers && scan.counts.size <= LIMITS.codes
  return {
    name: column.name,
    type: column.type,
    kind: judged.kind,
    ...(judged.family && { family: judged.family }),
    why: judged.why,
    rows: scan.rows,
    missing: { count: scan.missing, share: scan.rows > 0 ? scan.missing / scan.rows : 0 },
    ...((few || isCode) && {
      levels: {
        count: scan.counts.size,
        more: scan.over,
        frequent: frequent(scan, FREQUENT).map(([level, rows]) => ({ level, rows })),
      },
    }),
    ...(isLabel && scan.numbers > 0 && { smallest: scan.smallest }),
    ...(column.levels && { declared: column.levels }),
    ...(column.made && { made: column.made }),
    ...(judged.keep && { keep: judged.keep }),
    ...(note !== "" && { note }),
  }
}

/** The most frequent values; among equals, in the order of their text, so that no shuffling of rows changes it. */
function frequent({ counts }: Scan, most: number): [string | number | boolean, number][] {
  return [...counts].sort((a, b) => b[1] - a[1] || (String(a[0]) < String(b[0]) ? -1 : 1)).slice(0, most)
}

function judge(column: FileColumn, scan: Scan, as: As | undefined): Judged {
  if (as === "ignore") return { kind: "ignore", why: "as was asked" }
  if (as !== undefined && isFamily(as)) return { kind: kindAsked(as), family: as, why: "as was asked" }
  if (as !== undefined && as !== "parts") {
    const category = as === "category" && pooled(scan, 0)
    return { kind: as, family: usualFamily(as), why: "as was asked", ...category }
  }
  const seen = scan.rows - scan.missing
  if (seen === 0) return { kind: "ignore", why: "every cell is missing" }
  if (column.nested) return { kind: "ignore", why: "nested" }
  if (column.made) return judgePart(column.made.part, scan)
  if (as === "parts") return { kind: "date", why: "as its parts" }
  if (column.levels && column.levels.length > 1) {
    const { length } = column.levels
    return categoryBecause(`${length} declared levels`, pooled(scan, 0))
  }
  if (column.type === "date") {
    return {
      kind: "date",
      why: "dates",
      note: "left out: a date by itself says nothing about other rows; read it as its parts, or as a number of days",
    }
  }
  const id = isId(column.name, scan)
  if (id) return { kind: "id", why: id, note: "left out: an id says nothing about other rows" }
  const { kind, why } = familyFor(scan.summary(column.name))
  const usual = kind && guideOf(kind.name).usual
  if (kind && usual) {
    return {
      kind: usual,
      family: kind.name,
      why,
      ...(usual === "category" && pooled(scan, 0)),
      ...(usual === "number" && codes(scan)),
    }
  }
  if (scan.strings === seen) {
    if (scan.counts.size === 1) return { kind: "constant", why }
    // Levels recur: each twice, on average.
    const pool = scan.over || 2 * scan.counts.size <= seen ? pooled(scan, COVERED) : undefined
    if (pool) return categoryBecause("levels that recur", pool)
    return {
      kind: "id",
      why: "nearly every string is different",
      note: "left out: an id says nothing about other rows",
    }
  }
  return { kind: scan.counts.size === 1 ? "constant" : "ignore", why }
}

function judgePart(part: DatePart, scan: Scan): Judged {
  const why = `the ${part} of a date`
  if (scan.counts.size === 1) return { kind: "constant", why }
  return part === "year" ? { kind: "number", family: usualFamily("number"), why } : categoryBecause(why)
}

function categoryBecause(why: string, pooled: Partial<Judged> = {}): Judged {
  return { kind: "category", family: usualFamily("category"), why, ...pooled }
}

/** Few different whole numbers may be codes. */
function codes(scan: Scan): { note?: string } {
  if (scan.numbers === 0 || scan.integers < scan.numbers || scan.counts.size > LIMITS.codes) return {}
  if (scan.counts.size <= 2) return {}
  return { note: `${scan.counts.size} different whole numbers: if they are codes, read it as a category` }
}

/** Why a column counts or names the rows, if so. */
function isId(name: string, scan: Scan): string | undefined {
  const seen = scan.rows - scan.missing
  if (scan.missing > 0 || seen < 2) return undefined
  const different = scan.over
    ? scan.counts.size === LIMITS.distinct && allOnce(scan)
    : scan.counts.size === seen
  if (scan.integers === seen && scan.consecutive && seen >= LIMITS.rowNumbers)
    return "whole numbers, each the one before plus 1"
  if (scan.integers === seen && different && /(^|[_\s.-])id$|^id($|[_\s.-])/i.test(name))
    return "different whole numbers, called an id"
  return undefined
}

function allOnce({ counts }: Scan): boolean {
  for (const count of counts.values()) if (count > 1) return false
  return true
}

/** What the kept levels must cover for the column to be worth it. */
const COVERED = 0.5

/** A category with too many levels keeps the most frequent ones, if they cover this share of its rows. */
function pooled(scan: Scan, share: number): { keep: readonly string[]; note: string } | undefined {
  if (scan.counts.size <= LIMITS.levels) return undefined
  const kept = frequent(scan, LIMITS.levels)
  let rows = 0
  for (const [, count] of kept) rows += count
  const seen = scan.rows - scan.missing
  if (rows < share * seen) return undefined
  const levels = `${scan.over ? "more than " : ""}${grouped(scan.counts.size)}`
  return {
    keep: kept.map(([level]) => String(level)).sort(),
    note: `${levels} levels: the ${LIMITS.levels} most frequent (${Math.round((100 * rows) / seen)} % of the rows) are kept, the rest become "${OTHER}"`,
  }
}
