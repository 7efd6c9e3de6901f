/** The door for questions: rows in memory, each once, become blocks. */
import type { Block, Cell, Level, Strangers } from "../contract.ts"
import { SufficeError } from "../errors.ts"
import { ChunkBuilder } from "./chunk.ts"
import type { Schema } from "./discover.ts"
import { type Batch, type Data, isSource, slicesOf, unknownColumn } from "./read.ts"

/** Levels of a row that training never saw, by column. */
export type Unseen = Map<number, Record<string, Level | readonly string[]>>

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
      "a question takes rows in memory, not a source: answers come all at once. Loop over it.",
    )
  }
  const unseen: Unseen = new Map()
  const strangers = strangersOf(unseen)
  let builder: ChunkBuilder | undefined
  for (const slice of slicesOf(data)) {
    const single = reuse && slice.of === 1 ? singleOf(schema) : undefined
    if (single) builder = single.builder
    else if (!builder || !reuse) builder = new ChunkBuilder(schema, slice.rows, reuse)
    const columns = single?.columns ?? new Array<ArrayLike<Cell> | undefined>(schema.columns.length)
    for (let c = 0; c < columns.length; c++) {
      const { name } = schema.columns[c]
      const isAsked = ignore.has(name)
      columns[c] = isAsked ? undefined : slice.cells(name, single?.rooms[c])
      if (!columns[c] && !isAsked && slice.first === 0 && !schema.labels.includes(name))
        checkThere(name, data)
    }
    builder.push(columns, slice.first, 0, slice.rows, strangers)
    for (const block of builder.take(slice.first)) visit(block, slice.of)
  }
  return unseen
}

/** Some row has the column, though the first ones may not. */
function checkThere(column: string, data: Batch): void {
  const named = new Set<string>()
  for (const slice of slicesOf(data)) {
    if (slice.cells(column)) return
    for (const name of slice.names) named.add(name)
  }
  throw unknownColumn(column, named, " If it is missing in every row, put null in its cells.")
}

/** What questions of one row use again and again. */
interface Single {
  readonly builder: ChunkBuilder
  readonly columns: (ArrayLike<Cell> | undefined)[]
  /** A cell of each column. */
  readonly rooms: readonly Cell[][]
}

const singles = /* @__PURE__ */ new WeakMap<Schema, Single>()

function singleOf(schema: Schema): Single {
  let single = singles.get(schema)
  if (!single) {
    single = {
      builder: new ChunkBuilder(schema, 1, true),
      columns: schema.columns.map(() => undefined),
      rooms: schema.columns.map(() => [undefined]),
    }
    singles.set(schema, single)
  }
  return single
}

function strangersOf(unseen: Unseen): Strangers {
  return {
    level: (row, column, level) => void unseen.set(row, { ...unseen.get(row), [column]: level }),
    word(row, column, word) {
      const words = (unseen.get(row)?.[column] ?? []) as readonly string[]
      if (!words.includes(word)) unseen.set(row, { ...unseen.get(row), [column]: [...words, word] })
    },
  }
}
