/** How the door reads cells and encodes them, in both of its passes. */
import type { Block, Encoded } from "./block.ts"
import type { Cell, Level } from "./cells.ts"
import type { Column, Need, TextOptions } from "./columns.ts"

/**
 * How cells become bags, in both passes of the door: text/reading.ts. A family over bags brings it along, so that models without bags need
 * not carry it. It holds functions only: what it depends on stands in the options of the text.
 */
export interface Reading {
  /**
   * The first pass. `known`: the column as an earlier model has it. `scaling`: where the options leave it open. `remember`: the
   * texts are in memory and come again, so that their words need not be looked for twice.
   */
  explore(
    need: Extract<Need, { kind: "bag" }>,
    known: Column | undefined,
    scaling: TextOptions["scaling"],
    remember: boolean,
  ): {
    /** Cells that are read together, from this one on, but none of weight 0: where they end. */
    run(cells: ArrayLike<Cell>, weights: Float64Array, from: number): number
    /** Of a row of this weight. False: no bag. */
    look(cell: Cell, weight: number): boolean
    readonly seen: boolean
    column(name: string): Column
  }
  /** Further passes. */
  encoder(column: Column): ColumnEncoder
  /** The column has been encoded: what was remembered of its texts can go. */
  forget(column: Column): void
}

/** How long a chunk is needed: until the next one begins, or as long as the fit lasts. */
export type Lifetime = "chunk" | "fit"

/** One column of a chunk under construction: cells come in, held cells go out. */
export interface ColumnEncoder {
  /** The next chunk, of at most `rows` rows. What was cut from one that lasts stays as it is. `numbers`: where a column of numbers goes, if given. */
  begin(rows: number, lifetime: Lifetime, numbers?: Float64Array): void
  /** Grows the capacity to `rows` rows; those already read are kept. */
  extend(rows: number): void
  /** Holds cells from … to − 1 at places at, at + 1, …; cell 0 is that of row `first`. */
  read(
    cells: ArrayLike<Cell>,
    first: number,
    from: number,
    to: number,
    at: number,
    onUnseen: UnseenListener,
  ): void
  /** So many missing cells, from this place on. */
  skip(count: number, at: number): void
  /** `numbers`: of the rows in the data. */
  cut(from: number, to: number, numbers?: Pick<Block, "first" | "numbers">): Encoded
  /** Where a block must end that begins at this row, and ends at `to` otherwise; absent: there. */
  endOf?(from: number, to: number): number
}

/** Is told of levels and words that are not in the schema. */
export interface UnseenListener {
  level(row: number, column: string, level: Level): void
  word?(row: number, column: string, word: string): void
}

/** Takes the words of a document: entries from … to − 1, each word once, in any order. The arrays are used again. */
export interface BagSink {
  addWords(codes: Int32Array, counts: Float64Array | Int32Array, from: number, to: number): void
}
