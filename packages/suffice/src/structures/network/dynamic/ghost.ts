/** A column of the step before, in the network of a step: it is given there, and says nothing of itself. */
import type { Leaf } from "../../../contract/leaf.ts"

export function ghostLeaf(slots: number): Leaf {
  return {
    slots,
    statistics: 0,
    parameters: 0,
    free: 0,
    axes: [],
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
