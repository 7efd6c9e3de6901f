/**
 * ARFF, the format of Weka: `@relation`, one `@attribute name type` per column, then `@data`. Types are numeric (real, integer),
 * string, date and { nominal, levels }; `?` is missing; names and cells may be quoted; a row may be sparse: { index value, … },
 * where absent numbers are 0 and absent nominals are the first level.
 */
import type { Cell, Columns } from "suffice"
import { type Found, findFile, linesOf, type Place } from "./bytes.ts"
import { counted, FileError, grouped, listed, quoted } from "./errors.ts"
import { LIMITS, MISSING } from "./limits.ts"
import type { FileColumn, Reader, TableOptions } from "./table.ts"

interface Attribute extends FileColumn {
  readonly known?: ReadonlySet<string>
}

export async function openArff(place: Place, { missing = [], signal }: TableOptions): Promise<Reader> {
  const file = await findFile(place, signal)
  const { path } = file
  const attributes: Attribute[] = []
  let isData = false
  let line = 0
  // a header may be long because of its nominal levels: read until the data starts
  outer: for await (const lines of linesOf(file)) {
    for (const { text, line: at } of lines) {
      line = at
      const said = text.trim()
      if (said === "" || said.startsWith("%") || /^@relation\b/i.test(said)) continue
      if (/^@data\b/i.test(said)) {
        isData = true
        break outer
      }
      const attribute = /^@attribute\s+(.*)$/i.exec(said)
      if (!attribute) throw noArff(file, at, said)
      attributes.push(attributeOf(file, at, attribute[1]))
    }
  }
  if (!isData || attributes.length === 0) {
    throw new FileError(
      "format",
      `${quoted(path, 200)} has no ${attributes.length === 0 ? "@attribute" : "@data"} in its ${grouped(line)} lines. An ARFF file declares its columns, then says @data, then gives the rows. Check whether it was written to its end, or pass another format.`,
      { path },
    )
  }
  const marks = new Set([...MISSING.filter(mark => mark !== ""), ...missing])
  const read = (wanted: readonly string[]): AsyncGenerator<Columns> =>
    batches(file, attributes, wanted, marks)
  for await (const batch of read(attributes.slice(0, 1).map(({ name }) => name))) {
    if (batch[attributes[0].name].length > 0) {
      return {
        name: file.name,
        columns: attributes.map(({ known: _, ...column }) => column),
        read: wanted => ({ [Symbol.asyncIterator]: () => read(wanted) }),
      }
    }
  }
  throw new FileError(
    "empty",
    `${quoted(path, 200)} has a header and no rows. There is nothing to learn from. Check whether it was written to its end.`,
    { path },
  )
}

function noArff({ path }: Found, line: number, text: string): FileError {
  return new FileError(
    "format",
    `line ${grouped(line)} of ${quoted(path, 200)} is ${quoted(text)}. Before @data, an ARFF file holds @relation, @attribute and % comments. Mend the line, or pass another format.`,
    { path, line },
  )
}

function attributeOf(file: Found, line: number, text: string): Attribute {
  const [name, end] = tokenOf(text, 0, " \t{")
  const type = text.slice(end).trim()
  if (name === "" || type === "") throw noArff(file, line, `@attribute ${text}`)
  if (type.startsWith("{")) {
    if (!type.endsWith("}")) throw noArff(file, line, `@attribute ${text}`)
    const levels = cellsOf(file, line, type.slice(1, -1))
    return { name, type: "string", levels, known: new Set(levels) }
  }
  // Older files add a range, as in "integer [0,9]", which is ignored.
  if (/^(numeric|real)(\s*\[.*\])?$/i.test(type)) return { name, type: "number" }
  if (/^integer(\s*\[.*\])?$/i.test(type)) return { name, type: "integer" }
  if (/^date\b/i.test(type)) return { name, type: "date" }
  if (/^string$/i.test(type)) return { name, type: "string" }
  throw new FileError(
    "format",
    `line ${grouped(line)} of ${quoted(file.path, 200)} declares ${quoted(name)} as ${quoted(type)}. Types are numeric, real, integer, string, date and { levels }. Change it to one of them.`,
    { path: file.path, line, column: name },
  )
}

/** A word, or a quoted string ('it\'s', "a b"), and where it ends. */
function tokenOf(text: string, from: number, stops: string): [string, number] {
  const quote = text[from]
  if (quote !== "'" && quote !== '"') {
    let at = from
    while (at < text.length && !stops.includes(text[at])) at++
    return [text.slice(from, at).trim(), at]
  }
  let token = ""
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\" && at + 1 < text.length) token += text[++at]
    else if (text[at] === quote) return [token, at + 1]
    else token += text[at]
  }
  return [token, -1]
}

