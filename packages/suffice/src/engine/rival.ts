/** The best wrong value of a target, row by row, and the hinge loss. */
import type { Rival } from "../contract/node.ts"
import { grow, growCodes } from "../kernels/workspace.ts"

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
