/**
 * `sequences`: a long table, one row for each step, as rows that hold their steps in a list.
 *
 *     id  t  x                 { id: "a", steps: [{ t: 1, x: 5 }, { t: 2, x: 7 }] }
 *     a   1  5        →        { id: "b", steps: [{ t: 1, x: 3 }] }
 *     a   2  7
 *     b   1  3
 *
 * Rows in memory are gathered and sorted. Those of a source must come sequence by sequence and in order: each sequence is handed on when the next begins.
 */
import type { Cell, Columns, Row } from "../contract/cells.ts"
import { list, refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { isMissing } from "./cells.ts"
import { type Batch, type Data, isSource, type Source, slices, slicesOf } from "./read.ts"

export interface SequencesOptions {
  /** The column that tells sequences apart. By default all rows are one sequence. */
  readonly by?: string
  /** The column that orders the steps of a sequence: numbers, or text in the order of its characters. By default they are in order. */
  readonly order?: string
  /** The column that will hold the steps. */
  readonly column?: string
  /** Columns of the sequence, not of its steps: their cells are the same in all rows of a sequence. */
  readonly keep?: readonly string[]
  /** The distance of two steps in `order`: where there is more, steps in which nothing is seen are put in between. */
  readonly gaps?: number
}

const OPTIONS = ["by", "order", "column", "keep", "gaps"]
/** More empty steps between two rows would be a mistake. */
const WIDEST = 1e6

export function sequences(rows: readonly Row[] | Columns, options?: SequencesOptions): Row[]
export function sequences(rows: Source, options?: SequencesOptions): Source
export function sequences(rows: Data, options: SequencesOptions = {}): Row[] | Source {
  refuseUnknown("sequences", options, OPTIONS)
  const how = checked(options)
  return isSource(rows) ? streamed(rows, how) : gathered(rows, how)
}

type How = SequencesOptions & { readonly column: string; readonly keep: readonly string[] }

function checked(options: SequencesOptions): How {
  const { by, order, column = "steps", keep = [], gaps } = options
  for (const [option, value] of Object.entries({ by, order, column })) {
    if (value === undefined || typeof value === "string") continue
    throw wrongOption(
      "sequences",
      option,
      value,
      'It is the name of a column. Write for example { by: "id" }.',
    )
  }
  if (!Array.isArray(keep) || !keep.every(name => typeof name === "string"))
    throw wrongOption(
      "sequences",
      "keep",
      keep,
      'It lists names of columns. Write for example { keep: ["label"] }.',
    )
  const isDistance = typeof gaps === "number" && gaps > 0 && Number.isFinite(gaps)
  if (gaps !== undefined && (!isDistance || order === undefined)) {
    throw wrongOption(
      "sequences",
      "gaps",
      gaps,
      'It is the distance of two steps in `order`, a finite number above 0. Give both, as in { order: "t", gaps: 1 }.',
    )
  }
  return { ...options, column, keep }
}

/** One step, with the number of its row in the data. */
interface Numbered {
  readonly row: number
  readonly cells: Row
}

function gathered(batch: Batch, how: How): Row[] {
  const groups = new Map<Cell, Numbered[]>()
  const rows = [...rowsOf(batch)]
  for (const name of rows.length > 0 ? how.keep : [])
    if (!rows.some(({ cells }) => Object.hasOwn(cells, name))) throw noColumnToKeep(rows[0], name)
  for (const one of rows) {
    const id = idOf(one, how)
    const group = groups.get(id)
    if (group) group.push(one)
    else groups.set(id, [one])
  }
  return Array.from(groups, ([id, steps]) => sequenceOf(id, sorted(steps, how), how))
}

function* rowsOf(batch: Batch): Generator<Numbered> {
  for (const slice of slicesOf(batch)) yield* rowsIn(slice)
}

function* rowsIn(slice: {
  readonly first: number
  readonly rows: number
  names(): readonly string[]
  cells(name: string): ArrayLike<Cell> | undefined
}): Generator<Numbered> {
  const columns = slice.names().map(name => [name, slice.cells(name)!] as const)
  for (let i = 0; i < slice.rows; i++)
    yield {
      row: slice.first + i,
      cells: Object.fromEntries(columns.map(([name, cells]) => [name, cells[i]])),
    }
}

function streamed(source: Source, how: How): Source {
  return {
    async *[Symbol.asyncIterator]() {
      const ended = new Set<Cell>()
      let id: Cell
      let steps: Numbered[] = []
      for await (const slice of slices(source)) {
        const done: Row[] = []
        for (const one of rowsIn(slice)) {
          const own = idOf(one, how)
          if (steps.length > 0 && own !== id) {
            done.push(sequenceOf(id, steps, how))
            ended.add(id)
            steps = []
          }
          if (steps.length === 0 && ended.has(own)) throw comesBack(one.row, own, how.by!)
          id = own
          if (steps.length > 0) checkOrder(steps[steps.length - 1], one, how)
          else if (how.order !== undefined) orderOf(one, how.order)
          steps.push(one)
        }
        if (done.length > 0) yield done
      }
      if (steps.length > 0) yield [sequenceOf(id, steps, how)]
    },
  }
}

function idOf({ row, cells }: Numbered, { by }: How): Cell {
  if (by === undefined) return undefined
  const id = cells[by]
  if (!isMissing(id)) return id
  throw new SufficeError(
    "data",
    `sequences: row ${row} has no ${show(by)}. It says which sequence a step belongs to. ${Object.hasOwn(cells, by) ? "Fill it, or leave the row out." : `The rows have ${list(Object.keys(cells))}: name one of these columns.`}`,
    { row, column: by },
  )
}

/** Where a row stands among the others of its sequence. */
function orderOf({ row, cells }: Numbered, order: string): number | string {
  const at = cells[order]
  if (typeof at === "string" || (typeof at === "number" && Number.isFinite(at))) return at
  if (typeof at === "bigint") return Number(at)
  throw new SufficeError(
    "data",
    Object.hasOwn(cells, order)
      ? `sequences: row ${row} holds ${show(at)} in ${show(order)}, by which the steps are ordered. A number or a text belongs there. Fill it, or leave the row out.`
      : `sequences: row ${row} has no ${show(order)}, by which the steps are ordered. The rows have ${list(Object.keys(cells))}. Name one of these columns.`,
    { row, column: order, value: at },
  )
}

function sorted(steps: Numbered[], how: How): Numbered[] {
  const { order } = how
  if (order === undefined) return steps
  const placed = steps.map(step => ({ step, at: orderOf(step, order) }))
  placed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  placed.forEach(({ step }, t) => {
    if (t > 0) checkOrder(placed[t - 1].step, step, how)
  })
  return placed.map(({ step }) => step)
}

/** The second of two neighbours comes later. */
function checkOrder(before: Numbered, after: Numbered, { order }: How): void {
  if (order === undefined) return
  const [a, b] = [orderOf(before, order), orderOf(after, order)]
  if (typeof a === typeof b && a < b) return
  const what =
    typeof a !== typeof b
      ? `row ${before.row} holds ${show(a)} and row ${after.row} ${show(b)} in ${show(order)}. Numbers and text have no common order. Convert one of them.`
      : a === b
        ? `rows ${before.row} and ${after.row} of one sequence both hold ${show(a)} in ${show(order)}. Which comes first cannot be told. Leave one of them out, or order by another column.`
        : `row ${after.row} holds ${show(b)} in ${show(order)}, after ${show(a)} in row ${before.row}. The rows of a source are read once, in order. Sort it by sequence and ${show(order)}, or pass rows in memory.`
  throw new SufficeError("data", `sequences: ${what}`, { row: after.row, column: order })
}

function comesBack(row: number, id: Cell, by: string): SufficeError {
  return new SufficeError(
    "data",
    `sequences: row ${row} belongs to ${show(id)} again, after rows of another ${show(by)}. The rows of a source are read once, sequence by sequence. Sort it by ${show(by)}, or pass rows in memory.`,
    { row, column: by, value: id },
  )
}

function sequenceOf(id: Cell, steps: readonly Numbered[], how: How): Row {
  const { by, column, keep } = how
  const [first] = steps
  const own = new Set([...keep, ...(by === undefined ? [] : [by])])
  for (const name of keep) {
    const other = steps.find(({ cells }) => !isSame(cells[name], first.cells[name]))
    if (!other) continue
    throw new SufficeError(
      "data",
      `sequences: ${show(name)} is ${show(first.cells[name])} in row ${first.row} and ${show(other.cells[name])} in row ${other.row} of one sequence. A column that is kept belongs to the sequence, so it is the same in all its rows. Take it out of keep, or correct the rows.`,
      { row: other.row, column: name },
    )
  }
  const cells: Row[] = steps.map(step =>
    Object.fromEntries(Object.entries(step.cells).filter(([name]) => !own.has(name))),
  )
  return {
    ...(by !== undefined && { [by]: id }),
    ...Object.fromEntries(keep.map(name => [name, first.cells[name]])),
    [column]: how.gaps === undefined ? cells : withGaps(steps, cells, how),
  }
}

function noColumnToKeep({ row, cells }: Numbered, name: string): SufficeError {
  return new SufficeError(
    "data",
    `sequences: row ${row} has no ${show(name)}, which keep names. The rows have ${list(Object.keys(cells))}. Name one of these columns, or take it out of keep.`,
    { row, column: name },
  )
}

function isSame(a: Cell, b: Cell): boolean {
  return a === b || (isMissing(a) && isMissing(b))
}

/** The steps with empty ones where `order` leaves some out. */
function withGaps(steps: readonly Numbered[], cells: readonly Row[], { order, gaps }: How): (Row | null)[] {
  const filled: (Row | null)[] = []
  steps.forEach((step, t) => {
    if (t > 0) {
      const [a, b] = [orderOf(steps[t - 1], order!), orderOf(step, order!)]
      const distance = typeof a === "number" && typeof b === "number" ? (b - a) / gaps! : Number.NaN
      const count = Math.round(distance)
      if (!(Math.abs(distance - count) <= 1e-6 * count && count <= WIDEST)) {
        throw new SufficeError(
          "data",
          `sequences: ${show(order)} goes from ${show(a)} in row ${steps[t - 1].row} to ${show(b)} in row ${step.row}. With gaps: ${gaps} that is ${count > WIDEST ? `more than ${WIDEST} steps without a row` : "no whole number of steps"}. Give the distance of two steps, or leave gaps out.`,
          { row: step.row, column: order },
        )
      }
      for (let n = 1; n < count; n++) filled.push(null)
    }
    filled.push(cells[t])
  })
  return filled
}
