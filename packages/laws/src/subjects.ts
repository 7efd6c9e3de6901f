/** The entries of the matrix: a model, a state of the data and a learner. */
import type { Description, Model } from "suffice"
import { densities, fit, type LooseFitted, type LooseRow, learn } from "./api.ts"
import type { Law, Subject, Trial } from "./law.ts"
import { type LearnerSpecimen, learners, posterior } from "./learners.ts"
import {
  columnsOf,
  featuresOf,
  hasNetwork,
  hidesInside,
  holds,
  isMixture,
  isScaled,
  labelsOf,
  type ModelSpecimen,
  modelOf,
} from "./models.ts"
import { type Probe, solved } from "./probe.ts"
import { complete, type Dressed, type Variant, variants } from "./variants.ts"

export interface ModelSubject extends Subject {
  readonly specimen: ModelSpecimen
  readonly model: Model
  readonly variant: Variant
  readonly learner: LearnerSpecimen
}

function subjectOf(
  specimen: ModelSpecimen,
  variant: Variant,
  learner: LearnerSpecimen,
  name: string,
): ModelSubject {
  return { name, specimen, model: modelOf(specimen), variant, learner }
}

/** Models on complete rows, learned by the first learner. */
export function modelSubjects(specimens: readonly ModelSpecimen[]): ModelSubject[] {
  return specimens.map(specimen => subjectOf(specimen, complete, learners[0], specimen.name))
}

/** Models that have a posterior, on complete rows. */
export function posteriorSubjects(specimens: readonly ModelSpecimen[]): ModelSubject[] {
  return specimens
    .map(specimen => subjectOf(specimen, complete, posterior, specimen.name))
    .filter(({ model }) => posterior.suits!(model) === true)
}

/** Models × variants × learners. */
export function matrixSubjects(specimens: readonly ModelSpecimen[]): ModelSubject[] {
  return specimens.flatMap(specimen =>
    variants.flatMap(variant =>
      learners.map(learner =>
        subjectOf(specimen, variant, learner, `${specimen.name} · ${variant.name} · ${learner.name}`),
      ),
    ),
  )
}

/** Does the state of the data suit the model at all, and the model the learner? */
export function suits({ variant, model, learner }: ModelSubject): true | string {
  const fine = variant.suits(model)
  return fine === true ? (learner.suits?.(model) ?? true) : fine
}

/** Trials of laws that hold for every learner: a learner of small steps is many fits in one. */
export function effort({ learner }: ModelSubject): number {
  return learner.climbs ? 1 : 0.34
}

export function rowsOf({ specimen }: ModelSubject, { dice, rows }: Trial): LooseRow[] {
  return Array.from({ length: rows }, () => specimen.row(dice))
}

export function dressed(subject: ModelSubject, trial: Trial): Dressed {
  return subject.variant.dress(rowsOf(subject, trial), subject.model, trial.dice)
}

interface FitHow {
  readonly steps?: number
  readonly seed?: number
  readonly start?: Description | undefined
  readonly model?: Model
}

export function fitted(
  { model: own, learner }: ModelSubject,
  { data, options }: Pick<Dressed, "data" | "options">,
  { steps, seed, start, model = own }: FitHow = {},
): Promise<LooseFitted> {
  return fit(model, data, {
    ...options,
    seed: seed ?? 0,
    learner: learner.make({ steps: steps ?? 6, start }, model),
  })
}

/** The first run alone, for comparing two fits: whether a component is reseeded may depend on the last bit. */
export async function firstRun(
  { model: own, learner }: ModelSubject,
  { data, options }: Pick<Dressed, "data" | "options">,
  { steps, seed, start, model = own }: FitHow = {},
): Promise<LooseFitted> {
  const how = { ...options, seed: seed ?? 0, learner: learner.make({ steps: steps ?? 3, start }, model) }
  for await (const step of learn(model, data, how)) if (step.stopped) return step.fitted()
  throw new Error("the learner took no last step.")
}

type Switch = { readonly given: Readonly<Record<string, Description>> }

function isSwitch(entry: unknown): entry is Switch {
  return typeof entry === "object" && entry !== null && "probabilities" in entry && "given" in entry
}

