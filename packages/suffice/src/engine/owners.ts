/** Which slot each number of a part's statistics belongs to. */
import type { Part } from "../contract.ts"

/** By the axes, −1 where a number belongs to all slots. Entries are what fills up the rest of the statistics. */
export function ownersOf({ leaf: { axes }, slots, statistics }: Part): Int32Array {
  const fixed = axes.map(array =>
    array.reduce<number>((n, axis) => n * (axis === "slot" ? slots : axis === "entry" ? 1 : axis), 1),
  )
  const withEntries = axes.map(array => array.includes("entry"))
  const rest = statistics - fixed.reduce((sum, n, a) => sum + (withEntries[a] ? 0 : n), 0)
  const entries = withEntries.some(Boolean)
    ? rest / fixed.reduce((sum, n, a) => sum + (withEntries[a] ? n : 0), 0)
    : 1
  const owner: number[] = []
  for (const array of axes) {
    const sizes = array.map(axis => (axis === "slot" ? slots : axis === "entry" ? entries : axis))
    const size = sizes.reduce((n, m) => n * m, 1)
    const at = array.indexOf("slot")
    const inner = at < 0 ? size : sizes.slice(at + 1).reduce((n, m) => n * m, 1)
    for (let j = 0; j < size; j++) owner.push(at < 0 ? -1 : Math.trunc(j / inner) % slots)
  }
  return Int32Array.from(owner)
}
