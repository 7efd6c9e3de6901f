/**
 * The door: cells become held values, rows become blocks of 256 and chunks of 8,192, whatever the source's own cuts.
 * Nothing past this point checks a cell again.
 */
import type { Block, Cell, Chunk, Column, Level } from "../contract.ts"
import { SufficeError, show } from "../errors.ts"
import { countCell, isMissing, levelCell, notABag, numberCell } from "./cells.ts"
import { type CellReader, CHUNK, ChunkBuilder } from "./chunk.ts"
import type { Schema } from "./discover.ts"
import { doublesOf, isSmall, SMALL } from "./doubles.ts"
import { type Data, isSource, type Slice, slices, slicesOf, sourceChanged, unknownColumn } from "./read.ts"
import { isSoft, softLevels } from "./soft.ts"
import { classFactor, rowWeights, type Weighting } from "./weigh.ts"

/** Levels of a row that training never saw, by column. */
export type Unseen = Map<number, Record<string, Level | readonly string[]>>

/**
 * Encode training data: weighted, soft labels expanded, rows of weight 0 left out. `rows`: how many there must be. `stranger`: what to do
 * about levels that are not in the schema, where there may be some. `reuse`: a chunk is good until the next one.
 */
export async function* encodeForLearning(
  schema: Schema,
  data: Data,
  weighting: Weighting,
  rows: number | undefined,
  signal?: AbortSignal,
  stranger: Stranger = changed,
  reuse = false,
): AsyncGenerator<Chunk> {
  const builder = new ChunkBuilder(schema, CHUNK, reuse)
  const most = rows ?? Number.POSITIVE_INFINITY
  let read = 0
  const other = () =>
    sourceChanged(`the first pass found ${rows} rows, this one ${read > most ? "more" : read}`, {
      rows,
    })
  const push = (
    from: number,
    to: number,
    readers: readonly CellReader[],
    weights: Float64Array,
    share = 1,
  ) => {
    read += to - from
    if (read > most) throw other()
    const at = builder.rows - from
    builder.push(from, to, readers)
    for (let i = from; i < to; i++) builder.weight[at + i] = weights[i] * share
  }
  for await (const slice of slices(data, signal)) {
    const weights = rowWeights(slice, weighting)
    const readers = schema.columns.map(column =>
      cellReader(schema, column, slice.cells(column.name), slice, stranger),
    )
    const labels = schema.labels.map(name => labelOf(schema, slice, weighting, name))
    const soft = labels.filter(({ cells }) => !ArrayBuffer.isView(cells)) // numbers are not soft
    let i = 0
    while (i < slice.rows) {
      // rows with weight and without a soft label, until the chunk is full
      const end = Math.min(slice.rows, i + CHUNK - builder.rows)
      const to = runFrom(i, end, weights, soft)
      if (to > i) push(i, to, readers, weights)
      i = to
      if (builder.rows === CHUNK) yield builder.take()
      else if (i < end) {
        for (const copy of weights[i] === 0 ? [] : softCopies(labels, i, slice.first + i, readers)) {
          push(i, i + 1, copy.readers, weights, copy.share)
          if (builder.rows === CHUNK) yield builder.take()
        }
        i++
      }
    }
  }
  for (const column of schema.columns) schema.readings.get(column.name)?.forget(column)
  if (builder.rows > 0) yield builder.take()
  if (rows !== undefined && read !== rows) throw other()
}

/** The end of the run of plain rows that begins here; a function of its own, since engines optimise no generator as well. */
function runFrom(from: number, end: number, weights: Float64Array, soft: readonly SoftColumn[]): number {
  let i = from
  while (i < end && weights[i] !== 0 && !hasSoft(soft, i)) i++
  return i
}

/** Every level was met in the first pass. */
const changed = (row: number, column: string, level: Level): never => {
  throw sourceChanged(`row ${row} of ${show(column)} holds ${show(level)}, which the first pass never met`, {
    row,
    column,
    value: level,
  })
}

/** Encode data in memory for a question, as below, with all blocks to keep. */
export function encodedForAsking(
  schema: Schema,
  data: Data,
  ignore: ReadonlySet<string>,
): { blocks: Block[]; unseen: Unseen } {
  const blocks: Block[] = []
  const unseen = encodeForAsking(schema, data, ignore, block => blocks.push(block), false)
  return { blocks, unseen }
}

