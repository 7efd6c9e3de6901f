/** Topics have the same bits whoever sweeps, wherever the documents are, and whether or not learning was interrupted. */
import { describe, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import { classes, em, type FitOptions, fit, type Learner, topics } from "../index.ts"
import { onlineEm, sdem } from "../learn.ts"
import { planted } from "./testing/planted.ts"

// more than one chunk, so that threads share them; of a few words each
const rows = planted(9000).map(({ label, words }) => ({ label, words: words.split(" ").slice(0, 4) }))
const model = topics(3, "words") as unknown as Model
/** Batches that can be read again. */
const source = {
  async *[Symbol.asyncIterator]() {
    for (let at = 0; at < rows.length; at += 700) yield rows.slice(at, at + 700)
  },
}
const saved = async (asked: Model, data: unknown, options: FitOptions): Promise<string> =>
  JSON.stringify(await fit(asked, data as never, { seed: 2, ...options }))

test.each<[string, Model, Learner]>([
  ["EM", model, em({ maxIterations: 3 })],
  ["online EM", model, onlineEm({ epochs: 2 })],
  [
    "shared topics by NCLL",
    classes("label", topics(0, "words", { shared: 3 })) as Model,
    sdem({ epochs: 2 }),
  ],
])("one thread or two, in memory or from a source: %s", async (_, asked, learner) => {
  const alone = await saved(asked, rows, { learner, threads: 1 })
  expect(await saved(asked, rows, { learner, threads: 2 })).toBe(alone)
  expect(await saved(asked, source, { learner, threads: 1 })).toBe(alone)
  expect(await saved(asked, source, { learner, threads: 2, spill: false })).toBe(alone)
})

describe("killed after a checkpoint, and gone on", () => {
  const few = planted(100)
  test.each<[string, Model, Learner, every?: number]>([
    // the last pass, which has none after it, too
    ["EM, in its passes and in its sweeps", model, em({ maxIterations: 3 }), 1],
    ["online EM", model, onlineEm({ epochs: 6 })],
    [
      "own and shared topics by NCLL",
      classes("label", topics(1, "words", { shared: 2 })) as Model,
      sdem({ epochs: 6 }),
    ],
    ["hinge", classes("label", topics(2, "words")) as Model, sdem({ loss: "hinge", epochs: 6 })],
  ])("%s", async (_, asked, learner, every = 6) => {
    const all: Uint8Array[] = []
    const write = (bytes: Uint8Array): void => void all.push(bytes)
    const whole = await saved(asked, few, { learner, checkpoint: { read: () => undefined, write } })
    expect(all.length).toBeGreaterThanOrEqual(6)
    const some = all.filter((_, k) => k % every === 0 || k >= all.length - 3)
    for (const bytes of some) {
      const checkpoint = { read: () => bytes, write: () => undefined }
      expect(await saved(asked, few, { learner, checkpoint })).toBe(whole)
    }
  })
})

test("a stream of documents, cut off after a checkpoint, goes on from the row after it", async () => {
  const learner = onlineEm({ warmup: 500 })
  async function* from(row: number) {
    for (let at = row; at < rows.length; at += 250) yield rows.slice(at, at + 250)
  }
  const whole = await saved(model, from(0), { learner })
  let kept: { bytes: Uint8Array; rows: number } | undefined
  const checkpoint = {
    read: () => kept?.bytes,
    write(bytes: Uint8Array, received: number) {
      kept ??= { bytes, rows: received }
    },
  }
  const power = new AbortController()
  const onStep = (): void => power.abort(new Error("the power is gone"))
  const cut = saved(model, from(0), { learner, checkpoint, signal: power.signal, onStep })
  await expect(cut).rejects.toThrow("the power is gone")
  expect(kept!.rows).toBeLessThan(rows.length)
  expect(await saved(model, from(kept!.rows), { learner, checkpoint })).toBe(whole)
})
