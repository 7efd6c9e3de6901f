/** Posteriors of all rows or steps, in one array. */
import type { Level } from "../contract/cells.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { columnMemory } from "../kernels/twins.ts"
import type { SolvedModel } from "./knowledge.ts"
import type { Question } from "./question.ts"
import { countIn, endsOf, unreadIn } from "./target.ts"

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

export function posteriors(
  { known }: SolvedModel,
  data: Data,
  { target, levels, answer }: Question,
): Posteriors {
  const blocks = questionBlocks(known.schema, data, unreadIn(target), columnMemory())
  let block = blocks.next()
  let probabilities = new Float64Array(blocks.rows * levels.length)
  let logs = new Float64Array(blocks.rows * levels.length)
  const ends = endsOf(target)
  let rows = 0
  for (; block; block = blocks.next()) {
    const at = rows * levels.length
    rows += countIn(block, target, ends)
    if (rows * levels.length > logs.length) {
      probabilities = longer(probabilities, rows * levels.length)
      logs = longer(logs, rows * levels.length)
    }
    answer(block, at, probabilities, logs)
  }
  if (!ends) return { levels, probabilities, logs }
  const size = rows * levels.length
  return {
    levels,
    probabilities: probabilities.slice(0, size),
    logs: logs.slice(0, size),
    offsets: Int32Array.from(ends),
  }
}

/** With room for as many, or for twice what there is. */
function longer(values: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(Math.max(length, 2 * values.length))
  out.set(values)
  return out
}
