/** V, the packed variation within slots: target of the prior's shrinkage. */
import { addOuter, triangle } from "../../kernels/triangle.ts"
import { rowsOfPrior, squaresLeft, withinSlots } from "../within.ts"
import type { Layout } from "./layout.ts"

/** Scatter of the slots around their means. */
interface Scatter {
  /** Σ_p M_p, packed */
  readonly all: Float64Array
  /** M_jj by column and matrix */
  readonly squares: readonly Float64Array[]
  /** f by matrix */
  readonly freedom: Float64Array
}

/** spread ← V */
export function denseSpread(layout: Layout, stats: Float64Array, spread: Float64Array): Float64Array {
  const { d, filled, share, variance } = layout
  const { all, squares, freedom } = scatterOf(layout, stats)
  const loading = rowsOfPrior(filled, 1) / Math.max(sum(freedom), 1)
  spread.fill(0)
  for (let j = 0; j < d; j++) spread[triangle(j) + j] = withinSlots(squares[j], freedom, variance[j])
  if (share > 1) return spread
  const scales = squares.map((square, j) => {
    const diagonal = sum(square) * (1 + loading)
    return diagonal > 0 ? Math.sqrt(spread[triangle(j) + j] / diagonal) : 0
  })
  for (let j = 0; j < d; j++) {
    for (let k = 0; k < j; k++) spread[triangle(j) + k] = all[triangle(j) + k] * scales[j] * scales[k]
  }
  return spread
}

function scatterOf(layout: Layout, stats: Float64Array): Scatter {
  const { d, size, matrices, share } = layout
  const all = new Float64Array(size)
  const scatter = new Float64Array(size) // M_p, or Σ_p M_p of slots with a common matrix
  const squares = Array.from({ length: d }, () => new Float64Array(matrices))
  const freedom = new Float64Array(matrices)
  const mean = new Float64Array(d)
  for (let matrix = 0; matrix < matrices; matrix++) {
    const at = layout.squaresAt(matrix)
    for (let j = 0; j < size; j++) scatter[j] = stats[at + j]
    for (let p = matrix * share; p < (matrix + 1) * share; p++) {
      const n = stats[layout.sumsAt(p)]
      if (!(n > 0)) continue
      for (let j = 0; j < d; j++) mean[j] = stats[layout.sumsAt(p) + 1 + j] / n
      addOuter(d, scatter, 0, -n, mean, 0)
      freedom[matrix] += Math.max(n - 1, 0)
    }
    for (let j = 0; j < d; j++) {
      const to = triangle(j) + j
      squares[j][matrix] = squaresLeft(stats[at + to], stats[at + to] - scatter[to])
    }
    for (let j = 0; j < size; j++) all[j] += scatter[j]
  }
  return { all, squares, freedom }
}

export function diagonalOf({ d }: Layout, spread: Float64Array): Float64Array {
  return Float64Array.from({ length: d }, (_, j) => spread[triangle(j) + j])
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}
