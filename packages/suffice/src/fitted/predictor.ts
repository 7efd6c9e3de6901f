/** The part of a fitted model that predicts: all that a page or an edge function needs. */
import type { Model } from "../contract/model.ts"
import type { Data } from "../data/read.ts"
import { refuseUnknown } from "../errors.ts"
import { INSPECT } from "../summary.ts"
import { type Knowledge, paramsOf, type SolvedModel } from "./knowledge.ts"
import { labelsOf } from "./labels.ts"
import { logDensities } from "./log-density.ts"
import { type Posteriors, posteriors } from "./posterior.ts"
import { type PredictOptions, predictions } from "./predict.ts"
import { OPTIONS, type PosteriorOptions, type Question, questionOf } from "./question.ts"
import type { LevelNameOf, LevelOf, NameOf, PredictionOf, QuestionAbout, QuestionFor } from "./types.ts"

const NONE = {}

// Methods read `Cells` and `Target` off `this`, so that every fitted model is a `Fitted`: they name no parameter of the class.
export class Predictor<Cells = unknown, Target extends string = string> {
  readonly model: Model<Cells, Target>
  protected readonly solved: SolvedModel

  constructor(known: Knowledge, params = paramsOf(known)) {
    this.model = known.model as Model<Cells, Target>
    this.solved = { known, params, questions: new Map() }
  }

  /** The target of each row given the rest: the most probable level with all probabilities, or a number with its spread. */
  predict<Cells, Target extends string, const Given, Name extends NameOf<Cells> = Target & NameOf<Cells>>(
    this: Predictor<Cells, Target>,
    rows: QuestionAbout<Name, Cells, Target, Given>,
    options: PredictOptions<Name> = NONE,
  ): PredictionOf<Cells, Name>[] {
    return predictions(this.solved, rows as Data, options) as PredictionOf<Cells, Name>[]
  }

  /** The most probable level of each row's target, without its probability: what `predict` calls `value`, at a fraction of the time. */
  labels<
    Cells,
    Target extends string,
    const Given,
    Name extends LevelNameOf<Cells> = Target & LevelNameOf<Cells>,
  >(
    this: Predictor<Cells, Target>,
    rows: QuestionAbout<Name, Cells, Target, Given>,
    options: PosteriorOptions & { readonly target?: Name } = NONE,
  ): LevelOf<Cells, Name>[] {
    return labelsOf(this.solved, rows as Data, levelQuestion(this.solved, "labels", options)) as LevelOf<
      Cells,
      Name
    >[]
  }

  /** p(target = level | the rest of the row) and its logarithm: rows × levels, in one array each. */
  posterior<
    Cells,
    Target extends string,
    const Given,
    Name extends LevelNameOf<Cells> = Target & LevelNameOf<Cells>,
  >(
    this: Predictor<Cells, Target>,
    rows: QuestionAbout<Name, Cells, Target, Given>,
    options: PosteriorOptions & { readonly target?: Name } = NONE,
  ): Posteriors<LevelOf<Cells, Name>> {
    const answer = posteriors(this.solved, rows as Data, levelQuestion(this.solved, "posterior", options))
    return answer as Posteriors<LevelOf<Cells, Name>>
  }

  /** ln p(what was seen of the row): the lower, the stranger. */
  logDensity<Cells, Target extends string, const Given>(
    this: Predictor<Cells, Target>,
    rows: QuestionFor<Cells, Target, Given>,
  ): Float64Array {
    return logDensities(this.solved, rows as Data)
  }

  /** What `console.log` prints: short, since pages carry it. */
  toString(): string {
    return `Predictor of ${this.model.target ?? "no target"}`
  }

  [INSPECT](): string {
    return this.toString()
  }
}

function levelQuestion(
  solved: SolvedModel,
  method: string,
  options: PosteriorOptions & { readonly target?: string },
): Question {
  refuseUnknown(method, options, OPTIONS)
  return questionOf(solved, options)
}
