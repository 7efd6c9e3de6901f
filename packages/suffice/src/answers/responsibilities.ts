/** p(component | row) of a hidden switch: its posterior. The switch is named, or the only one. */
import type { Data } from "../data/read.ts"
import { list, manyInRow, refuseUnknown, SufficeError, show } from "../errors.ts"
import type { SolvedModel } from "./knowledge.ts"
import { posteriors } from "./posterior.ts"
import { prepare } from "./question.ts"
import { stepQuestion } from "./step-question.ts"
import { hiddenLevels, hiddenNames, stepTarget } from "./target.ts"

/** Rows × components, or, of the states of a chain, steps × states: step t of row i is then offsets[i] + t. */
export interface Responsibilities extends Float64Array {
  readonly offsets?: Int32Array
}

export function responsibilitiesOf(
  solved: SolvedModel,
  data: Data,
  options: { readonly of?: string },
): Responsibilities {
  refuseUnknown("responsibilities", options, ["of"])
  const { of } = options
  const hidden = solved.known.laid.switches.filter(
    node => node.hidden && (node.column === of || node.walk || node.part.steps.length === 0),
  )
  const nodes = hiddenNames(solved.known.laid)
  const names = [...new Set([...hidden.map(node => node.column), ...nodes])]
  const asked = of ?? (names.length === 1 ? names[0] : undefined)
  const values = nodes.includes(asked ?? "") && hiddenLevels(solved.known.laid, asked!)
  const node = of === undefined && names.length === 1 ? hidden[0] : hidden.find(node => node.column === of)
  const inSteps = !values && node?.walk && stepTarget(solved.known, node.column)
  if (!inSteps && !values && node && node.part.steps.length > 0)
    throw manyInRow(node.column, node.part.steps[0])
  const levels = values || node?.levels
  if (levels) {
    const question = inSteps
      ? stepQuestion(solved, inSteps, "responsibilities")
      : prepare(solved, { frame: "row", column: asked!, levels })
    const { probabilities, offsets } = posteriors(solved, data, question)
    return offsets ? Object.assign(probabilities, { offsets }) : probabilities
  }
  if (names.length === 0) {
    throw new SufficeError(
      "target",
      "the model has no hidden switch. Responsibilities are the posterior of a mixture's component. Use posterior() for a label.",
    )
  }
  throw new SufficeError(
    "target",
    of === undefined
      ? `the model has ${names.length} hidden switches: ${list(names)}. Which one is meant cannot be guessed. Name it: responsibilities(rows, { of: … }).`
      : `the model has no hidden switch ${show(of)}. It has ${list(names)}. Name one of them.`,
    { of, choices: names },
  )
}
