/** ln p(what was seen of the row | θ): missing cells and hidden switches summed out. */
import type { Bags, Block } from "../contract/block.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import type { Laid } from "../engine/lay.ts"
import { columnMemory } from "../kernels/twins.ts"
import type { SolvedModel } from "./knowledge.ts"

export function logDensities({ known, params }: SolvedModel, data: Data): Float64Array {
  const blocks = questionBlocks(known.schema, data, undefined, columnMemory())
  let block = blocks.next()
  const out = new Float64Array(blocks.rows)
  for (let at = 0; block; block = blocks.next()) {
    checkAsked(known.laid, block)
    known.laid.root.up(block, params, out.subarray(at, at + block.rows))
    at += block.rows
  }
  return out
}

/** Throws if a leaf whose score is no log-density has a cell here: documents that are all empty add 0, which is one. */
function checkAsked({ parts }: Laid, block: Block): void {
  for (const { leaf, places, steps } of parts) {
    if (!leaf.checkDensity) continue
    const offsets = steps.length === 0 ? (block.cells[places[0]] as Bags).offsets : undefined
    if (!offsets || offsets[block.rows] > offsets[0]) leaf.checkDensity()
  }
}

/** Throws if the score of some leaf is not a log-density. */
export function checkDensity({ parts }: Laid): void {
  for (const part of parts) part.leaf.checkDensity?.()
}
