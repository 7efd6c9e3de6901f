/** Saved models and answers of every specimen of the laws, learned from a few rows with fixed seeds by every learner. */
import * as suffice from "suffice"
import { type FamilyKind, type Fitted, fit, type Model } from "suffice"
import { type LearnerSpecimen, learners, type ModelSpecimen, modelsOf, nested, variants } from "suffice-laws"
import { digest, type Table } from "./record.ts"

const ROWS = 40
const ASKED = 12
const STEPS = 4
const NONE = "does not apply"
/** States of the data whose models answer. */
const STATES = ["complete", "missing cells, weights, soft labels"]
/** Learners whose models answer. */
const LEARNERS = ["em, MAP", "bayes"]

type Row = Readonly<Record<string, unknown>>
type Answers = Record<string, (...args: never[]) => unknown>

/** One row per specimen whose name holds one of the words, or per specimen. */
export async function modelTable(words: readonly string[]): Promise<Table> {
  const specimens = [...nested, ...kinds().flatMap(modelsOf)]
  const chosen = specimens.filter(({ name }) => words.length === 0 || words.some(word => name.includes(word)))
  const table = new Map<string, Record<string, string>>()
  for (const specimen of chosen) table.set(specimen.name, await digestsOf(specimen))
  return table
}

/** Kinds of families that the package exports. */
function kinds(): FamilyKind[] {
  return Object.values(suffice).filter(
    (value): value is FamilyKind => typeof value === "object" && value !== null && "specimens" in value,
  )
}

/** Digests of the rows, of the model by each learner, and of the answers. */
async function digestsOf(specimen: ModelSpecimen): Promise<Record<string, string>> {
  const model = specimen.build(() => true)
  const [die, other] = [suffice.dice(1), suffice.dice(2)]
  const rows = Array.from({ length: ROWS }, () => specimen.row(die))
  const questions = Array.from({ length: ASKED }, () => specimen.row(other))
  const cells: Record<string, string> = { rows: digest([rows, questions]) }
  const answering: Fitted[] = []
  for (const learner of learners) {
    const learned = await learnedBy(learner, model, rows)
    const saved = learned.map(one => (typeof one === "string" ? one : JSON.stringify(one)))
    cells[learner.name] = saved.every(text => text === NONE) ? "–" : digest(saved)
    if (LEARNERS.includes(learner.name)) answering.push(...learned.filter(isAnswering))
  }
  for (const [answer, question] of Object.entries(ANSWERS)) {
    const given = answering.map(fitted => triedOn(fitted, model, questions, question))
    cells[answer] = digest(given)
  }
  return cells
}

function isAnswering(learned: Fitted | string, i: number): learned is Fitted {
  return typeof learned !== "string" && STATES.includes(variants[i].name)
}

/** A model per state of the data, or the code of the error. */
async function learnedBy(
  learner: LearnerSpecimen,
  model: Model,
  rows: readonly Row[],
): Promise<(Fitted | string)[]> {
  const learned: (Fitted | string)[] = []
  for (const { suits, dress } of variants) {
    const fine = suits(model) === true && (learner.suits?.(model) ?? true) === true
    if (!fine) {
      learned.push(NONE)
      continue
    }
    const { data, options } = dress(rows as never, model, suffice.dice(3))
    const how = { ...options, seed: 4, threads: 1, learner: learner.make({ steps: STEPS }, model) }
    learned.push(await fit(model, data as never, how as never).catch(codeOf))
  }
  return learned
}

type Question = (fitted: Answers, rows: readonly Row[], target: string | undefined) => unknown

/** Every answer as a function of rows and a target. */
const ANSWERS: Readonly<Record<string, Question>> = {
  describe: fitted => fitted.describe(),
  criteria: fitted => fitted.criteria(),
  posterior: (fitted, rows, target) => ask(fitted.posterior, fitted, rows, target),
  predict: (fitted, rows, target) => ask(fitted.predict, fitted, rows, target),
  path: (fitted, rows, target) => ask(fitted.path, fitted, rows, target),
  decide: (fitted, rows, target) => ask(fitted.decide, fitted, rows, target),
  explain: (fitted, rows, target) => ask(fitted.explain, fitted, rows[0], target),
  toLinear: (fitted, _, target) => fitted.toLinear(...([target === undefined ? {} : { target }] as never[])),
  logDensity: (fitted, rows) => ask(fitted.logDensity, fitted, rows),
  responsibilities: (fitted, rows) => ask(fitted.responsibilities, fitted, rows),
  impute: (fitted, rows) => ask(fitted.impute, fitted, rows.map(withHole)),
  anomalies: (fitted, rows) => ask(fitted.anomalies, fitted, rows),
  prototypes: (fitted, rows) => ask(fitted.prototypes, fitted, rows),
  marginals: (fitted, rows) => ask(fitted.marginals, fitted, rows.map(withHole)),
  mostProbable: (fitted, rows) => ask(fitted.mostProbable, fitted, rows.map(withHole)),
  proportions: (fitted, rows) => ask(fitted.proportions, fitted, rows),
  forecast: (fitted, rows) => fitted.forecast(...([rows, { steps: 2 }] as never[])),
  draws: fitted => fitted.draws(...([2, { seed: 6 }] as never[])),
  sample: (fitted, rows) => fitted.sample(...([4, { seed: 7, given: rows[0] }] as never[])),
  sampleAlone: fitted => fitted.sample(...([4, { seed: 7 }] as never[])),
}

function ask(
  method: (...args: never[]) => unknown,
  fitted: Answers,
  rows: unknown,
  target?: string,
): unknown {
  return method.apply(fitted, [rows, target === undefined ? {} : { target }] as never[])
}

/** The row with one missing cell, in another column for each row. The first is not missing, since regressions read it. */
function withHole(row: Row, i: number): Row {
  const columns = Object.keys(row).slice(1)
  return columns.length === 0 ? row : { ...row, [columns[i % columns.length]]: null }
}

/** The answer without a target, and for each column and latent variable; an error is its code. */
function triedOn(fitted: Fitted, model: Model, rows: readonly Row[], question: Question): unknown[] {
  const columns = new Set([...model.uses.map(({ column }) => column), ...Object.keys(fitted.describe())])
  const targets = question.length > 2 ? [undefined, ...columns] : [undefined]
  return targets.map(target => {
    try {
      return question(fitted as unknown as Answers, rows, target)
    } catch (error) {
      return codeOf(error)
    }
  })
}

function codeOf(error: unknown): string {
  if (error instanceof suffice.SufficeError) return `error ${error.code}`
  throw error
}
