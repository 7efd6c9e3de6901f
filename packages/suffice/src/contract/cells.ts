/** What users write: cells, rows and columns. */

/**
 * The contracts of Suffice: types, and nothing else. Each member is documented by the equation it computes.
 * Long because it is the one page that everything else is written against.
 *
 *     p(row | θ) = h · exp( θ·s(row) − A(θ) )        η = E[s | θ]
 *
 * A family says what s is, how a block of rows adds to it (`absorb`) and how θ comes back (`solve`).
 * A structure combines families: log-densities go up the tree, weights come down.
 * A learner chooses the weights. Nobody else needs to know which.
 */

// ── cells, as users write them ─────────────────────────────────────────────────────────────────────

export type Level = string | number | boolean

/** A document of sparse counts: `sparse` makes them. */
export interface SparseBag {
  readonly source: object
  readonly row: number
  toJSON(): Readonly<Record<string, number>>
}

/** A bag of words: text (tokenised at the door), a list of words, or counts by word: in an object, a Map, or sparse. */
export type Bag =
  | string
  | readonly string[]
  | Readonly<Record<string, number>>
  | ReadonlyMap<string, number>
  | SparseBag

/**
 * Steps: rows within a row. A list of rows, columns of equal length by name, or, where there is one column, a list of its cells. `null` in a list is a step
 * in which nothing is seen.
 */
export type Steps = readonly Cell[] | { readonly [name: string]: ArrayLike<Cell> }

/** A label that is not certain: a weight for each level. One copy of the row per level, so weighted. */
export type SoftLabel = Readonly<Record<string, number>>

export type Cell = Level | Bag | SoftLabel | Row | Steps | bigint | null | undefined

export type Row = { readonly [name: string]: Cell }

/** Columns: arrays or typed arrays of one length, by name. */
export type Columns = Readonly<Record<string, ArrayLike<Cell>>>
