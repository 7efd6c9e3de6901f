/** Files as people have them: numbers as they are written by hand, workbooks, archives, streams, and what is no table at all. */
import { createReadStream, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { Readable } from "node:stream"
import { zipSync } from "fflate"
import { describe, expect, test, vi } from "vitest"
import writeExcelFile from "write-excel-file/node"
import { file, refusal } from "../test/scratch.ts"
import { openTable, type TableInput } from "./open.ts"
import type { TableOptions } from "./table.ts"

function zipOf(files: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))),
  )
}

async function read(input: TableInput, options: TableOptions = {}): Promise<Record<string, unknown>[]> {
  const table = await openTable(input, options)
  try {
    return await table.take(20)
  } finally {
    await table.close()
  }
}

/** Cells and note of the column x of a file of one column, and another. */
async function column(
  cells: readonly string[],
  options: TableOptions = {},
  delimiter = ";",
): Promise<{ type: string; cells: unknown[]; note: string | undefined }> {
  const quoted = cells.map(cell => (cell.includes(delimiter) ? `"${cell}"` : cell))
  const table = await openTable(
    file("x.csv", `x${delimiter}y\n${quoted.map(cell => `${cell}${delimiter}u`).join("\n")}\n`),
    options,
  )
  try {
    const [{ type, note }] = table.columns
    return { type, cells: (await table.take(20)).map(row => row.x), note }
  } finally {
    await table.close()
  }
}

describe("numbers as people write them", () => {
  test.each([
    ["decimal commas", ["1,5", "2,25", "-3"], [1.5, 2.25, -3]],
    ["points in groups, decimal commas", ["1.234,50", "2.000.000", "7"], [1234.5, 2_000_000, 7]],
    ["commas in groups, decimal points", ["1,234.50", "2,000,000", "7"], [1234.5, 2_000_000, 7]],
    ["blanks in groups", ["1 234,5", "12 345", "1\u00a0234\u202f567"], [1234.5, 12_345, 1_234_567]],
    ["apostrophes in groups", ["1'234.50", "2’000"], [1234.5, 2000]],
    ["euros", ["€ 1.234,50", "12,00 €", "0"], [1234.5, 12, 0]],
    ["dollars", ["$1,234.50", "-$3", "($12.50)"], [1234.5, -3, -12.5]],
    ["a currency by its letters", ["EUR 5", "EUR 1.000,5"], [5, 1000.5]],
    ["per cent", ["12,5 %", "3%"], [12.5, 3]],
    ["a true minus", ["−1,5", "2"], [-1.5, 2]],
    ["a plain number among missing ones", ["-", "1", "none", "#N/A", "2.5"], [null, 1, null, null, 2.5]],
  ] as const)("%s", async (_, cells, numbers) => {
    expect(await column(cells, {}, "|")).toMatchObject({
      type: expect.stringMatching(/number|integer/),
      cells: numbers,
    })
  })

  test("a note says how they were read, and what was taken for missing", async () => {
    expect((await column(["€ 1.234,50", "-", "2"])).note).toMatchInlineSnapshot(
      `""€ 1.234,50" is read as 1234.5; "-" (1 cell) taken for missing"`,
    )
    expect((await column(["12,5 %", "3%"])).note).toMatchInlineSnapshot(
      `""12,5 %" is read as 12.5 (per cent)"`,
    )
    expect((await column(["1", "none", "-", "3"])).note).toMatchInlineSnapshot(
      `""-", "none" (2 cells) taken for missing"`,
    )
  })

  test.each([
    ["codes with leading zeros", ["0815", "4711"]],
    ["dates", ["31.12.2024", "01.02.2024"]],
    ["addresses of computers", ["192.168.0.1", "10.0.0.1"]],
    ["two currencies", ["€ 5", "$ 6"]],
    ["some per cent, some not", ["5 %", "6"]],
  ] as const)("%s are no numbers", async (_, cells) => {
    const { type, cells: read } = await column(cells)
    expect(["string", "date"]).toContain(type)
    expect(read).toEqual(cells)
  })

  test("three digits behind a sign: the delimiter, the other columns, and the option say what it means", async () => {
    expect(await column(["1,234", "5,678"], {}, ",")).toMatchInlineSnapshot(`
      {
        "cells": [
          1234,
          5678,
        ],
        "note": ""1,234" is read as 1234; if that is wrong, pass decimal: ","",
        "type": "number",
      }
    `)
    expect(await column(["1,234", "5,678"], {}, ";")).toMatchInlineSnapshot(`
      {
        "cells": [
          1.234,
          5.678,
        ],
        "note": ""1,234" is read as 1.234; if that is wrong, pass decimal: "."",
        "type": "number",
      }
    `)
    expect((await column(["1,234", "5,678"], { decimal: "." })).cells).toEqual([1234, 5678])
    expect((await column(["1.234", "5.678"])).cells).toEqual([1.234, 5.678])
    expect((await column(["1.234", "5.678"], { decimal: "," })).cells).toEqual([1234, 5678])
    expect((await column(["1 234", "5 678"], { thousands: "" })).cells).toEqual(["1 234", "5 678"])
    const rows = await read(file("both.csv", "a;b\n1.234;0,5\n2.500;1,25\n"))
    expect(rows).toEqual([
      { a: 1234, b: 0.5 },
      { a: 2500, b: 1.25 },
    ])
  })

  test("a point is no decimal sign where a comma is said to be", async () => {
    expect(await column(["1.5", "2.25"], { decimal: "," })).toMatchInlineSnapshot(`
      {
        "cells": [
          "1.5",
          "2.25",
        ],
        "note": "numbers with a point, which is not the decimal sign: read as text; pass another decimal if it is",
        "type": "string",
      }
    `)
  })

  test("a cell far behind that is no number is refused, or makes the column text", async () => {
    const rows = Array.from(
      { length: 200_000 },
      (_, i) => `${i % 90},5;some more words to make the file long`,
    )
    rows[190_000] = "12a;text"
    const table = await openTable(file("late.csv", `x;y\n${rows.join("\n")}\n`))
    expect(table.columns[0].type).toBe("number")
    const reading = (async () => {
      for await (const _ of table.source);
    })()
    expect(await refusal(reading)).toMatchInlineSnapshot(
      `""late.csv" holds "12a" in column "x", which otherwise holds numbers. A column has one type. Name the cell among the missing ones, or read the column as a category: as: { "x": "category" }."`,
    )
    expect((await table.summary())[0].type).toBe("string")
    await table.close()
  })

  test("a stand-in far behind is missing to summary()", async () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => `${i % 90},some more words to make the file long`)
    rows[190_000] = "none,text"
    const table = await openTable(file("late.csv", `x,y\n${rows.join("\n")}\n`))
    const [x] = await table.summary()
    expect([x.type, x.missing.count, x.note]).toMatchInlineSnapshot(`
      [
        "integer",
        1,
        ""none" taken for missing",
      ]
    `)
    await table.close()
  })
})

