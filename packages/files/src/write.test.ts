import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Batch, Row, Source } from "suffice"
import { expect, test } from "vitest"
import { file, refusal } from "../test/scratch.ts"
import { openTable } from "./open.ts"
import { writeTable } from "./write.ts"

const ROWS: Row[] = [
  { n: 1, x: 0.1, word: 'a "quoted", long\nword', ok: true },
  { n: null, x: -1e-7, word: null, ok: false },
  { n: 3, x: Number.NaN, word: "ü", ok: null },
]

async function read(path: string): Promise<Row[]> {
  const table = await openTable(path)
  const rows = await table.take(99)
  await table.close()
  return rows
}

const source = (...batches: Batch[]): Source => ({
  async *[Symbol.asyncIterator]() {
    yield* batches
  },
})

test.each(["rows.csv", "rows.csv.gz", "rows.tsv", "rows.ndjson", "rows.ndjson.gz", "rows.parquet"])(
  "%s reads back as it was written",
  async path => {
    const expected = ROWS.map(row => ({ ...row, x: Number.isNaN(row.x) ? null : row.x }))
    expect(await writeTable(path, ROWS)).toEqual({ rows: 3 })
    expect(await read(path)).toEqual(expected)
    const columns = {
      n: [1, null, 3],
      x: Float64Array.of(0.1, -1e-7, Number.NaN),
      word: ROWS.map(row => row.word),
      ok: [true, false, null],
    }
    await writeTable(path, source(columns, ROWS))
    expect(await read(path)).toEqual([...expected, ...expected])
  },
)

test("the columns that are asked for are written, in their order", async () => {
  await writeTable("some.csv", ROWS, { columns: ["x", "n"] })
  expect(readFileSync("some.csv", "utf8")).toBe("x,n\n0.1,1\n-1e-7,\n,3\n")
  await writeTable("none.csv", [], { columns: ["x", "n"] })
  expect(readFileSync("none.csv", "utf8")).toBe("x,n\n")
})

test("cells that a spreadsheet takes for formulas begin with a quote, if that is asked; numbers stay numbers", async () => {
  const rows: Row[] = [
    { "=sum(a)": '=HYPERLINK("http://x","y")', n: -1.5, text: "+1 (555) 1234" },
    { "=sum(a)": "@SUM(1)", n: 2, text: "-12.5e3" },
    { "=sum(a)": "\t=1", n: -3, text: "\r=1" },
    { "=sum(a)": "a=1", n: null, text: "-" },
    { "=sum(a)": "\uff1d1", n: 0, text: "+3" },
  ]
  await writeTable("safe.csv", rows, { safe: true })
  expect(readFileSync("safe.csv", "utf8")).toBe(
    [
      "'=sum(a),n,text",
      `"'=HYPERLINK(""http://x"",""y"")",-1.5,'+1 (555) 1234`,
      "'@SUM(1),2,-12.5e3",
      `'\t=1,-3,"'\r=1"`,
      "a=1,,'-",
      "'\uff1d1,0,+3",
      "",
    ].join("\n"),
  )
  await writeTable("safe.tsv", [{ a: "=1" }], { safe: true })
  expect(readFileSync("safe.tsv", "utf8")).toBe("a\n'=1\n")
  await writeTable("plain.csv", [{ a: "=1" }])
  expect(readFileSync("plain.csv", "utf8")).toBe("a\n=1\n")
  await writeTable("safe.ndjson", [{ a: "=1" }], { safe: true })
  expect(readFileSync("safe.ndjson", "utf8")).toBe('{"a":"=1"}\n')
})

test("bags are written as JSON", async () => {
  await writeTable("bags.csv", [{ words: { spam: 2 }, list: ["a", "b"] }])
  expect(readFileSync("bags.csv", "utf8")).toBe('words,list\n"{""spam"":2}","[""a"",""b""]"\n')
})

test.each(["half.csv", "half.parquet"])("a source that fails leaves what was there: %s", async path => {
  mkdirSync("half", { recursive: true })
  await writeTable(`half/${path}`, ROWS)
  const before = readFileSync(`half/${path}`)
  const failing: Source = {
    async *[Symbol.asyncIterator]() {
      yield ROWS
      throw new Error("the source broke")
    },
  }
  expect(await refusal(writeTable(`half/${path}`, failing))).toBe("the source broke")
  expect(readFileSync(`half/${path}`)).toEqual(before)
  expect(readdirSync("half").filter(name => name.includes(".part"))).toEqual([])
})

