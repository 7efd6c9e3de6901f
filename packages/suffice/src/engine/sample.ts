/** A few thousand rows, gathered into one block: what first guesses and re-seeding look at. */
import type { Bags, Block, Chunk, Column, Dice, Held, Part, Sink, Weights } from "../contract.ts"
import { isDue, pause } from "../pause.ts"
import type { Laid } from "./lay.ts"
import { rootWeights } from "./sweep.ts"

const SAMPLE = 4096

interface Rows {
  readonly rows: number
  readonly label?: string | undefined
  readonly unlabelled?: number | undefined
  chunks(): Iterable<Chunk> | AsyncIterable<Chunk>
}

/**
 * Up to 4,096 rows, each equally likely, in their order; the dice and the number of rows decide, not the chunks. Rows without a label leave at least half of it
 * to those with one, as far as there are so many: few labels among many rows say where the classes are.
 */
export async function takeSample(columns: readonly Column[], table: Rows, dice: Dice): Promise<Block> {
  const parts: Block[] = []
  const { rows, unlabelled = 0 } = table
  const place = unlabelled > 0 ? columns.findIndex(({ name }) => name === table.label) : -1
  const labelled = Math.min(rows - unlabelled, SAMPLE - Math.min(unlabelled, SAMPLE / 2))
  const seen = { left: rows - unlabelled, wanted: labelled }
  const hidden = { left: unlabelled, wanted: Math.min(unlabelled, SAMPLE - labelled) }
  for await (const chunk of table.chunks()) {
    const picks: Picks = { blocks: [], rows: [] }
    for (const block of chunk) {
      const label = block.cells[place] as Int32Array | undefined
      for (let row = 0; row < block.rows && seen.wanted + hidden.wanted > 0; row++) {
        const kind = label && label[row] < 0 ? hidden : seen
        // Selection sampling (Knuth 1969, algorithm S): each row with probability wanted/left.
        const picked =
          kind.wanted > 0 && (kind.wanted >= kind.left || dice.uniform() * kind.left < kind.wanted)
        kind.left--
        if (!picked) continue
        picks.blocks.push(block)
        picks.rows.push(row)
        kind.wanted--
      }
    }
    // Only the picked rows are held on to, not the chunk they stood in.
    parts.push(gather(columns, picks))
    if (isDue()) await pause()
  }
  return gather(columns, {
    blocks: parts.flatMap(block => new Array<Block>(block.rows).fill(block)),
    rows: parts.flatMap(block => Array.from({ length: block.rows }, (_, row) => row)),
  })
}

/** Rows out of blocks: row rows[j] of blocks[j], for j below `count`. */
export interface Picks {
  readonly blocks: Block[]
  readonly rows: number[]
}

/** These rows as one block of its own, which holds on to no other. */
export function gather(columns: readonly Column[], picks: Picks): Block {
  const { cells, ...block } = new Gatherer(columns).gather(picks)
  return { ...block, cells: cells.map(held => (held instanceof GatheredBags ? held.alone() : held)) }
}

/** Gathers rows into the same arrays again and again: a block is good until the next one. */
export class Gatherer {
  readonly #columns: readonly Column[]
  #weight = new Float64Array(0)
  readonly #rooms: Room[]

  constructor(columns: readonly Column[]) {
    this.#columns = columns
    this.#rooms = columns.map(emptyRoom)
  }

  gather({ blocks, rows }: Picks): Block {
    const count = rows.length
    if (this.#weight.length !== count) this.#weight = new Float64Array(count)
    const weight = this.#weight
    for (let j = 0; j < count; j++) weight[j] = blocks[j].weight[rows[j]]
    return {
      rows: count,
      weight,
      cells: this.#columns.map((column, place): Held => {
        const room = this.#rooms[place]
        if (column.kind === "bag") {
          return new GatheredBags(
            blocks.map(block => block.cells[place] as Bags),
            rows,
            room,
          )
        }
        const isLevel = column.kind === "level"
        if (room.cells.length !== count) room.cells = new (isLevel ? Int32Array : Float64Array)(count)
        for (let j = 0; j < count; j++) room.cells[j] = (blocks[j].cells[place] as Cells)[rows[j]]
        return room.cells
      }),
    }
  }
}

type Cells = Int32Array | Float64Array

interface Room {
  cells: Cells
  offsets: Int32Array
  words: Int32Array
  counts: Float64Array
  scaled: Float64Array
}

