/** The most probable level of each row and nothing else: argmax_l ln p(l | rest), for which no exponential is needed. */
import type { Level } from "../contract/cells.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { columnMemory } from "../kernels/twins.ts"
import type { SolvedModel } from "./knowledge.ts"
import type { Question } from "./question.ts"

export function labelsOf({ known }: SolvedModel, data: Data, question: Question): Level[] {
  const { column, levels } = question
  const blocks = questionBlocks(known.schema, data, column, columnMemory())
  let block = blocks.next()
  const labels = new Array<Level>(blocks.rows)
  for (let at = 0; block; block = blocks.next()) {
    const best = question.best(block)
    for (let i = 0; i < block.rows; i++) labels[at++] = levels[best[i]]
  }
  return labels
}
