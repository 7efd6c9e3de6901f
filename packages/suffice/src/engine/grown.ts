/** Statistics of a model whose switches have new values: the new slots are empty, and begin with a guess. */
import type { Part } from "../contract/part.ts"
import { ownersOf } from "./axes.ts"
import { type Laid, withPrior } from "./lay.ts"

/** Which of the part's numbers belong to empty slots. */
export function isNew(part: Part, stats: Float64Array): boolean[] {
  const owner = ownersOf(part)
  const known = new Set<number>()
  owner.forEach((slot, j) => {
    if (stats[part.ranges.statsAt + j] !== 0) known.add(slot)
  })
  return Array.from(owner, slot => slot >= 0 && !known.has(slot))
}

/** The base, with first guesses in its empty slots: equal components of a new class would stay equal for ever. */
export function withNewSlots(laid: Laid, base: Float64Array, guess: Float64Array): Float64Array {
  const start = base.slice()
  for (const part of laid.parts) {
    isNew(part, base).forEach((fresh, j) => {
      if (fresh) start[part.ranges.statsAt + j] = guess[part.ranges.statsAt + j]
    })
  }
  return start
}

/**
 * The same for guesses that are statistics of rows: numbers that all slots share (tied spreads) must fit the sums of the new slots, so a part that has some begins with
 * the base and the guess together.
 */
export function withGuesses(laid: Laid, base: Float64Array, guess: Float64Array): Float64Array {
  const start = withNewSlots(laid, base, guess)
  for (const part of laid.parts) {
    if (!ownersOf(part).includes(-1) || !isNew(part, base).includes(true)) continue
    for (let j = part.ranges.statsAt; j < part.ranges.statsAt + part.leaf.shape.statistics; j++)
      start[j] = base[j] + guess[j]
  }
  return start
}

/** The counts, where each new value of a switch begins with one row, and the leaves below it with the prior. */
export function grownCounts(laid: Laid, counts: Float64Array, spread: Float64Array): Float64Array {
  const prior = withPrior(laid, new Float64Array(laid.statistics), 1, spread)
  const start = withNewSlots(laid, counts, prior)
  for (const part of laid.parts) {
    if (part.role === "leaf") continue
    for (let j = part.ranges.statsAt; j < part.ranges.statsAt + part.leaf.shape.statistics; j++)
      if (start[j] === 0) start[j] = 1
  }
  return start
}
