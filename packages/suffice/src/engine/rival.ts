/** The best wrong value of a target, row by row, and the hinge loss. */
import type { Block, Encoded } from "../contract/block.ts"
import type { PathRival, Rival } from "../contract/node.ts"
import { grow, growCodes } from "../kernels/workspace.ts"
import type { Laid } from "./lay.ts"

// scratch: mini-batches are small and many
const codes = growCodes()
const shortfalls = grow()

/**
 * By enumeration: ȳ = argmax over l ≠ y of ln p(row, target = l), which is scores[l·rows + i]; −1 for a row whose target is missing or has no other
 * level. The next call overwrites the result.
 */
export function rivalAmong(
  scores: Float64Array,
  levels: number,
  truth: Int32Array,
  margin: number,
): Rival & { readonly cells: Int32Array } {
  const rows = truth.length
  const cells = codes(rows)
  const shortfall = shortfalls(rows)
  for (let i = 0; i < rows; i++) {
    cells[i] = -1
    const y = truth[i]
    if (y < 0) continue
    let best = -1
    let height = 0
    for (let l = 0, at = i; l < levels; l++, at += rows) {
      if (l === y || (best >= 0 && !(scores[at] > height))) continue
      best = l
      height = scores[at]
    }
    cells[i] = best
    if (best >= 0) shortfall[i] = margin - (scores[y * rows + i] - height)
  }
  return { cells, shortfall }
}

const actives = grow()
const againsts = grow()

/** loss = Σ w·max(0, shortfall); `active` is w and `against` −w in the rows that fall short, else 0. */
export function hinge(
  shortfall: Float64Array,
  weight: Float64Array,
): { readonly loss: number; readonly active: Float64Array; readonly against: Float64Array } {
  const rows = shortfall.length
  const active = actives(rows)
  const against = againsts(rows)
  let loss = 0
  for (let i = 0; i < rows; i++) {
    if (!(shortfall[i] > 0)) continue
    active[i] = weight[i]
    against[i] = -weight[i]
    if (weight[i] > 0) loss += weight[i] * shortfall[i]
  }
  return { loss, active, against }
}

/**
 * The rival of a tag in a chain below a switch. Each context has its best wrong path and its best right one; each is scored as a whole row, with the values of hidden
 * switches summed out, and the best of both is taken. Where the context is known that is the best wrong path there; elsewhere it is the best of those of the contexts.
 */
export function rivalAcross(
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
