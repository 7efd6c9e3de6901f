/** Our side of the study of chains: fits at default settings. */
import {
  categorical,
  chain,
  classes,
  dice,
  em,
  fit,
  gaussian,
  independent,
  type Learner,
  multinomial,
  poisson,
} from "suffice"
import { sdem } from "suffice/learn"
import { evaluate } from "suffice/measure"
import type { Movement, Name, Sentence, Series } from "./corpora.ts"
import type { Features } from "./features.ts"

export type How = "counting" | "ncll" | "hinge"

/** Counting: tags that are missing count nothing. */
const learnerOf = (how: How): Learner => (how === "counting" ? em({ unlabelled: 0 }) : sdem({ loss: how }))

export interface TaggedAnswer {
  /** By the most probable path. */
  readonly predicted: readonly (readonly string[])[]
  /** −ln p(all tags | words) of a sentence, per token. */
  readonly logLoss: number
  /** Processor time of the fit, reading included. */
  readonly seconds: number
}

interface Steps {
  readonly features: readonly (readonly string[])[]
  readonly tag: readonly (string | null)[]
}

export function rowsOf(
  sentences: readonly Sentence[],
  features: Features,
  keeps: () => boolean = () => true,
): { readonly tokens: Steps }[] {
  return sentences.map(sentence => ({
    tokens: { features: features(sentence), tag: sentence.map(({ tag }) => (keeps() ? tag : null)) },
  }))
}

export interface TagOptions {
  /** Of the counts of words: raw and with few pseudo-counts for counting, the default of the learner otherwise. */
  readonly words?: { readonly scaling: "raw"; readonly prior: number }
  /** The share of tags that are removed, at random. */
  readonly removed?: number
  readonly seed?: number
}

export async function tagged(
  train: readonly Sentence[],
  test: readonly Sentence[],
  features: Features,
  how: How,
  { words = { scaling: "raw", prior: 0.1 }, removed = 0, seed = 0 }: TagOptions = {},
): Promise<TaggedAnswer> {
  const model = chain("tag", independent({ features: multinomial(how === "counting" ? words : {}) }), {
    column: "tokens",
    ends: true,
  })
  const draws = dice(20261118)
  const rows = rowsOf(train, features, removed === 0 ? undefined : () => draws.uniform() >= removed)
  const start = process.cpuUsage()
  const fitted = await fit(model, rows as never, { learner: learnerOf(how), seed, threads: 1 })
  const { user, system } = process.cpuUsage(start)
  const measured = rowsOf(test, features)
  const asked = measured.map(({ tokens }) => ({ tokens: { features: tokens.features } }))
  return {
    predicted: fitted.path(asked as never).map(({ values }) => values.map(String)),
    logLoss: evaluate(fitted, measured as never).sequences.logLoss,
    seconds: (user + system) / 1e6,
  }
}

function shuffled(size: number, seed: number): number[] {
  const order = Int32Array.from({ length: size }, (_, i) => i)
  dice(seed).shuffle(order)
  return [...order]
}

/** `classes("gender", chain(8, letters))`: mean accuracy and log-loss of five folds. */
export async function namesBy(
  names: readonly Name[],
  learner: Learner,
): Promise<{ accuracy: number; logLoss: number }> {
  const model = classes(
    "gender",
    chain(8, independent({ letter: categorical() }), { column: "letters", ends: true }),
  )
  const fold = shuffled(names.length, 0).map(place => place % 5)
  const each: { accuracy: number; logLoss: number }[] = []
  for (let k = 0; k < 5; k++) {
    const train = names.filter((_, i) => fold[i] !== k)
    const test = names.filter((_, i) => fold[i] === k)
    const fitted = await fit(model, train as never, { learner, seed: k, threads: 1 })
    const { accuracy, logLoss } = evaluate(fitted, test as never) as { accuracy: number; logLoss: number }
    each.push({ accuracy, logLoss })
  }
  const mean = (of: (one: (typeof each)[number]) => number) =>
    each.reduce((sum, one) => sum + of(one), 0) / each.length
  return { accuracy: mean(one => one.accuracy), logLoss: mean(one => one.logLoss) }
}

