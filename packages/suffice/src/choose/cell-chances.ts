/**
 * The probability that a number of a lattice, such as a rating, is the one that was seen, by a model that takes it for continuous:
 *
 *     P(x − step/2 < X ≤ x + step/2 | rest) = F(x + step/2) − F(x − step/2)
 *
 * Not density · step: narrow components on the points of the lattice would have any density there, but never more mass than all of it.
 */

import type { SolvedModel } from "../answers/knowledge.ts"
import { beliefs, reach } from "../answers/numeric.ts"
import { into } from "../blocks/encoded.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { columnMemory } from "../kernels/twins.ts"

/** Of every row, given all its other cells; `truth`: the numbers that were seen. */
export function cellChances(
  solved: SolvedModel,
  rows: Data,
  name: string,
  truth: ArrayLike<number>,
  step: number,
): Float64Array {
  const { schema } = solved.known
  const column = schema.columns.find(column => column.name === name)!
  const chances = new Float64Array(truth.length)
  let row = 0
  const blocks = questionBlocks(schema, rows, name, columnMemory())
  for (let block = blocks.next(); block; block = blocks.next()) {
    const belief = beliefs(solved, block, name, reach(solved, block, new Set([name])))
    for (let i = 0; i < block.rows; i++, row++) {
      const below = (x: number): number => belief.below(i, into(column, x))
      chances[row] = below(truth[row] + step / 2) - below(truth[row] - step / 2)
    }
  }
  return chances
}