test("dates are days since 1970 where numbers are asked for, if they can be read in one way only", async () => {
  const as = { x: "number" } as const
  expect((await column(["1970-01-02", "2024-02-29 12:00", "-"], { as })).cells).toEqual([1, 19782.5, null])
  expect((await column(["02.01.1970", "29.02.2024"], { as })).cells).toEqual([1, 19782])
  expect((await column(["1970/1/2", "2024/02/29"], { as })).cells).toEqual([1, 19782])
  expect(await refusal(column(["01/02/2024", "03/04/2024"], { as }))).toMatchInlineSnapshot(
    `"line 2 of "x.csv" holds "01/02/2024" in column "x", which is to be read as numbers. A column has one type. Name the cell among the missing ones, or read the column as a category: as: { "x": "category" }."`,
  )
})

describe("signs and words for nothing", () => {
  test("a sign among words is missing, and a note says so", async () => {
    expect(await column(["red", "-", "blue", "red"])).toMatchInlineSnapshot(`
      {
        "cells": [
          "red",
          null,
          "blue",
          "red",
        ],
        "note": ""-" (1 cell) taken for missing; if it is a level, read the column as a category",
        "type": "string",
      }
    `)
  })
  test("a sign that is one of two levels is a level", async () => {
    expect((await column(["+", "-", "-"])).cells).toEqual(["+", "-", "-"])
    expect((await column(["x", "-", "-"])).cells).toEqual(["x", "-", "-"])
  })
  test("as a category, everything is a level", async () => {
    expect((await column(["red", "-", "blue"], { as: { x: "category" } })).cells).toEqual([
      "red",
      "-",
      "blue",
    ])
  })
  test("none is a level among words, and a note says what to do if it is not", async () => {
    expect(await column(["wine", "none", "beer"])).toMatchInlineSnapshot(`
      {
        "cells": [
          "wine",
          "none",
          "beer",
        ],
        "note": ""none" is a level; if it means "not known", name it among the missing cells",
        "type": "string",
      }
    `)
  })
})

