/**
 * Hidden Markov models against the clock, beside hmmlearn: an iteration of EM, one long series, and a series that is followed step by step. Processor time, one thread, in
 * turns: the machine may be loaded. `bench/chains.ts` puts the section on its page;
 *
 *     npx tsx --conditions=source bench/chains/speed.ts            prints it alone
 *     npx tsx --conditions=source bench/chains/speed.ts diag-8     one line of the first table
 */
import { pathToFileURL } from "node:url"
import { chain, em, fit, gaussian, independent, type Model, mixture, normal } from "suffice"
import { median, table, verdict } from "../page.ts"
import { ask, type Versions } from "../peer.ts"
import { NAMES, series } from "./series.ts"

const STEPS = 200_000
const PINS = "chains/requirements.txt"

interface Job {
  readonly name: string
  readonly title: string
  readonly model: Model
  readonly peer: Readonly<Record<string, string | number>>
  readonly bar: number
}

const hidden = (k: number, body: unknown): Model => chain(k, body as never) as unknown as Model
const diagonal = () => independent(Object.fromEntries(NAMES.map(name => [name, gaussian()])) as never)
const full = () => normal([...NAMES])

const JOBS: readonly Job[] = [
  {
    name: "diag-8",
    title: "8 states, diagonal",
    model: hidden(8, diagonal()),
    peer: { states: 8, covariance: "diag" },
    bar: 3,
  },
  {
    name: "full-8",
    title: "8 states, full",
    model: hidden(8, full()),
    peer: { states: 8, covariance: "full" },
    bar: 3,
  },
  {
    name: "diag-32",
    title: "32 states, diagonal",
    model: hidden(32, diagonal()),
    peer: { states: 32, covariance: "diag" },
    bar: 4,
  },
  {
    name: "full-32",
    title: "32 states, full",
    model: hidden(32, full()),
    peer: { states: 32, covariance: "full" },
    bar: 4,
  },
  {
    name: "gmm-8-3",
    title: "8 states of 3 diagonal normals",
    model: hidden(8, mixture(3, normal([...NAMES], { covariance: "diag" } as never) as never)),
    peer: { states: 8, covariance: "diag", mixtures: 3 },
    bar: 10,
  },
]

interface PeerAnswer extends Versions {
  /** Processor time of one iteration. */
  readonly seconds: number
  readonly peers: Readonly<Record<string, string>>
}

const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Processor time of an iteration of EM: the fastest of several, since others use the caches too. */
async function iteration(model: Model, steps: Record<string, Float64Array>, iterations: number) {
  const marks: number[] = []
  const learner = em({ maxIterations: iterations, tolerance: 0 })
  const fitted = await fit(model, [{ steps }] as never, {
    learner,
    threads: 1,
    onStep: () => {
      marks.push(cpu())
    },
  })
  const each = marks.slice(1).map((mark, n) => mark - marks[n])
  return { fitted, seconds: Math.min(...each), each }
}

async function iterations(only: string | undefined, versions: Record<string, string>): Promise<string> {
  const steps = series(STEPS)
  const data = NAMES.map(name => Array.from(steps[name], x => Math.round(x * 1e6) / 1e6))
  const lines: string[][] = []
  for (const job of JOBS) {
    if (only !== undefined && job.name !== only) continue
    const rounds: { readonly ours: number; readonly theirs: number }[] = []
    for (let round = 0; round < 3; round++) {
      const { seconds: ours } = await iteration(job.model, steps, 12)
      const answer = ask<PeerAnswer>("chains/speed.py", { ...job.peer, iterations: 3, data }, PINS)
      Object.assign(versions, answer.versions, answer.peers)
      rounds.push({ ours, theirs: answer.seconds })
    }
    const ratio = median(rounds.map(({ ours, theirs }) => theirs / ours))
    lines.push([
      job.title,
      median(rounds.map(({ ours }) => ours)).toFixed(3),
      median(rounds.map(({ theirs }) => theirs)).toFixed(3),
      ratio.toFixed(1),
      `≥ ${job.bar}`,
      verdict(ratio >= job.bar),
    ])
    console.log(lines.at(-1)!.join("  "))
  }
  return table(["model", "ours, s", "hmmlearn, s", "hmmlearn / ours", "bar", "met"], lines)
}

/** Memory that is not the heap of the collector: arrays, and those of kernels. */
function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return (heapUsed + Math.max(external, arrayBuffers)) / 2 ** 20
}

async function long(): Promise<string> {
  const model = hidden(8, diagonal())
  const short = series(10_000)
  const steps = series(1_000_000)
  const perShort = (await iteration(model, short, 20)).seconds / 10_000
  const pathOf = (fitted: Awaited<ReturnType<typeof iteration>>["fitted"], of: typeof steps): number => {
    const began = cpu()
    fitted.path([{ steps: of }] as never)
    return cpu() - began
  }
  const small = await iteration(model, short, 3)
  pathOf(small.fitted, short)
  const pathShort = Math.min(...[1, 2, 3].map(() => pathOf(small.fitted, short))) / 10_000
  const before = memory()
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, memory())
  }, 50)
  const { fitted, seconds } = await iteration(model, steps, 4)
  clearInterval(watch)
  most = Math.max(most, memory())
  const pathLong = pathOf(fitted, steps) / 1_000_000
  const held = most - before
  // the door's encoded copy of the data: four columns of doubles
  const data = (4 * 8 * 1_000_000) / 2 ** 20
  return table(
    ["one series of 10⁶ steps, 8 states", "", "bar", "met"],
    [
      ["memory above the data, EM, MB", (held - data).toFixed(0), "≤ 64", verdict(held - data <= 64)],
      [
        "EM: time per step, relative to 10⁴ steps",
        (seconds / 1_000_000 / perShort).toFixed(2),
        "≤ 2",
        verdict(seconds / 1_000_000 <= 2 * perShort),
      ],
      ["path: the same", (pathLong / pathShort).toFixed(2), "≤ 2", verdict(pathLong <= 2 * pathShort)],
    ],
  )
}

async function followed(): Promise<string> {
  const model = chain(8, independent({ a: gaussian() })) as unknown as Model
  const { a } = series(20_000)
  const { fitted } = await iteration(model, { a }, 3)
  const live = fitted.follow()
  const rows = Array.from(a, value => ({ a: value }))
  for (const row of rows) live.push(row as never)
  const began = cpu()
  const heap = process.memoryUsage().heapUsed
  for (let round = 0; round < 10; round++) for (const row of rows) live.push(row as never)
  const grown = process.memoryUsage().heapUsed - heap
  const rate = (10 * rows.length) / (cpu() - began)
  return table(
    ["follow().push, 8 states, one number", "", "bar", "met"],
    [
      ["steps per second", Math.round(rate).toLocaleString("en"), "≥ 100,000", verdict(rate >= 1e5)],
      ["heap grown in 200,000 steps, collections included, MB", (grown / 2 ** 20).toFixed(1), "", ""],
    ],
  )
}

/** The section of the page, and the versions of the peers. */
export async function speed(only?: string): Promise<{ text: string; versions: Record<string, string> }> {
  const versions: Record<string, string> = {}
  const parts = [
    "## Time",
    `An iteration of EM on one series of ${STEPS.toLocaleString("en")} steps and 4 columns, one thread, processor time; hmmlearn with \`implementation="scaling"\`. Medians of three rounds, by turns.`,
    await iterations(only, versions),
  ]
  if (only === undefined) parts.push(await long(), await followed())
  return { text: parts.join("\n\n"), versions }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log((await speed(process.argv[2])).text)
