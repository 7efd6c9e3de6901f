/** Posteriors of all rows, in one array. */
import type { Level } from "../contract/cells.ts"
import { askingOf } from "../data/ask.ts"
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
}

export function posteriors({ known }: SolvedModel, data: Data, question: Question): Posteriors {
  const { column, levels } = question
  const asking = askingOf(known.schema, data, column, columnMemory())
  let block = asking.next()
  const size = asking.rows * levels.length
  const probabilities = new Float64Array(size)
  const logs = new Float64Array(size)
  for (let at = 0; block; block = asking.next()) {
    question.answer(block, probabilities, logs, at)
    at += block.rows * levels.length
  }
  return { levels, probabilities, logs }
}
