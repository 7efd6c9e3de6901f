/**
 * ln p(what was seen of the row | θ): missing cells and hidden switches summed out. Where the score of a leaf is not a log-density (topics), a lower
 * bound of it takes its place (Leaf.bound).
 */
import type { Bags, Block } from "../contract/block.ts"
import type { Node } from "../contract/node.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { type Laid, planOf } from "../engine/lay.ts"
import { SufficeError, show } from "../errors.ts"
import { columnMemory } from "../kernels/twins.ts"
import type { Knowledge, SolvedModel } from "./knowledge.ts"

export function logDensities({ known, params }: SolvedModel, data: Data): Float64Array {
  const root = densityTree(known)
  const blocks = questionBlocks(known.schema, data, undefined, columnMemory())
  let block = blocks.next()
  const out = new Float64Array(blocks.rows)
  for (let at = 0; block; block = blocks.next()) {
    checkAsked(known.laid, block)
    root.up(block, params, out.subarray(at, at + block.rows))
    at += block.rows
  }
  return out
}

/** Throws if a leaf whose score is no log-density has a cell here: documents that are all empty add 0, which is one. */
export function checkAsked({ parts }: Laid, block: Block): void {
  for (const { leaf, places, steps } of parts) {
    if (!leaf.refusals?.density) continue
    const offsets = steps.length === 0 ? (block.cells[places[0]] as Bags).offsets : undefined
    if (!offsets || offsets[block.rows] > offsets[0]) leaf.refusals?.density()
  }
}

/** Throws if there is no log-density for some leaf. */
export function checkDensity({ parts }: Laid): void {
  for (const part of parts) part.leaf.refusals?.density?.()
}

/** Throws if the likelihood of the training rows is not known, but at most a bound. */
export function checkLikelihood(laid: Laid): void {
  checkDensity(laid)
  const part = laid.parts.find(({ leaf }) => leaf.bound)
  if (!part) return
  throw new SufficeError(
    "model",
    `criteria: the topics of ${show(part.columns[0].name)} have no likelihood, only a bound. AIC, BIC and ICL compare likelihoods. Compare models by completion(fitted, rows) of documents they have not seen.`,
    { column: part.columns[0].name },
  )
}

const trees = /* @__PURE__ */ new WeakMap<Laid, Node>()

/** The model's tree, in which leaves score by their bound if they have one. */
function densityTree({ laid, model, schema }: Knowledge): Node {
  if (laid.parts.every(({ leaf }) => !leaf.bound)) return laid.root
  const tree = trees.get(laid) ?? layBounds(model, schema)
  trees.set(laid, tree)
  return tree
}

function layBounds(model: Knowledge["model"], { columns }: Knowledge["schema"]): Node {
  let statistics = 0
  let parameters = 0
  const plan = planOf(columns, {
    reserve(stats, params) {
      // nothing is solved here, so spreads are never read
      const at = { statsAt: statistics, paramsAt: parameters, spreadAt: 0 }
      statistics += stats
      parameters += params
      return at
    },
    standIn(leaf) {
      const { bound } = leaf
      return bound ? { ...leaf, score: bound } : leaf
    },
  })
  return model.lay(plan, 1)
}
