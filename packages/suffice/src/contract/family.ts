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

/** p(cells | reads; θ), unbound. `Value`: type of its cells. */
export interface Family<Value = unknown> {
  readonly name: string
  /** Saved options, passed to FamilyKind.make. */
  readonly options: Description
  readonly need: Need
  readonly measure: "density" | "mass"
  /** True if the family has latent variables; `score` returns a maximum or a lower bound. */
  readonly hasLatents?: true
  /** Columns it conditions on, encoded by the same `need`. */
  readonly reads?: readonly string[]
  /** The options of the linear regression that it becomes in a network, given parents that are numbers; absent: it cannot depend on any. */
  readonly regression?: Description
  /** True if its prior has the mean of all rows, but not all their statistics: the first pass does not sum these. */
  readonly meanPrior?: true
  /** The leaf for these columns at `places` in a block, conditioning columns last, with `slots` parameter sets. */
  bind(columns: readonly Column[], places: readonly number[], slots: number): Leaf
  /** Only for the compiler: the type of a cell. */
  readonly cell?: Value
}

/** Entry of the list of families, for saving, `auto()` and the laws. */
export interface FamilyKind {
  readonly name: string
  /** The family with these options; throws on unknown ones. `given`: functions named by options. */
  make(options: Description, given?: Given): Family
  /** Reason why the family suits the column, or undefined. `auto()` takes the first kind with a reason. */
  suits?(summary: ColumnSummary): string | undefined
  /** For the laws: options to try, and a random cell in the support. */
  readonly specimens: readonly {
    readonly options: Description
    /** `read`: the cells of the columns it reads. */
    cell(dice: Dice, read: readonly number[]): Cell
  }[]
}

/** Functions that a saved model refers to by name. */
export interface Given {
  readonly stemmers?: Readonly<Record<string, Stem>> | undefined
}
