/** Our side of the jobs of words. */
import { classes, fit, independent, type Model, multinomial, wordSet } from "suffice"
import { learn, sdem } from "suffice/learn"
import { evaluate } from "suffice/measure"
import { sparse } from "suffice/text"
import type { Block, Chunk } from "../../packages/suffice/src/contract/block.ts"
import { BLOCK } from "../../packages/suffice/src/data/cut.ts"
import { discover } from "../../packages/suffice/src/data/discover.ts"
import { encodeForLearning } from "../../packages/suffice/src/data/encode.ts"
import { encodedForQuestion } from "../../packages/suffice/src/data/question-blocks.ts"
import { weightingOf } from "../../packages/suffice/src/data/weigh.ts"
import { lay, solve } from "../../packages/suffice/src/engine/lay.ts"
import { sweep } from "../../packages/suffice/src/engine/sweep.ts"
import { prepareKernels } from "../../packages/suffice/src/kernels/fast/use.ts"
import { collapse } from "../../packages/suffice/src/kernels/responsibilities.ts"
import { fastKernels } from "../../packages/suffice/src/kernels/twins.ts"
import { testDocuments, trainDocuments } from "./documents.ts"
import {
  asked,
  bytes,
  COMPARED,
  doubles,
  labels,
  names,
  type Ready,
  rows,
  size,
  threads,
  whole,
} from "./ready.ts"
import { type Clock, clocked } from "./sides.ts"

const raw = classes("label", independent({ text: multinomial({ scaling: "raw" }) }))

function textFit(): Ready {
  const train = trainDocuments(asked.data, size.corpus!)
  const work = () => fit(raw, train, { threads })
  return whole(work, fitted => fitted.posterior(train.slice(0, 100)).probabilities)
}

async function textPosterior(): Promise<Ready> {
  const train = trainDocuments(asked.data, size.corpus!)
  const fitted = await fit(raw, train)
  return {
    round: async () => (await clocked(async () => fitted.posterior(train))).clock,
    result: async () => [...fitted.posterior(train.slice(0, 100)).probabilities],
  }
}

async function onePosterior(): Promise<Ready> {
  const train = trainDocuments(asked.data, size.corpus!)
  const fitted = await fit(raw, train)
  const bags = train.slice(0, 200).map(({ text }) => {
    const counts = new Map<string, number>()
    for (const word of text.split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1)
    return [{ text: counts }]
  })
  return oneByOne(bags, bag => fitted.posterior(bag).probabilities)
}

/** Columns of zeros and ones as sparse rows: which of them hold a one. */
function sparseSets(): Ready {
  const x = doubles("x.f64")
  const offsets = new Int32Array(rows + 1)
  const codes = new Int32Array(x.reduce((sum, bit) => sum + bit, 0))
  let length = 0
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < names.length; j++) if (x[j * rows + i] === 1) codes[length++] = j
    offsets[i + 1] = length
  }
  const columns = { words: sparse({ offsets, codes, words: names }) }
  const given = { ...columns, y: labels() }
  const model = classes("y", independent({ words: wordSet({ empty: "seen" }) }))
  const work = async () => {
    const fitted = await fit(model, given, { threads })
    return { fitted, found: fitted.labels(columns) }
  }
  return whole(
    work,
    ({ fitted }) => fitted.posterior({ words: columns.words.slice(0, COMPARED) }).probabilities,
  )
}

/** The part of `fit` and `posterior` after words are counted. */
async function counts(timed: "fit" | "posterior" | "one"): Promise<Ready> {
  const train = trainDocuments(asked.data, size.corpus!)
  const weighting = weightingOf(raw, {})
  const found = await discover(raw.uses, train as never, weighting, undefined)
  prepareKernels()
  const laid = lay(raw as Model, found.schema.columns)
  const chunks: Chunk[] = []
  for await (const chunk of encodeForLearning(found.schema, train as never, weighting, found.rows))
    chunks.push(chunk)
  const zero = new Float64Array(laid.parameters)
  const learned = async () => {
    const { stats } = await sweep(laid, chunks, zero, { certain: true })
    return solve(laid, stats, 1).params
  }
  const params = await learned()
  const count = found.schema.columns.find(column => column.kind === "level")!.levels.length
  const asking = async (most: number) => {
    const all = new Float64Array(Math.min(found.rows, most) * count)
    const joint = new Float64Array(count * BLOCK)
    const totals = new Float64Array(2 * BLOCK)
    const kernels = fastKernels() ?? { collapse }
    let at = 0
    for (const block of chunks.flat()) {
      const scores = joint.subarray(0, count * block.rows).fill(0)
      laid.root.open(block, params, "label", scores)
      kernels.collapse(scores, count, block.rows, totals)
      for (let i = 0; i < block.rows && at < all.length; i++) {
        for (let l = 0; l < count; l++) all[at++] = scores[l * block.rows + i]
      }
      if (at === all.length) break
    }
    return all
  }
  if (timed === "one") {
    const bags = train
      .slice(0, 200)
      .map(row => encodedForQuestion(found.schema, [row] as never, "label").blocks[0])
    const totals = new Float64Array(2)
    const ask = (bag: Block): Float64Array => {
      const scores = new Float64Array(count)
      laid.root.open(bag, params, "label", scores)
      collapse(scores, count, 1, totals)
      return scores
    }
    return oneByOne(bags, ask)
  }
  const work = timed === "fit" ? learned : () => asking(Number.POSITIVE_INFINITY)
  return {
    round: async () => (await clocked(work)).clock,
    result: async () => [...(await asking(100))],
  }
}

