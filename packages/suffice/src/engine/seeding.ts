/**
 * First guesses for the values of a switch, context by context, on a sample of the rows.
 *
 * - known labels stay as they are;
 * - if every value has labelled rows, the others wait (weight 0): EM's first E-step does better than a guess;
 * - with numeric columns: k-means++ (Arthur & Vassilvitskii 2007; 2 + ⌊ln k⌋ greedy trials per centre) and a few
 *   Lloyd steps, on standardised columns, labelled rows clamped;
 * - otherwise dice: a handful of rows per value, drawn at random, so that the values differ.
 */
import type { Block } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import type { Guess, SwitchNode } from "../contract/node.ts"
import { log } from "../kernels/log.ts"

const LLOYD_STEPS = 10
const HANDFUL = 30
/** Rows between two pauses. */
const STRETCH = 64

/** A numeric column, standardised as (encoded − centre)/spread. */
export interface GuessColumn {
  readonly place: number
  readonly centre: number
  readonly spread: number
}

/** Numbers and counts below the switch, those that are read included: regression lines that cross are told apart by x and y together. */
export function guessColumns(node: SwitchNode): GuessColumn[] {
  const columns = new Map<number, Column>()
  for (const part of node.tree.parts()) {
    // columns of steps further below are not in its blocks
    if (part.role !== "leaf" || part.steps.length > node.part.steps.length) continue
    for (const [j, column] of [...part.columns, ...part.given].entries()) columns.set(part.places[j], column)
  }
  return [...columns].flatMap(([place, column]) => {
    if (column.kind === "number")
      return [{ place, centre: column.within?.mean ?? 0, spread: Math.sqrt(column.variance) }]
    if (column.kind === "count") {
      return [{ place, centre: column.mean, spread: Math.sqrt(Math.max(column.mean, 1)) }]
    }
    return []
  })
}

type Asked = Omit<Guess, "node"> & { readonly node: Pick<SwitchNode, "slots" | "levels"> }

