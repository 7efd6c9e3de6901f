/** Cells that the door makes of other columns of the steps: lagged ones, and those of a window. */
import { isLagged, lagOf } from "../blocks/lags.ts"
import type { Cell } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { MadeCells } from "../contract/door.ts"
import type { Schema } from "./discover.ts"

/** How the cells of a column of steps are made, if they are; `made`: by the reading of a bag. */
export function madeOf(name: string, made: MadeCells | undefined): MadeCells | undefined {
  return made ?? (isLagged(name) ? lagged(name) : undefined)
}

/** The columns of steps that should be in the data, instead of those that are made of them. */
export function sourcesOf(columns: readonly Column[], { readings }: Pick<Schema, "readings">): Set<string> {
  return new Set(columns.flatMap(({ name }) => madeOf(name, readings.get(name)?.made)?.from ?? [name]))
}

function lagged(name: string): MadeCells {
  const { of, at } = lagOf(name)!
  return {
    from: [of],
    reach: [at, 0],
    cells([cells], offsets) {
      const steps = offsets[offsets.length - 1]
      const made =
        cells instanceof Float64Array ? new Float64Array(steps).fill(Number.NaN) : new Array<Cell>(steps)
      for (let i = 0; i + 1 < offsets.length; i++)
        for (let t = offsets[i] - at; t < offsets[i + 1]; t++) made[t] = cells![t + at]
      return made
    },
  }
}
