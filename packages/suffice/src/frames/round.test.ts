import { describe, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import { CHUNK } from "../data/cut.ts"
import { slicesOf } from "../data/read.ts"
import { bernoulli, classes, em, fit, gaussian, independent, mixture, multinomial } from "../index.ts"
import { onlineEm, sdem } from "../learn.ts"
import { evaluate } from "../measure.ts"
import { dice } from "../random.ts"
import { readFrame } from "./frame.ts"
import { REMOTE, type RemoteTable } from "./remote.ts"
import { learnFrames, type RoundAnswer } from "./round.ts"
import { RowsOfChunk } from "./spill.ts"
import { Sweeper } from "./sweeper.ts"
import { exploreFrames, sweepFrames } from "./work.ts"

type Fault = (answers: RoundAnswer[]) => RoundAnswer[]

/** A table on several machines, which are given structured data alone. */
function onMachines(rows: readonly object[], machines: number, fault: Fault = answers => answers) {
  let frames: Uint8Array[] = []
  const shares = (): Uint8Array[][] => {
    const size = Math.ceil(frames.length / machines)
    return Array.from({ length: machines }, (_, m) => frames.slice(m * size, (m + 1) * size))
  }
  const table: RemoteTable = {
    async *[Symbol.asyncIterator]() {
      for (const frame of frames) yield readFrame(frame).columns
    },
    [REMOTE]: {
      async *explore(task, columns) {
        const chunk = new RowsOfChunk(columns)
        frames = []
        for (const slice of slicesOf(rows as never, 0)) {
          chunk.add(slice)
          if ((slice.first + slice.rows) % CHUNK === 0) frames.push(chunk.pack())
        }
        if (chunk.rows > 0) frames.push(chunk.pack())
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
        const answers: RoundAnswer[] = []
        // who answers first does not matter
        for (const share of shares().reverse())
          answers.push(structuredClone(await learnFrames(structuredClone({ ...task, machines }), share)))
        yield* fault(answers)
      },
    },
  }
  return table
}

const roll = dice(4)
/** Two classes that overlap: noisy words, and numbers whose variance differs. */
const row = (i: number) => ({
  y: i % 2 === 0 ? "a" : "b",
  x: (i % 2) * 1.2 + (1 + (i % 2)) * roll.normal(),
  z: roll.uniform() < 0.3 + 0.3 * (i % 2),
  text: Array.from(
    { length: 6 },
    () => `w${roll.integer(12) + (roll.uniform() < 0.2 ? 6 * (i % 2) : 0)}`,
  ).join(" "),
})
const rows = Array.from({ length: 4 * CHUNK - 3000 }, (_, i) => row(i))
const fresh = Array.from({ length: 8000 }, (_, i) => row(i))
const numbers = independent({ x: gaussian(), z: bernoulli() })

test.each([1, 2, 4])(
  "with ρ = 1/t on complete rows, one round on %i machines is counting",
  async machines => {
    const model = classes("y", numbers) as Model
    const learner = onlineEm({ epochs: 1, stepSize: { kind: "average" }, average: false })
    const counted = await fit(model, rows as never, { learner: em() })
    const round = await fit(model, onMachines(rows, machines) as never, { learner })
    const [a, b] = [counted.posterior(fresh as never), round.posterior(fresh as never)].map(
      ({ probabilities }) => probabilities,
    )
    const apart = Math.max(...a.map((value, j) => Math.abs(value - b[j])))
    expect(apart).toBeLessThan(1e-9)
  },
)

describe("rounds lose little beside one machine", () => {
  test.each([
    ["sdem, numbers", classes("y", numbers) as Model, sdem({ epochs: 4 })],
    ["sdem, words", classes("y", independent({ text: multinomial() })) as Model, sdem({ epochs: 4 })],
    ["onlineEm, hidden groups", classes("y", mixture(2, numbers)) as Model, onlineEm({ epochs: 4 })],
  ])("%s", async (_, model, learner) => {
    const lossOf = async (data: unknown): Promise<number> => {
      const fitted = await fit(model, data as never, { learner })
      return (evaluate(fitted as never, fresh as never) as { logLoss: number }).logLoss
    }
    const here = await lossOf(rows)
    const there = [await lossOf(onMachines(rows, 1)), await lossOf(onMachines(rows, 4))]
    for (const loss of there) expect(Math.abs(loss - here)).toBeLessThan(0.001)
  })
})

const said = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "nothing was refused",
    error => `${error.code}: ${error.message}`,
  )
const few = rows.slice(0, CHUNK + 100)

test("a round that is not whole is refused", async () => {
  const model = mixture(2, numbers) as Model
  const learner = onlineEm({ epochs: 1 })
  const refused = (fault: Fault): Promise<string> =>
    said(fit(model, onMachines(few, 2, fault) as never, { learner }))
  const change =
    (own: Partial<RoundAnswer>): Fault =>
    ([first, ...rest]) => [{ ...first, ...own }, ...rest]
  const all = [
    await refused(answers => answers.slice(1)),
    await refused(answers => [...answers, answers[0]]),
    await refused(change({ chunks: [[1, 99]] })),
    await refused(([first, ...rest]) => [{ ...first, chunks: [...first.chunks, [7, 3]] }, ...rest]),
  ]
  expect(all.map(text => text.replace(/\. Statistics that lack rows.*$/, ""))).toMatchInlineSnapshot(`
    [
      "threads: the sweep is refused: chunk 1 of 2 was not answered",
      "threads: the sweep is refused: chunk 1 was answered twice",
      "threads: the sweep is refused: the answer for chunk 1 has 99 rows, the first pass found 100",
      "threads: the sweep is refused: 3 chunks were answered, and there are 2",
    ]
  `)
})

test("what rounds cannot do is refused", async () => {
  const model = classes("y", numbers) as Model
  const refused = (learner: Parameters<typeof fit>[2]): Promise<string> =>
    said(fit(model, onMachines(few, 2) as never, learner))
  expect(await refused({ learner: sdem({ holdout: 0.2 }) })).toMatchInlineSnapshot(
    `"option: sdem: holdout is 0.2, but the rows are on other machines. They are learned from there in rounds, and none is held out. Pass holdout: 0, and judge or calibrate the model on other rows afterwards."`,
  )
  expect(await refused({ learner: sdem({ loss: "hinge" }) })).toMatchInlineSnapshot(
    `"option: sdem: calibrate is true, as it is by default with hinge, but the rows are on other machines. They are learned from there in rounds, and none is held out. Pass calibrate: false, and judge or calibrate the model on other rows afterwards."`,
  )
})

test("a run in rounds goes on from its checkpoint to the same bits", async () => {
  const model = classes("y", numbers) as Model
  const learner = sdem({ epochs: 4 })
  const whole = await fit(model, onMachines(few, 2) as never, { learner })
  let kept: Uint8Array | undefined
  const write = (bytes: Uint8Array): void => {
    kept = bytes.slice()
  }
  const checkpoint = { read: () => kept, write }
  const stop = new AbortController()
  const onStep = ({ iteration, of }: { iteration: number; of?: number }): void => {
    if (of !== undefined && iteration === 2) stop.abort(new Error("enough"))
  }
  const options = { learner, checkpoint }
  await expect(
    fit(model, onMachines(few, 2) as never, { ...options, signal: stop.signal, onStep }),
  ).rejects.toThrow("enough")
  const resumed = await fit(model, onMachines(few, 2) as never, options)
  expect(resumed.toJSON()).toEqual(whole.toJSON())
})
