import type { Weights } from "../contract/block.ts"
import { grow, growCodes } from "../kernels/workspace.ts"

/** The weights of the next step; copied, since nodes reuse their arrays. */
export function takingWeights(): { take(weights: Weights): void; weights(): readonly Weights[] } {
  let taken: Weights[] = []
  const copies: { slot: ReturnType<typeof growCodes>; weight: ReturnType<typeof grow> }[] = []
  return {
    take(weights) {
      const at = taken.length
      copies[at] ??= { slot: growCodes(), weight: grow() }
      const { slot, weight } = copies[at]
      taken.push(
        weights.form === "one"
          ? { form: "one", slot: copied(weights.slot, slot), weight: copied(weights.weight, weight) }
          : { form: "each", values: copied(weights.values, weight) },
      )
    },
    weights() {
      const all = taken
      taken = []
      return all
    },
  }
}

function copied<Values extends Int32Array | Float64Array>(
  from: Values,
  scratch: (length: number) => Values,
): Values {
  const own = scratch(from.length)
  own.set(from)
  return own
}
