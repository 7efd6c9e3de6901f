/**
 * Rows for training and rows for testing: at random; in proportion to the levels of a column (`stratify`); whole groups together (`group`:
 * rows of one patient give each other away); or the latest rows for the test (`time`: the future is unknown when the model is
 * learned). Rows keep their order.
 */
import type { Cell } from "../contract/cells.ts"
import { isMissing, levelCell } from "../data/cells.ts"
import type { Batch, Data } from "../data/read.ts"
import { isSoft } from "../data/soft.ts"
import { columnOf, inMemory, rowCount, take } from "../data/take.ts"
import { refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { cutsByTime, dealt, dealtByGroup } from "../measure/partition.ts"
import { checkSeed } from "../option-checks.ts"
import { dice } from "../random.ts"

export interface FoldOptions {
  readonly seed?: number
  /** A column whose levels are spread in proportion; missing cells count as a level of their own. */
  readonly stratify?: string
  /** A column whose values stay together; a missing cell is a group of its own. */
  readonly group?: string
  /** A column of times: numbers, dates, or text that sorts as ISO dates do. */
  readonly time?: string
}

export interface SplitOptions extends FoldOptions {
  /** The share of the rows for the test. */
  readonly test?: number
}

export interface Split<Rows> {
  readonly train: Rows
  readonly test: Rows
}

/** Two parts of the data, in the shape it came in. split(rows, { test: 0.3, stratify: "species", seed: 7 }) */
export function split<Rows extends object>(rows: Rows, options: SplitOptions = {}): Split<Rows> {
  checkOptions("split", options, ["test", ...OPTIONS])
  const { test = 0.3 } = options
  if (!(typeof test === "number" && test > 0 && test < 1)) {
    throw wrongOption(
      "split",
      "test",
      test,
      "It is a share of the rows, above 0 and below 1. Write for example { test: 0.3 }.",
    )
  }
  const batch = inMemory("split", rows as Data)
  const count = counted("split", batch, 2)
  if (options.time !== undefined) {
    return byTime("split", batch, options.time, [count - test * count])[0] as Split<Rows>
  }
  const parts = partsOf("split", batch, [1 - test, test], options)
  return parted(batch, parts, 1) as Split<Rows>
}

/**
 * k ways to split the data, every row being in the test part once. By time, the test part of each is later than its train
 * part: k + 1 stretches of time, of which fold f learns from the first f + 1 and is tested on the next.
 */
export function folds<Rows extends object>(rows: Rows, k: number, options: FoldOptions = {}): Split<Rows>[] {
  checkOptions("folds", options, OPTIONS)
  if (!Number.isSafeInteger(k) || k < 2) {
    throw new SufficeError(
      "option",
      `folds: the number of folds is ${show(k)}. Each row is tested by a model of the others, which takes at least two. Write for example folds(rows, 5).`,
      { option: "folds", value: k },
    )
  }
  const batch = inMemory("folds", rows as Data)
  const count = counted("folds", batch, k)
  const each = Array.from({ length: k }, (_, f) => f)
  if (options.time !== undefined) {
    const wanted = each.map(f => ((f + 1) * count) / (k + 1))
    return byTime("folds", batch, options.time, wanted) as Split<Rows>[]
  }
  const parts = partsOf(
    "folds",
    batch,
    each.map(() => 1 / k),
    options,
  )
  return each.map(f => parted(batch, parts, f) as Split<Rows>)
}

const OPTIONS = ["seed", "stratify", "group", "time"]

function partsOf(
  where: string,
  batch: Batch,
  shares: readonly number[],
  { seed = 0, stratify, group }: FoldOptions,
): Int32Array {
  const d = dice(seed)
  const strata =
    stratify === undefined
      ? new Int32Array(rowCount(batch))
      : strataOf(columnOf(where, batch, stratify, "the stratify column"), stratify)
  if (group === undefined) return dealt(strata, shares, d)
  const groups = groupsOf(columnOf(where, batch, group, "the group column"), group)
  const parts = dealtByGroup(groups, strata, shares, d)
  if (parts) return parts
  throw new SufficeError(
    "data",
    `${where}: column ${show(group)} has ${many(new Set(groups).size, "group")} for ${shares.length} parts. A group is never parted, so each part needs one. ${shares.length > 2 ? "Ask for fewer folds" : "Bring more groups"}, or leave out group.`,
    { column: group },
  )
}

/** Codes by level, in order of appearance; missing is one more level, a soft label its heaviest. */
function strataOf(cells: readonly Cell[], column: string): Int32Array {
  const codes = new Map<unknown, number>()
  return Int32Array.from(cells, (cell, row) => {
    const level = isSoft(cell)
      ? heaviest(cell as Readonly<Record<string, number>>)
      : levelCell(cell, row, column)
    return coded(codes, level === undefined ? undefined : String(level))
  })
}

function heaviest(soft: Readonly<Record<string, number>>): string | undefined {
  return Object.keys(soft).reduce<string | undefined>(
    (best, name) => (best === undefined || soft[name] > soft[best] ? name : best),
    undefined,
  )
}

function groupsOf(cells: readonly Cell[], column: string): Int32Array {
  const codes = new Map<unknown, number>()
  return Int32Array.from(cells, (cell, row) =>
    coded(codes, isMissing(cell) ? { row } : levelCell(cell, row, column)),
  )
}

function coded(codes: Map<unknown, number>, value: unknown): number {
  const code = codes.get(value) ?? codes.size
  codes.set(value, code)
  return code
}

type Time = number | string | bigint

/** Cuts at the wanted rows, as closely as equal times allow: rows before a cut are for training, those up to the next cut for the test. */
function byTime(where: string, batch: Batch, column: string, wanted: readonly number[]): Split<Batch>[] {
  const { order, times } = inTime(where, batch, column)
  const cuts = cutsByTime(times, wanted)
  if (!cuts) throw tooFewTimes(where, column, wanted.length + 1)
  const inOrder = (from: number, to: number | undefined): Batch =>
    take(
      batch,
      order.slice(from, to).sort((a, b) => a - b),
    )
  return Array.from(cuts, (cut, f) => ({ train: inOrder(0, cut), test: inOrder(cut, cuts[f + 1]) }))
}

/** The rows from the earliest to the latest, and their times in that order. */
function inTime(where: string, batch: Batch, column: string): { order: number[]; times: Time[] } {
  const cells = columnOf(where, batch, column, "the time column")
  const times = cells.map((cell, row) => timeOf(where, cell, row, column))
  const odd = times.findIndex(time => typeof time !== typeof times[0])
  if (odd >= 0) {
    throw new SufficeError(
      "cell",
      `${where}: row ${odd} of ${show(column)} holds ${show(cells[odd])}, row 0 holds ${show(cells[0])}. Times of two kinds have no order. Convert the column to one type.`,
      { row: odd, column },
    )
  }
  const order = cells
    .map((_, i) => i)
    .sort((a, b) => (times[a] < times[b] ? -1 : times[a] > times[b] ? 1 : a - b))
  return { order, times: order.map(i => times[i]) }
}

function timeOf(where: string, cell: unknown, row: number, column: string): Time {
  const time = typeof cell === "object" && cell !== null ? cell.valueOf() : cell // a date counts as its milliseconds
  if (typeof time === "string" || typeof time === "bigint") return time
  if (typeof time === "number" && !Number.isNaN(time)) return time
  throw new SufficeError(
    "cell",
    `${where}: row ${row} of ${show(column)} holds ${show(cell)}. A row without a time is neither before nor after the others. Give it a number, a date or ISO text, or drop it.`,
    { row, column, value: cell },
  )
}

function tooFewTimes(where: string, column: string, stretches: number): SufficeError {
  return new SufficeError(
    "data",
    `${where}: column ${show(column)} has fewer than ${stretches} different times. Rows of one time stay together, so they cannot be cut into ${stretches} stretches. Use a finer time${stretches > 2 ? ", ask for fewer folds" : ""}, or split by seed.`,
    { column },
  )
}

function parted(batch: Batch, parts: Int32Array, test: number): Split<Batch> {
  const rows = Array.from(parts, (_, i) => i)
  return {
    train: take(
      batch,
      rows.filter(i => parts[i] !== test),
    ),
    test: take(
      batch,
      rows.filter(i => parts[i] === test),
    ),
  }
}

function counted(where: string, batch: Batch, least: number): number {
  const rows = rowCount(batch)
  if (rows >= least) return rows
  throw new SufficeError(
    "data",
    `${where}: the data has ${many(rows, "row")}. Each part needs at least one, so ${least} are wanted. Bring more rows${least > 2 ? ", or ask for fewer folds" : ""}.`,
    { rows },
  )
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`
}

function checkOptions(where: string, options: FoldOptions, known: readonly string[]): void {
  refuseUnknown(where, options, known)
  const { seed, time, stratify, group } = options
  checkSeed(where, seed)
  for (const [option, column] of Object.entries({ stratify, group, time })) {
    if (column === undefined || typeof column === "string") continue
    throw wrongOption(
      where,
      option,
      column,
      `It must name a column. Write for example { ${option}: "${{ stratify: "label", group: "patient", time: "date" }[option]}" }.`,
    )
  }
  if (time === undefined || (stratify === undefined && group === undefined)) return
  throw new SufficeError(
    "option",
    `${where}: time is given together with ${stratify === undefined ? "group" : "stratify"}. Time alone decides which rows are late. Leave one of them out.`,
    { option: "time" },
  )
}
