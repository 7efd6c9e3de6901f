/** A path is a path: no pattern, no home folder, no address, and its folders say nothing about its columns. */
import { mkdirSync } from "node:fs"
import type { Row } from "suffice"
import { describe, expect, test } from "vitest"
import { file, refusal } from "../test/scratch.ts"
import { openTable } from "./open.ts"
import { writeTable } from "./write.ts"

async function read(path: string): Promise<Row[]> {
  const table = await openTable(path)
  try {
    expect(await table.count()).toBe(2)
    return await table.take(9)
  } finally {
    await table.close()
  }
}

/** Names that mean something to DuckDB, or to a shell, each beside files that a pattern would find in its place. */
const NAMES = [
  "data[1]",
  "a*",
  "a?",
  "**",
  "[ab]",
  "[!a]",
  "{x,y}",
  "it's",
  "two words",
  "größe",
  "~",
  "-o",
  "#1",
  ":memory:",
  "back\\slash",
]
const BESIDE = ["data1", "ab", "ac", "b", "x", "y"]

describe.each(["csv", "tsv", "ndjson", "parquet", "csv.gz"])("%s", format => {
  test.each(NAMES)("%s is read, and nothing beside it", async name => {
    const folder = `paths-${format}`
    mkdirSync(folder, { recursive: true })
    for (const other of BESIDE) await writeTable(`${folder}/${other}.${format}`, [{ wrong: 1, file: other }])
    const rows = [
      { n: 1, word: name },
      { n: 2, word: "it" },
    ]
    await writeTable(`${folder}/${name}.${format}`, rows)
    expect(await read(`${folder}/${name}.${format}`)).toEqual(rows)
  })

  test("a folder of any name is a folder: signs of a pattern, a home, an address, a partition", async () => {
    const rows = [
      { n: 1, word: "a" },
      { n: 2, word: "b" },
    ]
    for (const folder of ["[1]/x*", "~", "http:/host", "year=2024/month=5"]) {
      mkdirSync(`${format}/${folder}`, { recursive: true })
      mkdirSync(folder, { recursive: true })
      for (const path of [`${format}/${folder}/t.${format}`, `${folder}/t.${format}`]) {
        await writeTable(path, rows)
        expect(await read(path)).toEqual(rows)
      }
    }
    expect(await read(`http://host/t.${format}`)).toEqual(rows)
  })
})

test("a pattern that is no file is refused, with a way to read several", async () => {
  file("several-1.csv", "a,b\n1,2\n")
  expect(await refusal(openTable("several-*.csv"))).toMatchInlineSnapshot(
    `"there is no file "several-*.csv". Nothing is at this path. A path is one file, and no pattern; several files are given as a list of paths."`,
  )
  expect(await refusal(openTable(["a.csv", "b.csv"] as unknown as string))).toMatchInlineSnapshot(
    `"there is no file "a.csv". Nothing is at this path. Check the spelling, and the folder you are in."`,
  )
  expect(await refusal(openTable(null as unknown as string))).toMatchInlineSnapshot(
    `"openTable was given a value of type null. A table is a path, several paths, { stream } or { sql }. Name a file."`,
  )
})

test.skipIf(process.platform === "win32")("a name that no spelling means alone is refused", async () => {
  file("back\\slash*.csv", "a,b\n1,2\n")
  expect(await refusal(openTable("back\\slash*.csv"))).toMatchInlineSnapshot(
    `""back\\\\slash*.csv" holds a backslash and one of * ? [. DuckDB takes such a path for a pattern, and no spelling means this file alone. Rename the file or its folder."`,
  )
})

test("a path with the character NUL is refused", async () => {
  expect(await refusal(openTable("a\0.csv"))).toMatchInlineSnapshot(
    `"cannot read "a\\u0000.csv". The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received 'a\\x00.csv'. Check the path."`,
  )
})
