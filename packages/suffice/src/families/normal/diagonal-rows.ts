/** Rows of a diagonal normal: scored, absorbed, drawn, expected. */
import type { Block, SummedWeights, Weights } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import type { DiagonalLayout } from "./diagonal-layout.ts"

export function scoreColumns(
  layout: DiagonalLayout,
  block: Block,
  params: Float64Array,
  out: Float64Array,
  reuse: unknown,
): Float64Array[] {
  const { d, kernels, slots, step } = layout
  const x = pinned(layout, block, (reuse as Float64Array[] | undefined) ?? new Array(d))
  kernels.scoreDiagonal(x, block.rows, d, slots, step, params, out)
  return x
}

export function absorbColumns(
  layout: DiagonalLayout,
  block: Block,
  weights: SummedWeights,
  stats: Float64Array,
  work: unknown,
): false {
  const { scratch, kernels, d, slots, step } = layout
  if (weights.form === "each") {
    const x = (work as Float64Array[] | undefined) ?? pinned(layout, block, scratch)
    kernels.absorbDiagonal(x, block.rows, d, slots, step, weights.values, stats)
  } else {
    const x = openColumns(layout, block, scratch)
    for (let j = 0; j < d; j++) absorbOne(layout, x[j], j, block.rows, weights, stats)
  }
  return false
}

/** columns ← the leaf's columns, pinned in the memory of the kernels, which recognise them by this array: every work has its own. */
function pinned(layout: DiagonalLayout, block: Block, columns: Float64Array[]): Float64Array[] {
  const { kernels, d } = layout
  openColumns(layout, block, columns)
  kernels.pin(columns, block.rows, d)
  return columns
}

function openColumns(layout: DiagonalLayout, block: Block, columns: Float64Array[]): Float64Array[] {
  const { d, places } = layout
  for (let j = 0; j < d; j++) columns[j] = block.cells[places[j]] as Float64Array
  return columns
}

/** Column j, one slot per row. */
function absorbOne(
  layout: DiagonalLayout,
  x: Float64Array,
  j: number,
  rows: number,
  { slot, weight }: Extract<Weights, { form: "one" }>,
  stats: Float64Array,
): void {
  const { width, d, squares, step } = layout
  for (let i = 0; i < rows; i++) {
    if (x[i] !== x[i]) continue
    const at = slot[i] * width
    const wx = weight[i] * x[i]
    stats[at + j] += weight[i]
    stats[at + d + j] += wx
    stats[at + squares + j * step] += wx * x[i]
  }
}

export function sampleDiagonal(
  { reach, d, places, step }: DiagonalLayout,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const at = slot * reach
  for (let j = 0; j < d; j++) {
    const x = block.cells[places[j]] as Float64Array
    if (Number.isNaN(x[0])) x[0] = params[at + j] + dice.normal() / Math.sqrt(params[at + d + j * step])
  }
}

export function expectColumn(
  { places, reach, d, step }: DiagonalLayout,
  params: Float64Array,
  slot: number,
  place: number,
  mean: Float64Array,
  variance: Float64Array,
): void {
  const j = places.indexOf(place)
  mean.fill(params[slot * reach + j])
  variance.fill(1 / params[slot * reach + d + j * step])
}
