/**
 * Candidates against each other, stage by stage (successive halving). What loses more than the best by over two standard errors can no longer win, and
 * is dropped; the others go on, the best first, as far as the budget reaches. Every fit has its price before it is begun (price.ts).
 *
 * Where a sample is smaller than what the chosen one will learn from, what counts is not what a candidate lost there, but what it may be expected to lose
 * on all rows: large models need more of them (curves.ts; where that is not known, `expectedLoss`).
 */
import type { Model } from "../contract/model.ts"
import type { Batch } from "../data/read.ts"
import { SufficeError } from "../errors.ts"
import { HARDLY, lossDifference, meanLoss, oneStandardError } from "../measure/one-standard-error.ts"
import { simpleCurves } from "./curves.ts"
import {
  better,
  type Contest,
  costOf,
  expectedOf,
  expecting,
  type Form,
  nameOf,
  type Runner,
  run,
  unknown,
} from "./runner.ts"
import type { Split } from "./split.ts"
import type { Stage } from "./stages.ts"
import type { Pair, Softening } from "./trial.ts"

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
/** The share of the budget that the first look at everything may take, where more stages follow; and that of it for what costs least. */
const LOOK = 0.6
const CHEAP = 0.5
/** How many are expected to go on to later stages. */
const FINALISTS = 3

export const BEYOND = "the budget did not reach"
const TOO_MUCH = "learning it from all rows costs too much"

/** `whole`: all rows, where the stages are of samples. */
export async function race(
  pairs: readonly Pair[],
  stages: readonly Stage[],
  whole: Stage | undefined,
  contest: Contest,
): Promise<Raced> {
  const { budget, most, price, rows } = contest
  const found = new Map<Pair, Runner>()
  const drop = (pair: Pair, why: string): void => {
    found.set(pair, { ...(found.get(pair) ?? unknown(pair)), dropped: why })
  }
  const affordable = pairs.filter(pair => price(pair, rows) <= most)
  for (const pair of pairs) if (!affordable.includes(pair)) drop(pair, TOO_MUCH)
  const simplest = new Map<Model, Pair>()
  for (const pair of affordable) if (!simplest.has(pair.of)) simplest.set(pair.of, pair)
  const curves = simpleCurves(simplest, stages[0], whole, contest)
  const looked = new Set<Pair>()
  let spent = 0

  async function turn(pair: Pair, stage: Stage): Promise<void> {
    const simple = await curves.at(pair, stage)
    const runner = simple ?? (await run(pair, found.get(pair), stage, contest))
    if (!simple) spent += costOf(pair, stage, contest)
    const gain = runner.refused === undefined ? await curves.gain(pair, stage) : undefined
    spent += curves.spent()
    found.set(pair, gain === undefined ? runner : expecting(runner, gain))
  }

  /**
   * Every model with its simplest learner; then what costs least, which is mostly what gains most by another learner; then what did best so far. Asked
   * again, it goes on where it ended.
   */
  async function look(stage: Stage, limit: number): Promise<Pair[]> {
    const isNew = (pair: Pair): boolean => !looked.has(pair)
    const within = async (order: readonly Pair[], most: number): Promise<void> => {
      for (const pair of order.filter(isNew)) {
        if (looked.size > 0 && spent + costOf(pair, stage, contest) > most) continue
        await turn(pair, stage)
        looked.add(pair)
      }
    }
    await within([...simplest.values()], limit)
    const rest = affordable.filter(pair => simplest.get(pair.of) !== pair)
    const byCost = rest.toSorted((a, b) => price(a, stage.rows) - price(b, stage.rows) || a.place - b.place)
    await within(byCost, spent + CHEAP * (limit - spent))
    const loss = ({ of }: Pair): number => {
      const simple = found.get(simplest.get(of)!)
      return simple && !Number.isNaN(expectedOf(simple)) ? expectedOf(simple) : Infinity
    }
    const byLoss = rest.toSorted((a, b) => (loss(a) === loss(b) ? a.place - b.place : loss(a) - loss(b)))
    await within(byLoss, limit)
    for (const pair of affordable.filter(isNew)) drop(pair, BEYOND)
    return [...looked]
  }

  /** The best of them, as far as they can be paid. */
  function reachable(order: readonly Pair[], stage: Stage): readonly Pair[] {
    let sum = spent
    const end = order.findIndex(pair => {
      sum += costOf(pair, stage, contest)
      return sum > budget
    })
    return end < 0 ? order : order.slice(0, end)
  }

  /** Those that were learned and judged; of these, unless nothing follows, the ones that can still win, the best first. */
  function standing(ran: readonly Pair[], ends: boolean): readonly Runner[] {
    const judged = ran.map(pair => found.get(pair)!).filter(({ refused }) => refused === undefined)
    if (ends) return judged
    const lost = new Map(judged.map(runner => [runner, chanceless(runner, judged)]))
    for (const [{ pair }, why] of lost) if (why !== undefined) drop(pair, why)
    return judged
      .filter(runner => lost.get(runner) === undefined)
      .toSorted((a, b) => expectedOf(a) - expectedOf(b))
  }

  const [first, ...later] = stages
  let last = standing(await look(first, later.length > 0 ? LOOK * budget : budget), later.length === 0)
  // what the best will not need in later stages is for looking further
  const needed = later.flatMap(stage =>
    last.slice(0, FINALISTS).map(({ pair }) => costOf(pair, stage, contest)),
  )
  const left = budget - needed.reduce((sum, cost) => sum + cost, 0)
  if (later.length > 0 && left > LOOK * budget) last = standing(await look(first, left), false)
  let parts = first.parts
  for (const stage of later) {
    if (last.length === 0 || (last.length === 1 && stage.anew)) break
    const racing = last.map(({ pair }) => pair)
    const reached = reachable(racing, stage)
    // one alone cannot be compared: what the stage before has told decides
    if (reached.length < Math.min(racing.length, 2)) break
    for (const pair of racing.slice(reached.length)) drop(pair, BEYOND)
    for (const pair of reached) await turn(pair, stage)
    const next = standing(reached, stage === stages[stages.length - 1])
    if (next.length === 0) break
    last = next
    parts = stage.anew ? stage.parts : [...parts, ...stage.parts]
  }
  const all = pairs.map(pair => found.get(pair)!)
  if (last.length === 0) throw nobody(all)
  return { all, last: last.map(({ pair }) => found.get(pair)!), parts, spent }
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
