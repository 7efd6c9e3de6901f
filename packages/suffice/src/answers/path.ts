/**
 * `path`: the most probable states of a row's steps, all together (Viterbi 1967); `predict` asks for each of them by itself. Tags that are seen are kept. Below a switch, the
 * row's most probable context is taken.
 */
import type { Block } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { list, refuseUnknown, SufficeError, show } from "../errors.ts"
import { columnMemory } from "../kernels/twins.ts"
import { areSpanTags, type Span, spansOf } from "../measure/spans.ts"
import { hasStepNetwork } from "./forecast-steps.ts"
import type { SolvedModel } from "./knowledge.ts"
import { contextWeights } from "./step-contexts.ts"
import { type StepTarget, stepsOf, stepTarget } from "./target.ts"

/** The most probable values of a row's steps together. */
export interface Path<L extends Level = Level> {
  /** The state of each step. */
  readonly values: readonly L[]
  /** ln p(steps, path), in the row's context. */
  readonly logProbability: number
  /** Steps from … to − 1 are in one state. */
  readonly segments: readonly { readonly value: L; readonly from: number; readonly to: number }[]
  /** If the states are tags such as B-PER, I-PER and O. */
  readonly spans?: readonly Span[]
}

export function pathsOf(solved: SolvedModel, data: Data, options: { readonly of?: string }): Path[] {
  refuseUnknown("path", options, ["of"])
  const target = stateOf(solved, options.of)
  const paths: Path[] = []
  const blocks = questionBlocks(solved.known.schema, data, undefined, columnMemory())
  for (let block = blocks.next(); block; block = blocks.next()) paths.push(...pathsIn(solved, block, target))
  return paths
}

/** The paths of one block. */
export function pathsIn(solved: SolvedModel, block: Block, target: StepTarget): Path[] {
  const levels = target.levels!
  const isSpans = areSpanTags(levels)
  const { offsets } = stepsOf(block, target)
  const [node] = target.states
  const { codes, heights } = node.walk!.paths(block, solved.params, contextsOf(solved, block, target))
  return Array.from({ length: block.rows }, (_, i) => {
    const own = codes.subarray(offsets[i], offsets[i + 1])
    if (own.includes(-1)) throw impossible(i + (block.first ?? 0), target.column)
    // in a list of that size: one that grows takes twice the memory of a long path
    const values = new Array<Level>(own.length)
    for (let t = 0; t < own.length; t++) values[t] = levels[own[t]]
    return {
      values,
      logProbability: heights[i],
      segments: segmentsOf(values),
      ...(isSpans && { spans: spansOf(values) }),
    }
  })
}

function segmentsOf(values: readonly Level[]): Path["segments"] {
  const segments: { value: Level; from: number; to: number }[] = []
  values.forEach((value, t) => {
    const last = segments.at(-1)
    if (last?.value === value) last.to = t + 1
    else segments.push({ value, from: t, to: t + 1 })
  })
  return segments
}

/** The context of the chain with the largest weight in each row. */
function contextsOf(solved: SolvedModel, block: Block, target: StepTarget): Int32Array {
  const { slots } = target.states[0].part.leaf.shape
  const shares = contextWeights(solved, block, target)
  return Int32Array.from({ length: block.rows }, (_, i) => {
    let most = 0
    for (let p = 1; p < slots; p++) if (shares[i * slots + p] > shares[i * slots + most]) most = p
    return most
  })
}

function stateOf({ known }: SolvedModel, of: string | undefined): StepTarget {
  const chains = known.laid.switches.filter(({ walk }) => walk)
  const names = [...new Set(chains.map(({ column }) => column))]
  const asked = of ?? (names.length === 1 ? names[0] : undefined)
  const found = asked === undefined ? undefined : stepTarget(known, asked)
  if (found && found.states.length === 1) return found
  throw new SufficeError(
    "target",
    names.length === 0 && hasStepNetwork(known)
      ? "path: the model is a network over steps. Its columns have no path of their own: several go on side by side. Ask for each step by predict(), or model the steps by a chain."
      : names.length === 0
        ? "path: the model has no chain. A path is one through the states of a chain. Use predict() for a column."
        : found && found.states.length > 1
          ? `path: ${show(asked)} is the state of ${found.states.length} chains, one in each body. Which one a row walks through is not decided. Ask for each step by predict().`
          : `path: ${of === undefined ? "it is not said which chain is meant" : `${show(of)} is not the state of a chain`}. The model has ${list(names)}. Name one: path(rows, { of: ${show(names[0])} }).`,
    { of, choices: names },
  )
}

function impossible(row: number, column: string): SufficeError {
  return new SufficeError(
    "data",
    `path: row ${row} has no path through the states of ${show(column)}. Transitions with probability 0, or tags that are seen, rule all of them out. Correct the row.`,
    { row, column },
  )
}
