import { expect, test } from "vitest"
import { judge } from "../answers/judge.ts"
import { CHUNK } from "../data/cut.ts"
import { slicesOf } from "../data/read.ts"
import { packData, readData } from "../frames/crossing.ts"
import { type JudgedPart, type JudgeTask, REMOTE } from "../frames/remote.ts"
import { RowsOfChunk } from "../frames/spill.ts"
import { classes, fit, gaussian, independent } from "../index.ts"
import { Running } from "../measure/running.ts"
import { evaluate, evaluateSource } from "../measure.ts"
import { dice } from "../random.ts"
import { judgeFrames, predictFrames } from "./answer-frames.ts"

const roll = dice(7)
const rows = Array.from({ length: 2 * CHUNK + 500 }, (_, i) => {
  const y = roll.integer(3)
  return {
    y: i % 97 === 5 ? null : i === CHUNK + 3 ? "oak" : ["ash", "birch", "cedar"][y],
    x: i % 50 === 3 ? null : 1.5 * y + roll.normal(),
    w: roll.integer(4) / 2,
  }
})
const model = classes("y", independent({ x: gaussian() }))
const fitted = await fit(model, rows.filter(({ y }) => y !== "oak").slice(0, 3000) as never)
const frames: Uint8Array[] = []
const chunk = new RowsOfChunk(["y", "x", "w"])
for (const slice of slicesOf(rows as never, 0)) {
  chunk.add(slice)
  if (chunk.rows === CHUNK || slice.first + slice.rows === rows.length) frames.push(chunk.pack())
}
type Change = (parts: (JudgedPart | undefined)[]) => (JudgedPart | undefined)[]

/** A table that is measured elsewhere. */
const elsewhere = (change: Change = parts => parts) => ({
  [Symbol.asyncIterator](): never {
    throw new Error("the rows are not read here")
  },
  [REMOTE]: {
    rows: rows.length,
    async *judge(task: JudgeTask) {
      const own = readData<JudgeTask>(packData(task))!
      const parts = [
        ...judgeFrames(own, frames.slice(1), "chunk"),
        ...judgeFrames(own, frames.slice(0, 1), "stretch"),
      ]
      yield* change(parts.map(part => readData<JudgedPart>(packData(part))))
    },
  },
})

test.each([{}, { weight: "w", curves: true }, { target: "x" }, { target: "x", weight: "w" }])(
  "a table elsewhere is measured there, to the last digit of rows in memory: %o",
  async options => {
    expect(await evaluateSource(fitted, elsewhere() as never, options)).toEqual(
      evaluate(fitted, rows as never, options as never),
    )
  },
)

test("a measure that is not whole is refused", async () => {
  const said = (change: Change): Promise<string> =>
    evaluateSource(fitted, elsewhere(change) as never).then(
      () => "nothing was refused",
      error => error.message.replace(/\. Statistics that lack rows.*$/, ""),
    )
  expect([
    await said(parts => parts.slice(1)),
    await said(parts => parts.slice(0, -1)),
    await said(parts => [...parts, parts[0]]),
    await said(parts => [undefined, ...parts]),
  ]).toMatchInlineSnapshot(`
    [
      "the sweep is refused: chunk 1 was not answered",
      "the sweep is refused: chunk 0 was not answered",
      "the sweep is refused: chunk 1 was answered twice",
      "the sweep is refused: a part of the measures cannot be read: it was changed, or cut short",
    ]
  `)
})

test("sums of parts are the sums of all, where not all answers are kept", () => {
  const judged = (from: number, to: number, target: string) =>
    judge("test", fitted as never, rows.slice(from, to) as never, { target, weight: "w", partial: true })
  for (const target of ["y", "x"]) {
    const whole = new Running(dice(1), 1000)
    const parts = new Running(dice(1), 1000)
    for (let from = 0; from < rows.length; from += 700) {
      const part = new Running(dice(from), 1000, 1 / 8)
      part.add(judged(from, from + 700, target))
      parts.join(readData(packData(part.part()))!)
      whole.add(judged(from, from + 700, target))
    }
    const [a, b] = [parts.evaluation({}), whole.evaluation({})].map(
      found => ({ ...found }) as unknown as Record<string, number>,
    )
    expect([a.rows, a.skipped]).toEqual([b.rows, b.skipped])
    for (const name of target === "y"
      ? ["accuracy", "brier", "macroF1"]
      : ["rmse", "mae", "r2", "coverage", "logDensity"])
      expect(a[name]).toBeCloseTo(b[name], 10)
    expect(a.sampled ?? 1000).toBeLessThanOrEqual(1000)
  }
})

test("rows of frames are predicted as rows in memory", () => {
  const saved = fitted.toJSON()
  const levels = [...predictFrames({ model: saved, options: {} }, frames)]
  const here = fitted.predict(rows as never) as { value: string; probability: number }[]
  expect(levels.length).toBe(rows.length)
  expect(levels.map(({ row, value, probability }) => [row, value, probability])).toEqual(
    here.map(({ value, probability }, row) => [row, value, probability]),
  )
  const numbers = [
    ...predictFrames({ model: saved, options: { target: "x", coverage: 0.5 } }, frames.slice(0, 1)),
  ]
  const [first] = fitted.predict(
    rows.slice(0, 1) as never,
    { target: "x", coverage: 0.5 } as never,
  ) as unknown as {
    value: number
    sd: number
    interval: number[]
  }[]
  expect(numbers[0]).toEqual({
    row: 0,
    value: first.value,
    sd: first.sd,
    low: first.interval[0],
    high: first.interval[1],
  })
})