/**
 * Encode data in memory for a question: every row once, weight 1; `ignore`: columns that are asked for, so never read. Each block is shown
 * to `visit`, with the number of rows there are in all. `reuse`: it is good until the next one.
 */
export function encodeForAsking(
  schema: Schema,
  data: Data,
  ignore: ReadonlySet<string>,
  visit: (block: Block, rows: number) => void,
  reuse = true,
): Unseen {
  if (isSource(data)) {
    throw new SufficeError(
      "data",
      "a question takes rows in memory, not a source. Answers come back all at once. Loop over the source and ask batch by batch.",
    )
  }
  const unseen: Unseen = new Map()
  const report: Stranger = (row, column, level) => {
    unseen.set(row, { ...unseen.get(row), [column]: level })
  }
  const reportWord = (row: number, column: string, word: string): void => {
    const words = (unseen.get(row)?.[column] ?? []) as readonly string[]
    if (!words.includes(word)) unseen.set(row, { ...unseen.get(row), [column]: [...words, word] })
  }
  // those that no row has had so far, and what rows have instead
  const absent = new Set(schema.columns.map(({ name }) => name))
  for (const name of [...ignore, ...schema.labels]) absent.delete(name)
  const named = new Set<string>()
  let builder: ChunkBuilder | undefined
  for (const slice of slicesOf(data)) {
    if (!builder || !reuse) builder = new ChunkBuilder(schema, slice.rows, reuse)
    const readers = schema.columns.map(column => {
      const cells = ignore.has(column.name) ? undefined : slice.cells(column.name)
      if (cells && schema.labels.includes(column.name)) refuseSoft(cells, slice, column.name)
      if (cells) absent.delete(column.name)
      return cellReader(schema, column, cells, slice, report, reportWord)
    })
    if (absent.size > 0) for (const name of slice.names) named.add(name)
    builder.push(0, slice.rows, readers)
    let first = slice.first
    for (const block of builder.take()) {
      visit({ ...block, first }, slice.of)
      first += block.rows
    }
  }
  if (builder) {
    for (const name of absent) {
      throw unknownColumn(name, named, " If it is missing in every row, say so: put null in its cells.")
    }
  }
  return unseen
}

/** A soft label weighs copies of its row; a question has one answer per row. */
function refuseSoft(cells: ArrayLike<Cell>, { first, rows }: Slice, column: string): void {
  for (let i = 0; i < rows; i++) {
    if (!isSoft(cells[i])) continue
    throw new SufficeError(
      "label",
      `row ${first + i} of ${show(column)} is a soft label. Soft labels are for learning: a question has one answer per row. Put one level, or null for a missing label.`,
      { row: first + i, column },
    )
  }
}

interface Codes {
  readonly all: ReadonlyMap<Level, number>
  /** Of levels that are small whole numbers; −1: none. */
  readonly small: Int32Array
}

const known = /* @__PURE__ */ new WeakMap<Column, Codes>()

/** The code of each level; remembered, since a question may be one row long. */
function codesOf(column: Column, levels: readonly Level[]): Codes {
  let codes = known.get(column)
  if (!codes) {
    codes = {
      all: new Map(levels.map((level, code) => [level, code])),
      small: new Int32Array(SMALL).fill(-1),
    }
    for (const [level, code] of codes.all) {
      if (typeof level === "number" && isSmall(level)) codes.small[level] = code
    }
    known.set(column, codes)
  }
  return codes
}

/** What to do about a level that is not in the schema. */
type Stranger = (row: number, column: string, level: Level) => void

/** A label's column as soft cells need it. */
interface SoftColumn {
  readonly name: string
  readonly cells: ArrayLike<Cell> | undefined
  readonly place: number
  readonly codes: ReadonlyMap<string, number>
  readonly factor: (name: string) => number
}

function labelOf(schema: Schema, slice: Slice, weighting: Weighting, name: string): SoftColumn {
  const place = schema.columns.findIndex(column => column.name === name)
  const { levels } = schema.columns[place] as Extract<Column, { kind: "level" }>
  return {
    name,
    cells: slice.cells(name),
    place,
    codes: new Map(levels.map((level, code) => [String(level), code])),
    factor: classFactor(weighting, name),
  }
}

function hasSoft(labels: readonly SoftColumn[], i: number): boolean {
  for (let l = 0; l < labels.length; l++) {
    const { cells } = labels[l]
    if (cells && isSoft(cells[i])) return true
  }
  return false
}

