/** Rows for a real Spark: written as lines of JSON, and made a table of three Parquet files there, in the order of their number. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { SparkClient } from "../src/connect.ts"
import { everyRow } from "./everything.ts"

const FILES = 3
const EXAMPLES = fileURLToPath(new URL("../../files/examples/", import.meta.url))

export async function makeTable(address: string, name: string, rows: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "suffice-spark-rows-"))
  const client = new SparkClient(address)
  try {
    const path = join(folder, "rows.json")
    const lines = Array.from({ length: rows }, (_, i) => JSON.stringify(everyRow(i)))
    writeFileSync(path, `${lines.join("\n")}\n`)
    await client.command(
      `CREATE TABLE ${name} USING parquet AS SELECT /*+ REPARTITION_BY_RANGE(${FILES}, id) */ * FROM json.\`${path}\` SORT BY id`,
    )
  } finally {
    await client.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An example table of the documentation as a table of the same name. */
export async function makeExample(address: string, name: "penguins" | "visits"): Promise<void> {
  const client = new SparkClient(address)
  try {
    const path = join(EXAMPLES, `${name}.csv`)
    await client.command(
      `CREATE TEMPORARY VIEW ${name}_csv USING csv OPTIONS (path '${path}', header 'true', inferSchema 'true')`,
    )
    await client.command(`CREATE TABLE ${name} USING parquet AS SELECT * FROM ${name}_csv`)
  } finally {
    await client.close()
  }
}
