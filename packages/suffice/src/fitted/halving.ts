/**
 * Candidates against each other, stage by stage (successive halving). What loses more than the best by over two standard errors can no longer win, and
 * is dropped; the others go on, the best first, as far as the budget reaches.
 *
 * Where a sample is smaller than what the chosen one will learn from, what counts is not what a candidate lost there, but what it may be expected to lose
 * on all rows (`expectedLoss`): large models need more of them.
 */
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
  /** Rows × parameters, in millions. */
  readonly budget: number
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
  readonly spent: number
}

/** A candidate that trails by more standard errors than this cannot win any more. */
const SURE = 2
/** Rows learned from that are asked as well, where the sample is not all. */
const ASKED = 1000

export async function race(
  pairs: readonly Pair[],
  stages: readonly Stage[],
  contest: Contest,
): Promise<Raced> {
  const found = new Map<Pair, Runner>()
  let spent = 0
  let last: Runner[] = []
  // by learner: where the budget ends, every model has been tried with the simplest
  let racing = pairs.toSorted((a, b) => a.learnerPlace - b.learnerPlace || a.place - b.place)
  for (const [s, stage] of stages.entries()) {
    const ran: Runner[] = []
    for (const pair of racing) {
      const before = found.get(pair)
      const price = before ? costOf(pair, before.free, stage) : 0
      if (spent + price > contest.budget || spent >= contest.budget) {
        found.set(pair, { ...(before ?? unknown(pair)), dropped: "the budget did not reach" })
        continue
      }
      const runner = await run(pair, before, stage, contest)
      spent += costOf(pair, runner.free, stage)
      found.set(pair, runner)
      if (runner.refused === undefined) ran.push(runner)
    }
    if (ran.length === 0) break
    last = ran
    if (s === stages.length - 1) break
    for (const runner of ran) {
      const dropped = chanceless(runner, ran)
      if (dropped !== undefined) found.set(runner.pair, { ...runner, dropped })
    }
    last = ran.filter(({ pair }) => found.get(pair)!.dropped === undefined)
    racing = last.toSorted((a, b) => expectedOf(a) - expectedOf(b)).map(({ pair }) => pair)
    // alone, a larger sample tells nothing more; the other folds do
    if (last.length === 1 && stages[s + 1].anew) break
  }
  const all = pairs.map(pair => found.get(pair)!)
  if (last.length === 0) throw nobody(all)
  return { all, last: last.map(({ pair }) => found.get(pair)!), spent }
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

/** What one more stage of a pair costs: rows learned from × parameters, in millions. */
function costOf({ of, by }: Pair, free: number, { parts, rows }: Stage): number {
  const bags = of.uses.some(({ need }) => need.kind === "bag")
  const size = (Number.isNaN(free) ? 0 : bags ? DOCUMENT : free) + ROW
  return (parts.length * Math.max(rows, LEAST_ROWS) * size * (by.sweeps ? SWEEPS : 1)) / 1e6
}

/** What a row costs beside its parameters; what a document costs, however many words there are; rows that sdEM goes over at least. */
const ROW = 50
const DOCUMENT = 500
const LEAST_ROWS = 1600
const SWEEPS = 0.1

function nobody(all: readonly Runner[]): SufficeError {
  const { pair, refused = "the budget did not reach" } = all[0]
  return new SufficeError(
    "model",
    `choose: no candidate can be learned from these rows and judged. ${nameOf(pair)}: ${refused} Mend the data, or give other models.`,
    { refused: all.map(one => one.refused) },
  )
}
