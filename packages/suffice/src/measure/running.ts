/**
 * Measures of predictions that arrive batch by batch. Sums run over all rows: accuracy, confusion, log-loss, Brier score, and everything about
 * numbers. Curves, areas and calibration need the rows sorted by score: they use all rows as long as these fit, and beyond that a random
 * sample. Every row draws u ∈ [0, 1) and is kept while u < p; p is halved when too many are kept (Bernoulli sampling), so each row has the
 * same chance, whenever it came. What other machines have measured of their rows is joined to it: sums add, and draws are compared with the same p.
 */
import type { Dice } from "../contract/dice.ts"
import { type Evaluation, type MeasureOptions, measured, type NumberEvaluation } from "./evaluation.ts"
import { type Judged, picked, pooled, rowPlaces } from "./judged.ts"
import { Sums, type SumsPart } from "./sums.ts"

/** The most rows and probabilities that are kept. */
const MOST_ROWS = 1_000_000
const MOST_PROBABILITIES = 8_000_000

/** What was measured of some rows, as data without classes: sums, and the rows that were kept. */
export interface RunningPart {
  readonly sums: SumsPart
  readonly kept: readonly { readonly judged: Judged; readonly draws: Float64Array }[]
  readonly chance: number
}

export class Running {
  readonly #dice: Dice
  readonly #most: number
  #kept: { readonly judged: Judged; readonly draws: Float64Array }[] = []
  #size = 0
  #chance = 1
  readonly #sums = new Sums()

  /** `most`: the number of rows to keep, for tests. `chance`: the p to begin with. */
  constructor(dice: Dice, most = MOST_ROWS, chance = 1) {
    this.#dice = dice
    this.#most = most
    this.#chance = chance
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
    while (this.#size > mostKept(judged, this.#most)) this.#thin(this.#chance / 2)
  }

  part(): RunningPart {
    return { sums: this.#sums.part(), kept: this.#kept, chance: this.#chance }
  }

  /** Rows that were measured elsewhere; parts come in the order of the rows. */
  join({ sums, kept, chance }: RunningPart): void {
    this.#sums.join(sums)
    if (chance < this.#chance) this.#thin(chance)
    for (const { judged, draws } of kept) {
      this.#keep(judged, draws)
      while (this.#size > mostKept(judged, this.#most)) this.#thin(this.#chance / 2)
    }
  }

  /** Keeps those that would have been kept with this chance. */
  #thin(chance: number): void {
    this.#chance = chance
    const before = this.#kept
    this.#kept = []
    this.#size = 0
    for (const { judged, draws } of before) this.#keep(judged, draws)
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

/** How many entries may be kept: fewer where each has many probabilities. */
function mostKept(judged: Judged, most: number): number {
  const levels = judged.kind === "levels" ? Math.max(judged.levels.length, 1) : 1
  return Math.min(most, Math.floor(MOST_PROBABILITIES / levels))
}

/** The p at which about as many of this many rows are kept as may be. */
export function chanceFor(judged: Judged, rows: number): number {
  let chance = 1
  while (rows * chance > mostKept(judged, MOST_ROWS)) chance /= 2
  return chance
}
