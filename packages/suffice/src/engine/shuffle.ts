/**
 * Rows in mini-batches, in an order the dice choose: a buffer, out of which each row is drawn at random while the next one takes its
 * place. Where all rows fit in it, that is one permutation of them; the same in memory as from a source.
 */
import type { Block, Chunk, Column, Dice } from "../contract.ts"
import { gather, type RowAt } from "./sample.ts"

interface Rows {
  chunks(): Iterable<Chunk> | AsyncIterable<Chunk>
}

/** Cells that the buffer may hold, a document counting as so many; but so many rows at least and at most. */
const CELLS = 1 << 25
const DOCUMENT = 256
const FEWEST = 1 << 16
const MOST = 1 << 20

/** How many rows are mixed: data that is sorted and longer than this stays sorted in the large. */
export function bufferOf(columns: readonly Column[]): number {
  const cells = columns.reduce((sum, { kind }) => sum + (kind === "bag" ? DOCUMENT : 1), 0)
  return Math.min(Math.max(Math.floor(CELLS / Math.max(cells, 1)), FEWEST), MOST)
}

/** One row out of many, at random; the last one takes its place. */
export function draw<T>(buffer: T[], dice: Dice): T {
  const at = dice.integer(buffer.length)
  const drawn = buffer[at]
  const last = buffer.pop()!
  if (at < buffer.length) buffer[at] = last
  return drawn
}

export async function* shuffled(
  columns: readonly Column[],
  table: Rows,
  size: number,
  dice: Dice | undefined,
  most = bufferOf(columns),
): AsyncGenerator<Block> {
  if (!dice) {
    yield* inOrder(columns, table, size)
    return
  }
  const buffer: RowAt[] = []
  let batch: RowAt[] = []
  for await (const chunk of table.chunks()) {
    for (const block of chunk) {
      for (let row = 0; row < block.rows; row++) buffer.push({ block, row })
    }
    while (buffer.length > most) {
      batch.push(draw(buffer, dice))
      if (batch.length === size) {
        yield gather(columns, batch)
        batch = []
      }
    }
  }
  while (buffer.length > 0) {
    batch.push(draw(buffer, dice))
    if (batch.length === size || buffer.length === 0) {
      yield gather(columns, batch)
      batch = []
    }
  }
}

async function* inOrder(columns: readonly Column[], table: Rows, size: number): AsyncGenerator<Block> {
  let batch: RowAt[] = []
  for await (const chunk of table.chunks()) {
    for (const block of chunk) {
      for (let row = 0; row < block.rows; row++) {
        batch.push({ block, row })
        if (batch.length < size) continue
        yield gather(columns, batch)
        batch = []
      }
    }
  }
  if (batch.length > 0) yield gather(columns, batch)
}