describe("lines before the table", () => {
  test("comments are skipped, and lines are counted with them", async () => {
    expect(await read(file("c.csv", "# made by hand, in May\n#\na,b\n1,2\n3,4\n"))).toEqual([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ])
    expect(await refusal(read(file("r.csv", "# made by hand\na,b\n1,2\n3,4,5\n")))).toMatchInlineSnapshot(
      `"line 4 of "r.csv" has 3 cells, the first line has 2: "3,4,5". A cell that holds "," must be quoted. Mend the line."`,
    )
  })
  test("a header that is a comment is a header; a column may be called #", async () => {
    expect(await read(file("h.tsv", "# id\tname\n1\tx\n2\ty\n"))).toEqual([
      { id: 1, name: "x" },
      { id: 2, name: "y" },
    ])
    expect(await read(file("n.csv", "#,name\n1,x\n2,y\n"))).toEqual([
      { "#": 1, name: "x" },
      { "#": 2, name: "y" },
    ])
  })
  test("Excel's line about the delimiter is obeyed", async () => {
    expect(await read(file("s.csv", "sep=;\r\na;b\r\n1,5;x\r\n2;y\r\n"))).toEqual([
      { a: 1.5, b: "x" },
      { a: 2, b: "y" },
    ])
  })
})

describe("other ways to write a table", () => {
  const rows = [
    { a: 1, b: "ü" },
    { a: 2, b: "y" },
  ]
  const text = "a,b\n1,ü\n2,y\n"

  test("UTF-16 is known by its mark", async () => {
    const little = Buffer.from(`\ufeff${text}`, "utf16le")
    expect(await read(file("le.csv", little))).toEqual(rows)
    expect(await read(file("be.csv", Buffer.from(little).swap16()))).toEqual(rows)
    expect(await read(file("le.json", Buffer.from(`\ufeff${JSON.stringify(rows)}`, "utf16le")))).toEqual(rows)
    const unmarked = file("bare.csv", Buffer.from(text, "utf16le"))
    expect(await refusal(read(unmarked))).toMatchInlineSnapshot(
      `""bare.csv" looks like UTF-16 without the mark at its beginning. Every second byte is zero. Save it as UTF-8, or, if it is CSV, pass encoding: "utf-16"."`,
    )
    expect(await read(unmarked, { encoding: "utf-16" })).toEqual(rows)
  })

  test.each([
    ["cells", text],
    ["tabs", text.replaceAll(",", "\t")],
    ["aligned by blanks", "a   b\n1   ü\n2   y\n"],
    ["objects", rows.map(row => JSON.stringify(row)).join("\n")],
    ["ARFF", "% by hand\n@relation r\n@attribute a numeric\n@attribute b string\n@data\n1,ü\n2,y\n"],
  ])("a .txt file is what it holds: %s", async (_, content) => {
    expect(await read(file("t.txt", content))).toEqual(rows)
    expect(await read(file("no-extension", content))).toEqual(rows)
  })

  test("rows of svmlight, too", async () => {
    expect(await read(file("t.txt", "1 1:1 2:3\n2 1:2\n"))).toEqual([
      { label: 1, features: { 1: 1, 2: 3 } },
      { label: 2, features: { 1: 2 } },
    ])
  })

  test("prose is no table", async () => {
    const prose = file(
      "letter.txt",
      "Dear reader,\nthis is a letter\nwithout any columns\nat all, you see\nyours truly\n",
    )
    expect(await refusal(read(prose))).toMatchInlineSnapshot(
      `""letter.txt" is text without columns: no comma, semicolon, tab or bar cuts its lines into as many cells. A table has a row per line. Name a table, a folder with one sub-folder of texts per label, or pass format: "csv" for one column of text."`,
    )
  })

  test("a stream is read like a file, and leaves nothing behind", async () => {
    const own = (): string[] => readdirSync(tmpdir()).filter(name => name.includes(`-${process.pid}-`))
    const before = own()
    expect(await read({ stream: Readable.from([text]), name: "standard input" })).toEqual(rows)
    const zipped = createReadStream(file("z.csv.gz", text))
    expect(await read({ stream: zipped })).toEqual(rows)
    expect(
      await refusal(read({ stream: Readable.from(["a,b\n1\n"]), name: "standard input" })),
    ).toMatchInlineSnapshot(
      `"line 2 of "standard input" has 1 cell, the first line has 2: "1". A row may be cut off, or the file ends in the middle of one. Mend the line."`,
    )
    expect(own()).toEqual(before)
  })
})

