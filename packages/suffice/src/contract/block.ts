/** Rows processed together, as the door encodes them, and the weights that a learner gives them. */

/** Rows processed together. `cells` has one entry per column, in the order of the schema. */
export interface Block {
  readonly rows: number
  /** w_i of each row. */
  readonly weight: Float64Array
  readonly cells: readonly Encoded[]
  /** For messages: row i of the block is row numbers[i] of the data or, without `numbers`, row first + i. */
  readonly first?: number | undefined
  readonly numbers?: Float64Array | undefined
  /** Values assumed for columns that are in no data (hidden nodes of networks), as codes by name. */
  readonly assumed?: ReadonlyMap<string, Int32Array> | undefined
  /** In a block of steps, the offsets of the rows that own them; `first` and `numbers` then count those rows. */
  readonly offsets?: Int32Array | undefined
}

/** A fixed number of rows, cut into blocks: the unit of threads, determinism and checkpoints. */
export type Chunk = readonly Block[]

/** The encoded cells of one column: numbers and counts (NaN = missing), codes (−1 = missing, below it a belief: Column.beliefs), bags or steps (empty = no evidence). */
export type Encoded = Float64Array | Int32Array | Bags | Nested

/** Rows within rows: row i owns the inner rows [offsets[i], offsets[i+1]) of `block`. Their weights are relative to that of row i. */
export interface Nested {
  readonly offsets: Int32Array
  readonly block: Block
  /** 1 for rows whose whole cell is missing, where that differs from an empty one; absent: no cell is. */
  readonly missing?: ArrayLike<number> | undefined
}

/**
 * Bags of words: nested blocks whose inner rows are the words of a document, weighed by how often they occur. `block.cells[0]` holds their codes, `block.cells[1]` the
 * counts after the family's scaling (log, l2, tfidf), once it has been applied (text/scaling.ts).
 */
export interface Bags extends Nested {
  /** block.cells[0] */
  readonly words: Int32Array
  /** block.weight */
  readonly counts: Float64Array
  /** In a mini-batch: row i is row rows[i] of from[i]. Its block is gathered on first use. */
  readonly picked?: { readonly from: readonly Bags[]; readonly rows: readonly number[] } | undefined
}

/**
 * r: how much of each row belongs to each slot; signed under sdEM.
 * "each": values[p·rows + i]. "one": row i belongs to slot[i] alone, with weight[i].
 */
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
