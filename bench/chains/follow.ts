/** A series that is followed step by step: how fast, and what a step allocates. Run by itself (speed.ts bundles it), with --expose-gc. */
import { chain, em, fit, gaussian, independent, type Model } from "suffice"
import { series } from "./series.ts"

export interface Pushed {
  /** Steps per second of processor time. */
  readonly rate: number
  /** Allocated by a push, less what its answer takes. */
  readonly bytes: number
}

/** In a process of its own, whose young generation no round fills: what the heap grows by is what was allocated. */
async function pushedHere(): Promise<Pushed> {
  const model = chain(8, independent({ a: gaussian() })) as unknown as Model
  const { a } = series(20_000)
  const fitted = await fit(model, [{ steps: { a } }] as never, {
    learner: em({ maxIterations: 3 }),
    threads: 1,
  })
  const live = fitted.follow()
  const rows = Array.from(a, value => ({ a: value }))
  const round = () => {
    for (const row of rows) live.push(row as never)
  }
  round()
  const began = process.cpuUsage()
  for (let n = 0; n < 10; n++) round()
  const { user, system } = process.cpuUsage(began)
  const rate = (10 * rows.length * 1e6) / (user + system)
  const grown = (done: () => void): number => {
    globalThis.gc?.()
    const before = process.memoryUsage()
    done()
    const after = process.memoryUsage()
    return (after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers) / rows.length
  }
  const answers = new Array<unknown>(rows.length).fill(undefined)
  const least = (of: () => number) => Math.min(of(), of(), of())
  const all = least(() => grown(round))
  const answer = least(() => {
    answers.fill(undefined)
    return grown(() => {
      for (const [t, row] of rows.entries()) answers[t] = live.push(row as never)
      globalThis.gc?.()
    })
  })
  return { rate, bytes: all - answer }
}

console.log(JSON.stringify(await pushedHere()))