/** values[(l·P + p)·rows + i]: the weight of row i in value l of context p. */
export function firstGuess(asked: Asked, numeric: readonly GuessColumn[]): Float64Array {
  const work = guessing(asked, numeric)
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** The same with pauses, as many components take a while. The weights are read before the first pause. */
export function* guessing(
  { node, block, weights, label, dice }: Asked,
  numeric: readonly GuessColumn[],
): Generator<undefined, Float64Array, void> {
  const { slots } = node
  const k = node.levels.length
  const rows = block.rows
  const values = new Float64Array(k * slots * rows)
  const points = numeric.length > 0 ? standardised(block, numeric) : undefined
  const contexts = Array.from({ length: slots }, (_, p) => {
    const members: number[] = []
    const share: number[] = []
    for (let i = 0; i < rows; i++) {
      const w =
        weights.form === "each" ? weights.values[p * rows + i] : weights.slot[i] === p ? weights.weight[i] : 0
      if (w > 0) {
        members.push(i)
        share.push(w)
      }
    }
    return { members, share }
  })
  for (const [p, { members, share }] of contexts.entries()) {
    const known = members.map(i => (label ? label[i] : -1))
    const guess = yield* guessContext(members, share, known, k, points, numeric.length, dice.fork(p))
    members.forEach((i, m) => {
      if (guess[m] >= 0) values[(guess[m] * slots + p) * rows + i] = share[m]
    })
  }
  return values
}

/** A value for each row of a context; −1: it waits. */
function* guessContext(
  members: readonly number[],
  share: readonly number[],
  known: readonly number[],
  k: number,
  points: Float64Array | undefined,
  d: number,
  dice: Dice,
): Generator<undefined, readonly number[], void> {
  const labelled = new Set(known)
  labelled.delete(-1)
  if (labelled.size === k || members.length === 0) return known
  if (!points) return handfuls(known, k, dice)
  const own = new Float64Array(members.length * d)
  members.forEach((i, m) => {
    own.set(points.subarray(i * d, (i + 1) * d), m * d)
  })
  // empty or constant columns have no distances
  if (own.every((x, at) => x === own[at % d])) return handfuls(known, k, dice)
  return yield* kMeans(own, share, known, k, d, dice)
}

/** A few random rows for each value; the others wait. */
function handfuls(known: readonly number[], k: number, dice: Dice): number[] {
  const free = known.flatMap((value, m) => (value < 0 ? [m] : []))
  const guess = known.slice()
  const count = Math.min(free.length, HANDFUL * k)
  for (let j = 0; j < count; j++) {
    const pick = j + dice.integer(free.length - j)
    const m = free[pick]
    free[pick] = free[j]
    free[j] = m
    guess[m] = j % k
  }
  return guess
}

function* kMeans(
  points: Float64Array,
  share: readonly number[],
  known: readonly number[],
  k: number,
  d: number,
  dice: Dice,
): Generator<undefined, number[], void> {
  const n = share.length
  const centres = yield* seedCentres(points, share, known, k, d, dice)
  let nearest: number[] = []
  for (let step = 0; step <= LLOYD_STEPS; step++) {
    nearest = known.slice()
    for (let from = 0; from < n; from += STRETCH) {
      nearestCentres(points, known, from, Math.min(from + STRETCH, n), centres, k, d, nearest)
      yield
    }
    const sums = new Float64Array(k * d)
    const mass = new Float64Array(k)
    for (let m = 0; m < n; m++) {
      mass[nearest[m]] += share[m]
      for (let j = 0; j < d; j++) sums[nearest[m] * d + j] += share[m] * points[m * d + j]
    }
    for (let l = 0; l < k; l++) {
      if (mass[l] > 0) for (let j = 0; j < d; j++) centres[l * d + j] = sums[l * d + j] / mass[l]
    }
  }
  return nearest
}

/** Labelled values start at their mean, the others by D² sampling, the best of a few trials each. */
function* seedCentres(
  points: Float64Array,
  share: readonly number[],
  known: readonly number[],
  k: number,
  d: number,
  dice: Dice,
): Generator<undefined, Float64Array, void> {
  const n = share.length
  const centres = new Float64Array(k * d)
  const gap = new Float64Array(n).fill(Infinity)
  const trial = new Float64Array(n)
  const chances = new Float64Array(n)
  const trials = 2 + Math.floor(log(k))
  const place = (l: number, m: number): void => centres.set(points.subarray(m * d, (m + 1) * d), l * d)
  let placed = 0
  for (let l = 0; l < k; l++) {
    let mass = 0
    for (let m = 0; m < n; m++) {
      if (known[m] !== l) continue
      mass += share[m]
      for (let j = 0; j < d; j++) centres[l * d + j] += share[m] * points[m * d + j]
    }
    if (mass === 0) continue
    for (let j = 0; j < d; j++) centres[l * d + j] /= mass
    closer(points, centres, l, d, gap, gap)
    placed++
  }
  for (let l = 0; l < k; l++) {
    if (known.includes(l)) continue
    for (let m = 0; m < n; m++) chances[m] = share[m] * (placed === 0 ? 1 : gap[m])
    let best = Infinity
    let chosen = 0
    for (let t = 0; t < trials; t++) {
      // all points lie on a centre: any of them will do
      const m = chances.some(c => c > 0) ? dice.categorical(chances, 0, n) : dice.integer(n)
      place(l, m)
      closer(points, centres, l, d, gap, trial)
      yield
      let cost = 0
      for (let i = 0; i < n; i++) cost += share[i] * trial[i]
      if (cost < best) {
        best = cost
        chosen = m
      }
    }
    place(l, chosen)
    closer(points, centres, l, d, gap, gap)
    placed++
  }
  return centres
}

/** out = min(gap, squared distance to centre l) */
function closer(
  points: Float64Array,
  centres: Float64Array,
  l: number,
  d: number,
  gap: Float64Array,
  out: Float64Array,
): void {
  for (let m = 0; m < gap.length; m++) out[m] = Math.min(gap[m], distance(points, m, centres, l, d))
}

/** nearest[m] ← the nearest centre, for the rows m = from … to − 1 without a known value. */
function nearestCentres(
  points: Float64Array,
  known: readonly number[],
  from: number,
  to: number,
  centres: Float64Array,
  k: number,
  d: number,
  nearest: number[],
): void {
  for (let m = from; m < to; m++) if (known[m] < 0) nearest[m] = nearestCentre(points, m, centres, k, d)
}

function nearestCentre(points: Float64Array, m: number, centres: Float64Array, k: number, d: number): number {
  let best = 0
  let least = Infinity
  for (let l = 0; l < k; l++) {
    const gap = distance(points, m, centres, l, d)
    if (gap < least) {
      least = gap
      best = l
    }
  }
  return best
}

function distance(points: Float64Array, m: number, centres: Float64Array, l: number, d: number): number {
  let sum = 0
  for (let j = 0; j < d; j++) {
    const gap = points[m * d + j] - centres[l * d + j]
    sum += gap * gap
  }
  return sum
}

/** rows × columns, missing cells at the centre. */
function standardised(block: Block, numeric: readonly GuessColumn[]): Float64Array {
  const d = numeric.length
  const points = new Float64Array(block.rows * d)
  numeric.forEach(({ place, centre, spread }, j) => {
    const x = block.cells[place] as Float64Array
    for (let i = 0; i < block.rows; i++) {
      points[i * d + j] = Number.isNaN(x[i]) ? 0 : (x[i] - centre) / spread
    }
  })
  return points
}
