/** A reader that also reads the parts of its dates, by names such as "day.month"; those that were asked for are columns as others are. */
import type { Columns } from "suffice"
import { askedOf, cellsAsked } from "./asked.ts"
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

export function withDateParts(
  reader: Reader,
  { as: asked = {}, asIfThere = {} }: TableOptions,
): PartingReader {
  const as = { ...asIfThere, ...asked }
  const own = new Set(reader.columns.map(({ name }) => name))

  const mayBeDates = (column: string): boolean => {
    const type = reader.columns.find(({ name }) => name === column)?.type
    return type === "date" || type === "string" || cellsAsked(as, column) === "number"
  }
  const partOf = (column: string): PartWanted | undefined => {
    const found = partNamed(column, own)
    return found && mayBeDates(found.of) ? { name: column, ...found } : undefined
  }
  /** The parts of a column that were asked for: all of them, or by their names. */
  const partsAsked = (column: string): FileColumn[] => {
    const all = askedOf(asked, column) === "parts"
    return DATE_PARTS.map(part => partColumn(column, part)).filter(({ name }) => {
      const kind = askedOf(asked, name)
      return !own.has(name) && (all || kind !== undefined) && kind !== "ignore"
    })
  }
  const isNumber = ({ name, part }: PartWanted): boolean => {
    const kind = cellsAsked(as, name)
    return kind === undefined ? part === "year" : kind === "number" || kind === "count"
  }

  for (const column of own) {
    if (askedOf(asked, column) === "parts" && !mayBeDates(column)) throw noDates(reader, column)
  }
  return {
    name: reader.name,
    get columns() {
      return reader.columns.flatMap(column => [column, ...partsAsked(column.name)])
    },
    has: column => own.has(column) || partOf(column) !== undefined,
    async *read(wanted) {
      const parts = wanted.flatMap(name => (own.has(name) ? [] : partOf(name)!))
      if (parts.length === 0) {
        yield* reader.read(wanted)
        return
      }
      const needed = [...wanted.filter(name => own.has(name)), ...parts.map(({ of }) => of)]
      for await (const batch of reader.read([...new Set(needed)])) {
        yield withParts(batch, wanted, parts)
      }
    },
    ...(reader.count && { count: () => reader.count!() }),
    ...(reader.retype && {
      retype: (column: string, note: string, cell?: string) => reader.retype!(column, note, cell),
    }),
    async close() {
      await reader.close?.()
    },
  }

  function withParts(batch: Columns, wanted: readonly string[], parts: readonly PartWanted[]): Columns {
    const made = new Map(
      parts.map(one => {
        const refused = noDate.bind(undefined, reader.name, one.of)
        return [one.name, partOfCells(batch[one.of], one.part, isNumber(one), refused)]
      }),
    )
    return Object.fromEntries(wanted.map(name => [name, made.get(name) ?? batch[name]]))
  }
}

function noDates({ name, columns }: Reader, column: string): FileError {
  const type: ColumnType | undefined = columns.find(one => one.name === column)?.type
  return new FileError(
    "option",
    `as: ${quoted(column)} of ${name} is to be read as the parts of dates, and holds ${type === "bag" ? "words" : type === "boolean" ? "true and false" : "numbers"}. Dates are written as 2024-01-31 or 31.01.2024. Read it as something else, or leave the option out.`,
    { option: "as", column },
  )
}
