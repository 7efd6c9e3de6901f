/** What a worker on another machine does with its frames: one answer for each stretch, or for each chunk where it has only part of a stretch. */
import { CHUNK } from "../data/cut.ts"
import type { ExploredPart } from "../data/discover.ts"
import { SweepTotal } from "../engine/sweep-total.ts"
import { CHUNKS_PER_STRETCH } from "../kernels/tiered.ts"
import type { Answer } from "./answer.ts"
import { type ExploreTask, FrameExplorer } from "./explorer.ts"
import { readFrame } from "./frame.ts"
import { Sweeper, type SweepTask } from "./sweeper.ts"

/** "stretch": this worker has whole stretches. */
export type Per = "chunk" | "stretch"

/** Explores frames, which come in the order of their rows. */
export function* exploreFrames(
  task: ExploreTask,
  frames: Iterable<Uint8Array>,
  per: Per,
): Generator<ExploredPart> {
  let explorer: FrameExplorer | undefined
  let group = -1
  for (const bytes of frames) {
    const next = groupOf(firstOf(bytes), per)
    if (explorer && next !== group) {
      yield explorer.part()
      explorer = undefined
    }
    group = next
    explorer ??= new FrameExplorer(task)
    explorer.look(bytes)
  }
  if (explorer) yield explorer.part()
}

/** Sweeps frames at θ, which come in the order of their rows. */
export function* sweepFrames(
  task: SweepTask,
  params: Float64Array,
  frames: Iterable<Uint8Array>,
  per: Per,
): Generator<Answer> {
  const sweeper = new Sweeper(task)
  let sum: { chunk: number; chunks: number; rows: number; total: SweepTotal } | undefined
  const answered = ({ chunk, chunks, rows, total }: NonNullable<typeof sum>): Answer => ({
    ...{ chunk, chunks, rows },
    swept: total.ended(),
  })
  try {
    for (const bytes of frames) {
      const first = firstOf(bytes)
      if (sum && groupOf(first, per) !== groupOf(sum.chunk * CHUNK, per)) {
        yield answered(sum)
        sum = undefined
      }
      sum ??= { chunk: first / CHUNK, chunks: 0, rows: 0, total: new SweepTotal() }
      const chunk = sweeper.chunkOf(bytes)
      for (const block of chunk) sum.rows += block.rows
      sum.total.add(sweeper.sweep(chunk, params))
      sum.chunks++
    }
    if (sum) yield answered(sum)
  } finally {
    sweeper.end()
  }
}

/** The stretch or the chunk in which this row is. */
export function groupOf(first: number, per: Per): number {
  return Math.floor(first / (per === "stretch" ? CHUNK * CHUNKS_PER_STRETCH : CHUNK))
}

function firstOf(bytes: Uint8Array): number {
  return readFrame(bytes, []).first
}
