/** One candidate on its way through the stages: learned and judged, in its two forms, with what it may be expected to lose on all rows. */

import { rowCount } from "../data/take.ts"
import { SufficeError } from "../errors.ts"
import type { FitOptions } from "../fit/options.ts"
import { expectedLoss, meanLoss } from "../measure/one-standard-error.ts"
import { pause } from "../pause.ts"
import { dice } from "../random.ts"
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
  /** How many levels the target has. */
  readonly levels: number
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

/** Rows learned from that are asked as well, where the sample is not all. */
const ASKED = 1000
/** To judge a row, and to calibrate each level of it: billions of operations. */
const JUDGED = 1e-6

/** What one stage of a pair costs. */
export function costOf(pair: Pair, { parts, rows }: Stage, { price, levels }: Contest): number {
  const judged = parts.reduce((sum, { test }) => sum + rowCount(test), 0)
  return parts.length * price(pair, rows) + judged * (levels + 2) * JUDGED
}

/** Learn and judge once more; what a pair refuses is told. */
export async function run(
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

export function unknown(pair: Pair): Runner {
  const plain = { losses: NONE.losses, expected: Number.NaN }
  return { pair, free: Number.NaN, rows: 0, folds: 0, held: NONE, plain, calibrated: undefined }
}

/** The form that may be expected to lose less. */
export function better({ plain, calibrated }: Runner): Form {
  return calibrated && calibrated.expected < plain.expected ? calibrated : plain
}

export function expectedOf(runner: Runner): number {
  return better(runner).expected
}

/** What was lost in the better form. */
export function lossOf(runner: Runner): number {
  return meanLoss(better(runner).losses, runner.held.weights).difference
}

/** The same runner, which may be expected to gain so much by all rows. */
export function expecting(runner: Runner, gain: number): Runner {
  const { plain, calibrated, held } = runner
  const shifted = <F extends Form>(form: F): F => ({
    ...form,
    expected: meanLoss(form.losses, held.weights).difference + Math.min(gain, 0),
  })
  return { ...runner, plain: shifted(plain), calibrated: calibrated && shifted(calibrated) }
}

export function nameOf({ model, learner }: Pick<Pair, "model" | "learner">): string {
  return `${model} by ${learner}`
}
