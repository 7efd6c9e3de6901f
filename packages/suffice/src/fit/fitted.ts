/** A fitted model and the questions it answers. Its methods change nothing. Long because every answer is one. */

import { type Anomalies, type AnomalyOptions, anomaliesOf, type StepAnomalies } from "../answers/anomalies.ts"
import { type DecideOptions, decisions } from "../answers/decide.ts"
import { type ExplainOptions, explain } from "../answers/explain.ts"
import {
  type Following,
  type Forecast,
  type ForecastOptions,
  following,
  forecasts,
} from "../answers/forecast.ts"
import { type Imputed, type ImputeOptions, imputed } from "../answers/impute.ts"
import { intervened } from "../answers/intervene.ts"
import type { Knowledge } from "../answers/knowledge.ts"
import { checkLikelihood } from "../answers/log-density.ts"
import { type Marginals, marginalsOf } from "../answers/marginals.ts"
import { type MostProbable, mostProbable } from "../answers/most-probable.ts"
import {
  type CredibleOptions,
  credible,
  type DrawOptions,
  draws,
  type Evidence,
  evidenceOf,
} from "../answers/posterior-of.ts"
import { Predictor } from "../answers/predictor.ts"
import { type Proportions, proportionsOf } from "../answers/proportions.ts"
import { type Prototypes, type PrototypesOptions, prototypes } from "../answers/prototypes.ts"
import { type QueryAnswer, type QueryOptions, queried } from "../answers/query.ts"
import { type Responsibilities, responsibilitiesOf } from "../answers/responsibilities.ts"
import { type SampleOptions, samples } from "../answers/sample.ts"
import { adjustment, blanket, separated } from "../answers/separation.ts"
import { summarise } from "../answers/summarise.ts"
import { targetOf } from "../answers/target.ts"
import { type Linear, type LinearOptions, toLinear } from "../answers/to-linear.ts"
import { type Topic, type TopicsQuestion, topicsOf } from "../answers/topics.ts"
import type {
  AskableLevelOf,
  DataFor,
  DecisionOf,
  ExplainedNameOf,
  ExplanationOf,
  FilledRowOf,
  HiddenNameOf,
  KnownOf,
  LevelOf,
  QuestionAbout,
  QuestionFor,
  QuestionRow,
  RowOf,
  StepNameOf,
} from "../answers/types.ts"
import type { Row } from "../contract/cells.ts"
import type { Description, Diagnostic, Training } from "../contract/report.ts"
import type { Data } from "../data/read.ts"
import { SufficeError } from "../errors.ts"
import type { Calibration } from "../measure/calibration.ts"
import { type InformationCriteria, informationCriteria } from "../measure/criteria.ts"
import { type SavedModel, save } from "../saved/save.ts"
import type { UpdateOptions } from "./options.ts"
import { updated } from "./steps.ts"

export class Fitted<Cells = unknown, Target extends string = string> extends Predictor<Cells, Target> {
  readonly training: Training | undefined
  readonly diagnostics: readonly Diagnostic[]

  /** `params`: θ, if it has been solved already. */
  constructor(known: Knowledge, params?: Float64Array) {
    super(known, params)
    this.training = known.training
    this.diagnostics = known.diagnostics
  }

  /** p(component | row) of a hidden switch: rows × components; of the states of a chain: steps × states, with their `offsets`. With several switches, `of` says which. */
  responsibilities<Cells, Target extends string, const Given>(
    this: Fitted<Cells, Target>,
    rows: QuestionFor<Cells, Target, Given>,
    options: { readonly of?: HiddenNameOf<Cells> } = {},
  ): Responsibilities {
    return responsibilitiesOf(this.solved, rows as Data, options)
  }

  /** What comes after the last step of each row: the state of a chain, and the columns of its steps. */
  forecast<Cells, Target extends string, const Given>(
    this: Fitted<Cells, Target>,
    rows: QuestionFor<Cells, Target, Given>,
    options: ForecastOptions = {},
  ): Forecast[][] {
    return forecasts(this.solved, rows as Data, options)
  }

  /** Follows one sequence as its steps come: the state of a chain after each of them. */
  follow(): Following {
    return following(this.solved)
  }

  /** The action of least expected loss for each row, or "reject"; if the target stands in the steps, a list of them. */
  decide<
    Cells,
    Target extends string,
    const Given,
    const Action extends string = string,
    Name extends AskableLevelOf<Cells> = Target & AskableLevelOf<Cells>,
  >(
    this: Fitted<Cells, Target>,
    rows: QuestionAbout<Name, Cells, Target, Given>,
    options: DecideOptions<Action, Name> = {},
  ): DecisionOf<Cells, Name, Action>[] {
    return decisions(this.solved, rows as Data, options) as unknown as DecisionOf<Cells, Name, Action>[]
  }

