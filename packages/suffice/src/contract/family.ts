/**
 * A family: a kind of distribution over one or several columns, from the exponential family.
 *
 *     p(x | θ) = h · exp( θ·s(x) − A(θ) )        η = E[s | θ]
 */
import type { Cell, Level } from "./cells.ts"
import type { Column, Need, Stem } from "./columns.ts"
import type { Dice } from "./dice.ts"
import type { Leaf } from "./leaf.ts"
import type { Description } from "./report.ts"

/** A kind of distribution over one or several columns, given those it reads; `Value` is the type of its cells. */
export interface Family<Value = unknown> {
  readonly name: string
  /** What saving writes down and loading hands back to the maker. */
  readonly options: Description
  readonly need: Need
  readonly measure: "density" | "mass"
  /** Columns that it conditions on: p(cells | reads). It reads them as it needs its own, and does not model them. */
  readonly reads?: readonly string[]
  /** Fix the columns (and their places in a block), those it reads after its own, and the number of slots. */
  bind(columns: readonly Column[], places: readonly number[], slots: number): Leaf
  /** Only for the compiler: the type of a cell. */
  readonly cell?: Value
}

/** What a file cannot hold, by name. */
export interface Given {
  readonly stemmers?: Readonly<Record<string, Stem>> | undefined
}

/** How a family presents itself to saving, `auto()` and the laws: one entry of the list of families. */
export interface FamilyKind {
  readonly name: string
  /** The family with these options; throws on options it does not know. `given`: functions that options name. */
  make(options: Description, given?: Given): Family
  /** Would this family suit the column? If so, the reason. The first kind of the list that says so is chosen. */
  suits?(summary: ColumnSummary): string | undefined
  /** For the laws: options to try, and a random cell that lies in the support. */
  readonly specimens: readonly {
    readonly options: Description
    /** `read`: the cells of the columns it reads. */
    cell(dice: Dice, read: readonly number[]): Cell
  }[]
}

/** What `auto()` saw of one column. */
export interface ColumnSummary {
  readonly name: string
  readonly rows: number
  readonly missing: number
  readonly numbers: number
  readonly integers: number
  readonly negatives: number
  /** Of the numbers; ±Infinity where there are none. */
  readonly smallest: number
  readonly largest: number
  /** Of the numbers; NaN where there are none. */
  readonly mean: number
  readonly variance: number
  readonly booleans: number
  readonly strings: number
  /** Strings that hold white space, and cells that are word lists or word counts. */
  readonly texts: number
  readonly bags: number
  /** Distinct values (counting stops at the cap). */
  readonly distinct: number
}

/** A function of the row in which a log-density can be linear. "count": how often a word occurs. "word": 1 if it does. */
export type Feature =
  | { readonly kind: "1" }
  | { readonly kind: "x" | "x²"; readonly column: string }
  | { readonly kind: "xy"; readonly column: string; readonly other: string }
  | { readonly kind: "level"; readonly column: string; readonly level: Level }
  | { readonly kind: "count" | "word"; readonly column: string; readonly word: string }

export type Weighted = readonly [feature: Feature, weight: number]
