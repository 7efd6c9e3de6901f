/**
 * Documents folded in the memory of the kernels: gathered there word by word or, where topics move, read in place. Those that are too long are left to the plain
 * twins.
 */
import type { DocumentKernels } from "../topic-fold.ts"
import type { TopicMemory } from "../topic-rows.ts"
import { documentOf, mostGathered, type TopicShape, widthOf } from "../topic-shape.ts"
import type { GatheredRows, Weigh } from "../word-memory.ts"
import type { Arena } from "./arena.ts"
import type { RowMemory } from "./row-memory.ts"

/** In the scratch of the row memory. */
export function documentKernels({
  arena: { wasm, numbers },
  scratch: { start, length },
}: RowMemory): DocumentKernels {
  const own = numbers.subarray(start, start + length)
  return {
    documentMemory: needed => (needed <= length ? own : undefined),
    foldTopics: (_, topics, width, count, total, { steps, tolerance, leaps }) =>
      wasm.foldTopics(8 * start, topics, width, count, total, steps, tolerance, leaps ? 1 : 0),
  }
}

/**
 * Topics in this arena. `copyIn` enters rows from `first` on into the table (addresses of their words and of what they weigh, number of words) and returns the
 * first one that does not fit.
 */
export function topicMemory(
  { wasm }: Arena,
  scratch: Float64Array,
  table: Int32Array,
  copyIn: <Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    first: number,
    rows: number,
  ) => number,
): TopicMemory {
  const scratchAt = scratch.byteOffset
  /** By the place of the topics: where the φ of a mini-batch stay, and of how many words. */
  const batches = new Map<number, readonly [batch: number, most: number]>()
  const batchOf = ({ byteOffset }: Float64Array) => batches.get(byteOffset) ?? ([0, 0] as const)

  /** Visits every row that has words: its number, and its place in the table. */
  function eachRow<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    rows: number,
    visit: (i: number, at: number) => void,
  ): void {
    for (let first = 0; first < rows; ) {
      const end = copyIn(bags, weigh, first, rows)
      for (let i = first, at = 0; i < end; i++, at += 3) if (table[at + 2] > 0) visit(i, at)
      first = end
    }
  }

  /** g is copied to the scratch, before rows of φ. Counts that are elsewhere are added here, and only what is added computed there. */
  function deliver(
    at: number,
    slot: number,
    weight: number,
    params: Float64Array,
    shape: TopicShape,
    g: Float64Array,
    from: number,
    width: number,
    counts: Float64Array,
  ): void {
    const { slots, own, shared, words } = shape
    const phiAt = scratchAt + 8 * width
    for (let k = 0; k < width; k++) scratch[k] = g[from + k]
    if (counts.buffer === scratch.buffer) {
      wasm.deliverTopics(
        table[at],
        table[at + 1],
        table[at + 2],
        slot,
        weight,
        params.byteOffset,
        slots,
        own,
        shared,
        words,
        scratchAt,
        phiAt,
        counts.byteOffset,
        ...batchOf(params),
      )
      return
    }
    const most = Math.trunc(scratch.length / width) - 1
    const codes = new Int32Array(scratch.buffer, table[at], table[at + 2])
    for (let first = 0; first < codes.length; first += most) {
      const count = Math.min(most, codes.length - first)
      wasm.shareTopics(
        table[at] + 4 * first,
        table[at + 1] + 8 * first,
        count,
        slot,
        weight,
        params.byteOffset,
        slots,
        own,
        shared,
        words,
        scratchAt,
        phiAt,
      )
      for (let j = 0, row = width; j < count; j++, row += width) {
        const word = codes[first + j]
        addRow(scratch, row, own, counts, (word * slots + slot) * own)
        addRow(scratch, row + own, shared, counts, words * slots * own + word * shared)
      }
    }
  }

  return {
    gatherOnce(params, shape, room) {
      batches.set(params.byteOffset, [room.byteOffset, mostGathered(shape, room.length)])
    },
    scoreTopics(bags, weigh, rows, params, shape, { steps, tolerance, leaps }, out, g) {
      const { slots, own, shared, words } = shape
      const width = widthOf(shape)
      const found = slots + slots * width
      const batch = batchOf(params)
      const left: number[] = []
      for (let i = 0; i < rows; i++) if (bags.offsets[i] === bags.offsets[i + 1]) left.push(i)
      eachRow(bags, weigh, rows, (i, at) => {
        const count = table[at + 2]
        const isDone =
          found + documentOf(width, count).end <= scratch.length &&
          wasm.scoreTopics(
            table[at],
            table[at + 1],
            count,
            params.byteOffset,
            slots,
            own,
            shared,
            words,
            steps,
            tolerance,
            leaps ? 1 : 0,
            scratchAt + 8 * found,
            scratchAt,
            ...batch,
          )
        if (!isDone) {
          left.push(i)
          return
        }
        for (let p = 0; p < slots; p++) {
          out[p * rows + i] += scratch[p]
          const to = (p * rows + i) * width
          const from = slots + p * width
          for (let k = 0; k < width; k++) g[to + k] = scratch[from + k]
        }
      })
      return left
    },
    deliverOne(bags, weigh, rows, slot, weight, params, shape, g, counts) {
      const width = widthOf(shape)
      eachRow(bags, weigh, rows, (i, at) => {
        if (weight[i] === 0) return
        const p = slot[i]
        deliver(at, p, weight[i], params, shape, g, (p * rows + i) * width, width, counts)
      })
    },
    deliverEach(bags, weigh, rows, values, params, shape, g, counts) {
      const width = widthOf(shape)
      eachRow(bags, weigh, rows, (i, at) => {
        for (let p = 0; p < shape.slots; p++) {
          const w = values[p * rows + i]
          if (w !== 0) deliver(at, p, w, params, shape, g, (p * rows + i) * width, width, counts)
        }
      })
    },
    moveTopics(bags, weigh, rows, { slots, own, shared, words }, factor, least, params, delta, totals) {
      const [batch] = batchOf(params)
      eachRow(bags, weigh, rows, (_, at) =>
        wasm.moveTopics(
          table[at],
          table[at + 2],
          slots * own,
          shared,
          words,
          factor,
          least,
          params.byteOffset,
          delta.byteOffset,
          totals.byteOffset,
          batch,
        ),
      )
      if (batch > 0) wasm.endBatch(batch, words)
    },
  }
}

/** to[at + k] += from[start + k] */
function addRow(from: Float64Array, start: number, count: number, to: Float64Array, at: number): void {
  for (let k = 0; k < count; k++) to[at + k] += from[start + k]
}
