/** The door for questions: rows in memory, each once, become blocks. */
import type { Block, Cell, Level } from "../contract.ts"
import { SufficeError, show } from "../errors.ts"
import { ChunkBuilder } from "./chunk.ts"
import type { Schema } from "./discover.ts"
import { type Data, isSource, type Slice, slicesOf, unknownColumn } from "./read.ts"
import { cellReader, type Stranger } from "./readers.ts"
import { isSoft } from "./soft.ts"

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
