/** A few thousand rows, gathered into one block: for first guesses and restarts of starved values. */

import { columnsAt } from "../blocks/encoded.ts"
import { Gatherer, gather, type Picks } from "../blocks/gather.ts"
import type { Block, Chunk, Encoded, Nested, Weights } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import type { Lifetime } from "../contract/door.ts"
import type { Sink } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import { isDue, pause } from "../pause.ts"
import type { Laid } from "./lay.ts"
import { rootWeights } from "./sweep.ts"

const SAMPLE = 4096
/** Of a row with more steps, so many pieces of so many steps are enough for a guess, and its memory does not grow with the row. */
const PIECES = 32
const PIECE = 1920

interface Rows {
  readonly rows: number
  readonly label?: string | undefined
  readonly unlabelled?: number | undefined
  chunks(lifetime?: Lifetime): Iterable<Chunk> | AsyncIterable<Chunk>
  /** These rows as one block, in the order of the data, where that is cheaper than reading all chunks. */
  rowsAt?(ranks: Ranks): Promise<Block>
}

/** Rows by their rank, from 0, among the rows with a label and among those without one. Ascending. */
export interface Ranks {
  readonly labelled: readonly number[]
  readonly unlabelled: readonly number[]
}

/**
 * The ranks of up to 4,096 rows, each equally likely. They follow from the dice and the numbers of rows alone, so that they can be told before any row is read.
 * If there are enough labelled rows, they make up at least half of the sample: few labels among many rows say where the classes are.
 */
export function sampleRanks(rows: number, unlabelled: number, dice: Dice): Ranks {
  const labelled = Math.min(rows - unlabelled, SAMPLE - Math.min(unlabelled, SAMPLE / 2))
  return {
    labelled: drawn(rows - unlabelled, labelled, dice),
    unlabelled: drawn(unlabelled, Math.min(unlabelled, SAMPLE - labelled), dice),
  }
}

/** Selection sampling (Knuth 1969, algorithm S): each of `rows` with probability wanted/left. */
function drawn(rows: number, wanted: number, dice: Dice): number[] {
  const ranks: number[] = []
  for (let rank = 0; ranks.length < wanted; rank++) {
    const missing = wanted - ranks.length
    const left = rows - rank
    if (missing >= left || dice.uniform() * left < missing) ranks.push(rank)
  }
  return ranks
}

/** These rows as one block, in the order of the data; it does not depend on the chunks. */
export async function takeSample(columns: readonly Column[], table: Rows, dice: Dice): Promise<Block> {
  const { rows, unlabelled = 0 } = table
  const ranks = sampleRanks(rows, unlabelled, dice)
  if (table.rowsAt) return table.rowsAt(ranks)
  const place = unlabelled > 0 ? columns.findIndex(({ name }) => name === table.label) : -1
  const seen = { ranks: ranks.labelled, next: 0, rank: 0 }
  const hidden = { ranks: ranks.unlabelled, next: 0, rank: 0 }
  const parts: Block[] = []
  for await (const chunk of table.chunks("chunk")) {
    const picks: Picks = { blocks: [], rows: [] }
    for (const whole of chunk) {
      const block = inPieces(columns, whole)
      const label = block.cells[place] as Int32Array | undefined
      for (let row = 0; row < block.rows; row++) {
        const kind = label && label[row] < 0 ? hidden : seen
        if (kind.rank++ !== kind.ranks[kind.next]) continue
        picks.blocks.push(block)
        picks.rows.push(row)
        kind.next++
      }
    }
    // copied, so that the chunk can be freed, or overwritten
    parts.push(gather(columns, picks))
    if (isDue()) await pause()
  }
  return gather(columns, {
    blocks: parts.flatMap(block => new Array<Block>(block.rows).fill(block)),
    rows: parts.flatMap(block => Array.from({ length: block.rows }, (_, row) => row)),
  })
}

/** A block of one long row with pieces of its steps, evenly spread; any other block as it is. */
function inPieces(columns: readonly Column[], block: Block): Block {
  if (block.rows !== 1) return block
  const cells = block.cells.map((held, place): Encoded => {
    const column = columns[place]
    if (column.kind !== "steps") return held
    const { block: steps, missing } = held as Nested
    if (steps.rows <= PIECES * PIECE) return held
    const starts = Array.from({ length: PIECES }, (_, n) =>
      Math.round((n * (steps.rows - PIECE)) / (PIECES - 1)),
    )
    const ends = starts.map(start => start + PIECE)
    const own = new Gatherer(column.columns).runs(
      starts.map(() => steps),
      starts,
      ends,
    )
    const { first, numbers } = steps
    const offsets = Int32Array.of(0, own.rows)
    return { offsets, block: { ...own, first, numbers, offsets }, missing }
  })
  return { ...block, cells }
}

/** The rows taken so far, by block: steps are rows of nested blocks. */
export class Taken {
  readonly #rows = new Map<Block, Set<number>>()

  get size(): number {
    return this.#rows.size
  }

  of(block: Block): Set<number> {
    const rows = this.#rows.get(block) ?? new Set()
    return rows
  }

  add(block: Block, row: number): void {
    this.#rows.set(block, this.of(block).add(row))
  }
}

/** The row (or step, for a part inside steps) of one slot that has the lowest density and is not taken yet. */
export function worstRow(
  laid: Laid,
  sample: Block,
  params: Float64Array,
  part: Part,
  slot: number,
  taken: Taken,
): Block | undefined {
  let block = sample
  let share = new Float64Array(0)
  /** share[i] ← the weight of row i in the slot, summed over its values if the part is a choice. */
  const take = (own: Block, weights: Weights, values: number): void => {
    const { rows } = own
    block = own
    share = new Float64Array(rows)
    for (let i = 0; i < rows; i++) {
      if (weights.form === "one")
        share[i] = weights.slot[i] % part.leaf.shape.slots === slot ? weights.weight[i] : 0
      else {
        for (let l = 0; l < values; l++)
          share[i] += weights.values[(l * part.leaf.shape.slots + slot) * rows + i]
      }
    }
  }
  const catcher: Sink = {
    leaf: (reached, own, weights) => void (reached === part && take(own, weights, 1)),
    choice: (reached, own, weights) =>
      void (reached === part && take(own, weights, part.leaf.shape.statistics / part.leaf.shape.slots)),
  }
  const total = new Float64Array(sample.rows)
  const work = laid.root.up(sample, params, total)
  laid.root.down(sample, params, rootWeights(sample), catcher, work)
  const scores = block === sample ? total : scoresOf(laid, part, block, params, slot)
  const before = taken.of(block)
  let worst = -1
  for (let i = 0; i < block.rows; i++) {
    if (before.has(i) || share[i] < 0.5 * block.weight[i]) continue
    if (worst < 0 || scores[i] < scores[worst]) worst = i
  }
  if (worst < 0) return undefined
  taken.add(block, worst)
  return gather(columnsAt(laid.columns, part.steps), { blocks: [block], rows: [worst] })
}

/** ln p(step | context) of each step under this part; for a switch, with its bodies. */
function scoresOf(laid: Laid, part: Part, block: Block, params: Float64Array, slot: number): Float64Array {
  const scores = new Float64Array(part.leaf.shape.slots * block.rows)
  const node = laid.switches.find(node => node.part === part)
  if (node) node.up(block, params, scores)
  else part.leaf.score(block, part.ranges.paramsOf(params), scores)
  return scores.subarray(slot * block.rows, (slot + 1) * block.rows)
}
