/** Queries beside predictions: explanations, decisions, missing cells, hidden values and dependence. */

import type { Row } from "../contract/cells.ts"
import type { Data } from "../data/read.ts"
import { type Anomalies, type AnomalyOptions, anomaliesOf, type StepAnomalies } from "./anomalies.ts"
import { type DecideOptions, decisions } from "./decide.ts"
import { type ExplainOptions, explain } from "./explain.ts"
import { type Following, type Forecast, type ForecastOptions, following, forecasts } from "./forecast.ts"
import { type Imputed, type ImputeOptions, imputed } from "./impute.ts"
import { type Marginals, marginalsOf } from "./marginals.ts"
import { type MostProbable, mostProbable } from "./most-probable.ts"
import { Predictor } from "./predictor.ts"
import { type Proportions, proportionsOf } from "./proportions.ts"
import { type Prototypes, type PrototypesOptions, prototypes } from "./prototypes.ts"
import { type QueryAnswer, type QueryOptions, queried } from "./query.ts"
import { type Responsibilities, responsibilitiesOf } from "./responsibilities.ts"
import { type SampleOptions, samples } from "./sample.ts"
import { adjustment, blanket, separated } from "./separation.ts"
import { type Linear, type LinearOptions, toLinear } from "./to-linear.ts"
import { type Topic, type TopicsQuestion, topicsOf } from "./topics.ts"
import type {
  AskableLevelOf,
  CellsOf,
  DecisionOf,
  ExplainedNameOf,
  ExplanationOf,
  FilledRowOf,
  HiddenNameOf,
  KnownOf,
  LevelOf,
  QuestionOn,
  QuestionRow,
  QuestionTo,
  RowOf,
  StepNameOf,
  TargetOf,
} from "./types.ts"

export class Analyser<Cells = unknown, Target extends string = string> extends Predictor<Cells, Target> {
  /** p(component | row) of a hidden switch: rows × components; of the states of a chain: steps × states, with their `offsets`. With several switches, `of` says which. */
  responsibilities<Self extends Analyser, const Given>(
    this: Self,
    rows: QuestionTo<Self, Given>,
    options: { readonly of?: HiddenNameOf<CellsOf<Self>> } = {},
  ): Responsibilities {
    return responsibilitiesOf(this.solved, rows as Data, options)
  }

  /** Forecast of the steps after the last one of each row: the state of a chain, and the columns of its steps. */
  forecast<Self extends Analyser, const Given>(
    this: Self,
    rows: QuestionTo<Self, Given>,
    options: ForecastOptions = {},
  ): Forecast[][] {
    return forecasts(this.solved, rows as Data, options)
  }

  /** Follows one sequence as its steps come: the state of a chain after each of them. */
  follow(): Following {
    return following(this.solved)
  }

  /** The action of least expected loss for each row, or "reject"; for a target in the steps, a list of them. */
  decide<
    Self extends Analyser,
    const Given,
    const Action extends string = string,
    Name extends AskableLevelOf<CellsOf<Self>> = TargetOf<Self> & AskableLevelOf<CellsOf<Self>>,
  >(
    this: Self,
    rows: QuestionOn<Self, Name, Given>,
    options: DecideOptions<Action, Name> = {},
  ): DecisionOf<CellsOf<Self>, Name, Action>[] {
    return decisions(this.solved, rows as Data, options) as never[]
  }

  /** The rows with every missing cell filled, given what the row holds, and how certain each filled cell is. */
  impute<Self extends Analyser, const Given>(
    this: Self,
    rows: QuestionTo<Self, Given>,
    options: ImputeOptions = {},
  ): Imputed<FilledRowOf<CellsOf<Self>, Given>> {
    return imputed(this.solved, rows as Data, options) as Imputed<never>
  }

  /** p(level | observed cells) of every column with levels, hidden ones too, and ln p(observed cells). A network computes all of them in one pass. */
  marginals<Self extends Analyser, const Given>(this: Self, rows: QuestionTo<Self, Given>): Marginals {
    return marginalsOf(this.solved, rows as Data)
  }

  /** The rows with the jointly most probable values of all missing cells, and of hidden columns; `impute` fills each cell by itself. */
  mostProbable<Self extends Analyser, const Given>(
    this: Self,
    rows: QuestionTo<Self, Given>,
  ): MostProbable<FilledRowOf<CellsOf<Self>, Given>> {
    return mostProbable(this.solved, rows as Data) as MostProbable<never>
  }

