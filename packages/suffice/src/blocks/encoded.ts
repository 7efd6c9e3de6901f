/**
 * What is done with held cells, whatever they hold: look for a hole, find the memory behind them, say where a row stands. Bags and steps are blocks within
 * blocks. The way out is here too: held values become cells again, in the units and types they came in. Rows are taken out of blocks in gather.ts.
 */
import type { Bags, Block, Chunk, Encoded, Nested } from "../contract/block.ts"
import type { Cell, Row } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"

type StepsColumn = Extract<Column, { kind: "steps" }>

// ── blocks within blocks ───────────────────────────────────────────────────────────────────────────

/** Bags of these words; the arrays may be longer than the last offset. */
export function bagsOf(
  offsets: Int32Array,
  words: Int32Array,
  counts: Float64Array,
  missing?: ArrayLike<number>,
): Bags {
  return asBags({
    offsets,
    block: { rows: offsets[offsets.length - 1], weight: counts, cells: [words] },
    missing,
  })
}

/** Rows within rows as bags: the first column holds words, the weights are counts. */
export function asBags(nested: Nested): Bags {
  const { weight, cells } = nested.block
  return { ...nested, words: cells[0] as Int32Array, counts: weight }
}

export function isBags(held: Nested): held is Bags {
  return "words" in held
}

/** The columns of the block within a cell; undefined: a cell is not a block. */
export function columnsWithin(column: Column): readonly Column[] | undefined {
  if (column.kind === "steps") return column.columns
  return column.kind === "bag" ? [{ kind: "level", name: column.name, levels: column.words }] : undefined
}

/** Rows from … to − 1 of a block, where they stand: what is written to them is written there. */
export function rowsOf(block: Block, from: number, to: number): Block {
  const named = { first: (block.first ?? 0) + from, numbers: block.numbers?.subarray(from, to) }
  const cells = block.cells.map(held => {
    if (ArrayBuffer.isView(held)) return held.subarray(from, to)
    const [start, end] = [held.offsets[from], held.offsets[to]]
    const offsets = held.offsets.slice(from, to + 1).map(offset => offset - start)
    const missing = held.missing && Array.from(held.missing).slice(from, to)
    const nested = { offsets, block: { ...rowsOf(held.block, start, end), ...named, offsets }, missing }
    return isBags(held) ? asBags(nested) : nested
  })
  return { rows: to - from, weight: block.weight.subarray(from, to), cells, ...named }
}

/** Which row of the data this is, and which of its steps, for messages. */
export function placeIn({ first = 0, numbers, offsets }: Block, i: number): { row: number; step?: number } {
  if (!offsets) return { row: numbers?.[i] ?? first + i }
  const r = ownerOf(offsets, i)
  return { row: numbers?.[r] ?? first + r, step: i - offsets[r] }
}

/** The row that owns an inner one: the last that begins at it or before, so not an empty one. */
export function ownerOf(offsets: Int32Array, inner: number): number {
  let low = 0
  let high = offsets.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (offsets[middle] <= inner) low = middle
    else high = middle
  }
  return low
}

/** The buffers of a chunk: handed over to another thread, they are gone from here. */
export function buffersOf(chunk: Chunk): ArrayBuffer[] {
  const buffers = new Set<ArrayBufferLike>()
  const add = ({ weight, cells, numbers, offsets }: Block): void => {
    for (const part of [weight, numbers, offsets]) if (part) buffers.add(part.buffer)
    for (const held of cells) {
      if (ArrayBuffer.isView(held)) buffers.add(held.buffer)
      else {
        buffers.add(held.offsets.buffer)
        add(held.block)
      }
    }
  }
  for (const block of chunk) add(block)
  return [...buffers].filter(buffer => buffer instanceof ArrayBuffer)
}

// ── cells ──────────────────────────────────────────────────────────────────────────────────────────

/** Every column, those of steps behind the one they stand in. */
export function allColumns(columns: readonly Column[]): Column[] {
  return columns.flatMap(column =>
    column.kind === "steps" ? [column, ...allColumns(column.columns)] : [column],
  )
}

/** The columns of the steps that lie behind these names, outermost first. */
export function columnsAt(columns: readonly Column[], steps: readonly string[]): readonly Column[] {
  return steps.reduce((outer, name) => {
    const found = outer.find(column => column.name === name)
    return found?.kind === "steps" ? found.columns : []
  }, columns)
}

/** The block of the steps that lie behind these names. */
export function blockAt(columns: readonly Column[], block: Block, steps: readonly string[]): Block {
  if (steps.length === 0) return block
  const place = columns.findIndex(({ name }) => name === steps[0])
  const inner = columnsAt(columns, steps.slice(0, 1))
  return blockAt(inner, (block.cells[place] as Nested).block, steps.slice(1))
}

/** A held number in the units of its column. */
export function outOf(column: Column, held: number): number {
  return column.kind === "number" ? column.shift + column.scale * held : held
}

/** The opposite: a number in the units of the data, as it is held. */
export function into(column: Column, x: number): number {
  return column.kind === "number" ? (x - column.shift) / column.scale : x
}

/** Is the cell of this row missing? */
export function isHole(column: Column, held: Encoded, row: number): boolean {
  if (column.kind === "level") return (held as Int32Array)[row] < 0
  if (column.kind === "number" || column.kind === "count") return Number.isNaN((held as Float64Array)[row])
  const { offsets, missing } = held as Nested
  if (column.kind === "steps" || column.text.empty) return missing?.[row] === 1
  return offsets[row] === offsets[row + 1]
}

/** The cell of one row; null where it is missing. */
export function cellOf(column: Column, held: Encoded, row: number): Cell {
  if (column.kind === "bag") return bagOf(column.words, held as Bags, row)
  if (isHole(column, held, row)) return null
  if (column.kind === "level") return column.levels[(held as Int32Array)[row]]
  if (column.kind === "steps") return stepsOf(column, held as Nested, row)
  return outOf(column, (held as Float64Array)[row])
}

function bagOf(words: readonly string[], { offsets, words: codes, counts }: Bags, row: number): Cell {
  const bag = new Map<string, number>()
  for (let t = offsets[row]; t < offsets[row + 1]; t++) {
    const word = words[codes[t]]
    bag.set(word, (bag.get(word) ?? 0) + counts[t])
  }
  return Object.fromEntries(bag)
}

function stepsOf({ columns }: StepsColumn, { offsets, block }: Nested, row: number): Row[] {
  const [from, to] = [offsets[row], offsets[row + 1]]
  return Array.from({ length: to - from }, (_, step) =>
    Object.fromEntries(
      columns.map((column, place) => [column.name, cellOf(column, block.cells[place], from + step)]),
    ),
  )
}

/** Rows in which nothing is seen; their bags have space for `length` words in all. */
export function blankRows(columns: readonly Column[], rows: number, length = 0): Block {
  const cells = columns.map((column): Encoded => {
    const within = columnsWithin(column)
    if (within) {
      const block = blankRows(within, column.kind === "bag" ? length : 0)
      const nested = { offsets: new Int32Array(rows + 1), block, missing: new Uint8Array(rows).fill(1) }
      return column.kind === "bag" ? asBags(nested) : nested
    }
    return column.kind === "level" ? new Int32Array(rows).fill(-1) : new Float64Array(rows).fill(NaN)
  })
  return { rows, weight: new Float64Array(rows).fill(1), cells }
}
