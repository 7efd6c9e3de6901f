/** `npm run bench:spark -- driver`: the driver of 10⁹ rows, fed with what 10⁹ rows would answer: one stretch of 524,288 rows is explored and swept here, and stands for all 1,908. */
import { dice, em, fit, gaussian, independent, mixture } from "suffice"
import {
  CHUNK,
  CHUNKS_PER_STRETCH,
  exploreFrames,
  packAnswer,
  packData,
  packFrame,
  REMOTE,
  type RemoteTable,
  readAnswer,
  readData,
  readFrame,
  Sweeper,
  sweepFrames,
} from "suffice/worker"

const STRETCHES = 1908
const COLUMNS = 8

export async function driver(): Promise<void> {
  const names = Array.from({ length: COLUMNS }, (_, j) => `x${j}`)
  const roll = dice(1)
  const frames = Array.from({ length: CHUNKS_PER_STRETCH }, (_, chunk) => {
    const columns = Object.fromEntries(names.map(name => [name, new Float64Array(CHUNK)]))
    for (let i = 0; i < CHUNK; i++) {
      const cluster = roll.integer(6)
      for (let j = 0; j < COLUMNS; j++) columns[names[j]][i] = ((cluster * (j + 3)) % 7) + roll.uniform()
    }
    return packFrame({ first: chunk * CHUNK, rows: CHUNK, columns })
  })
  const cpu = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  let elsewhere = 0
  let heard = 0
  /** What workers would do is not the driver's time. */
  const there = <T>(work: () => T): T => {
    const began = cpu()
    const made = work()
    elsewhere += cpu() - began
    return made
  }
  const rows: RemoteTable = {
    async *[Symbol.asyncIterator]() {
      for (const frame of frames) yield readFrame(frame).columns
    },
    [REMOTE]: {
      async *explore(task) {
        const text = there(() => packData([...exploreFrames(task, frames, "stretch")][0]))
        for (let s = 0; s < STRETCHES; s++) {
          heard += (text.length * 4) / 3
          const part = readData<{ first: number }>(text)!
          yield { ...part, first: s * CHUNKS_PER_STRETCH * CHUNK } as never
        }
      },
      async *sweep(task, params) {
        const answer = there(() => [...sweepFrames(task, params, frames, "stretch")][0])
        for (let s = 0; s < STRETCHES; s++) {
          // as it comes from Spark: base64, with its digest
          const line = there(() =>
            Buffer.from(packAnswer({ ...answer, chunk: s * CHUNKS_PER_STRETCH })).toString("base64"),
          )
          heard += line.length
          yield readAnswer(Buffer.from(line, "base64"))
        }
      },
      async pick(task, ranks) {
        const sweeper = new Sweeper(task)
        return [...ranks].map(([chunk, own]) =>
          sweeper.pick(sweeper.chunkOf(frames[chunk % frames.length]), own),
        )
      },
    },
  }
  const model = mixture(6, independent(Object.fromEntries(names.map(name => [name, gaussian()]))))
  let before = cpu()
  let bytes = 0
  const fitted = await fit(model, rows as never, {
    learner: em({ maxIterations: 3, tolerance: 0 }),
    onStep({ iteration }) {
      const seconds = cpu() - before - elsewhere
      console.log(
        JSON.stringify({
          iteration,
          driverSeconds: seconds,
          bytes: heard - bytes,
          rss: process.memoryUsage.rss(),
        }),
      )
      before = cpu()
      elsewhere = 0
      bytes = heard
    },
  })
  console.log(JSON.stringify({ rows: fitted.training?.rows, peak: process.resourceUsage().maxRSS * 1024 }))
}
