/**
 * A chunk that is kept for many sweeps: all of it in one buffer, block by block, column by column, so that the kernels copy the numbers of a
 * block at once, and threads hand over one buffer. Weights of 1 stand there once for all blocks. It holds no bags.
 */
import type { Block, Chunk } from "../contract.ts"
import { allOnes } from "../kernels/all-ones.ts"
import { COLUMN } from "../kernels/hold.ts"

type Cells = Float64Array | Int32Array

/** A copy in one piece. */
export function inOnePiece(chunk: Chunk, piece: Block["piece"]): Chunk {
  const isPlain = chunk.every(({ rows, weight }) => allOnes(weight, rows))
  const width = (chunk[0].cells as Cells[]).reduce((sum, held) => sum + held.BYTES_PER_ELEMENT, 0)
  const buffer = new ArrayBuffer(COLUMN * (chunk.length * width + 8 * (isPlain ? 1 : chunk.length)))
  let at = 0
  const move = <T>(held: T): T => {
    const from = held as Cells
    const Kind = from.constructor as Float64ArrayConstructor
    const to = new Kind(buffer, at, from.length)
    to.set(from)
    at += COLUMN * from.BYTES_PER_ELEMENT
    return to as T
  }
  const ones = isPlain ? move(chunk[0].weight) : undefined
  return chunk.map(({ rows, weight, cells }) => ({
    rows,
    weight: ones?.subarray(0, rows) ?? move(weight),
    cells: cells.map(move),
    piece,
  }))
}
