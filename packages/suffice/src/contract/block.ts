/** Encoded rows processed together, and their weights. */

/** `cells` has one entry per column, in the order of the schema. */
export interface Block {
  readonly rows: number
  /** w_i of each row. */
  readonly weight: Float64Array
  readonly cells: readonly Encoded[]
  /** For messages: row i is row numbers[i] of the data, or first + i. */
  readonly first?: number | undefined
  readonly numbers?: Float64Array | undefined
  /** Assumed codes of hidden nodes of networks, by name. */
  readonly assumed?: ReadonlyMap<string, Int32Array> | undefined
  /** In a block of steps, offsets of their rows, which `first` and `numbers` then count. */
  readonly offsets?: Int32Array | undefined
}

/** A fixed number of rows, cut into blocks: the unit of threads, determinism and checkpoints. */
export type Chunk = readonly Block[]

/** Numbers and counts (NaN = missing), codes (−1 = missing, below: Column.beliefs), bags or steps (empty = no evidence). */
export type Encoded = Float64Array | Int32Array | Bags | Nested

/** Row i owns the inner rows [offsets[i], offsets[i+1]) of `block`; their weights are relative to its weight. */
export interface Nested {
  readonly offsets: Int32Array
  readonly block: Block
  /** 1 for missing cells, if they differ from empty ones. Undefined if none is missing. */
  readonly missing?: ArrayLike<number> | undefined
}

/** Bags of words: inner rows are words, weighed by counts. `block.cells[0]`: codes; `block.cells[1]`: scaled counts (text/scaling.ts). */
export interface Bags extends Nested {
  /** block.cells[0] */
  readonly words: Int32Array
  /** block.weight */
  readonly counts: Float64Array
  /** In a mini-batch, row i is row rows[i] of from[i], gathered on first use. */
  readonly picked?: { readonly from: readonly Bags[]; readonly rows: readonly number[] } | undefined
}

/** Responsibilities, signed under sdEM. "each": values[p·rows + i]. "one": row i has weight[i] in slot[i] alone. */
export type Weights =
  | { readonly form: "each"; readonly values: Float64Array }
  | { readonly form: "one"; readonly slot: Int32Array; readonly weight: Float64Array }

/** Weights as leaves receive them, with the sums that several families need. */
export type SummedWeights = Weights & {
  /** out[3p …] = Σ_i w[p,i] (1, x_i, x_i²) over the rows in which x is not missing. The next call overwrites the result. */
  sums(x: Float64Array): Float64Array
  /** stats[l·slots + p] += Σ_i w[p,i] over the rows with code l; −1 is missing. */
  count(codes: Int32Array, stats: Float64Array): void
}
