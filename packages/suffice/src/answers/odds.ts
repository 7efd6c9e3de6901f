/** The log-odds of two levels as a sum over what a row or a step holds: see explain.ts. */
import type { Block, Encoded, Nested } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import { didYouMean, list, nearest, SufficeError, show, wrongOption } from "../errors.ts"
import { integrate } from "../kernels/quadrature.ts"
import type { Knowledge } from "./knowledge.ts"
import type { ScaledRow } from "./scaled.ts"
import type { Terms } from "./terms.ts"

export type Pair = readonly [a: number, b: number]

/** The column that is explained. */
interface Explained {
  readonly column: string
  readonly levels: readonly Level[]
}

/** The levels to weigh against each other; by default the most probable ones. */
interface LevelsAsked {
  readonly level?: Level
  readonly against?: Level
}

interface Asked {
  readonly columns: readonly Column[]
  readonly block: Block
  /** The column that is explained. */
  readonly column: string
}

/**
 * Adds what the labels and the leaves contribute to the odds of the pair, so that they add up; ofA and ofB are ln p(row, level) of the two. Returns the
 * odds before anything is seen.
 */
export function addTerms(
  { laid }: Knowledge,
  scaled: ScaledRow,
  pair: Pair,
  [ofA, ofB]: readonly [number, number],
  { columns, block, column }: Asked,
  terms: Terms,
): number {
  const seen = laid.switches.filter(node => !node.hidden && node.column !== column)
  const revealed = reveal(scaled, pair, columns, block, new Set(seen.map(({ column }) => column)))
  for (const [column, contribution] of revealed.labels) terms.add({ column }, contribution)
  const { weights, wavered } = pathWeights(scaled, pair)
  const possible = [ofA > -Infinity, ofB > -Infinity] as const
  for (const leaf of scaled.leaves) terms.addLeaf(leaf, weights, possible)
  const logOdds = ofA - ofB
  if (wavered) checkGap(terms.settle(logOdds - revealed.prior), logOdds, scaled.reach)
  return revealed.prior
}

// ── which two levels ───────────────────────────────────────────────────────────────────────────────

export function chosenPair(target: Explained, joint: Float64Array, options: LevelsAsked): Pair {
  const { column, levels } = target
  if (levels.length < 2) {
    throw new SufficeError(
      "target",
      `explain: ${show(column)} has only the level ${list(levels)}. An explanation weighs one level against another. Ask for another column.`,
      { column },
    )
  }
  const level = indexOf("level", target, options.level)
  const against = indexOf("against", target, options.against)
  const best = (but: number): number => {
    let found = but === 0 ? 1 : 0
    for (let l = found + 1; l < levels.length; l++) if (l !== but && joint[l] > joint[found]) found = l
    return found
  }
  const a = level ?? best(against ?? -1)
  const b = against ?? best(a)
  if (a === b) {
    throw new SufficeError(
      "option",
      `explain: level and against are both ${show(levels[a])}. The odds of a level against itself are even. Name two levels of ${show(column)}.`,
      { option: "against", column },
    )
  }
  if (joint[a] > -Infinity || joint[b] > -Infinity) return [a, b]
  throw new SufficeError(
    "cell",
    `explain: the row is impossible under ${show(levels[a])} and under ${show(levels[b])}. The odds of two impossible levels are not defined. Fit the model with a prior, or ask about levels the row can have.`,
    { column, levels: [levels[a], levels[b]] },
  )
}

function indexOf(
  option: string,
  { column, levels }: Explained,
  requested: Level | null | undefined,
): number | undefined {
  if (requested === undefined) return undefined
  if (requested !== null && typeof requested === "object") {
    throw wrongOption(
      "explain",
      option,
      requested,
      `It is a level of ${show(column)}, which has ${list(levels)}.`,
    )
  }
  const found = levels.findIndex(level => String(level) === String(requested))
  if (found >= 0) return found
  throw new SufficeError(
    "option",
    `explain: ${option} is ${show(requested)}, which is no level of ${show(column)}. It has ${list(levels)}. ${didYouMean(nearest(String(requested), levels.map(String)), "Name one of them.")}`,
    { option, column, value: requested },
  )
}

// ── the prior, and labels that are seen ────────────────────────────────────────────────────────────

