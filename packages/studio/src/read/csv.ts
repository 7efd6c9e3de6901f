/** CSV and TSV in a page: Papa Parse takes the text apart, some megabytes at a time; delimiter and header are found as in the command. */
import Papa from "papaparse"
import {
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
  let text = ""
  let cut = false
  for await (const part of textOf(file, encoding)) {
    text += part
    cut = text.length > LOOKED_AT
    if (cut) break
  }
  const delimiter = options.delimiter ?? (tabs ? "\t" : undefined)
  const dialect = dialectOf(text.slice(0, LOOKED_AT), cut, { delimiter, header, quote })
  if (!dialect) throw nothingIn(file.name)
  if (bySight) refuseProse(file.name, dialect)
  if (dialect.header && dialect.records === 1 && !cut) throw headerOnly(file.name)
  const names = namesOf(dialect)
  const width = names.length
  const firstLine = dialect.skip + (dialect.header ? 2 : 1)

  // lines end as the first one does
  const newline = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n"

  async function* records(): AsyncGenerator<string[][]> {
    const parser = new Papa.Parser({
      delimiter: dialect!.delimiter,
      quoteChar: quote,
      ...(quote === "" && { quoteChar: "\u0000" }),
      newline,
    } as object) as unknown as {
      parse(
        input: string,
        at: number,
        ignoreLastRow: boolean,
      ): { data: string[][]; errors: { code: string; row?: number }[]; meta: { cursor: number } }
    }
    let rest = ""
    let skip = dialect!.skip
    let pending = dialect!.header
    let line = 1
    const taken = (input: string, isLast: boolean): string[][] => {
      const { data, errors, meta } = parser.parse(input, 0, !isLast)
      rest = input.slice(meta.cursor)
      const wrong = errors.find(({ code }) => code === "MissingQuotes" || code === "InvalidQuotes")
      const out: string[][] = []
      for (const [r, record] of data.entries()) {
        if (wrong && isLast && wrong.row === r) throw unclosed(file, line, record)
        if (skip > 0) {
          skip--
          line++
          continue
        }
        const last = record.length - 1
        if (record[last].endsWith("\r")) record[last] = record[last].slice(0, -1)
        if (record.length === 1 && record[0].trim() === "" && (width > 1 || record[0] === "")) {
          line++
          continue
        }
        if (pending) pending = false
        else if (record.length === width) out.push(record)
        else throw ragged(file, line, record, width, dialect!.delimiter)
        line += 1
      }
      return out
    }
    for await (const part of textOf(file, encoding)) {
      rest += part
      if (rest.length < PART) continue
      const some = taken(rest, false)
      // a record that fills a part may have a quote that nothing closes
      if (some.length === 0 && rest.length > 4 * LIMITS.csvLine)
        throw unclosed(file, line, [rest.slice(0, 100)])
      yield some
    }
    if (rest !== "") yield taken(rest, true)
  }
  const reader = await cellsReader(
    {
      name: file.name,
      names,
      delimiter: dialect.delimiter,
      records,
      whole: file.size <= LIMITS.wholeBytes,
      lineOf: row => `line ${grouped(firstLine + row)}`,
    },
    options,
  )
  return reader
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
