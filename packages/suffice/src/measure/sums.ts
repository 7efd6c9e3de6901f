/**
 * What is summed of predictions that arrive batch by batch, and parts of it that were summed elsewhere.
 *
 *     mean m = Σ w v / Σ w        its interval: m ± z s,  s² = n/(n−1) · Σ w²(v − m)² / (Σ w)²        as in intervals.ts
 */
import type { Level } from "../contract/cells.ts"
import { accuracy, levelScores, macroF1, winners } from "./confusion.ts"
import type { Evaluation, NumberEvaluation } from "./evaluation.ts"
import { type Interval, meanReach, wilsonInterval } from "./intervals.ts"
import { byRow, type Judged, type JudgedLevels, type JudgedNumbers } from "./judged.ts"
import { brierScores } from "./losses.ts"

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

  /** Rows, Σ w, Σ w v, Σ w², Σ w² v, Σ w² v² */
  part(): readonly number[] {
    return [this.#count, this.#weight, this.#sum, ...this.#squares]
  }

  join([count, weight, sum, ...squares]: readonly number[]): void {
    this.#count += count
    this.#weight += weight
    this.#sum += sum
    squares.forEach((square, j) => {
      this.#squares[j] += square
    })
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

/** Sums of some rows, as plain data. */
export interface SumsPart {
  readonly rows: number
  readonly skipped: number
  readonly means: readonly (readonly number[])[]
  readonly shift: number | undefined
  readonly unseen: readonly (readonly [Level, number])[]
  readonly confusion: readonly (readonly [truth: string, predicted: string, weight: number])[]
  readonly levels: readonly Level[]
  readonly strange: readonly (readonly [string, Level])[]
}

export class Sums {
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
  readonly #means = [
    ...[this.#loss, this.#brier, this.#gap, this.#square, this.#truth, this.#truthSquare, this.#inside],
  ]

  get weight(): number {
    return this.#loss.weight
  }

  add(judged: Judged): void {
    this.skipped += judged.skipped
    if (judged.kind === "number") this.#addNumbers(judged)
    else this.#addLevels(judged)
  }

  part(): SumsPart {
    return {
      rows: this.rows,
      skipped: this.skipped,
      means: this.#means.map(mean => mean.part()),
      shift: this.#shift,
      unseen: [...this.#unseen],
      confusion: [...this.#confusion].flatMap(([truth, row]) =>
        [...row].map(([predicted, weight]) => [truth, predicted, weight] as const),
      ),
      levels: this.#levels,
      strange: [...this.#strange],
    }
  }

  join({ rows, skipped, means, shift, unseen, confusion, levels, strange }: SumsPart): void {
    this.rows += rows
    this.skipped += skipped
    this.#means.forEach((mean, m) => {
      mean.join(mean === this.#truthSquare ? this.#shifted(means, shift) : means[m])
    })
    this.#shift ??= shift
    if (levels.length > 0) this.#levels = levels
    for (const [name, level] of strange) this.#strange.set(name, level)
    for (const [level, weight] of unseen) this.#unseen.set(level, (this.#unseen.get(level) ?? 0) + weight)
    for (const [truth, predicted, weight] of confusion) this.#confuse(truth, predicted, weight)
  }

  /** Σ w (x − s)² = Σ w (x − t)² + 2 (t − s) (Σ w x − t Σ w) + (t − s)² Σ w        s: the shift here, t: there */
  #shifted(means: SumsPart["means"], there: number | undefined): readonly number[] {
    const [, weight, sum] = means[this.#means.indexOf(this.#truth)]
    const [count, own, square, ...rest] = means[this.#means.indexOf(this.#truthSquare)]
    if (there === undefined || this.#shift === undefined) return [count, own, square, ...rest]
    const d = there - this.#shift
    return [count, own, square + 2 * d * (sum - there * weight) + d * d * weight, ...rest]
  }

  #confuse(truth: string, predicted: string, weight: number): void {
    const row = this.#confusion.get(truth) ?? new Map<string, number>()
    this.#confusion.set(truth, row)
    row.set(predicted, (row.get(predicted) ?? 0) + weight)
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
      this.#confuse(names[truth[i]], names[predicted], weights[i])
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
