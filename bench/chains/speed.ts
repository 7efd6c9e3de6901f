/**
 * Hidden Markov models against the clock, beside hmmlearn: an iteration of EM, one long series, and a series that is followed step by step. Processor time, one thread, in
 * turns: the machine may be loaded. `bench/chains.ts` puts the section on its page;
 *
 *     npx tsx --conditions=source bench/chains/speed.ts            prints it alone
 *     npx tsx --conditions=source bench/chains/speed.ts diag-8     one line of the first table
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { chain, em, fit, gaussian, independent, type Model, mixture, normal } from "suffice"
import { bundle } from "../bundle.ts"
import { keptOr } from "../kept.ts"
import { median, table } from "../page.ts"
import { peak } from "../peak.ts"
import { ask, type Versions } from "../peer.ts"
import type { Pushed } from "./follow.ts"
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

/** A line of the table of bars. */
export type TimedBar = [what: string, bar: string, measured: string, met: boolean | undefined]

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

interface Timed {
  readonly ours: number
  readonly theirs: number
  readonly ratio: number
  readonly versions: Readonly<Record<string, string>>
}

/** Medians of three rounds, by turns. */
async function timedBeside({ model, peer }: Job): Promise<Timed> {
  const steps = series(STEPS)
  const data = NAMES.map(name => Array.from(steps[name], x => Math.round(x * 1e6) / 1e6))
  const rounds: { readonly ours: number; readonly theirs: number }[] = []
  const versions: Record<string, string> = {}
  for (let round = 0; round < 3; round++) {
    const { seconds: ours } = await iteration(model, steps, 12)
    const answer = ask<PeerAnswer>("chains/speed.py", { ...peer, iterations: 3, data }, PINS)
    Object.assign(versions, answer.versions, answer.peers)
    rounds.push({ ours, theirs: answer.seconds })
  }
  return {
    ours: median(rounds.map(({ ours }) => ours)),
    theirs: median(rounds.map(({ theirs }) => theirs)),
    ratio: median(rounds.map(({ ours, theirs }) => theirs / ours)),
    versions,
  }
}

interface Asked {
  /** Only what was measured before. */
  readonly keptOnly: boolean
  /** One line of the first table. */
  readonly only?: string
}

/** A pair of times is kept as other answers are: under the hash of the sources it was measured with. */
const kept = <T>({ keptOnly }: Asked, job: string, compute: () => Promise<T>): Promise<T | undefined> =>
  keptOr("chains", ["speed", job], keptOnly ? undefined : compute)

async function iterations(
  asked: Asked,
  versions: Record<string, string>,
): Promise<{ text: string; bars: TimedBar[] }> {
  const bars: TimedBar[] = []
  const lines: string[][] = []
  for (const job of JOBS) {
    if (asked.only !== undefined && job.name !== asked.only) continue
    const found = await kept(asked, job.name, () => timedBeside(job))
    const what = `an EM iteration, ${job.title}: hmmlearn / ours`
    bars.push(
      barOf(
        what,
        `≥ ${job.bar}`,
        found?.ratio,
        x => x.toFixed(2),
        x => x >= job.bar,
      ),
    )
    if (!found) continue
    Object.assign(versions, found.versions)
    lines.push([job.title, found.ours.toFixed(3), found.theirs.toFixed(3), found.ratio.toFixed(2)])
    console.log(lines.at(-1)!.join("  "))
  }
  return { text: table(["model", "ours, s", "hmmlearn, s", "hmmlearn / ours"], lines), bars }
}

function barOf(
  what: string,
  bar: string,
  found: number | undefined,
  show: (x: number) => string,
  met: (x: number) => boolean,
): TimedBar {
  return found === undefined ? [what, bar, "not measured", undefined] : [what, bar, show(found), met(found)]
}

/** What a process of its own says of one long series: the most memory it held, and times. */
interface Long {
  readonly peak: number
  readonly seconds: number
  readonly path: number
}

/** "data": holds the series and fits a short one; "em", "path": also does that with the long one, once; "times": does both, several times. */
type Doing = "data" | "em" | "path" | "times"

/** The last line that a process of Node prints. */
function answerOf<Answer>(args: readonly string[]): Answer {
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  })
  if (status !== 0) throw new Error(`${args.join(" ")} ended with code ${status}.`)
  return JSON.parse(stdout.trim().split("\n").at(-1)!) as Answer
}

/** This file run by itself. */
function longApart(doing: Doing): Long {
  const flags = ["--conditions=source", "--import", "tsx", "--max-semi-space-size=1"]
  return answerOf([...flags, fileURLToPath(import.meta.url), "--long", doing])
}

