/** What contrast.ts does for a target that stands in the steps of rows, and what both need. */
import type { Block, Encoded, Nested } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Work } from "../contract/leaf.ts"
import type { Regime } from "../contract/moving.ts"
import type { PathRival, Rival } from "../contract/node.ts"
import { grow } from "../kernels/workspace.ts"
import type { Contrast } from "./contrast.ts"
import type { Laid } from "./lay.ts"
import { hinge } from "./rival.ts"

/** Where a column of steps stands: the place of those, and its own within them. */
export interface StepPlace {
  readonly outer: number
  readonly place: number
}

const weights = grow()

/** One upward and one downward pass with these weights; returns the scores. */
type Pass = (rows: Block, weight: Float64Array) => Float64Array

/** The downward pass alone. */
type Descend = (rows: Block, weight: Float64Array, work: Work) => void

/** The statistics of one block under a regime: all of the target's cells in a row are seen, hidden or replaced together. */
export function gatherSteps(
  laid: Laid,
  block: Block,
  params: Float64Array,
  regime: Exclude<Regime, { against: "nothing" }>,
  { outer, place }: StepPlace,
  column: Column,
  pass: Pass,
  descend: Descend,
): Contrast {
  const nested = block.cells[outer] as Nested
  const { offsets, block: steps } = nested
  const cells = steps.cells[place] as Float64Array | Int32Array
  const within = (values: Encoded): Block =>
    replaced(block, outer, {
      offsets,
      block: replaced(steps, place, values),
      missing: nested.missing,
    })
  const weight = weights(block.rows)
  let labelled = 0
  for (let i = 0; i < block.rows; i++) {
    let seen = false
    for (let t = offsets[i]; t < offsets[i + 1] && !seen; t++) seen = !isMissing(column, cells, t)
    if (!seen) continue
    labelled++
    weight[i] = block.weight[i]
  }
  const met = { rows: labelled, weight: total(weight) }
  if (regime.against === "hidden") {
    const seen = pass(block, weight)
    const without = pass(
      within(holes(column, steps.rows)),
      weight.map(w => -w),
    )
    return { ...met, loss: dot(weight, without) - dot(weight, seen) }
  }
  const rival =
    laid.root.joint?.rival?.(block, params, regime.target, regime.margin) ??
    rivalAcross(laid, block, params, regime, cells as Int32Array, offsets, within)
  const { loss, active, against } = hinge(rival.shortfall, weight)
  const right = rival.right ? within(rival.right) : block
  const wrong = within(rival.cells)
  if (rival.work === undefined) {
    pass(right, active)
    pass(wrong, against)
  } else if (loss > 0) {
    descend(right, active, rival.work)
    descend(wrong, against, rival.work)
  }
  return { ...met, loss }
}

/**
 * The rival of a tag in a chain below a switch. Each context has its best wrong path and its best right one; each is scored as a whole row, with the values of hidden
 * switches summed out, and the best of both is taken. Where the context is known that is the best wrong path there; elsewhere it is the best of those of the contexts.
 */
function rivalAcross(
  laid: Laid,
  block: Block,
  params: Float64Array,
  { target, margin }: { readonly target: string; readonly margin: number },
  tags: Int32Array,
  offsets: Int32Array,
  within: (values: Encoded) => Block,
): Rival & { readonly cells: Int32Array; readonly right: Int32Array } {
  const { rows } = block
  // `targetColumn` has refused columns without one
  const node = laid.switches.find(({ column, walk }) => column === target && walk?.rivals)!
  const each = node.walk!.rivals!(block, params, margin)
  const best = (paths: readonly PathRival["wrong"][], bonus: number) => {
    const cells = new Int32Array(tags.length).fill(-1)
    const heights = new Float64Array(rows).fill(-Infinity)
    for (const { path, heights: inContext } of paths) {
      const scores = new Float64Array(rows)
      laid.root.up(within(path), params, scores)
      for (let i = 0; i < rows; i++) {
        let height = scores[i]
        for (let t = offsets[i]; t < offsets[i + 1]; t++)
          if (tags[t] >= 0 && path[t] !== tags[t]) height += bonus
        if (inContext[i] === -Infinity || !(height > heights[i])) continue
        heights[i] = height
        cells.set(path.subarray(offsets[i], offsets[i + 1]), offsets[i])
      }
    }
    return { cells, heights }
  }
  const right = best(
    each.map(paths => paths.right),
    0,
  )
  const wrong = best(
    each.map(paths => paths.wrong),
    margin,
  )
  const shortfall = wrong.heights.map((height, i) => {
    const difference = height - right.heights[i]
    // a row that is impossible in every context teaches nothing
    return Number.isFinite(difference) ? difference : 0
  })
  return { cells: wrong.cells, right: right.cells, shortfall }
}

export function isMissing({ kind }: Column, cells: Float64Array | Int32Array, i: number): boolean {
  // below −1 it is soft
  return kind === "level" ? cells[i] === -1 : cells[i] !== cells[i]
}

/** As many missing cells. */
export function holes({ kind }: Column, count: number): Int32Array | Float64Array {
  return kind === "level" ? new Int32Array(count).fill(-1) : new Float64Array(count).fill(NaN)
}

/** The block with other cells in one column. */
export function replaced(block: Block, place: number, cell: Encoded): Block {
  const cells = block.cells.slice()
  cells[place] = cell
  return { ...block, cells }
}

export function total(weight: Float64Array): number {
  return weight.reduce((sum, w) => sum + w, 0)
}

/** Σ w·score over rows of weight ≠ 0: the score of the others may be −∞. */
export function dot(weight: Float64Array, scores: Float64Array): number {
  let sum = 0
  for (let i = 0; i < weight.length; i++) if (weight[i] !== 0) sum += weight[i] * scores[i]
  return sum
}