  /** The rows with every missing cell filled, given what the row holds, and how certain each filled cell is. */
  impute<Cells, Target extends string, const Given>(
    this: Fitted<Cells, Target>,
    rows: QuestionFor<Cells, Target, Given>,
    options: ImputeOptions = {},
  ): Imputed<FilledRowOf<Cells, Given>> {
    return imputed(this.solved, rows as Data, options) as Imputed<unknown> as Imputed<
      FilledRowOf<Cells, Given>
    >
  }

  /** p(level | what is seen of the row) of every column with levels, hidden ones too, and ln p of what is seen. A network answers for all of them at once. */
  marginals<Cells, Target extends string, const Given>(
    this: Fitted<Cells, Target>,
    rows: QuestionFor<Cells, Target, Given>,
  ): Marginals {
    return marginalsOf(this.solved, rows as Data)
  }

  /** The rows with what is missing filled by what it most probably is together; `impute` fills every cell by itself. Hidden values come with it. */
  mostProbable<Cells, Target extends string, const Given>(
    this: Fitted<Cells, Target>,
    rows: QuestionFor<Cells, Target, Given>,
  ): MostProbable<FilledRowOf<Cells, Given>> {
    return mostProbable(this.solved, rows as Data) as MostProbable<unknown> as MostProbable<
      FilledRowOf<Cells, Given>
    >
  }

  /** p(columns together | what is known of a row), as a table of their levels. Several columns, hidden ones too; `do` sets columns from outside. */
  query<Cells, Target extends string>(
    this: Fitted<Cells, Target>,
    options: QueryOptions<KnownOf<Cells>>,
  ): QueryAnswer {
    return queried(this.solved, options as QueryOptions)
  }

  /**
   * The model in which these columns of a network are set from outside: they keep their children, lose their parents and hold this value. Every answer of it is
   * causal: p(· | do). What would have been in a row that went otherwise (a counterfactual) is more than arrows say.
   */
  intervene<Cells, Target extends string>(
    this: Fitted<Cells, Target>,
    values: KnownOf<Cells>,
  ): Fitted<Cells, Target> {
    return new Fitted<Cells, Target>(intervened(this.solved.known, values as Row))
  }

  /** Do the arrows say that a and b are independent, given these columns (d-separation)? */
  separated(
    a: string | readonly string[],
    b: string | readonly string[],
    given: string | readonly string[] = [],
  ): boolean {
    return separated(this.solved.known, a, b, given)
  }

  /** The columns that say all there is to say of one: its parents, its children, and their other parents. */
  blanket(column: string): string[] {
    return blanket(this.solved.known, column)
  }

  /** Columns to compare like with like by (a back-door set, Pearl 1993), so that the effect of one column on another can be read off; undefined: no columns of the data do. */
  adjustment(cause: string, effect: string): string[] | undefined {
    return adjustment(this.solved.known, cause, effect)
  }

  /** Rows, or steps, whose log-density lies below a quantile of what is usual, strangest first. */
  anomalies<Cells, Target extends string, const Given, const By extends "row" | "step" = "row">(
    this: Fitted<Cells, Target>,
    rows: QuestionFor<Cells, Target, Given>,
    options: AnomalyOptions & { readonly by?: By } = {},
  ): By extends "step" ? StepAnomalies : Anomalies {
    return anomaliesOf(this.solved, rows as Data, options) as By extends "step" ? StepAnomalies : Anomalies
  }

  /**
   * Why this level and not that one: log-odds as prior + one term per column or word (of the model before calibration). At one `step` of a chain: past + the
   * terms of the step + future.
   */
  explain<
    Cells,
    Target extends string,
    const Given,
    Name extends ExplainedNameOf<Cells> | StepNameOf<Cells> = Target &
      (ExplainedNameOf<Cells> | StepNameOf<Cells>),
  >(
    this: Fitted<Cells, Target>,
    row: QuestionRow<Name, Cells, Target, Given>,
    options: ExplainOptions<Name, LevelOf<Cells, Name>> = {},
  ): ExplanationOf<Cells, Name> {
    return explain(this.solved, row as Row, options) as ExplanationOf<Cells, Name>
  }

  /** The most typical of the rows for each level or component. */
  prototypes<
    Cells,
    Target extends string,
    const Given,
    Name extends ExplainedNameOf<Cells> = Target & ExplainedNameOf<Cells>,
  >(
    this: Fitted<Cells, Target>,
    rows: QuestionAbout<Name, Cells, Target, Given>,
    options: PrototypesOptions<Name> = {},
  ): Prototypes<LevelOf<Cells, Name>>[] {
    return prototypes(this.solved, rows as Data, options) as Prototypes<LevelOf<Cells, Name>>[]
  }

