import { describe, expect, test } from "vitest"
import { file } from "../../test/scratch.ts"
import { LIMITS } from "../limits.ts"
import { openTable, type TableInput } from "../open.ts"
import type { TableOptions } from "../table.ts"
import { writeTable } from "../write.ts"
import { openDatabase } from "./database.ts"

/** The types and notes of the columns, and the rows. */
async function read(input: TableInput, options: TableOptions = {}): Promise<unknown> {
  const table = await openTable(input, options)
  const columns = Object.fromEntries(
    table.columns.map(({ name, type, note }) => [name, note === undefined ? type : `${type} (${note})`]),
  )
  const answer = { name: table.name, count: await table.count(), columns, rows: await table.take(10) }
  await table.close()
  return answer
}

test("NDJSON and a list of objects are the same table", async () => {
  const rows = [
    { n: 1, x: 0.5, word: "red", ok: true, tags: ["a", "b"] },
    { n: null, x: 2, word: "NA", ok: false, tags: null },
  ]
  const expected = {
    count: 2,
    columns: { n: "integer", x: "number", word: "string", ok: "boolean", tags: "bag" },
    rows: [rows[0], { ...rows[1], word: null }],
  }
  expect(await read(file("rows.ndjson", rows.map(row => JSON.stringify(row)).join("\n")))).toMatchObject(
    expected,
  )
  expect(await read(file("rows.json", JSON.stringify(rows)))).toMatchObject(expected)
  expect(await read(file("rows.jsonl.gz", rows.map(row => JSON.stringify(row)).join("\n")))).toMatchObject(
    expected,
  )
})

test("rows come in the order of the file, also where its last line has no line end", async () => {
  const path = file(
    "open-end.ndjson",
    '{"n":1,"word":"red","tags":["a","b"]}\n{"n":2,"word":"NA","tags":null}',
  )
  const orders = new Set<string>()
  for (let reading = 0; reading < 60; reading++) {
    const table = await openTable(path)
    await table.count()
    orders.add((await table.take(2)).map(({ n }) => n).join())
    await table.close()
  }
  expect([...orders]).toEqual(["1,2"])
})

test("counts of words are a bag", async () => {
  const rows = [{ words: { spam: 2, ham: 1 } }, { words: { eggs: 1 } }]
  expect(await read(file("bags.json", JSON.stringify(rows)))).toMatchObject({
    columns: { words: "bag" },
    rows,
  })
})

test("a JSON column of numbers and missing markers is one of numbers; of other text, text with a note", async () => {
  const rows = [
    { a: 1, b: 1, c: { d: [1] } },
    { a: "NA", b: "unknown", c: { d: [2] } },
  ]
  expect(await read(file("mixed.json", JSON.stringify(rows)))).toMatchInlineSnapshot(`
    {
      "columns": {
        "a": "number",
        "b": "string (mixed: cells of several types, read as text)",
        "c": "string (nested (STRUCT(d BIGINT[])): read as text; take it apart with SQL)",
      },
      "count": 2,
      "name": "mixed.json",
      "rows": [
        {
          "a": 1,
          "b": "1",
          "c": "{'d': [1]}",
        },
        {
          "a": null,
          "b": "unknown",
          "c": "{'d': [2]}",
        },
      ],
    }
  `)
})

