/** Several files as one table, one behind the other: they have the same columns, in any order, and a column has one type in all of them. */
import type { Cell, Columns } from "suffice"
import { FileError, listed, quoted } from "./errors.ts"
import type { ColumnType, FileColumn, Reader } from "./table.ts"

export async function openSeveral(
  paths: readonly string[],
  open: (path: string) => Promise<Reader>,
): Promise<Reader> {
  const readers: Reader[] = []
  let seen: ByName
  const close = async (): Promise<void> => {
    for (const reader of readers) await reader.close?.()
  }
  try {
    for (const path of paths) {
      readers.push(await open(path))
      refuseOtherColumns(readers[0], paths[0], readers[readers.length - 1], path)
    }
    seen = agree(readers)
  } catch (error) {
    await close()
    throw error
  }
  return {
    name: `${readers[0].name} and ${paths.length - 1} more`,
    get columns() {
      return [...seen[0].keys()].map(name => merged(seen, name))
    },
    async *read(wanted) {
      const words = new Set(wanted.filter(name => typeIn(seen, name) === "string"))
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
      seen = agree(readers)
      return changed.some(Boolean)
    },
    close,
  }
}

function refuseOtherColumns(first: Reader, firstPath: string, other: Reader, path: string): void {
  const known = first.columns.map(({ name }) => name)
  const found = other.columns.map(({ name }) => name)
  const [inFirst, inOther] = [new Set(known), new Set(found)]
  const lacking = known.filter(name => !inOther.has(name))
  const added = found.filter(name => !inFirst.has(name))
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

/** The columns of each reader, by name. */
type ByName = readonly ReadonlyMap<string, FileColumn>[]

function byName(readers: readonly Reader[]): ByName {
  return readers.map(({ columns }) => new Map(columns.map(column => [column.name, column])))
}

/** A column that is text in one file is text in all: read as it is written, where that can be. */
function agree(readers: readonly Reader[]): ByName {
  const seen = byName(readers)
  for (const name of seen[0].keys()) {
    if (typeIn(seen, name) !== "string") continue
    readers.forEach((reader, r) => {
      if (seen[r].get(name)!.type !== "string") reader.retype?.(name, "mixed: text in another of the files")
    })
  }
  return byName(readers)
}

/** Whole numbers are numbers; types that differ otherwise are text. A column without cells has no say. */
function typeIn(seen: ByName, name: string): ColumnType {
  const all = seen.map(columns => columns.get(name)!)
  const types = new Set(all.filter(({ empty }) => !empty).map(({ type }) => type))
  if (types.size === 0) return "string"
  if (types.size === 1) return [...types][0]
  return [...types].every(type => type === "integer" || type === "number") ? "number" : "string"
}

function merged(seen: ByName, name: string): FileColumn {
  const all = seen.map(columns => columns.get(name)!)
  const notes = different(all.flatMap(({ note }) => note ?? [])).join("; ")
  const { note: _, ...first } = all.find(({ empty }) => !empty) ?? all[0]
  return { ...first, type: typeIn(seen, name), ...(notes !== "" && { note: notes }) }
}

/** The notes that say something new: those of the same shape differ in the cell that they show only. */
function different(notes: readonly string[]): string[] {
  const shapes = new Map<string, string>()
  for (const note of notes.flatMap(all => all.split("; "))) {
    const shape = note.replace(/"[^"]*"|\d[\d.,]*/g, "")
    if (!shapes.has(shape)) shapes.set(shape, note)
  }
  return [...shapes.values()]
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