/** Cells between commas (or tabs), quoted or not. */
function cellsOf({ path }: Found, line: number, text: string): string[] {
  const cells: string[] = []
  // most rows have no quotes
  if (!text.includes("'") && !text.includes('"') && !text.includes("\t")) {
    for (const cell of text.split(",")) cells.push(cell.trim())
    return cells
  }
  let at = 0
  for (;;) {
    while (text[at] === " ") at++
    const [token, end] = tokenOf(text, at, ",\t")
    if (end < 0) {
      throw new FileError(
        "row",
        `line ${grouped(line)} of ${quoted(path, 200)} opens a quote that is never closed: ${quoted(text)}. The file ends inside a cell, or a cell holds a single quote sign. Close it, or write \\' inside a cell.`,
        { path, line },
      )
    }
    cells.push(token)
    at = end
    while (text[at] === " ") at++
    if (at >= text.length) return cells
    at++
  }
}

async function* batches(
  file: Found,
  attributes: readonly Attribute[],
  wanted: readonly string[],
  missing: ReadonlySet<string>,
): AsyncGenerator<Columns> {
  const places = wanted.map(name => attributes.findIndex(attribute => attribute.name === name))
  let columns: Cell[][] = wanted.map(() => [])
  let rows = 0
  let isData = false
  const take = (): Columns => {
    const taken = Object.fromEntries(
      wanted.map((name, w) => [
        name,
        isNumber(attributes[places[w]]) ? Float64Array.from(columns[w] as number[]) : columns[w],
      ]),
    )
    columns = wanted.map(() => [])
    rows = 0
    return taken
  }
  for await (const lines of linesOf(file)) {
    for (const { text, line } of lines) {
      const said = text.trim()
      if (!isData) {
        isData = /^@data\b/i.test(said)
        continue
      }
      if (said === "" || said.startsWith("%")) continue
      const cells = rowOf(file, line, said, attributes)
      for (let w = 0; w < places.length; w++) {
        columns[w].push(cellOf(file, line, cells[places[w]], attributes[places[w]], missing))
      }
      if (++rows === LIMITS.batch) yield take()
    }
  }
  if (rows > 0) yield take()
}

function isNumber({ type }: FileColumn): boolean {
  return type === "number" || type === "integer"
}

/** The cells of a row as text; undefined if a sparse row omits them. */
function rowOf(
  file: Found,
  line: number,
  text: string,
  attributes: readonly Attribute[],
): (string | undefined)[] {
  const wrong = (why: string): FileError =>
    new FileError(
      "row",
      `line ${grouped(line)} of ${quoted(file.path, 200)} ${why}: ${quoted(text)}. The header declares ${attributes.length} columns. Mend the line; if it is the last one, the file may be cut off.`,
      { path: file.path, line },
    )
  // a row may end with its weight, in braces
  const row = text.startsWith("{") ? text : text.replace(/,\s*\{[^{}]*\}\s*$/, "")
  if (!row.startsWith("{")) {
    const cells = cellsOf(file, line, row)
    if (cells.length !== attributes.length) throw wrong(`has ${counted(cells.length, "cell")}`)
    return cells
  }
  const end = row.indexOf("}")
  if (end < 0) throw wrong("opens a sparse row and never closes it")
  const cells = new Array<string | undefined>(attributes.length).fill(undefined)
  const inside = row.slice(1, end).trim()
  if (inside === "") return cells
  let at = 0
  while (at < inside.length) {
    const pair = /\s*(\d+)\s+/y
    pair.lastIndex = at
    const index = pair.exec(inside)
    if (!index || Number(index[1]) >= attributes.length) throw wrong("holds a sparse cell of no column")
    const [token, after] = tokenOf(inside, pair.lastIndex, ",")
    if (after < 0) throw wrong("opens a quote that is never closed")
    cells[Number(index[1])] = token
    at = after
    while (at < inside.length && (inside[at] === " " || inside[at] === ",")) at++
  }
  return cells
}

function cellOf(
  { path }: Found,
  line: number,
  text: string | undefined,
  attribute: Attribute,
  missing: ReadonlySet<string>,
): Cell {
  if (isNumber(attribute)) {
    if (text === undefined) return 0
    if (missing.has(text)) return Number.NaN
    const value = Number(text)
    if (text !== "" && !Number.isNaN(value)) return value
    throw new FileError(
      "cell",
      `line ${grouped(line)} of ${quoted(path, 200)} holds ${quoted(text)} in column ${quoted(attribute.name)}, which is declared ${attribute.type === "integer" ? "integer" : "numeric"}. A cell must be of the declared type. Mend the cell, put ? if it is not known, or declare the column as string.`,
      { path, line, column: attribute.name, value: text },
    )
  }
  if (text === undefined) return attribute.levels ? attribute.levels[0] : ""
  if (attribute.known?.has(text)) return text
  if (missing.has(text)) return null
  if (attribute.known) {
    throw new FileError(
      "cell",
      `line ${grouped(line)} of ${quoted(path, 200)} holds ${quoted(text)} in column ${quoted(attribute.name)}, whose levels are ${listed(attribute.levels!)}. A cell must be one of the declared levels. Add it to the @attribute, or put ?.`,
      { path, line, column: attribute.name, value: text },
    )
  }
  return text
}
