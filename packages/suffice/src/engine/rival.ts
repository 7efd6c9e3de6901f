/** The best wrong value of a target, row by row: what the hinge loss sets a row against. */
import type { Rival } from "../contract/node.ts"
import { grow, growCodes } from "../kernels/workspace.ts"

// Mini-batches are small and many: what one of them needs is used again by the next.
const codes = growCodes()
const shortfalls = grow()

/**
 * By enumeration. `scores`: ln p(row, target = l) at l·rows + i; a row whose target is missing (−1), or has no other level, has none: its code is −1. Good until
 * the next call.
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

/** Σ w·max(0, shortfall), and the weights for and against of the rows that fall short. */
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
