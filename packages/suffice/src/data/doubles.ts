/**
 * Cells as doubles. Loops over a Float64Array are the fastest in any engine, so numeric columns are converted to one, whatever their type.
 * A missing cell is NaN. Cells that these loops do not understand are left to the readers of single cells.
 */
import type { Cell } from "../contract/cells.ts"

let scratch = /* @__PURE__ */ new Float64Array(0)

/** Cells from … to − 1, at the same positions of an array that the next call overwrites; undefined if some cell is not a number. */
export function doublesOf(cells: ArrayLike<Cell>, from: number, to: number): Float64Array | undefined {
  if (cells instanceof Float64Array) return cells
  if (scratch.length < to) scratch = new Float64Array(to)
  const doubles = scratch
  // other typed arrays, but not of BigInt
  if (ArrayBuffer.isView(cells) && typeof cells[from] === "number") {
    doubles.set((cells as Float32Array).subarray(from, to), from)
    return doubles
  }
  for (let i = from; i < to; i++) {
    const cell = cells[i]
    if (typeof cell === "number") doubles[i] = cell
    else if (cell === null || cell === undefined) doubles[i] = NaN
    else return undefined
  }
  return doubles
}

/** Looks up a run of doubles in a table (entries below 0: none), four at a time; returns where it stopped. The caller reads the rest one by one. The table's length is a power of two. */
export function codeRun(
  doubles: Float64Array,
  from: number,
  to: number,
  table: Int32Array,
  codes: Int32Array,
  at: number,
): number {
  const by = at - from
  const bits = table.length - 1
  let i = from
  for (; i + 3 < to; i += 4) {
    const x = doubles[i]
    const y = doubles[i + 1]
    const z = doubles[i + 2]
    const w = doubles[i + 3]
    if ((x & bits) !== x || (y & bits) !== y || (z & bits) !== z || (w & bits) !== w) break
    const a = table[x & bits]
    const b = table[y & bits]
    const c = table[z & bits]
    const d = table[w & bits]
    if ((a | b | c | d) < 0) break
    codes[i + by] = a
    codes[i + by + 1] = b
    codes[i + by + 2] = c
    codes[i + by + 3] = d
  }
  return i
}
