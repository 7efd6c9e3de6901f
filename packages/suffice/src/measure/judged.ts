/** Predictions paired with truths, row by row: the input of all measures. Sets of them can be pooled. */
import type { Level } from "../contract/cells.ts"

/** Predictions of levels and their truths: an entry for each row, or for each level of a soft label, with its share of the row. */
export interface JudgedLevels {
  readonly kind: "levels"
  readonly target: string
  /** The model's levels. */
  readonly levels: readonly Level[]
  /** Levels that occur but that the model has never seen: code levels.length + index. */
  readonly strange: readonly Level[]
  readonly truth: readonly number[]
  /** The row of each entry, ascending. */
  readonly from: readonly number[]
  /** p(level | row): entries × levels */
  readonly probabilities: Float64Array
  /** ln p(truth | row), exact where the probability rounds to 0 */
  readonly logs: Float64Array
  readonly weights: Float64Array
  /** Rows with a label, and rows without. */
  readonly rows: number
  readonly skipped: number
  /** Weight of the rows of each level that the predicting model had never seen. */
  readonly unseen: ReadonlyMap<Level, number>
}

/** Predictions of numbers and their truths, row by row. */
export interface JudgedNumbers {
  readonly kind: "number"
  readonly target: string
  readonly truth: Float64Array
  readonly values: Float64Array
  readonly low: Float64Array
  readonly high: Float64Array
  /** ln p(truth | the rest of the row) */
  readonly logs: Float64Array
  readonly weights: Float64Array
  readonly skipped: number
}

export type Judged = JudgedLevels | JudgedNumbers

/** Several sets of predictions as one. A level that some model did not know has probability 0 there. */
export function pooled(sets: readonly Judged[]): Judged {
  const [first] = sets
  return first.kind === "levels"
    ? pooledLevels(sets as readonly JudgedLevels[])
    : pooledNumbers(sets as readonly JudgedNumbers[])
}

function pooledLevels(sets: readonly JudgedLevels[]): JudgedLevels {
  const levels = [...new Set(sets.flatMap(set => set.levels))]
  const strange = [...new Set(sets.flatMap(set => set.strange))].filter(level => !levels.includes(level))
  const codes = new Map([...levels, ...strange].map((level, code) => [level, code]))
  const truth = sets.flatMap(set => {
    const all = [...set.levels, ...set.strange]
    return set.truth.map(code => codes.get(all[code])!)
  })
  const probabilities = new Float64Array(truth.length * levels.length)
  let at = 0
  for (const set of sets) {
    const place = set.levels.map(level => codes.get(level)!)
    set.truth.forEach((_, i) => {
      place.forEach((code, l) => {
        probabilities[at + code] = set.probabilities[i * place.length + l]
      })
      at += levels.length
    })
  }
  const unseen = new Map<Level, number>()
  for (const set of sets) {
    for (const [level, weight] of set.unseen) unseen.set(level, (unseen.get(level) ?? 0) + weight)
  }
  return {
    kind: "levels",
    target: sets[0].target,
    levels,
    strange,
    truth,
    from: fromOf(sets),
    probabilities,
    logs: joined(sets.map(set => set.logs)),
    weights: joined(sets.map(set => set.weights)),
    rows: sum(sets.map(set => set.rows)),
    skipped: sum(sets.map(set => set.skipped)),
    unseen,
  }
}

/** Rows of one set numbered after those of the other. */
function fromOf(sets: readonly JudgedLevels[]): number[] {
  let before = 0
  return sets.flatMap(set => {
    const first = before
    before += set.rows + set.skipped
    return set.from.map(row => first + row)
  })
}

/** These entries of a set of predictions; skipped rows are not counted in a part. */
export function picked(judged: Judged, places: readonly number[]): Judged {
  const of = (values: Float64Array): Float64Array => Float64Array.from(places, i => values[i])
  if (judged.kind === "number") {
    const { truth, values, low, high } = judged
    return {
      ...judged,
      truth: of(truth),
      values: of(values),
      low: of(low),
      high: of(high),
      logs: of(judged.logs),
      weights: of(judged.weights),
    }
  }
  const { levels, from, truth, probabilities } = judged
  const rows = rowPlaces(places.map(i => from[i]))
  const some = new Float64Array(places.length * levels.length)
  places.forEach((i, at) => {
    some.set(probabilities.subarray(i * levels.length, (i + 1) * levels.length), at * levels.length)
  })
  return {
    ...judged,
    truth: places.map(i => truth[i]),
    from: rows,
    probabilities: some,
    logs: of(judged.logs),
    weights: of(judged.weights),
    rows: (rows.at(-1) ?? -1) + 1,
  }
}

/** For each entry, the index of its row among the rows that occur: 0, 0, 1, 2, 2 … */
export function rowPlaces(from: readonly number[]): number[] {
  let place = -1
  return from.map((row, i) => {
    if (i === 0 || row !== from[i - 1]) place++
    return place
  })
}

/** Entry by entry to row by row: the weight of each row, and the mean of its values. */
export function byRow(
  { from, weights }: JudgedLevels,
  values: ArrayLike<number>,
): { readonly values: Float64Array; readonly weights: Float64Array } {
  const total: number[] = []
  const sum: number[] = []
  from.forEach((row, i) => {
    if (i === 0 || row !== from[i - 1]) {
      total.push(0)
      sum.push(0)
    }
    const at = total.length - 1
    total[at] += weights[i]
    if (weights[i] > 0) sum[at] += weights[i] * values[i] // skips weight 0: 0 · ∞ is not a number
  })
  return {
    values: Float64Array.from(sum, (value, row) => (total[row] > 0 ? value / total[row] : 0)),
    weights: Float64Array.from(total),
  }
}

function pooledNumbers(sets: readonly JudgedNumbers[]): JudgedNumbers {
  return {
    kind: "number",
    target: sets[0].target,
    truth: joined(sets.map(set => set.truth)),
    values: joined(sets.map(set => set.values)),
    low: joined(sets.map(set => set.low)),
    high: joined(sets.map(set => set.high)),
    logs: joined(sets.map(set => set.logs)),
    weights: joined(sets.map(set => set.weights)),
    skipped: sum(sets.map(set => set.skipped)),
  }
}

function joined(arrays: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(sum(arrays.map(array => array.length)))
  let at = 0
  for (const array of arrays) {
    all.set(array, at)
    at += array.length
  }
  return all
}

function sum(values: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]
  return total
}
