/**
 * Rows in mini-batches, in an order the dice choose. In memory: one permutation of all rows. From a source: a shuffle buffer, out of
 * which each row is drawn at random while the next one takes its place.
 */
import type { Block, Chunk, Column, Dice } from "../contract.ts"
import { gather } from "./sample.ts"

/** Rows a stream is shuffled over. */
const BUFFER = 65_536

interface Rows {
  chunks(): Iterable<Chunk> | AsyncIterable<Chunk>
}

export async function* shuffled(
  columns: readonly Column[],
  table: Rows,
  size: number,
  dice: Dice | undefined,
): AsyncGenerator<Block> {
  if (!dice) {
    yield* inOrder(columns, table, size)
    return
  }
  const buffer: { block: Block; row: number }[] = []
  let batch: { block: Block; row: number }[] = []
  const draw = (): { block: Block; row: number } => {
    const at = dice.integer(buffer.length)
    const row = buffer[at]
    const last = buffer.pop()!
    if (at < buffer.length) buffer[at] = last
    return row
  }
  for await (const chunk of table.chunks()) {
    for (const block of chunk) {
      for (let row = 0; row < block.rows; row++) buffer.push({ block, row })
    }
    while (buffer.length > BUFFER) {
      batch.push(draw())
      if (batch.length === size) {
        yield gather(columns, batch)
        batch = []
      }
    }
  }
  while (buffer.length > 0) {
    batch.push(draw())
    if (batch.length === size || buffer.length === 0) {
      yield gather(columns, batch)
      batch = []
    }
  }
}

async function* inOrder(columns: readonly Column[], table: Rows, size: number): AsyncGenerator<Block> {
  let batch: { block: Block; row: number }[] = []
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
