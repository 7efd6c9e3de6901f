/**
 * The leaves of a chain: probabilities of which some are 0 by structure, and counts of visits.
 *
 *     θ_l = ln((n_l + α) / Σ_l' (n_l' + α)) over the allowed l          −∞ for the others, whatever was counted there
 *
 * Their cells are chosen in the tree, step by step: how many there are is given, and they move entry by entry.
 */
import type { Leaf, Shape } from "../../contract/leaf.ts"
import { probabilitiesOf } from "../../described.ts"
import type { LevelColumn } from "../../families/level-leaf.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"
import { simplexMoments } from "../../kernels/simplex.ts"

/** Entry l·slots + p is allowed where `allowed` is 1. `isEqual`: all that are allowed are equally likely, and nothing is learned. */
export function choiceLeaf(
  column: LevelColumn,
  slots: number,
  allowed: Uint8Array,
  alpha: number,
  isEqual = false,
): Leaf {
  const levels = column.levels.length
  const size = levels * slots
  const choice: Choice = { slots, size, allowed, alpha, isEqual }
  let free = 0
  for (let p = 0; p < slots; p++) free += isEqual ? 0 : Math.max(allowedIn(choice, p) - 1, 0)
  return {
    ...NEVER_CELLS,
    shape: { ...countsShape(levels, slots), parameters: size, free },
    moving: { summed: true },

    prior(stats, strength = 1) {
      for (let j = 0; j < size; j++) if (allowed[j] && !isEqual) stats[j] += strength * alpha
    },
    solve: (stats, strength, params) => solve(choice, stats, strength, params),
    moments: (params, mass, stats) => simplexMoments(params, slots, levels, mass, stats),
    value: (stats, params) => value(choice, stats, params),
    mass: (stats, slot) => massOf(choice, stats, slot),
    describe: (params, slot) => ({
      probabilities: Object.fromEntries(
        column.levels.map((level, l) => [String(level), exp(params[l * slots + slot])]),
      ),
    }),

    adopt(description, slot, mass, stats) {
      const given = probabilitiesOf("chain", column.name, description, column.levels)
      for (let l = 0; l < levels; l++) stats[l * slots + slot] += mass * given[l]
    },
  }
}

/** Layout of a choice among levels of which some are forbidden. */
interface Choice {
  readonly slots: number
  /** Number of entries. */
  readonly size: number
  readonly allowed: Uint8Array
  readonly alpha: number
  readonly isEqual: boolean
}

function allowedIn({ slots, size, allowed }: Choice, slot: number): number {
  let count = 0
  for (let j = slot; j < size; j += slots) count += allowed[j]
  return count
}

function solve(choice: Choice, stats: Float64Array, strength: number, params: Float64Array): number {
  const { slots, size, allowed, alpha, isEqual } = choice
  const more = strength * alpha
  let clamped = 0
  for (let p = 0; p < slots; p++) {
    let n = 0
    let outside = false
    for (let j = p; j < size; j += slots) {
      if (!allowed[j]) continue
      n += stats[j] + more
      if (stats[j] + more < 0) outside = true
    }
    const uniform = -log(allowedIn(choice, p))
    for (let j = p; j < size; j += slots) {
      if (!allowed[j]) params[j] = -Infinity
      else params[j] = n > 0 && !isEqual ? log(Math.max(stats[j] + more, 0) / n) : uniform
    }
    if (!isEqual && (outside || n < 0)) clamped++
  }
  return clamped
}

/** Σ n_l θ_l over the allowed levels. */
function value({ size, allowed }: Choice, stats: Float64Array, params: Float64Array): number {
  let total = 0
  for (let j = 0; j < size; j++) if (allowed[j] && stats[j] !== 0) total += stats[j] * params[j]
  return total
}

function massOf({ slots, size, allowed }: Choice, stats: Float64Array, slot: number): number {
  let n = 0
  for (let j = slot; j < size; j += slots) if (allowed[j]) n += stats[j]
  return n
}

/**
 * How often each state was visited: the masses of what stands below. Nothing is learned from it. `alpha`: the visits that the prior of beginnings and transitions
 * is worth, by state.
 */
export function visitsLeaf(column: LevelColumn, slots: number, alpha: readonly number[]): Leaf {
  const levels = column.levels.length
  const all = alpha.reduce((sum, a) => sum + a, 0)

  function add(stats: Float64Array, amount: (slot: number) => number): void {
    for (let l = 0; l < levels; l++)
      for (let p = 0; p < slots; p++) stats[l * slots + p] += alpha[l] * amount(p)
  }

  return {
    ...NEVER_CELLS,
    shape: { ...countsShape(levels, slots), parameters: 0, free: 0 },
    prior: (stats, strength = 1) => add(stats, () => strength),
    solve: () => 0,
    // shared out as the prior is: there is no θ
    moments: (_params, mass, stats) => add(stats, slot => (all > 0 ? mass[slot] / all : 0)),
    value: () => 0,

    mass(stats, slot) {
      let n = 0
      for (let l = 0; l < levels; l++) n += stats[l * slots + slot]
      return n
    },

    describe: () => ({}),
    adopt: () => undefined,
  }
}

/** Values that are never cells. */
const NEVER_CELLS: Pick<Leaf, "score" | "absorb" | "inside" | "sample"> = {
  score: () => undefined,
  absorb: () => false,
  inside: () => true,
  sample: () => undefined,
}

function countsShape(levels: number, slots: number): Omit<Shape, "parameters" | "free"> {
  return { slots, statistics: levels * slots, axes: [["entry", "slot"]], lengthGiven: true }
}
