/** What choosing is given: models and learners by name, checked and paired; options. */
import type { Model } from "../contract/model.ts"
import { isSource } from "../data/read.ts"
import { list, SufficeError, show, wrongOption } from "../errors.ts"
import { em } from "../learners/em.ts"
import { checkSeed, expected } from "../option-checks.ts"
import type { Candidate, Candidates, ChooseOptions, Criterion } from "./choose.ts"
import type { Pair } from "./trial.ts"

const CRITERIA: readonly Criterion[] = ["logLoss", "completion", "aic", "bic", "icl", "evidence"]

export const OPTIONS = Object.keys({
  learners: true,
  criterion: true,
  target: true,
  folds: true,
  group: true,
  time: true,
  budget: true,
  calibrate: true,
  baselines: true,
  onTrial: true,
  seed: true,
  weight: true,
  classWeights: true,
  threads: true,
  spill: true,
  signal: true,
  onStep: true,
  onRows: true,
  checkpoint: true,
} satisfies Record<keyof ChooseOptions, true>)

export function defaultOf(pairs: readonly Pair[], target: string | undefined): Criterion {
  if ((target ?? pairs[0].of.target) !== undefined) return "logLoss"
  return pairs.every(({ by }) => by.beliefs) ? "evidence" : "bic"
}

export function checkChoosing(criterion: Criterion, options: ChooseOptions): void {
  if (!CRITERIA.includes(criterion)) {
    throw wrongOption(
      "choose",
      "criterion",
      criterion,
      `It must be one of ${list(CRITERIA)}. Leave it out for "logLoss", or "bic" where there is no target.`,
    )
  }
  const { target, folds, budget, calibrate, baselines, onTrial, seed } = options
  const cut = Number.isSafeInteger(folds) && folds! >= 2
  expected("choose", "folds", folds, cut, "be a whole number ≥ 2", "{ folds: 5 }")
  expected("choose", "target", target, typeof target === "string", "name a column", '{ target: "y" }')
  const spends = typeof budget === "number" && budget > 0
  expected("choose", "budget", budget, spends, "be a number above 0", "{ budget: 20 }")
  const either = typeof calibrate === "boolean"
  expected("choose", "calibrate", calibrate, either, "be true or false", "{ calibrate: false }")
  const listed = Object.values(baselines ?? {}).flat()
  const fits = typeof baselines === "object" && listed.every(one => typeof one?.fit === "function")
  expected(
    "choose",
    "baselines",
    baselines,
    fits,
    "hold baselines by name",
    "{ baselines: { line: logisticRegression() } }",
  )
  const hears = typeof onTrial === "function"
  expected("choose", "onTrial", onTrial, hears, "be a function", "{ onTrial: trial => … }")
  checkSeed("choose", seed)
}

export function pairsOf(models: Candidates<unknown, string>, learners: ChooseOptions["learners"]): Pair[] {
  const given = learners ?? { em: em() }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw wrongOption("choose", "learners", learners, LEARNERS)
  }
  if (typeof models !== "object" || models === null || isSource(models as never)) throw nothing(models)
  const named: readonly Candidate[] = Array.isArray(models)
    ? models
    : Object.entries(models as Readonly<Record<string, Model>>).map(([name, model]) => ({ name, model }))
  const pairs: Pair[] = []
  const names = new Set<string>()
  for (const candidate of named) {
    const { name, model } = candidate ?? {}
    if (typeof name !== "string" || typeof model?.lay !== "function" || names.has(name)) {
      throw noCandidate(name, model, names.has(name))
    }
    names.add(name)
    Object.entries(candidate.learners ?? given).forEach(([learner, by], learnerPlace) => {
      if (typeof by?.learn !== "function") throw wrongOption("choose", `learners.${learner}`, by, LEARNERS)
      pairs.push({ model: name, learner, of: model, by, place: pairs.length, learnerPlace })
    })
  }
  if (pairs.length === 0) throw nothing(models)
  return pairs
}

const LEARNERS = "Learners come by name. Write for example { learners: { counting: em(), ncll: sdem() } }."

function nothing(models: unknown): SufficeError {
  return new SufficeError(
    "option",
    `choose: the models are ${show(models)}. There must be something to choose from. Give models by name, for example { two: mixture(2, body), three: mixture(3, body) }.`,
  )
}

function noCandidate(name: unknown, model: unknown, twice: boolean): SufficeError {
  return new SufficeError(
    "option",
    twice
      ? `choose: two models are called ${show(name)}. The answer says by name which was chosen. Rename one of them.`
      : `choose: the candidate ${show(name)} is ${show(model)}. A candidate is a model with a name. Write for example { nb: classes("y", body) } or [{ name: "nb", model: classes("y", body) }].`,
    { name },
  )
}

export function noTarget(): SufficeError {
  return new SufficeError(
    "target",
    'choose: the models have no label, and no target is named. The log-loss is that of a column given the others. Name it with { target: "y" }, or choose by { criterion: "bic" }.',
  )
}
