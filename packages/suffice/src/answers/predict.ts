/** `predict`: the most probable level of a column, or the mean of a number with its spread. */
import { outOf } from "../blocks/encoded.ts"
import type { Block } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import { questionBlocks, type Unseen } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { columnMemory } from "../kernels/twins.ts"
import { grow } from "../kernels/workspace.ts"
import type { SolvedModel } from "./knowledge.ts"
import { beliefs, type Reached, reach } from "./numeric.ts"
import { checkUnweighted, OPTIONS, type PosteriorOptions, type Question, questionOf } from "./question.ts"
import { addLevels, checkPast } from "./step-question.ts"
import {
  byRow,
  countIn,
  endsOf,
  type NumberTarget,
  type StepTarget,
  stepTarget,
  type Target,
  targetOf,
  unitsIn,
  unreadIn,
  withoutTarget,
} from "./target.ts"
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

type Prediction = LevelPrediction | NumberPrediction

export function predictions(
  solved: SolvedModel,
  data: Data,
  options: PredictOptions,
): Prediction[] | Prediction[][] {
  refuseUnknown("predict", options, KNOWN)
  const { known, questions } = solved
  if (options.past !== undefined && !stepTarget(known, options.target))
    throw noPast(options.target ?? known.model.target)
  const target = questions.get(options.target)?.target ?? targetOf(known, options.target)
  const question = target.levels ? questionOf(solved, options, "predict") : undefined
  if (!question) checkNumber(target, options)
  else if (target.frame === "step" && options.coverage !== undefined) checkCoverage(options.coverage)
  const answers: Prediction[] = []
  const ends = endsOf(target)
  const blocks = questionBlocks(known.schema, data, unreadIn(target), columnMemory())
  for (let block = blocks.next(); block; block = blocks.next()) {
    const count = countIn(block, target, ends)
    if (question) predictLevels(answers, question, block, count)
    else predictNumbers(answers, solved, target as NumberTarget | StepTarget, block, count, options)
  }
  const { unseen } = blocks
  // even a loop over an empty map allocates an iterator
  if (target.frame === "step") return withUnseenSteps(byRow(answers, ends!), target, unseen)
  if (unseen.size > 0) for (const [i, strange] of unseen) answers[i] = { ...answers[i], unseen: strange }
  return answers
}

const chances = /* @__PURE__ */ grow()

function predictLevels(answers: Prediction[], question: Question, block: Block, count: number): void {
  const size = question.levels.length
  const probabilities = chances(count * size)
  question.answer(block, 0, probabilities)
  for (let n = 0; n < count; n++) answers.push(levelPrediction(question, probabilities, n * size))
}

/** The most probable level of the probabilities from `at` on. */
function levelPrediction(
  { levels, named }: Question,
  probabilities: Float64Array,
  at: number,
): LevelPrediction {
  // copying an object that already has the keys allocates nothing else
  const byLevel = { ...named } as Record<string, number>
  let best = 0
  for (let l = 0; l < levels.length; l++) {
    if (probabilities[at + l] > probabilities[at + best]) best = l
    byLevel[levels[l] as string] = probabilities[at + l]
  }
  return { value: levels[best], probability: probabilities[at + best], probabilities: byLevel }
}

/** The most probable level of each step, from probabilities at l·steps + t. */
export function stepPredictions(
  levels: readonly Level[],
  chances: Float64Array,
): (t: number) => LevelPrediction {
  const steps = chances.length / levels.length
  return t => {
    let best = 0
    const probabilities: Record<string, number> = {}
    for (let l = 0; l < levels.length; l++) {
      probabilities[String(levels[l])] = chances[l * steps + t]
      if (chances[l * steps + t] > chances[best * steps + t]) best = l
    }
    return { value: levels[best], probability: chances[best * steps + t], probabilities }
  }
}

/** Mean, standard deviation and the central interval of a number, given the rest of the row. */
function predictNumbers(
  answers: Prediction[],
  solved: SolvedModel,
  target: NumberTarget | StepTarget,
  block: Block,
  count: number,
  { coverage = 0.95, past }: PredictOptions,
): void {
  if (past && target.frame === "step") checkPast(target)
  const hidden = withoutTarget(block, target)
  const leaves = reach(solved, hidden, new Set([target.column]))
  const answer = numbersFrom(solved, unitsIn(hidden, target), target.inner!, leaves, coverage)
  for (let n = 0; n < count; n++) answers.push(answer(n))
}

/** A number in every row or step of a block, from the leaves over it. */
export function numbersFrom(
  solved: SolvedModel,
  block: Block,
  column: Column,
  leaves: readonly Reached[],
  coverage: number,
): (n: number) => NumberPrediction {
  const belief = beliefs(solved, block, column.name, leaves)
  const tail = (1 - coverage) / 2
  const whole = column.kind === "count"
  const scale = column.kind === "number" ? column.scale : 1
  return i => ({
    value: outOf(column, belief.mean(i)),
    sd: scale * belief.sd(i),
    interval: [
      outOf(column, belief.quantile(i, tail, whole)),
      outOf(column, belief.quantile(i, 1 - tail, whole)),
    ],
  })
}

/** The cells of one column of steps, from the leaves over it. */
export function predictionsFrom(
  solved: SolvedModel,
  steps: Block,
  column: Column,
  leaves: readonly Reached[],
  coverage: number,
): (t: number) => Prediction {
  if (column.kind !== "level") return numbersFrom(solved, steps, column, leaves, coverage)
  const { levels } = column
  const probabilities = new Float64Array(levels.length * steps.rows)
  addLevels(solved, column, leaves, probabilities)
  return stepPredictions(levels, probabilities)
}

/** Each step with its own levels and words that training never saw. */
function withUnseenSteps(answers: Prediction[][], { steps }: StepTarget, unseen: Unseen): Prediction[][] {
  for (const [i, strange] of unseen) {
    answers[i] = answers[i].map((answer, t) => {
      const prefix = `${steps}[${t}].`
      const own = Object.entries(strange).filter(([name]) => name.startsWith(prefix))
      const named = own.map(([name, what]) => [name.slice(prefix.length), what])
      return own.length > 0 ? { ...answer, unseen: Object.fromEntries(named) } : answer
    })
  }
  return answers
}

function checkNumber(target: Target, { prior, classWeights, coverage }: PredictOptions): void {
  if (target.frame === "step") checkUnweighted("predict", target.column, { prior, classWeights })
  else if (prior !== undefined || classWeights !== undefined) {
    throw new SufficeError(
      "option",
      `predict: prior and classWeights weigh levels, but ${show(target.column)} is a number. Leave them out, or name a target with levels.`,
      { column: target.column },
    )
  }
  if (coverage !== undefined) checkCoverage(coverage)
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