describe("workbooks", () => {
  test("a sheet is a table: numbers, words, dates, true and false, what is empty", async () => {
    const day = new Date(Date.UTC(2024, 0, 31))
    await writeExcelFile([
      {
        sheet: "first",
        data: [
          ["A title"],
          [],
          ["n", "word", "day", "ok"],
          [1.234, "x, y", { value: day, type: Date, format: "yyyy-mm-dd" }, true],
          [2, null, null, false],
        ],
      },
      {
        sheet: "second",
        data: [
          ["a", "b"],
          [1, "€ 1.234,5"],
        ],
      },
    ]).toFile("book.xlsx")
    expect(await read("book.xlsx")).toEqual([
      { n: 1.234, word: "x, y", day: "2024-01-31", ok: true },
      { n: 2, word: null, day: null, ok: false },
    ])
    expect(await read("book.xlsx", { sheet: "second" })).toEqual([{ a: 1, b: 1234.5 }])
    expect(await read("book.xlsx", { sheet: 2 })).toEqual([{ a: 1, b: 1234.5 }])
    expect(await refusal(read("book.xlsx", { sheet: "third" }))).toMatchInlineSnapshot(
      `""book.xlsx" has no sheet "third". Its sheets are "first" and "second". Name one of them."`,
    )
    expect(await refusal(read("book.xlsx", { sheet: 3 }))).toMatchInlineSnapshot(
      `""book.xlsx" has no sheet 3. Its sheets are "first" and "second". Name one of them."`,
    )
    // which of several was read is part of its name, so that every message says so
    const [some, one] = [await openTable("book.xlsx"), await openTable("book.xlsx", { sheet: 2 })]
    expect([some.name, one.name]).toEqual(['book.xlsx, sheet "first" (not read: "second")', "book.xlsx"])
    await Promise.all([some.close(), one.close()])
    expect(await refusal(read(file("false.xlsx", "a,b\n1,2\n")))).toMatchInlineSnapshot(
      `""false.xlsx" is no Excel workbook, whatever its name says: it is text. If it is CSV, it was given the wrong name. Rename it, or pass format: "csv"."`,
    )
  })
})

describe("several files", () => {
  test("are one table, in the order they are named", async () => {
    file("p1.csv", "a,b\n1,x\n2,y\n")
    file("p2.csv", "b;a\nz;3,5\n")
    file("p3.csv", "a,b\n,w\n")
    expect(await read(["p1.csv", "p2.csv", "p3.csv"])).toEqual([
      { a: 1, b: "x" },
      { a: 2, b: "y" },
      { a: 3.5, b: "z" },
      { a: null, b: "w" },
    ])
    const table = await openTable(["p1.csv", "p2.csv", "p3.csv"])
    expect([table.name, await table.count(), table.columns.map(({ type }) => type)]).toEqual([
      "p1.csv and 2 more",
      4,
      ["number", "string"],
    ])
    await table.close()
  })
  test("that are odd in the same way are noted once, with the cell of the first", async () => {
    const table = await openTable([
      file("n1.csv", "a;b\n1.200,50;x\n"),
      file("n2.csv", "a;b\n3.400,75;n/a\n"),
      file("n3.csv", "a;b\n5.600,25;y\n-;n/a\n"),
    ])
    expect(table.columns[0].note).toMatchInlineSnapshot(
      `""1.200,50" is read as 1200.5; "-" (1 cell) taken for missing"`,
    )
    await table.close()
  })
  test("share one DuckDB, closed with the last of them", async () => {
    const { DuckDBInstance } = await import("@duckdb/node-api")
    const made = vi.spyOn(DuckDBInstance, "create")
    const closed = vi.spyOn(DuckDBInstance.prototype, "closeSync")
    try {
      const table = await openTable(["p1.csv", "p2.csv", "p3.csv"])
      expect(await table.count()).toBe(4)
      expect([made.mock.calls.length, closed.mock.calls.length]).toEqual([1, 0])
      await table.close()
      expect(closed).toHaveBeenCalledTimes(1)
      // what is refused leaves none behind
      await refusal(openTable(["p1.csv", file("o.csv", "a,c\n1,2\n")]))
      expect([made.mock.calls.length, closed.mock.calls.length]).toEqual([2, 2])
    } finally {
      vi.restoreAllMocks()
    }
  })
  test("a column that is text in one of them is text in all", async () => {
    expect(await read([file("q1.csv", "a,b\n1.50,x\n"), file("q2.csv", "a,b\nmany,y\n")])).toEqual([
      { a: "1.50", b: "x" },
      { a: "many", b: "y" },
    ])
  })
  test("with other columns are refused", async () => {
    expect(await refusal(read(["p1.csv", file("o.csv", "a,c\n1,2\n")]))).toMatchInlineSnapshot(
      `""o.csv" lacks "b" and has "c" besides, compared with "p1.csv". Files that are read together have the same columns. Rename or add them, or read the files by themselves."`,
    )
    expect(await refusal(read([]))).toMatchInlineSnapshot(
      `"openTable was given an empty list. A table is a path, several paths, { stream } or { sql }. Name a file."`,
    )
  })
})

