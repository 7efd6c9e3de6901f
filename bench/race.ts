/**
 * The race: Suffice and the systems one would use instead, on the same rows, side by side.
 *
 *     npm run bench:race                        all jobs; writes bench/RESULTS.md and bench/race.svg
 *     npm run bench:race -- "mixture, full"     the jobs whose name holds it; printed
 *     npm run bench:race -- --quick             small and short, to see that everything runs; printed
 *
 * Each side is a process of its own that stays. First both say what they computed, and the race ends where it differs. Then, both being
 * warm, they take turns; the ratio is taken round by round, its median counts. A peer that cannot be installed is named, and the
 * exit code is 1; where the real texts are absent their jobs are named and left out, and the exit code is 2.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg, totalmem } from "node:os"
import { median, table, verdict } from "./page.ts"
import { ratioChart } from "./race/chart.ts"
import { dataOf } from "./race/data.ts"
import { JOBS, type Job, MEMORY, quick, ROWS } from "./race/jobs.ts"
import {
  bestCoreType,
  bundleOurs,
  CACHE,
  DATA,
  ours,
  prepare,
  type Question,
  theirs,
  versions,
} from "./race/peers.ts"
import { type Profile, told } from "./race/profile.ts"
import type { Clock, Side } from "./race/sides.ts"

interface Raced {
  readonly job: Job
  readonly ours: readonly Clock[]
  readonly theirs: readonly Clock[]
  /** The peak over all rounds. */
  readonly memory: readonly [ours: number, theirs: number]
  /** Of one fit. */
  readonly peak?: readonly [ours: number, theirs: number]
  readonly difference: number
  /** Of our side, where the bar was missed. */
  readonly profile?: Profile
  /** And what a program can do that is written for these rows alone. */
  readonly byHand?: ByHand
}

interface ByHand {
  readonly hand: readonly Clock[]
  readonly theirs: readonly Clock[]
}

const load = loadavg()[0]
const given = process.argv.slice(2)
const isQuick = given.includes("--quick")
const wanted = given.filter(word => !word.startsWith("--"))
const ROUNDS = isQuick ? 2 : 9
/** Above this load nothing is a measurement, and no page is written. */
const IDLE = 1
const WARM = isQuick ? 500 : 1500
/** Milliseconds: calls that are shorter are repeated until they have taken so long. */
const LONG = 50
const ITERATIONS = 4

const chosen = JOBS.filter(({ name }) => wanted.length === 0 || wanted.some(word => name.includes(word)))
if (chosen.length === 0) {
  console.error(
    `No job has that in its name: ${wanted.join(", ")}. The jobs are:\n${JOBS.map(({ name }) => name).join("\n")}`,
  )
  process.exit(1)
}
const jobs = chosen.filter(({ size }) => !size.corpus || existsSync(DATA))
const absent = chosen.filter(job => !jobs.includes(job))
const peers = new Set(jobs.map(({ peer }) => peer))
const missing = prepare(peers)
if (missing.length > 0) {
  console.error(`These peers cannot be installed, so there is no race:\n${missing.join("\n")}`)
  process.exit(1)
}
await bundleOurs()
const coreType = jobs.some(({ peer }) => peer === "scikit-learn") ? bestCoreType() : ""

const raced: Raced[] = []
const different: string[] = []
for (const job of jobs) {
  const done = await race(job)
  raced.push(done)
  const ratio = median(ratiosOf(done)).toFixed(2)
  console.log(`${job.name}: ${ratio} (bar ${job.bar}), difference ${done.difference.toExponential(1)}`)
  if (!(done.difference <= job.tolerance) && !job.same.startsWith("accuracy")) different.push(job.name)
}
const growth = wanted.length === 0 ? await tenfold() : undefined
report()
if (different.length > 0) {
  console.error(`The two sides do not compute the same: ${different.join("; ")}.`)
  process.exit(1)
}
if (absent.length > 0) {
  console.error(
    `Left out, since ../shared/data is not here: ${absent.map(({ name }) => name).join("; ")}. It is expected beside the repository.`,
  )
  process.exit(2)
}

async function race(job: Job): Promise<Raced> {
  const size = isQuick ? quick(job.size) : job.size
  const question = { job: { ...job, size }, folder: dataOf(CACHE, job, size), iterations: ITERATIONS }
  const [mine, other] = [await ours(question), await theirs(question, coreType)]
  const clocks: { ours: Clock[]; theirs: Clock[] } = { ours: [], theirs: [] }
  const result = await mine.result()
  const difference = differenceOf(job, result, await other.result())
  await byTurns([mine, other], [clocks.ours, clocks.theirs])
  const memory = [await mine.end(), await other.end()] as const
  const peak = job.name === MEMORY.job ? await peaks(question) : undefined
  const done = { job, ...clocks, memory, ...(peak && { peak }), difference }
  if (isMet(done)) return done
  const profile = await profileOf(question)
  return { ...done, profile, ...(job.byHand && { byHand: await byHand(job, question, result) }) }
}

