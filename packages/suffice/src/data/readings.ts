/** The reading of each column of bags, from the families of a model. */
import type { Use } from "../contract/columns.ts"
import type { Reading } from "../contract/door.ts"
import { allUses } from "./uses.ts"

export type Readings = ReadonlyMap<string, Reading>

export function readingsOf(uses: readonly Use[]): Readings {
  return new Map(
    allUses(uses).flatMap(({ column, need }) => (need.kind === "bag" ? [[column, need.reading]] : [])),
  )
}
