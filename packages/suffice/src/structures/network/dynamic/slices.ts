/**
 * The steps of a block as two networks see them: the first step of every row, and all others, each beside the step before it.
 *
 * What is missing of the carried columns of a step ties it to the next one. There it is a border (inference.ts): a factor over all that is missing of them together, the last
 * column changing fastest, then the context.
 */
import { placeIn } from "../../../blocks/encoded.ts"
import { Gatherer } from "../../../blocks/gather.ts"
import type { Block, Encoded, Nested } from "../../../contract/block.ts"
import type { Column } from "../../../contract/columns.ts"
import { list, SufficeError } from "../../../errors.ts"
import { grow, growCodes } from "../../../kernels/workspace.ts"
import type { Inference } from "../inference.ts"
import type { LaidNode } from "../layout.ts"

/** One of the two networks. */
export interface Slice {
  readonly inference: Inference
  readonly nodes: readonly LaidNode[]
  /** The borders of its inference: what the step before says, and what the one after says; −1: there is none before. */
  readonly before: number
  readonly after: number
}

/** A slice with the steps that are its rows. */
export interface Seen extends Slice {
  /** Row r is step steps[r] of the block. */
  readonly steps: Int32Array
  readonly block: Block
}

/** The codes of hidden columns by step, where they are known. */
export type Codes = ReadonlyMap<number, Int32Array>

export interface TemplateLayout {
  readonly slots: number
  readonly first: Slice
  readonly later: Slice
  /** Columns that the next step depends on, by node, and where they stand one step later. */
  readonly carried: readonly number[]
  readonly ghosts: readonly number[]
  readonly levels: readonly number[]
  readonly columns: readonly Column[]
}

/** What the steps of a block show. */
export interface Reading {
  readonly nested: Nested
  readonly first: Seen
  readonly later: Seen
  /** How many numbers say what is missing of the carried columns of each step, by context; 0: nothing is. */
  readonly sizes: Int32Array
}

export class Reader {
  readonly #layout: TemplateLayout
  readonly #gatherers: readonly [Gatherer, Gatherer]
  readonly #sizes = growCodes()

  constructor(layout: TemplateLayout) {
    this.#layout = layout
    this.#gatherers = [new Gatherer(layout.columns), new Gatherer(layout.columns)]
  }

  /** `hidden`: known codes of the hidden columns. `isStarting`: there are no parameters yet. */
  read(nested: Nested, hidden: Codes = NOTHING_KNOWN, isStarting = false): Reading {
    const { first, carried } = this.#layout
    const { block: steps } = nested
    const known = carried.map(v =>
      first.nodes[v].isHidden ? hidden.get(v) : (steps.cells[first.nodes[v].place] as Int32Array),
    )
    const sizes = this.#sizesOf(steps, known)
    const { starts, ends } = boundsOf(nested)
    const seconds = starts.map(start => start + 1)
    const shown: Shown = { nested, starts, hidden, known, isStarting }
    return {
      nested,
      first: this.#seen(0, shown, starts, seconds),
      later: this.#seen(1, shown, seconds, ends),
      sizes,
    }
  }

  /** Entries that describe the missing carried columns of each step. */
  #sizesOf(steps: Block, known: Shown["known"]): Int32Array {
    const { first, carried, levels, slots } = this.#layout
    const sizes = this.#sizes(steps.rows)
    for (let t = 0; t < steps.rows; t++) {
      let size = 0
      for (let j = 0; j < carried.length; j++) {
        if (known[j] && known[j]![t] >= 0) continue
        size = (size || slots) * levels[carried[j]]
      }
      if (size > MOST_ENTRIES) throw tooMany(steps, t, first.nodes, carried, known, size)
      sizes[t] = size
    }
    return sizes
  }

  /** One slice on the steps from[j] … to[j] − 1 of every sequence. */
  #seen(which: 0 | 1, shown: Shown, from: readonly number[], to: readonly number[]): Seen {
    const slice = which === 0 ? this.#layout.first : this.#layout.later
    const { nested, hidden, isStarting } = shown
    const { places, numbers } = placesOf(nested, shown.starts, from, to)
    const rows = this.#gatherers[which].runs(Array<Block>(from.length).fill(nested.block), from, to)
    const assumed = new Map<string, Int32Array>()
    const assume = (v: number, codeOf: (t: number) => number): void =>
      void assumed.set(slice.nodes[v].name, places.map(codeOf))
    for (const [v, codes] of hidden) assume(v, t => codes[t])
    if (which === 1)
      this.#layout.ghosts.forEach((ghost, j) => {
        const codes = shown.known[j]
        assume(ghost, t => codes?.[t - 1] ?? -1)
      })
    const block: Block = { ...rows, numbers, assumed: assumed.size > 0 ? assumed : undefined }
    slice.inference.read(block)
    if (isStarting) slice.inference.resolve(true)
    return { ...slice, steps: places, block }
  }
}

