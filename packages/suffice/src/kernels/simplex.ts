/**
 * Probabilities over levels, for several slots at once: what categorical cells and switches share.
 * Level-major: entry l·slots + p, so that a row of level l finds its slots side by side.
 *
 *     n_p = Σ_l stats[l,p] + α        θ[l,p] = ln((stats[l,p] + α) / n_p)        value = Σ stats · θ
 */
import { exp } from "./exp.ts"
import { log } from "./log.ts"

/** params ← ln((stats + α) / n). A slot without mass becomes uniform. Returns how many slots left the domain (a negative count). */
export function solveSimplex(
  stats: Float64Array,
  slots: number,
  levels: number,
  alpha: number,
  params: Float64Array,
): number {
  let clamped = 0
  for (let p = 0; p < slots; p++) {
    let n = 0
    for (let l = 0; l < levels; l++) n += stats[l * slots + p] + alpha
    let outside = n < 0
    for (let l = 0; l < levels; l++) {
      const count = stats[l * slots + p] + alpha
      if (count < 0) outside = true
      params[l * slots + p] = n > 0 ? log(Math.max(count, 0) / n) : -log(levels)
    }
    if (outside) clamped++
  }
  return clamped
}

/** n_p = Σ_l stats[l,p] */
export function simplexMass(stats: Float64Array, slots: number, levels: number, slot: number): number {
  let n = 0
  for (let l = 0; l < levels; l++) n += stats[l * slots + slot]
  return n
}

/** stats[l,p] += mass[p] · exp(θ[l,p]) */
export function simplexMoments(
  params: Float64Array,
  slots: number,
  levels: number,
  mass: Float64Array,
  stats: Float64Array,
): void {
  for (let l = 0; l < levels; l++) {
    for (let p = 0; p < slots; p++) stats[l * slots + p] += mass[p] * exp(params[l * slots + p])
  }
}

/** Σ stats · θ, with 0 · (−∞) = 0 */
export function simplexValue(stats: Float64Array, params: Float64Array, count: number): number {
  let total = 0
  for (let j = 0; j < count; j++) if (stats[j] !== 0) total += stats[j] * params[j]
  return total
}

/** Are all probabilities of the slot clear of 0? */
export function insideSimplex(stats: Float64Array, slots: number, levels: number, slot: number): boolean {
  const least = 1e-9 * simplexMass(stats, slots, levels, slot)
  if (!(least > 0)) return false
  for (let l = 0; l < levels; l++) if (!(stats[l * slots + slot] >= least)) return false
  return true
}
