/** Posteriors of all rows, in one array. */
import type { Level } from "../contract/cells.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { columnMemory } from "../kernels/twins.ts"
import type { SolvedModel } from "./knowledge.ts"
import type { Question } from "./question.ts"

/** What `posterior` returns. */
export interface Posteriors<L extends Level = Level> {
  readonly levels: readonly L[]
  /** rows × levels */
  readonly probabilities: Float64Array
  /** ln p(l | rest), exact where the probability itself has rounded to 0. */
  readonly logs: Float64Array
  /** If the target stands in the steps of rows: these are steps × levels, and step t of row i is offsets[i] + t. */
  readonly offsets?: Int32Array
}

export function posteriors({ known }: SolvedModel, data: Data, question: Question): Posteriors {
  const { column, levels } = question
  const blocks = questionBlocks(known.schema, data, column, columnMemory())
  let block = blocks.next()
  const size = blocks.rows * levels.length
  const probabilities = new Float64Array(size)
  const logs = new Float64Array(size)
  for (let at = 0; block; block = blocks.next()) {
    question.answer(block, probabilities, logs, at)
    at += block.rows * levels.length
  }
  return { levels, probabilities, logs }
}
