/** A linear regression bound to its columns: y first, then x, which it reads. */
import type { Leaf } from "../../contract/leaf.ts"
import { normalBelow } from "../../kernels/normal-cdf.ts"
import type { NumberColumn } from "../normal/columns.ts"
import { addingPrior } from "../with-prior.ts"
import { adoptLine, describeLine, termsOf } from "./described.ts"
import { absorbRows, expectRows, lineOf, sampleRow, scoreRows } from "./rows.ts"
import { isInside, momentsOfLine, priorOfLine, solveSlots, spreadOf, valueOfLine } from "./statistics.ts"

export function linearLeaf(
  columns: readonly NumberColumn[],
  places: readonly number[],
  slots: number,
  kappa: number,
): Leaf {
  const line = lineOf(columns, places, slots, kappa)
  const { size, width, d, within } = line

  const prior: Leaf["prior"] = (stats, strength, spread, around) =>
    priorOfLine(line, stats, strength, spread, around)
  const withPrior = addingPrior(prior)

  return {
    shape: {
      slots,
      statistics: slots * size,
      axes: [["slot", size]],
      parameters: slots * width,
      free: slots * (d + 2),
    },
    spread: { length: within.length, estimate: (stats, spread) => void within.of(stats, slots, spread) },
    prior,
    score: (block, params, out) => scoreRows(line, block, params, out),
    absorb(block, params, weights, stats) {
      absorbRows(line, block, params, weights, stats, false)
      return false
    },
    moving: {
      absorbHoles: (block, params, weights, stats) => absorbRows(line, block, params, weights, stats, true),
    },
    solve: (stats, strength, params, spread = spreadOf(line, stats)) =>
      solveSlots(line, withPrior(stats, strength, spread), params, spread),
    moments: (params, mass, stats) => momentsOfLine(line, params, mass, stats),
    inside: (stats, slot, spread) => isInside(line, stats, slot, spread),
    value: (stats, params) => valueOfLine(line, stats, params),
    mass: (stats, slot) => stats[slot * size],
    describe: (params, slot) => describeLine(line, params, slot),
    adopt: (description, slot, mass, stats) => adoptLine(line, description, slot, mass, stats),
    sample: (params, slot, block, dice) => sampleRow(line, params, slot, block, dice),
    numbers: {
      expect: (block, params, slot, _place, mean, variance) =>
        expectRows(line, block, params, slot, mean, variance),
      cdf: normalBelow,
      line: (params, slot, out) => out.set(params.subarray(slot * width, slot * width + d + 3)),
    },
    terms: {
      linear: (params, slot) => termsOf(line, params, slot),
    },
  }
}
