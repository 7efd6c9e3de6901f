/**
 * svmlight and libsvm: a row per line, `label index:value index:value … # comment`, absent features being 0.
 * Whole numbers from 0 on are a bag, { "3": 2, "17": 1 }; otherwise, where the features are few, each is a column f1, f2 …
 */
import type { Cell, Columns } from "suffice"
import { type Found, findFile, linesOf, type Place } from "./bytes.ts"
import { nothingIn } from "./csv-sentences.ts"
import { FileError, grouped, quoted } from "./errors.ts"
import { LIMITS } from "./limits.ts"
import type { FileColumn, Reader, TableOptions } from "./table.ts"

const FEATURES = "features"

export async function openSvmlight(place: Place, options: TableOptions): Promise<Reader> {
  const { label = "label", signal } = options
  const file = await findFile(place, signal)
  const { path } = file
  const seen = await survey(file)
  if (seen.rows === 0) throw nothingIn(path)
  const dense = !seen.counts && seen.largest <= LIMITS.denseFeatures
  if (!dense && seen.negative !== undefined) {
    throw new FileError(
      "cell",
      `line ${grouped(seen.negative)} of ${quoted(path, 200)} holds a feature below 0, and there are ${grouped(seen.largest)} features. Up to ${grouped(LIMITS.denseFeatures)} become columns of numbers, more a bag of counts, which are 0 or more. Select features, or shift them to 0 or more.`,
      { path, line: seen.negative },
    )
  }
  const first = seen.zero ? 0 : 1
  const features = dense ? Array.from({ length: seen.largest - first + 1 }, (_, f) => `f${f + first}`) : []
  const columns: FileColumn[] = [
    { name: label, type: seen.integerLabels ? "integer" : seen.numericLabels ? "number" : "string" },
    ...(dense
      ? features.map((name): FileColumn => ({ name, type: "number" }))
      : [{ name: FEATURES, type: "bag" } as const]),
  ]
  return {
    name: file.name,
    columns,
    count: async () => seen.rows,
    read: wanted => ({
      [Symbol.asyncIterator]: () =>
        batches(file, wanted, label, seen.numericLabels, dense ? first : undefined),
    }),
  }
}

interface Survey {
  readonly rows: number
  readonly largest: number
  readonly zero: boolean
  readonly counts: boolean
  readonly negative?: number
  readonly numericLabels: boolean
  readonly integerLabels: boolean
}

async function survey(file: Found): Promise<Survey> {
  let [rows, largest, zero, counts] = [0, 0, false, true]
  let [numericLabels, integerLabels] = [true, true]
  let negative: number | undefined
  for await (const lines of linesOf(file)) {
    for (const { text, line } of lines) {
      const label = eachFeature(file, text, line, (index, value) => {
        if (index > largest) largest = index
        if (index === 0) zero = true
        if (value < 0) negative ??= line
        if (counts) counts = value >= 0 && Number.isInteger(value)
      })
      if (label === undefined) continue
      rows++
      if (numericLabels && label !== "?") {
        const value = Number(label)
        numericLabels = !Number.isNaN(value)
        integerLabels &&= Number.isInteger(value)
      }
    }
  }
  return {
    rows,
    largest,
    zero,
    counts,
    negative,
    numericLabels,
    integerLabels: integerLabels && numericLabels,
  }
}

/** The label of a line, its features given to `visit`; undefined for a line without a row. */
function eachFeature(
  { path }: Found,
  text: string,
  line: number,
  visit: (index: number, value: number) => void,
): string | undefined {
  const end = text.indexOf("#")
  const row = end < 0 ? text : text.slice(0, end)
  let label: string | undefined
  let at = 0
  while (at < row.length) {
    const c = row.charCodeAt(at)
    if (c === 32 || c === 9) {
      at++
      continue
    }
    let to = at
    while (to < row.length && row.charCodeAt(to) !== 32 && row.charCodeAt(to) !== 9) to++
    const token = row.slice(at, to)
    at = to
    if (label === undefined) {
      label = token
      continue
    }
    const colon = token.indexOf(":")
    if (token.startsWith("qid:")) continue
    const index = Number(token.slice(0, colon))
    const value = colon < 0 || colon === token.length - 1 ? Number.NaN : Number(token.slice(colon + 1))
    if (colon < 1 || !Number.isInteger(index) || index < 0 || !Number.isFinite(value)) {
      throw new FileError(
        "row",
        `line ${grouped(line)} of ${quoted(path, 200)} holds ${quoted(token)}. A row of svmlight is a label and index:value pairs, the values being finite numbers. Mend the line, or pass another format.`,
        { path, line },
      )
    }
    visit(index, value)
  }
  if (label?.includes(":")) {
    throw new FileError(
      "row",
      `line ${grouped(line)} of ${quoted(path, 200)} begins with ${quoted(label)}. A row of svmlight begins with its label. Put one there, ? if it is not known.`,
      { path, line },
    )
  }
  return label
}

/** `first`: the lowest index, where features are columns; undefined where they are one bag. */
async function* batches(
  file: Found,
  wanted: readonly string[],
  labelName: string,
  numericLabels: boolean,
  first: number | undefined,
): AsyncGenerator<Columns> {
  const size = LIMITS.batch
  const places = new Map(
    wanted.map(name => [name, new Float64Array(first === undefined || name === labelName ? 0 : size)]),
  )
  const columnOf = (index: number): Float64Array | undefined => places.get(`f${index}`)
  let labels: Cell[] = []
  let bags: Cell[] = []
  let rows = 0
  const take = (): Columns => {
    const cellsOf = (name: string): ArrayLike<Cell> => {
      if (name !== labelName) return first === undefined ? bags : places.get(name)!.slice(0, rows)
      if (!numericLabels) return labels
      return Float64Array.from(labels, cell => (cell === null ? Number.NaN : Number(cell)))
    }
    const columns = Object.fromEntries(wanted.map(name => [name, cellsOf(name)]))
    for (const column of places.values()) column.fill(0)
    labels = []
    bags = []
    rows = 0
    return columns
  }
  for await (const lines of linesOf(file)) {
    for (const { text, line } of lines) {
      const bag: Record<string, number> = {}
      const at = rows
      const label = eachFeature(file, text, line, (index, value) => {
        if (first === undefined) bag[index] = value
        else {
          const column = columnOf(index)
          if (column) column[at] = value
        }
      })
      if (label === undefined) continue
      labels.push(label === "?" ? null : label)
      bags.push(bag)
      if (++rows === size) yield take()
    }
  }
  if (rows > 0) yield take()
}
