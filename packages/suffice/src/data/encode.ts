/** The door for learning: cells are encoded, rows become blocks of up to 480 and chunks of 8,192, whatever batches the source has. */
import type { Chunk } from "../contract/block.ts"
import type { Cell, Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { UnseenListener } from "../contract/door.ts"
import { show } from "../errors.ts"
import { isOnes, ONES } from "../kernels/all-ones.ts"
import type { ColumnMemory } from "../kernels/columns.ts"
import { CHUNK, ChunkBuilder } from "./chunk.ts"
import type { Schema } from "./discover.ts"
import { type Data, type Slice, slices, sourceChanged } from "./read.ts"
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
  onUnseen: UnseenListener = { level: changed },
  memory?: ColumnMemory,
): AsyncGenerator<Chunk> {
  const capacity = Math.min(rows ?? CHUNK, CHUNK)
  const builder = new ChunkBuilder(schema, capacity, memory)
  const most = rows ?? Number.POSITIVE_INFINITY
  let weight = ONES
  let read = 0
  const taken = (): Chunk => {
    const chunk = builder.take(weight)
    if (!memory) weight = ONES
    return chunk
  }
  const other = () =>
    sourceChanged(`the first pass found ${rows} rows, this one ${read > most ? "more" : read}`, {
      rows,
    })
  const push = (
    columns: readonly (ArrayLike<Cell> | undefined)[],
    first: number,
    from: number,
    to: number,
    weights: Float64Array,
    share = 1,
  ) => {
    read += to - from
    if (read > most) throw other()
    const by = builder.rows - from
    builder.push(columns, first, from, to, onUnseen)
    const isPlain = share === 1 && isOnes(weights)
    if (isOnes(weight)) {
      // chunks that stay valid may be sent to another thread
      if (isPlain && memory) return
      weight = new Float64Array(capacity).fill(1)
    }
    if (isPlain) weight.fill(1, by + from, by + to)
    else for (let i = from; i < to; i++) weight[by + i] = weights[i] * share
  }
  const long = schema.columns.filter(({ kind }) => kind === "bag" || kind === "steps").map(({ name }) => name)
  for await (const slice of slices(data, signal, { columns: schema.columns.length, long })) {
    const weights = rowWeights(slice, weighting)
    const columns = schema.columns.map(({ name }) => slice.cells(name))
    const labels = schema.labels.map(name => labelOf(schema, slice, weighting, name))
    const soft = labels.filter(({ cells }) => !ArrayBuffer.isView(cells)) // numbers are not soft
    let i = 0
    while (i < slice.rows) {
      // a run of rows with weight and without a soft label, until the chunk is full
      const end = Math.min(slice.rows, i + CHUNK - builder.rows)
      const to = soft.length === 0 && isOnes(weights) ? end : runFrom(i, end, weights, soft)
      if (to > i) push(columns, slice.first, i, to, weights)
      i = to
      if (builder.rows === CHUNK) yield taken()
      else if (i < end) {
        for (const copy of weights[i] === 0 ? [] : softCopies(labels, i, slice.first, columns)) {
          push(copy.columns, slice.first, i, i + 1, weights, copy.share)
          if (builder.rows === CHUNK) yield taken()
        }
        i++
      }
    }
  }
  for (const column of schema.columns) schema.readings.get(column.name)?.forget(column)
  if (builder.rows > 0) yield taken()
  builder.end()
  if (rows !== undefined && read !== rows) throw other()
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
