/**
 * Numbers that are kept for many sweeps: a chunk in one buffer, block by block, column by column, so that the kernels copy a block at once, and
 * threads hand over one buffer. Weights of 1 stand there once for all blocks.
 */
import type { Chunk } from "../contract.ts"
import { allOnes } from "../kernels/all-ones.ts"
import { COLUMN } from "../kernels/hold.ts"

/** A copy of a chunk that has numbers only, and lacks none. */
export function madeWhole(chunk: Chunk): Chunk {
  const isPlain = chunk.every(({ rows, weight }) => allOnes(weight, rows))
  const columns = chunk.length * chunk[0].cells.length + (isPlain ? 1 : chunk.length)
  const whole = new Float64Array(COLUMN * columns)
  let at = -COLUMN
  const move = (numbers: Float64Array): Float64Array => {
    at += COLUMN
    whole.set(numbers, at)
    return whole.subarray(at, at + numbers.length)
  }
  const ones = isPlain && move(chunk[0].weight)
  return chunk.map(({ rows, weight, cells }) => ({
    rows,
    weight: ones ? ones.subarray(0, rows) : move(weight),
    cells: (cells as Float64Array[]).map(move),
    isWhole: true,
  }))
}
