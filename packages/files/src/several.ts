/** Several files as one table, one behind the other: they have the same columns, in any order, and a column has one type in all of them. */
import type { Cell, Columns } from "suffice"
import { FileError, listed, quoted } from "./errors.ts"
import type { ColumnType, FileColumn, Reader } from "./table.ts"

export async function openSeveral(
  paths: readonly string[],
  open: (path: string) => Promise<Reader>,
): Promise<Reader> {
  const readers: Reader[] = []
  const close = async (): Promise<void> => {
    for (const reader of readers) await reader.close?.()
  }
  try {
    for (const path of paths) {
      readers.push(await open(path))
      refuseOtherColumns(readers[0], paths[0], readers[readers.length - 1], path)
    }
    agree(readers)
  } catch (error) {
    await close()
    throw error
  }
  return {
    name: `${readers[0].name} and ${paths.length - 1} more`,
    get columns() {
      return readers[0].columns.map(({ name }) => merged(readers, name))
    },
    async *read(wanted) {
      const words = new Set(wanted.filter(name => typeIn(readers, name) === "string"))
      for (const reader of readers) {
        for await (const batch of reader.read(wanted)) yield words.size === 0 ? batch : asWords(batch, words)
      }
    },
    ...(readers.every(reader => reader.count) && {
      async count() {
        let rows = 0
        for (const reader of readers) rows += await reader.count!()
        return rows
      },
    }),
    retype(column, note, cell) {
      const changed = readers.map(reader => reader.retype?.(column, note, cell) ?? false)
      agree(readers)
      return changed.some(Boolean)
    },
    close,
  }
}

function refuseOtherColumns(first: Reader, firstPath: string, other: Reader, path: string): void {
  const known = first.columns.map(({ name }) => name)
  const found = other.columns.map(({ name }) => name)
  const lacking = known.filter(name => !found.includes(name))
  const added = found.filter(name => !known.includes(name))
  if (lacking.length + added.length === 0) return
  const difference = [
    ...(lacking.length > 0 ? [`lacks ${listed(lacking)}`] : []),
    ...(added.length > 0 ? [`has ${listed(added)} besides`] : []),
  ].join(" and ")
  throw new FileError(
    "column",
    `${quoted(path, 200)} ${difference}, compared with ${quoted(firstPath, 200)}. Files that are read together have the same columns. Rename or add them, or read the files by themselves.`,
    { path, lacking, added },
  )
}

/** A column that is text in one file is text in all: read as it is written, where that can be. */
function agree(readers: readonly Reader[]): void {
  for (const { name } of readers[0].columns) {
    const types = new Set(readers.map(reader => typeOf(reader, name)))
    if (types.size === 1 || typeIn(readers, name) !== "string") continue
    for (const reader of readers) {
      if (typeOf(reader, name) !== "string") reader.retype?.(name, "mixed: text in another of the files")
    }
  }
}

function columnOf({ columns }: Reader, name: string): FileColumn {
  return columns.find(column => column.name === name)!
}

function typeOf(reader: Reader, name: string): ColumnType {
  return columnOf(reader, name).type
}

/** Whole numbers are numbers; types that differ otherwise are text. */
function typeIn(readers: readonly Reader[], name: string): ColumnType {
  const types = new Set(
    readers.filter(reader => !columnOf(reader, name).empty).map(reader => typeOf(reader, name)),
  )
  if (types.size === 0) return "string"
  if (types.size === 1) return [...types][0]
  return [...types].every(type => type === "integer" || type === "number") ? "number" : "string"
}

function merged(readers: readonly Reader[], name: string): FileColumn {
  const all = readers.map(reader => columnOf(reader, name))
  const notes = [...new Set(all.flatMap(({ note }) => note ?? []))].join("; ")
  const { note: _, ...first } = all.find(({ empty }) => !empty) ?? all[0]
  return { ...first, type: typeIn(readers, name), ...(notes !== "" && { note: notes }) }
}

function asWords(batch: Columns, names: ReadonlySet<string>): Columns {
  return Object.fromEntries(
    Object.entries(batch).map(([name, cells]) => [name, names.has(name) ? Array.from(cells, wordOf) : cells]),
  )
}

function wordOf(cell: Cell): Cell {
  if (cell === null || cell === undefined || Number.isNaN(cell)) return null
  return typeof cell === "object" ? cell : String(cell)
}
