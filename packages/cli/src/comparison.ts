/** Ways to learn one model, cross-validated on the same folds. */
import { setImmediate } from "node:timers/promises"
import { type Columns, SufficeError } from "suffice"
import { folds as cut, pairedInterval, type Split, split } from "suffice/measure"
import type { CompareAnswer, ContestantAnswer } from "./answers.ts"
import type { Contestant, Score } from "./contestants.ts"
import type { LooseModel } from "./loose.ts"
import { recommendation } from "./recommendation.ts"
import { rowCount } from "./tabular.ts"
import type { StageAnswer } from "./training.ts"
import type { Work } from "./work.ts"

/** The shares of the training rows at which the learning curve is drawn, besides all of them. */
const SHARES = [0.05, 0.1, 0.25, 0.5]
/** The fewest rows per level for a point of a curve. */
const LEAST_PER_LEVEL = 3

/** A model, and the rows on which ways to learn it are compared. */
export interface Comparison {
  readonly model: LooseModel
  readonly columns: Columns
  readonly label: string
  readonly folds: number
  readonly seed: number
  /** True if the learning curve is computed. */
  readonly curve: boolean
  readonly contestants: readonly Contestant[]
}

/** Cross-validate every contestant. A label that is not a column of the rows belongs to their steps. */
export async function compared(
  work: Pick<Work, "signal" | "progress">,
  comparison: Comparison,
): Promise<CompareAnswer> {
  const { columns, label, folds, seed, curve, contestants } = comparison
  const parts = cut(columns, folds, { seed, ...(label in columns && { stratify: label }) })
  const shares = curve ? sharesOf(parts[0].train, label) : []
  const bar = work.progress("comparing", contestants.length * folds * (1 + shares.length), "fits")
  const answers: ContestantAnswer[] = []
  for (const contestant of contestants) {
    const fits: Fits = {
      ...{ contestant, comparison, parts, shares, signal: work.signal },
      done: () => bar.advance(1, contestant.name),
    }
    answers.push(await played(fits))
  }
  bar.stop()
  const answer = { label, folds, contestants: answers, ...differencesOf(answers) }
  return { ...answer, recommendation: recommendation(answer) }
}

/** The best, and how much better it is than each other. */
function differencesOf(answers: readonly ContestantAnswer[]): Pick<CompareAnswer, "best" | "differences"> {
  const took = answers.filter(one => one.refused === undefined)
  const best = took.reduce((top, one) => (one.accuracy > top.accuracy ? one : top))
  const differences = took
    .filter(one => one !== best)
    .map(one => {
      const each = best.folds.map((fold, f) => fold.accuracy - one.folds[f].accuracy)
      return { against: one.name, difference: best.accuracy - one.accuracy, interval: pairedInterval(each) }
    })
  return { best: best.name, differences }
}

/** The shares that have enough rows for a point of the curve. */
function sharesOf(train: Columns, label: string): number[] {
  const rows = rowCount(train)
  const levels = new Set(Array.from(train[label], String)).size
  return SHARES.filter(share => share * rows >= Math.max(LEAST_PER_LEVEL * levels, 10))
}

/** All fits of one contestant. */
interface Fits {
  readonly contestant: Contestant
  readonly comparison: Comparison
  readonly parts: readonly Split<Columns>[]
  readonly shares: readonly number[]
  readonly signal: AbortSignal
  readonly done: () => void
}

async function played(fits: Fits): Promise<ContestantAnswer> {
  const { name, kind } = fits.contestant
  try {
    const began = performance.now()
    const { folds, stages } = await playedFolds(fits)
    const seconds = (performance.now() - began) / 1000
    const curve = await playedCurve(fits)
    const accuracy = meanOf(folds.map(fold => fold.accuracy))
    const losses = folds.flatMap(fold => fold.logLoss ?? [])
    const logLoss = losses.length === folds.length ? meanOf(losses) : undefined
    const all = { rows: rowCount(fits.parts[0].train), ...pointOf(folds.map(fold => fold.accuracy)) }
    return {
      name,
      kind,
      accuracy: accuracy.mean,
      accuracyStandardError: accuracy.error,
      ...(logLoss && { logLoss: logLoss.mean, logLossStandardError: logLoss.error }),
      folds,
      ...(stages && { stages }),
      seconds,
      curve: [...curve, all],
    }
  } catch (error) {
    if (!(error instanceof SufficeError) || fits.signal.aborted) throw error
    const nothing = { accuracy: 0, accuracyStandardError: 0, folds: [], seconds: 0, curve: [] }
    return { name, kind, refused: error.message, ...nothing }
  }
}

async function playedFolds({ contestant, comparison, parts, signal, done }: Fits): Promise<{
  readonly folds: readonly Score[]
  readonly stages: readonly StageAnswer[] | undefined
}> {
  const folds: Score[] = []
  let stages: readonly StageAnswer[] | undefined
  for (const { train, test } of parts) {
    const { model, seed } = comparison
    const { training, ...score } = await contestant.play(model, train, test, seed, signal)
    stages ??= training?.stages
    folds.push(score)
    done()
    await setImmediate()
    signal.throwIfAborted()
  }
  return { folds, stages }
}

async function playedCurve({
  contestant,
  comparison: { model, label, seed },
  parts,
  shares,
  signal,
  done,
}: Fits): Promise<ContestantAnswer["curve"]> {
  const points = shares.map(() => ({ rows: 0, scores: [] as number[] }))
  for (const { train, test } of parts) {
    for (const [s, share] of shares.entries()) {
      const some = split(train, { test: share, stratify: label, seed }).test
      points[s].rows = rowCount(some)
      points[s].scores.push((await contestant.play(model, some, test, seed, signal)).accuracy)
      done()
      await setImmediate()
      signal.throwIfAborted()
    }
  }
  return points.map(({ rows, scores }) => ({ rows, ...pointOf(scores) }))
}

function pointOf(scores: readonly number[]): { accuracy: number; standardError: number } {
  const { mean, error } = meanOf(scores)
  return { accuracy: mean, standardError: error }
}

/** The mean over folds, and its standard error. */
function meanOf(values: readonly number[]): { mean: number; error: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) }
}
