/** Factors of a program, and their values in a row. */
/** A node that depends on the missing columns, as a program sees it. */
export interface Factor {
  readonly node: number
  /** Missing columns it depends on, and the step that each level of one makes in its table (or in its slots, if it has no levels). */
  readonly columns: readonly number[]
  readonly strides: readonly number[]
  /** Without a kind of its own it multiplies nothing: only its posterior is asked for. */
  readonly kind: "table" | "density" | "none"
}

/** What a row brings: tables and densities of the nodes, and where the seen columns put it. */
export interface Evidence {
  /** p(x | parents) of nodes with levels: tables[v][base + map[e] + p]. */
  readonly tables: readonly Float64Array[]
  /** ln p(x) of nodes without: scores[v][(base + map[e] + p)·rows + row]. */
  readonly scores: readonly Float64Array[]
  readonly rows: number
  readonly row: number
  /** From this number on, nodes are groups of missing numbers (numbers.ts), whose densities are those of this row alone. */
  readonly apart: number
  readonly base: Int32Array
}

/** ln p of a node without levels at an entry of its map, or that of a group of missing numbers. */
export function densityAt({ scores, rows, row, apart, base }: Evidence, node: number, at: number): number {
  return node < apart ? scores[node][(base[node] + at) * rows + row] : scores[node][at]
}
