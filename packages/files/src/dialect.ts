/**
 * How a CSV file is written, from its first records: the delimiter, and whether the first line names the
 * columns. Cells may be quoted, mostly with "…"; a quote inside is doubled (RFC 4180).
 */

/** How a CSV file is written. */
export interface Dialect {
  readonly delimiter: string
  readonly header: boolean
  /** Lines before the first record: comments, and what Excel says of the delimiter. */
  readonly skip: number
  /** The cells of the first record. */
  readonly first: readonly string[]
  /** How many of the records looked at have as many cells as the first. */
  readonly agreeing: number
  readonly records: number
  /** The share of records whose first cell holds several words. */
  readonly words: number
}

/** What the caller specifies. */
export interface DialectOptions {
  readonly delimiter?: string
  readonly header?: boolean
  /** Empty: cells are never quoted. */
  readonly quote?: string
}

const DELIMITERS = [",", "\t", ";", "|"]
const MOST_RECORDS = 200

/** `cut`: the text is only a beginning, so its last record may not be whole. */
export function dialectOf(text: string, cut: boolean, options: DialectOptions = {}): Dialect | undefined {
  // "sep=;" in the first line is Excel's.
  const said = /^\ufeff?sep=(.)\r?\n/i.exec(text)
  if (said) {
    const found = dialectOf(text.slice(said[0].length), cut, {
      ...options,
      delimiter: options.delimiter ?? said[1],
    })
    return found && { ...found, skip: found.skip + 1 }
  }
  const comments = /^\ufeff?(?:[ \t]*#.*\r?\n|[ \t]*\r?\n(?=[ \t]*#))+/.exec(text)?.[0]
  if (comments === undefined) return cellsOf(text, cut, options)
  const found = cellsOf(text.slice(comments.length), cut, options)
  if (!found) return cellsOf(text, cut, options)
  const lines = comments.split("\n").slice(0, -1)
  // The last comment may be the header: "# id, name", or a column that is called "#".
  const last = lines[lines.length - 1]
  const names = recordsOf(last.replace(/^\ufeff/, ""), false, found.delimiter, options.quote ?? '"')[0] ?? []
  const fits = options.header !== false && names.length > 1 && names.length === found.first.length
  if (fits && (!found.header || names[0].trim() === "#"))
    return { ...found, header: true, first: names, records: found.records + 1, skip: lines.length - 1 }
  return { ...found, skip: lines.length }
}

/** Of a text that begins with its first record. */
function cellsOf(
  text: string,
  cut: boolean,
  { delimiter, header, quote = '"' }: DialectOptions,
): Dialect | undefined {
  const looks = (delimiter === undefined ? DELIMITERS : [delimiter]).flatMap(candidate => {
    const records = recordsOf(text, cut, candidate, quote)
    if (records.length === 0) return []
    const width = records[0].length
    const agreeing = records.filter(record => record.length === width).length
    return [
      { delimiter: candidate, first: records[0], agreeing, records: records.length, body: records.slice(1) },
    ]
  })
  if (looks.length === 0) return undefined
  // Among those that cut the first line at all: the one most records agree with, then the one that cuts most.
  const cutting = looks.filter(({ first }) => first.length > 1)
  const [best] = (cutting.length > 0 ? cutting : looks).sort(
    (a, b) => b.agreeing / b.records - a.agreeing / a.records || b.first.length - a.first.length,
  )
  const { body, ...found } = best
  const texts = body.filter(([cell]) => /\S\s+\S/.test(cell)).length
  const words = body.length === 0 ? 0 : texts / body.length
  return { ...found, skip: 0, words, header: header ?? isHeader(best.first, body) }
}

/**
 * Names are neither numbers nor empty. They differ, or are above numbers. In a table of text alone, names and cells look the same:
 * then the first line is taken as names, since most files have them.
 */
function isHeader(first: readonly string[], body: readonly (readonly string[])[]): boolean {
  if (body.length === 0) return true
  // the column of row names often has no name
  const names = first.map(cell => cell.trim()).filter((name, n) => n > 0 || name !== "")
  if (!names.every(name => name !== "" && Number.isNaN(Number(name)))) return false
  return new Set(names).size === names.length || first.some((_, c) => body.every(row => isNumber(row[c])))
}

function isNumber(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== "" && !Number.isNaN(Number(cell))
}

function recordsOf(text: string, cut: boolean, delimiter: string, quote: string): string[][] {
  const records: string[][] = []
  let cells: string[] = []
  let cell = ""
  let at = 0
  let isOpen = false
  const end = (): void => {
    cells.push(cell)
    // a blank line is not a record
    if (cells.length > 1 || cell.trim() !== "") records.push(cells)
    cells = []
    cell = ""
  }
  for (; at < text.length && records.length < MOST_RECORDS; at++) {
    const c = text[at]
    if (isOpen) {
      if (c !== quote) cell += c
      else if (text[at + 1] === quote) {
        cell += quote
        at++
      } else isOpen = false
    } else if (c === quote && cell === "") isOpen = true
    else if (c === delimiter) {
      cells.push(cell)
      cell = ""
    } else if (c === "\n") end()
    else if (c === "\r") {
      if (text[at + 1] !== "\n") end()
    } else cell += c
  }
  if (at === text.length && !cut && (cell !== "" || cells.length > 0)) end()
  return records
}

/** The names of the header, made different from each other; column1, column2 … where there are none. */
export function namesOf({ header, first }: Dialect): string[] {
  const used = new Set<string>()
  return first.map((cell, c) => {
    const own = cell.replace(/^\ufeff/, "").trim()
    // A header that is written as a comment: "# id, name".
    const name = (header && ((c === 0 && own.replace(/^#+\s*/, "")) || own)) || `column${c + 1}`
    let free = name
    for (let n = 2; used.has(free); n++) free = `${name}_${n}`
    used.add(free)
    return free
  })
}