test("a Parquet file keeps its types", async () => {
  const database = await openDatabase()
  await database.ask(`copy (
    select i::int as n, case when i = 1 then null else i / 2 end as x, 'word ' || i as word, i > 1 as ok,
      date '2024-01-01' + i::int as day, i::decimal(9, 2) as price, ['a', 'b'] as tags, map {'spam': i} as words
    from range(1, 4) t(i)) to 'typed.parquet' (format parquet)`)
  await database.close()
  expect(await read("typed.parquet")).toMatchInlineSnapshot(`
    {
      "columns": {
        "day": "date",
        "n": "integer",
        "ok": "boolean",
        "price": "number",
        "tags": "bag",
        "word": "string",
        "words": "bag",
        "x": "number",
      },
      "count": 3,
      "name": "typed.parquet",
      "rows": [
        {
          "day": "2024-01-02",
          "n": 1,
          "ok": false,
          "price": 1,
          "tags": [
            "a",
            "b",
          ],
          "word": "word 1",
          "words": {
            "spam": 1,
          },
          "x": null,
        },
        {
          "day": "2024-01-03",
          "n": 2,
          "ok": true,
          "price": 2,
          "tags": [
            "a",
            "b",
          ],
          "word": "word 2",
          "words": {
            "spam": 2,
          },
          "x": 1,
        },
        {
          "day": "2024-01-04",
          "n": 3,
          "ok": true,
          "price": 3,
          "tags": [
            "a",
            "b",
          ],
          "word": "word 3",
          "words": {
            "spam": 3,
          },
          "x": 1.5,
        },
      ],
    }
  `)
  expect(
    await read("typed.parquet", { as: { n: "category", ok: "category", word: "ignore" } }),
  ).toMatchObject({
    columns: { n: "string", ok: "string" },
    rows: [{ n: "1", ok: "false" }, {}, {}],
  })
})

test("a query is a table", async () => {
  file("people.csv", "age,city\n41,Oslo\n17,Rome\n30,Oslo\n")
  const sql =
    "select city, avg(age) as age, count(*) as people from 'people.csv' where age > 18 group by city order by city;"
  expect(await read({ sql })).toEqual({
    name: "sql",
    count: 1,
    columns: { city: "string", age: "number", people: "integer" },
    rows: [{ city: "Oslo", age: 35.5, people: 2 }],
  })
})

test("whole numbers of 64 bits become numbers", async () => {
  expect(
    await read({ sql: "select 9007199254740993::bigint as big, 7::ubigint as small, 3::hugeint as huge" }),
  ).toMatchObject({
    columns: { big: "integer", small: "integer", huge: "integer" },
    rows: [{ big: 9007199254740992, small: 7, huge: 3 }],
  })
})

describe("strings of JSON and Parquet are what they hold, as the cells of CSV are", () => {
  const ROWS = [
    { pay: "€ 1.234,50", share: "12,5 %", day: "31.01.2024", ok: "true", zip: "0815", n: "7", w: "red" },
    { pay: "€ 3,00", share: "-", day: "01.02.2024", ok: "false", zip: "4711", n: "8.5", w: "none" },
    { pay: null, share: "50 %", day: "#N/A", ok: "NA", zip: "1", n: "?", w: "blue" },
  ]
  const READ = [
    { pay: 1234.5, share: 12.5, day: "31.01.2024", ok: true, zip: "0815", n: 7, w: "red" },
    { pay: 3, share: null, day: "01.02.2024", ok: false, zip: "4711", n: 8.5, w: "none" },
    { pay: null, share: 50, day: null, ok: null, zip: "1", n: null, w: "blue" },
  ]

  test.each(["strings.json", "strings.ndjson", "strings.parquet", "strings.csv"])("%s", async path => {
    await writeTable(path, ROWS)
    const table = await openTable(path)
    expect(await table.take(3)).toEqual(READ)
    expect(table.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "pay number",
      "share number",
      "day date",
      "ok boolean",
      "zip string",
      "n number",
      "w string",
    ])
    expect(table.columns[0].note).toBe('"€ 1.234,50" is read as 1234.5')
    await table.close()
  })

  test("unless they are to be text, or one of them, however late, is something else", async () => {
    await writeTable("late.parquet", [
      ...Array.from({ length: LIMITS.sampleRows + 10 }, (_, i) => ({ n: String(i % 7), m: String(i % 5) })),
      { n: "seven", m: "7" },
    ])
    const table = await openTable("late.parquet", { as: { m: "category" } })
    expect(table.columns.map(({ name, type }) => `${name} ${type}`)).toEqual(["n string", "m string"])
    expect(table.columns[0].note).toContain('1 is not, such as "seven"')
    await table.close()
  })

  test("numbers that are written as text are so reported", async () => {
    await writeTable("n.json", [{ n: "1.5" }, { n: "2" }])
    const table = await openTable("n.json")
    expect(table.columns[0].note).toMatchInlineSnapshot(
      `"numbers that are written as text; if they are codes, read it as a category"`,
    )
    await table.close()
  })
})
