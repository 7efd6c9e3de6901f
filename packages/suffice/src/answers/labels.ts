/** The most probable level of each row or step and nothing else: argmax_l ln p(l | rest), for which no exponential is needed. */
import type { Level } from "../contract/cells.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { columnMemory } from "../kernels/twins.ts"
import type { SolvedModel } from "./knowledge.ts"
import type { Question } from "./question.ts"
import { byRow, countIn, endsOf, unreadIn } from "./target.ts"

export function labelsOf(
  { known }: SolvedModel,
  data: Data,
  { target, levels, best }: Question,
): Level[] | Level[][] {
  const blocks = questionBlocks(known.schema, data, unreadIn(target), columnMemory())
  const labels: Level[] = []
  const ends = endsOf(target)
  for (let block = blocks.next(); block; block = blocks.next()) {
    const count = countIn(block, target, ends)
    const codes = best(block)
    for (let n = 0; n < count; n++) labels.push(levels[codes[n]])
  }
  return ends ? byRow(labels, ends) : labels
}
