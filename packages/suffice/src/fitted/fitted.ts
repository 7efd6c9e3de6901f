/** A learned model and what it answers. Its methods change nothing. */
import type { Description, Diagnostic, Model, Row } from "../contract.ts"
import type { Schema } from "../data/discover.ts"
import type { Data } from "../data/read.ts"
import { type Laid, priorOf, solve, withPrior } from "../engine/lay.ts"
import { type InformationCriteria, informationCriteria } from "../measure/criteria.ts"
import { type SavedModel, save } from "../saved/save.ts"
import { type DecideOptions, type Decision, decisions } from "./decide.ts"
import { type Imputed, type ImputeOptions, imputed } from "./impute.ts"
import { logDensities } from "./log-density.ts"
import { type PosteriorOptions, posteriors, targetOf } from "./posterior.ts"
import { type PredictOptions, predictions } from "./predict.ts"
import { responsibilitiesOf } from "./responsibilities.ts"
import { type SampleOptions, samples } from "./sample.ts"
import type {
  HiddenNameOf,
  LevelNameOf,
  LevelOf,
  NameOf,
  PredictionOf,
  QuestionAbout,
  QuestionFor,
} from "./types.ts"

/** How the model came about. */
export interface Training {
  readonly learner: { readonly name: string; readonly options: Description }
  readonly seed: number
  readonly rows: number
  readonly weight: number
  readonly run: number
  readonly iterations: number
  readonly objective: number
  readonly logLikelihood: number
  readonly entropy: number
  /** The objective after every step of this run. */
  readonly trace: readonly number[]
  readonly runs: readonly {
    readonly run: number
    readonly iterations: number
    readonly objective: number
    readonly stopped: string
  }[]
}

/** Everything a fitted model knows; θ = θ(stats + prior·α). */
export interface Knowledge {
  readonly model: Model
  readonly laid: Laid
  readonly schema: Schema
  readonly stats: Float64Array
  readonly prior: number
  readonly training: Training | undefined
  readonly diagnostics: readonly Diagnostic[]
}

// Methods read `Cells` and `Target` off `this`, so that every fitted model is a `Fitted`: they name no parameter of the class.
export class Fitted<Cells = unknown, Target extends string = string> {
  readonly model: Model<Cells, Target>
  readonly training: Training | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly #known: Knowledge
  readonly #params: Float64Array

  constructor(known: Knowledge) {
    this.model = known.model as Model<Cells, Target>
    this.training = known.training
    this.diagnostics = known.diagnostics
    this.#known = known
    this.#params = solve(known.laid, withPrior(known.stats, priorOf(known.laid), known.prior)).params
  }

  /** The target of each row given the rest: the most probable level with all probabilities, or a number with its spread. */
  predict<Cells, Target extends string, const Given, Name extends NameOf<Cells> = Target & NameOf<Cells>>(
    this: Fitted<Cells, Target>,
    rows: QuestionAbout<Name, Cells, Target, Given>,
    options: PredictOptions<Name> = {},
  ): PredictionOf<Cells, Name>[] {
    return predictions(this.#asked, rows as Data, options) as PredictionOf<Cells, Name>[]
  }

  /** p(target = level | the rest of the row): rows × levels, in one array. */
  posterior<
    Cells,
    Target extends string,
    const Given,
    Name extends LevelNameOf<Cells> = Target & LevelNameOf<Cells>,
  >(
    this: Fitted<Cells, Target>,
    rows: QuestionAbout<Name, Cells, Target, Given>,
    options: PosteriorOptions & { readonly target?: Name } = {},
  ): { levels: readonly LevelOf<Cells, Name>[]; probabilities: Float64Array } {
    const { levels, probabilities } = posteriors(
      this.#asked,
      rows as Data,
      targetOf(this.#known, options.target),
      options,
    )
    return { levels: levels as readonly LevelOf<Cells, Name>[], probabilities }
  }

  /** ln p(what was seen of the row): the lower, the stranger. */
  logDensity<Cells, Target extends string, const Given>(
    this: Fitted<Cells, Target>,
    rows: QuestionFor<Cells, Target, Given>,
  ): Float64Array {
    return logDensities(this.#asked, rows as Data)
  }

  /** p(component | row) of a hidden switch: rows × components. With several, say which. */
  responsibilities<Cells, Target extends string, const Given>(
    this: Fitted<Cells, Target>,
    rows: QuestionFor<Cells, Target, Given>,
    options: { readonly of?: HiddenNameOf<Cells> } = {},
  ): Float64Array {
    return responsibilitiesOf(this.#asked, rows as Data, options.of)
  }

  /** The action of least expected loss for each row, or to decline. */
  decide<
    Cells,
    Target extends string,
    const Given,
    const Action extends string = string,
    Name extends LevelNameOf<Cells> = Target & LevelNameOf<Cells>,
  >(
    this: Fitted<Cells, Target>,
    rows: QuestionAbout<Name, Cells, Target, Given>,
    options: DecideOptions<Action, Name> = {},
  ): Decision<Action>[] {
    return decisions(this.#asked, rows as Data, options) as Decision<Action>[]
  }

  /** The rows with every missing cell filled, given what each row does hold, and how sure each filling is. */
  impute<Cells, Target extends string, const Given>(
    this: Fitted<Cells, Target>,
    rows: QuestionFor<Cells, Target, Given>,
    options: ImputeOptions = {},
  ): Imputed {
    return imputed(this.#asked, rows as Data, options)
  }

  /** Rows drawn from the model, given what is known of them. */
  sample(count: number, options: SampleOptions = {}): Row[] {
    return samples(this.#asked, count, options)
  }

  /** Every parameter by name, in the units of the data. */
  describe(): Description {
    return this.#known.laid.root.describe(this.#params, 0)
  }

  /** AIC, BIC and ICL on the training rows; lower is better. */
  criteria(): InformationCriteria {
    return informationCriteria(this.#known.laid.free, this.#known.training)
  }

  /** Tagged data for JSON.stringify; `load` reads it back. */
  toJSON(): SavedModel {
    return save(this.#known)
  }

  get #asked(): Asked {
    return { known: this.#known, params: this.#params }
  }
}

/** What every answer is computed from. */
export interface Asked {
  readonly known: Knowledge
  readonly params: Float64Array
}