/** The time of one question; the first hundred are compared. */
function oneByOne<T>(questions: readonly T[], ask: (question: T) => Float64Array): Ready {
  const work = async () => questions.map(ask)
  return {
    async round() {
      const { seconds, cpu } = (await clocked(work)).clock
      return { seconds: seconds / questions.length, cpu: cpu / questions.length }
    },
    result: async () => (await work()).slice(0, 100).flatMap(probabilities => [...probabilities]),
  }
}

/** The time between two epochs; the learner starts afresh where it is done. */
function epochs(loss: "hinge" | "ncll"): Ready {
  const train = trainDocuments(asked.data, size.corpus!)
  const model = classes("label", independent({ text: multinomial() }))
  async function* endless(): AsyncGenerator<Clock, never, void> {
    for (;;) {
      const steps = learn(model, train, { learner: sdem({ loss }) })
      for (let before: { run: number; iteration: number } | undefined; ; ) {
        const { clock, value } = await clocked(() => steps.next())
        if (value.done) break
        const { run, iteration } = value.value
        // epochs number themselves from 1 in a run of their own; the steps before are the start
        if (before && run === before.run && iteration === before.iteration + 1 && iteration > 1) yield clock
        before = { run, iteration }
      }
    }
  }
  const all = endless()
  return { round: async () => (await all.next()).value, result: async () => [] }
}

/** From the file on. */
function defaultFit(): Ready {
  const model = classes("label", independent({ text: multinomial() }))
  const work = () => fit(model, trainDocuments(asked.data, size.corpus!), { learner: sdem() })
  return {
    round: async () => (await clocked(work)).clock,
    result: async () => [evaluate(await work(), testDocuments(asked.data, size.corpus!)).accuracy],
  }
}

/** Made-up documents, as sparse counts. */
function countedLabels(): Ready {
  const tokens = new Int32Array(bytes("tokens.i32"))
  const length = tokens.length / rows
  const [offsets, codes, counts] = [[0], [] as number[], [] as number[]]
  for (let i = 0; i < rows; i++) {
    const found = new Map<number, number>()
    for (const token of tokens.subarray(i * length, (i + 1) * length))
      found.set(token, (found.get(token) ?? 0) + 1)
    codes.push(...found.keys())
    counts.push(...found.values())
    offsets.push(codes.length)
  }
  const text = sparse({ offsets, codes, counts, words: names.map((_, w) => `w${w}`) })
  const label = labels()
  const model = classes("label", independent({ text: multinomial({ scaling: "raw" }) }))
  const work = async () => {
    const fitted = await fit(model, { text, label })
    return fitted.labels({ text }) as number[]
  }
  return whole(work, labels => labels)
}

/** Made-up documents, as lists of words. */
function tokenLabels(): Ready {
  const tokens = new Int32Array(bytes("tokens.i32"))
  const y = labels()
  const length = tokens.length / rows
  const made = Array.from(y, (label, i) => ({
    label,
    text: Array.from(tokens.subarray(i * length, (i + 1) * length), token => `w${token}`),
  }))
  const model = classes("label", independent({ text: multinomial({ scaling: "raw", prior: 1 }) }))
  const work = async () => {
    const fitted = await fit(model, made)
    return fitted.labels(made) as number[]
  }
  return whole(work, labels => labels)
}

export const WORDS: Readonly<Record<string, () => Ready | Promise<Ready>>> = {
  bernoulli: sparseSets,
  "multinomial-fit": () => counts("fit"),
  "multinomial-fit-text": textFit,
  "multinomial-posterior": () => counts("posterior"),
  "multinomial-posterior-text": textPosterior,
  "multinomial-one": () => counts("one"),
  "multinomial-one-words": onePosterior,
  "epoch-hinge": () => epochs("hinge"),
  "epoch-ncll": () => epochs("ncll"),
  "default-fit": defaultFit,
  "multinomial-labels": countedLabels,
  natural: tokenLabels,
  wink: tokenLabels,
}
