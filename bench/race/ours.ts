/**
 * Our side of the race: `node ours.js JOB`, JOB being { kind, size, threads, folder, data, iterations } as JSON. It prepares, then answers
 * lines on the standard input: "round" with the seconds of one timed call by the clock and of the processor, "result" with what is
 * compared, "profile" with where the time goes, "end" with the peak of its memory.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import {
  type Cell,
  type Columns,
  categorical,
  classes,
  type Description,
  em,
  type Family,
  fit,
  gaussian,
  independent,
  type Learner,
  type Model,
  mixture,
  multinomial,
  normal,
  wordSet,
} from "suffice"
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
import { peak } from "../peak.ts"
import { documents, testDocuments, trainDocuments } from "./documents.ts"
import type { Size } from "./jobs.ts"
import { profiled } from "./profile.ts"
import { type Clock, clocked } from "./sides.ts"

interface Asked {
  readonly kind: string
  readonly size: Size
  readonly threads: number
  /** Of the made-up rows. */
  readonly folder: string
  /** Of the real ones. */
  readonly data: string
  readonly iterations: number
}

/** A job that is ready. */
interface Ready {
  round(): Promise<Clock>
  result(): Promise<readonly number[]>
}

const COMPARED = 1000
const asked = JSON.parse(process.argv[2]) as Asked
const { size, threads, folder } = asked
const { rows } = size

const doubles = (file: string) => new Float64Array(bytes(file))
const labels = () => new Int32Array(bytes("y.i32"))
/** Straight into the memory that is worked on: no second copy counts as ours. */
function bytes(file: string): ArrayBuffer {
  const source = openSync(join(folder, file), "r")
  const buffer = new ArrayBuffer(fstatSync(source).size)
  for (let at = 0; at < buffer.byteLength; ) {
    at += readSync(source, new Uint8Array(buffer, at, Math.min(buffer.byteLength - at, 1 << 26)))
  }
  closeSync(source)
  return buffer
}

const names = Array.from({ length: size.columns }, (_, j) => `x${j}`)
function columnsOf(): Columns {
  const x = doubles("x.f64")
  return Object.fromEntries(names.map((name, j) => [name, x.subarray(j * rows, (j + 1) * rows)]))
}
const firstOf = (columns: Columns): Columns =>
  Object.fromEntries(
    names.map(name => [name, (columns[name] as Float64Array).subarray(0, Math.min(COMPARED, rows))]),
  )

const loose = (model: unknown): Model<Record<string, Cell>> => model as Model<Record<string, Cell>>
const each = (family: () => Family) => independent(Object.fromEntries(names.map(name => [name, family()])))
const counting = em({ prior: 0 })
const smoothed = em({ prior: 1 })

/** fit, then the labels of all rows. */
function fitAndPredict(
  model: Model<Record<string, Cell>>,
  learner: Learner,
  compare: "posteriors" | "labels",
  options: { readonly prior?: Record<string, number> } = {},
  columns = columnsOf(),
): Ready {
  const given = { ...columns, y: labels() }
  const work = async () => {
    const fitted = await fit(model, given as never, { learner, threads })
    return { fitted, found: fitted.labels(columns as never, options) as number[] }
  }
  return {
    round: async () => (await clocked(work)).clock,
    async result() {
      const { fitted, found } = await work()
      return compare === "labels" ? found : [...fitted.posterior(firstOf(columns) as never).probabilities]
    },
  }
}

// ── mixtures ───────────────────────────────────────────────────────────────────────────────────────

function mixtures(covariance: "full" | "diag"): Ready {
  const columns = columnsOf()
  const k = size.classes
  const start = doubles("start.f64")
  const variances = start.subarray(k * (1 + names.length))
  const body = normal(names, { covariance })
  const model = loose(mixture(k, body))
  const told = (numbers: Float64Array) => Object.fromEntries(names.map((name, j) => [name, numbers[j]]))
  const spread =
    covariance === "diag"
      ? { variance: told(variances) }
      : {
          covariance: Object.fromEntries(
            names.map((name, j) => [
              name,
              Object.fromEntries(names.map((other, l) => [other, l === j ? variances[j] : 0])),
            ]),
          ),
        }
  const given = Array.from({ length: k }, (_, c) => ({
    [names.join(", ")]: {
      family: "normal",
      mean: told(start.subarray(k + c * names.length, k + (c + 1) * names.length)),
      ...spread,
    },
  }))
  const probabilities = Array.from(start.subarray(0, k))
  const called = `mixture(${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""})`
  const learner = em({
    maxIterations: asked.iterations,
    tolerance: 0,
    prior: 0,
    start: {
      [called]: { probabilities: { ...probabilities }, given: { ...given } },
    } as unknown as Description,
  })
  return {
    async round() {
      // the time between steps: an M-step and an E-step
      const steps = learn(model, columns as never, { learner, threads })
      await steps.next()
      await steps.next()
      const { clock, value } = await clocked(async () => {
        let taken = 0
        for (; ; taken++) if ((await steps.next()).done) return taken
      })
      return { seconds: clock.seconds / value, cpu: clock.cpu / value }
    },
    async result() {
      const fitted = await fit(model, columns as never, { learner, threads })
      const described = fitted.describe()[called] as unknown as {
        probabilities: Record<string, number>
        given: Record<string, Record<string, { mean: Record<string, number> }>>
      }
      const found = Array.from({ length: k }, (_, c) => described.given[c][names.join(", ")].mean)
      return [
        ...Object.values(described.probabilities),
        ...found.flatMap(mean => names.map(name => mean[name])),
      ]
    },
  }
}

