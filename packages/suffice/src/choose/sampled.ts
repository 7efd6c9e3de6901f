/** Data to choose on: as it is where it is small, else rows drawn from it by seed, each with the same chance. */
import type { Row } from "../contract/cells.ts"
import { type Batch, type Data, isSource, slices } from "../data/read.ts"
import { dice } from "../random.ts"
import { MOST, some } from "./stages.ts"

/** Of a source one pass is read: the first rows are kept, later ones take the place of one of them (Vitter 1985, algorithm R). */
export async function sampled(data: Data, seed: number, signal?: AbortSignal): Promise<Batch> {
  if (!isSource(data)) return some(data, MOST, seed)
  const roll = dice(seed)
  const kept: { readonly place: number; readonly row: Row }[] = []
  for await (const slice of slices(data, signal)) {
    const names = slice.names()
    const columns = names.map(name => slice.cells(name))
    for (let i = 0; i < slice.rows; i++) {
      const place = slice.first + i
      const at = place < MOST ? place : roll.integer(place + 1)
      if (at >= MOST) continue
      const cells = names.map((name, c) => [name, columns[c]?.[i]] as const)
      kept[at] = { place, row: Object.fromEntries(cells) }
    }
  }
  return kept.sort((a, b) => a.place - b.place).map(({ row }) => row)
}
