/** Normals with dense matrices, in each slot or shared by all, and lines. */
import { scoreDense, scoreLines } from "../dense-scores.ts"
import { absorbDense, absorbList, totalWeights } from "../dense-sums.ts"
import { triangle } from "../triangle.ts"
import { type PinnedRows, strideOf, tiles } from "./pinned-rows.ts"

export function scorePinned(
  pinned: PinnedRows,
  x: readonly Float64Array[],
  rows: number,
  d: number,
  slots: number,
  share: number,
  params: Float64Array,
  out: Float64Array,
): void {
  if (!pinned.isWorth(rows, d, slots)) {
    scoreDense(x, rows, d, slots, share, params, out)
    return
  }
  pinned.open(x, rows, d)
  const scores = pinned.copyInScores(out, slots * rows)
  if (share === 1) scoreOwn(pinned, rows, d, slots, params, scores)
  else scoreShared(pinned, rows, d, slots, params, scores)
  pinned.copyOutScores(scores, slots * rows, out)
}

/** Scores with a matrix per slot. */
function scoreOwn(
  pinned: PinnedRows,
  rows: number,
  d: number,
  slots: number,
  params: Float64Array,
  scores: number,
): void {
  const { wasm, numbers, cells, stride } = pinned
  const size = triangle(d)
  const [work, panel] = takeWork(pinned, d)
  const means = pinned.take(slots * d)
  const inverses = pinned.take(slots * size)
  const tops = pinned.take(slots)
  pinned.copy(params, 0, slots * d, means)
  for (let p = 0; p < slots; p++) {
    const at = slots * d + p * (2 * size + 1) + size
    pinned.copy(params, at, size, inverses + p * size)
    numbers[tops + p] = params[at + size]
  }
  wasm.scoreOwn(
    8 * cells,
    stride,
    rows,
    d,
    slots,
    8 * means,
    8 * inverses,
    8 * tops,
    8 * panel,
    8 * work,
    8 * scores,
  )
}

/** Scores with one matrix for all slots. */
function scoreShared(
  pinned: PinnedRows,
  rows: number,
  d: number,
  slots: number,
  params: Float64Array,
  scores: number,
): void {
  const { wasm, numbers, cells, stride } = pinned
  const size = triangle(d)
  const [work, panel, wide] = takeWork(pinned, d)
  const at = slots * d + size
  const meanStride = tiles(slots)
  const means = pinned.take(d * meanStride)
  const inverse = pinned.take(size)
  const centres = pinned.take(wide * ((slots + 3) & -4))
  for (let p = 0; p < slots; p++) {
    for (let j = 0; j < d; j++) numbers[means + j * meanStride + p] = params[p * d + j]
  }
  pinned.copy(params, at, size, inverse)
  wasm.scoreShared(
    8 * cells,
    stride,
    rows,
    d,
    slots,
    8 * means,
    meanStride,
    8 * inverse,
    params[at + size],
    8 * panel,
    8 * work,
    8 * centres,
    8 * scores,
  )
}

/** Memory for a tile of rows and a panel of the matrix, and the width of both. */
function takeWork(pinned: PinnedRows, d: number): readonly [work: number, panel: number, wide: number] {
  const wide = (d + 3) & -4
  const work = pinned.take(9 * wide)
  return [work, pinned.take((wide * (wide + 4)) / 2), wide]
}

export function scorePinnedLines(
  pinned: PinnedRows,
  x: readonly Float64Array[],
  rows: number,
  d: number,
  slots: number,
  params: Float64Array,
  lines: number,
  out: Float64Array,
): void {
  if (!pinned.isWorth(rows, d, slots)) {
    scoreLines(x, rows, d, slots, params, lines, out)
    return
  }
  pinned.open(x, rows, d)
  const scores = pinned.copyInScores(out, slots * rows)
  const coefficients = pinned.take(slots * (d + 1))
  pinned.copy(params, lines, slots * (d + 1), coefficients)
  pinned.wasm.scoreLines(8 * pinned.cells, pinned.stride, rows, d, slots, 8 * coefficients, 8 * scores)
  pinned.copyOutScores(scores, slots * rows, out)
}

