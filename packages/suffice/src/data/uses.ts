/** What a model asks the door for. */
import type { Use } from "../contract/columns.ts"

/** The uses of columns that stand in the data, those of steps behind the one they stand in. */
export function allUses(uses: readonly Use[]): Use[] {
  return uses
    .filter(({ role }) => role !== "hidden")
    .flatMap(use => (use.need.kind === "steps" ? [use, ...allUses(use.need.uses)] : [use]))
}
