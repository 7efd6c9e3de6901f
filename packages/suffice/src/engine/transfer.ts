/**
 * Statistics moved to another layout of the same model: one with more levels, words or classes. What is new starts at 0.
 * This is what makes statistics add: unite the schemas, move both, sum.
 */

import type { Axis } from "../contract/leaf.ts"
import type { Part } from "../contract/part.ts"
import { entriesOf, product, sizeOf } from "./axes.ts"
import type { Laid } from "./lay.ts"
import { namesOf } from "./parts.ts"

export function transfer(from: Laid, to: Laid, stats: Float64Array): Float64Array {
  const moved = new Float64Array(to.statistics)
  const old = [...from.root.tree.contexts([""])]
  for (const [part, names] of to.root.tree.contexts([""])) {
    // the same part models the same columns in some of the same contexts
    const source = old.find(
      ([other, slots]) => nameOf(other) === nameOf(part) && slots.some(s => names.includes(s)),
    )
    if (!source) continue // the body of a level that is new
    const [oldPart, oldNames] = source
    /** The new index of each old one along an axis; undefined: the same. */
    const placesOn = (axis: Axis): readonly number[] | undefined => {
      if (typeof axis === "number") return undefined
      if (axis === "slot") return placesOf(oldNames, names)
      return placesOf(entriesOf(oldPart, axis), entriesOf(part, axis))
    }
    let read = oldPart.ranges.statsAt
    let write = part.ranges.statsAt
    for (const axes of oldPart.leaf.shape.axes) {
      const sizes = axes.map(axis => sizeOf(oldPart, axis))
      const wide = axes.map(axis => sizeOf(part, axis))
      copy(stats, read, sizes, moved, write, wide, axes.map(placesOn))
      read += product(sizes)
      write += product(wide)
    }
  }
  return moved
}

/** Copy one array into a wider one; `places`: the new index of each old one, axis by axis. */
function copy(
  from: Float64Array,
  read: number,
  sizes: readonly number[],
  to: Float64Array,
  write: number,
  wide: readonly number[],
  places: readonly (readonly number[] | undefined)[],
): void {
  const index = sizes.map(() => 0)
  const total = product(sizes)
  for (let j = 0; j < total; j++) {
    let at = 0
    for (let d = 0; d < sizes.length; d++) at = at * wide[d] + (places[d]?.[index[d]] ?? index[d])
    to[write + at] = from[read + j]
    for (let d = sizes.length - 1; d >= 0 && ++index[d] === sizes[d]; d--) index[d] = 0
  }
}

function nameOf(part: Part): string {
  return JSON.stringify([part.role !== "leaf", part.steps, ...namesOf(part)])
}

/** The index of each old name among the new ones. */
function placesOf(old: readonly string[], fresh: readonly string[]): number[] {
  const at = new Map(fresh.map((name, place) => [name, place]))
  return old.map(name => at.get(name)!)
}
