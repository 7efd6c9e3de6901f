import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { strToU8, zipSync } from "fflate"
import type { Row } from "suffice"
import { expect, test } from "vitest"
import { file, refusal } from "../test/scratch.ts"
import { openTable, type TableOptions } from "./index.ts"

/** A spreadsheet with merged cells, comments, styles, and equal cells and rows that are written once. */
const CLINIC = join(import.meta.dirname, "../test/clinic.ods")

async function read(
  path: string,
  options?: TableOptions,
): Promise<{ name: string; rows: Row[]; types: string }> {
  const table = await openTable(path, options)
  const types = table.columns.map(({ type }) => type).join(" ")
  const rows = await table.take(9)
  await table.close()
  return { name: table.name, rows, types }
}

test("the values of cells are read, and not their formats", async () => {
  const february = {
    day: "2024-02-29",
    ward: "Süd",
    weight: 1,
    share: 1,
    paid: 1,
    again: false,
    remark: null,
  }
  expect(await read(CLINIC)).toEqual({
    name: 'clinic.ods, sheet "visits" (not read: "wards" and "notes")',
    types: "date string number number number boolean string",
    rows: [
      {
        ...{ day: "2024-01-31", ward: "Süd", weight: 71.125, share: 0.125, paid: 1234.5, again: true },
        remark: "two  blanks\n& <more>",
      },
      { day: null, ward: "Nord", weight: null, share: 0.5, paid: 80, again: false, remark: null },
      february,
      february,
    ],
  })
})

test("a sheet is chosen by its name or number", async () => {
  const wards = {
    name: "clinic.ods",
    types: "string date integer",
    rows: [
      { ward: "Süd", opened: "2024-02-03T17:05:00", beds: 12 },
      { ward: "Nord", opened: "2024-02-04", beds: 9 },
    ],
  }
  expect(await read(CLINIC, { sheet: "wards" })).toEqual(wards)
  expect(await read(CLINIC, { sheet: 2 })).toEqual(wards)
})

test("the format is recognised without its name", async () => {
  writeFileSync("clinic.data", readFileSync(CLINIC))
  expect((await read("clinic.data", { sheet: 2 })).rows.length).toBe(2)
})

test("levels of a column are counted over all rows", async () => {
  const table = await openTable(CLINIC)
  const [, ward] = await table.summary()
  expect(ward.levels?.frequent).toEqual([
    { level: "Süd", rows: 3 },
    { level: "Nord", rows: 1 },
  ])
  await table.close()
})

test("a failed formula and a number without a value are missing cells", async () => {
  const cell = (attributes: string, text: string): string =>
    `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`
  const word = (text: string): string => cell('office:value-type="string"', text)
  const number = (value: number): string => cell(`office:value-type="float" office:value="${value}"`, "…")
  const failed = cell('office:value-type="string" calcext:value-type="error"', "Err:502")
  const rows = [
    word("n") + word("w"),
    number(1) + word("a"),
    failed + word("b"),
    number(3) + failed,
    cell('office:value-type="float"', "7") + word("a"),
  ]
  written("failed.ods", rows)
  expect((await read("failed.ods")).rows).toEqual([
    { n: 1, w: "a" },
    { n: null, w: "b" },
    { n: 3, w: null },
    { n: null, w: "a" },
  ])
})

test("a file that is not a whole spreadsheet is an error", async () => {
  expect(await refusal(read(CLINIC, { sheet: "beds" }))).toContain(
    'has no sheet "beds". Its sheets are "visits", "wards" and "notes". Name one of them.',
  )
  expect(await refusal(read(CLINIC, { sheet: "notes" }))).toMatch(
    /^the sheet "notes" of .* is empty\. There is no row/,
  )
  expect(await refusal(read(file("false.ods", "a,b\n1,2\n")))).toBe(
    '"false.ods" is no OpenDocument spreadsheet, whatever its name says: it is text. If it is CSV, it was given the wrong name. Rename it, or pass format: "csv".',
  )
  written("cut.ods", ["<table:table-cell>"])
  expect(await refusal(read("cut.ods"))).toMatch(
    /^"cut.ods" cannot be read as an OpenDocument spreadsheet\. .*\. Open it and save it again, or save it as CSV\.$/,
  )
  written("wide.ods", [
    '<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="20000"/>',
  ])
  expect(await refusal(read("wide.ods"))).toContain("It has more than 16,384 columns.")
  written(
    "long.ods",
    ['<table:table-cell office:value-type="float" office:value="1"/>'],
    'table:number-rows-repeated="2000000"',
  )
  expect(await refusal(read("long.ods"))).toContain("It has more than 1,048,576 rows.")
  zipped("secret.ods", "\u0001\u0002")
  expect(await refusal(read("secret.ods"))).toContain("It is protected by a password.")
})

const MIMETYPE = strToU8("application/vnd.oasis.opendocument.spreadsheet")

/** Writes a sheet with these rows. */
function written(path: string, rows: readonly string[], attributes = ""): void {
  const body = rows.map(cells => `<table:table-row ${attributes}>${cells}</table:table-row>`).join("")
  const content = `<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet><table:table table:name="one">${body}</table:table></office:spreadsheet></office:body></office:document-content>`
  zipped(path, content)
}

function zipped(path: string, content: string): void {
  writeFileSync(path, zipSync({ mimetype: [MIMETYPE, { level: 0 }], "content.xml": strToU8(content) }))
}
