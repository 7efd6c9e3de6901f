/** What users write: cells, rows and columns. */

export type Cell = Level | Bag | SoftLabel | Row | Steps | bigint | null | undefined

export type Row = { readonly [name: string]: Cell }

/** Columns: arrays or typed arrays of one length, by name. */
export type Columns = Readonly<Record<string, ArrayLike<Cell>>>

export type Level = string | number | boolean

/** A label that is not certain: a weight for each level. The row counts once per level, with that weight. */
export type SoftLabel = Readonly<Record<string, number>>

/** A bag of words: text (tokenised at the door), a list of words, or counts by word: in an object, a Map, or sparse. */
export type Bag =
  | string
  | readonly string[]
  | Readonly<Record<string, number>>
  | ReadonlyMap<string, number>
  | SparseBag

/** One document of a matrix of sparse counts, as `sparse` makes them. */
export interface SparseBag {
  readonly source: object
  readonly row: number
  toJSON(): Readonly<Record<string, number>>
}

/** Rows within a row: a list of rows, columns by name, or a list of cells of the only column. `null`: a step without evidence. */
export type Steps = readonly Cell[] | { readonly [name: string]: ArrayLike<Cell> }
