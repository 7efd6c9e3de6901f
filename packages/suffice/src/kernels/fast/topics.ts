/**
 * Documents folded in the memory of the kernels: gathered there word by word or, where topics move, read in place. Those that are too long are left to the plain
 * twins.
 */
import type { Climb, DocumentKernels } from "../topic-fold.ts"
import type { TopicMemory } from "../topic-rows.ts"
import { documentOf, mostGathered, type TopicShape, widthOf } from "../topic-shape.ts"
import type { GatheredRows, Weigh } from "../word-memory.ts"
import type { Exports } from "./exports.ts"
import type { RowMemory } from "./row-memory.ts"
import type { RowTable } from "./row-table.ts"

/** In the scratch of the row memory. */
export function documentKernels({
  arena: { wasm, numbers },
  scratch: { start, length },
}: RowMemory): DocumentKernels {
  const memory = numbers.subarray(start, start + length)
  return {
    documentMemory: needed => (needed <= length ? memory : undefined),
    foldTopics: (_, topics, width, count, total, { steps, tolerance, leaps }) =>
      wasm.foldTopics(8 * start, topics, width, count, total, steps, tolerance, leaps ? 1 : 0),
  }
}

/** Topics beside the rows of a table. */
interface Topics {
  readonly wasm: Exports
  readonly table: RowTable
  readonly scratch: Float64Array
  /** Where φ of a mini-batch are, and of how many words, by the address of the topics. */
  readonly batches: Map<number, readonly [batch: number, most: number]>
}

export function topicMemory(wasm: Exports, scratch: Float64Array, table: RowTable): TopicMemory {
  const topics: Topics = { wasm, table, scratch, batches: new Map() }
  return {
    gatherOnce: (params, shape, room) => {
      topics.batches.set(params.byteOffset, [room.byteOffset, mostGathered(shape, room.length)])
    },
    scoreTopics: (bags, weigh, rows, params, shape, climb, out, g) =>
      scoreTopics(topics, bags, weigh, rows, params, shape, climb, out, g),
    deliverOne: (bags, weigh, rows, slot, weight, params, shape, g, counts) =>
      deliverOne(topics, bags, weigh, rows, slot, weight, params, shape, g, counts),
    deliverEach: (bags, weigh, rows, values, params, shape, g, counts) =>
      deliverEach(topics, bags, weigh, rows, values, params, shape, g, counts),
    moveTopics: (bags, weigh, rows, shape, factor, least, params, delta, totals) =>
      moveTopics(topics, bags, weigh, rows, shape, factor, least, params, delta, totals),
  }
}

function batchOf({ batches }: Topics, { byteOffset }: Float64Array): readonly [batch: number, most: number] {
  return batches.get(byteOffset) ?? [0, 0]
}

/** Returns the rows without words, and those that are too long. */
function scoreTopics<Rows extends GatheredRows<Rows>>(
  topics: Topics,
  bags: Rows,
  weigh: Weigh<Rows>,
  rows: number,
  params: Float64Array,
  shape: TopicShape,
  climb: Climb,
  out: Float64Array,
  g: Float64Array,
): readonly number[] {
  const { table, scratch } = topics
  const width = widthOf(shape)
  const { slots } = shape
  const left: number[] = []
  for (let i = 0; i < rows; i++) if (bags.offsets[i] === bags.offsets[i + 1]) left.push(i)
  for (let first = 0; first < rows; ) {
    const end = table.copyIn(bags, weigh, first, rows)
    for (let i = first, at = 0; i < end; i++, at += 3) {
      if (table.entries[at + 2] === 0) continue
      if (!scoreRow(topics, at, params, shape, climb)) {
        left.push(i)
        continue
      }
      for (let p = 0; p < slots; p++) {
        out[p * rows + i] += scratch[p]
        const to = (p * rows + i) * width
        const from = slots + p * width
        for (let k = 0; k < width; k++) g[to + k] = scratch[from + k]
      }
    }
    first = end
  }
  return left
}

/** scratch ← scores and g of every slot; false if the row is too long. */
function scoreRow(
  topics: Topics,
  at: number,
  params: Float64Array,
  shape: TopicShape,
  { steps, tolerance, leaps }: Climb,
): boolean | number {
  const { wasm, table, scratch } = topics
  const { slots, own, shared, words } = shape
  const width = widthOf(shape)
  const work = slots + slots * width
  const count = table.entries[at + 2]
  if (work + documentOf(width, count).end > scratch.length) return false
  return wasm.scoreTopics(
    table.entries[at],
    table.entries[at + 1],
    count,
    params.byteOffset,
    slots,
    own,
    shared,
    words,
    steps,
    tolerance,
    leaps ? 1 : 0,
    scratch.byteOffset + 8 * work,
    scratch.byteOffset,
    ...batchOf(topics, params),
  )
}

