/** Dates as their parts: against DuckDB's own, in every format, and what is refused. */
import { describe, expect, test } from "vitest"
import { file, refusal } from "../test/scratch.ts"
import { daysOf, partOfDate } from "./dates.ts"
import { openTable } from "./open.ts"
import type { FileTable, TableOptions } from "./table.ts"
import { writeTable } from "./write.ts"

async function using<T>(
  input: Parameters<typeof openTable>[0],
  options: TableOptions,
  look: (table: FileTable) => Promise<T>,
): Promise<T> {
  const table = await openTable(input, options)
  try {
    return await look(table)
  } finally {
    await table.close()
  }
}

test("parts and days are those of DuckDB, over four centuries and across leap days", async () => {
  const sql = `select strftime(d, '%Y-%m-%d %H:%M:%S') as at, year(d) as y, monthname(d) as m, dayname(d) as w, hour(d) as h, epoch(d) / 86400 as days
    from (select timestamp '1801-01-01 00:30:00' + to_hours(i * 3511) as d from range(1000) t(i)) order by d`
  const rows = await using({ sql }, {}, table => table.take(1000))
  expect(rows).toHaveLength(1000)
  for (const { at, y, m, w, h, days } of rows) {
    const date = at as string
    expect([partOfDate(date, "year"), partOfDate(date, "month"), partOfDate(date, "weekday")]).toEqual([
      y,
      m,
      w,
    ])
    expect(Number(partOfDate(date, "hour"))).toBe(h)
    expect(daysOf(date)).toBe(days)
  }
})

test.each([
  ["2024-02-29", "Thursday"],
  ["2024/2/29", "Thursday"],
  ["29.02.2024 23:59", "Thursday"],
  ["2024-02-29T23:30:00.5Z", "Thursday"],
  ["2024-02-29 23:30:00+05:30", "Thursday"],
  ["2023-02-29", null],
  ["31.04.2024", null],
  ["01/02/2024", null],
  ["2024-02/29", null],
  ["soon", null],
])("%s is a %s: as it is written, if it can be read in one way only", (date, weekday) => {
  expect(partOfDate(date, "weekday")).toBe(weekday)
})

test.each([
  ["2024-03-09 12:05 AM", "00"],
  ["2024-03-09 1:05 am", "01"],
  ["2024-03-09 12:05 PM", "12"],
  ["9.3.2024 11:59:30pm", "23"],
  ["2024-03-09 13:05 PM", null],
  ["2024-03-09 0:05 AM", null],
])("%s is in hour %s", (date, hour) => {
  expect(partOfDate(date, "hour")).toBe(hour)
})

test("a Date is read by universal time, and no date has no parts", () => {
  expect(partOfDate(new Date("2024-01-31T23:00:00Z"), "hour")).toBe("23")
  expect([partOfDate(null, "year"), partOfDate(new Date(Number.NaN), "year")]).toEqual([null, null])
})

const ROWS = [
  { at: "2024-01-31 09:30:00", n: 1 },
  { at: "2024-02-03 17:05:00", n: 2 },
  { at: null, n: 3 },
]
const PARTS = [
  { "at.year": 2024, "at.month": "January", "at.weekday": "Wednesday", "at.hour": "09", n: 1 },
  { "at.year": 2024, "at.month": "February", "at.weekday": "Saturday", "at.hour": "17", n: 2 },
  { "at.year": null, "at.month": null, "at.weekday": null, "at.hour": null, n: 3 },
]