/** Steps of a block, with the known codes of hidden and of carried columns. */
interface Shown {
  readonly nested: Nested
  /** First step of every sequence that has any. */
  readonly starts: readonly number[]
  readonly hidden: Codes
  /** By carried column. */
  readonly known: readonly (Int32Array | undefined)[]
  readonly isStarting: boolean
}

/** Bounds of the sequences that have steps. */
function boundsOf({ offsets }: Nested): { starts: number[]; ends: number[] } {
  const starts: number[] = []
  const ends: number[] = []
  for (let i = 0; i + 1 < offsets.length; i++) {
    if (offsets[i] === offsets[i + 1]) continue
    starts.push(offsets[i])
    ends.push(offsets[i + 1])
  }
  return { starts, ends }
}

/** Steps from[j] … to[j] − 1 of every sequence, and the numbers of their rows. */
function placesOf(
  { offsets, block: { numbers: rowNumbers, first = 0 } }: Nested,
  starts: readonly number[],
  from: readonly number[],
  to: readonly number[],
): { places: Int32Array; numbers: Float64Array } {
  const count = from.reduce((sum, start, j) => sum + to[j] - start, 0)
  const places = new Int32Array(count)
  const numbers = new Float64Array(count)
  for (let j = 0, r = 0, i = 0; j < from.length; j++) {
    while (offsets[i + 1] <= starts[j]) i++
    const number = rowNumbers?.[i] ?? first + i
    for (let t = from[j]; t < to[j]; t++, r++) {
      places[r] = t
      numbers[r] = number
    }
  }
  return { places, numbers }
}

/** Limit of the tables of one program (program/compiled.ts). */
const MOST_ENTRIES = 1 << 26

function tooMany(
  steps: Block,
  t: number,
  nodes: readonly LaidNode[],
  carried: readonly number[],
  known: readonly (Int32Array | undefined)[],
  size: number,
): SufficeError {
  const { row, step } = placeIn(steps, t)
  const missing = carried.filter((_, j) => !(known[j] && known[j]![t] >= 0))
  const names = missing.map(v => nodes[v].name)
  return new SufficeError(
    "size",
    `row ${row}, step ${step}: what is missing there of the columns that the next step depends on, ${list(names, 20)}, takes a table of ${size} entries, more than ${MOST_ENTRIES}. Give more of these cells, or let the next step depend on fewer columns.`,
    { row, step, entries: size, columns: names },
  )
}

const NOTHING_KNOWN: Codes = new Map()

/** What the upward pass leaves: ln p(what is missing of the carried columns of step t | the steps up to t), from at[t] on. */
export class Alphas {
  readonly #at = growCodes()
  readonly #all = grow()
  at: Int32Array = new Int32Array(0)
  all: Float64Array = new Float64Array(0)

  reserve(sizes: Int32Array): void {
    const at = this.#at(sizes.length + 1)
    at[0] = 0
    for (let t = 0; t < sizes.length; t++) at[t + 1] = at[t] + sizes[t]
    this.at = at
    this.all = this.#all(at[sizes.length])
  }

  of(t: number): Float64Array {
    return this.all.subarray(this.at[t], this.at[t + 1])
  }
}

/** A node of the steps with a set of parameters of its own, and the slices that use it. */
export interface Owned {
  /** By node of the slices. */
  readonly v: number
  readonly laid: LaidNode
  readonly inFirst: boolean
  readonly inLater: boolean
}

/** The cells of a block with those of a slice's rows in place of its own. */
export function scattered(to: Encoded, from: Encoded, steps: Int32Array): void {
  const own = to as Float64Array
  const other = from as Float64Array
  for (let r = 0; r < steps.length; r++) own[steps[r]] = other[r]
}
