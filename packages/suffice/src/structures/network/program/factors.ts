/** Factors of a program, and their values in a row. */
/** Factor of a node that depends on missing columns. */
export interface Factor {
  readonly node: number
  /** Missing columns among its arguments, and the stride of a level of each in its table, or in its slots. */
  readonly columns: readonly number[]
  readonly strides: readonly number[]
  /** "none": a constant factor, listed for its posterior. */
  readonly kind: "table" | "density" | "none"
}

/** Tables and densities of the nodes in one row, with offsets from its observed columns. */
export interface Evidence {
  /** p(x | parents) of nodes with levels: tables[v][base + map[e] + p]. */
  readonly tables: readonly Float64Array[]
  /** ln p(x) of nodes without: scores[v][(base + map[e] + p)·rows + row]. */
  readonly scores: readonly Float64Array[]
  readonly rows: number
  readonly row: number
  /** First number of the groups of missing numbers (numbers.ts), with densities for this row alone. */
  readonly apart: number
  readonly base: Int32Array
}

/** ln p of a node without levels, or of a group of missing numbers, at an entry of its map. */
export function densityAt({ scores, rows, row, apart, base }: Evidence, node: number, at: number): number {
  return node < apart ? scores[node][(base[node] + at) * rows + row] : scores[node][at]
}
