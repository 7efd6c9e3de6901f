/** Checks that a structure or family adds to every model that contains it. */
import type { SwitchNode } from "./node.ts"
import type { Part } from "./part.ts"
import type { Diagnostic } from "./report.ts"

/** A check, shared by all models: each runs once per fit, however often it was added. */
export interface Notice {
  /** After the first pass over a table: throws, or returns diagnostics. */
  data?(model: LaidParts, totals: Totals): readonly Diagnostic[]
  /** At the end of a run; `stats` in counts. */
  statistics?(parts: readonly Part[], stats: Float64Array): readonly Diagnostic[]
}

export interface LaidParts {
  readonly parts: readonly Part[]
  readonly switches: readonly SwitchNode[]
}

/** The size of the data. */
export interface Totals {
  readonly rows: number
  /** Number of steps, by the column of steps. */
  readonly steps: Readonly<Record<string, number>>
  /** True if the estimates depend on these rows alone: no update, no posterior. */
  readonly isOnlyEvidence: boolean
}
