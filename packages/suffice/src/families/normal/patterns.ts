/**
 * Rows of a block grouped by which of the leaf's cells are missing, so that a matrix is factored once per pattern.
 * Group 0 has the complete rows (it may be empty); the others are in the order of their first rows.
 */
import type { Block } from "../../contract/block.ts"
import { pin } from "../../kernels/pin.ts"
import { fastKernels } from "../../kernels/twins.ts"

export interface Patterns {
  /** Group g has the rows rows[offsets[g]] … rows[offsets[g + 1] − 1], in the order of the block. */
  groups: number
  rows: Int32Array
  offsets: Int32Array
  /** The leaf's columns of the block, pinned in the memory of the kernels, which recognise them by this array. */
  readonly columns: readonly Float64Array[]
  /** Group the rows of a block. Column `asked` (−1: none) counts as missing everywhere. */
  group(block: Block, asked: number): void
}

/** order ← the columns seen in this row, then the missing ones, `asked` (−1: none) first among them. Returns how many are seen. */
export function arrange(
  places: readonly number[],
  { cells }: Block,
  row: number,
  asked: number,
  order: Int32Array,
): number {
  const d = places.length
  let seen = 0
  let last = d
  for (let j = 0; j < d; j++) {
    const x = (cells[places[j]] as Float64Array)[row]
    if (j !== asked && x === x) order[seen++] = j
  }
  if (asked >= 0) order[seen] = asked
  for (let j = d - 1; j >= 0; j--) {
    const x = (cells[places[j]] as Float64Array)[row]
    if (j !== asked && x !== x) order[--last] = j
  }
  return seen
}

export function patterns(places: readonly number[]): Patterns {
  const d = places.length
  const words = Math.ceil(d / 32)
  const kernels = fastKernels() ?? { pin }
  const columns: Float64Array[] = new Array(d)
  let ordered = 0 // the first `ordered` entries of `rows` are 0, 1, 2, …
  let bits = new Int32Array(0) // bit j & 31 of word j >> 5: cell j is missing
  let groupOf = new Int32Array(0)
  let first = new Int32Array(0) // the first row of a group
  let chain = new Int32Array(0) // the next group with the same hash
  let heads = new Int32Array(0) // hash → group

  function reserve(rows: number): void {
    if (groupOf.length < rows) {
      let table = 16
      while (table < 2 * rows) table *= 2
      bits = new Int32Array(rows * words)
      groupOf = new Int32Array(rows)
      first = new Int32Array(rows + 1)
      chain = new Int32Array(rows + 1)
      heads = new Int32Array(table)
      self.rows = new Int32Array(rows)
      ordered = 0
      self.offsets = new Int32Array(rows + 2)
    }
  }

  function mark(block: Block, asked: number): void {
    const rows = block.rows
    bits.fill(0, 0, rows * words)
    for (let j = 0; j < d; j++) {
      const x = block.cells[places[j]] as Float64Array
      const word = j >> 5
      const bit = 1 << (j & 31)
      if (j === asked) for (let i = 0; i < rows; i++) bits[i * words + word] |= bit
      else for (let i = 0; i < rows; i++) if (x[i] !== x[i]) bits[i * words + word] |= bit
    }
  }

  function same(i: number, other: number): boolean {
    for (let word = 0; word < words; word++) {
      if (bits[i * words + word] !== bits[other * words + word]) return false
    }
    return true
  }

  /** The group of row i: that of an earlier row with the same missing cells, or a new one. */
  function find(i: number): number {
    let hash = 0
    let any = 0
    for (let word = 0; word < words; word++) {
      const value = bits[i * words + word]
      any |= value
      hash = Math.imul(hash ^ value, 0x9e3779b1) // 2³² / golden ratio (Knuth 6.4)
      hash ^= hash >>> 15
    }
    if (any === 0) return 0
    const bucket = hash & (heads.length - 1)
    let g = heads[bucket]
    while (g > 0 && !same(i, first[g])) g = chain[g]
    if (g > 0) return g
    g = self.groups++
    first[g] = i
    chain[g] = heads[bucket]
    heads[bucket] = g
    return g
  }

  const self: Patterns = {
    groups: 1,
    rows: new Int32Array(0),
    offsets: new Int32Array(2),
    columns,

    group(block, asked) {
      const rows = block.rows
      reserve(rows)
      for (let j = 0; j < d; j++) columns[j] = block.cells[places[j]] as Float64Array
      // the usual case: no cell is missing
      if (kernels.pin(columns, rows, d) && asked < 0) {
        for (; ordered < rows; ordered++) self.rows[ordered] = ordered
        self.groups = 1
        self.offsets[0] = 0
        self.offsets[1] = rows
        return
      }
      ordered = 0
      mark(block, asked)
      heads.fill(0)
      self.groups = 1
      const offsets = self.offsets
      offsets.fill(0)
      for (let i = 0; i < rows; i++) {
        const g = find(i)
        groupOf[i] = g
        offsets[g + 1]++
      }
      for (let g = 0; g < self.groups; g++) offsets[g + 1] += offsets[g]
      for (let i = 0; i < rows; i++) self.rows[offsets[groupOf[i]]++] = i
      for (let g = self.groups; g > 0; g--) offsets[g] = offsets[g - 1] // each was advanced to the end of its group
      offsets[0] = 0
    },
  }
  return self
}
