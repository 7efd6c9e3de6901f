/** The part of a fitted model that predicts: all that a page or an edge function needs. */
import type { Model } from "../contract/model.ts"
import type { Data } from "../data/read.ts"
import { refuseUnknown } from "../errors.ts"
import { INSPECT } from "../summary.ts"
import { type Knowledge, paramsOf, type SolvedModel } from "./knowledge.ts"
import { labelsOf } from "./labels.ts"
import { logDensities } from "./log-density.ts"
import { type Path, pathsOf } from "./path.ts"
import { type Posteriors, posteriors } from "./posterior.ts"
import { type PredictOptions, predictions } from "./predict.ts"
import { OPTIONS, type PosteriorOptions, type Question, questionOf } from "./question.ts"
import type {
  AskableLevelOf,
  AskableNameOf,
  CellsOf,
  LabelOf,
  LevelOf,
  PredictionOf,
  QuestionOn,
  QuestionTo,
  TargetOf,
} from "./types.ts"

const NONE = {}

// Methods read `Cells` and `Target` off `this`, so that every fitted model is a `Fitted`: they name no parameter of the class.
export class Predictor<Cells = unknown, Target extends string = string> {
  readonly model: Model<Cells, Target>
  protected readonly solved: SolvedModel

  constructor(known: Knowledge, params = paramsOf(known)) {
    this.model = known.model as Model<Cells, Target>
    this.solved = { known, params, questions: new Map() }
  }

  /** The target of each row given the rest: the most probable level with all probabilities, or a number with its spread. If it stands in the steps, a row's answer is a list. */
  predict<
    Self extends Predictor,
    const Given,
    Name extends AskableNameOf<CellsOf<Self>> = TargetOf<Self> & AskableNameOf<CellsOf<Self>>,
  >(
    this: Self,
    rows: QuestionOn<Self, Name, Given>,
    options: PredictOptions<Name> = NONE,
  ): PredictionOf<CellsOf<Self>, Name>[] {
    return predictions(this.solved, rows as Data, options) as unknown as PredictionOf<CellsOf<Self>, Name>[]
  }

  /** The most probable level of each row's target, without its probability: what `predict` calls `value`, at a fraction of the time. */
  labels<
    Self extends Predictor,
    const Given,
    Name extends AskableLevelOf<CellsOf<Self>> = TargetOf<Self> & AskableLevelOf<CellsOf<Self>>,
  >(
    this: Self,
    rows: QuestionOn<Self, Name, Given>,
    options: PosteriorOptions & { readonly target?: Name } = NONE,
  ): LabelOf<CellsOf<Self>, Name>[] {
    const question = questionAbout(this.solved, "labels", options)
    return labelsOf(this.solved, rows as Data, question) as LabelOf<CellsOf<Self>, Name>[]
  }

  /** p(target = level | the rest of the row) and its logarithm: rows × levels, in one array each. */
  posterior<
    Self extends Predictor,
    const Given,
    Name extends AskableLevelOf<CellsOf<Self>> = TargetOf<Self> & AskableLevelOf<CellsOf<Self>>,
  >(
    this: Self,
    rows: QuestionOn<Self, Name, Given>,
    options: PosteriorOptions & { readonly target?: Name } = NONE,
  ): Posteriors<LevelOf<CellsOf<Self>, Name>> {
    const question = questionAbout(this.solved, "posterior", options)
    return posteriors(this.solved, rows as Data, question) as Posteriors<LevelOf<CellsOf<Self>, Name>>
  }

  /** The most probable states of each row's steps together, through a chain. With several chains, `of` says which. */
  path<Self extends Predictor, const Given>(
    this: Self,
    rows: QuestionTo<Self, Given>,
    options: { readonly of?: string } = NONE,
  ): Path<LevelOf<CellsOf<Self>, TargetOf<Self>>>[] {
    return pathsOf(this.solved, rows as Data, options) as Path<LevelOf<CellsOf<Self>, TargetOf<Self>>>[]
  }

  /** ln p(what was seen of the row): the lower, the stranger. */
  logDensity<Self extends Predictor, const Given>(this: Self, rows: QuestionTo<Self, Given>): Float64Array {
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

/** What the answers of a model are computed from, for questions that are not its methods. */
export function solvedOf(fitted: Predictor): SolvedModel {
  // biome-ignore lint/complexity/useLiteralKeys: it is protected, for callers
  return fitted["solved"]
}

function questionAbout(
  solved: SolvedModel,
  method: string,
  options: PosteriorOptions & { readonly target?: string },
): Question {
  refuseUnknown(method, options, OPTIONS)
  return questionOf(solved, options, method)
}