test("what cannot be written is refused, and leaves nothing", async () => {
  mkdirSync("place", { recursive: true })
  expect(await refusal(writeTable("place", ROWS, { format: "csv" }))).toMatchInlineSnapshot(
    `""place" is a directory, and a file is to be written there. It would have to be removed. Give the name of a file in it."`,
  )
  expect(await refusal(writeTable("nowhere/rows.csv", ROWS))).toMatchInlineSnapshot(
    `"there is no folder "nowhere". A file is written into a folder that exists. Make it, or choose another path."`,
  )
  expect(await refusal(writeTable("rows.xls", ROWS))).toMatchInlineSnapshot(
    `"the format to write "rows.xls" in is not known. Its extension is none of csv, tsv, json, ndjson, xlsx and parquet. Choose another name, or pass format: "csv" | "tsv" | "json" | "ndjson" | "xlsx" | "parquet"."`,
  )
  expect(await refusal(writeTable("rows.csv", source([{ a: 1 }], [{ a: 1, b: 2 }])))).toMatchInlineSnapshot(
    `"a later row brings the column "b". The file was begun with "a". Name all columns at the start: columns: [ … ]."`,
  )
  expect(await refusal(writeTable("rows.parquet", []))).toMatchInlineSnapshot(
    `"there is nothing to write: no rows, and no columns were named. A Parquet file has columns. Pass columns."`,
  )
  const controller = new AbortController()
  controller.abort(new Error("enough"))
  expect(await refusal(writeTable("place/rows.csv", ROWS, { signal: controller.signal }))).toBe("enough")
  expect(readdirSync("place")).toEqual([])
})

test.skipIf(process.platform === "win32")("a full disk is refused, and leaves nothing", () => {
  mkdirSync("full", { recursive: true })
  const program = `
    import { writeTable } from ${JSON.stringify(fileURLToPath(new URL("./write.ts", import.meta.url)))}
    const rows = Array.from({ length: 50000 }, (_, i) => ({ i, text: "some words to fill the disk with" }))
    for (const path of ["full/rows.csv", "full/rows.parquet"]) {
      await writeTable(path, rows).then(() => console.log("written"), error => console.log(error.message))
    }`
  const tsx = fileURLToPath(import.meta.resolve("tsx"))
  // A limit on the size of a file stands in for the disk: 64 blocks of 512 bytes or of 1 kB.
  const run = ["trap '' XFSZ", "ulimit -f 64", 'exec "$0" --conditions=source --import "$1" "$2"'].join("; ")
  const said = execFileSync("bash", ["-c", run, process.execPath, tsx, file("full.mts", program)], {
    encoding: "utf8",
  })
  expect(said).toMatchInlineSnapshot(`
    "cannot write "full/rows.csv". There is no space left for it; nothing was left there. Free some, or choose another disk.
    cannot write "full/rows.parquet". There is no space left for it; nothing was left there. Free some, or choose another disk.
    "
  `)
  expect(readdirSync("full")).toEqual([])
})

test("cells of several types are text in a column of Parquet, whichever comes last", async () => {
  await writeTable("mixed.parquet", [
    { a: "x", b: 1, c: true },
    { a: 2, b: "y", c: 3 },
  ])
  expect(await read("mixed.parquet")).toEqual([
    { a: "x", b: "1", c: "true" },
    { a: "2", b: "y", c: "3" },
  ])
})

test("blanks around a cell are quoted, so that readers can tell that they belong to it", async () => {
  await writeTable("blanks.csv", [{ a: " x", b: "y ", c: "in between" }])
  expect(readFileSync("blanks.csv", "utf8")).toBe('a,b,c\n" x","y ",in between\n')
})

test("JSON is one list, however many batches it comes in", async () => {
  const source = {
    async *[Symbol.asyncIterator]() {
      yield { a: [1, 2], b: ["x", "y\nz"] }
      yield { a: [3], b: [null] }
    },
  }
  await writeTable("list.json", source)
  expect(JSON.parse(readFileSync("list.json", "utf8"))).toEqual([
    { a: 1, b: "x" },
    { a: 2, b: "y\nz" },
    { a: 3, b: null },
  ])
  await writeTable("none.json", [], { columns: ["a"] })
  expect(readFileSync("none.json", "utf8")).toBe("[]\n")
})

test("a workbook holds numbers as numbers, words as words, and nothing where a cell is missing", async () => {
  const rows = [
    { n: 1.234, word: "=1+1", ok: true },
    { n: 2, word: "x, y", ok: null },
  ]
  await writeTable("rows.xlsx", rows)
  const table = await openTable("rows.xlsx")
  expect(await table.take(5)).toEqual(rows)
  await table.close()
})
