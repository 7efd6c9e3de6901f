/**
 * Bayesian model averaging (Hoeting, Madigan, Raftery & Volinsky 1999): models of the same rows answer together.
 *
 *     w_m ∝ p(rows | model m)        p(answer) = Σ_m w_m p(answer | model m)
 */

import type { Knowledge, SolvedModel } from "../answers/knowledge.ts"
import { logDensities } from "../answers/log-density.ts"
import type { Belief } from "../answers/number-mixture.ts"
import { beliefs, reach } from "../answers/numeric.ts"
import { type Posteriors, posteriors } from "../answers/posterior.ts"
import type { Evidence } from "../answers/posterior-of.ts"
import { checkCoverage } from "../answers/predict.ts"
import { solvedOf } from "../answers/predictor.ts"
import { prepare } from "../answers/question.ts"
import { difference } from "../answers/same-rows.ts"
import { rowTarget } from "../answers/target.ts"
import type { LevelPrediction, NumberPrediction, QuestionFor } from "../answers/types.ts"
import { into, outOf } from "../blocks/encoded.ts"
import type { Column } from "../contract/columns.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { logSymmetries } from "../engine/believe.ts"
import { list, refuseUnknown, SufficeError, show } from "../errors.ts"
import { Fitted } from "../fit/fitted.ts"
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { columnMemory } from "../kernels/twins.ts"

export interface AverageOptions {
  /** Compare bounds of the evidence with evidence that is exact, too: where something is hidden, only a bound is known. */
  readonly bounds?: boolean
}

/** Models that answer together, each by its weight. */
export class Average<Cells = unknown, Target extends string = string> {
  readonly models: readonly Fitted<Cells, Target>[]
  /** p(model | rows), if each is as probable as the others before. */
  readonly weights: Float64Array

  constructor(models: readonly Fitted<Cells, Target>[], weights: Float64Array) {
    this.models = models
    this.weights = weights
  }

  /** p(target = level | the rest of the row): rows × levels. */
  posterior<const Given>(
    rows: QuestionFor<Cells, Target, Given>,
    options: { readonly target?: string } = {},
  ): Posteriors {
    refuseUnknown("posterior", options, ["target"])
    const each = this.#solved().map(solved =>
      posteriors(solved, rows as Data, prepare(solved, rowTarget(solved.known, options.target))),
    )
    const [{ levels }] = each
    const size = each[0].probabilities.length
    const probabilities = new Float64Array(size)
    each.forEach((own, m) => {
      // levels may stand in another order
      const places = levels.map(level => own.levels.indexOf(level))
      for (let at = 0; at < size; at += levels.length)
        places.forEach((place, l) => {
          probabilities[at + l] += this.weights[m] * (place < 0 ? 0 : own.probabilities[at + place])
        })
    })
    return { levels, probabilities, logs: probabilities.map(log) }
  }

  /** The most probable level, or the mean of a number with its spread. */
  predict<const Given>(
    rows: QuestionFor<Cells, Target, Given>,
    options: { readonly target?: string; readonly coverage?: number } = {},
  ): (LevelPrediction | NumberPrediction)[] {
    refuseUnknown("predict", options, ["target", "coverage"])
    const { target = this.models[0].model.target, coverage = 0.95 } = options
    checkCoverage(coverage)
    const column = solvedOf(this.models[0]).known.schema.columns.find(({ name }) => name === target)
    if (column?.kind === "number" || column?.kind === "count")
      return this.#numbers(rows as Data, column.name, coverage)
    const { levels, probabilities } = this.posterior(rows, target === undefined ? {} : { target })
    const k = levels.length
    return Array.from({ length: probabilities.length / k }, (_, i): LevelPrediction => {
      const own = probabilities.subarray(i * k, (i + 1) * k)
      const best = own.reduce((most, p, l) => (p > own[most] ? l : most), 0)
      const byLevel = Object.fromEntries(levels.map((level, l) => [String(level), own[l]]))
      return { value: levels[best], probability: own[best], probabilities: byLevel }
    })
  }

  /** ln p(what was seen of the row). */
  logDensity<const Given>(rows: QuestionFor<Cells, Target, Given>): Float64Array {
    const each = this.#solved().map(solved => logDensities(solved, rows as Data))
    return each[0].map((_, i) => {
      const most = Math.max(...each.map(own => own[i]))
      return most + log(each.reduce((sum, own, m) => sum + this.weights[m] * exp(own[i] - most), 0))
    })
  }

  #solved(): SolvedModel[] {
    return this.models.map(solvedOf)
  }

  /** Each row's number in every model, with the column that encodes it there. */
  #numbers(data: Data, name: string, coverage: number): NumberPrediction[] {
    const each = this.#solved().map(solved => {
      const column = solved.known.schema.columns.find(column => column.name === name)!
      const found: { belief: Belief; row: number }[] = []
      const blocks = questionBlocks(solved.known.schema, data, name, columnMemory())
      for (let block = blocks.next(); block; block = blocks.next()) {
        const belief = beliefs(solved, block, name, reach(solved, block, new Set([name])))
        for (let row = 0; row < block.rows; row++) found.push({ belief, row })
      }
      return { column, found }
    })
    return each[0].found.map((_, i) => {
      const own = each.map(({ column, found }, m) => {
        const { belief, row } = found[i]
        const scale = scaleOf(column)
        return {
          weight: this.weights[m],
          mean: outOf(column, belief.mean(row)),
          sd: scale * belief.sd(row),
          below: (x: number) => belief.below(row, into(column, x)),
          quantile: (p: number) => outOf(column, belief.quantile(row, p, column.kind === "count")),
        }
      })
      const value = own.reduce((sum, { weight, mean }) => sum + weight * mean, 0)
      const variance = own.reduce(
        (sum, { weight, mean, sd }) => sum + weight * (sd * sd + (mean - value) * (mean - value)),
        0,
      )
      const quantile = (p: number): number => {
        // that of the mixture lies between those of its parts
        let low = Math.min(...own.map(({ quantile }) => quantile(p)))
        let high = Math.max(...own.map(({ quantile }) => quantile(p)))
        for (let step = 0; step < 100 && high > low; step++) {
          const middle = 0.5 * (low + high)
          if (own.reduce((sum, { weight, below }) => sum + weight * below(middle), 0) < p) low = middle
          else high = middle
        }
        return each[0].column.kind === "count" ? Math.round(high) : 0.5 * (low + high)
      }
      const tail = (1 - coverage) / 2
      return { value, sd: Math.sqrt(variance), interval: [quantile(tail), quantile(1 - tail)] }
    })
  }
}

