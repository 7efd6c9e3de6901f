/**
 * Candidates against each other, stage by stage (successive halving). What loses more than the best by over two standard errors can no longer win, and
 * is dropped; the others go on, the best first, as far as the budget reaches. Every fit has its price before it is begun (price.ts).
 *
 * Where a sample is smaller than what the chosen one will learn from, what counts is not what a candidate lost there, but what it may be expected to lose
 * on all rows (`expectedLoss`): large models need more of them.
 */
import type { Batch } from "../data/read.ts"
import { SufficeError } from "../errors.ts"
import {
  expectedLoss,
  HARDLY,
  lossDifference,
  meanLoss,
  oneStandardError,
} from "../measure/one-standard-error.ts"
import { pause } from "../pause.ts"
import { dice } from "../random.ts"
import type { FitOptions } from "./fit.ts"
import type { Split } from "./split.ts"
import { type Stage, some } from "./stages.ts"
import {
  calibratedLosses,
  type Heldout,
  type Judging,
  joined,
  type Pair,
  type Softening,
  softenedLoss,
  train,
} from "./trial.ts"

export interface Contest {
  readonly judging: Judging
  readonly seed: number
  /** What may be spent, and what learning the chosen one from all rows may cost beside it: as `price` counts. */
  readonly budget: number
  readonly most: number
  readonly price: (pair: Pair, rows: number) => number
  readonly calibrate: boolean
  /** Rows that the chosen one will learn from. */
  readonly rows: number
  readonly fitting: FitOptions
  readonly onTrial:
    | ((trial: { readonly model: string; readonly learner: string; readonly rows: number }) => void)
    | undefined
}

/** One pair on its way through the stages. */
export interface Runner {
  readonly pair: Pair
  readonly free: number
  /** Rows it learned from last, and how many folds of them there are. */
  readonly rows: number
  readonly folds: number
  readonly held: Heldout
  /** Its two forms; calibrated where that was asked for and can be. */
  readonly plain: Form
  readonly calibrated: (Form & { readonly softening: Softening }) | undefined
  readonly dropped?: string
  readonly refused?: string
}

/** What was lost row by row, and the mean to be expected on all rows. */
export interface Form {
  readonly losses: Float64Array
  readonly expected: number
}

export interface Raced {
  /** All that were given, in that order. */
  readonly all: readonly Runner[]
  /** Those that were judged on the same rows to the end. */
  readonly last: readonly Runner[]
  /** What they learned from, and were judged on, in order. */
  readonly parts: readonly Split<Batch>[]
  readonly spent: number
}

/** A candidate that trails by more standard errors than this cannot win any more. */
const SURE = 2
/** The share of the budget that the first look at everything may take, where more stages follow. */
const LOOK = 0.6
/** Rows learned from that are asked as well, where the sample is not all. */
const ASKED = 1000

export async function race(
  pairs: readonly Pair[],
  stages: readonly Stage[],
  contest: Contest,
): Promise<Raced> {
  const { budget, most, price, rows } = contest
  const found = new Map<Pair, Runner>()
  let spent = 0
  let last: readonly Runner[] = []
  let parts: readonly Split<Batch>[] = []
  const drop = (pair: Pair, why: string): void => {
    found.set(pair, { ...(found.get(pair) ?? unknown(pair)), dropped: why })
  }
  const affordable = pairs.filter(pair => price(pair, rows) <= most)
  for (const pair of pairs)
    if (!affordable.includes(pair)) drop(pair, "learning it from all rows costs too much")
  let racing = firstLook(affordable, price, stages[0])
  for (const [s, stage] of stages.entries()) {
    const costs = (pair: Pair): number => stage.parts.length * price(pair, stage.rows)
    const ends = s === stages.length - 1
    const limit = s === 0 && !ends ? LOOK * budget : budget
    const reached = s === 0 ? eachWithin(racing, costs, limit) : firstWithin(racing, costs, limit - spent)
    // the best alone cannot be compared: what the last stage told decides
    if (s > 0 && reached.length < Math.min(racing.length, 2)) break
    for (const pair of racing) if (!reached.includes(pair)) drop(pair, BEYOND)
    const ran: Runner[] = []
    for (const pair of reached) {
      const runner = await run(pair, found.get(pair), stage, contest)
      spent += costs(pair)
      found.set(pair, runner)
      if (runner.refused === undefined) ran.push(runner)
    }
    if (ran.length === 0) break
    last = ran
    parts = stage.anew ? stage.parts : [...parts, ...stage.parts]
    if (ends) break
    for (const runner of ran) {
      const dropped = chanceless(runner, ran)
      if (dropped !== undefined) drop(runner.pair, dropped)
    }
    last = ran.filter(({ pair }) => found.get(pair)!.dropped === undefined)
    racing = last.toSorted((a, b) => expectedOf(a) - expectedOf(b)).map(({ pair }) => pair)
    // alone, a larger sample tells nothing more; the other folds do
    if (last.length === 1 && stages[s + 1].anew) break
  }
  const all = pairs.map(pair => found.get(pair)!)
  if (last.length === 0) throw nobody(all)
  return { all, last: last.map(({ pair }) => found.get(pair)!), parts, spent }
}

const BEYOND = "the budget did not reach"

/** Every model with its simplest learner, in their order; then what costs least, which is mostly what gains most by another learner. */
function firstLook(pairs: readonly Pair[], price: Contest["price"], { rows }: Stage): Pair[] {
  const order = ({ learnerPlace, place }: Pair): number => (learnerPlace === 0 ? place - pairs.length : 0)
  return pairs.toSorted((a, b) => order(a) - order(b) || price(a, rows) - price(b, rows) || a.place - b.place)
}