  /** The topics of a column of documents: their shares, and their words, most relevant first. */
  topics(options: TopicsQuestion = {}): Topic[] {
    return topicsOf(this.solved, options)
  }

  /** How much of each row's document each topic makes up: rows × topics. */
  proportions<Cells, Target extends string, const Given>(
    this: Fitted<Cells, Target>,
    rows: QuestionFor<Cells, Target, Given>,
    options: { readonly column?: string } = {},
  ): Proportions {
    return proportionsOf(this.solved, rows as Data, options)
  }

  /** The posterior as a linear model in named features, if it is one (before calibration). */
  toLinear<Cells, Target extends string>(
    this: Fitted<Cells, Target>,
    options: LinearOptions<ExplainedNameOf<Cells>> = {},
  ): Linear {
    return toLinear(this.solved, options)
  }

  /** The same model with its posteriors of one column corrected by the map that `calibrate` found on held-out rows; undefined: uncorrected. */
  calibrated(calibration: Calibration | undefined): Fitted<Cells, Target> {
    return new Fitted<Cells, Target>({ ...this.solved.known, calibration })
  }

  /** The same model, which answers for this column where none is named: the label of a regression. */
  withTarget(target: string): Fitted<Cells, Target> {
    const { known } = this.solved
    if (known.model.target === target) return this
    targetOf(known, target)
    return new Fitted<Cells, Target>({ ...known, model: { ...known.model, target } })
  }

  /** ln p(training rows), the parameters integrated out, if the model was learned by bayes(); a lower bound of it where something is hidden. */
  get evidence(): Evidence {
    return evidenceOf(this.solved.known)
  }

  /** describe(), with an interval beside every parameter that holds it with this probability. After bayes(). */
  credible(options: CredibleOptions = {}): Description {
    return credible(this.solved.known, options)
  }

  /** Parameter sets drawn from the posterior, each as describe() prints it. After bayes(). */
  draws(count: number, options: DrawOptions = {}): Description[] {
    return draws(this.solved.known, count, options)
  }

  /** Free parameters: what AIC and BIC count. */
  get free(): number {
    return this.solved.known.laid.free
  }

  /** Rows drawn from the model, given what is known of them. */
  sample<Cells, Target extends string>(
    this: Fitted<Cells, Target>,
    count: number,
    options: SampleOptions<KnownOf<Cells>> = {},
  ): RowOf<Cells>[] {
    return samples(this.solved, count, options as SampleOptions) as RowOf<Cells>[]
  }

  /**
   * Continue learning with new rows, levels and words; what was learned counts as rows already seen. The default learner is em with the prior
   * of the model, or bayes() if the model is a posterior: it is the prior of the new rows. A calibration is dropped, and a diagnostic says so.
   */
  update<Cells, Target extends string, const Given>(
    this: Fitted<Cells, Target>,
    rows: DataFor<Cells, Target, Given>,
    options: UpdateOptions = {},
  ): Promise<Fitted<Cells, Target>> {
    return updated<Cells, Target>(this.solved.known, rows as Data, options, fittedOf)
  }

  /** Every parameter by name, in the units of the data. */
  describe(): Description {
    return this.solved.known.laid.root.describe(this.solved.params, 0)
  }

  /** AIC, BIC and ICL on the training rows; lower is better. Not available after an update of a model with anything hidden. */
  criteria(): InformationCriteria {
    const { laid, training, model } = this.solved.known
    if (model.beliefs) throw noEstimate()
    checkLikelihood(laid)
    return informationCriteria(laid.free, training)
  }

  /** The model in a few lines: its parts, how it was learned, how far it got. What `console.log` prints. */
  override toString(): string {
    return summarise(this.solved)
  }

  /** Tagged data for JSON.stringify; `load` reads it back. */
  toJSON(): SavedModel {
    return save(this.solved.known)
  }
}

/** The constructor as a function: learning takes it as an argument. */
export function fittedOf<Cells, Target extends string>(
  known: Knowledge,
  params?: Float64Array,
): Fitted<Cells, Target> {
  return new Fitted<Cells, Target>(known, params)
}

function noEstimate(): SufficeError {
  return new SufficeError(
    "model",
    "criteria: the model is a posterior, learned by bayes(). AIC, BIC and ICL weigh the likelihood at one estimate of the parameters. Compare models by their evidence, or learn by em().",
  )
}
