/**
 * The stages of choosing (successive halving; Jamieson & Talwalkar 2016). Few rows are cut into folds: everything is tried on the first folds, and
 * what can still win on the others too. Of more rows a part is held out, and samples of the others grow fourfold from stage to stage; unless they are many,
 * the other folds follow. No sample is larger than 6,400 rows: what more rows give is told by learners that go over them once (curves.ts).
 */
import type { Batch } from "../data/read.ts"
import { rowCount, take } from "../data/take.ts"
import { dice } from "../random.ts"
import type { Split } from "./split.ts"

/** Up to here everything is tried on all rows of a fold; up to FEW, the best are. */
const FEWEST = 2000
export const FEW = 4000
/** Of more rows this many are drawn, the rest is not looked at. */
export const MOST = 30_000
/** Rows that are judged before anything is dropped, in at least one fold. */
const FIRST = 300
/** At most this many rows are held out: their mean loss is precise enough. */
const HELD = 4000
/** The smallest sample to learn from, and what it grows to. */
const SAMPLES = [1600, 6400]

export interface Stage {
  /** What is learned from and what is judged, beside the same of earlier stages. */
  readonly parts: readonly Split<Batch>[]
  /** Rows of one part to learn from. */
  readonly rows: number
  /** Everything is judged anew, on a larger sample. */
  readonly anew: boolean
}

export function stagesOf(parts: readonly Split<Batch>[], seed: number): Stage[] {
  const learned = rowCount(parts[0].train)
  if (learned <= FEWEST || parts.length === 1) {
    const judged = Math.max(rowCount(parts[0].test), 1)
    const enough = Math.min(Math.max(Math.ceil(FIRST / judged), 1), Math.ceil(parts.length / 2))
    return [
      { parts: parts.slice(0, enough), rows: learned, anew: false },
      ...others(parts.slice(enough), learned),
    ]
  }
  const [{ train, test }, ...rest] = parts
  const held = some(test, HELD, seed)
  const grown = (rows: number): Stage => ({
    parts: [{ train: some(train, rows, seed), test: held }],
    rows: Math.min(rows, learned),
    anew: true,
  })
  if (learned <= FEW) return [grown(SAMPLES[0]), grown(learned), ...others(rest, learned)]
  return SAMPLES.map(grown)
}

/** All rows of the first part to learn from, judged as the samples of them are; undefined where there are no samples. */
export function wholeOf(
  parts: readonly Split<Batch>[],
  stages: readonly Stage[],
  seed: number,
): Stage | undefined {
  if (!stages[0].anew) return undefined
  const [{ train, test }] = parts
  return { parts: [{ train, test: some(test, HELD, seed) }], rows: rowCount(train), anew: true }
}

function others(parts: readonly Split<Batch>[], rows: number): Stage[] {
  return parts.length > 0 ? [{ parts, rows, anew: false }] : []
}

/** A random sample of the rows, in their order. Smaller samples are parts of larger ones. */
export function some(batch: Batch, count: number, seed: number): Batch {
  const rows = rowCount(batch)
  if (rows <= count) return batch
  const roll = dice(seed)
  const order = Array.from({ length: rows }, (_, i) => i)
  for (let i = 0; i < count; i++) {
    const j = i + roll.integer(rows - i)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  return take(
    batch,
    order.slice(0, count).sort((a, b) => a - b),
  )
}
