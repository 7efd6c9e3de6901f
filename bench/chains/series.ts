/** A series of four columns that goes through eight regimes: the same numbers for every system, by a formula that each can compute. */
import { dice } from "suffice"

export const NAMES = ["a", "b", "c", "d"] as const

/** x of column j at a step in regime r: 3 · (r · (j + 3) mod 7) + a normal. A regime lasts 20 steps on average. */
export function series(steps: number): Record<string, Float64Array> {
  const roll = dice(7)
  const columns = NAMES.map(() => new Float64Array(steps))
  let regime = 0
  for (let t = 0; t < steps; t++) {
    if (roll.uniform() < 0.05) regime = roll.integer(8)
    for (const [j, column] of columns.entries()) column[t] = 3 * ((regime * (j + 3)) % 7) + roll.normal()
  }
  return Object.fromEntries(NAMES.map((name, j) => [name, columns[j]]))
}
