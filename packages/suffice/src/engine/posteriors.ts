/** Predicted and true values of a column, row by row, for calibration. */
import type { Chunk } from "../contract/block.ts"
import type { Work } from "../contract/leaf.ts"
import type { Rows } from "../contract/learnable.ts"
import { isDue, pause } from "../pause.ts"
import type { Laid } from "./lay.ts"

/** ln p(target = l, rest of the row), rows × levels, of the rows whose target is seen. */
export async function posteriorsOf(
  laid: Laid,
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
  params: Float64Array,
  target: string,
  factors: Float64Array | undefined,
): Promise<Awaited<ReturnType<NonNullable<Rows["posteriors"]>>>> {
  const place = laid.columns.findIndex(({ name }) => name === target)
  const column = laid.columns[place]
  // `open` refuses a column without levels
  const levels = column.kind === "level" ? column.levels.length : 0
  const logs: number[] = []
  const truth: number[] = []
  const weights: number[] = []
  let work: Work
  for await (const chunk of chunks) {
    for (const block of chunk) {
      if (isDue()) await pause()
      const { rows, weight } = block
      const scores = new Float64Array(levels * rows)
      work = laid.root.open(block, params, target, scores, false, work)
      const codes = block.cells[place] as Int32Array
      for (let i = 0; i < rows; i++) {
        if (codes[i] < 0) continue
        for (let l = 0; l < levels; l++) logs.push(scores[l * rows + i])
        truth.push(codes[i])
        weights.push(factors ? weight[i] * factors[codes[i]] : weight[i])
      }
    }
  }
  return {
    logs: Float64Array.from(logs),
    levels,
    truth: Int32Array.from(truth),
    weights: Float64Array.from(weights),
  }
}
