import { type Columns, fit } from "suffice"
import { describe, expect, test } from "vitest"
import { file, refusal } from "../../test/scratch.ts"
import { openTable } from "../open.ts"
import { proposeModel, sourceFor } from "../propose.ts"
import type { FileTable, TableOptions } from "../table.ts"

async function open(text: string, options: TableOptions = {}, name = "table.csv"): Promise<FileTable> {
  return openTable(file(name, text), options)
}

/** The types of the columns, and the rows. */
async function read(text: string, options: TableOptions = {}, name?: string): Promise<unknown> {
  const table = await open(text, options, name)
  const answer = {
    types: Object.fromEntries(table.columns.map(({ name, type }) => [name, type])),
    rows: await table.take(10),
  }
  await table.close()
  return answer
}

test("a table has the columns, types and rows of its file", async () => {
  expect(await read('n,x,word,ok,day\n1,0.5,red,true,2024-01-31\n2,-1e3,"a, b",false,2024-02-01\n')).toEqual({
    types: { n: "integer", x: "number", word: "string", ok: "boolean", day: "date" },
    rows: [
      { n: 1, x: 0.5, word: "red", ok: true, day: "2024-01-31" },
      { n: 2, x: -1000, word: "a, b", ok: false, day: "2024-02-01" },
    ],
  })
})

test("missing markers turn no column of numbers into text", async () => {
  expect(
    await read("a,b,c\n1,NA,x\n?,2.5,\nnull, ?,N/A\n4, 5,NaN\nmissing,6,y\n", { missing: ["missing"] }),
  ).toEqual({
    types: { a: "integer", b: "number", c: "string" },
    rows: [
      { a: 1, b: null, c: "x" },
      { a: null, b: 2.5, c: null },
      { a: null, b: null, c: null },
      { a: 4, b: 5, c: null },
      { a: null, b: 6, c: "y" },
    ],
  })
})

test("missing numbers are NaN in the source, missing words null", async () => {
  const table = await open("a,b\n1,x\n?,?\n")
  for await (const batch of table.source)
    expect(batch).toEqual({ a: Float64Array.of(1, Number.NaN), b: ["x", null] })
  await table.close()
})

test("blanks around cells are no part of them", async () => {
  expect(await read("age, work\n39, State-gov\n50, ?\n")).toEqual({
    types: { age: "integer", work: "string" },
    rows: [
      { age: 39, work: "State-gov" },
      { age: 50, work: null },
    ],
  })
})

test.each([
  ["semicolons", "a;b\n1,5;x\n2;y\n", "table.csv"],
  ["bars", "a|b\n1|x, y\n2|z\n", "table.csv"],
  ["tabs", "a\tb\n1\tx, y\n2\tz\n", "table.csv"],
  ["tabs", "a\tb\n1\tx, y\n2\tz\n", "table.tsv"],
])("%s are found to stand between cells", async (_, text, name) => {
  const table = await open(text, {}, name)
  expect(table.columns.map(({ name }) => name)).toEqual(["a", "b"])
  await table.close()
})

test("line ends of Windows, a byte order mark and blank lines do not matter", async () => {
  expect(await read('\ufeffa,b\r\n1,"x\ny"\r\n\r\n2,z\r\n')).toEqual({
    types: { a: "integer", b: "string" },
    rows: [
      { a: 1, b: "x\ny" },
      { a: 2, b: "z" },
    ],
  })
})

test("a first line that holds a number is a row, unless it is said to be a header", async () => {
  expect(await read("5.1,setosa\n4.9,virginica\n")).toMatchObject({
    rows: [
      { column1: 5.1, column2: "setosa" },
      { column1: 4.9, column2: "virginica" },
    ],
  })
  expect(await read("2019,2020\n1,2\n", { header: true })).toMatchObject({ rows: [{ 2019: 1, 2020: 2 }] })
  expect(await read("x,y\nu,v\n", { header: false })).toMatchObject({
    rows: [{ column1: "x", column2: "y" }, {}],
  })
})

test("columns of one name, or of none, get names of their own", async () => {
  expect(await read(",x,x,x_2\n1,2,3,4\n")).toMatchObject({ rows: [{ column1: 1, x: 2, x_2: 3, x_2_2: 4 }] })
})

test("quotes are characters like others, or other characters, where that is said", async () => {
  const rows = [
    { kind: "ham", text: '"See you' },
    { kind: "spam", text: 'a "prize"' },
  ]
  const sms = 'kind\ttext\nham\t"See you\nspam\ta "prize"\n'
  expect(await read(sms, { quote: "" }, "sms.tsv")).toMatchObject({ rows })
  expect(await read("a,b\n1,'x, ''y'' z'\n", { quote: "'" })).toMatchObject({
    rows: [{ a: 1, b: "x, 'y' z" }],
  })
})

test("a gzipped file is the same table", async () => {
  const text = "a,b\n1,x\n?,y\n"
  expect(await read(text, {}, "table.csv.gz")).toEqual(await read(text))
})

