/** A file is the same table in a page and for the command: columns, reports, cells, the proposed model. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Columns } from "suffice"
import { type FileTable, openTable, proposeModel, type TableOptions, writeTable } from "suffice-files"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openFile } from "./open.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "suffice-read-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const EXAMPLES = new URL("../../../files/examples/", import.meta.url)

/** Everything that is asked of a table before a model is learned. */
async function seen(table: FileTable): Promise<unknown> {
  const reports = await table.summary()
  const cells: Record<string, unknown[]> = {}
  for await (const batch of table.source)
    for (const [name, column] of Object.entries(batch as Columns)) {
      cells[name] ??= []
      for (let i = 0; i < column.length; i++) cells[name].push(column[i] ?? Number.NaN)
    }
  const model = ((): unknown => {
    try {
      return proposeModel(reports).spec
    } catch (error) {
      return (error as Error).message
    }
  })()
  return { columns: table.columns, reports, cells, model }
}

async function inBoth(name: string, text: string | Uint8Array, options: TableOptions = {}): Promise<unknown> {
  const path = join(folder, name)
  writeFileSync(path, text)
  const there = await openTable(path, options)
  const expected = await seen(there)
  await there.close()
  const here = await seen(await openFile(new File([text as BlobPart], name), options))
  expect(here).toEqual(expected)
  return here
}

test.each(["penguins.csv", "visits.csv"])("%s of the examples", async name => {
  await inBoth(name, readFileSync(new URL(name, EXAMPLES)))
})

const rows = (head: string, ...lines: string[]): string => `${[head, ...lines].join("\n")}\n`

test.each<[string, string, TableOptions?]>([
  ["plain.csv", rows("a,b,c", "1,x,0.5", "2,y,", "3,x,NA", "-4,y,1e-3")],
  ["codes.csv", rows("zip,n", "0815,1", "1234,2", "0042,3")],
  ["german.csv", rows("preis;menge;tag", "1.234,50;3;31.01.2024", "12,00;4;01.02.2024", "0,99;5;03.02.2024")],
  ["money.csv", rows("a,b,c", "$1,$2.50,5 %", '"$1,234",$1,12.5 %', "($5),$9,1 %")],
  ["stand-ins.csv", rows("a,b,c,d", "1,-,none,true", "-,x,y,false", "3,y,none,unknown", "2,x,y,TRUE")],
  ["dates.csv", rows("d,x", "2024-01-31,1", "2024-02-01 10:30,2", "2023-12-24,3", "unknown,4")],
  ["quotes.csv", rows('a,"b, c",d', '"x ""y""",2,"line', 'two"', " z ,3, w ")],
  ["tabs.tsv", rows("a\tb", "1\tx", "2\ty")],
  ["crlf.csv", "a,b\r\n1,x\r\n2,y\r\n"],
  ["comment.csv", rows("# made by hand", "a,b", "1,x", "2,y")],
  ["headless.csv", rows("1,2", "3,4", "5,6")],
  ["twice.csv", rows("a,a,", "1,2,3", "4,5,6")],
  ["mixed.csv", rows("a", "1", "2", "3", "4", "many")],
  ["signs.csv", rows("s,t", "+,1", "-,2", "+,3", "-,4")],
  ["odd.csv", rows("a,b", "1_000,inf", "2,3", "+4,.5", "0x1,7")],
  [
    "as.csv",
    rows("a,b,d", "1,1,2024-01-31", "2,0,2024-02-01"),
    { as: { a: "category", b: "count", d: "number" } },
  ],
  ["missing.csv", rows("a,b", "1,x", "-9,y", "3,x"), { missing: ["-9"] }],
  [
    "text.csv",
    rows("t,y", "the cat sat on the mat,a", "a dog in the fog,b", "no one was here,a", "two words here,b"),
  ],
  ["long.csv", rows("k,w", ...Array.from({ length: 9000 }, (_, i) => `${i % 7},word${i % 300}`))],
  ["bom.csv", `\ufeff${rows("a,b", "1,x", "2,y")}`],
])("%s", async (name, text, options) => {
  await inBoth(name, text, options)
})

