/**
 * A family: a kind of distribution over one or several columns, from the exponential family.
 *
 *     p(x | θ) = h · exp( θ·s(x) − A(θ) )        η = E[s | θ]
 */
import type { Cell } from "./cells.ts"
import type { Column, ColumnSummary, Need, Stem } from "./columns.ts"
import type { Dice } from "./dice.ts"
import type { Leaf } from "./leaf.ts"
import type { Description } from "./report.ts"

/** p(cells | reads; θ), not bound to columns yet. `Value` is the type of its cells. */
export interface Family<Value = unknown> {
  readonly name: string
  /** What saving writes, and loading passes to FamilyKind.make. */
  readonly options: Description
  readonly need: Need
  readonly measure: "density" | "mass"
  /** Something hides inside its leaf: the score is the maximum over it or a bound, not the log-density of what is seen. */
  readonly hides?: true
  /** The columns it conditions on and does not model. They are encoded by the same `need`. */
  readonly reads?: readonly string[]
  /** The options of the linear regression that it becomes in a network, given parents that are numbers; absent: it cannot depend on any. */
  readonly regression?: Description
  /** True if its prior has the mean of all rows, but not all their statistics: the first pass does not sum these. */
  readonly meanPrior?: true
  /** The leaf for these columns, which are found at `places` in a block, those it reads after its own, with `slots` parameter sets. */
  bind(columns: readonly Column[], places: readonly number[], slots: number): Leaf
  /** Only for the compiler: the type of a cell. */
  readonly cell?: Value
}

/** One entry of the list of families: how saving, `auto()` and the laws know a family. */
export interface FamilyKind {
  readonly name: string
  /** The family with these options; throws on options it does not know. `given`: the functions that options name. */
  make(options: Description, given?: Given): Family
  /** Why this family suits the column, or undefined if it does not. `auto()` takes the first kind in the list that gives a reason. */
  suits?(summary: ColumnSummary): string | undefined
  /** For the laws: options to try, and a random cell in the support. */
  readonly specimens: readonly {
    readonly options: Description
    /** `read`: the cells of the columns it reads. */
    cell(dice: Dice, read: readonly number[]): Cell
  }[]
}

/** Functions that a saved model refers to by name, and that the caller gives when it is loaded. */
export interface Given {
  readonly stemmers?: Readonly<Record<string, Stem>> | undefined
}
