/**
 * Baselines beside the candidates: learned from the same rows and judged on the same others, shown, and never chosen. They are no models of a row:
 * they answer for one column only, and take no missing cells.
 *
 * Each comes in several strengths, from the strongest penalty to the weakest. The search begins in the middle and goes on while the loss on the first part
 * falls. What has scores but no probabilities, an SVM, is judged by p(l) ∝ e^(score_l / T), T and the doubt found as for every candidate.
 */

import type { Judgeable } from "../answers/judge.ts"
import type { LinearClassifier } from "../baselines/linear-classifier.ts"
import { posteriorOf } from "../baselines/link.ts"
import type { Model } from "../contract/model.ts"
import type { Batch } from "../data/read.ts"
import { rowCount } from "../data/take.ts"
import { SufficeError } from "../errors.ts"
import { HARDLY, lossDifference, meanLoss } from "../measure/one-standard-error.ts"
import { pause } from "../pause.ts"
import { dice } from "../random.ts"
import { BEYOND } from "./halving.ts"
import type { Contest, Form } from "./runner.ts"
import type { Split } from "./split.ts"
import { some } from "./stages.ts"
import { calibratedLosses, type Heldout, heldoutLevels, joined } from "./trial.ts"

/** A classifier to compare with, as `suffice/baselines` makes them. */
export interface BaselineLearner {
  readonly name: string
  fit(
    model: Model,
    data: Batch,
    options: { readonly weight?: string; readonly seed?: number; readonly signal?: AbortSignal },
  ): Promise<LinearClassifier>
}

/** Baselines by name, each in one or several strengths. */
export type Baselines = Readonly<Record<string, BaselineLearner | readonly BaselineLearner[]>>

/** How a baseline did on the rows that the last candidates were judged on. */
export interface BaselineTrial {
  readonly name: string
  /** The C of the strength that was best. */
  readonly c?: number
  /** Its numbers are those of its calibrated form. */
  readonly calibrated: boolean
  readonly rows: number
  readonly folds: number
  readonly judged: number
  /** Mean log-loss and its standard error; NaN where it was not tried. */
  readonly score: number
  readonly standardError: number
  /** What it loses more than the chosen model, row by row, and the standard error of that; below 0 it loses less. */
  readonly difference: number
  readonly differenceError: number
  readonly dropped?: string
  readonly refused?: string
}

/** Rows that the strength is found on. */
const SEARCHED = 1600
/** Operations for a cell of a row, and each level, until a line is found; a document has about so many words. */
const CELL = 800
const WORDS = 100
/** By so many standard errors it is clearly better. */
const SURE = 2

export interface Beside {
  readonly trials: readonly BaselineTrial[]
  readonly spent: number
}

/** `chosen`: what the chosen model lost on these parts, in order. `left`: what may be spent. */
export async function besideBaselines(
  baselines: Baselines,
  model: Model,
  parts: readonly Split<Batch>[],
  chosen: Form,
  contest: Contest,
  left: number,
): Promise<Beside> {
  const trials: BaselineTrial[] = []
  let spent = 0
  for (const [name, given] of Object.entries(baselines)) {
    const strengths = Array.isArray(given)
      ? (given as readonly BaselineLearner[])
      : [given as BaselineLearner]
    const levels = contest.levels
    const once = (rows: number): number => (rows * cellsOf(model) * levels * CELL) / 1e9
    const all = parts.reduce((sum, { train }) => sum + once(rowCount(train)), 0)
    const search = strengths.length > 1 ? SEARCHES * once(Math.min(rowCount(parts[0].train), SEARCHED)) : 0
    if (spent + all + search > left) {
      trials.push({ ...untried(name), dropped: BEYOND })
      continue
    }
    spent += all + search
    try {
      trials.push(await tried(name, strengths, model, parts, chosen, contest))
    } catch (error) {
      if (!(error instanceof SufficeError) || contest.fitting.signal?.aborted) throw error
      trials.push({ ...untried(name), refused: error.message })
    }
  }
  return { trials, spent }
}

/** Fits that the search takes, more or less. */
const SEARCHES = 3