function deliverOne<Rows extends GatheredRows<Rows>>(
  topics: Topics,
  bags: Rows,
  weigh: Weigh<Rows>,
  rows: number,
  slot: Int32Array,
  weight: Float64Array,
  params: Float64Array,
  shape: TopicShape,
  g: Float64Array,
  counts: Float64Array,
): void {
  const { table } = topics
  const width = widthOf(shape)
  for (let first = 0; first < rows; ) {
    const end = table.copyIn(bags, weigh, first, rows)
    for (let i = first, at = 0; i < end; i++, at += 3) {
      if (table.entries[at + 2] === 0 || weight[i] === 0) continue
      const p = slot[i]
      deliver(topics, at, p, weight[i], params, shape, g, (p * rows + i) * width, counts)
    }
    first = end
  }
}

function deliverEach<Rows extends GatheredRows<Rows>>(
  topics: Topics,
  bags: Rows,
  weigh: Weigh<Rows>,
  rows: number,
  values: Float64Array,
  params: Float64Array,
  shape: TopicShape,
  g: Float64Array,
  counts: Float64Array,
): void {
  const { table } = topics
  const width = widthOf(shape)
  for (let first = 0; first < rows; ) {
    const end = table.copyIn(bags, weigh, first, rows)
    for (let i = first, at = 0; i < end; i++, at += 3) {
      if (table.entries[at + 2] === 0) continue
      for (let p = 0; p < shape.slots; p++) {
        const w = values[p * rows + i]
        if (w !== 0) deliver(topics, at, p, w, params, shape, g, (p * rows + i) * width, counts)
      }
    }
    first = end
  }
}

/** g is copied to the scratch, before rows of φ. Counts of another memory are added here. */
function deliver(
  topics: Topics,
  at: number,
  slot: number,
  weight: number,
  params: Float64Array,
  shape: TopicShape,
  g: Float64Array,
  from: number,
  counts: Float64Array,
): void {
  const { wasm, table, scratch } = topics
  const { slots, own, shared, words } = shape
  const width = widthOf(shape)
  for (let k = 0; k < width; k++) scratch[k] = g[from + k]
  if (counts.buffer !== scratch.buffer) {
    deliverElsewhere(topics, at, slot, weight, params, shape, counts)
    return
  }
  wasm.deliverTopics(
    table.entries[at],
    table.entries[at + 1],
    table.entries[at + 2],
    slot,
    weight,
    params.byteOffset,
    slots,
    own,
    shared,
    words,
    scratch.byteOffset,
    scratch.byteOffset + 8 * width,
    counts.byteOffset,
    ...batchOf(topics, params),
  )
}

/** Computes only the terms in this memory. */
function deliverElsewhere(
  { wasm, table: { entries }, scratch }: Topics,
  at: number,
  slot: number,
  weight: number,
  params: Float64Array,
  shape: TopicShape,
  counts: Float64Array,
): void {
  const { slots, own, shared, words } = shape
  const width = widthOf(shape)
  const most = Math.trunc(scratch.length / width) - 1
  const codes = new Int32Array(scratch.buffer, entries[at], entries[at + 2])
  for (let first = 0; first < codes.length; first += most) {
    const count = Math.min(most, codes.length - first)
    wasm.shareTopics(
      entries[at] + 4 * first,
      entries[at + 1] + 8 * first,
      count,
      slot,
      weight,
      params.byteOffset,
      slots,
      own,
      shared,
      words,
      scratch.byteOffset,
      scratch.byteOffset + 8 * width,
    )
    for (let j = 0, row = width; j < count; j++, row += width) {
      const word = codes[first + j]
      addRow(scratch, row, own, counts, (word * slots + slot) * own)
      addRow(scratch, row + own, shared, counts, words * slots * own + word * shared)
    }
  }
}

/** to[at + k] += from[start + k] */
function addRow(from: Float64Array, start: number, count: number, to: Float64Array, at: number): void {
  for (let k = 0; k < count; k++) to[at + k] += from[start + k]
}

function moveTopics<Rows extends GatheredRows<Rows>>(
  topics: Topics,
  bags: Rows,
  weigh: Weigh<Rows>,
  rows: number,
  { slots, own, shared, words }: TopicShape,
  factor: number,
  least: number,
  params: Float64Array,
  delta: Float64Array,
  totals: Float64Array,
): void {
  const { wasm, table } = topics
  const [batch] = batchOf(topics, params)
  for (let first = 0; first < rows; ) {
    const end = table.copyIn(bags, weigh, first, rows)
    for (let i = first, at = 0; i < end; i++, at += 3) {
      if (table.entries[at + 2] === 0) continue
      wasm.moveTopics(
        table.entries[at],
        table.entries[at + 2],
        slots * own,
        shared,
        words,
        factor,
        least,
        params.byteOffset,
        delta.byteOffset,
        totals.byteOffset,
        batch,
      )
    }
    first = end
  }
  if (batch > 0) wasm.endBatch(batch, words)
}
