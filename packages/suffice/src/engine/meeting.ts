/**
 * What rows weigh on average, by those that were met: n rows should weigh n · Σw / Σ1, the sums being over all rows so far. A step then does
 * not depend on whether heavy rows happen to come together.
 */
import type { Tally } from "../contract/moving.ts"

export function meeting({ rows, weight }: Tally = { rows: 0, weight: 0 }): {
  /** What as many rows should weigh. */
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
