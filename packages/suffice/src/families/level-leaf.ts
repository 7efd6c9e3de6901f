/**
 * Probabilities of levels, for several slots: the leaf of categorical columns, and of the values of a switch.
 *
 *     ln p(x = l) = θ_l      s(x) = 1[x = l]      θ_l = ln((n_l + α) / (n + α·levels))
 */
import type { Column } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import type { Leaf } from "../contract/leaf.ts"
import { probabilitiesOf } from "../described.ts"
import { exp } from "../kernels/exp.ts"
import type { FusibleLeaf } from "../kernels/fusion.ts"
import { insideSimplex, simplexMass, simplexMoments, simplexValue, solveSimplex } from "../kernels/simplex.ts"

export type LevelColumn = Extract<Column, { kind: "level" }>

/** The family of such a leaf, also where it holds the probabilities of a switch. */
export const LEVELS = "categorical"

// stats and params, level by level: entry l·slots + p holds Σw 1[x = l] and ln p(l)
export function levelLeaf(column: LevelColumn, place: number, slots: number, alpha: number): FusibleLeaf {
  const levels = column.levels.length
  const size = levels * slots

  const score: Leaf["score"] = ({ rows, cells }, params, out) =>
    addScores(cells[place] as Int32Array, rows, slots, params, out)

  return {
    shape: {
      slots,
      statistics: size,
      axes: [["entry", "slot"]],
      parameters: size,
      free: slots * Math.max(levels - 1, 0),
    },
    fusion: { kind: "levels", place, score },

    prior(stats, strength = 1) {
      for (let j = 0; j < size; j++) stats[j] += strength * alpha
    },

    score,

    absorb(block, _params, weights, stats) {
      weights.count(block.cells[place] as Int32Array, stats)
      return false
    },

    solve: (stats, strength, params) => solveSimplex(stats, slots, levels, strength * alpha, params),
    moments: (params, mass, stats) => simplexMoments(params, slots, levels, mass, stats),
    inside: (stats, slot) => insideSimplex(stats, slots, levels, slot),
    value: (stats, params) => simplexValue(stats, params, size),
    mass: (stats, slot) => simplexMass(stats, slots, levels, slot),

    describe: (params, slot) => ({
      probabilities: Object.fromEntries(
        column.levels.map((level, l) => [String(level), exp(params[l * slots + slot])]),
      ),
    }),

    adopt(description, slot, mass, stats) {
      const given = probabilitiesOf("categorical", column.name, description, column.levels)
      for (let l = 0; l < levels; l++) stats[l * slots + slot] += mass * given[l]
    },

    sample(params, slot, block, dice) {
      const codes = block.cells[place] as Int32Array
      if (codes[0] < 0) codes[0] = drawLevel(params, slots, levels, slot, dice)
    },
    terms: {
      linear: (params, slot) =>
        column.levels.map((level, l) => [
          { kind: "level", column: column.name, level },
          params[l * slots + slot],
        ]),
    },
  }
}

/** out[p·rows + i] += ln p(code_i) in slot p, unless missing. */
function addScores(
  codes: Int32Array,
  rows: number,
  slots: number,
  params: Float64Array,
  out: Float64Array,
): void {
  for (let p = 0; p < slots; p++) {
    const at = p * rows
    for (let i = 0; i < rows; i++) {
      if (codes[i] >= 0) out[at + i] += params[codes[i] * slots + p]
    }
  }
}

/** One level, by the probabilities of slot p. */
function drawLevel(params: Float64Array, slots: number, levels: number, slot: number, dice: Dice): number {
  let left = dice.uniform()
  let last = 0
  for (let l = 0; l < levels; l++) {
    const p = exp(params[l * slots + slot])
    if (p > 0) last = l
    left -= p
    if (left < 0) return l
  }
  return last
}