/** Both warm, then round by round. */
async function byTurns(sides: readonly Side[], clocks: readonly Clock[][]): Promise<void> {
  for (const side of sides) await warm(side)
  for (let round = 0; round < ROUNDS; round++) {
    for (let s = 0; s < sides.length; s++) clocks[s].push(await turn(sides[s]))
  }
}

/** Loops by hand beside the peer, after they have shown that they find what we found. */
async function byHand(job: Job, question: Question, ours: readonly number[]): Promise<ByHand> {
  const by = { ...question, job: { ...question.job, peer: "by hand" as const } }
  const sides = [await theirs(by, coreType), await theirs(question, coreType)]
  const clocks: { hand: Clock[]; theirs: Clock[] } = { hand: [], theirs: [] }
  if (!(differenceOf(job, await sides[0].result(), ours) <= job.tolerance))
    different.push(`${job.name}, by hand`)
  await byTurns(sides, [clocks.hand, clocks.theirs])
  for (const side of sides) await side.end()
  return clocks
}

/** In a process of its own, so that the memory of the race is not charged for it. */
async function profileOf(question: Question): Promise<Profile> {
  const mine = await ours(question)
  await warm(mine)
  const profile = await mine.profile()
  await mine.end()
  return profile
}

/** Of one fit, in processes that do no more: what earlier rounds have left lying about is no need of a fit. */
async function peaks(question: Question): Promise<readonly [ours: number, theirs: number]> {
  const once = async (side: Side): Promise<number> => {
    await side.result()
    return side.end()
  }
  return [await once(await ours(question)), await once(await theirs(question, coreType))]
}

/** Compilers need some calls to see what is hot, the more the shorter they are: as many as these milliseconds take, and at least one. */
async function warm(side: Side): Promise<void> {
  const start = performance.now()
  do await side.round()
  while (performance.now() - start < WARM)
}

/** A round: as many calls as it takes to be worth a clock, and the mean of them, what they leave to be collected included. */
async function turn(side: Side): Promise<Clock> {
  const start = performance.now()
  let calls = 0
  let seconds = 0
  let cpu = 0
  do {
    const clock = await side.round()
    calls++
    seconds += clock.seconds
    cpu += clock.cpu
  } while (performance.now() - start < LONG)
  return { seconds: seconds / calls, cpu: cpu / calls }
}

/** The largest difference; of labels the share that differs; of accuracies what ours lacks. */
function differenceOf({ same }: Job, a: readonly number[], b: readonly number[]): number {
  if (same.startsWith("nothing")) return 0
  if (a.length !== b.length || a.length === 0) return Number.POSITIVE_INFINITY
  if (same.startsWith("accuracy")) {
    console.log(`  accuracy: ours ${a[0].toFixed(4)}, theirs ${b[0].toFixed(4)}`)
    return Math.max(0, b[0] - a[0])
  }
  if (same.startsWith("share")) return a.filter((label, i) => label !== b[i]).length / a.length
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0)
}

/** Ourselves on ten times the rows, by turns. */
async function tenfold(): Promise<readonly number[]> {
  const { kind, size } = ROWS
  const rows = isQuick ? 10_000 : size.rows
  const sides = await Promise.all(
    [rows, 10 * rows].map(count => {
      const job = { kind, threads: 1, peer: "scikit-learn", size: { ...size, rows: count } } as const
      return ours({ job, folder: dataOf(CACHE, job, job.size), iterations: ITERATIONS })
    }),
  )
  const [few, many]: Clock[][] = [[], []]
  await byTurns(sides, [few, many])
  for (const side of sides) await side.end()
  return ratiosOf({ ours: few, theirs: many })
}

/** Fast enough, and where two algorithms are held against each other as good as well. */
function isMet(one: Raced): boolean {
  return median(ratiosOf(one)) >= one.job.bar && one.difference <= one.job.tolerance
}

function ratiosOf({ ours, theirs }: Pick<Raced, "ours" | "theirs">): number[] {
  return ours.map((clock, round) => theirs[round].seconds / clock.seconds)
}