/** One copy of the row per combination of soft levels, with its share of the weight. */
function softCopies(
  labels: readonly SoftColumn[],
  i: number,
  row: number,
  readers: readonly CellReader[],
): { share: number; readers: readonly CellReader[] }[] {
  let copies: { share: number; readers: readonly CellReader[] }[] = [{ share: 1, readers }]
  for (const { name: column, cells, place, codes, factor } of labels) {
    const soft = softLevels(cells?.[i], row, column, factor)
    if (!soft) continue
    copies = copies.flatMap(copy =>
      soft.map(({ name, share }) => {
        const code = codes.get(name) ?? changed(row, column, name)
        const fixed = copy.readers.slice()
        fixed[place] = (_from, _to, target, at) => {
          target.codes[at] = code
        }
        return { share: copy.share * share, readers: fixed }
      }),
    )
  }
  return copies
}

/**
 * A held number beyond this counts as this: its square, over the smallest variance that a family lets stand, is still a
 * number, and so are sums of such squares. Otherwise all scores of a far row would be −∞, and its posterior uniform.
 */
const FARTHEST = 1e140

/** NaN stays. */
function within(held: number): number {
  return held > FARTHEST ? FARTHEST : held < -FARTHEST ? -FARTHEST : held
}

/** Held numbers of a run of doubles, as far as they are near or missing. */
function numberRun(
  doubles: Float64Array,
  from: number,
  to: number,
  shift: number,
  scale: number,
  numbers: Float64Array,
  at: number,
): number {
  let i = from
  for (const by = at - from; i < to; i++) {
    const held = (doubles[i] - shift) / scale
    if (held > FARTHEST || held < -FARTHEST) break
    numbers[i + by] = held
  }
  return i
}

/** Codes of a run of doubles, as far as they are small levels that are known. */
function levelRun(
  doubles: Float64Array,
  from: number,
  to: number,
  small: Int32Array,
  codes: Int32Array,
  at: number,
): number {
  let i = from
  for (const by = at - from; i < to; i++) {
    const whole = doubles[i] >>> 0
    if (whole !== doubles[i] || whole >= SMALL) break
    const code = small[whole]
    if (code < 0) break
    codes[i + by] = code
  }
  return i
}

function cellReader(
  { readings }: Schema,
  column: Column,
  // a column that is not there has no cells: all are missing
  cells: ArrayLike<Cell> = [],
  { first }: Slice,
  stranger: Stranger,
  strangeWord?: (row: number, column: string, word: string) => void,
): CellReader {
  const { name } = column
  switch (column.kind) {
    case "number": {
      const { shift, scale } = column
      return (from, to, { numbers }, at) => {
        const doubles = doublesOf(cells, from, to)
        for (let i = from; i < to; i++) {
          if (doubles) i = numberRun(doubles, i, to, shift, scale, numbers, at + i - from)
          if (i < to) numbers[at + i - from] = within((numberCell(cells[i], first + i, name) - shift) / scale)
        }
      }
    }
    case "count":
      return (from, to, { numbers }, at) => {
        for (let i = from; i < to; i++) numbers[at++] = countCell(cells[i], first + i, name)
      }
    case "level": {
      const codes = codesOf(column, column.levels)
      return (from, to, target, at) => {
        const doubles = doublesOf(cells, from, to)
        for (let i = from; i < to; i++) {
          if (doubles) i = levelRun(doubles, i, to, codes.small, target.codes, at + i - from)
          if (i === to) break
          const level = levelCell(cells[i], first + i, name)
          const code = level === undefined ? -1 : codes.all.get(level)
          target.codes[at + i - from] = code ?? -1
          if (code === undefined) stranger(first + i, name, level!)
        }
      }
    }
    case "bag": {
      const read = readings.get(name)!.encoder(column)
      // One visitor for all rows: where it is, is set row by row.
      let row = first
      const unknown = strangeWord && ((word: string) => strangeWord(row, name, word))
      return (from, to, target) => {
        for (row = first + from; row < first + to; row++) {
          const cell = cells[row - first]
          if (!isMissing(cell) && !read(cell, target, unknown)) throw notABag(cell, row, name)
          target.endBag()
        }
      }
    }
    default:
      return column satisfies never
  }
}
