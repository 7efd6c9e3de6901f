/** How much of each document each topic makes up: θ of new rows as of old ones, since nothing is kept per document. */
import type { Level } from "../contract/cells.ts"
import { encodedForQuestion } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { refuseUnknown } from "../errors.ts"
import type { SolvedModel } from "./knowledge.ts"
import { proportionsIn, topicSpace } from "./topic-space.ts"

/** How much of each document each topic makes up. */
export interface Proportions {
  /** How many topics: those of `topics()`, in its order. */
  readonly topics: number
  /** rows × topics; each row sums to 1. A document without a known word has the proportions of the prior. */
  readonly values: Float64Array
  /** For each row, its levels and words that training never saw. */
  readonly unseen: readonly Readonly<Record<string, Level | readonly string[]>>[]
}

export function proportionsOf(
  solved: SolvedModel,
  data: Data,
  options: { readonly column?: string },
): Proportions {
  refuseUnknown("proportions", options, ["column"])
  const space = topicSpace("proportions", solved, options.column)
  const count = space.topics.length
  const { blocks, unseen } = encodedForQuestion(solved.known.schema, data)
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0)
  const values = new Float64Array(rows * count)
  let at = 0
  for (const block of blocks) {
    proportionsIn(space, solved, block, values, at * count)
    at += block.rows
  }
  return { topics: count, values, unseen: Array.from({ length: rows }, (_, i) => unseen.get(i) ?? {}) }
}
