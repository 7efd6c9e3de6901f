/** How the door reads cells and encodes them: a first pass determines the columns, further passes encode cells by them. */
import type { Block, Encoded } from "./block.ts"
import type { Cell, Level } from "./cells.ts"
import type { Column, Need, TextOptions } from "./columns.ts"

/** Encodes one column, chunk after chunk. */
export interface ColumnEncoder {
  /** Begin the next chunk, of at most `rows` rows. Cells cut from a chunk of lifetime "fit" stay as they are. `numbers`: an array to put numbers in. */
  begin(rows: number, lifetime: Lifetime, numbers?: Float64Array): void
  /** Grow the capacity to `rows` rows; those already read are kept. */
  extend(rows: number): void
  /** Encode cells from … to − 1 at positions at, at + 1, … of the chunk; cell 0 is that of row `first` of the data. */
  read(
    cells: ArrayLike<Cell>,
    first: number,
    from: number,
    to: number,
    at: number,
    onUnseen: UnseenListener,
  ): void
  /** `count` missing cells, from position `at` on. */
  skip(count: number, at: number): void
  /** The encoded cells at positions from … to − 1. `numbers`: which rows of the data these are. */
  cut(from: number, to: number, numbers?: Pick<Block, "first" | "numbers">): Encoded
  /** Where a block that begins at `from` must end, at `to` the latest: nested rows limit its size. Absent: at `to`. */
  endOf?(from: number, to: number): number
}

/** How long the cells of a chunk are needed: until the next chunk begins, or as long as the fit lasts. */
export type Lifetime = "chunk" | "fit"

/** Is told of levels and words that are not in the schema, and of columns of steps that are not in the data. */
export interface UnseenListener {
  level(row: number, column: string, level: Level): void
  word?(row: number, column: string, word: string): void
  /** No step that was read has this column; the path to it begins with the column of the rows. */
  absent?(path: readonly string[]): void
}

/**
 * How cells become bags, in both passes: text/reading.ts. A family over bags provides it, so that programs without bags do not
 * include it. It is functions only; everything they depend on is in TextOptions.
 */
export interface Reading {
  /**
   * For the first pass. `known`: the column of an earlier model. `scaling`: used if the options do not choose one. `remember`: the
   * same texts will be encoded later, so keep the words found in them.
   */
  explore(
    need: Extract<Need, { kind: "bag" }>,
    known: Column | undefined,
    scaling: TextOptions["scaling"],
    remember: boolean,
  ): {
    /** Reads cells from `from` on that can be read together, all of weight above 0. Returns where it stopped. */
    run(cells: ArrayLike<Cell>, weights: Float64Array, from: number): number
    /** Reads the cell of a row of this weight. False: it is not a bag. */
    look(cell: Cell, weight: number): boolean
    /** The slice before was the last of a chunk, of a stretch. */
    endChunk(): void
    endStretch(): void
    /** The words of the chunks of this stretch; and those of chunks that were read elsewhere. */
    part(): WordsPart
    join(part: WordsPart): void
    readonly seen: boolean
    column(name: string): Column
  }
  /** For further passes. */
  encoder(column: Column): ColumnEncoder
  /** The codes of a cell's words in their order, −1 for words that the column lacks; of counts in any order, each once. Undefined: it is no bag. */
  inOrder(column: Column, cell: Cell): number[] | undefined
  /** Drops what was remembered of the column's texts, once it is encoded. */
  forget(column: Column): void
  /** Present if the data does not have the cells: they are made of others. */
  readonly made?: MadeCells
}

/** Cells of a column of steps that are made of other columns of the steps. */
export interface MadeCells {
  /** The columns they are made of, and the first and the last step that they look at, from their own. */
  readonly from: readonly string[]
  readonly reach: readonly [first: number, last: number]
  /** The cells of the steps of some rows; step t of row i is offsets[i] + t. `columns`: those of `from`; undefined: no step has it. */
  cells(columns: readonly (ArrayLike<Cell> | undefined)[], offsets: Int32Array): ArrayLike<Cell>
}

/** The words of some chunks: plain data, so that they can be read elsewhere. */
export interface WordsPart {
  readonly seen: boolean
  /** The weight of the documents. */
  readonly documents: number
  /** New words, in order of first occurrence: their codes follow those that were known before. */
  readonly words: readonly string[]
  /** By code, where documents are counted by word: the weight of those that have it. */
  readonly counts: readonly (readonly [number, number])[]
}

/** Receives the words of a document: entries from … to − 1, each word once, in any order. The caller reuses the arrays. */
export interface BagSink {
  addWords(codes: Int32Array, counts: Float64Array | Int32Array, from: number, to: number): void
}
