/** A fitted model: its answers, its updates and its saved form. Methods change nothing. */

import { Analyser } from "../answers/analyser.ts"
import { intervened } from "../answers/intervene.ts"
import type { Knowledge } from "../answers/knowledge.ts"
import { checkLikelihood } from "../answers/log-density.ts"
import {
  type CredibleOptions,
  credible,
  type DrawOptions,
  draws,
  type Evidence,
  evidenceOf,
} from "../answers/posterior-of.ts"
import { summarise } from "../answers/summarise.ts"
import { targetOf } from "../answers/target.ts"
import type { CellsOf, DataFor, KnownOf, TargetOf } from "../answers/types.ts"
import type { Row } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { DescribedPart } from "../contract/described.ts"
import type { Description, Diagnostic, Training } from "../contract/report.ts"
import type { Data } from "../data/read.ts"
import { partsIn } from "../declare/parts.ts"
import { SufficeError } from "../errors.ts"
import type { Calibration } from "../measure/calibration.ts"
import { type InformationCriteria, informationCriteria } from "../measure/criteria.ts"
import { type SavedModel, save } from "../saved/save.ts"
import type { UpdateOptions } from "./options.ts"
import { updated } from "./steps.ts"

export class Fitted<Cells = unknown, Target extends string = string> extends Analyser<Cells, Target> {
  readonly training: Training | undefined
  readonly diagnostics: readonly Diagnostic[]

  /** `params`: θ, if it has been solved already. */
  constructor(known: Knowledge, params?: Float64Array) {
    super(known, params)
    this.training = known.training
    this.diagnostics = known.diagnostics
  }

  /**
   * The model in which these columns of a network are set from outside: they keep their children, lose their parents and hold this value. Every answer of it is
   * causal: p(· | do). Counterfactuals of one row need more than arrows.
   */
  intervene<Self extends Fitted>(
    this: Self,
    values: KnownOf<CellsOf<Self>>,
  ): Fitted<CellsOf<Self>, TargetOf<Self>> {
    return new Fitted<CellsOf<Self>, TargetOf<Self>>(intervened(this.solved.known, values as Row))
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

  /**
   * Continue learning with new rows, levels and words; what was learned counts as rows already seen. The default learner is em with the prior
   * of the model, or bayes() if the model is a posterior: it is the prior of the new rows. A calibration is dropped with a diagnostic.
   */
  update<Self extends Fitted, const Given>(
    this: Self,
    rows: DataFor<CellsOf<Self>, TargetOf<Self>, Given>,
    options: UpdateOptions = {},
  ): Promise<Fitted<CellsOf<Self>, TargetOf<Self>>> {
    return updated<CellsOf<Self>, TargetOf<Self>>(this.solved.known, rows as Data, options, fittedOf)
  }

  /** Every parameter by name, in the units of the data. */
  describe(): Description {
    return this.solved.known.laid.root.describe(this.solved.params, 0)
  }

  /** Its switches, leaves and chains, each with its parameters and the levels above it. */
  parts(): DescribedPart[] {
    return partsIn(this.model.spec, this.describe())
  }

  /** The columns it was learned from, as the first pass left them. */
  get columns(): readonly Column[] {
    return this.solved.known.schema.columns
  }

  /** AIC, BIC and ICL on the training rows; lower is better. Not available after an update of a model with anything hidden. */
  criteria(): InformationCriteria {
    const { laid, training, model } = this.solved.known
    if (model.beliefs) throw noEstimate()
    checkLikelihood(laid)
    return informationCriteria(laid.free, training)
  }

  /** The model in a few lines: its parts, how it was learned, how far it got; printed by `console.log`. */
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
