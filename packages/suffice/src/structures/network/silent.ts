/** A column that is given: nothing is learned of it, and it says nothing of itself. */
import type { Leaf } from "../../contract/leaf.ts"

export function silentLeaf(slots: number): Leaf {
  return {
    shape: { slots, statistics: 0, parameters: 0, free: 0, axes: [] },
    score: () => undefined,
    absorb: () => false,
    solve: () => 0,
    moments: () => undefined,
    prior: () => undefined,
    value: () => 0,
    mass: () => 0,
    inside: () => true,
    describe: () => ({}),
    adopt: () => undefined,
    sample: () => undefined,
  }
}
