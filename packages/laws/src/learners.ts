/** The learners that the laws are tried with. A new one is one entry here. */

import { type Description, em, type Learner, type Model } from "suffice"
import type { Regime, TextOptions } from "suffice/contract"
import { bayes, beliefs, onlineEm, type SdemOptions, sdem } from "suffice/learn"
import { columnsOf, hasLines, isScaled, labelsOf, readsOf } from "./models.ts"

export interface LearnerSpecimen {
  readonly name: string
  /** Does its objective never fall? */
  readonly climbs: boolean
  /** The strength of the prior in what it climbs. */
  readonly prior: number
  /** Does it keep a posterior, whose answers integrate over the parameters? */
  readonly keepsPosterior?: true
  /** How it scales documents if the model does not say. */
  readonly scaling?: TextOptions["scaling"]
  /** Can it learn this model? True, or the reason why not. */
  suits?(model: Model): true | string
  /** For learners that step along a direction: which one, for this target. */
  regime?(target: string): Regime
  make(
    options: { readonly steps?: number; readonly start?: Description | undefined },
    model: Model,
    more?: SdemOptions,
  ): Learner
}

/** EM with a prior of this strength, with rows without a label counting as much as the others; A7.unlabelled is about those that do not. */
export function emWith(name: string, prior: number): LearnerSpecimen {
  return {
    name,
    climbs: true,
    prior,
    make: ({ steps = 12, start }) => em({ prior, maxIterations: steps, tolerance: 0, start, unlabelled: 1 }),
  }
}

/** A few epochs of a few steps: what holds after each step holds after many. */
const EPOCHS = 2
const BATCH = 16

export const online: LearnerSpecimen = {
  name: "onlineEm",
  climbs: false,
  prior: 1,
  regime: () => ({ against: "nothing" }),
  make: (_, __, { epochs = EPOCHS, batch = BATCH, average = true } = {}) =>
    onlineEm({ epochs, batch, average, unlabelled: 1 }),
}

const MARGIN = 2

/** sdEM with this loss, for the label, or for another column if there is none. */
export function sdemWith(loss: "ncll" | "hinge"): LearnerSpecimen {
  return {
    name: `sdem, ${loss}`,
    climbs: false,
    prior: 1,
    scaling: "tfidf",
    suits: model => targetsFor(model, loss)[0] !== undefined || whyNot(model),
    regime: target =>
      loss === "ncll" ? { against: "hidden", target } : { against: "rival", target, margin: MARGIN },
    make: (_, model, more) =>
      sdem({
        loss,
        target: targetsFor(model, loss)[0],
        epochs: EPOCHS,
        batch: BATCH,
        margin: MARGIN,
        ...more,
      }),
  }
}

export const ncll = sdemWith("ncll")
export const hinge = sdemWith("hinge")

/** Posteriors, by sweeps. */
export const posterior: LearnerSpecimen = {
  name: "bayes",
  climbs: true,
  prior: 1,
  keepsPosterior: true,
  suits: believable,
  make: ({ steps = 12, start }) => bayes({ maxIterations: steps, tolerance: 0, start, unlabelled: 1 }),
}

/** Posteriors, by small steps. */
export const stochasticPosterior: LearnerSpecimen = {
  name: "bayes, batches",
  climbs: false,
  prior: 1,
  keepsPosterior: true,
  suits: believable,
  make: (_, __, { epochs = EPOCHS, batch = BATCH } = {}) => bayes({ epochs, batch, unlabelled: 1 }),
}

/** Kinds of structures over the steps of rows, which share parameters. */
const STEPPED: ReadonlySet<string> = new Set(["chain", "plate", "dynamicNetwork"])

export const learners: readonly LearnerSpecimen[] = [
  emWith("em, MAP", 1),
  emWith("em, ML", 0),
  online,
  ncll,
  hinge,
  posterior,
  stochasticPosterior,
]

/** Does bayes() keep a posterior of all parameters of the model? */
function believable(model: Model): true | string {
  if (isScaled(model)) return "a scaled document has no posterior"
  const known = new Set(beliefs.map(({ family }) => family))
  const visit = (spec: unknown): boolean => {
    if (typeof spec !== "object" || spec === null) return true
    const { kind, family } = spec as { kind?: unknown; family?: unknown }
    if (STEPPED.has(kind as string) || (typeof family === "string" && !known.has(family))) return false
    return Object.values(spec).every(visit)
  }
  if (hasLines(model)) return "posteriors do not integrate out missing numbers that others depend on"
  return visit(model.spec) || "the model has parameters without a posterior here"
}

/** Every column that can be a target: labels first, then leaves with levels, then, for the conditional likelihood, numbers. */
export function targetsFor(model: Model, loss: "ncll" | "hinge"): string[] {
  const named = [...labelsOf(model), ...columnsOf(model, "level")]
  if (loss === "hinge") return named
  // what a regression reads cannot be the target while what reads it is seen
  const reads = readsOf(model)
  const numbers = [...columnsOf(model, "number"), ...columnsOf(model, "count")]
  return [...named, ...numbers.filter(name => !reads.includes(name))]
}

function whyNot(model: Model): string {
  return columnsOf(model, "number").length + columnsOf(model, "count").length > 0
    ? "the hinge loss needs a target with levels"
    : "a bag of words cannot be a target"
}
