/** A table on several machines that are all this process: what they are given and what they answer is what would cross. */
import {
  CHUNK,
  exploreFrames,
  learnFrames,
  packFrame,
  REMOTE,
  type RemoteTable,
  readFrame,
  Sweeper,
  sweepFrames,
} from "suffice/worker"

export function onMachines(
  rows: readonly Readonly<Record<string, unknown>>[],
  machines: number,
): RemoteTable {
  const frames: Uint8Array[] = []
  const share = (m: number): Uint8Array[] =>
    frames.filter((_, chunk) => Math.floor((chunk * machines) / frames.length) === m)
  return {
    async *[Symbol.asyncIterator]() {
      for (const frame of frames) yield readFrame(frame).columns
    },
    [REMOTE]: {
      async *explore(task, columns) {
        frames.length = 0
        for (let first = 0; first < rows.length; first += CHUNK) {
          const some = rows.slice(first, first + CHUNK)
          const cells = Object.fromEntries(columns.map(name => [name, some.map(row => row[name] ?? null)]))
          frames.push(packFrame({ first, rows: some.length, columns: cells as never }))
        }
        yield* exploreFrames(task, frames, "chunk")
      },
      async *sweep(task, params) {
        yield* sweepFrames(task, params, frames, "chunk")
      },
      async pick(task, ranks) {
        const sweeper = new Sweeper(task)
        return [...ranks].map(([chunk, own]) => sweeper.pick(sweeper.chunkOf(frames[chunk]), own))
      },
      async *round(task) {
        for (let m = 0; m < machines; m++) yield await learnFrames({ ...task, machines } as never, share(m))
      },
    },
  }
}