// ── naive Bayes over numbers ───────────────────────────────────────────────────────────────────────

function gaussianFit(): Ready {
  const columns = columnsOf()
  const given = { ...columns, y: labels() }
  const model = loose(classes("y", each(gaussian)))
  const work = () => fit(model, given as never, { learner: counting, threads })
  return {
    round: async () => (await clocked(work)).clock,
    result: async () => [...(await work()).posterior(firstOf(columns) as never).probabilities],
  }
}

async function gaussianPosterior(): Promise<Ready> {
  const columns = columnsOf()
  const model = loose(classes("y", each(gaussian)))
  const fitted = await fit(model, { ...columns, y: labels() } as never, { learner: counting })
  return {
    round: async () => (await clocked(async () => fitted.posterior(columns as never))).clock,
    result: async () => [...fitted.posterior(firstOf(columns) as never).probabilities],
  }
}

// ── words ──────────────────────────────────────────────────────────────────────────────────────────

const raw = classes("label", independent({ text: multinomial({ scaling: "raw" }) }))

function textFit(): Ready {
  const train = documents(asked.data, size.corpus!)
  const work = () => fit(raw, train, { threads })
  return {
    round: async () => (await clocked(work)).clock,
    result: async () => [...(await work()).posterior(train.slice(0, 100)).probabilities],
  }
}

async function textPosterior(): Promise<Ready> {
  const train = documents(asked.data, size.corpus!)
  const fitted = await fit(raw, train)
  return {
    round: async () => (await clocked(async () => fitted.posterior(train))).clock,
    result: async () => [...fitted.posterior(train.slice(0, 100)).probabilities],
  }
}

async function onePosterior(): Promise<Ready> {
  const train = documents(asked.data, size.corpus!)
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
  return {
    round: async () => (await clocked(work)).clock,
    async result() {
      const { fitted } = await work()
      return [...fitted.posterior({ words: columns.words.slice(0, COMPARED) }).probabilities]
    },
  }
}

/** Behind the door: what `fit` and `posterior` do once words are counted. */
async function counts(timed: "fit" | "posterior" | "one"): Promise<Ready> {
  const train = documents(asked.data, size.corpus!)
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
  const train = documents(asked.data, size.corpus!)
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
  return { round: async () => (await clocked(work)).clock, result: work }
}

/** Made-up documents, as lists of words. */
function tokenLabels(prior: number): Ready {
  const tokens = new Int32Array(bytes("tokens.i32"))
  const y = labels()
  const length = tokens.length / rows
  const made = Array.from(y, (label, i) => ({
    label,
    text: Array.from(tokens.subarray(i * length, (i + 1) * length), token => `w${token}`),
  }))
  const model = classes("label", independent({ text: multinomial({ scaling: "raw", prior }) }))
  const work = async () => {
    const fitted = await fit(model, made)
    return fitted.labels(made) as number[]
  }
  return { round: async () => (await clocked(work)).clock, result: work }
}

const KINDS: Readonly<Record<string, () => Ready | Promise<Ready>>> = {
  "mixture-full": () => mixtures("full"),
  "mixture-diag": () => mixtures("diag"),
  "gaussian-fit": gaussianFit,
  "gaussian-posterior": gaussianPosterior,
  lda: () =>
    fitAndPredict(loose(classes("y", normal(names, { covariance: "tied" }))), counting, "posteriors"),
  qda: () => fitAndPredict(loose(classes("y", normal(names))), counting, "posteriors"),
  bernoulli: sparseSets,
  categorical: () => fitAndPredict(loose(classes("y", each(categorical))), smoothed, "posteriors"),
  "multinomial-fit": () => counts("fit"),
  "multinomial-fit-text": textFit,
  "multinomial-posterior": () => counts("posterior"),
  "multinomial-posterior-text": textPosterior,
  "multinomial-one": () => counts("one"),
  "multinomial-one-words": onePosterior,
  "epoch-hinge": () => epochs("hinge"),
  "epoch-ncll": () => epochs("ncll"),
  "default-fit": defaultFit,
  "gaussian-labels": () => fitAndPredict(loose(classes("y", each(gaussian))), counting, "labels"),
  "categorical-labels"() {
    // the peer does not look at how frequent the classes are
    const prior = Object.fromEntries(Array.from({ length: size.classes }, (_, c) => [c, 1 / size.classes]))
    return fitAndPredict(loose(classes("y", each(categorical))), smoothed, "labels", { prior })
  },
  "qda-labels": () => fitAndPredict(loose(classes("y", normal(names))), counting, "labels"),
  "multinomial-labels": countedLabels,
  natural: () => tokenLabels(1),
  wink: () => tokenLabels(1),
}

const ready = await KINDS[asked.kind]()
const say = (answer: unknown): void => void process.stdout.write(`${JSON.stringify(answer)}\n`)
say({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "round") say(await ready.round())
  else if (line === "profile") say({ profile: await profiled(() => ready.round()) })
  else if (line === "result") say({ result: await ready.result() })
  else if (line === "end") {
    say({ memory: peak() })
    break
  }
}
process.exit(0)