/** The switches of a description, including hidden ones. One that occurs only under some values of another cannot be a target. */
export function switchesIn(description: Description): string[] {
  return Object.entries(description).flatMap(([column, entry]) => {
    if (!isSwitch(entry)) return []
    const below = Object.values(entry.given).map(switchesIn)
    return [...new Set([column, ...below[0].filter(name => below.every(names => names.includes(name)))])]
  })
}

/** Everything with levels that can be a target. */
export function targetsOf({ model }: ModelSubject, description: Description): string[] {
  return [...new Set([...labelsOf(model), ...columnsOf(model, "level"), ...switchesIn(description)])]
}

/** All answers about the rows, as one list of numbers: what "the same model" means. */
export function answers(subject: ModelSubject, model: LooseFitted, rows: readonly LooseRow[]): Float64Array {
  const lists = [densities(model, rows)]
  for (const target of targetsOf(subject, model.describe())) {
    lists.push(model.posterior(rows, { target }).probabilities)
  }
  const all = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all
}

/** θ after a few EM steps of a probed model, by hand. */
export async function someParameters(found: Probe, steps = 3): Promise<Float64Array> {
  let stats = await found.problem.start.guess(found.dice)
  for (let step = 0; step < steps; step++)
    stats = (await found.problem.data.sweep(solved(found, stats, 1))).stats
  return solved(found, stats, 1)
}

export function noBagsOnly({ model }: ModelSubject): true | string {
  return (
    columnsOf(model, "bag").length < featuresOf(model).length ||
    "bags have no density of their own: their length is given"
  )
}

const NO_LENGTH = "how many steps a row has is given, not modelled"
const STEP_BY_STEP = "it goes by the cells of rows: those of steps are tried in structures/plate.test.ts"

/** Laws that speak of rows alone, and why they do not speak of rows with steps. */
const OF_ROWS_ALONE: ReadonlyMap<string, string> = new Map([
  ["A9.model", NO_LENGTH],
  ["A9.likely", NO_LENGTH],
  ["A9.sample", NO_LENGTH],
  ["A9.evidence", NO_LENGTH],
  ["A9.recovered", NO_LENGTH],
  ["A6.explained", STEP_BY_STEP],
  ["A6.linear", STEP_BY_STEP],
  ["A2.linear", STEP_BY_STEP],
])

const ENUMERATED = "networks are enumerated by structures/network/enumeration.test.ts"

/** Laws that speak of switches, and why they do not speak of networks. */
const OF_SWITCHES_ALONE: ReadonlyMap<string, string> = new Map([
  ["A6.worlds", ENUMERATED],
  ["A6.numbers", ENUMERATED],
  ["A3.bound", "a network does not tell the entropy of what is missing in it"],
  ["A10.components", "the tables of a network are not turned round here"],
  ["A10.numbers", "the tables of a network are not turned round here"],
])

/** The same laws; of models with steps or networks, those that can be tried on them. */
export function minding(laws: readonly Law<ModelSubject>[]): Law<ModelSubject>[] {
  return laws.map(law => {
    const ofRows = OF_ROWS_ALONE.get(law.id)
    const ofSwitches = OF_SWITCHES_ALONE.get(law.id)
    if (ofRows === undefined && ofSwitches === undefined) return law
    const applies = (subject: ModelSubject): true | string => {
      if (ofRows !== undefined && holds(subject.model, "steps")) return ofRows
      const fine = law.applies(subject)
      return fine === true && ofSwitches !== undefined && hasNetwork(subject.model) ? ofSwitches : fine
    }
    return { ...law, applies }
  })
}

export function hasDensity({ model }: ModelSubject): true | string {
  if (isScaled(model)) return "a scaled document has no density"
  return !hidesInside(model) || "topics have no density, but a bound"
}

export function hasHidden({ model }: ModelSubject): true | string {
  return isMixture(model) || "nothing is hidden: there is nothing to start from"
}

/** A law of models, applied with another learner. */
export function learnedBy(law: Law<ModelSubject>, learner: LearnerSpecimen, id: string): Law<ModelSubject> {
  return {
    ...law,
    id: `${law.id}.${id}`,
    name: `${law.name}, learned by ${learner.name}`,
    effort: 0.34,
    applies(subject) {
      const fine = law.applies({ ...subject, learner })
      return fine === true ? learner.suits!(subject.model) : fine
    },
    check: (subject, trial) => law.check({ ...subject, learner }, trial),
  }
}