/** A tagger of diagonal normals: the share of steps whose action the most probable path has right. */
export async function movementBy({ columns, pieces }: Movement, how: How, seed: number): Promise<number> {
  const body = independent(Object.fromEntries(columns.map(name => [name, gaussian()])))
  const rows = pieces.map(({ cells, actions }) => ({
    steps: cells.map((step, t) => ({
      ...Object.fromEntries(columns.map((name, j) => [name, step[j]])),
      action: actions[t],
    })),
  }))
  const order = shuffled(rows.length, seed)
  const held = Math.round(0.3 * rows.length)
  const test = order.slice(0, held).map(i => rows[i])
  const train = order.slice(held).map(i => rows[i])
  const fitted = await fit(chain("action", body), train as never, {
    learner: learnerOf(how),
    seed,
    threads: 1,
  })
  const asked = test.map(({ steps }) => ({ steps: steps.map(({ action: _, ...rest }) => rest) }))
  const paths = fitted.path(asked as never)
  const right = test.flatMap(({ steps }, i) =>
    steps.map(({ action }, t) => Number(action === paths[i].values[t])),
  )
  return right.reduce((sum, one) => sum + one, 0) / right.length
}

const NONE = { prior: 0 }
const bodyOf = (kind: Series["kind"]) =>
  independent({ x: kind === "poisson" ? poisson(NONE) : gaussian(NONE) })

/** The best log-likelihood of many starts, without priors. */
export async function optimumOf({ kind, states, values }: Series, restarts: number): Promise<number> {
  const learner = em({ prior: 0, restarts, maxIterations: 1000, tolerance: 1e-8 })
  const fitted = await fit(chain(states, bodyOf(kind) as never, NONE), [{ steps: values }] as never, {
    learner,
    seed: 1,
  })
  return fitted.training!.logLikelihood
}

export interface Parameters {
  readonly initial: readonly number[]
  readonly transitions: readonly (readonly number[])[]
  readonly means: readonly number[]
  /** None of Poisson. */
  readonly variances: readonly number[]
}

/** The parameters after so many iterations of EM from a start. */
export async function parametersFrom(
  { kind, states, values }: Series,
  start: Parameters,
  iterations: number,
): Promise<Parameters> {
  const byState = <T>(of: (l: number) => T) => Object.fromEntries(start.initial.map((_, l) => [l, of(l)]))
  const described = {
    steps: {
      initial: byState(l => start.initial[l]),
      transitions: byState(i => byState(j => start.transitions[i][j])),
      given: byState(l => ({
        x:
          kind === "poisson"
            ? { family: "poisson", rate: start.means[l] }
            : { family: "gaussian", mean: start.means[l], sd: Math.sqrt(start.variances[l]) },
      })),
    },
  }
  const learner = em({ prior: 0, start: described as never, maxIterations: iterations, tolerance: 0 })
  const fitted = await fit(chain(states, bodyOf(kind) as never, NONE), [{ steps: values }] as never, {
    learner,
  })
  const found = fitted.describe().steps as unknown as {
    readonly initial: Readonly<Record<string, number>>
    readonly transitions: Readonly<Record<string, Readonly<Record<string, number>>>>
    readonly given: Readonly<
      Record<string, { readonly x: { readonly mean?: number; readonly rate?: number; readonly sd?: number } }>
    >
  }
  const each = Object.values(found.given)
  return {
    initial: Object.values(found.initial),
    transitions: Object.values(found.transitions).map(row => Object.values(row)),
    means: each.map(({ x }) => x.mean ?? x.rate!),
    variances: each.flatMap(({ x }) => (x.sd === undefined ? [] : [x.sd ** 2])),
  }
}
