/** Runs of EM with passes before them: every checkpoint resumes to the same model. */
import { describe, expect, test } from "vitest"
import { dice, em, fit, gaussian, independent, mixture, topics } from "../index.ts"

const rng = dice(5)
const rows = Array.from({ length: 120 }, (_, i) => {
  const k = i % 3
  return {
    x: k + rng.normal(),
    t: Array.from(
      { length: 8 + rng.integer(8) },
      () => `w${rng.integer(4) === 0 ? rng.integer(30) : k * 10 + rng.integer(10)}`,
    ),
  }
})

/** The model, and those resumed from every `stride`-th checkpoint and the last. */
async function resumedFits(model: never, restarts: number, stride: number): Promise<[string, string[]]> {
  const options = { seed: 3, learner: em({ maxIterations: 3, restarts }) }
  const written: Uint8Array[] = []
  const record = { read: () => undefined, write: (bytes: Uint8Array) => void written.push(bytes.slice()) }
  const whole = JSON.stringify(await fit(model, rows as never, { ...options, checkpoint: record }))
  const resumed: string[] = []
  for (const [i, bytes] of written.entries()) {
    if (i % stride !== 0 && i !== written.length - 1) continue
    const checkpoint = { read: () => bytes, write: () => undefined }
    resumed.push(JSON.stringify(await fit(model, rows as never, { ...options, checkpoint })))
  }
  return [whole, resumed]
}

describe("a fit resumed from a checkpoint", () => {
  test("has the same model, in the passes of every restart", async () => {
    // the variances of x make the prior relative to V, which only the first run computes
    const model = independent(topics(3, "t"), mixture(2, independent({ x: gaussian() })))
    const [whole, resumed] = await resumedFits(model as never, 1, 6)
    expect(resumed).toHaveLength(12)
    expect(resumed.filter(json => json === whole)).toHaveLength(12)
  })
})
