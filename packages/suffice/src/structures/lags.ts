/** Columns of earlier steps, by their names: x@-1 may be read, and nothing else. */
import { lagOf } from "../blocks/lags.ts"
import type { Use } from "../contract/columns.ts"
import { SufficeError, show } from "../errors.ts"

/** Refuses what lies ahead, and lagged columns that are modelled. `uses`: those of the steps. */
export function checkLags(where: string, uses: readonly Use[]): void {
  for (const { column, role } of uses) {
    const lag = lagOf(column)
    if (!lag) continue
    if (lag.at >= 0) {
      throw new SufficeError(
        "model",
        `${where}: ${show(column)} is the cell of ${show(lag.of)} ${lag.at === 0 ? "in the same step" : `${lag.at} ${lag.at === 1 ? "step" : "steps"} ahead, the future`}. A step depends on those before it. Read ${show(`${lag.of}@-${lag.at || 1}`)}, or ${show(lag.of)} itself.`,
        { column },
      )
    }
    if (role !== "read") {
      throw new SufficeError(
        "model",
        `${where}: ${show(column)} is the cell of ${show(lag.of)} in an earlier step, where it is modelled already. It can only be read. Write for example linear(${show(lag.of)}, [${show(column)}]).`,
        { column },
      )
    }
  }
}
