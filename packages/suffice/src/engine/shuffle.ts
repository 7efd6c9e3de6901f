/**
 * Rows in shuffled mini-batches, through a buffer: rows are drawn from it at random, and the next ones of the data take their places. If all
 * rows fit, that is a uniform permutation; the same for data in memory and from a source.
 */

import { Gatherer, type Picks } from "../blocks/gather.ts"
import type { Block, Chunk } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import { isDue, pause } from "../pause.ts"

/** Cells in the buffer, a document or the steps of a row counting as DOCUMENT; at least FEWEST and at most MOST rows. */
const CELLS = 1 << 25
const DOCUMENT = 256
const FEWEST = 1 << 16
const MOST = 1 << 20

/** How many rows are mixed. Sorted data that is longer stays sorted on a larger scale. */
export function bufferOf(columns: readonly Column[]): number {
  const cells = columns.reduce(
    (sum, { kind }) => sum + (kind === "bag" || kind === "steps" ? DOCUMENT : 1),
    0,
  )
  return Math.min(Math.max(Math.floor(CELLS / Math.max(cells, 1)), FEWEST), MOST)
}

interface Rows {
  chunks(): Iterable<Chunk> | AsyncIterable<Chunk>
  /** The same chunks, if every pass is over the same ones. */
  readonly inMemory?: readonly Chunk[] | undefined
}

/** Without dice the blocks of the data, as they are. The next batch overwrites the last one. */
export async function* shuffled(
  columns: readonly Column[],
  table: Rows,
  size: number,
  dice: Dice | undefined,
  most = bufferOf(columns),
): AsyncGenerator<Block> {
  if (!dice) {
    for await (const chunk of table.chunks()) for (const block of chunk) if (block.rows > 0) yield block
    return
  }
  const buffer = new ShuffleBuffer()
  const batch = new Gatherer(columns, table.inMemory !== undefined)
  for await (const chunk of table.chunks()) {
    for (const block of chunk) buffer.add(block)
    if (isDue()) await pause()
    while (buffer.length >= most + size) yield batch.gather(buffer.take(size, dice))
  }
  while (buffer.length > 0) yield batch.gather(buffer.take(size, dice))
}

export class ShuffleBuffer {
  readonly #blocks: Block[] = []
  readonly #rows: number[] = []

  get length(): number {
    return this.#rows.length
  }

  add(block: Block): void {
    for (let row = 0; row < block.rows; row++) {
      this.#blocks.push(block)
      this.#rows.push(row)
    }
  }

  /** The rows in it, in their order, which the dice draw from. */
  all(): Picks {
    return { blocks: this.#blocks.slice(), rows: this.#rows.slice() }
  }

  /** Removes `size` rows: drawn by the dice, or the first ones. */
  take(size: number, dice: Dice | undefined): Picks {
    if (!dice) return { blocks: this.#blocks.splice(0, size), rows: this.#rows.splice(0, size) }
    const count = Math.min(size, this.length)
    const picks: Picks = { blocks: new Array<Block>(count), rows: new Array<number>(count) }
    for (let j = 0; j < count; j++) {
      const at = dice.integer(this.length)
      picks.blocks[j] = this.#blocks[at]
      picks.rows[j] = this.#rows[at]
      // the last one takes its place
      const block = this.#blocks.pop()!
      const row = this.#rows.pop()!
      if (at < this.length) {
        this.#blocks[at] = block
        this.#rows[at] = row
      }
    }
    return picks
  }
}
