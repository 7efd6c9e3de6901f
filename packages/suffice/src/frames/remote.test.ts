import { type ModelSpecimen, modelOf, modelsOf, nested, variants } from "suffice-laws"
import { describe, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import { CHUNK } from "../data/cut.ts"
import { slicesOf } from "../data/read.ts"
import { families } from "../families/list.ts"
import { categorical, classes, em, fit, gaussian, independent, mixture, multinomial } from "../index.ts"
import { bayes } from "../learn.ts"
import { dice } from "../random.ts"
import { type Answer, packAnswer, readAnswer } from "./answer.ts"
import { type BlockJson, blockFromJson, blockToJson } from "./block-json.ts"
import { readFrame } from "./frame.ts"
import { REMOTE, type RemoteTable } from "./remote.ts"
import { RowsOfChunk } from "./spill.ts"
import { Sweeper } from "./sweeper.ts"
import { exploreFrames, sweepFrames } from "./work.ts"

/** As plain data crosses to another machine. */
const crossed = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
type Fault = (answers: (Answer | undefined)[]) => (Answer | undefined)[]

/** A table whose chunks are shared out among workers, which are given plain data alone. */
function remoteTable(rows: readonly object[], workers: number, fault: Fault = answers => answers) {
  let frames: Uint8Array[] = []
  const shares = (): Uint8Array[][] => {
    const size = Math.ceil(frames.length / workers)
    return Array.from({ length: workers }, (_, w) => frames.slice(w * size, (w + 1) * size)).reverse()
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
        for (const share of shares().reverse())
          yield* crossed([...exploreFrames(crossed(task), share, "chunk")])
      },
      async *sweep(task, params) {
        const answers = shares().flatMap(share => [...sweepFrames(crossed(task), params, share, "chunk")])
        yield* fault(answers.map(answer => readAnswer(packAnswer(answer))))
      },
      async pick(task, ranks) {
        const sweeper = new Sweeper(crossed(task))
        const blocks: BlockJson[] = []
        for (const [chunk, own] of ranks)
          blocks.push(crossed(blockToJson(sweeper.pick(sweeper.chunkOf(frames[chunk]), own))))
        sweeper.end()
        return blocks.map(blockFromJson)
      },
    },
  }
  return table
}

/** Every structure, and of every family one. */
const specimens = [...nested, ...families.map(family => modelsOf(family)[0])]

test.each(specimens.map(specimen => [specimen.name, specimen] as const))(
  "%s learns the same bits from a remote table",
  async (_, specimen: ModelSpecimen) => {
    const model = modelOf(specimen) as Model
    const roll = dice(3)
    const rows = Array.from({ length: 40 }, () => specimen.row(roll))
    const options = { learner: em({ maxIterations: 1 }) }
    const usual = variants.filter(
      variant => variant.suits(model) === true && Array.isArray(variant.dress(rows, model, dice(5)).data),
    )
    const variant = usual[usual.length - 1]
    const dressed = variant.dress(rows, model, dice(5))
    const own = { ...options, ...dressed.options }
    const here = await fit(model, dressed.data as never, own)
    const there = await fit(model, remoteTable(dressed.data as object[], 1) as never, own)
    expect(there.toJSON()).toEqual(here.toJSON())
  },
)

const roll = dice(9)
const rows = Array.from({ length: 3 * CHUNK - 7000 }, (_, i) => ({
  y: i % 3 === 0 ? null : `level ${i % 2}`,
  x: i % 7 === 0 ? null : (i % 2) * 3 + roll.normal(),
  text: `w${roll.integer(30)} w${roll.integer(9)}\t😀\n`,
  w: i % 11 === 0 ? 0 : roll.uniform(),
}))
const body = independent({ x: gaussian(), text: multinomial({ scaling: "tfidf" }) })

describe.each([
  ["a mixture, weighted", mixture(2, body) as Model, { weight: "w" }],
  [
    "classes, partly labelled",
    classes("y", body) as Model,
    { learner: em({ maxIterations: 2, unlabelled: 1 }) },
  ],
  [
    "a posterior",
    mixture(2, independent({ x: gaussian(), y: categorical() })) as Model,
    { learner: bayes({ maxIterations: 2 }) },
  ],
])("%s", (_, model, options) => {
  const own = { learner: em({ maxIterations: 2 }), ...options }
  const here = fit(model, rows as never, own)
  test.each([1, 2, 3])("learns the same bits from %i workers", async workers => {
    const there = await fit(model, remoteTable(rows, workers) as never, own)
    expect(there.toJSON()).toEqual((await here).toJSON())
  })
})

describe("the audit refuses", () => {
  const own = { learner: em({ maxIterations: 1 }) }
  const said = (fault: Fault): Promise<string> =>
    fit(mixture(2, independent({ x: gaussian() })) as Model, remoteTable(rows, 2, fault) as never, own).then(
      () => "nothing was refused",
      error => `${error.code}: ${error.message}`,
    )
  const first =
    (change: (answer: Answer) => Answer | undefined): Fault =>
    answers =>
      answers.map((answer, a) => (a === 0 ? change(answer!) : answer))

  test("a chunk that is dropped, answered twice, cut short, or rubbish", async () => {
    const all = [
      await said(answers => answers.slice(1)),
      await said(answers => answers.slice(0, -1)),
      await said(answers => [...answers, answers[0]]),
      await said(answers => [answers[1], ...answers]),
      await said(first(answer => ({ ...answer, rows: answer.rows - 1 }))),
      await said(first(answer => ({ ...answer, chunk: 99 }))),
      await said(first(answer => ({ ...answer, swept: { ...answer.swept, stats: new Float64Array(3) } }))),
      await said(first(answer => readAnswer(packAnswer(answer).fill(7, 30, 40)))),
      await said(first(answer => readAnswer(packAnswer(answer).subarray(8)))),
    ]
    expect(all.map(text => text.replace(/\. Statistics that lack rows.*$/, ""))).toMatchInlineSnapshot(`
      [
        "threads: the sweep is refused: chunk 2 of 3 was not answered",
        "threads: the sweep is refused: chunk 1 of 3 was not answered, though later ones were",
        "threads: the sweep is refused: chunk 2 was answered twice",
        "threads: the sweep is refused: chunk 0 was answered twice",
        "threads: the sweep is refused: the answer for chunk 2 has 1191 rows, the first pass found 1192",
        "threads: the sweep is refused: an answer is for 1 chunks from chunk 99 on, of 3",
        "threads: the sweep is refused: the answer for chunk 2 has 3 statistics, not 8",
        "threads: the sweep is refused: an answer is none: its bytes were changed, or cut short",
        "threads: the sweep is refused: an answer is none: its bytes were changed, or cut short",
      ]
    `)
    expect(all[0]).toMatchInlineSnapshot(
      `"threads: the sweep is refused: chunk 2 of 3 was not answered. Statistics that lack rows, or count them twice, would teach a wrong model. Fit again, with the same checkpoint to go on after the last step; if it happens again, the rows or the workers have changed."`,
    )
  })
})
