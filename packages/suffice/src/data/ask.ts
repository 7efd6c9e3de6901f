/** The door for questions: rows in memory, each once, become blocks. */
import type { Block, Cell, Level, Row, Strangers } from "../contract.ts"
import { SufficeError } from "../errors.ts"
import { ChunkBuilder } from "./chunk.ts"
import type { Schema } from "./discover.ts"
import { type Batch, checkRow, type Data, isSource, slicesOf, unknownColumn } from "./read.ts"

/** Levels of a row that training never saw, by column. */
export type Unseen = Map<number, Record<string, Level | readonly string[]>>

/** Encode data in memory for a question, as below, with all blocks to keep. */
export function encodedForAsking(
  schema: Schema,
  data: Data,
  asked?: string,
): { blocks: Block[]; unseen: Unseen } {
  const blocks: Block[] = []
  const unseen = encodeForAsking(schema, data, asked, block => blocks.push(block), false)
  return { blocks, unseen }
}

/**
 * Encode data in memory for a question: every row once, weight 1; `asked`: the column that is asked for, so never read. Each block is shown
 * to `visit`, with the number of rows there are in all. `reuse`: it is good until the next one.
 */
export function encodeForAsking(
  schema: Schema,
  data: Data,
  asked: string | undefined,
  visit: (block: Block, rows: number) => void,
  reuse = true,
): Unseen {
  if (isSource(data)) {
    throw new SufficeError(
      "data",
      "a question takes rows in memory, not a source: answers come all at once. Loop over it.",
    )
  }
  if (reuse && Array.isArray(data) && data.length === 1) return encodeOne(schema, data, asked, visit)
  const heard: Heard = { unseen: new Map() }
  const strangers = strangersOf(heard)
  let builder: ChunkBuilder | undefined
  for (const slice of slicesOf(data)) {
    const columns = schema.columns.map(({ name }) => {
      const cells = name === asked ? undefined : slice.cells(name)
      if (!cells && slice.first === 0) checkThere(schema, name, asked, data)
      return cells
    })
    if (!builder || !reuse) builder = new ChunkBuilder(schema, slice.rows, reuse)
    builder.push(columns, slice.first, 0, slice.rows, strangers)
    for (const block of builder.take(slice.first)) visit(block, slice.of)
  }
  return heard.unseen
}

/** The same for a single row, as pages and servers ask again and again: nothing is made anew but what it tells of the unseen. */
function encodeOne(
  schema: Schema,
  data: readonly Row[],
  asked: string | undefined,
  visit: (block: Block, rows: number) => void,
): Unseen {
  const { heard, strangers, builder, columns, rooms } = singleOf(schema)
  const row = data[0]
  checkRow(row, 0)
  for (let c = 0; c < rooms.length; c++) {
    const { name } = schema.columns[c]
    const isThere = name !== asked && Object.hasOwn(row, name)
    if (isThere) rooms[c][0] = row[name]
    else checkThere(schema, name, asked, data)
    columns[c] = isThere ? rooms[c] : undefined
  }
  // of a question that failed, too
  if (heard.unseen.size > 0) heard.unseen = new Map()
  builder.push(columns, 0, 0, 1, strangers)
  visit(builder.takeOne(), 1)
  return heard.unseen
}

/** A column that is read stands in some row, though the first ones may not have it. */
function checkThere(schema: Schema, column: string, asked: string | undefined, data: Batch): void {
  if (column === asked || schema.labels.includes(column)) return
  const named = new Set<string>()
  for (const slice of slicesOf(data)) {
    if (slice.cells(column)) return
    for (const name of slice.names) named.add(name)
  }
  throw unknownColumn(column, named, " If it is missing in every row, put null in its cells.")
}

/** What questions of one row use again and again. */
interface Single {
  readonly heard: Heard
  readonly strangers: Strangers
  readonly builder: ChunkBuilder
  readonly columns: (ArrayLike<Cell> | undefined)[]
  /** A cell of each column. */
  readonly rooms: readonly Cell[][]
}

const singles = /* @__PURE__ */ new WeakMap<Schema, Single>()

function singleOf(schema: Schema): Single {
  let single = singles.get(schema)
  if (!single) {
    const heard: Heard = { unseen: new Map() }
    single = {
      heard,
      strangers: strangersOf(heard),
      builder: new ChunkBuilder(schema, 1, true),
      columns: [],
      rooms: schema.columns.map(() => []),
    }
    singles.set(schema, single)
  }
  return single
}

/** What has been heard of strangers. */
interface Heard {
  unseen: Unseen
}

function strangersOf(heard: Heard): Strangers {
  const tell = (row: number, column: string, what: Level | readonly string[]): void =>
    void heard.unseen.set(row, { ...heard.unseen.get(row), [column]: what })
  return {
    level: tell,
    word(row, column, word) {
      const words = (heard.unseen.get(row)?.[column] ?? []) as readonly string[]
      if (!words.includes(word)) tell(row, column, [...words, word])
    },
  }
}