function report(): void {
  const rows = raced.map(one => {
    const { job, memory, difference } = one
    const ratios = ratiosOf(one)
    const cpu = median(one.ours.map((clock, round) => one.theirs[round].cpu / clock.cpu))
    const compared = job.same.startsWith("nothing") ? "–" : difference.toExponential(1)
    return [
      job.name,
      job.peer,
      milliseconds(one.ours),
      milliseconds(one.theirs),
      `**${median(ratios).toPrecision(3)}**`,
      `${Math.min(...ratios).toPrecision(3)}–${Math.max(...ratios).toPrecision(3)}`,
      `≥ ${job.bar}`,
      verdict(isMet(one)),
      cpu.toPrecision(3),
      `${memory[0].toFixed(0)} / ${memory[1].toFixed(0)}`,
      compared,
    ]
  })
  const heads = ["job", "against", "ours, ms", "theirs, ms", "ratio", "range", "bar", "met", "CPU ratio"]
  const parts = [
    `Suffice beside what one would use instead: the time of theirs over the time of ours, above 1 where ours is faster. Same rows, in memory, drawn with a seed; both sides
by turns in processes of their own, ${ROUNDS} rounds after ${WARM / 1000} seconds to warm up, a round being as many calls as ${LONG} ms take; each clocks its own library call. The ratio is
taken round by round: its median, and its range.
Both first show what they computed: the largest difference stands at the end.`,
    ...(load > IDLE
      ? [
          `**The load average was ${load.toFixed(1)} before this run: the machine did other things. Nothing here is a result; jobs of several threads least of all, where OpenBLAS waits for its threads by spinning.**`,
        ]
      : []),
    table([...heads, "memory, MiB: ours / theirs", "difference"], rows),
    ...lines(),
    "## What is timed, and what is compared",
    table(
      ["job", "rows × columns × classes", "timed", "compared", "may differ by"],
      raced.map(({ job }) => [
        job.name,
        job.size.corpus ?? `${job.size.rows} × ${job.size.columns} × ${job.size.classes}`,
        job.timed,
        job.same,
        Number.isFinite(job.tolerance) ? String(job.tolerance) : "–",
      ]),
    ),
    "## Made",
    `${new Date().toISOString().slice(0, 10)}; node ${process.versions.node}; ${Object.entries(
      versions(peers),
    )
      .map(([name, version]) => `${name} ${version}`)
      .join(
        ", ",
      )}; ${cpus().length} × ${cpus()[0].model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform} ${process.arch}; load average before: ${load.toFixed(1)}; OPENBLAS_CORETYPE: ${coreType || "its own choice"}, the fastest here.`,
  ]
  const text = `# The race\n\nWritten by \`npm run bench:race\`; not edited by hand.\n\n${parts.join("\n\n")}\n`
  console.log(`\n${text}`)
  if (isQuick || wanted.length > 0 || absent.length > 0 || load > IDLE) return
  const ratios = raced.map(one => ({
    name: one.job.name,
    ratio: median(ratiosOf(one)),
    bar: one.job.bar,
    met: isMet(one),
  }))
  writeFileSync(
    new URL("race.svg", import.meta.url),
    ratioChart(ratios, "Suffice against its peers; the mark is the bar"),
  )
  const page = text.replace("## What is timed", "![ratios](race.svg)\n\n## What is timed")
  const results = new URL("RESULTS.md", import.meta.url)
  writeFileSync(results, withKept(results, page))
}

/** Other studies keep their part of the page below a line. */
function withKept(results: URL, page: string): string {
  const old = existsSync(results) ? readFileSync(results, "utf8") : ""
  const at = old.indexOf("\n<!-- kept -->\n")
  return at < 0 ? page : page + old.slice(at)
}

/** Memory, growth, and what missed its bar. */
function lines(): string[] {
  const said: string[] = []
  const heavy = raced.find(({ job }) => job.name === MEMORY.job)
  if (heavy?.peak) {
    const [once, rounds] = [heavy.peak, heavy.memory].map(([ours, theirs]) => ours / theirs)
    said.push(
      `- Peak memory of one fit, "${MEMORY.job}", in processes that do no more: ${heavy.peak.map(mib => mib.toFixed(0)).join(" / ")} MiB, ${once.toFixed(2)} of theirs; at most ${MEMORY.bar}: ${verdict(once <= MEMORY.bar)}. Over all rounds, with what earlier fits have left to be collected: ${rounds.toFixed(2)}.`,
    )
  }
  if (growth) {
    const times = median(growth)
    said.push(
      `- Ten times the rows (mixture, full, d=8): ${times.toFixed(1)} times the time (${Math.min(...growth).toFixed(1)}–${Math.max(...growth).toFixed(1)}); at most ${ROWS.bar}: ${verdict(times <= ROWS.bar)}.`,
    )
  }
  for (const one of raced) {
    if (isMet(one)) continue
    const whole = one.job.kind.startsWith("mixture") ? " (the whole fit, in its own thread)" : ""
    const profile = one.profile ? `Where our time goes${whole}: ${told(one.profile)}. ` : ""
    said.push(
      `- Missed, ${one.job.name}. ${profile}${toldByHand(one)}What would close it: ${one.job.closing ?? "not known."}`,
    )
  }
  return said.length > 0 ? [said.join("\n")] : []
}

function toldByHand({ byHand }: Raced): string {
  if (!byHand) return ""
  const ratio = median(ratiosOf({ ours: byHand.hand, theirs: byHand.theirs })).toPrecision(3)
  return `A program of plain loops that is written for these rows alone, without a check or a model, takes ${milliseconds(byHand.hand)} ms and reaches ${ratio}. `
}

function milliseconds(clocks: readonly Clock[]): string {
  return (1000 * median(clocks.map(({ seconds }) => seconds))).toPrecision(3)
}
