/** Sets of words that are moving: θ of all words is not computed at every step, so scoring with their parameters asks the set instead. */
import type { WordRows } from "./word-rows.ts"

export interface MovingSet {
  /** out[p·rows + i] += ln p(set of row i | slot p), if the row is seen. */
  score<Rows extends WordRows>(
    bags: Rows,
    isSeen: (bags: Rows, row: number) => boolean,
    rows: number,
    out: Float64Array,
  ): void
}

const sets = /* @__PURE__ */ new WeakMap<ArrayBufferLike, Map<number, MovingSet>>()

/** The moving set that these parameters belong to, if any. */
export function movingSetOf({ buffer, byteOffset }: Float64Array): MovingSet | undefined {
  return sets.get(buffer)?.get(byteOffset)
}

/** From now on these parameters belong to the set. */
export function nameSet({ buffer, byteOffset }: Float64Array, set: MovingSet): void {
  const here = sets.get(buffer) ?? new Map<number, MovingSet>()
  sets.set(buffer, here.set(byteOffset, set))
}