test("objects, per line and in a list", async () => {
  const all = [
    { a: 1, b: "x", c: true, d: "2024-01-31", n: "12" },
    { a: 2.5, b: null, c: false, d: "2024-02-01", n: "NA" },
    { a: null, b: "y", c: true, d: "2024-03-01", n: "7" },
  ]
  await inBoth("rows.ndjson", all.map(row => JSON.stringify(row)).join("\n"))
  await inBoth("rows.json", JSON.stringify(all))
})

test("a file of Parquet", async () => {
  const path = join(folder, "p.parquet")
  const table = await openTable(new URL("penguins.csv", EXAMPLES).pathname)
  await writeTable(path, table.source as never)
  await table.close()
  await inBoth("p.parquet", readFileSync(path))
})

test("a gzipped file", async () => {
  writeFileSync(join(folder, "z.csv"), rows("a,b", "1,x", "2,y"))
  execFileSync("gzip", ["-kf", "z.csv"], { cwd: folder })
  const table = await openFile(new File([readFileSync(join(folder, "z.csv.gz"))], "z.csv.gz"))
  expect(await table.count()).toBe(2)
})

const refusal = async (name: string, text: BlobPart): Promise<string> => {
  try {
    await (await openFile(new File([text], name))).summary()
    return "no refusal"
  } catch (error) {
    return (error as Error).message
  }
}

test("what cannot be read is refused as by the command", async () => {
  for (const [name, text] of [
    ["empty.csv", ""],
    ["names.csv", "a,b\n"],
    ["ragged.csv", "a,b\n1,2\n3\n"],
    ["open.csv", 'a,b\n1,2\n3,"x\n4,5\n'],
  ]) {
    const path = join(folder, name)
    writeFileSync(path, text)
    const said = await openTable(path).then(
      table => table.summary().then(() => "no refusal"),
      (error: Error) => error.message,
    )
    expect((await refusal(name, text)).replaceAll(name, ""), name).toBe(
      said.replaceAll(path, "").replaceAll(name, ""),
    )
  }
})

test("what only the command can read names the command", async () => {
  expect(await refusal("a.xlsx", new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toMatchInlineSnapshot(
    `""a.xlsx" is a zip file or a workbook of Excel. The studio reads CSV, TSV, JSON, NDJSON and Parquet, and models that it has saved. Save the sheet as CSV, or use the command, which reads workbooks: suffice fit "a.xlsx" --label COLUMN."`,
  )
  expect(await refusal("a.bin", new Uint8Array([0, 1, 2, 3, 200]))).toMatchInlineSnapshot(
    `""a.bin" is no text: it holds bytes that are no characters. The studio reads CSV, TSV, JSON, NDJSON and Parquet, and models that it has saved. Save it as one of these, or use the command, which reads more: suffice fit "a.bin" --label COLUMN."`,
  )
})

test("a file that is larger than a page holds is refused before it is read, and names the command", async () => {
  const sized = async (name: string, text: string, size: number): Promise<string> => {
    const file = new File([text], name)
    Object.defineProperty(file, "size", { value: size })
    return openFile(file).then(
      () => "no refusal",
      (error: Error) => error.message,
    )
  }
  expect(await sized("rows.csv", "a,b\n1,2\n", 3e9)).toMatchInlineSnapshot(
    `""rows.csv" has 3,000 MB. A page holds at most 2,000 MB of such a file. Use the command, which reads files of any size: suffice fit "rows.csv" --label COLUMN."`,
  )
  expect(await sized("rows.json", '[{"a":1}]', 5e8)).toMatchInlineSnapshot(
    `""rows.json" has 500 MB. A page holds at most 200 MB of such a file. Use the command, which reads files of any size: suffice fit "rows.json" --label COLUMN."`,
  )
})
