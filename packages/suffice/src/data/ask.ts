/** The door for questions: rows in memory, each once, become blocks. */
import type { Block, Cell, Held, Level, Row, Stay, Strangers } from "../contract.ts"
import { nearest, SufficeError } from "../errors.ts"
import { ChunkBuilder } from "./chunk.ts"
import type { Schema } from "./discover.ts"
import { holderOf } from "./holders.ts"
import { type Batch, checkRow, type Data, isSource, slicesOf, unknownColumn } from "./read.ts"

/** Levels of a row that training never saw, by column. */
export type Unseen = Map<number, Record<string, Level | readonly string[]>>

/** Rows that are asked about, block by block: each once, weight 1. */
export interface Asking {
  /** How many rows there are in all; known once there was a block. */
  readonly rows: number
  /** Of the blocks so far. */
  readonly unseen: Unseen
  /** Good until the one after it; undefined where there are no more. */
  next(): Block | undefined
}

/**
 * Data in memory for a question; `asked`: the column that is asked for, so never read. Of a single row, as pages and servers ask again and again,
 * nothing is made anew but what it tells of the unseen: it is good until the next question.
 */
export function askingOf(schema: Schema, data: Data, asked?: string): Asking {
  if (!Array.isArray(data) || data.length !== 1) return manyRows(schema, data, asked, "brief")
  let one = single.get(schema)
  if (!one) {
    one = oneRow(schema)
    single.set(schema, one)
  }
  one.read(data, asked)
  return one
}

/** The same, with all blocks to keep. */
export function encodedForAsking(
  schema: Schema,
  data: Data,
  asked?: string,
): { blocks: Block[]; unseen: Unseen } {
  const asking = manyRows(schema, data, asked, "once")
  const blocks: Block[] = []
  for (let block = asking.next(); block; block = asking.next()) blocks.push(block)
  return { blocks, unseen: asking.unseen }
}

function manyRows(schema: Schema, data: Data, asked: string | undefined, stay: Stay): Asking {
  if (isSource(data)) {
    throw new SufficeError(
      "data",
      "a question takes rows in memory, not a source: answers come all at once. Loop over it.",
    )
  }
  const asking = { rows: 0, unseen: new Map(), next: () => blocks.next().value as Block | undefined }
  const blocks = encode(schema, data, asked, stay, asking)
  return asking
}

/** `asking` hears of the rows, and of the unseen. */
function* encode(
  schema: Schema,
  batch: Batch,
  asked: string | undefined,
  stay: Stay,
  asking: { rows: number; readonly unseen: Unseen },
): Generator<Block> {
  const strangers = strangersOf(asking)
  let builder: ChunkBuilder | undefined
  for (const slice of slicesOf(batch)) {
    asking.rows = slice.of
    const columns = schema.columns.map(({ name }) => {
      const cells = name === asked ? undefined : slice.cells(name)
      if (!cells && slice.first === 0) checkAbsent(schema, name, asked, batch)
      return cells
    })
    if (!builder || stay !== "brief") builder = new ChunkBuilder(schema, slice.rows, stay, asked)
    builder.push(columns, slice.first, 0, slice.rows, strangers)
    yield* builder.take(slice.first)
  }
  builder?.end()
}

interface OneRow extends Asking {
  read(data: readonly Row[], asked: string | undefined): void
}

const single = /* @__PURE__ */ new WeakMap<Schema, OneRow>()

function oneRow(schema: Schema): OneRow {
  const holders = schema.columns.map(column => holderOf(schema, column))
  // An array that has held null keeps numbers as they come, instead of taking them out of their boxes and putting them in again.
  const rooms = holders.map((): Cell[] => [null])
  const cells: Held[] = []
  const whole: Block = { rows: 1, weight: Float64Array.of(1), cells }
  let next: Block | undefined
  const asking = {
    rows: 1,
    unseen: new Map(),
    read(data: readonly Row[], asked: string | undefined): void {
      const row = data[0]
      checkRow(row, 0)
      // of a question that failed, too
      if (asking.unseen.size > 0) asking.unseen = new Map()
      for (let c = 0; c < holders.length; c++) {
        const { name } = schema.columns[c]
        holders[c].begin(1, "brief")
        if (name !== asked && Object.hasOwn(row, name)) {
          rooms[c][0] = row[name]
          holders[c].read(rooms[c], 0, 0, 1, 0, strangers)
        } else {
          checkAbsent(schema, name, asked, data)
          holders[c].skip(1, 0)
        }
        cells[c] = holders[c].cut(0, 1)
      }
      next = whole
    },
    next(): Block | undefined {
      const block = next
      next = undefined
      return block
    },
  }
  const strangers = strangersOf(asking)
  return asking
}

/**
 * A column that no row has is one of missing cells. Refused is what looks like a mistake: a column of the data that the model does not know and whose name is
 * nearly the same, and data in which the model knows no column at all.
 */
function checkAbsent(schema: Schema, column: string, asked: string | undefined, data: Batch): void {
  if (column === asked || schema.labels.includes(column)) return
  const named = new Set<string>()
  for (const slice of slicesOf(data)) {
    if (slice.cells(column)) return
    for (const name of slice.names()) named.add(name)
  }
  const known = new Set(schema.columns.map(({ name }) => name))
  const isMeant = [...named].some(name => !known.has(name) && isMisspelt(name, column))
  if (isMeant || (named.size > 0 && ![...named].some(name => known.has(name)))) {
    throw unknownColumn(column, named, " If it is missing in every row, put null in its cells.")
  }
}

/** Another spelling of the same name: other case, blanks or signs, or a slip in a long one. x1 and x2 are two names. */
function isMisspelt(name: string, column: string): boolean {
  const [one, other] = [name, column].map(each => each.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""))
  if (one === other) return true
  const digits = (each: string): string => each.replace(/[^\p{N}]/gu, "")
  return other.length >= LONG && digits(one) === digits(other) && nearest(other, [one]).length > 0
}

const LONG = 6

function strangersOf(asking: Pick<Asking, "unseen">): Strangers {
  const tell = (row: number, column: string, what: Level | readonly string[]): void =>
    void asking.unseen.set(row, { ...asking.unseen.get(row), [column]: what })
  return {
    level: tell,
    word(row, column, word) {
      const told = asking.unseen.get(row) ?? {}
      const words = (Object.hasOwn(told, column) ? told[column] : []) as readonly string[]
      if (!words.includes(word)) tell(row, column, [...words, word])
    },
  }
}
