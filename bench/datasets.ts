/** The real tables of the studies, which live beside the repository and are not published with it. */
import { existsSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import type { Row } from "suffice"

export const HOME = new URL("../../shared/data/", import.meta.url)

export interface Dataset {
  readonly name: string
  readonly label: string
  /** The numeric columns: all but the label. */
  readonly columns: readonly string[]
  /** rows × columns, complete. */
  readonly cells: readonly (readonly number[])[]
  readonly labels: readonly string[]
}

/** Without the data there is no study: one sentence, and exit code 2. */
export function requireData(): void {
  if (existsSync(HOME)) return
  console.error(
    "The datasets of the studies are not here: they are expected in ../shared/data, beside the repository.",
  )
  process.exit(2)
}

/** The text of a gzipped file. */
export function read(path: string): string {
  return gunzipSync(readFileSync(new URL(path, HOME))).toString("utf8")
}

/** A complete numeric table with one label, from a gzipped CSV without quotes. */
export function dataset(name: string, file: string, label: string): Dataset {
  const [header, ...lines] = read(`${name}/${file}`)
    .trim()
    .split("\n")
    .map(line => line.split(","))
  const at = header.indexOf(label)
  const columns = header.filter(column => column !== label)
  const cells = lines.map(line => line.filter((_, j) => j !== at).map(Number))
  if (at < 0 || cells.some(row => row.length !== columns.length || !row.every(Number.isFinite))) {
    throw new Error(`${name}/${file} is not a complete numeric table with the label "${label}".`)
  }
  return { name, label, columns, cells, labels: lines.map(line => line[at]) }
}

/** A table of numbers and levels with its own holes: `?`, `NA` and empty cells are missing. Rows hold the label too. */
export interface Table {
  readonly name: string
  readonly label: string
  readonly columns: readonly { readonly name: string; readonly kind: "number" | "level" | "text" }[]
  readonly rows: readonly Row[]
}

/** A column is of numbers if every cell that is there is one. */
export function table(name: string, file: string, label: string, ignored: readonly string[] = []): Table {
  const [header, ...lines] = read(`${name}/${file}`)
    .trim()
    .split("\n")
    .map(line => line.split(","))
  const cell = (text: string) => (["?", "NA", ""].includes(text) ? null : text)
  const columns = header
    .map((name, at) => {
      const numeric = lines.every(line => cell(line[at]) === null || Number.isFinite(Number(line[at])))
      return { name, at, kind: numeric ? ("number" as const) : ("level" as const) }
    })
    .filter(column => column.name !== label && !ignored.includes(column.name))
  const rows = lines.map(line =>
    Object.fromEntries([
      ...columns.map(({ name, at, kind }) => {
        const seen = cell(line[at])
        return [name, seen !== null && kind === "number" ? Number(seen) : seen]
      }),
      [label, line[header.indexOf(label)]],
    ]),
  )
  return { name, label, columns: columns.map(({ name, kind }) => ({ name, kind })), rows }
}
