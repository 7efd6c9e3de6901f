/** The page of the race. */
import { median, table, verdict } from "../page.ts"
import { type Job, MEMORY, ROWS } from "./jobs.ts"
import type { Clock } from "./sides.ts"
import { type Course, isMet, LONG, type Raced, ratiosOf } from "./turns.ts"

const milliseconds = (clocks: readonly Clock[]): string =>
  (1000 * median(clocks.map(({ seconds }) => seconds))).toPrecision(3)

const HEADS = ["job", "against", "ours, ms", "theirs, ms", "ratio", "range", "bar", "met", "CPU ratio"]

export function report(
  raced: readonly Raced[],
  growth: readonly number[] | undefined,
  { rounds, warm }: Course,
): string[] {
  const missed = raced.filter(one => !isMet(one)).map(({ job }) => job.name)
  return [
    `Suffice beside its alternatives: their time over ours, above 1 where ours is faster. The rows are the same, in memory, drawn with a seed.
Both sides run by turns in processes of their own, ${rounds} rounds after ${warm / 1000} seconds of warm-up; each clocks its own library call.
A round is as many calls as take ${LONG} ms. The ratio is taken round by round: its median, and its range.
The results are compared first: the last column is the largest difference.`,
    table([...HEADS, "memory, MiB: ours / theirs", "difference"], raced.map(rowOf)),
    [
      ...raced.flatMap(memoryLine),
      ...(growth ? [growthLine(growth)] : []),
      `- Missed: ${missed.join("; ") || "none"}.`,
    ].join("\n"),
    "## What is timed, and what is compared",
    table(
      ["job", "rows × columns × classes", "timed", "compared", "may differ by"],
      raced.map(({ job }) => describedJob(job)),
    ),
  ]
}

function rowOf(one: Raced): string[] {
  const { job, memory, difference } = one
  const ratios = ratiosOf(one)
  const cpu = median(one.ours.map((clock, round) => one.theirs[round].cpu / clock.cpu))
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
    job.same.startsWith("nothing") ? "–" : difference.toExponential(1),
  ]
}

function memoryLine({ peak, memory }: Raced): string[] {
  if (!peak) return []
  const [once, rounds] = [peak, memory].map(([ours, theirs]) => ours / theirs)
  const mib = peak.map(mib => mib.toFixed(0)).join(" / ")
  return [
    `- Peak memory of one fit, "${MEMORY.job}", alone in a process: ${mib} MiB, ${once.toFixed(2)} of theirs; at most ${MEMORY.bar}: ${verdict(once <= MEMORY.bar)}. Over all rounds, uncollected garbage included: ${rounds.toFixed(2)}.`,
  ]
}

function growthLine(growth: readonly number[]): string {
  const times = median(growth)
  const range = `${Math.min(...growth).toFixed(1)}–${Math.max(...growth).toFixed(1)}`
  return `- Ten times the rows (mixture, full, d=8): ${times.toFixed(1)} times the time (${range}); at most ${ROWS.bar}: ${verdict(times <= ROWS.bar)}.`
}

const describedJob = ({ name, size, timed, same, tolerance }: Job): string[] => [
  name,
  size.corpus ?? `${size.rows} × ${size.columns} × ${size.classes}`,
  timed,
  same,
  Number.isFinite(tolerance) ? String(tolerance) : "–",
]
