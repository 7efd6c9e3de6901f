/**
 * OpenDocument spreadsheets (.ods; ISO/IEC 26300): a zip whose content.xml holds the sheets. Values come from the attributes of a cell, so neither its
 * format nor the language of the program matters. Text comes from its paragraphs.
 */
/// <reference path="./saxen.d.ts" />
import type { Entry, ZipFile } from "yauzl"
import type { Found } from "./bytes.ts"
import { noSheet, noWorkbook, openSheet, type SheetCell } from "./sheets.ts"
import type { Reader, ReadingOptions } from "./table.ts"

/** Most bytes of content.xml, which is one string. */
const LONGEST = 1 << 28
/** Most rows and columns of a sheet, as in LibreOffice. */
const MOST_ROWS = 1 << 20
const MOST_COLUMNS = 1 << 14

interface Sheet {
  readonly name: string
  /** Rows that are not empty. */
  readonly rows: SheetCell[][]
}

export function openOds(file: Found, options: ReadingOptions): Promise<Reader> {
  let parsed: Promise<readonly Sheet[]> | undefined
  const sheets = (): Promise<readonly Sheet[]> => {
    parsed ??= sheetsIn(file).catch(cause => {
      throw noWorkbook(file, "an OpenDocument spreadsheet", cause)
    })
    return parsed
  }
  const names = async (): Promise<string[]> => (await sheets()).map(({ name }) => name)
  const rows = async (sheet: string | number): Promise<SheetCell[][]> => {
    const named = (await sheets()).find(({ name }, s) => name === sheet || s + 1 === sheet)
    if (!named) throw noSheet(file, sheet, await names())
    return named.rows
  }
  return openSheet({ rows, names }, file, options)
}

async function sheetsIn({ at }: Found): Promise<readonly Sheet[]> {
  const { openPromise } = await import("yauzl")
  const zip = await openPromise(at, { lazyEntries: true, autoClose: false })
  try {
    return await parsedSheets(await contentOf(zip))
  } finally {
    zip.close()
  }
}

async function contentOf(zip: ZipFile): Promise<string> {
  let content: Entry | undefined
  for await (const entry of zip.eachEntry()) if (entry.fileName === "content.xml") content = entry
  if (!content) throw new Error("It has no content.xml")
  if (content.uncompressedSize > LONGEST) throw new Error("Its content.xml has more than 256 MiB")
  const parts: Buffer[] = []
  for await (const part of await zip.openReadStreamPromise(content)) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString("utf8")
  if (!/^\ufeff?\s*</.test(text)) throw new Error("It is protected by a password")
  return text
}

async function parsedSheets(text: string): Promise<readonly Sheet[]> {
  const { Parser } = await import("saxen")
  const sheets = new SheetParser()
  const parser = new Parser()
  let failure: Error | undefined
  parser.on("openTag", (name, attributes, decode) => {
    sheets.open(name, attribute => decode(attributes()[attribute] ?? ""))
  })
  parser.on("closeTag", name => sheets.close(name))
  // runs of blanks are one, unless an element counts them
  parser.on("text", (text, decode) => sheets.add(decode(text.replace(/\s+/g, " "))))
  parser.on("cdata", text => sheets.add(text))
  parser.on("warn", () => {})
  parser.on("error", error => {
    failure ??= error
    parser.stop()
  })
  parser.parse(text)
  if (failure) throw failure
  return sheets.sheets
}

/** The value of an attribute, "" if there is none. */
type Attributes = (name: string) => string

/** Elements beside the text of a cell: comments, drawings, tables in it. */
const ASIDE = /^(office:annotation|draw:|table:table$)/
const CELL = /^table:(covered-)?table-cell$/

/** Collects the cells of content.xml, tag by tag. */
class SheetParser {
  readonly sheets: Sheet[] = []
  /** The open elements. */
  readonly #path: string[] = []
  #row: SheetCell[] = []
  #repeatedRows = 1
  /** Empty cells since the last one that is not. */
  #empty = 0
  #cell: { value: SheetCell | undefined; count: number; paragraphs: string[] } | undefined
  /** Depth of the element beside the text, in a cell. */
  #aside = 0

  open(name: string, attributes: Attributes): void {
    const parent = this.#path.at(-1)
    this.#path.push(name)
    if (this.#cell) {
      if (this.#aside > 0 || ASIDE.test(name)) this.#aside++
      else this.#openText(name, attributes)
    } else if (name === "table:table" && parent === "office:spreadsheet") {
      this.sheets.push({ name: attributes("table:name"), rows: [] })
    } else if (name === "table:table-row") {
      this.#row = []
      this.#empty = 0
      this.#repeatedRows = repeated(attributes("table:number-rows-repeated"))
    } else if (CELL.test(name)) {
      const count = repeated(attributes("table:number-columns-repeated"))
      this.#cell = { value: cellOf(attributes), count, paragraphs: [] }
    }
  }

  #openText(name: string, attributes: Attributes): void {
    if (name === "text:p") this.#cell!.paragraphs.push("")
    else if (name === "text:s") this.add(" ".repeat(repeated(attributes("text:c"))))
    else if (name === "text:tab") this.add("\t")
    else if (name === "text:line-break") this.add("\n")
  }

  add(text: string): void {
    const paragraphs = this.#cell?.paragraphs
    if (paragraphs && paragraphs.length > 0 && this.#aside === 0 && this.#path.includes("text:p"))
      paragraphs[paragraphs.length - 1] += text
  }

  close(name: string): void {
    this.#path.pop()
    if (this.#aside > 0) this.#aside--
    else if (this.#cell) {
      if (CELL.test(name)) this.#closeCell(this.#cell)
    } else if (name === "table:table-row") this.#closeRow()
  }

  #closeCell({
    value,
    count,
    paragraphs,
  }: {
    value: SheetCell | undefined
    count: number
    paragraphs: string[]
  }) {
    this.#cell = undefined
    const cell = value === undefined ? paragraphs.join("\n") : value
    if (cell === null || cell === "") {
      this.#empty += count
      return
    }
    const row = this.#row
    if (row.length + this.#empty + count > MOST_COLUMNS) throw new Error("It has more than 16,384 columns")
    for (; this.#empty > 0; this.#empty--) row.push(null)
    for (let c = 0; c < count; c++) row.push(cell)
  }

  #closeRow(): void {
    const sheet = this.sheets.at(-1)
    if (!sheet || this.#row.length === 0) return
    if (sheet.rows.length + this.#repeatedRows > MOST_ROWS) throw new Error("It has more than 1,048,576 rows")
    for (let r = 0; r < this.#repeatedRows; r++) sheet.rows.push(this.#row)
  }
}

function repeated(count: string): number {
  return count === "" ? 1 : Number(count)
}

/** The value in the attributes of a cell; undefined if it is the text of its paragraphs. */
function cellOf(attributes: Attributes): SheetCell | undefined {
  // LibreOffice marks the result of a formula that failed
  if (attributes("calcext:value-type") === "error") return null
  switch (attributes("office:value-type")) {
    case "float":
    case "percentage":
    case "currency":
      return attributes("office:value") === "" ? null : Number(attributes("office:value"))
    case "date":
      return attributes("office:date-value").replace(/T00:00:00(\.0+)?$/, "")
    case "boolean":
      return attributes("office:boolean-value") === "true"
    case "":
      return null
    default:
      return undefined
  }
}
