/** The columns that a model reads from the data. */
import type { Use } from "../contract/columns.ts"

/** The uses of columns that are in the data; those of steps follow the column that contains them. */
export function allUses(uses: readonly Use[]): Use[] {
  return uses
    .filter(({ role }) => role !== "hidden")
    .flatMap(use => (use.need.kind === "steps" ? [use, ...allUses(use.need.uses)] : [use]))
}
