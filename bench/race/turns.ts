/** Both sides of a job: first what they computed is compared, then they are timed by turns. */
import { median } from "../page.ts"
import { dataOf } from "./data.ts"
import { type Job, MEMORY, quick, ROWS } from "./jobs.ts"
import { CACHE, ours, type Question, theirs } from "./peers.ts"
import type { Clock, Side } from "./sides.ts"

/** How the race is run. */
export interface Course {
  readonly isQuick: boolean
  readonly rounds: number
  /** Milliseconds of warm-up. */
  readonly warm: number
  /** Of OpenBLAS. */
  readonly coreType: string
}

export const course = (isQuick: boolean, coreType: string): Course => ({
  isQuick,
  rounds: isQuick ? 2 : 9,
  warm: isQuick ? 500 : 1500,
  coreType,
})

type Pair = readonly [ours: number, theirs: number]

export interface Raced {
  readonly job: Job
  readonly ours: readonly Clock[]
  readonly theirs: readonly Clock[]
  /** Peak over all rounds, MiB. */
  readonly memory: Pair
  /** Peak of one fit, MiB. */
  readonly peak?: Pair
  readonly difference: number
}

/** Milliseconds: shorter calls are repeated until they have taken so long. */
export const LONG = 50
const ITERATIONS = 4

export async function race(job: Job, course: Course): Promise<Raced> {
  const size = course.isQuick ? quick(job.size) : job.size
  const question = { job: { ...job, size }, folder: dataOf(CACHE, job, size), iterations: ITERATIONS }
  const [mine, other] = [await ours(question), await theirs(question, course.coreType)]
  const difference = differenceOf(job, await mine.result(), await other.result())
  const [oursTimes, theirTimes]: Clock[][] = [[], []]
  await byTurns([mine, other], [oursTimes, theirTimes], course)
  const memory = [await mine.end(), await other.end()] as const
  const peak = job.name === MEMORY.job ? await peaks(question, course) : undefined
  return { job, ours: oursTimes, theirs: theirTimes, memory, ...(peak && { peak }), difference }
}

/** Both warm, then round by round. */
async function byTurns(
  sides: readonly Side[],
  clocks: readonly Clock[][],
  { rounds, warm }: Course,
): Promise<void> {
  for (const side of sides) await warmed(side, warm)
  for (let round = 0; round < rounds; round++) {
    for (let s = 0; s < sides.length; s++) clocks[s].push(await turn(sides[s]))
  }
}

/** One fit in processes that do nothing else: uncollected garbage of earlier rounds is not counted. */
async function peaks(question: Question, { coreType }: Course): Promise<Pair> {
  const once = async (side: Side): Promise<number> => {
    await side.result()
    return side.end()
  }
  return [await once(await ours(question)), await once(await theirs(question, coreType))]
}

/** Compilers need some calls to find hot code: as many as take these milliseconds, and at least one. */
async function warmed(side: Side, milliseconds: number): Promise<void> {
  const start = performance.now()
  do await side.round()
  while (performance.now() - start < milliseconds)
}

/** The mean of as many calls as take LONG milliseconds, garbage collection included. */
async function turn(side: Side): Promise<Clock> {
  const start = performance.now()
  let [calls, seconds, cpu] = [0, 0, 0]
  do {
    const clock = await side.round()
    calls++
    seconds += clock.seconds
    cpu += clock.cpu
  } while (performance.now() - start < LONG)
  return { seconds: seconds / calls, cpu: cpu / calls }
}

/** The largest difference; for labels the share that differs, for accuracies the shortfall of ours. */
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

/** Our time on ten times the rows / on the rows, by turns. */
export async function tenfold(course: Course): Promise<readonly number[]> {
  const { kind, size } = ROWS
  const rows = course.isQuick ? 10_000 : size.rows
  const sides = await Promise.all(
    [rows, 10 * rows].map(count => {
      const job = { kind, threads: 1, peer: "scikit-learn", size: { ...size, rows: count } } as const
      return ours({ job, folder: dataOf(CACHE, job, job.size), iterations: ITERATIONS })
    }),
  )
  const [few, many]: Clock[][] = [[], []]
  await byTurns(sides, [few, many], course)
  for (const side of sides) await side.end()
  return ratiosOf({ ours: few, theirs: many })
}

export function ratiosOf({ ours, theirs }: Pick<Raced, "ours" | "theirs">): number[] {
  return ours.map((clock, round) => theirs[round].seconds / clock.seconds)
}

/** True if the job is fast enough, and the results agree. */
export function isMet(one: Raced): boolean {
  return median(ratiosOf(one)) >= one.job.bar && one.difference <= one.job.tolerance
}