  /** p(columns together | known cells of a row), as a table of their levels. Several columns, hidden ones too; `do` sets columns from outside. */
  query<Self extends Analyser>(this: Self, options: QueryOptions<KnownOf<CellsOf<Self>>>): QueryAnswer {
    return queried(this.solved, options as QueryOptions)
  }

  /** True if the arrows imply that a and b are independent given these columns (d-separation). */
  separated(
    a: string | readonly string[],
    b: string | readonly string[],
    given: string | readonly string[] = [],
  ): boolean {
    return separated(this.solved.known, a, b, given)
  }

  /** The Markov blanket of a column: its parents, its children, and their other parents. */
  blanket(column: string): string[] {
    return blanket(this.solved.known, column)
  }

  /** A back-door adjustment set (Pearl 1993) for the effect of one column on another. Undefined if no columns of the data are one. */
  adjustment(cause: string, effect: string): string[] | undefined {
    return adjustment(this.solved.known, cause, effect)
  }

  /** Rows, or steps, whose log-density lies below a quantile of its usual values, most anomalous first. */
  anomalies<Self extends Analyser, const Given, const By extends "row" | "step" = "row">(
    this: Self,
    rows: QuestionTo<Self, Given>,
    options: AnomalyOptions & { readonly by?: By } = {},
  ): By extends "step" ? StepAnomalies : Anomalies {
    return anomaliesOf(this.solved, rows as Data, options) as By extends "step" ? StepAnomalies : Anomalies
  }

  /**
   * Why this level and not that one: log-odds as prior + one term per column or word (of the model before calibration). At one `step` of a chain: past + the
   * terms of the step + future.
   */
  explain<
    Self extends Analyser,
    const Given,
    Name extends ExplainedNameOf<CellsOf<Self>> | StepNameOf<CellsOf<Self>> = TargetOf<Self> &
      (ExplainedNameOf<CellsOf<Self>> | StepNameOf<CellsOf<Self>>),
  >(
    this: Self,
    row: QuestionRow<Name, CellsOf<Self>, TargetOf<Self>, Given>,
    options: ExplainOptions<Name, LevelOf<CellsOf<Self>, Name>> = {},
  ): ExplanationOf<CellsOf<Self>, Name> {
    return explain(this.solved, row as Row, options) as ExplanationOf<CellsOf<Self>, Name>
  }

  /** The most typical of the rows for each level or component. */
  prototypes<
    Self extends Analyser,
    const Given,
    Name extends ExplainedNameOf<CellsOf<Self>> = TargetOf<Self> & ExplainedNameOf<CellsOf<Self>>,
  >(
    this: Self,
    rows: QuestionOn<Self, Name, Given>,
    options: PrototypesOptions<Name> = {},
  ): Prototypes<LevelOf<CellsOf<Self>, Name>>[] {
    return prototypes(this.solved, rows as Data, options) as Prototypes<LevelOf<CellsOf<Self>, Name>>[]
  }

  /** The topics of a column of documents: their shares, and their words, most relevant first. */
  topics(options: TopicsQuestion = {}): Topic[] {
    return topicsOf(this.solved, options)
  }

  /** How much of each row's document each topic makes up: rows × topics. */
  proportions<Self extends Analyser, const Given>(
    this: Self,
    rows: QuestionTo<Self, Given>,
    options: { readonly column?: string } = {},
  ): Proportions {
    return proportionsOf(this.solved, rows as Data, options)
  }

  /** The posterior as a linear model in named features, if it is one (before calibration). */
  toLinear<Self extends Analyser>(
    this: Self,
    options: LinearOptions<ExplainedNameOf<CellsOf<Self>>> = {},
  ): Linear {
    return toLinear(this.solved, options)
  }

  /** Rows drawn from the model, given their known cells. */
  sample<Self extends Analyser>(
    this: Self,
    count: number,
    options: SampleOptions<KnownOf<CellsOf<Self>>> = {},
  ): RowOf<CellsOf<Self>>[] {
    return samples(this.solved, count, options as SampleOptions) as RowOf<CellsOf<Self>>[]
  }
}
