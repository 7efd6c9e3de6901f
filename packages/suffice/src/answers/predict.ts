/** `predict`: the most probable level of a column, or the mean of a number with its spread. */
import { outOf } from "../blocks/encoded.ts"
import type { Column } from "../contract/columns.ts"
import { questionBlocks, type Unseen } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { columnMemory } from "../kernels/twins.ts"
import { grow } from "../kernels/workspace.ts"
import type { SolvedModel } from "./knowledge.ts"
import { beliefs, reach } from "./numeric.ts"
import { OPTIONS, type PosteriorOptions, questionOf } from "./question.ts"
import { stepPredictions } from "./step-answers.ts"
import { stepTarget } from "./step-target.ts"
import type { LevelPrediction, NumberPrediction } from "./types.ts"

/** Options of `predict`. */
export interface PredictOptions<Name extends string = string> extends PosteriorOptions {
  readonly target?: Name
  /** The probability that the interval of a number holds. */
  readonly coverage?: number
  /** Of the state of a chain: each step is predicted from the steps up to it, nothing of later ones is used. */
  readonly past?: boolean
}

const KNOWN = [...OPTIONS, "coverage", "past"]

export function predictions(
  solved: SolvedModel,
  data: Data,
  options: PredictOptions,
): LevelPrediction[] | NumberPrediction[] | (LevelPrediction | NumberPrediction)[][] {
  refuseUnknown("predict", options, KNOWN)
  const inSteps = stepTarget(solved.known, options.target)
  if (inSteps) {
    checkStepOptions("predict", inSteps.column, options)
    if (options.coverage !== undefined) checkCoverage(options.coverage)
    return stepPredictions(solved, data, inSteps, options)
  }
  if (options.past !== undefined) throw noPast(options.target ?? solved.known.model.target)
  const { schema, model, laid } = solved.known
  const name = options.target ?? model.target
  for (const column of schema.columns) {
    if (column.name !== name || !laid.root.tree.columns.has(name)) continue
    if (column.kind === "number" || column.kind === "count") return numbers(solved, data, column, options)
  }
  const question = questionOf(solved, options)
  const { levels, named } = question
  const blocks = questionBlocks(schema, data, question.column, columnMemory())
  const answers: LevelPrediction[] = []
  for (let block = blocks.next(); block; block = blocks.next()) {
    const size = levels.length * block.rows
    const probabilities = chances(size)
    question.answer(block, probabilities, logsOf(size), 0)
    for (let at = 0; at < size; at += levels.length) {
      // copying an object that already has the keys allocates nothing else
      const byLevel = { ...named } as Record<string, number>
      let best = 0
      for (let l = 0; l < levels.length; l++) {
        if (probabilities[at + l] > probabilities[at + best]) best = l
        byLevel[levels[l] as string] = probabilities[at + l]
      }
      answers.push({ value: levels[best], probability: probabilities[at + best], probabilities: byLevel })
    }
  }
  return withUnseen(answers, blocks.unseen)
}

const chances = /* @__PURE__ */ grow()
const logsOf = /* @__PURE__ */ grow()

function withUnseen<Answer>(answers: Answer[], unseen: Unseen): Answer[] {
  // even a loop over an empty map allocates an iterator
  if (unseen.size > 0) for (const [i, strange] of unseen) answers[i] = { ...answers[i], unseen: strange }
  return answers
}

/** Mean, standard deviation and the central interval of a number, given the rest of the row. */
function numbers(
  solved: SolvedModel,
  data: Data,
  column: Extract<Column, { kind: "number" | "count" }>,
  { coverage = 0.95, prior, classWeights }: PredictOptions,
): NumberPrediction[] {
  if (prior !== undefined || classWeights !== undefined) {
    throw new SufficeError(
      "option",
      `predict: prior and classWeights weigh levels, but ${show(column.name)} is a number. Leave them out, or name a target with levels.`,
      { column: column.name },
    )
  }
  checkCoverage(coverage)
  const { known } = solved
  const tail = (1 - coverage) / 2
  const whole = column.kind === "count"
  const scale = column.kind === "number" ? column.scale : 1
  const answers: NumberPrediction[] = []
  const names = new Set([column.name])
  const blocks = questionBlocks(known.schema, data, column.name, columnMemory())
  for (let block = blocks.next(); block; block = blocks.next()) {
    const belief = beliefs(solved, block, column.name, reach(solved, block, names))
    for (let i = 0; i < block.rows; i++) {
      answers.push({
        value: outOf(column, belief.mean(i)),
        sd: scale * belief.sd(i),
        interval: [
          outOf(column, belief.quantile(i, tail, whole)),
          outOf(column, belief.quantile(i, 1 - tail, whole)),
        ],
      })
    }
  }
  return withUnseen(answers, blocks.unseen)
}

export function checkCoverage(coverage: number): void {
  if (typeof coverage === "number" && coverage > 0 && coverage < 1) return
  throw wrongOption(
    "predict",
    "coverage",
    coverage,
    "It is the probability the interval holds, so it lies between 0 and 1. Leave it out for 0.95.",
  )
}

function noPast(column: string | undefined): SufficeError {
  return new SufficeError(
    "option",
    `predict: past is given, but ${show(column)} has one value in each row. It tells earlier steps of a row from later ones. Leave it out, or ask for the state of a chain.`,
    { option: "past", column },
  )
}

/** Weights of levels would have to go into the steps before and after as well. */
export function checkStepOptions(
  where: string,
  column: string,
  { prior, classWeights }: PosteriorOptions,
): void {
  if (prior === undefined && classWeights === undefined) return
  throw new SufficeError(
    "option",
    `${where}: prior and classWeights weigh the levels of one value in each row, but ${show(column)} stands in the steps. Leave them out, or weigh the probabilities yourself.`,
    { column },
  )
}