export function absorbPinned(
  pinned: PinnedRows,
  x: readonly Float64Array[],
  rows: number,
  d: number,
  slots: number,
  share: number,
  weights: Float64Array,
  stats: Float64Array,
): void {
  if (!pinned.isWorth(rows, d, slots)) {
    absorbDense(x, rows, d, slots, share, weights, stats)
    return
  }
  pinned.open(x, rows, d)
  const isOwn = share === 1
  const weight = pinned.copyIn(weights, slots * rows)
  const total = isOwn ? 0 : pinned.copyIn(totalWeights(weights, slots, rows), rows)
  const work = takeLists(pinned, rows, d)
  const length = slots * (1 + d)
  const size = length + (isOwn ? slots : 1) * triangle(d)
  const sums = pinned.copyIn(stats, size)
  const triangles = sums + length
  absorbSlots(pinned, work, rows, d, slots, weight, sums, isOwn ? 8 * triangles : 0)
  if (!isOwn) absorbSlots(pinned, work, rows, d, 1, total, pinned.take(1 + d), 8 * triangles)
  pinned.copyOut(sums, size, stats)
}

/** Memory for the rows with a weight above 0, their cells, and their weighted cells. */
interface Lists {
  readonly weights: number
  readonly list: number
  readonly packed: number
  readonly picked: number
  readonly wx: number
}

function takeLists(pinned: PinnedRows, rows: number, d: number): Lists {
  const line = strideOf(rows)
  const wide = ((d + 3) & -4) * line
  const weights = pinned.take(line)
  const list = pinned.take(line)
  const packed = pinned.take(wide)
  const picked = pinned.take(wide)
  return { weights, list, packed, picked, wx: pinned.take(wide) }
}

/** Adds Σ w and Σ w x per slot, and Σ w x xᵀ at the address `squares`, unless that is 0. */
function absorbSlots(
  { wasm, cells, stride }: PinnedRows,
  { weights, list, packed, picked, wx }: Lists,
  rows: number,
  d: number,
  slots: number,
  weight: number,
  sums: number,
  squares: number,
): void {
  wasm.absorbSlots(
    8 * cells,
    stride,
    rows,
    d,
    slots,
    8 * weight,
    8 * weights,
    8 * list,
    8 * packed,
    8 * picked,
    8 * wx,
    8 * sums,
    squares,
  )
}

export function absorbPinnedList(
  pinned: PinnedRows,
  x: readonly Float64Array[],
  rows: number,
  d: number,
  list: Int32Array,
  count: number,
  weights: Float64Array,
  stats: Float64Array,
  sumsAt: number,
  triangleAt: number,
): void {
  if (!pinned.isWorth(rows, d, 1)) {
    absorbList(x, rows, d, list, count, weights, stats, sumsAt, triangleAt)
    return
  }
  if (count === 0) return
  pinned.open(x, rows, d)
  const { wasm, numbers, integers, cells, stride } = pinned
  const line = strideOf(rows)
  const weight = pinned.take(line)
  const places = pinned.take(line)
  const wide = ((d + 3) & -4) * line
  const picked = pinned.take(wide)
  const wx = pinned.take(wide)
  const size = triangle(d)
  const sums = pinned.take(1 + d)
  const squares = pinned.take(size)
  if (sumsAt >= 0) pinned.copy(stats, sumsAt, 1 + d, sums)
  if (triangleAt >= 0) pinned.copy(stats, triangleAt, size, squares)
  for (let t = 0; t < count; t++) {
    numbers[weight + t] = weights[t]
    integers[2 * places + t] = list[t]
  }
  wasm.absorbList(
    8 * cells,
    stride,
    rows,
    d,
    8 * places,
    count,
    8 * weight,
    8 * picked,
    8 * wx,
    8 * sums,
    triangleAt >= 0 ? 8 * squares : 0,
  )
  if (sumsAt >= 0) pinned.copyOut(sums, 1 + d, stats, sumsAt)
  if (triangleAt >= 0) pinned.copyOut(squares, size, stats, triangleAt, true)
}