/** Those that can still be paid when their turn comes; the first in any case. */
function eachWithin(pairs: readonly Pair[], costs: (pair: Pair) => number, limit: number): Pair[] {
  let spent = 0
  return pairs.filter((pair, i) => {
    if (i > 0 && spent + costs(pair) > limit) return false
    spent += costs(pair)
    return true
  })
}

/** The first of them, as far as they can be paid. */
function firstWithin(pairs: readonly Pair[], costs: (pair: Pair) => number, limit: number): Pair[] {
  const reached = eachWithin(pairs, costs, limit)
  const first = pairs.findIndex(pair => !reached.includes(pair))
  if (costs(pairs[0]) > limit) return []
  return first < 0 ? [...pairs] : pairs.slice(0, first)
}

/** Learn and judge once more; what a pair refuses is told. */
async function run(
  pair: Pair,
  before: Runner | undefined,
  stage: Stage,
  { judging, seed, calibrate, rows, fitting, onTrial }: Contest,
): Promise<Runner> {
  const held: Heldout[] = before && !stage.anew ? [before.held] : []
  const seen: Heldout[] = []
  const isPart = stage.anew && stage.rows < rows
  let free = Number.NaN
  try {
    for (const part of stage.parts) {
      const one = await train(
        pair,
        part,
        judging,
        fitting,
        isPart ? some(part.train, ASKED, seed) : undefined,
      )
      held.push(one)
      if (one.seen) seen.push(one.seen)
      free = one.free
      onTrial?.({ model: pair.model, learner: pair.learner, rows: stage.rows })
      await pause()
      fitting.signal?.throwIfAborted()
    }
  } catch (error) {
    if (!(error instanceof SufficeError) || fitting.signal?.aborted) throw error
    return { ...unknown(pair), refused: error.message }
  }
  const all = joined(held)
  const calibrated = calibrate ? calibratedLosses(all, dice(seed).fork(1)) : undefined
  const asked = seen.length > 0 ? joined(seen) : undefined
  const form = (losses: Float64Array, learned: number | undefined): Form => {
    const mean = meanLoss(losses, all.weights).difference
    return { losses, expected: learned === undefined ? mean : expectedLoss(mean, learned, stage.rows, rows) }
  }
  return {
    pair,
    free,
    rows: stage.rows,
    folds: (before && !stage.anew ? before.folds : 0) + stage.parts.length,
    held: all,
    plain: form(all.losses, asked && meanLoss(asked.losses, asked.weights).difference),
    calibrated: calibrated && {
      ...form(calibrated.losses, asked && softenedLoss(asked, calibrated.softening)),
      softening: calibrated.softening,
    },
  }
}

const NONE: Heldout = { losses: new Float64Array(0), weights: new Float64Array(0), posteriors: undefined }

function unknown(pair: Pair): Runner {
  const plain = { losses: NONE.losses, expected: Number.NaN }
  return { pair, free: Number.NaN, rows: 0, folds: 0, held: NONE, plain, calibrated: undefined }
}

/** The form that may be expected to lose less. */
export function better({ plain, calibrated }: Runner): Form {
  return calibrated && calibrated.expected < plain.expected ? calibrated : plain
}

function expectedOf(runner: Runner): number {
  return better(runner).expected
}

/** Why it cannot win any more, if so. */
function chanceless(runner: Runner, rivals: readonly Runner[]): string | undefined {
  const best = rivals.reduce((top, one) => (expectedOf(one) < expectedOf(top) ? one : top))
  if (runner === best) return undefined
  const { standardError } = lossDifference(better(runner).losses, better(best).losses, best.held.weights)
  const gap = expectedOf(runner) - expectedOf(best)
  if (gap <= Math.max(SURE * standardError, HARDLY) && standardError < Infinity) return undefined
  return `it loses ${gap.toPrecision(2)} more than ${nameOf(best.pair)}`
}

export function nameOf({ model, learner }: Pick<Pair, "model" | "learner">): string {
  return `${model} by ${learner}`
}

/** The losses of a form as they are to be expected on all rows, so that samples of different sizes are not held against anyone. */
function lifted({ losses, expected }: Form, weights: Float64Array): Float64Array {
  const shift = expected - meanLoss(losses, weights).difference
  return shift === 0 || !Number.isFinite(shift) ? losses : losses.map(loss => loss + shift)
}

export interface Won {
  readonly runner: Runner
  readonly form: Form
  readonly softening: Softening | undefined
  /** The one that loses least, and how many were within one standard error of it. */
  readonly best: Runner
  readonly tied: number
}

/** The simplest of those within one standard error of the best: by free parameters, then by learner, then uncalibrated, then as given. */
export function winner(last: readonly Runner[]): Won {
  const { weights } = last[0].held
  const forms = last.flatMap(runner => [
    { runner, form: runner.plain, softening: undefined as Softening | undefined },
    ...(runner.calibrated
      ? [{ runner, form: runner.calibrated, softening: runner.calibrated.softening }]
      : []),
  ])
  const rivals = forms.map(({ runner: { free, pair }, form, softening }) => ({
    losses: lifted(form, weights),
    simplicity: [free + (softening === undefined ? 0 : 2), pair.learnerPlace, pair.place],
  }))
  const { best, taken, tied } = oneStandardError(rivals, weights)
  const runners = new Set(tied.map(r => forms[r].runner))
  return { ...forms[taken], best: forms[best].runner, tied: runners.size }
}

function nobody(all: readonly Runner[]): SufficeError {
  const { pair, refused = `${BEYOND}.` } = all[0]
  return new SufficeError(
    "model",
    `choose: no candidate can be learned from these rows and judged. ${nameOf(pair)}: ${refused} Mend the data, or give other models.`,
    { refused: all.map(one => one.refused) },
  )
}