function emptyRoom(): Room {
  return {
    cells: new Int32Array(0),
    offsets: new Int32Array(0),
    words: new Int32Array(0),
    counts: new Float64Array(0),
    scaled: new Float64Array(0),
  }
}

/** Rows of other bags. Most learners read them where they stand; who asks for words gets them gathered, into the arrays of the room. */
class GatheredBags implements Bags {
  readonly offsets: Int32Array
  readonly picked: { readonly from: readonly Bags[]; readonly rows: readonly number[] }
  readonly #room: Room
  #words: Int32Array | undefined
  #counts: Float64Array | undefined
  #scaled: Float64Array | undefined

  constructor(from: readonly Bags[], rows: readonly number[], room: Room) {
    const count = rows.length
    if (room.offsets.length !== count + 1) room.offsets = new Int32Array(count + 1)
    const { offsets } = room
    for (let j = 0; j < count; j++) {
      const own = from[j].offsets
      offsets[j + 1] = offsets[j] + own[rows[j] + 1] - own[rows[j]]
    }
    this.offsets = offsets
    this.picked = { from, rows }
    this.#room = room
  }

  get words(): Int32Array {
    this.#words ??= this.#bring("words", Int32Array)
    return this.#words
  }

  get counts(): Float64Array {
    this.#counts ??= this.#bring("counts", Float64Array)
    return this.#counts
  }

  get missing(): ArrayLike<number> {
    return this.picked.rows.map((row, j) => this.picked.from[j].missing?.[row] ?? 0)
  }

  get scaled(): Float64Array | undefined {
    if (this.picked.from.every(bags => bags.scaled)) this.#scaled ??= this.#bring("scaled", Float64Array)
    return this.#scaled
  }

  set scaled(scaled: Float64Array | undefined) {
    this.#scaled = scaled
  }

  /** The same, without the rows they were gathered from. */
  alone(): Bags {
    const { offsets, words, scaled, counts, missing } = this
    return { offsets, words, counts, missing, ...(scaled && { scaled }) }
  }

  #bring<Key extends "words" | "counts" | "scaled">(
    key: Key,
    make: new (length: number) => Room[Key],
  ): Room[Key] {
    const { from, rows } = this.picked
    const size = this.offsets[rows.length]
    if (this.#room[key].length < size) this.#room[key] = new make(roomFor(size, this.#room[key]))
    const to = this.#room[key]
    for (let j = 0; j < rows.length; j++) {
      const { offsets, [key]: values } = from[j]
      // whole runs at once: rows that stand far apart are waited for, and this waits for more of them at a time
      to.set(values!.subarray(offsets[rows[j]], offsets[rows[j] + 1]), this.offsets[j])
    }
    return to
  }
}

/** Exact the first time: most are used once. */
function roomFor(size: number, before: { readonly length: number }): number {
  return before.length === 0 ? size : 2 * size
}

/** The row of one slot of a part with the lowest density; each row is taken once. */
export function worstRow(
  laid: Laid,
  block: Block,
  params: Float64Array,
  part: Part,
  slot: number,
  taken: Set<number>,
): Block | undefined {
  const scores = new Float64Array(block.rows)
  const share = new Float64Array(block.rows)
  /** Of all values together, where the weights are those of values. */
  const take = (weights: Weights, values: number): void => {
    for (let i = 0; i < block.rows; i++) {
      if (weights.form === "one") share[i] = weights.slot[i] % part.slots === slot ? weights.weight[i] : 0
      else {
        for (let l = 0; l < values; l++) share[i] += weights.values[(l * part.slots + slot) * block.rows + i]
      }
    }
  }
  const catcher: Sink = {
    leaf: (reached, _block, weights) => void (reached === part && take(weights, 1)),
    choice: (reached, _block, weights) =>
      void (reached === part && take(weights, part.statistics / part.slots)),
  }
  const work = laid.root.up(block, params, scores)
  laid.root.down(block, params, rootWeights(block), catcher, work)
  let worst = -1
  for (let i = 0; i < block.rows; i++) {
    if (taken.has(i) || share[i] < 0.5 * block.weight[i]) continue
    if (worst < 0 || scores[i] < scores[worst]) worst = i
  }
  if (worst < 0) return undefined
  taken.add(worst)
  return gather(laid.columns, { blocks: [block], rows: [worst] })
}