function scaleOf(column: Column): number {
  return column.kind === "number" ? column.scale : 1
}

/** The models of the same rows together, each by its evidence. */
export function average<Cells, Target extends string>(
  models: readonly Fitted<Cells, Target>[],
  options: AverageOptions = {},
): Average<Cells, Target> {
  refuseUnknown("average", options, ["bounds"])
  if (!Array.isArray(models) || models.length === 0) {
    throw new SufficeError(
      "option",
      `average: the models are ${show(models)}. There must be at least one to answer. Give a list of models that bayes() has learned.`,
    )
  }
  const evidence = comparableEvidence(models, options)
  const known = models.map(model => solvedOf(model).known)
  const logs = evidence.map(({ value }, m) => value + logSymmetries(known[m].laid))
  const most = Math.max(...logs)
  const shares = Float64Array.from(logs, value => exp(value - most))
  const total = shares.reduce((sum, share) => sum + share, 0)
  return new Average(
    models,
    shares.map(share => share / total),
  )
}

/** The evidence of each model; throws if two of them are not of the same rows. */
function comparableEvidence(models: readonly Fitted[], options: AverageOptions): readonly Evidence[] {
  models.forEach((model, m) => {
    if (model instanceof Fitted) return
    throw new SufficeError(
      "option",
      `average: model ${m} is ${show(model)}. Only a fitted model has evidence to be weighed by. Give a list of models that bayes() has learned.`,
    )
  })
  const evidence = models.map(model => model.evidence)
  models.forEach((_, m) => {
    checkSameData(models, m, evidence)
    if (!options.bounds && evidence[m].exact !== evidence[0].exact) throw boundBesideExact(evidence, m)
  })
  return evidence
}

/** Throws if model m was not learned from the rows of model 0. */
function checkSameData(models: readonly Fitted[], m: number, evidence: readonly Evidence[]): void {
  const known = models.map(model => solvedOf(model).known)
  const [columns, others] = [columnsOf(known[0]), columnsOf(known[m])]
  if (others !== columns) {
    throw new SufficeError(
      "model",
      `average: model 0 is of ${columns}, model ${m} of ${others}. Their evidence is of other data, and cannot be compared. Average models of the same columns.`,
    )
  }
  const [a, b] = [models[0].training!, models[m].training!]
  if (a.rows !== b.rows || Math.abs(a.weight - b.weight) > 1e-9 * a.weight) {
    throw new SufficeError(
      "model",
      `average: model 0 was learned from ${a.rows} rows, model ${m} from ${b.rows}. Their evidence is of other data, and cannot be compared. Fit them to the same rows.`,
    )
  }
  const other = difference(known[0], known[m], evidence[0].exact && evidence[m].exact)
  if (other === undefined) return
  throw new SufficeError(
    "model",
    `average: models 0 and ${m} were learned from as many rows, but ${other}. Their evidence is of other data, and cannot be compared. Fit them to the same rows.`,
  )
}

/** The columns of the data that the model covers. */
function columnsOf({ laid, schema }: Knowledge): string {
  const names = new Set(schema.columns.map(({ name }) => name))
  return list([...laid.root.tree.columns].filter(name => names.has(name)).sort(), 20)
}

function boundBesideExact(evidence: readonly Evidence[], m: number): SufficeError {
  const [bound, exact] = evidence[m].exact ? [0, m] : [m, 0]
  return new SufficeError(
    "model",
    `average: the evidence of model ${bound} is a bound, that of model ${exact} is exact. A bound is too low by an unknown amount, so its model would count for too little. Average models in which nothing is hidden, or accept it with { bounds: true }.`,
  )
}
