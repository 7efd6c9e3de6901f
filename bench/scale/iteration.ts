/** Seconds of one EM iteration: the time between two steps, the median after warm-up. */
import { em, type Model } from "suffice"
import { learn } from "suffice/learn"
import { median } from "../page.ts"

const ITERATIONS = 12

export async function iteration(model: unknown, data: unknown): Promise<number> {
  const times: number[] = []
  // a run that ends early is repeated
  while (times.length < ITERATIONS) {
    const learner = em({ maxIterations: ITERATIONS, tolerance: 0 })
    let last = Number.NaN
    for await (const _ of learn(model as Model, data as never, { learner, threads: 1 })) {
      const now = performance.now()
      if (last === last) times.push((now - last) / 1000)
      last = now
    }
  }
  return median(times.slice(times.length / 2))
}
