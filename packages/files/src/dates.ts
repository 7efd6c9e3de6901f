/**
 * Dates as numbers, or as their parts. Beside a column of dates "day" a table can read four more, made from its cells as they are written:
 *
 *     day.year       a number
 *     day.month      a level, January … December
 *     day.weekday    a level, Monday … Sunday
 *     day.hour       a level, 00 … 23
 *
 * So a model of "day.month" asks new data for "day" and nothing else: its own columns say how they are made. A column of the file that has such a
 * name goes first. Only dates that can be read in one way are read: the year first, or the day first and points between.
 */
import type { Cell } from "suffice"
import { FileError, quoted } from "./errors.ts"
import { Scan } from "./scan.ts"
import type { FileColumn } from "./table.ts"

export const DATE_PARTS = ["year", "month", "weekday", "hour"] as const
/** What can be made of a date. */
export type DatePart = (typeof DATE_PARTS)[number]

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
]
const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"))
/** What is not a number, in the order of the calendar. */
const PART_LEVELS: Readonly<Record<DatePart, readonly string[] | undefined>> = {
  year: undefined,
  month: MONTHS,
  weekday: WEEKDAYS,
  hour: HOURS,
}

/** The column and the part that a name such as "day.month" means; `columns`: those that the data has. */
export function partNamed(
  name: string,
  columns: { has(column: string): boolean },
): { readonly of: string; readonly part: DatePart } | undefined {
  const at = name.lastIndexOf(".")
  const part = DATE_PARTS.find(one => one === name.slice(at + 1))
  const of = name.slice(0, Math.max(at, 0))
  return part !== undefined && columns.has(of) && !columns.has(name) ? { of, part } : undefined
}

/** The column of a table that is a part of another. */
export function partColumn(of: string, part: DatePart): FileColumn {
  const levels = PART_LEVELS[part]
  return {
    name: `${of}.${part}`,
    type: levels ? "string" : "integer",
    ...(levels && { levels }),
    made: { of, part },
  }
}

const TIME = String.raw`(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?\s*(?:([AP])M|Z|[+-]\d{2}(?::?\d{2})?)?)?`
const YEAR_FIRST = new RegExp(String.raw`^\s*(\d{4})([-/])(\d{1,2})\2(\d{1,2})${TIME}\s*$`, "i")
const DAY_FIRST = new RegExp(String.raw`^\s*(\d{1,2})\.(\d{1,2})\.(\d{4})${TIME}\s*$`, "i")
const DAY = 86_400

/** Seconds since the beginning of 1970, by the clock that the text was written by; undefined: no date, or one of several. */
export function secondsOf(text: string): number | undefined {
  const yearFirst = YEAR_FIRST.exec(text)
  const match = yearFirst ?? DAY_FIRST.exec(text)
  if (!match) return undefined
  const [year, month, day] = yearFirst ? [match[1], match[3], match[4]] : [match[3], match[2], match[1]]
  const [hour, minute, second, half] = match.slice(yearFirst ? 5 : 4)
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  // the 31st of June
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined
  // 12 AM is midnight, 12 PM noon
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return undefined
  const hours = half === undefined ? Number(hour ?? 0) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  const time = 3600 * hours + 60 * Number(minute ?? 0) + Number((second ?? "0").replace(",", "."))
  return time < DAY + 1 ? date.getTime() / 1000 + time : undefined
}

/** Days since the beginning of 1970, with the time of day behind the point. */
export function daysOf(text: string): number | undefined {
  const seconds = secondsOf(text)
  return seconds === undefined ? undefined : seconds / DAY
}

/** A part as a number: months and weekdays from 1, weekdays from Monday. */
function numberOf(seconds: number, part: DatePart): number {
  const date = new Date(1000 * seconds)
  switch (part) {
    case "year":
      return date.getUTCFullYear()
    case "month":
      return date.getUTCMonth() + 1
    case "weekday":
      return ((date.getUTCDay() + 6) % 7) + 1
    case "hour":
      return date.getUTCHours()
    default:
      return part satisfies never
  }
}

function levelOf(number: number, part: DatePart): string {
  return PART_LEVELS[part]?.[part === "hour" ? number : number - 1] ?? String(number)
}

/** A part of one date, as the models of this package read it: what a row in memory holds under "day.month". Missing if there is no date. */
export function partOfDate(date: string | Date | null | undefined, part: DatePart): string | number | null {
  if (date === null || date === undefined) return null
  const seconds = typeof date === "string" ? secondsOf(date) : date.getTime() / 1000
  if (seconds === undefined || Number.isNaN(seconds)) return null
  const number = numberOf(seconds, part)
  return part === "year" ? number : levelOf(number, part)
}

/** A part of every cell, as numbers or as levels. Cells are texts, or days since 1970. */
export function partOfCells(
  cells: ArrayLike<Cell>,
  part: DatePart,
  isNumber: boolean,
  refused: (cell: Cell) => FileError,
): ArrayLike<Cell> {
  const known = new Map<Cell, number>()
  const numbers = new Float64Array(cells.length)
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    let number = known.get(cell)
    if (number === undefined) {
      if (cell === null || cell === undefined || cell !== cell) number = Number.NaN
      else {
        const seconds = typeof cell === "number" ? cell * DAY : secondsOf(String(cell))
        if (seconds === undefined) throw refused(cell)
        number = numberOf(seconds, part)
      }
      known.set(cell, number)
    }
    numbers[i] = number
  }
  if (isNumber) return numbers
  return Array.from(numbers, number => (Number.isNaN(number) ? null : levelOf(number, part)))
}

export function noDate(table: string, column: string, cell: Cell): FileError {
  return new FileError(
    "cell",
    `${table}: column ${quoted(column)} holds ${quoted(String(cell))}, and its parts are to be read. It is no date that can be read in one way only, as 2024-01-31 and 31.01.2024 are. Name the cell among the missing ones, write the year first, or read the column as a category.`,
    { column, value: cell },
  )
}

/** Found while the dates of a column stream by: what its parts are, and whether all of its cells can be read. */
export class DateScan {
  readonly parts = new Map(DATE_PARTS.map(part => [part, new Scan()]))
  /** A cell that can be read in several ways, or in none. */
  unclear: string | undefined

  add(cells: ArrayLike<Cell>): void {
    if (this.unclear !== undefined) return
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]
      if (typeof cell !== "string" || secondsOf(cell) !== undefined) continue
      this.unclear = cell
      return
    }
    for (const [part, scan] of this.parts) {
      scan.add(partOfCells(cells, part, part === "year", cell => noDate("the table", "", cell)))
    }
  }
}
