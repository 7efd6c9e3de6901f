/** A reader that also reads the parts of its dates, by names such as "day.month"; those that were asked for are columns as others are. */
import type { Columns } from "suffice"
import { type As, askedOf, cellsAsked } from "./asked.ts"
import { DATE_PARTS, type DatePart, noDate, partColumn, partNamed, partOfCells } from "./dates.ts"
import { FileError, quoted } from "./errors.ts"
import type { ColumnType, FileColumn, Reader, TableOptions } from "./table.ts"

export interface PartingReader extends Reader {
  /** Can this column be read: is it one of the columns, or a part of one that may hold dates? */
  has(column: string): boolean
}

interface PartWanted {
  readonly name: string
  readonly of: string
  readonly part: DatePart
}

/** A reader, and how its dates are to be read. */
interface Parting {
  readonly reader: Reader
  readonly names: ReadonlySet<string>
  readonly requested: Readonly<Record<string, As>>
  /** With types of columns that need not exist. */
  readonly as: Readonly<Record<string, As>>
}

export function withDateParts(
  reader: Reader,
  { as: requested = {}, asIfThere = {} }: TableOptions,
): PartingReader {
  const names = new Set(reader.columns.map(({ name }) => name))
  const parting: Parting = { reader, names, requested, as: { ...asIfThere, ...requested } }
  for (const column of names) {
    if (askedOf(requested, column) === "parts" && !mayBeDates(parting, column)) throw noDates(reader, column)
  }
  return {
    name: reader.name,
    get columns() {
      return reader.columns.flatMap(column => [column, ...partColumns(parting, column.name)])
    },
    has: column => names.has(column) || partOf(parting, column) !== undefined,
    read: columns => readParts(parting, columns),
    ...(reader.count && { count: () => reader.count!() }),
    ...(reader.retype && {
      retype: (column: string, note: string, cell?: string) => reader.retype!(column, note, cell),
    }),
    close: async () => reader.close?.(),
  }
}

function mayBeDates({ reader, as }: Parting, column: string): boolean {
  const type = reader.columns.find(({ name }) => name === column)?.type
  return type === "date" || type === "string" || cellsAsked(as, column) === "number"
}

function partOf(parting: Parting, column: string): PartWanted | undefined {
  const part = partNamed(column, parting.names)
  return part && mayBeDates(parting, part.of) ? { name: column, ...part } : undefined
}

/** The requested parts of a column: all of them, or by their names. */
function partColumns({ names, requested }: Parting, column: string): FileColumn[] {
  const all = askedOf(requested, column) === "parts"
  return DATE_PARTS.map(part => partColumn(column, part)).filter(({ name }) => {
    const kind = askedOf(requested, name)
    return !names.has(name) && (all || kind !== undefined) && kind !== "ignore"
  })
}

async function* readParts(parting: Parting, columns: readonly string[]): AsyncGenerator<Columns> {
  const { reader, names } = parting
  const parts = columns.flatMap(name => (names.has(name) ? [] : partOf(parting, name)!))
  if (parts.length === 0) {
    yield* reader.read(columns)
    return
  }
  const needed = [...columns.filter(name => names.has(name)), ...parts.map(({ of }) => of)]
  for await (const batch of reader.read([...new Set(needed)])) yield withParts(parting, batch, columns, parts)
}

function withParts(
  parting: Parting,
  batch: Columns,
  columns: readonly string[],
  parts: readonly PartWanted[],
): Columns {
  const made = new Map(
    parts.map(one => {
      const refused = noDate.bind(undefined, parting.reader.name, one.of)
      return [one.name, partOfCells(batch[one.of], one.part, isNumber(parting, one), refused)]
    }),
  )
  return Object.fromEntries(columns.map(name => [name, made.get(name) ?? batch[name]]))
}

function isNumber({ as }: Parting, { name, part }: PartWanted): boolean {
  const kind = cellsAsked(as, name)
  return kind === undefined ? part === "year" : kind === "number" || kind === "count"
}

function noDates({ name, columns }: Reader, column: string): FileError {
  const type: ColumnType | undefined = columns.find(one => one.name === column)?.type
  return new FileError(
    "option",
    `as: ${quoted(column)} of ${name} is to be read as the parts of dates, and holds ${type === "bag" ? "words" : type === "boolean" ? "true and false" : "numbers"}. Dates are written as 2024-01-31 or 31.01.2024. Read it as something else, or leave the option out.`,
    { option: "as", column },
  )
}
