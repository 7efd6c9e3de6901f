/**
 * Measures of predictions that arrive batch by batch. Sums run over all rows: accuracy, confusion, log-loss, Brier score, and everything about
 * numbers. Curves, areas and calibration need the rows sorted by score: they use all rows as long as these fit, and beyond that a random
 * sample. Every row draws u ∈ [0, 1) and is kept while u < p; p is halved when too many are kept (Bernoulli sampling), so each row has the
 * same chance, whenever it came.
 *
 *     mean m = Σ w v / Σ w        its interval: m ± z s,  s² = n/(n−1) · Σ w²(v − m)² / (Σ w)²        as in intervals.ts
 */
import type { Level } from "../contract/cells.ts"
import type { Dice } from "../contract/dice.ts"
import { accuracy, levelScores, macroF1, winners } from "./confusion.ts"
import { type Evaluation, type MeasureOptions, measured, type NumberEvaluation } from "./evaluation.ts"
import { type Interval, meanReach, wilsonInterval } from "./intervals.ts"
import {
  byRow,
  type Judged,
  type JudgedLevels,
  type JudgedNumbers,
  picked,
  pooled,
  rowPlaces,
} from "./judged.ts"
import { brierScores } from "./losses.ts"

/** The most rows and probabilities that are kept. */
const MOST_ROWS = 1_000_000
const MOST_PROBABILITIES = 8_000_000

export class Running {
  readonly #dice: Dice
  readonly #most: number
  #kept: { readonly judged: Judged; readonly draws: Float64Array }[] = []
  #size = 0
  #chance = 1
  readonly #sums = new Sums()

  /** `most`: the number of rows to keep, for tests. */
  constructor(dice: Dice, most = MOST_ROWS) {
    this.#dice = dice
    this.#most = most
  }

  add(judged: Judged): void {
    this.#sums.add(judged)
    const entries = judged.truth.length
    const rows =
      judged.kind === "levels" ? rowPlaces(judged.from) : Array.from({ length: entries }, (_, i) => i)
    // the entries of one soft label stay together
    const drawn = Float64Array.from({ length: (rows.at(-1) ?? -1) + 1 }, () => this.#dice.uniform())
    this.#keep(
      judged,
      Float64Array.from(rows, row => drawn[row]),
    )
    const levels = judged.kind === "levels" ? Math.max(judged.levels.length, 1) : 1
    const most = Math.min(this.#most, Math.floor(MOST_PROBABILITIES / levels))
    while (this.#size > most) {
      this.#chance /= 2
      const before = this.#kept
      this.#kept = []
      this.#size = 0
      for (const { judged, draws } of before) this.#keep(judged, draws)
    }
  }

  #keep(judged: Judged, draws: Float64Array): void {
    const places = Array.from(draws.keys()).filter(i => draws[i] < this.#chance)
    const all = places.length === draws.length
    this.#kept.push(
      all
        ? { judged, draws }
        : { judged: picked(judged, places), draws: Float64Array.from(places, i => draws[i]) },
    )
    this.#size += places.length
  }

  /** The number of rows with a truth, and without. */
  get rows(): number {
    return this.#sums.rows
  }

  get skipped(): number {
    return this.#sums.skipped
  }

  get weight(): number {
    return this.#sums.weight
  }

