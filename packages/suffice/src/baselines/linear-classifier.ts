/**
 * A learned linear classifier and the questions it answers. Its methods change nothing.
 *
 *     score_l(row) = bias_l + Σ_f weight_lf · feature_f(row)        the level of the highest score is predicted
 *
 * With two levels one weight vector is learned: the scores are −s and s. Levels that no training row held have score −∞.
 * A logistic regression has probabilities: e^score / Σ e^score ("softmax"), or σ(score) / Σ σ(score) ("sigmoid": two levels, or one
 * against the rest). An SVM has none.
 */

import type { DataFor, LevelOf, LevelPrediction, QuestionAbout } from "../answers/types.ts"
import type { Level } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import type { Description, Diagnostic } from "../contract/report.ts"
import type { Schema } from "../data/discover.ts"
import { encodedForQuestion, type Unseen } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { refuseUnknown, SufficeError, show } from "../errors.ts"
import { counted, firstOf, INSPECT, type Line, many, named, rounded, summaryText } from "../summary.ts"
import type { ChosenC } from "./choose-c.ts"
import { rowScores } from "./design-matrix.ts"
import { designOf, type Feature, type Features, namesOf } from "./features.ts"
import type { BaselineFitOptions } from "./learn-line.ts"
import { type Link, posteriorOf } from "./link.ts"

/** What a classifier answers: probabilities of levels, or only scores. */
export type Answers = "probabilities" | "scores"

/** A way to learn a linear classifier. */
export interface Baseline<Name extends string, Said extends Answers> {
  readonly name: Name
  /** Learn to predict the model's label from its other columns. Rows without a label are left out. */
  fit<Cells, Target extends string, const Given>(
    model: Model<Cells, Target>,
    data: DataFor<Cells, Target, Given>,
    options?: BaselineFitOptions,
  ): Promise<LinearClassifier<Cells, Target, Said>>
}

/** How a level's score comes from the outputs: sign · output; undefined: −∞, for a level that no training row held. */
export type Head = { readonly output: number; readonly sign: 1 | -1 } | undefined

/** One optimisation problem that was solved. */
export interface SolvedProblem {
  /** The level against the rest, or the second of two levels; absent if all levels were learned together. */
  readonly level?: Level
  /** ½‖w‖² + C Σ weight · loss */
  readonly objective: number
  /** ‖∇ objective‖, if it was minimised by gradients. */
  readonly gradientNorm?: number
  /** If the dual was solved: the objective is at most this far above the minimum. */
  readonly dualityGap?: number
  readonly iterations: number
  readonly converged: boolean
}

/** The sum over all problems: objectives and gaps add up, gradient norms as √Σ². */
export interface Optimum extends Omit<SolvedProblem, "level"> {
  readonly problems: readonly SolvedProblem[]
}

export interface LearnedLine {
  readonly model: Model
  readonly schema: Schema
  readonly features: Features
  readonly levels: readonly Level[]
  readonly heads: readonly Head[]
  readonly outputs: number
  readonly intercept: boolean
  /** w[f·outputs + output]; the intercept is the last feature. */
  readonly weights: Float64Array
  /** Absent: no probabilities. */
  readonly link: Link | undefined
  readonly optimum: Optimum
  readonly learner: { readonly name: string; readonly options: Description }
  readonly chosen?: ChosenC
  readonly rows: number
  readonly weight: number
  readonly diagnostics: readonly Diagnostic[]
}

export interface ScorePrediction<L extends Level = Level> {
  readonly value: L
  readonly score: number
  readonly scores: LevelPrediction<L>["probabilities"]
  /** Levels and words of this row that training never saw: they count as missing. */
  readonly unseen?: LevelPrediction["unseen"]
}

type AnswerOf<L extends Level, A extends Answers> = A extends "scores"
  ? ScorePrediction<L>
  : LevelPrediction<L>

export interface LinearDescription {
  readonly target: string
  /** By level; levels that no training row held are left out. */
  readonly bias: Readonly<Record<string, number>>
  /** For features as they were learned: numbers and counts are (x − mean)/sd. */
  readonly features: readonly (Feature & { readonly weights: Readonly<Record<string, number>> })[]
}

interface AskOptions {
  /** Only the label can be predicted; it need not be named. */
  readonly target?: string
}

// Methods read `Cells` and `Target` off `this`, as those of Predictor do.
export class LinearClassifier<Cells = unknown, Target extends string = string, A extends Answers = Answers> {
  readonly model: Model<Cells, Target>
  readonly answers: A
  readonly optimum: Optimum
  readonly learner: { readonly name: string; readonly options: Description }
  /** How C was chosen, with c: "cv". */
  readonly chosen?: ChosenC
  /** Rows learned from, with soft labels expanded, and their weight. */
  readonly rows: number
  readonly weight: number
  readonly diagnostics: readonly Diagnostic[]
  readonly #learned: LearnedLine

  constructor(learned: LearnedLine) {
    this.model = learned.model as Model<Cells, Target>
    this.answers = (learned.link ? "probabilities" : "scores") as A
    this.optimum = learned.optimum
    this.learner = learned.learner
    if (learned.chosen) this.chosen = learned.chosen
    this.rows = learned.rows
    this.weight = learned.weight
    this.diagnostics = learned.diagnostics
    this.#learned = learned
  }

