/** The real tables, which live beside the repository and are not published with it. */
import { existsSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import type { Row } from "suffice"
import { Stop } from "./stop.ts"

export const HOME = new URL("../../shared/data/", import.meta.url)

export function requireData(): void {
  if (existsSync(HOME)) return
  throw new Stop("The datasets are not here: they are expected in ../shared/data, beside the repository.")
}

/** The text of a gzipped file. */
export function read(path: string): string {
  return gunzipSync(readFileSync(new URL(path, HOME))).toString("utf8")
}

/** A table of numbers and levels with its own holes: `?`, `NA` and empty cells are missing. Rows hold the label too. */
export interface Table {
  readonly name: string
  readonly label: string
  readonly columns: readonly { readonly name: string; readonly kind: "number" | "level" | "text" }[]
  readonly rows: readonly Row[]
}

/** Cells of a line of CSV; they may be quoted, with commas inside. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(cell => cell[1] ?? cell[2])

/** A column is numeric if every cell present is a number. `kind` of the label: rows without a number are left out. */
export function table(
  name: string,
  file: string,
  label: string,
  { ignored = [], kind = "level" }: { ignored?: readonly string[]; kind?: "number" | "level" } = {},
): Table {
  const [header, ...lines] = read(`${name}/${file}`).trim().split(/\r?\n/).map(cellsOf)
  const place = header.indexOf(label)
  if (place < 0) throw new Error(`${name}/${file} has no column ${label}: ${header.join(", ")}.`)
  const cell = (text: string) => (["?", "NA", ""].includes(text) ? null : text)
  const present = lines.filter(line => kind === "level" || cell(line[place]) !== null)
  const columns = header
    .map((name, at) => {
      const isNumeric = present.every(line => cell(line[at]) === null || Number.isFinite(Number(line[at])))
      return { name, at, kind: isNumeric ? ("number" as const) : ("level" as const) }
    })
    .filter(column => column.name !== label && !ignored.includes(column.name))
  const rows = present.map(line =>
    Object.fromEntries([
      ...columns.map(({ name, at, kind }) => {
        const text = cell(line[at])
        return [name, text !== null && kind === "number" ? Number(text) : text]
      }),
      [label, kind === "number" ? Number(line[place]) : line[place]],
    ]),
  )
  return { name, label, columns: columns.map(({ name, kind }) => ({ name, kind })), rows }
}