test("codes with leading zeros stay text", async () => {
  const table = await open("zip,n\n01234,1\n90210,2\n")
  expect(table.columns[0]).toMatchInlineSnapshot(`
    {
      "name": "zip",
      "note": "whole numbers, some with leading zeros: read as text, since they are codes",
      "type": "string",
    }
  `)
  expect((await table.take(1))[0].zip).toBe("01234")
  await table.close()
})

describe("a column of several types", () => {
  test("is text, with a note", async () => {
    const table = await open("a,b\n1,1\n2,1\n3,2\nplenty,3\n")
    expect(table.columns[0]).toMatchInlineSnapshot(`
      {
        "name": "a",
        "note": "mixed: 3 cells are numbers, 1 is not, such as "plenty"; if that means "not known", name it among the missing cells",
        "type": "string",
      }
    `)
    await table.close()
  })

  test("is text to summary(), even where the odd cell stands far behind", async () => {
    const rows = Array.from(
      { length: 200_000 },
      (_, i) => `${i % 90},${i % 9},some more words to make the file longer than that`,
    )
    rows[190_000] = "plenty,3,text"
    const table = await open(`age,b,c\n${rows.join("\n")}\n`, {}, "late.csv")
    expect(table.columns[0].type).toBe("integer")
    const reading = (async () => {
      for await (const _ of table.source);
    })()
    expect(await refusal(reading)).toMatchInlineSnapshot(
      `"line 190,002 of "late.csv" holds "plenty" in column "age", which otherwise holds numbers. A column has one type. Name the cell among the missing ones, or read the column as a category: as: { "age": "category" }."`,
    )
    const [age] = await table.summary()
    expect(table.columns[0].type).toBe("string")
    expect({ kind: age.kind, note: age.note, levels: age.levels?.count }).toMatchInlineSnapshot(`
      {
        "kind": "category",
        "levels": 91,
        "note": "mixed: most cells are numbers, but one holds "plenty"",
      }
    `)
    await table.close()
  })

  test("is what it is asked to be", async () => {
    const text = "a,b\n1,1\n2,0\n3,2\nunknown,3\n"
    expect(await read(text, { as: { a: "number", b: "category" }, missing: ["unknown"] })).toEqual({
      types: { a: "number", b: "string" },
      rows: [
        { a: 1, b: "1" },
        { a: 2, b: "0" },
        { a: 3, b: "2" },
        { a: null, b: "3" },
      ],
    })
  })
})

describe("the source", () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => ({
    n: i,
    x: i % 11 === 0 ? null : Math.sin(i),
    word: i % 13 === 0 ? null : ["a", "long enough for a pointer", "ünïcödé", "b"][i % 4],
    ok: i % 17 === 0 ? null : i % 3 === 0,
  }))
  const text = `n,x,word,ok\n${rows.map(({ n, x, word, ok }) => `${n},${x ?? ""},${word ?? ""},${ok ?? ""}`).join("\n")}\n`

  test("gives every cell in order, and begins anew each time", async () => {
    const table = await open(text, {}, "many.csv")
    expect(await table.count()).toBe(rows.length)
    for (let pass = 0; pass < 2; pass++) {
      const read: unknown[] = []
      for await (const batch of table.source) {
        const { n, x, word, ok } = batch as Columns
        expect(n.length).toBeLessThanOrEqual(8192)
        for (let i = 0; i < n.length; i++)
          read.push({ n: n[i], x: Number.isNaN(x[i]) ? null : x[i], word: word[i], ok: ok[i] })
      }
      expect(read).toEqual(rows)
    }
    await table.close()
  })

  test("gives strings that the first rows never held", async () => {
    const words = Array.from({ length: 60_000 }, (_, i) =>
      i < 55_000
        ? ["a rather long level", "another long level"][i % 2]
        : i % 3 === 0
          ? null
          : `a new one, number ${i}`,
    )
    const table = await open(
      `w,n\n${words.map((word, i) => `"${word ?? ""}",${i}`).join("\n")}\n`,
      {},
      "words.csv",
    )
    const read: unknown[] = []
    for await (const batch of table.read(["w"])) read.push(...Array.from((batch as Columns).w))
    expect(read).toEqual(words)
    await table.close()
  })

  test("can be left early, and read twice at once", async () => {
    const table = await open(text, {}, "many.csv")
    for await (const _ of table.source) break
    const [one, two] = await Promise.all([table.take(3), table.take(3)])
    expect(one).toEqual(rows.slice(0, 3))
    expect(two).toEqual(one)
    await table.close()
  })

  test("reads the columns that are asked for only", async () => {
    const table = await open(text, { as: { n: "ignore" } }, "many.csv")
    expect(Object.keys((await table.take(1))[0])).toEqual(["x", "word", "ok"])
    for await (const batch of table.read(["ok", "n"])) expect(Object.keys(batch)).toEqual(["ok", "n"])
    await table.close()
  })

  test("teaches the same model, to the bit, as the rows in memory", async () => {
    const table = await open(text, { as: { n: "ignore" } }, "many.csv")
    const model = proposeModel(await table.summary(), { label: "ok" })
    const fromFile = await fit(model, sourceFor(table, model), { seed: 1 })
    const inMemory = await fit(model, rows, { seed: 1 })
    expect(JSON.stringify(fromFile)).toBe(JSON.stringify(inMemory))
    await table.close()
  })
})
