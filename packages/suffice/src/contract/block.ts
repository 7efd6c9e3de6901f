/** Rows processed together, as the door encodes them, and the weights that a learner gives them. */

/** Rows within rows: row i owns the inner rows [offsets[i], offsets[i+1]) of the block. They weigh what they weigh within their row. */
export interface Nested {
  readonly offsets: Int32Array
  readonly block: Block
  /** 1 for rows whose cell is missing as a whole, where that is told apart from an empty one; absent: none is. */
  readonly missing?: ArrayLike<number> | undefined
}

/**
 * Bags are nested blocks: the words of a document are its inner rows, weighed by how often they occur. `block.cells[0]` holds their codes, `block.cells[1]` what
 * the counts weigh, once a family that scales documents has looked (text/scaling.ts).
 */
export interface Bags extends Nested {
  /** block.cells[0] */
  readonly words: Int32Array
  /** block.weight */
  readonly counts: Float64Array
  /** Of a mini-batch: row i is row rows[i] of from[i]. Its block is gathered when somebody asks for it. */
  readonly picked?: { readonly from: readonly Bags[]; readonly rows: readonly number[] } | undefined
}

/** Held cells of one column: numbers and counts (NaN = missing), codes (−1 = missing), bags or steps (empty = no evidence). */
export type Encoded = Float64Array | Int32Array | Bags | Nested

/** Rows processed together. `cells` goes by the column's place in the schema. */
export interface Block {
  readonly rows: number
  readonly weight: Float64Array
  readonly cells: readonly Encoded[]
  /** For messages, the number of row 0 in the data: those of the others follow it, unless `numbers` has them. */
  readonly first?: number | undefined
  readonly numbers?: Float64Array | undefined
  /** Of steps, those of their rows: `first` and `numbers` are then the rows'. */
  readonly offsets?: Int32Array | undefined
}

/** A fixed number of rows, cut into blocks: the unit of threads, determinism and checkpoints. */
export type Chunk = readonly Block[]

/**
 * r: how much of each row belongs to each slot; signed under sdEM.
 * "each": values[p·rows + i]. "one": row i belongs to slot[i] alone, with weight[i].
 */
export type Weights =
  | { readonly form: "each"; readonly values: Float64Array }
  | { readonly form: "one"; readonly slot: Int32Array; readonly weight: Float64Array }

/** Weights as leaves get them: with the sums that several families need. */
export type SummedWeights = Weights & {
  /** Σ_i w (1, x_i, x_i²) over the rows of slot p that hold x, at 3p: good until the next call. */
  sums(x: Float64Array): Float64Array
  /** stats[l·slots + p] += Σ_i w over the rows of slot p with code l; −1 is missing. */
  count(codes: Int32Array, stats: Float64Array): void
}
