/** The layout of a part's statistics (Leaf.axes): the length of each axis, and the slot that each number belongs to. */
import type { Axis } from "../contract/leaf.ts"
import type { Part } from "../contract/part.ts"

/** The entries along an axis: the levels or words of its column. */
export function entriesOf({ columns }: Pick<Part, "columns">, axis: Axis): readonly string[] {
  const column = columns[typeof axis === "object" ? axis.entry : 0]
  if (column.kind === "level") return column.levels.map(String)
  return column.kind === "bag" ? column.words : []
}

export function sizeOf(part: Pick<Part, "columns" | "leaf">, axis: Axis): number {
  if (typeof axis === "number") return axis
  return axis === "slot" ? part.leaf.shape.slots : entriesOf(part, axis).length
}

/** The slot of each number; −1 if it belongs to all slots. */
export function ownersOf(part: Pick<Part, "leaf" | "columns">): Int32Array {
  const owner: number[] = []
  for (const axes of part.leaf.shape.axes) {
    const sizes = axes.map(axis => sizeOf(part, axis))
    const size = product(sizes)
    const at = axes.indexOf("slot")
    const inner = at < 0 ? size : product(sizes.slice(at + 1))
    for (let j = 0; j < size; j++) owner.push(at < 0 ? -1 : Math.trunc(j / inner) % part.leaf.shape.slots)
  }
  return Int32Array.from(owner)
}

/** Where the arrays with an entry axis stand: the counts of levels or words, without what else the statistics hold. */
export function entryRanges(part: Pick<Part, "leaf" | "columns">): (readonly [from: number, to: number])[] {
  const ranges: (readonly [number, number])[] = []
  let at = 0
  for (const axes of part.leaf.shape.axes) {
    const size = product(axes.map(axis => sizeOf(part, axis)))
    if (axes.some(axis => axis === "entry" || typeof axis === "object")) ranges.push([at, at + size])
    at += size
  }
  return ranges
}

export function product(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total * size, 1)
}
