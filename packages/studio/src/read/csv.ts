/** CSV and TSV in a page: Papa Parse takes the text apart, some megabytes at a time; delimiter and header are found as in the command. */
import Papa from "papaparse"
import {
  type Dialect,
  dialectOf,
  FileError,
  grouped,
  headerOnly,
  LIMITS,
  namesOf,
  nothingIn,
  openQuote,
  quoted,
  type Reader,
  raggedRow,
  refuseProse,
  type TableOptions,
} from "suffice-files/columns"
import { cellsReader } from "./cells.ts"

/** Characters that are looked at to find the delimiter. */
const LOOKED_AT = 1 << 18
/** Characters that are taken apart at once. */
const PART = 1 << 22

export interface CsvOptions {
  readonly tabs: boolean
  /** That it is CSV was found by looking. */
  readonly bySight: boolean
}

export async function openCsv(
  file: File,
  options: TableOptions,
  { tabs, bySight }: CsvOptions,
): Promise<Reader> {
  const { quote = '"', header } = options
  const encoding = await encodingOf(file, options.encoding)
  const { text, cut } = await beginningOf(file, encoding)
  const delimiter = options.delimiter ?? (tabs ? "\t" : undefined)
  const dialect = dialectOf(text.slice(0, LOOKED_AT), cut, { delimiter, header, quote })
  if (!dialect) throw nothingIn(file.name)
  if (bySight) refuseProse(file.name, dialect)
  if (dialect.header && dialect.records === 1 && !cut) throw headerOnly(file.name)
  const names = namesOf(dialect)
  // lines end as the first one does
  const newline = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n"
  const layout: Layout = { file, encoding, dialect, quote, newline, width: names.length }
  const firstLine = dialect.skip + (dialect.header ? 2 : 1)
  return cellsReader(
    {
      name: file.name,
      names,
      delimiter: dialect.delimiter,
      records: () => records(layout),
      whole: file.size <= LIMITS.wholeBytes,
      lineOf: row => `line ${grouped(firstLine + row)}`,
    },
    options,
  )
}

async function beginningOf(file: File, encoding: string): Promise<{ text: string; cut: boolean }> {
  let text = ""
  for await (const part of textOf(file, encoding)) {
    text += part
    if (text.length > LOOKED_AT) return { text, cut: true }
  }
  return { text, cut: false }
}

/** How the text of a file is divided into records. */
interface Layout {
  readonly file: File
  readonly encoding: string
  readonly dialect: Dialect
  readonly quote: string
  readonly newline: string
  /** Cells of a record. */
  readonly width: number
}

/** Batches of records without the header. */
async function* records(layout: Layout): AsyncGenerator<string[][]> {
  const { file, encoding } = layout
  const parser = new RecordParser(layout)
  for await (const part of textOf(file, encoding)) {
    parser.rest += part
    if (parser.rest.length < PART) continue
    const batch = parser.parse(false)
    // a record that fills a part may have a quote that nothing closes
    if (batch.length === 0 && parser.rest.length > 4 * LIMITS.csvLine)
      throw unclosed(file, parser.line, [parser.rest.slice(0, 100)])
    yield batch
  }
  if (parser.rest !== "") yield parser.parse(true)
}

interface PapaParser {
  parse(
    input: string,
    at: number,
    ignoreLastRow: boolean,
  ): { data: string[][]; errors: { code: string; row?: number }[]; meta: { cursor: number } }
}

/** Records of a text that arrives in parts. */
class RecordParser {
  /** Text that is not parsed yet. */
  rest = ""
  /** The line of the next record. */
  line = 1
  readonly #layout: Layout
  readonly #papa: PapaParser
  /** Lines above the table that are still to be skipped. */
  #skip: number
  /** True until the header is read. */
  #isPending: boolean

  constructor(layout: Layout) {
    const { dialect, quote, newline } = layout
    this.#layout = layout
    this.#papa = new Papa.Parser({
      delimiter: dialect.delimiter,
      quoteChar: quote === "" ? "\u0000" : quote,
      newline,
    } as object) as unknown as PapaParser
    this.#skip = dialect.skip
    this.#isPending = dialect.header
  }

  /** All records of the rest; without `isLast` all but one that may continue. */
  parse(isLast: boolean): string[][] {
    const { file, width, dialect } = this.#layout
    const { data, errors, meta } = this.#papa.parse(this.rest, 0, !isLast)
    this.rest = this.rest.slice(meta.cursor)
    const wrong = errors.find(({ code }) => code === "MissingQuotes" || code === "InvalidQuotes")
    const batch: string[][] = []
    for (const [r, record] of data.entries()) {
      if (wrong && isLast && wrong.row === r) throw unclosed(file, this.line, record)
      if (this.#skip > 0) {
        this.#skip--
        this.line++
        continue
      }
      const last = record.length - 1
      if (record[last].endsWith("\r")) record[last] = record[last].slice(0, -1)
      if (record.length === 1 && record[0].trim() === "" && (width > 1 || record[0] === "")) {
        this.line++
        continue
      }
      if (this.#isPending) this.#isPending = false
      else if (record.length === width) batch.push(record)
      else throw ragged(file, this.line, record, width, dialect.delimiter)
      this.line += 1
    }
    return batch
  }
}

function unclosed(file: File, line: number, record: readonly string[]): FileError {
  const opened = `${record
    .slice(0, -1)
    .map(cell => `${cell},`)
    .join("")}"${record.at(-1)!.split(/[\r\n]/)[0]}`
  const at = `line ${grouped(line)} of ${quoted(file.name, 200)}`
  return openQuote(at, opened, file.size, { path: file.name, line })
}

function ragged(
  file: File,
  line: number,
  record: readonly string[],
  width: number,
  delimiter: string,
): FileError {
  const at = `line ${grouped(line)} of ${quoted(file.name, 200)}`
  return raggedRow(at, width, record.length, record.join(delimiter), delimiter, { path: file.name, line })
}

/** UTF-8, unless a mark or the option says otherwise. */
async function encodingOf(file: File, asked: TableOptions["encoding"]): Promise<string> {
  const [a, b] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (a === 0xfe && b === 0xff) return "utf-16be"
  if ((a === 0xff && b === 0xfe) || asked === "utf-16") return "utf-16le"
  return asked === "latin-1" || asked === "windows-1252" ? "windows-1252" : "utf-8"
}

/** The text of a file, some at a time. */
async function* textOf(file: File, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const text = decoder.decode(value, { stream: !done })
      if (text !== "") yield text
      if (done) return
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new FileError(
      "encoding",
      `${quoted(file.name, 200)} holds a byte that is not ${encoding === "utf-8" ? "UTF-8" : encoding}. Text is read as UTF-8. Convert the file (iconv -f latin1 -t utf-8), or save it as UTF-8 where it was made.`,
      { path: file.name },
      { cause: error },
    )
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