describe("as parts", () => {
  test.each(["a.csv", "a.tsv", "a.json", "a.ndjson", "a.xlsx", "a.parquet"])("of %s", async path => {
    await writeTable(path, ROWS)
    const rows = await using(path, { as: { at: "parts" } }, table => table.take(3))
    expect(rows.map(({ at: _, ...parts }) => parts)).toEqual(PARTS)
  })

  test("of a column that is read as days, and of DuckDB's own dates", async () => {
    await writeTable("days.csv", ROWS)
    const [row] = await using("days.csv", { as: { at: "number", "at.weekday": "category" } }, async table =>
      table.take(1),
    )
    expect(row).toEqual({ at: 19753 + 9.5 / 24, "at.weekday": "Wednesday", n: 1 })
    const sql = "select date '2024-01-31' as at, 1 as n"
    expect(await using({ sql }, { as: { at: "number" } }, table => table.take(1))).toEqual([
      { at: 19753, n: 1 },
    ])
    expect(
      await using({ sql }, { as: { "at.month": "number", "at.weekday": "number" } }, table => table.take(1)),
    ).toEqual([{ at: "2024-01-31", "at.month": 1, "at.weekday": 3, n: 1 }])
  })

  test("by name, without those that are not wanted", async () => {
    await writeTable("b.csv", ROWS)
    const names = await using("b.csv", { as: { at: "parts", "at.year": "ignore" } }, async table =>
      table.columns.map(({ name }) => name),
    )
    expect(names).toEqual(["at", "at.month", "at.weekday", "at.hour", "n"])
  })

  test("are read without being asked for, and a column of that name goes first", async () => {
    const path = file("c.csv", "at,at.month,n\n2024-01-31,mine,1\n2024-02-01,mine,2\n")
    const batches = await using(path, {}, async table => {
      expect([table.has("at.weekday"), table.has("n.weekday"), table.has("at.minute")]).toEqual([
        true,
        false,
        false,
      ])
      const batches: unknown[] = []
      for await (const batch of table.read(["at.weekday", "at.month"])) batches.push(batch)
      return batches
    })
    expect(batches).toEqual([{ "at.weekday": ["Wednesday", "Thursday"], "at.month": ["mine", "mine"] }])
  })
})

describe("the report of dates", () => {
  const report = async (text: string, as: TableOptions["as"] = {}) =>
    using(file("r.csv", text), { as }, table => table.summary())

  test("offers the parts that differ, as reports", async () => {
    const [at] = await report("at,n\n2024-01-31,1\n2025-02-01,2\n")
    expect(at.kind).toBe("date")
    expect(
      at.parts?.map(({ name, kind, family, declared }) => [name, kind, family, declared?.length]),
    ).toEqual([
      ["at.year", "number", "gaussian", undefined],
      ["at.month", "category", "categorical", 12],
      ["at.weekday", "category", "categorical", 7],
    ])
  })

  test("says why there are none", async () => {
    const [at] = await report("at,n\n01/31/2024,1\n02/01/2025,2\n")
    expect(at.parts).toBeUndefined()
    expect(at.note).toMatchInlineSnapshot(
      `"left out: dates such as "01/31/2024" do not all say which is the day and which the month; write the year first, as in 2024-01-31"`,
    )
  })

  test("a part that is the same in every row is left out", async () => {
    const reports = await report("at,n\n2024-01-31,1\n2024-02-01,2\n", { at: "parts" })
    expect(reports.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "at date",
      "at.year constant",
      "at.month category",
      "at.weekday category",
      "at.hour constant",
      "n number",
    ])
  })
})

describe("what has no parts is refused", () => {
  test("numbers", async () => {
    expect(
      await refusal(openTable(file("n.csv", "at,n\n1,1\n2,2\n"), { as: { at: "parts" } })),
    ).toMatchInlineSnapshot(
      `"as: "at" of n.csv is to be read as the parts of dates, and holds numbers. Dates are written as 2024-01-31 or 31.01.2024. Read it as something else, or leave the option out."`,
    )
  })

  test("a cell that is no date", async () => {
    const path = file("d.csv", "at,n\n2024-01-31,1\nsoon,2\n")
    expect(await refusal(using(path, { as: { at: "parts" } }, table => table.take(2)))).toMatchInlineSnapshot(
      `"d.csv: column "at" holds "soon", and its parts are to be read. It is no date that can be read in one way only, as 2024-01-31 and 31.01.2024 are. Name the cell among the missing ones, write the year first, or read the column as a category."`,
    )
  })

  test("a part of a column that is not there", async () => {
    expect(
      await refusal(openTable(file("e.csv", "at,n\n2024-01-31,1\n"), { as: { "on.month": "category" } })),
    ).toMatchInlineSnapshot(
      `"as names "on.month", which is no column of e.csv. It has "at" and "n". Name one of them."`,
    )
  })
})
