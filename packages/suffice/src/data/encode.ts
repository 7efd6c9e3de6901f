/**
 * The door for learning: cells are encoded, rows become blocks of up to 480 and chunks of 8,192 rows of the data, whatever batches the source has. Rows of weight
 * 0 are left out of their chunk, which may be empty; soft labels make it longer.
 */
import type { Chunk } from "../contract/block.ts"
import type { Cell, Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { UnseenListener } from "../contract/door.ts"
import { type SufficeError, show } from "../errors.ts"
import { isOnes, ONES } from "../kernels/all-ones.ts"
import type { ColumnMemory } from "../kernels/columns.ts"
import { ChunkBuilder } from "./chunk.ts"
import { CHUNK } from "./cut.ts"
import type { Schema } from "./discover.ts"
import { type Breadth, type Data, type Slice, slices, sourceChanged } from "./read.ts"
import { isSoft, softLevels } from "./soft.ts"
import { classFactor, rowWeights, type Weighting } from "./weigh.ts"

/**
 * Encode training data: weighted, soft labels expanded, rows of weight 0 left out. `rows`: the expected number. `onUnseen`: told of levels
 * that are not in the schema. `memory`: where every chunk is read into, overwriting the last one; without it, chunks stay valid.
 */
export async function* encodeForLearning(
  schema: Schema,
  data: Data,
  weighting: Weighting,
  rows: number | undefined,
  signal?: AbortSignal,
  onUnseen?: UnseenListener,
  memory?: ColumnMemory,
): AsyncGenerator<Chunk> {
  const encoder = new RowEncoder(schema, weighting, rows, onUnseen, memory)
  for await (const slice of slices(data, signal, encoder.breadth))
    if (encoder.read(slice)) yield encoder.take()
  forget(schema)
  if (encoder.isOpen) yield encoder.take()
  encoder.end()
}

/** What the first pass has left for this one is no longer needed. */
export function forget({ columns, readings }: Pick<Schema, "columns" | "readings">): void {
  for (const column of columns) {
    readings.get(column.name)?.forget(column)
    if (column.kind === "steps") forget({ columns: column.columns, readings })
  }
}

/** Encodes slices until a chunk ends. Slices come in order, and do not cross the end of a chunk. */
export class RowEncoder {
  readonly #schema: Schema
  readonly #weighting: Weighting
  readonly #rows: number | undefined
  readonly #onUnseen: UnseenListener
  readonly #memory: ColumnMemory | undefined
  readonly #capacity: number
  readonly #builder: ChunkBuilder
  #weight = ONES
  #read = 0
  /** A chunk has begun. */
  isOpen = false

  constructor(
    schema: Schema,
    weighting: Weighting,
    rows: number | undefined,
    onUnseen: UnseenListener = { level: changed },
    memory?: ColumnMemory,
  ) {
    this.#schema = schema
    this.#weighting = weighting
    this.#rows = rows
    this.#onUnseen = onUnseen
    this.#memory = memory
    this.#capacity = Math.min(rows ?? CHUNK, CHUNK)
    this.#builder = new ChunkBuilder(schema, this.#capacity, memory)
  }

  get breadth(): Breadth {
    const { columns } = this.#schema
    const long = columns.filter(({ kind }) => kind === "bag" || kind === "steps").map(({ name }) => name)
    return { columns: columns.length, long }
  }

  /** Has the chunk ended? */
  read(slice: Slice): boolean {
    const schema = this.#schema
    const weights = rowWeights(slice, this.#weighting)
    const columns = schema.columns.map(({ name }) => slice.cells(name))
    const labels = schema.labels.map(name => labelOf(schema, slice, this.#weighting, name))
    const soft = labels.filter(({ cells }) => !ArrayBuffer.isView(cells)) // numbers are not soft
    let i = 0
    while (i < slice.rows) {
      // a run of rows with weight and without a soft label
      const to = soft.length === 0 && isOnes(weights) ? slice.rows : runFrom(i, slice.rows, weights, soft)
      if (to > i) this.#push(columns, slice.first, i, to, weights)
      i = to
      if (i === slice.rows) break
      for (const copy of weights[i] === 0 ? [] : softCopies(labels, i, slice.first, columns))
        this.#push(copy.columns, slice.first, i, i + 1, weights, copy.share)
      i++
    }
    this.isOpen = (slice.first + slice.rows) % CHUNK !== 0
    return !this.isOpen
  }

  take(): Chunk {
    this.isOpen = false
    const chunk = this.#builder.take(this.#weight)
    if (!this.#memory) this.#weight = ONES
    return chunk
  }

  /** The last chunk is no longer needed, and all rows must have been read. */
  end(): void {
    this.#builder.end()
    if (this.#rows !== undefined && this.#read !== this.#rows) throw this.#otherRows()
  }

  #push(
    columns: readonly (ArrayLike<Cell> | undefined)[],
    first: number,
    from: number,
    to: number,
    weights: Float64Array,
    share = 1,
  ): void {
    const builder = this.#builder
    this.#read += to - from
    if (this.#rows !== undefined && this.#read > this.#rows) throw this.#otherRows()
    const by = builder.rows - from
    builder.push(columns, first, from, to, this.#onUnseen)
    const isPlain = share === 1 && isOnes(weights)
    if (isOnes(this.#weight)) {
      // chunks that stay valid may be sent to another thread
      if (isPlain && this.#memory) return
      this.#weight = new Float64Array(Math.max(this.#capacity, builder.rows)).fill(1)
    } else if (this.#weight.length < builder.rows) {
      const longer = new Float64Array(2 * builder.rows)
      longer.set(this.#weight)
      this.#weight = longer
    }
    const weight = this.#weight
    if (isPlain) weight.fill(1, by + from, by + to)
    else for (let i = from; i < to; i++) weight[by + i] = weights[i] * share
  }

  #otherRows(): SufficeError {
    const rows = this.#rows!
    const now = this.#read > rows ? "more" : this.#read
    return sourceChanged(`the first pass found ${rows} rows, this one ${now}`, { rows })
  }
}

/** The end of the run of plain rows that begins here. A separate function, as engines optimise generators less. */
function runFrom(from: number, end: number, weights: Float64Array, soft: readonly SoftColumn[]): number {
  let i = from
  while (i < end && weights[i] !== 0 && !hasSoft(soft, i)) i++
  return i
}

/** For data in which the first pass has seen every level. */
const changed = (row: number, column: string, level: Level): never => {
  throw sourceChanged(`row ${row} of ${show(column)} holds ${show(level)}, which the first pass never met`, {
    row,
    column,
    value: level,
  })
}

/** A label, with what is needed to read its soft cells. */
interface SoftColumn {
  readonly name: string
  readonly cells: ArrayLike<Cell> | undefined
  readonly place: number
  readonly levels: ReadonlyMap<string, Level>
  readonly factor: (name: string) => number
}

function labelOf(schema: Schema, slice: Slice, weighting: Weighting, name: string): SoftColumn {
  const place = schema.columns.findIndex(column => column.name === name)
  const { levels } = schema.columns[place] as Extract<Column, { kind: "level" }>
  return {
    name,
    cells: slice.cells(name),
    place,
    levels: new Map(levels.map(level => [String(level), level])),
    factor: classFactor(weighting, name),
  }
}

function hasSoft(labels: readonly SoftColumn[], i: number): boolean {
  for (let l = 0; l < labels.length; l++) {
    const { cells } = labels[l]
    if (cells && isSoft(cells[i])) return true
  }
  return false
}

/** Copies of row i, one per combination of soft levels, with hard labels and a share of the weight. */
function softCopies(
  labels: readonly SoftColumn[],
  i: number,
  first: number,
  columns: readonly (ArrayLike<Cell> | undefined)[],
): { share: number; columns: readonly (ArrayLike<Cell> | undefined)[] }[] {
  let copies = [{ share: 1, columns }]
  for (const { name: column, cells, place, levels, factor } of labels) {
    const soft = softLevels(cells?.[i], first + i, column, factor)
    if (!soft) continue
    copies = copies.flatMap(copy =>
      soft.map(({ name, share }) => {
        const hard = copy.columns.slice()
        hard[place] = { length: i + 1, [i]: levels.get(name) ?? changed(first + i, column, name) }
        return { share: copy.share * share, columns: hard }
      }),
    )
  }
  return copies
}
