/** The answer to "what is this column?": the most probable level, or the mean of a number with its spread. */
import type { Column } from "../contract.ts"
import { encodeForAsking } from "../data/ask.ts"
import { outOf } from "../data/decode.ts"
import type { Data } from "../data/read.ts"
import { SufficeError, show, unknownOption } from "../errors.ts"
import type { Asked } from "./knowledge.ts"
import { beliefs, reach } from "./numeric.ts"
import { OPTIONS, type PosteriorOptions, posteriors, targetOf } from "./posterior.ts"
import type { LevelPrediction, NumberPrediction } from "./types.ts"

export interface PredictOptions<Name extends string = string> extends PosteriorOptions {
  readonly target?: Name
  /** The probability that the interval of a number holds. */
  readonly coverage?: number
}

const KNOWN = [...OPTIONS, "coverage"]

export function predictions(
  asked: Asked,
  data: Data,
  options: PredictOptions,
): LevelPrediction[] | NumberPrediction[] {
  const wrong = unknownOption("predict", options, KNOWN)
  if (wrong) throw wrong
  const name = options.target ?? asked.known.model.target
  const column = asked.known.schema.columns.find(column => column.name === name)
  const isModelled = asked.known.laid.root.columns.has(name!)
  if (isModelled && (column?.kind === "number" || column?.kind === "count")) {
    return numbers(asked, data, column, options)
  }
  const { levels, probabilities, unseen } = posteriors(asked, data, targetOf(asked.known, name), options)
  const answers: LevelPrediction[] = []
  for (let at = 0; at < probabilities.length; at += levels.length) {
    let best = 0
    for (let l = 1; l < levels.length; l++) if (probabilities[at + l] > probabilities[at + best]) best = l
    const answer = {
      value: levels[best],
      probability: probabilities[at + best],
      probabilities: Object.fromEntries(levels.map((level, l) => [String(level), probabilities[at + l]])),
    }
    const strange = unseen.get(answers.length)
    answers.push(strange ? { ...answer, unseen: strange } : answer)
  }
  return answers
}

/** Mean, standard deviation and the central interval of a number, given the rest of the row. */
function numbers(
  asked: Asked,
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
  if (typeof coverage !== "number" || !(coverage > 0 && coverage < 1)) {
    throw new SufficeError(
      "option",
      `predict: coverage is ${show(coverage)}. It is the probability the interval holds, so it lies between 0 and 1. Leave it out for 0.95.`,
      { option: "coverage", value: coverage },
    )
  }
  const { known, params } = asked
  const tail = (1 - coverage) / 2
  const whole = column.kind === "count"
  const scale = column.kind === "number" ? column.scale : 1
  const answers: NumberPrediction[] = []
  const asking = new Set([column.name])
  const unseen = encodeForAsking(known.schema, data, column.name, block => {
    known.laid.root.up(block, params, new Float64Array(block.rows))
    const belief = beliefs(asked, block, column.name, reach(asked, block, asking))
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
  })
  return answers.map((answer, i) => (unseen.has(i) ? { ...answer, unseen: unseen.get(i) } : answer))
}
