/** The chunks of a table, before the learner gets them: all at once, or the first ones to look at. */
import type { Chunk } from "../contract/block.ts"
import type { Discovery } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import type { Data } from "../data/read.ts"
import type { Weighting } from "../data/weigh.ts"
import type { FitRequest } from "./publish.ts"

/** Data in memory is encoded once; a source is read and encoded again for each sweep. */
export async function encodeAll(
  { schema, rows }: Discovery,
  data: Data,
  weighting: Weighting,
  { signal, onRows }: Pick<FitRequest<unknown, string>, "signal" | "onRows">,
): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of encodeForLearning(schema, data, weighting, rows, signal)) {
    chunks.push(chunk)
    onRows?.(chunk.reduce((sum, block) => sum + block.rows, 0))
  }
  return chunks
}

export async function* startingWith(
  read: readonly Chunk[],
  rest: AsyncIterator<Chunk>,
): AsyncGenerator<Chunk> {
  yield* read
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** The chunks up to the first that has rows; `stay`: the generator goes on from there. */
export async function firstOf(
  chunks: Iterable<Chunk> | AsyncGenerator<Chunk>,
  stay: boolean,
): Promise<Chunk[]> {
  const read: Chunk[] = []
  if (!(Symbol.asyncIterator in chunks)) {
    for (const chunk of chunks) if (read.push(chunk) && chunk.length > 0) break
    return read
  }
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    read.push(next.value)
    if (next.value.length > 0) break
  }
  if (!stay) await chunks.return(undefined)
  return read
}
