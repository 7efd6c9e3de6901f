/**
 * Statistics moved to another layout of the same model: one with more levels, words or classes. What is new starts at 0.
 * This is what makes statistics add: unite the schemas, move both, sum.
 */
import type { Leaf, Part } from "../contract.ts"
import type { Laid } from "./lay.ts"

type Axis = Leaf["axes"][number][number]

export function transfer(from: Laid, to: Laid, stats: Float64Array): Float64Array {
  const moved = new Float64Array(to.statistics)
  const old = [...from.root.contexts([""])]
  for (const [part, names] of to.root.contexts([""])) {
    // A part is the same one if it models the same columns in some of the same contexts.
    const source = old.find(
      ([other, slots]) => nameOf(other) === nameOf(part) && slots.some(s => names.includes(s)),
    )
    if (!source) continue // the body of a level that is new
    const [oldPart, oldNames] = source
    const oldEntries = entriesOf(oldPart)
    const newEntries = entriesOf(part)
    const slots = placesOf(oldNames, names)
    const entries = placesOf(oldEntries, newEntries)
    let read = oldPart.statsAt
    let write = part.statsAt
    for (const axes of oldPart.leaf.axes) {
      const sizes = axes.map(axis => sizeOf(axis, oldNames.length, oldEntries.length))
      const wide = axes.map(axis => sizeOf(axis, names.length, newEntries.length))
      const places = axes.map(axis => (axis === "slot" ? slots : axis === "entry" ? entries : undefined))
      copy(stats, read, sizes, moved, write, wide, places)
      read += product(sizes)
      write += product(wide)
    }
  }
  return moved
}

/** Copy one array into a wider one, axis by axis to its place there. */
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
  return JSON.stringify([part.isChoice, part.steps, ...part.names])
}

/** What "entry" counts: the levels or words of the part's column. */
function entriesOf({ columns: [column] }: Part): readonly string[] {
  if (column.kind === "level") return column.levels.map(String)
  return column.kind === "bag" ? column.words : []
}

/** Where each old name stands among the new ones. */
function placesOf(old: readonly string[], fresh: readonly string[]): number[] {
  const at = new Map(fresh.map((name, place) => [name, place]))
  return old.map(name => at.get(name)!)
}

function sizeOf(axis: Axis, slots: number, entries: number): number {
  return axis === "slot" ? slots : axis === "entry" ? entries : axis
}

function product(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total * size, 1)
}