async function longHere(doing: Doing): Promise<Long> {
  const model = hidden(8, diagonal())
  const steps = series(1_000_000)
  const short = series(10_000)
  const { fitted } = await iteration(model, short, 3)
  const pathOf = (of: typeof steps): number => {
    const began = cpu()
    fitted.path([{ steps: of }] as never)
    return cpu() - began
  }
  pathOf(short)
  let [seconds, path] = [0, 0]
  if (doing === "em") await iteration(model, steps, 4)
  if (doing === "path") pathOf(steps)
  if (doing === "times") {
    const perShort = (await iteration(model, short, 20)).seconds / 10_000
    seconds = (await iteration(model, steps, 4)).seconds / 1_000_000 / perShort
    const least = (count: number, of: typeof steps) =>
      Math.min(...Array.from({ length: count }, () => pathOf(of)))
    path = least(3, steps) / 1_000_000 / (least(5, short) / 10_000)
  }
  // the series must not be collected before
  if (steps.a[0] === steps.b[1]) console.log("")
  return { peak: peak(), seconds, path }
}

const ENCODED = (4 * 8 * 1_000_000) / 2 ** 20

/** Of 10⁶ steps: MB above the data, and time per step beside 10⁴. */
interface Above {
  readonly learned: number
  readonly path: number
  readonly learnedTime: number
  readonly pathTime: number
}

async function measuredLong(): Promise<Above> {
  const data = longApart("data")
  const learned = longApart("em")
  const path = longApart("path")
  const times = longApart("times")
  // a fit holds the door's encoded copy of the data, a question a block of it: four columns of doubles
  return {
    learned: learned.peak - data.peak - ENCODED,
    path: path.peak - data.peak - ENCODED,
    learnedTime: times.seconds,
    pathTime: times.path,
  }
}

async function long(asked: Asked): Promise<TimedBar[]> {
  const found = await kept(asked, "long", measuredLong)
  const memory = (what: string, of: number | undefined) =>
    barOf(
      what,
      "≤ 64",
      of,
      x => x.toFixed(0),
      x => x <= 64,
    )
  const time = (what: string, of: number | undefined) =>
    barOf(
      what,
      "≤ 2",
      of,
      x => x.toFixed(2),
      x => x <= 2,
    )
  return [
    memory("one series of 10⁶ steps, 8 states, 4 columns: memory above the data, EM, MB", found?.learned),
    memory("the same: memory above the data, path, MB", found?.path),
    time("the same: time of an EM iteration per step, beside 10⁴ steps", found?.learnedTime),
    time("the same: time of the path per step", found?.pathTime),
  ]
}

const LONG_WORDS = `One series of 10⁶ steps: the most memory that a process held (VmHWM) that learned or asked for the path, less that of one that holds the same series and fits a short one, less the
encoded copy of the data (${ENCODED.toFixed(0)} MB). What the collector had not freed yet is in it. Times are processor time, the fastest of several.`

/** Bundled, as users have it: what runs the sources as they are wraps functions, which allocates too. */
async function pushedApart(): Promise<Pushed> {
  const folder = mkdtempSync(join(tmpdir(), "suffice-bench-"))
  try {
    await bundle({ follow: fileURLToPath(new URL("follow.ts", import.meta.url)) }, folder)
    const flags = [
      "--expose-gc",
      "--single-threaded",
      ...["min", "max"].map(end => `--${end}-semi-space-size=256`),
    ]
    return answerOf([...flags, join(folder, "follow.js")])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function followed(asked: Asked): Promise<TimedBar[]> {
  const found = await kept(asked, "follow", pushedApart)
  return [
    barOf(
      "follow().push, 8 states, one number: steps per second",
      "≥ 100,000",
      found?.rate,
      x => Math.round(x).toLocaleString("en"),
      x => x >= 1e5,
    ),
    barOf(
      "the same: bytes allocated beside the answer",
      "0",
      found?.bytes,
      x => Math.max(0, x).toFixed(0),
      x => x < 1,
    ),
  ]
}

/** The section of the page, and the versions of the peers. */
export async function speed(
  asked: Asked,
): Promise<{ text: string; versions: Record<string, string>; bars: TimedBar[] }> {
  const versions: Record<string, string> = {}
  const { text, bars } = await iterations(asked, versions)
  const parts = [
    "## Time",
    `An iteration of EM on one series of ${STEPS.toLocaleString("en")} steps and 4 columns, one thread, processor time; hmmlearn with \`implementation="scaling"\`. Medians of three rounds, by turns.`,
    text,
  ]
  if (asked.only === undefined) {
    bars.push(...(await long(asked)), ...(await followed(asked)))
    parts.push(LONG_WORDS)
  }
  return { text: parts.join("\n\n"), versions, bars }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [first, doing] = process.argv.slice(2)
  if (first === "--long") console.log(JSON.stringify(await longHere(doing as Doing)))
  else {
    const { text, bars } = await speed({ keptOnly: false, ...(first !== undefined && { only: first }) })
    console.log(text)
    for (const [what, bar, measured, met] of bars)
      console.log(`${what}: ${measured} (${bar}) ${met ? "" : "missed"}`)
  }
}
