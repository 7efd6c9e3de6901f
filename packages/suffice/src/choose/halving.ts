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
  const heats = new Heats(pairs, stages[0], whole, contest)
  const [first, ...later] = stages
  const { budget } = contest
  await heats.look(first, later.length > 0 ? LOOK * budget : budget)
  let last = heats.standing(heats.tried(), later.length === 0)
  // the budget that the best will not need in later stages buys more first looks
  const needed = later.flatMap(stage =>
    last.slice(0, FINALISTS).map(({ pair }) => costOf(pair, stage, contest)),
  )
  const left = budget - needed.reduce((sum, cost) => sum + cost, 0)
  if (later.length > 0 && left > LOOK * budget) {
    await heats.look(first, left)
    last = heats.standing(heats.tried(), false)
  }
  let parts = first.parts
  for (const stage of later) {
    if (last.length === 0 || (last.length === 1 && stage.anew)) break
    const next = await heats.next(
      last.map(({ pair }) => pair),
      stage,
      stage === stages[stages.length - 1],
    )
    if (next.length === 0) break
    last = next
    parts = stage.anew ? stage.parts : [...parts, ...stage.parts]
  }
  const all = heats.runners(pairs)
  if (last.length === 0) throw nobody(all)
  return { all, last: heats.runners(last.map(({ pair }) => pair)), parts, spent: heats.spent }
}

/** The candidates of a race: what each has shown so far, and what that cost. */
class Heats {
  readonly #contest: Contest
  readonly #runners = new Map<Pair, Runner>()
  readonly #affordable: readonly Pair[]
  /** The pair of each model with its simplest learner. */
  readonly #simplest = new Map<Model, Pair>()
  readonly #curves: ReturnType<typeof simpleCurves>
  readonly #looked = new Set<Pair>()
  spent = 0

  constructor(pairs: readonly Pair[], first: Stage, whole: Stage | undefined, contest: Contest) {
    this.#contest = contest
    const { most, price, rows } = contest
    this.#affordable = pairs.filter(pair => price(pair, rows) <= most)
    for (const pair of pairs) if (!this.#affordable.includes(pair)) this.#drop(pair, TOO_MUCH)
    for (const pair of this.#affordable) if (!this.#simplest.has(pair.of)) this.#simplest.set(pair.of, pair)
    this.#curves = simpleCurves(this.#simplest, first, whole, contest)
  }

  tried(): readonly Pair[] {
    return [...this.#looked]
  }

  runners(pairs: readonly Pair[]): readonly Runner[] {
    return pairs.map(pair => this.#runners.get(pair)!)
  }

  /**
   * A first look: every model with its simplest learner, then the cheapest pairs (mostly those that gain most by another learner), then the other pairs of
   * the best models. A second call continues.
   */
  async look(stage: Stage, limit: number): Promise<void> {
    const { price } = this.#contest
    await this.#tryWithin([...this.#simplest.values()], stage, limit)
    const rest = this.#affordable.filter(pair => this.#simplest.get(pair.of) !== pair)
    const byCost = rest.toSorted((a, b) => price(a, stage.rows) - price(b, stage.rows) || a.place - b.place)
    await this.#tryWithin(byCost, stage, this.spent + CHEAP * (limit - this.spent))
    const loss = ({ of }: Pair): number => {
      const simple = this.#runners.get(this.#simplest.get(of)!)
      return simple && !Number.isNaN(expectedOf(simple)) ? expectedOf(simple) : Infinity
    }
    const byLoss = rest.toSorted((a, b) => (loss(a) === loss(b) ? a.place - b.place : loss(a) - loss(b)))
    await this.#tryWithin(byLoss, stage, limit)
    for (const pair of this.#affordable) if (!this.#looked.has(pair)) this.#drop(pair, BEYOND)
  }

  /** The pairs that were learned and judged; before the last stage only those that can still win, the best first. */
  standing(pairs: readonly Pair[], isLast: boolean): readonly Runner[] {
    const judged = this.runners(pairs).filter(({ refused }) => refused === undefined)
    if (isLast) return judged
    const lost = new Map(judged.map(runner => [runner, chanceless(runner, judged)]))
    for (const [{ pair }, why] of lost) if (why !== undefined) this.#drop(pair, why)
    return judged
      .filter(runner => lost.get(runner) === undefined)
      .toSorted((a, b) => expectedOf(a) - expectedOf(b))
  }

  /** The runners that remain after one more stage; none if the budget reaches too few of them. */
  async next(racing: readonly Pair[], stage: Stage, isLast: boolean): Promise<readonly Runner[]> {
    const reached = this.#reachable(racing, stage)
    // a single pair has no rival: the stage before decides
    if (reached.length < Math.min(racing.length, 2)) return []
    for (const pair of racing.slice(reached.length)) this.#drop(pair, BEYOND)
    for (const pair of reached) await this.#turn(pair, stage)
    return this.standing(reached, isLast)
  }

  async #tryWithin(order: readonly Pair[], stage: Stage, limit: number): Promise<void> {
    for (const pair of order.filter(pair => !this.#looked.has(pair))) {
      if (this.#looked.size > 0 && this.spent + costOf(pair, stage, this.#contest) > limit) continue
      await this.#turn(pair, stage)
      this.#looked.add(pair)
    }
  }

  async #turn(pair: Pair, stage: Stage): Promise<void> {
    const simple = await this.#curves.at(pair, stage)
    const runner = simple ?? (await run(pair, this.#runners.get(pair), stage, this.#contest))
    if (!simple) this.spent += costOf(pair, stage, this.#contest)
    const gain = runner.refused === undefined ? await this.#curves.gain(pair, stage) : undefined
    this.spent += this.#curves.spent()
    this.#runners.set(pair, gain === undefined ? runner : expecting(runner, gain))
  }

  /** The first pairs of the order that the budget pays for. */
  #reachable(order: readonly Pair[], stage: Stage): readonly Pair[] {
    let sum = this.spent
    const end = order.findIndex(pair => {
      sum += costOf(pair, stage, this.#contest)
      return sum > this.#contest.budget
    })
    return end < 0 ? order : order.slice(0, end)
  }

  #drop(pair: Pair, why: string): void {
    this.#runners.set(pair, { ...(this.#runners.get(pair) ?? unknown(pair)), dropped: why })
  }
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
