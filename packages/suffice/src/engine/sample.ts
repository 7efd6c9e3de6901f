/** A few thousand rows, gathered into one block: what first guesses and re-seeding look at. */
import type { Bags, Block, Chunk, Column, Dice, Held, Sink, SwitchNode } from "../contract.ts"
import type { Laid } from "./lay.ts"
import { rootWeights } from "./sweep.ts"

const SAMPLE = 4096

interface Rows {
  readonly rows: number
  chunks(): Iterable<Chunk> | AsyncIterable<Chunk>
}

/** A row of a block. */
export interface RowAt {
  readonly block: Block
  readonly row: number
}

/** Up to 4,096 rows, each equally likely, in their order; the dice and the number of rows decide, not the chunks. */
export async function takeSample(columns: readonly Column[], table: Rows, dice: Dice): Promise<Block> {
  const parts: Block[] = []
  let left = table.rows
  let wanted = Math.min(SAMPLE, table.rows)
  for await (const chunk of table.chunks()) {
    const picks: RowAt[] = []
    for (const block of chunk) {
      for (let row = 0; row < block.rows && wanted > 0; row++, left--) {
        // Selection sampling (Knuth 1969, algorithm S): each row with probability wanted/left.
        if (wanted < left && dice.uniform() * left >= wanted) continue
        picks.push({ block, row })
        wanted--
      }
    }
    // Only the picked rows are held on to, not the chunk they stood in.
    parts.push(gather(columns, picks))
  }
  return gather(
    columns,
    parts.flatMap(block => Array.from({ length: block.rows }, (_, row) => ({ block, row }))),
  )
}

/** These rows as one block of its own. */
export function gather(columns: readonly Column[], picks: readonly RowAt[]): Block {
  return {
    rows: picks.length,
    weight: Float64Array.from(picks, ({ block, row }) => block.weight[row]),
    cells: columns.map((column, place): Held => {
      if (column.kind === "level") {
        return Int32Array.from(picks, ({ block, row }) => (block.cells[place] as Int32Array)[row])
      }
      if (column.kind === "bag")
        return gatherBags(picks.map(({ block, row }) => [block.cells[place] as Bags, row]))
      return Float64Array.from(picks, ({ block, row }) => (block.cells[place] as Float64Array)[row])
    }),
  }
}

function gatherBags(picks: readonly (readonly [Bags, number])[]): Bags {
  const offsets = new Int32Array(picks.length + 1)
  picks.forEach(([bags, row], i) => {
    offsets[i + 1] = offsets[i] + bags.offsets[row + 1] - bags.offsets[row]
  })
  const words = new Int32Array(offsets[picks.length])
  const counts = new Float64Array(offsets[picks.length])
  picks.forEach(([bags, row], i) => {
    words.set(bags.words.subarray(bags.offsets[row], bags.offsets[row + 1]), offsets[i])
    counts.set(bags.counts.subarray(bags.offsets[row], bags.offsets[row + 1]), offsets[i])
  })
  return { offsets, words, counts }
}

/** The row of one context of a switch with the lowest density; each row is taken once. */
export function worstRow(
  laid: Laid,
  block: Block,
  params: Float64Array,
  part: SwitchNode,
  slot: number,
  taken: Set<number>,
): Block | undefined {
  const scores = new Float64Array(block.rows)
  const share = new Float64Array(block.rows)
  const catcher: Sink = {
    leaf: () => undefined,
    choice(node, { rows }, weights) {
      if (node !== part) return
      for (let i = 0; i < rows; i++) {
        if (weights.form === "one") share[i] = weights.slot[i] % part.slots === slot ? weights.weight[i] : 0
        else {
          for (let l = 0; l < part.levels.length; l++) {
            share[i] += weights.values[(l * part.slots + slot) * rows + i]
          }
        }
      }
    },
  }
  laid.root.up(block, params, scores)
  laid.root.down(block, params, rootWeights(block), catcher)
  let worst = -1
  for (let i = 0; i < block.rows; i++) {
    if (taken.has(i) || share[i] < 0.5 * block.weight[i]) continue
    if (worst < 0 || scores[i] < scores[worst]) worst = i
  }
  if (worst < 0) return undefined
  taken.add(worst)
  return gather(laid.columns, [{ block, row: worst }])
}
