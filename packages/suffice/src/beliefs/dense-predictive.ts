/** Expected density of correlated normal columns. */
import type { Block, SummedWeights } from "../contract/block.ts"
import { drawLines } from "../families/normal/lines.ts"
import { log } from "../kernels/log.ts"
import { digamma } from "../kernels/log-gamma.ts"
import { type DenseBelief, factorOf, matrixAt, settle, slotAt } from "./dense-posterior.ts"

/** The plain parameters of N(m, S/ν). */
export function putPoint(belief: DenseBelief, q: Float64Array, params: Float64Array): void {
  const { slots, d, layout, matrices, size, share } = belief
  for (let p = 0; p < slots; p++)
    for (let j = 0; j < d; j++) params[layout.meanAt(p) + j] = q[slotAt(belief, p) + 2 + j]
  for (let matrix = 0; matrix < matrices; matrix++) {
    const nu = q[matrixAt(belief, matrix)]
    factorOf(belief, q, matrix)
    for (let j = 0; j < size; j++)
      params[layout.covarianceAt(matrix) + j] = q[matrixAt(belief, matrix) + 1 + j] / nu
    settle(belief, params, matrix)
  }
  if (share > 1) drawLines(layout, params)
}

export function fillExpected(belief: DenseBelief, q: Float64Array, params: Float64Array): void {
  const { slots, layout, d, uAt } = belief
  putPoint(belief, q, params)
  for (let p = 0; p < slots; p++) {
    const nu = q[matrixAt(belief, layout.matrixOf(p))]
    let sum = 0
    for (let j = 0; j < d; j++) sum += digamma(0.5 * (nu - j))
    params[uAt + p] = 0.5 * (sum - d * log(0.5 * nu)) - (0.5 * d) / q[slotAt(belief, p)]
  }
}

export function scoreExpected(
  belief: DenseBelief,
  block: Block,
  params: Float64Array,
  out: Float64Array,
  upToConstant: boolean | undefined,
  reuse: unknown,
): unknown {
  const { expected, slots, uAt } = belief
  const work = expected(block, params, out, upToConstant, reuse)
  const { rows } = block
  const empty = emptyRows(belief, block)
  for (let p = 0; p < slots; p++) {
    const u = params[uAt + p]
    for (let i = 0; i < rows; i++) if (!empty?.[i]) out[p * rows + i] += u
  }
  return work
}

export function absorbExpected(
  belief: DenseBelief,
  block: Block,
  params: Float64Array,
  weights: SummedWeights,
  stats: Float64Array,
  work: unknown,
): boolean {
  const { plain } = belief
  const empty = emptyRows(belief, block)
  return plain.absorb(block, params, empty ? without(weights, empty, block.rows) : weights, stats, work)
}

export function valueExpected(
  { plain, slots, layout, uAt }: DenseBelief,
  stats: Float64Array,
  params: Float64Array,
): number {
  let sum = plain.value(stats, params)
  for (let p = 0; p < slots; p++) sum += stats[layout.sumsAt(p)] * params[uAt + p]
  return sum
}

/** Which rows have none of the cells; undefined if none is so. */
function emptyRows(belief: DenseBelief, { rows, cells }: Block): Uint8Array | undefined {
  const { about } = belief
  let found: Uint8Array | undefined
  const x = about.places.map(place => cells[place] as Float64Array)
  for (let i = 0; i < rows; i++) {
    if (x[0][i] === x[0][i] || x.some(column => column[i] === column[i])) continue
    found ??= new Uint8Array(rows)
    found[i] = 1
  }
  return found
}

/** These weights, with 0 for the rows marked. */
function without(weights: SummedWeights, empty: Uint8Array, rows: number): SummedWeights {
  if (weights.form === "one") return { ...weights, weight: weights.weight.map((w, i) => (empty[i] ? 0 : w)) }
  return { ...weights, values: weights.values.map((w, j) => (empty[j % rows] ? 0 : w)) }
}
