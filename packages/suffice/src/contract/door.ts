/** Ingestion: a first pass determines the columns, further passes encode cells. */
import type { Block, Encoded } from "./block.ts"
import type { Cell, Level } from "./cells.ts"
import type { Column, Need, TextOptions } from "./columns.ts"

/** Encodes one column, chunk after chunk. */
export interface ColumnEncoder {
  /** Begins a chunk of at most `rows` rows. Cells of lifetime "fit" are never overwritten. `numbers`: array for numbers. */
  begin(rows: number, lifetime: Lifetime, numbers?: Float64Array): void
  /** Grows the capacity to `rows` rows. */
  extend(rows: number): void
  /** Encodes cells from … to − 1 at positions at, … of the chunk; cell 0 belongs to row `first` of the data. */
  read(
    cells: ArrayLike<Cell>,
    first: number,
    from: number,
    to: number,
    at: number,
    onUnseen: UnseenListener,
  ): void
  /** Adds `count` missing cells at position `at`. */
  skip(count: number, at: number): void
  /** Encoded cells at positions from … to − 1. `numbers`: their row numbers in the data. */
  cut(from: number, to: number, numbers?: Pick<Block, "first" | "numbers">): Encoded
  /** End of a block that begins at `from`, at most `to`. Undefined unless nested rows limit its size. */
  endOf?(from: number, to: number): number
}

/** Lifetime of encoded cells: until the next chunk begins, or until the fit ends. */
export type Lifetime = "chunk" | "fit"

/** Receives levels and words outside the schema, and absent columns of steps. */
export interface UnseenListener {
  level(row: number, column: string, level: Level): void
  word?(row: number, column: string, word: string): void
  /** Called if no step has this column; the path begins with the column of the rows. */
  absent?(path: readonly string[]): void
}

/** Conversion of cells to bags (text/reading.ts), provided by families over bags: other programs do not include it. */
export interface Reading {
  /** First pass. `known`: column of an earlier model. `scaling`: default of the options. `remember`: keep words for encoding. */
  explore(
    need: Extract<Need, { kind: "bag" }>,
    known: Column | undefined,
    scaling: TextOptions["scaling"],
    remember: boolean,
  ): {
    /** Reads cells of positive weight from `from` on. Returns the first index not read. */
    run(cells: ArrayLike<Cell>, weights: Float64Array, from: number): number
    /** Reads one cell. False if it is not a bag. */
    look(cell: Cell, weight: number): boolean
    /** Called after the last cells of a chunk, of a stretch. */
    endChunk(): void
    endStretch(): void
    /** Words of this stretch; adds words of a stretch read elsewhere. */
    part(): WordsPart
    join(part: WordsPart): void
    readonly seen: boolean
    column(name: string): Column
  }
  /** Further passes. */
  encoder(column: Column): ColumnEncoder
  /** Codes of the words of a cell in order, −1 if unknown; of counts each once. Undefined if not a bag. */
  inOrder(column: Column, cell: Cell): number[] | undefined
  /** Drops the remembered words of an encoded column. */
  forget(column: Column): void
  /** Undefined if the cells are in the data. */
  readonly made?: MadeCells
}

/** Cells derived from other columns of the steps. */
export interface MadeCells {
  /** Their source columns, and the relative first and last step used. */
  readonly from: readonly string[]
  readonly reach: readonly [first: number, last: number]
  /** Cells of the steps of some rows; step t of row i is offsets[i] + t. `columns`: of `from`, undefined if absent. */
  cells(columns: readonly (ArrayLike<Cell> | undefined)[], offsets: Int32Array): ArrayLike<Cell>
}

/** Words of some chunks, as plain data. */
export interface WordsPart {
  readonly seen: boolean
  /** Weight of the documents. */
  readonly documents: number
  /** New words by first occurrence; their codes follow the known ones. */
  readonly words: readonly string[]
  /** Document weight by code, if documents are counted. */
  readonly counts: readonly (readonly [number, number])[]
}

/** Receives the words of a document, entries from … to − 1, each once. The caller reuses the arrays. */
export interface BagSink {
  addWords(codes: Int32Array, counts: Float64Array | Int32Array, from: number, to: number): void
}
