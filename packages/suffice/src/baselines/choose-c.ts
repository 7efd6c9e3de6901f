/**
 * C chosen by cross-validation on the training rows, as for a serious reference:
 *
 *     C = 1, then 4, 16, … and 1/4, 1/16, …, each way until two in a row are worse; then half and twice the best
 *
 * By log-loss if there are probabilities, otherwise by the error rate; among those within a thousandth of the best, the smallest C. Folds are drawn
 * by the seed, in proportion to the levels. The only row of a level is never held out: its level could not be learned. Features are those of all
 * training rows: their means, spreads and frequencies depend on no label. Problems are solved loosely, each from the solution for the
 * previous C; all in all this costs a few fits.
 */
import type { Dice } from "../contract/dice.ts"
import { dealt } from "../measure/partition.ts"
import { rowScores, someRows } from "./design-matrix.ts"
import type { Examples, Solution, SolveHow } from "./learn-line.ts"
import { type Link, posteriorOf } from "./link.ts"

/** How C was chosen by cross-validation. */
export interface ChosenC {
  readonly c: number
  readonly by: "logLoss" | "errors"
  /** What was tried, from the smallest C to the largest: the mean over held-out rows. */
  readonly tried: readonly { readonly c: number; readonly loss: number }[]
}

export type Solve = (examples: Examples, how: SolveHow) => Promise<Solution>

/** The relative gain in loss at which a larger C counts as better. */
const GAIN = 1e-3
const STEP = 4
/** Entries of a matrix that is worth a copy for each fold. */
const SMALL = 1 << 21
/** The most steps each way: C from 1.5e-5 to 65536. */
const FARTHEST = 8

export async function chooseC(
  examples: Examples,
  link: Link | undefined,
  folds: number,
  dice: Dice,
  solve: Solve,
): Promise<ChosenC> {
  const parts = partsOf(examples, folds, dice)
  const by = link ? "logLoss" : "errors"
  if (parts.length === 0) return { c: 1, by, tried: [] }
  const losses = new Map<number, number>()
  const cutAt = foldCutter(examples, parts)
  /** Measures the mean loss at C, starting from these solutions; returns the new ones. */
  const measure = async (c: number, from: readonly Solution[]): Promise<Solution[]> => {
    const solutions: Solution[] = []
    let loss = 0
    let mass = 0
    for (const f of parts.keys()) {
      const [learned, held] = cutAt(f)
      const start = from.length > 0 && { from: from[f] }
      const solution = await solve(learned, { c, loose: true, ...start })
      solutions.push(solution)
      const missed = lossOf(held, solution, link)
      loss += missed.loss
      mass += missed.mass
    }
    losses.set(c, loss / mass)
    return solutions
  }

  const first = await measure(1, [])
  for (const factor of [STEP, 1 / STEP]) {
    let from = first
    let best = losses.get(1)!
    for (let step = 1, worse = 0, c = factor; step <= FARTHEST && worse < 2; step++, c *= factor) {
      from = await measure(c, from)
      const loss = losses.get(c)!
      worse = loss < (1 - GAIN) * best ? 0 : worse + 1
      best = Math.min(best, loss)
    }
  }
  const coarse = bestOf(losses)
  for (const c of [coarse / 2, coarse * 2]) await measure(c, [])
  const tried = [...losses].map(([c, loss]) => ({ c, loss })).sort((a, b) => a.c - b.c)
  return { c: bestOf(losses), by, tried }
}

type Fold = readonly [learned: Examples, held: Examples]

/** The rows of each fold and the rest of the rows; small copies are kept. */
function foldCutter(examples: Examples, parts: readonly Int32Array[]): (f: number) => Fold {
  const { x } = examples
  const isSmall = x.values.length + x.counts.length <= SMALL
  const copies: Fold[] = []
  return f => {
    if (copies[f]) return copies[f]
    const isHeld = new Uint8Array(x.rows)
    for (const i of parts[f]) isHeld[i] = 1
    const learned = Int32Array.from(isHeld.keys()).filter(i => isHeld[i] === 0)
    const fold: Fold = [someExamples(examples, learned), someExamples(examples, parts[f])]
    if (isSmall) copies[f] = fold
    return fold
  }
}

/** The smallest C within a thousandth of the best loss. */
function bestOf(losses: ReadonlyMap<number, number>): number {
  const least = Math.min(...losses.values())
  return Math.min(...[...losses].flatMap(([c, loss]) => (loss * (1 - GAIN) <= least ? c : [])))
}

/** The rows of each fold. Rows of weight 0 are never held out, nor levels that would lose all their rows at once. */
function partsOf({ labels, weights, met }: Examples, folds: number, dice: Dice): Int32Array[] {
  const rows = Int32Array.from(labels.keys()).filter(i => weights[i] > 0)
  const count = Math.min(folds, rows.length)
  const parts = dealt(
    rows.map(i => labels[i]),
    new Array<number>(count).fill(1 / count),
    dice,
  )
  const partsOfLevel = met.map(() => new Set<number>())
  rows.forEach((i, at) => {
    partsOfLevel[labels[i]].add(parts[at])
  })
  return Array.from({ length: count }, (_, part) =>
    rows.filter((i, at) => parts[at] === part && partsOfLevel[labels[i]].size > 1),
  ).filter(held => held.length > 0)
}

function someExamples({ x, labels, weights, met }: Examples, rows: Int32Array): Examples {
  return {
    x: someRows(x, rows),
    labels: rows.map(i => labels[i]),
    weights: Float64Array.from(rows, i => weights[i]),
    met,
  }
}

/** Σ weight · loss of held-out rows: −ln p(label), or 1 for an error. */
function lossOf(
  { x, labels, weights, met }: Examples,
  { weights: w, outputs }: Solution,
  link: Link | undefined,
): { readonly loss: number; readonly mass: number } {
  const count = met.length
  const said = new Float64Array(outputs)
  const scores = new Float64Array(x.rows * count)
  for (let i = 0; i < x.rows; i++) {
    rowScores(x, i, w, outputs, said)
    for (let l = 0; l < count; l++) scores[i * count + l] = outputs === 1 ? (2 * l - 1) * said[0] : said[l]
  }
  const logs = link && posteriorOf(scores, count, link).logs
  let loss = 0
  let mass = 0
  for (let i = 0; i < x.rows; i++) {
    const at = i * count
    let best = 0
    for (let l = 1; l < count; l++) if (scores[at + l] > scores[at + best]) best = l
    loss += weights[i] * (logs ? -logs[at + labels[i]] : best === labels[i] ? 0 : 1)
    mass += weights[i]
  }
  return { loss, mass }
}