/** Log-odds of the pair at t = 0: without any label, then the change that each label makes. */
function reveal(
  scaled: ScaledRow,
  [a, b]: Pair,
  columns: readonly Column[],
  block: Block,
  labels: ReadonlySet<string>,
): { prior: number; labels: Map<string, number> } {
  const hidden = new Set(seenIn(columns, block, labels))
  const odds = (): number => {
    const rest = without(columns, block, hidden)
    return scaled.logJoint(a, 0, rest) - scaled.logJoint(b, 0, rest)
  }
  const prior = odds()
  const changes = new Map<string, number>()
  let before = prior
  for (const name of [...hidden]) {
    hidden.delete(name)
    const after = odds()
    // once a level is impossible, nothing changes the odds
    changes.set(name, Number.isFinite(before) ? after - before : 0)
    before = after
  }
  return { prior, labels: changes }
}

/** Labels that are seen, in the row or in some of its steps. */
function seenIn(columns: readonly Column[], block: Block, labels: ReadonlySet<string>): string[] {
  return columns.flatMap((column, place) => {
    const held = block.cells[place]
    if (column.kind === "steps") return seenIn(column.columns, (held as Nested).block, labels)
    const isSeen = labels.has(column.name) && (held as Int32Array).some(code => code >= 0)
    return isSeen ? [column.name] : []
  })
}

/** The block with these levels missing. */
function without(columns: readonly Column[], block: Block, hidden: ReadonlySet<string>): Block {
  if (hidden.size === 0) return block
  const cells = columns.map((column, place): Encoded => {
    const held = block.cells[place]
    if (column.kind === "steps") {
      const nested = held as Nested
      return { ...nested, block: without(column.columns, nested.block, hidden) }
    }
    return hidden.has(column.name) ? new Int32Array(block.rows).fill(-1) : held
  })
  return { ...block, cells }
}

// ── the path from t = 0 to t = 1 ───────────────────────────────────────────────────────────────────

/** The terms are made to add up exactly by distributing the remainder, which must be rounding, not a part of the path that was missed. */
function checkGap(gap: number, logOdds: number, reach: number): void {
  if (gap <= 1e-6 * (1 + Math.abs(logOdds)) + 1e-12 * reach) return
  throw new SufficeError(
    "cell",
    `explain: the contributions add up to the log-odds but for ${gap}. Under this row the components change places too fast for their shares to be told. Ask about a row that lies nearer to the data, or use posterior().`,
    { gap, logOdds },
  )
}

interface PathWeights {
  /** ∫_0^1 r_p(t) dt of every leaf slot, for either level. */
  readonly weights: readonly [Float64Array, Float64Array]
  /** Whether r depended on the scores. */
  readonly wavered: boolean
}

function pathWeights(scaled: ScaledRow, pair: Pair): PathWeights {
  const { size, reach } = scaled
  const ends = pair.map(level => {
    const weights = new Float64Array(size)
    return { weights, wavered: scaled.weigh(level, 1, 1, weights) }
  })
  if (!ends.some(end => end.wavered)) return { weights: [ends[0].weights, ends[1].weights], wavered: false }

  const scores = new Float64Array(size)
  for (const leaf of scaled.leaves) scores.set(leaf.scores, leaf.at)
  const joints = pair.map(level => {
    const known = new Map<number, number>()
    return (t: number): number => {
      if (!known.has(t)) known.set(t, scaled.logJoint(level, t))
      return known.get(t)!
    }
  })
  // the rounding error of sums of this size
  const tolerance = 1e-12 + 1e-14 * reach
  // two panels can agree and both miss a jump of r near 0, but then ∫ dF/dt is not F(to) − F(from)
  const content = (coarse: Float64Array, halves: Float64Array, from: number, to: number): boolean =>
    joints.every((joint, k) => {
      let sum = 0
      for (let j = 0; j < size; j++) {
        const at = k * size + j
        if (Math.abs(scores[j] * (coarse[at] - halves[at])) > tolerance) return false
        sum += scores[j] * halves[at]
      }
      return !(Math.abs(sum - (joint(to) - joint(from))) > tolerance)
    })
  const integral = integrate(
    2 * size,
    (t, weight, out) => {
      scaled.weigh(pair[0], t, weight, out.subarray(0, size))
      scaled.weigh(pair[1], t, weight, out.subarray(size))
    },
    content,
  )
  return { weights: [integral.subarray(0, size), integral.subarray(size)], wavered: true }
}