test("what is no table says what it is", async () => {
  const files: Readonly<Record<string, string | Buffer>> = {
    "page.csv": "\n<!DOCTYPE html>\n<html><body>404</body></html>",
    "table.csv": "<table><tr><td>1</td></tr></table>",
    "feed.csv": '<?xml version="1.0"?>\n<rows><row a="1"/></rows>',
    "paper.csv": "%PDF-1.7\n1 0 obj\n",
    "picture.csv": Buffer.from("89504e470d0a1a0a0000000d494844520000000100000001080600000", "hex"),
    "old.xls": Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]),
    "packed.csv": Buffer.from("377abcaf271c0004", "hex"),
    "data.csv": "SQLite format 3\0 and so on",
  }
  const said: string[] = []
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(name, content)
    said.push(await refusal(read(name)))
  }
  expect(said).toMatchInlineSnapshot(`
    [
      ""page.csv" is a web page (HTML). The page around the data was saved, or a page that asks to log in. Download the file itself, or copy the table into a spreadsheet and save it as CSV.",
      ""table.csv" is a web page (HTML). The page around the data was saved, or a page that asks to log in. Download the file itself, or copy the table into a spreadsheet and save it as CSV.",
      ""feed.csv" is an XML document. Its rows are not known without knowing what its elements mean. Export it as CSV.",
      ""paper.csv" is a PDF document. A document has pages, not rows and columns. Copy its table into a spreadsheet and save that as CSV.",
      ""picture.csv" is an image (png). It holds no rows of numbers and words. Name a table.",
      ""old.xls" is a file of Office from before 2007 (.xls, .doc). Only workbooks in the newer format are read. Open it and save it as "Excel Workbook (.xlsx)" or as CSV.",
      ""packed.csv" is an archive (7z). Only .gz and .zip are unpacked. Unpack it, and name the file inside.",
      ""data.csv" is an SQLite database. It may hold many tables. Export one as CSV.",
    ]
  `)
})

describe("a zip", () => {
  test("with one file is that file, called by both names", async () => {
    writeFileSync("one.zip", zipOf({ "folder/t.csv": "a,b\n1,x\n", "__MACOSX/._t.csv": "no" }))
    expect(await read("one.zip")).toEqual([{ a: 1, b: "x" }])
    writeFileSync("ragged.zip", zipOf({ "t.csv": "a,b\n1,2\n3\n" }))
    expect(await refusal(read("ragged.zip"))).toMatchInlineSnapshot(
      `"line 3 of "ragged.zip/t.csv" has 1 cell, the first line has 2: "3". A row may be cut off, or the file ends in the middle of one. Mend the line."`,
    )
  })
  test("with several files, none, or broken is refused", async () => {
    writeFileSync("two.zip", zipOf({ "a.csv": "a,b\n1,x\n", "b.csv": "a,b\n2,y\n" }))
    expect(await refusal(read("two.zip"))).toMatchInlineSnapshot(
      `""two.zip" is a zip that holds 2 files: "a.csv" and "b.csv". A table is one file. Unpack it, and name the file you mean, or several with the same columns."`,
    )
    writeFileSync("none.zip", zipOf({ ".hidden": "x" }))
    expect(await refusal(read("none.zip"))).toMatchInlineSnapshot(
      `""none.zip" is a zip that holds no file. A table is one file. Check whether it was written to its end."`,
    )
    writeFileSync("cut.zip", zipOf({ "t.csv": "a,b\n1,2\n".repeat(100) }).subarray(0, 60))
    expect(await refusal(read("cut.zip"))).toMatchInlineSnapshot(
      `""cut.zip" cannot be unpacked. End of central directory record signature not found. Either not a zip file, or file is truncated. Fetch it again, or unpack it by other means."`,
    )
  })
})
