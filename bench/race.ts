/**
 * The race: Suffice and its alternatives on the same rows, side by side.
 *
 *     npm run bench -- race                     all jobs; RESULTS.md and race.svg
 *     npm run bench -- race "mixture, full"     the jobs whose name contains the words, printed
 *     npm run bench -- race --quick             small and short, a test of the race itself, printed
 *
 * Each side is a process of its own. First the results of both are compared, then they are timed by turns, both warm. Different results end
 * the race with code 1. Where the real texts are absent, their jobs are named and left out, with code 2.
 */
import { existsSync, writeFileSync } from "node:fs"
import { matching } from "./options.ts"
import { LOAD, median, writePage } from "./page.ts"
import { ratioChart } from "./race/chart.ts"
import { JOBS } from "./race/jobs.ts"
import { bestCoreType, bundleOurs, DATA, prepare, versions } from "./race/peers.ts"
import { report } from "./race/report.ts"
import { course, isMet, type Raced, race, ratiosOf, tenfold } from "./race/turns.ts"
import { Stop } from "./stop.ts"

/** Above this load nothing is a measurement, and no page is written. */
const IDLE = 1

export async function run(options: readonly string[]): Promise<void> {
  const isQuick = options.includes("--quick")
  const words = options.filter(option => option !== "--quick")
  const chosen = matching(JOBS, words)
  const jobs = chosen.filter(({ size }) => !size.corpus || existsSync(DATA))
  const absent = chosen.filter(job => !jobs.includes(job)).map(({ name }) => name)
  const peers = new Set(jobs.map(({ peer }) => peer))
  prepare(peers)
  await bundleOurs()
  const coreType = peers.has("scikit-learn") ? bestCoreType() : ""
  const how = course(isQuick, coreType)
  const raced: Raced[] = []
  for (const job of jobs) {
    const done = await race(job, how)
    raced.push(done)
    const ratio = median(ratiosOf(done)).toFixed(2)
    console.log(`${job.name}: ${ratio} (bar ${job.bar}), difference ${done.difference.toExponential(1)}`)
  }
  const growth = words.length === 0 ? await tenfold(how) : undefined
  const parts = report(raced, growth, how)
  if (isQuick || words.length > 0 || absent.length > 0 || LOAD > IDLE) {
    console.log(`\n${parts.join("\n\n")}`)
    if (LOAD > IDLE) console.log(`\nThe load average was ${LOAD.toFixed(1)}: this is not a measurement.`)
  } else {
    draw(raced)
    writePage(
      "race",
      "The race",
      [...parts, "![ratios](race.svg)"],
      { ...versions(peers), OPENBLAS_CORETYPE: coreType || "default" },
      "RESULTS",
    )
  }
  const different = raced.filter(
    ({ job, difference }) => !(difference <= job.tolerance) && !job.same.startsWith("accuracy"),
  )
  if (different.length > 0) {
    console.error(
      `The two sides do not compute the same: ${different.map(({ job }) => job.name).join("; ")}.`,
    )
    process.exitCode = 1
  } else if (absent.length > 0)
    throw new Stop(`Left out, since ../shared/data is not beside the repository: ${absent.join("; ")}.`)
}

function draw(raced: readonly Raced[]): void {
  const ratios = raced.map(one => ({
    name: one.job.name,
    ratio: median(ratiosOf(one)),
    bar: one.job.bar,
    met: isMet(one),
  }))
  const title = "Suffice against its peers; the mark is the bar"
  writeFileSync(new URL("race.svg", import.meta.url), ratioChart(ratios, title))
}