  /** The label of each row: the best level, with the probabilities of all; from an SVM, with their scores. */
  predict<Cells, Target extends string, A extends Answers, const Given>(
    this: LinearClassifier<Cells, Target, A>,
    rows: QuestionAbout<Target, Cells, Target, Given>,
    options: AskOptions = {},
  ): AnswerOf<LevelOf<Cells, Target>, A>[] {
    const learned = this.#checked("predict", options)
    const { levels } = learned
    const { scores, unseen } = scoresOf(learned, rows as Data)
    const count = levels.length
    const said = learned.link ? posteriorOf(scores, count, learned.link).probabilities : scores
    const answers = Array.from({ length: scores.length / count }, (_, i) => {
      let best = 0
      // by score: probabilities may round to the same number
      for (let l = 1; l < count; l++) if (scores[i * count + l] > scores[i * count + best]) best = l
      const all = Object.fromEntries(levels.map((level, l) => [String(level), said[i * count + l]]))
      const one = said[i * count + best]
      return {
        value: levels[best],
        ...(learned.link ? { probability: one, probabilities: all } : { score: one, scores: all }),
        ...(unseen.has(i) && { unseen: unseen.get(i) }),
      }
    })
    return answers as unknown as AnswerOf<LevelOf<Cells, Target>, A>[]
  }

  /** p(label = level | row) and its logarithm: rows × levels, in one array each. An SVM refuses. */
  posterior<Cells, Target extends string, const Given>(
    this: LinearClassifier<Cells, Target>,
    rows: QuestionAbout<Target, Cells, Target, Given>,
    options: AskOptions = {},
  ): { levels: readonly LevelOf<Cells, Target>[]; probabilities: Float64Array; logs: Float64Array } {
    const learned = this.#checked("posterior", options)
    if (!learned.link) {
      throw new SufficeError(
        "model",
        "posterior: a linear SVM has no probabilities. It learns on which side of a plane a row lies, not how often. Ask for scores(), or use logisticRegression().",
      )
    }
    const { scores } = scoresOf(learned, rows as Data)
    return {
      levels: learned.levels as readonly LevelOf<Cells, Target>[],
      ...posteriorOf(scores, learned.levels.length, learned.link),
    }
  }

  /** The decision values: rows × levels. */
  scores<Cells, Target extends string, const Given>(
    this: LinearClassifier<Cells, Target>,
    rows: QuestionAbout<Target, Cells, Target, Given>,
    options: AskOptions = {},
  ): { levels: readonly LevelOf<Cells, Target>[]; scores: Float64Array } {
    const learned = this.#checked("scores", options)
    const { scores } = scoresOf(learned, rows as Data)
    return { levels: learned.levels as readonly LevelOf<Cells, Target>[], scores }
  }

  /** Every weight by feature and level, and the bias. */
  describe(): LinearDescription {
    const { features, schema, heads, outputs, weights, levels } = this.#learned
    const byLevel = (feature: number): Record<string, number> =>
      Object.fromEntries(
        levels.flatMap((level, l) => {
          const head = heads[l]
          // + 0 turns −0 into 0
          return head
            ? [[String(level), head.sign * (weights[feature * outputs + head.output] ?? 0) + 0]]
            : []
        }),
      )
    const names = namesOf(features, schema.columns)
    return {
      target: this.model.target!,
      bias: byLevel(names.length), // past the last feature if there is no intercept
      features: names.map((feature, f) => ({ ...feature, weights: byLevel(f) })),
    }
  }

  /** The classifier in a few lines: what `console.log` prints. */
  toString(): string {
    const { features, schema, levels } = this.#learned
    const { iterations, converged, objective } = this.optimum
    const end = converged ? "converged" : "not converged"
    const sentence = `${this.learner.name}: predicts ${named(this.model.target)}. Learned from ${many(this.rows, "row")} in ${many(iterations, "iteration")}, ${end}.`
    const lines: Line[] = [
      ["levels", firstOf(levels.map(named), 4)],
      ["features", counted(namesOf(features, schema.columns).length)],
      ["objective", rounded(objective)],
    ]
    if (this.chosen) lines.push(["C", `${rounded(this.chosen.c)}, chosen by cross-validation`])
    if (this.diagnostics.length > 0)
      lines.push(["notes", `${counted(this.diagnostics.length)}, in diagnostics`])
    return summaryText(sentence, lines)
  }

  [INSPECT](): string {
    return this.toString()
  }

  #checked(where: string, options: AskOptions): LearnedLine {
    refuseUnknown(where, options, ["target"])
    const { target } = options
    if (target !== undefined && target !== this.model.target) {
      throw new SufficeError(
        "target",
        `${where}: the target is ${show(target)}. ${this.learner.name} has learned to predict ${show(this.model.target)} and nothing else. Leave the target out, or fit the model itself, which answers for any column.`,
        { column: target },
      )
    }
    return this.#learned
  }
}

function scoresOf(learned: LearnedLine, data: Data): { scores: Float64Array; unseen: Unseen } {
  const { schema, features, model, heads, outputs, weights, intercept } = learned
  const { blocks, unseen } = encodedForQuestion(schema, data, model.target)
  const x = designOf(features, blocks, intercept)
  const count = heads.length
  const scores = new Float64Array(x.rows * count)
  const row = new Float64Array(outputs)
  for (let i = 0; i < x.rows; i++) {
    rowScores(x, i, weights, outputs, row)
    for (let l = 0; l < count; l++) {
      const head = heads[l]
      scores[i * count + l] = head ? head.sign * row[head.output] + 0 : -Infinity
    }
  }
  return { scores, unseen }
}
