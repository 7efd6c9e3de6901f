/** Hidden Markov models by processor time, one thread: an EM iteration by turns with hmmlearn, one long series, a series followed by steps. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Model } from "suffice"
import { chain, mixture, normal } from "suffice"
import { atLeast, atMost, type Bar, type Section } from "../bars.ts"
import { bundle } from "../bundle.ts"
import { kept } from "../kept.ts"
import { median, table } from "../page.ts"
import { ask, type Versions } from "../peer.ts"
import type { Pushed } from "./follow.ts"
import { answerOf, diagonal, iteration, measuredLong } from "./long.ts"
import { peerVersions } from "./peers.ts"
import { NAMES, series } from "./series.ts"

const STEPS = 200_000
const ENCODED = (4 * 8 * 1_000_000) / 2 ** 20

interface Job {
  readonly name: string
  readonly title: string
  readonly model: Model
  readonly peer: Readonly<Record<string, string | number>>
  readonly least: number
}

const hidden = (states: number, body: unknown): Model => chain(states, body as never) as unknown as Model
const full = () => normal([...NAMES])

const job = (states: number, covariance: "diag" | "full", title: string, least: number): Job => ({
  name: `${covariance}-${states}`,
  title: `${states} states, ${title}`,
  model: hidden(states, covariance === "diag" ? diagonal() : full()),
  peer: { states, covariance },
  least,
})

const JOBS: readonly Job[] = [
  job(8, "diag", "diagonal", 3),
  job(8, "full", "full", 3),
  job(32, "diag", "diagonal", 4),
  job(32, "full", "full", 4),
  {
    name: "gmm-8-3",
    title: "8 states of 3 diagonal normals",
    model: hidden(8, mixture(3, normal([...NAMES], { covariance: "diag" } as never) as never)),
    peer: { states: 8, covariance: "diag", mixtures: 3 },
    least: 10,
  },
]

interface PeerAnswer extends Versions {
  /** Processor time of one iteration. */
  readonly seconds: number
  readonly peers: Readonly<Record<string, string>>
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
    const question = { ...peer, iterations: 3, data }
    const answer = ask<PeerAnswer>("chains/speed.py", question, "chains/requirements.txt")
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

async function iterations(): Promise<{ text: string; bars: Bar[] }> {
  const bars: Bar[] = []
  const lines: string[][] = []
  for (const one of JOBS) {
    const timed = await kept("chains", ["speed", one.name], () => timedBeside(one))
    Object.assign(peerVersions, timed.versions)
    bars.push(atLeast(`an EM iteration, ${one.title}: hmmlearn / ours`, one.least, timed.ratio))
    lines.push([one.title, timed.ours.toFixed(3), timed.theirs.toFixed(3), timed.ratio.toFixed(2)])
    console.log(lines.at(-1)!.join("  "))
  }
  return { text: table(["model", "ours, s", "hmmlearn, s", "hmmlearn / ours"], lines), bars }
}

async function long(): Promise<Bar[]> {
  const { learned, path, learnedTime, pathTime } = await kept("chains", ["speed", "long"], measuredLong)
  const series = "one series of 10⁶ steps, 8 states, 4 columns"
  // a fit holds an encoded copy of the data, a question a block of it: four columns of doubles
  return [
    atMost(`${series}: memory above the data, EM, MB`, 64, learned - ENCODED, 0),
    atMost("the same: memory above the data, path, MB", 64, path - ENCODED, 0),
    atMost("the same: time of an EM iteration per step, beside 10⁴ steps", 2, learnedTime),
    atMost("the same: time of the path per step", 2, pathTime),
  ]
}

/** Bundled, as users have it: a loader of sources wraps functions, which allocates too. */
async function pushedApart(): Promise<Pushed> {
  const folder = mkdtempSync(join(tmpdir(), "suffice-bench-"))
  try {
    await bundle({ follow: fileURLToPath(new URL("follow.ts", import.meta.url)) }, folder)
    const sizes = ["min", "max"].map(end => `--${end}-semi-space-size=256`)
    return answerOf(["--expose-gc", "--single-threaded", ...sizes, join(folder, "follow.js")])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function followed(): Promise<Bar[]> {
  const { rate, bytes } = await kept("chains", ["speed", "follow"], pushedApart)
  return [
    atLeast("follow().push, 8 states, one number: steps per second", 1e5, rate, 0),
    atMost("the same: bytes allocated beside the answer", 0, Math.max(0, Math.floor(bytes)), 0),
  ]
}

const LONG = `One series of 10⁶ steps: the largest memory of a process (VmHWM) that learns or asks for the path, less the memory of one that holds the same series
and fits a short one, less the encoded copy of the data (${ENCODED.toFixed(0)} MB). Uncollected garbage is included.
Times are processor time, the fastest of several.`

export async function speed(): Promise<Section> {
  const { text, bars } = await iterations()
  return {
    bars: [...bars, ...(await long()), ...(await followed())],
    text: [
      "## Time",
      `An iteration of EM on one series of ${STEPS.toLocaleString("en")} steps and 4 columns, one thread, processor time; hmmlearn with \`implementation="scaling"\`. Medians of three rounds, by turns.`,
      text,
      LONG,
    ],
  }
}
