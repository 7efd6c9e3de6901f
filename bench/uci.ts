/** Small tables of the UCI repository that no other study uses: defaults may be chosen on all of their rows. */
import { readdirSync } from "node:fs"
import type { Row } from "suffice"
import { openTable } from "suffice-files"
import { HOME, type Table } from "./datasets.ts"

/** Measured ones, with numbers or holes, or both; of 101 to 5,000 rows. */
export const NAMES = [
  "balance-scale",
  "colic",
  "credit-a",
  "credit-g",
  "dermatology",
  "ecoli",
  "glass",
  "hepatitis",
  "ionosphere",
  "lymph",
  "segment",
  "sonar",
  "vehicle",
  "vowel",
  "waveform5000",
  "zoo",
] as const

export async function smallTables(names: readonly string[] = NAMES): Promise<Table[]> {
  const folder = new URL("uci-extra/", HOME)
  const files = new Set(readdirSync(folder))
  return Promise.all(names.filter(name => files.has(`${name}.arff.gz`)).map(name => smallTable(folder, name)))
}

/** The label is the last column; columns that never change are left out. */
async function smallTable(folder: URL, name: string): Promise<Table> {
  const file = await openTable(new URL(`${name}.arff.gz`, folder).pathname)
  const rows = (await file.take(100_000)) as Row[]
  const label = file.columns.at(-1)!.name
  const columns = file.columns
    .slice(0, -1)
    .filter(column => new Set(rows.map(row => row[column.name])).size > 1)
    .map(({ name, type }) => ({
      name,
      kind: type === "number" || type === "integer" ? ("number" as const) : ("level" as const),
    }))
  await file.close()
  return { name, label, columns, rows }
}
