/** A table split into a held-out share and the rest, by the dice; the same rows at every pass. */

import { gather, type Picks } from "../blocks/gather.ts"
import type { Chunk } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import { isDue, pause } from "../pause.ts"
import type { Table } from "./learnable.ts"

/** The rest is never empty. */
export async function holdOut(
  columns: readonly Column[],
  table: Table,
  share: number,
  dice: Dice,
): Promise<readonly [rest: Table, heldOut: Table]> {
  const isHeldOut = new Uint8Array(table.rows)
  const order = Int32Array.from(isHeldOut.keys())
  dice.shuffle(order)
  for (const row of order.subarray(0, Math.min(Math.round(share * table.rows), table.rows - 1)))
    isHeldOut[row] = 1
  return [await chosen(0), await chosen(1)]

  async function chosen(side: number): Promise<Table> {
    async function* chunks(): AsyncGenerator<Chunk> {
      let row = 0
      for await (const chunk of table.chunks("chunk")) {
        yield chunk.map(block => {
          const picks: Picks = { blocks: [], rows: [] }
          for (let i = 0; i < block.rows; i++) {
            if (isHeldOut[row++] !== side) continue
            picks.blocks.push(block)
            picks.rows.push(i)
          }
          return gather(columns, picks)
        })
        if (isDue()) await pause()
      }
    }
    // rows in memory are gathered once
    const kept: Chunk[] | undefined = table.inMemory && []
    let rows = 0
    let weight = 0
    let unlabelled = 0
    const place = columns.findIndex(({ name }) => name === table.label)
    for await (const chunk of chunks()) {
      kept?.push(chunk)
      for (const block of chunk) {
        rows += block.rows
        for (const w of block.weight) weight += w
        if (place >= 0) for (const code of block.cells[place] as Int32Array) if (code < 0) unlabelled++
      }
    }
    const chunksOf = kept ? () => kept : chunks
    return { ...table, rows, weight, unlabelled, chunks: chunksOf, inMemory: kept, sweep: undefined }
  }
}
