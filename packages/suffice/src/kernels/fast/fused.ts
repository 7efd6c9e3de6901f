/**
 * Leaves of a product scored in one call, so that the scores are copied once for all of them. Sums are in the order of the leaves, so the bits are the
 * same as leaf by leaf.
 */
import type { FusedKernels } from "../twins.ts"
import { even, first } from "./arena.ts"
import type { RowMemory } from "./row-memory.ts"

/** Fewer rows are not worth the copies. */
const FEW = 8
/** Nor are tables of more than this many times as many numbers as there are cells. */
const LARGE = 2

export function fusedKernels(memory: RowMemory): FusedKernels {
  return {
    scoreNumbers: (columns, rows, slots, params, out) =>
      scoreNumbers(memory, columns, rows, slots, params, out),
    scoreLevels: (columns, rows, slots, params, out) =>
      scoreLevels(memory, columns, rows, slots, params, out),
  }
}

function scoreNumbers(
  memory: RowMemory,
  columns: readonly Float64Array[],
  rows: number,
  slots: number,
  params: Float64Array,
  out: Float64Array,
): boolean {
  const { wasm, numbers } = memory.arena
  const { start, length } = memory.scratch
  // one more cache line, so that columns do not map to the same cache sets
  const width = even(rows) + 8
  if (rows < FEW || slots * (rows + 1) + columns.length * (width + 3 * slots) > length) return false
  const stride = memory.strideOf(columns)
  const here = memory.locate(out)
  const x = start + even(slots * rows)
  const theta = x + columns.length * width
  for (let j = 0; j < columns.length; j++) {
    if (stride === 0) numbers.set(first(columns[j], rows), x + j * width)
  }
  numbers.set(params, theta)
  for (let at = theta + 1; at < theta + params.length; at += 3) numbers[at] *= 0.5
  if (here < 0) numbers.set(first(out, slots * rows), start)
  wasm.scoreNumbers(
    stride === 0 ? 8 * x : memory.locate(columns[0]),
    stride || width,
    rows,
    columns.length,
    slots,
    8 * theta,
    here < 0 ? 8 * start : here,
  )
  if (here < 0) out.set(numbers.subarray(start, start + slots * rows))
  return true
}

function scoreLevels(
  memory: RowMemory,
  columns: readonly Int32Array[],
  rows: number,
  slots: number,
  params: readonly Float64Array[],
  out: Float64Array,
): boolean {
  const { wasm, numbers, integers } = memory.arena
  const { start, length } = memory.scratch
  const d = columns.length
  let levels = 0
  for (const logs of params) levels += logs.length / slots
  // the slots of each level are padded to whole registers
  const width = even(slots)
  const stride = even(rows)
  const codes = start + even(d + 1)
  const theta = codes + even((d * stride) / 2)
  const scores = theta + levels * width
  const isLarge = levels * slots > LARGE * rows * d || scores + slots * rows > start + length
  if (rows < FEW || isLarge) return false
  const here = memory.locate(out)
  let level = 0
  for (let j = 0; j < d; j++) {
    const logs = params[j]
    integers.set(first(columns[j], rows), 2 * codes + j * stride)
    integers[2 * start + j] = level * width
    for (let from = 0; from < logs.length; from += slots, level++) {
      for (let p = 0; p < slots; p++) numbers[theta + level * width + p] = logs[from + p]
    }
  }
  if (here < 0) numbers.set(first(out, slots * rows), scores)
  wasm.scoreLevels(8 * codes, stride, rows, d, slots, 8 * theta, 8 * start, here < 0 ? 8 * scores : here)
  if (here < 0) out.set(numbers.subarray(scores, scores + slots * rows))
  return true
}
