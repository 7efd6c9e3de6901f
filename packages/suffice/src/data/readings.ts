/** How the cells of bags are read, by column: as the families of a model say. */
import type { Reading, Use } from "../contract.ts"

export type Readings = ReadonlyMap<string, Reading>

export function readingsOf(uses: readonly Use[]): Readings {
  return new Map(uses.flatMap(({ column, need }) => (need.kind === "bag" ? [[column, need.reading]] : [])))
}
