/**
 * The expected weight of n rows, n · Σw / Σ1 over all rows seen so far. Dividing by it, a step does not depend on whether heavy rows happen to
 * be in one batch.
 */
import type { Tally } from "../contract/moving.ts"

export function meeting({ rows, weight }: Tally = { rows: 0, weight: 0 }): {
  /** Counts these rows; returns the expected weight of as many. */
  meet(found: Tally): number
  tally(): Tally
} {
  return {
    meet(found) {
      rows += found.rows
      weight += found.weight
      return found.rows > 0 ? (found.rows * weight) / rows : 0
    },
    tally: () => ({ rows, weight }),
  }
}
