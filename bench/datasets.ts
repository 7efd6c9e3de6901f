/** The real tables of the studies, which live beside the repository and are not published with it. */
import { existsSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"

const HOME = new URL("../../shared/data/", import.meta.url)

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

/** A complete numeric table with one label, from a gzipped CSV without quotes. */
export function dataset(name: string, file: string, label: string): Dataset {
  const text = gunzipSync(readFileSync(new URL(`${name}/${file}`, HOME))).toString("utf8")
  const [header, ...lines] = text
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
