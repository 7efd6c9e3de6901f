/**
 * Cells as doubles: loops over a Float64Array are the fastest an engine has, so columns that can be read so are, whatever they came in.
 * A missing cell is NaN. What the loops here do not understand they leave to those who look at cells one by one.
 */
import type { Cell } from "../contract/cells.ts"

let scratch = /* @__PURE__ */ new Float64Array(0)

/** Cells from … to − 1, at the same places of an array that is good until the next call; undefined where some cell is no number. */
export function doublesOf(cells: ArrayLike<Cell>, from: number, to: number): Float64Array | undefined {
  if (cells instanceof Float64Array) return cells
  if (scratch.length < to) scratch = new Float64Array(to)
  const doubles = scratch
  // numbers in an array of another type: not those of 64 bits, which are no numbers
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

/** The table's entries for a run of doubles, as far as it has some (others are below 0), four at a time: the last ones may be left to who looks at each. Its length is a power of two. */
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