  evaluation(options: MeasureOptions): Evaluation | NumberEvaluation {
    const found = measured(pooled(this.#kept.map(({ judged }) => judged)), options)
    return this.#chance === 1 ? found : this.#sums.over(found, this.#size)
  }
}

/** A weighted mean, and what its interval needs. */
class Mean {
  #count = 0
  #weight = 0
  #sum = 0
  /** Σ w², Σ w² v, Σ w² v² */
  readonly #squares = [0, 0, 0]

  add(values: ArrayLike<number>, weights: ArrayLike<number>): void {
    for (let i = 0; i < weights.length; i++) {
      const w = weights[i]
      if (w === 0) continue
      const v = values[i]
      this.#count++
      this.#weight += w
      this.#sum += w * v
      this.#squares[0] += w * w
      this.#squares[1] += w * w * v
      this.#squares[2] += w * w * v * v
    }
  }

  get weight(): number {
    return this.#weight
  }

  get value(): number {
    return this.#sum / this.#weight
  }

  /** (Σ w)² / Σ w² */
  get effectiveRows(): number {
    return (this.#weight * this.#weight) / this.#squares[0]
  }

  get interval(): Interval {
    const m = this.value
    if (m - m !== 0) return [m, m]
    const [one, v, vv] = this.#squares
    const spread = Math.max(vv - 2 * m * v + m * m * one, 0) / (this.#weight * this.#weight)
    return meanReach(m, spread, this.#count)
  }
}

class Sums {
  rows = 0
  skipped = 0
  readonly #loss = new Mean()
  readonly #brier = new Mean()
  readonly #gap = new Mean()
  readonly #square = new Mean()
  readonly #truth = new Mean()
  readonly #truthSquare = new Mean()
  readonly #inside = new Mean()
  readonly #unseen = new Map<Level, number>()
  /** Weight by truth and prediction, both by name. */
  readonly #confusion = new Map<string, Map<string, number>>()
  #levels: readonly Level[] = []
  #shift: number | undefined
  readonly #strange = new Map<string, Level>()

  get weight(): number {
    return this.#loss.weight
  }

  add(judged: Judged): void {
    this.skipped += judged.skipped
    if (judged.kind === "number") this.#addNumbers(judged)
    else this.#addLevels(judged)
  }

  #addNumbers({ truth, values, low, high, logs, weights }: JudgedNumbers): void {
    this.rows += truth.length
    this.#loss.add(logs, weights)
    const gaps = truth.map((x, i) => Math.abs(x - values[i]))
    this.#gap.add(gaps, weights)
    this.#square.add(
      gaps.map(gap => gap * gap),
      weights,
    )
    this.#shift ??= truth[0]
    const shift = this.#shift // squares of what lies far from 0 would cancel
    this.#truth.add(truth, weights)
    this.#truthSquare.add(
      truth.map(x => (x - shift) * (x - shift)),
      weights,
    )
    this.#inside.add(
      truth.map((x, i) => (x >= low[i] && x <= high[i] ? 1 : 0)),
      weights,
    )
  }

  #addLevels(judged: JudgedLevels): void {
    const { levels, strange, truth, probabilities, logs, weights, unseen } = judged
    this.rows += judged.rows
    this.#levels = levels
    for (const level of strange) this.#strange.set(String(level), level)
    const each = byRow(
      judged,
      logs.map(log => 0 - log),
    )
    this.#loss.add(each.values, each.weights)
    this.#brier.add(brierScores(truth, probabilities, levels.length), weights)
    for (const [level, weight] of unseen) this.#unseen.set(level, (this.#unseen.get(level) ?? 0) + weight)
    const names = [...levels, ...strange].map(String)
    winners(probabilities, levels.length).forEach((predicted, i) => {
      const row = this.#confusion.get(names[truth[i]]) ?? new Map<string, number>()
      this.#confusion.set(names[truth[i]], row)
      row.set(names[predicted], (row.get(names[predicted]) ?? 0) + weights[i])
    })
  }

  /** The measures of the sample, with every sum replaced by that over all rows. */
  over(found: Evaluation | NumberEvaluation, sampled: number): Evaluation | NumberEvaluation {
    const { rows, weight } = this
    const judgement = { rows, weight, skipped: this.skipped }
    if (found.kind === "number") {
      const coverage = this.#inside.value
      const mean = this.#truth.value
      const off = mean - (this.#shift ?? 0)
      const variance = Math.max(this.#truthSquare.value - off * off, 0)
      return {
        ...found,
        ...judgement,
        rmse: Math.sqrt(this.#square.value),
        mae: this.#gap.value,
        coverage,
        coverageInterval: wilsonInterval(coverage, this.#inside.effectiveRows),
        logDensity: this.#loss.value,
        logDensityInterval: this.#loss.interval,
        r2: variance > 0 ? 1 - this.#square.value / variance : 0,
        truth: { mean, sd: Math.sqrt(variance) },
      }
    }
    const all = [...this.#levels, ...this.#strange.values()]
    const names = all.map(String)
    const counts = names.map(truth => names.map(name => this.#confusion.get(truth)?.get(name) ?? 0))
    const scores = levelScores(counts.flat(), all.length)
    const right = accuracy(counts.flat(), all.length)
    const [low, high] = this.#loss.interval
    return {
      ...found,
      ...judgement,
      accuracy: right,
      accuracyInterval: wilsonInterval(right, this.#loss.effectiveRows),
      logLoss: this.#loss.value,
      logLossInterval: [Math.max(low, 0), high],
      brier: this.#brier.value,
      confusion: { levels: all, counts },
      macroF1: macroF1(scores),
      perLevel: Object.fromEntries(
        all.map((level, l) => [names[l], { ...found.perLevel[names[l]], level, ...scores[l] }]),
      ),
      unseen: Object.fromEntries(Array.from(this.#unseen, ([level, weight]) => [String(level), weight])),
      sampled,
    }
  }
}