/** The first that loses clearly less than the chosen model, in a sentence that says what to do. */
export function betterBaseline(trials: readonly BaselineTrial[]): string | undefined {
  const best = trials
    .filter(({ difference, differenceError }) => difference < -Math.max(SURE * differenceError, HARDLY))
    .toSorted((a, b) => a.difference - b.difference)[0]
  return (
    best &&
    `${best.name} loses ${(-best.difference).toPrecision(2)} ± ${best.differenceError.toPrecision(2)} less than what was chosen, on the same rows. It is shown and not chosen, as it answers for this column only and takes no missing cells: if that is all you need, learn it with suffice/baselines.`
  )
}

function untried(name: string): BaselineTrial {
  const none = {
    score: Number.NaN,
    standardError: Number.NaN,
    difference: Number.NaN,
    differenceError: Number.NaN,
  }
  return { name, calibrated: false, rows: 0, folds: 0, judged: 0, ...none }
}

async function tried(
  name: string,
  strengths: readonly BaselineLearner[],
  model: Model,
  parts: readonly Split<Batch>[],
  chosen: Form,
  contest: Contest,
): Promise<BaselineTrial> {
  const { judging, seed, fitting, onTrial } = contest
  const learned = async (baseline: BaselineLearner, part: Split<Batch>): Promise<Judgedline> => {
    const { weight } = judging
    const { signal } = fitting
    const line = await baseline.fit(model, part.train, {
      seed,
      ...(weight !== undefined && { weight }),
      ...(signal && { signal }),
    })
    const held = heldoutLevels(judgeable(line), part.test, judging)
    onTrial?.({ model: name, learner: "baseline", rows: rowCount(part.train) })
    await pause()
    signal?.throwIfAborted()
    return { line, held }
  }
  const small = { ...parts[0], train: some(parts[0].train, SEARCHED, seed) }
  const best = await searched(
    strengths,
    async baseline => lossOf((await learned(baseline, small)).held, seed).mean,
  )
  const each: Judgedline[] = []
  for (const part of parts) each.push(await learned(best, part))
  const held = joined(each.map(one => one.held))
  const { losses, calibrated } = lossOf(held, seed)
  const { difference: score, standardError } = meanLoss(losses, held.weights)
  const gap = lossDifference(losses, chosen.losses, held.weights)
  const { c } = each[0].line.learner.options as { readonly c?: number }
  return {
    name,
    ...(typeof c === "number" && { c }),
    calibrated,
    rows: rowCount(parts[0].train),
    folds: parts.length,
    judged: held.losses.length,
    score,
    standardError,
    difference: gap.difference,
    differenceError: gap.standardError,
  }
}

interface Judgedline {
  readonly line: LinearClassifier
  readonly held: Heldout
}

/** From the middle towards the weaker penalties while the loss falls, else towards the stronger. */
async function searched(
  strengths: readonly BaselineLearner[],
  loss: (baseline: BaselineLearner) => Promise<number>,
): Promise<BaselineLearner> {
  let best = Math.floor((strengths.length - 1) / 2)
  if (strengths.length === 1) return strengths[0]
  let least = await loss(strengths[best])
  for (const way of [1, -1]) {
    const from = best
    for (let at = best + way; at >= 0 && at < strengths.length; at += way) {
      const found = await loss(strengths[at])
      if (!(found < least)) break
      least = found
      best = at
    }
    if (best !== from) break
  }
  return strengths[best]
}

/** The form that loses less, as for candidates. */
function lossOf(
  held: Heldout,
  seed: number,
): { readonly losses: Float64Array; readonly mean: number; readonly calibrated: boolean } {
  const mean = meanLoss(held.losses, held.weights).difference
  const softened = calibratedLosses(held, dice(seed).fork(1))
  const other = softened ? meanLoss(softened.losses, held.weights).difference : Infinity
  return softened && other < mean
    ? { losses: softened.losses, mean: other, calibrated: true }
    : { losses: held.losses, mean, calibrated: false }
}

/** Scores alone are logarithms of probabilities up to a constant and a temperature. */
function judgeable(line: LinearClassifier): Judgeable {
  if (line.answers === "probabilities") return line as unknown as Judgeable
  return {
    model: line.model,
    posterior(rows) {
      const { levels, scores } = line.scores(rows as never)
      return { levels, ...posteriorOf(scores, levels.length, "softmax") }
    },
  }
}

function cellsOf({ uses }: Model): number {
  return uses.reduce((sum, { need }) => sum + (need.kind === "bag" ? WORDS : 1), 0)
}
