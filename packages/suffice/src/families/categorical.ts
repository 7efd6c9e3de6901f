/**
 * One of finitely many levels per cell.
 *
 *     ln p(x = l) = θ_l      s(x) = 1[x = l]      θ_l = ln(n_l / n)
 *     prior: α pseudo-counts per level (Dirichlet), α = 1 is Laplace: (n_l + 1) / (n + L)
 *
 * A level never seen in training counts as missing, and is reported.
 */
import type { Column, Dice, Family, FamilyKind, Leaf, Level } from "../contract.ts"
import { probabilitiesOf } from "../described.ts"
import { exp } from "../kernels/exp.ts"
import { insideSimplex, simplexMass, simplexMoments, simplexValue, solveSimplex } from "../kernels/simplex.ts"
import { declaredLevels, known, knownOptions, pseudoRows } from "./options.ts"

export interface CategoricalOptions<L extends Level = Level> {
  /** All levels, where the data may not show each of them. Without it they are discovered. */
  readonly levels?: readonly L[]
  /** Pseudo-counts per level at prior strength 1. */
  readonly prior?: number
}

export function categorical<const L extends Level = Level>(
  options: CategoricalOptions<L> = {},
): Family<number extends L ? Level : L> {
  return made(known("categorical", options, ["levels", "prior"]))
}

function made({ levels: given, prior = 1 }: CategoricalOptions): Family<never> {
  const alpha = pseudoRows("categorical", prior)
  const levels = given === undefined ? undefined : declaredLevels("categorical", "levels", given)
  return {
    name: "categorical",
    options: levels ? { levels, prior } : { prior },
    need: levels ? { kind: "level", levels } : { kind: "level" },
    measure: "mass",
    bind: (columns, places, slots) => levelLeaf(columns[0] as LevelColumn, places[0], slots, alpha),
  }
}

type LevelColumn = Extract<Column, { kind: "level" }>

// stats and params, level by level: entry l·slots + p holds Σw 1[x = l] and ln p(l)
export function levelLeaf(column: LevelColumn, place: number, slots: number, alpha: number): Leaf {
  const levels = column.levels.length
  const size = levels * slots

  const score: Leaf["score"] = (block, params, out) => {
    const codes = block.cells[place] as Int32Array
    const rows = block.rows
    for (let p = 0; p < slots; p++) {
      const at = p * rows
      for (let i = 0; i < rows; i++) {
        if (codes[i] >= 0) out[at + i] += params[codes[i] * slots + p]
      }
    }
  }

  return {
    slots,
    beside: { kind: "levels", place, score },
    statistics: size,
    axes: [["entry", "slot"]],
    parameters: size,
    free: slots * Math.max(levels - 1, 0),

    prior(stats, strength = 1) {
      for (let j = 0; j < size; j++) stats[j] += strength * alpha
    },

    score,

    absorb(block, _params, weights, stats) {
      weights.count(block.cells[place] as Int32Array, stats)
      return false
    },

    solve: (stats, params) => solveSimplex(stats, slots, levels, params),
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

    linear: (params, slot) =>
      column.levels.map((level, l) => [
        { kind: "level", column: column.name, level },
        params[l * slots + slot],
      ]),
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

export const categoricalKind: FamilyKind = {
  name: "categorical",
  make: options =>
    categorical(knownOptions("categorical", options, ["levels", "prior"]) as CategoricalOptions),
  suits: column => {
    if (column.strings === 0 || column.strings !== column.rows - column.missing) return undefined
    // few: below the cap where counting stops, and they recur; phrases must recur often, or they are texts
    const phrases = column.texts * 2 >= column.strings
    const few = phrases
      ? column.distinct * 10 <= column.strings
      : column.distinct <= 20 || column.distinct * 2 <= column.strings
    return few && column.distinct < 1000
      ? `${column.distinct} different ${phrases ? "phrases" : "words"} in ${column.strings} cells`
      : undefined
  },
  specimens: [
    { options: {}, cell: dice => ["red", "green", "blue"][dice.integer(3)] },
    { options: { levels: [1, 2, 3, 4], prior: 0.5 }, cell: dice => 1 + dice.integer(4) },
  ],
}
