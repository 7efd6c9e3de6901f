/** The parts of the page: for each its bars and its text. */
import { atLeast, atMost, type Section } from "../bars.ts"
import { table } from "../page.ts"
import type { BesideBayesjs } from "./bayesjs.ts"
import type { Files, Inferred } from "./inference.ts"
import type { Climbed, Counted, Searched } from "./learning.ts"

const times = (x: number): string => `${x < 10 ? x.toFixed(1) : x.toFixed(0)} ×`
const scientific = (x: number): string => x.toExponential(1)
const fixed = (x: number): string => x.toFixed(1)
const ms = (seconds: number): string => (1000 * seconds).toFixed(seconds < 0.01 ? 2 : 0)
const total = (each: readonly number[]): number => each.reduce((a, b) => a + b, 0)

const POSTERIORS = `\`fitted.marginals(rows)\`: 100 rows drawn from each network, each cell present with probability 0.3; p(level | cells present) of every missing column.
pyAgrum: LazyPropagation, \`setEvidence\`, \`makeInference\` and \`posterior\` of the same columns, given the same doubles.
Medians of three rounds by turns. "First": a model that has met none of the patterns, in a process that has answered for other rows.`

export function posteriorSection(inferred: readonly Inferred[]): Section {
  const insurance = inferred.find(({ name }) => name === "insurance")!
  const others = inferred.filter(one => one !== insurance)
  const first = total(inferred.map(({ theirs }) => theirs)) / total(inferred.map(({ first }) => first))
  const apart = Math.max(...inferred.map(one => one.apart))
  const least = Math.min(...others.map(({ ratio }) => ratio))
  const rows = inferred.map(one => [
    one.name,
    scientific(one.apart),
    ms(one.first),
    ms(one.again),
    ms(one.theirs),
    times(one.ratio),
  ])
  const heads = ["network", "largest difference", "first, ms", "again, ms", "pyAgrum, ms", "pyAgrum / again"]
  return {
    bars: [
      atMost("posteriors of all missing columns: largest difference from pyAgrum", 1e-12, apart),
      atLeast("again, pyAgrum / ours: the least of six networks", 10, least, 1),
      atLeast("the same, insurance", 6, insurance.ratio, 1),
      atLeast("the first time, total of the seven", 2, first, 1),
    ],
    text: ["## Posteriors", POSTERIORS, table(heads, rows)],
  }
}

export function bayesjsSection({ version, rows, theirs, first, again, apart }: BesideBayesjs): Section {
  return {
    bars: [
      atLeast("alarm, bayesjs / ours, the first time", 100, theirs / first, 1),
      atLeast("the same, again", 100, theirs / again, 1),
    ],
    text: [
      `bayesjs ${version}, alarm, ${rows} rows: ${ms(theirs)} ms a row; ours ${ms(first)} ms the first time, ${ms(again)} again. Largest difference ${scientific(apart)}; bayesjs rounds its answers.`,
    ],
  }
}

export function fileSection({ read, summed, most, munin1 }: Files): Section {
  const isNamed = /entries/.test(munin1.said)
  return {
    bars: [
      atLeast("files of the 24 networks that are read", 24, read, 0),
      atLeast("networks summed out without evidence", 18, summed.length, 0),
      atMost("the same: the largest \\|ln Z\\|", 1e-9, most),
      atMost(
        "munin1 is rejected with its size and columns: seconds",
        2,
        isNamed ? munin1.seconds : Number.NaN,
        1,
      ),
    ],
    text: [
      "## Files and sums",
      `Summed out: ${summed.join(", ")}. Networks with tables of 11 to 63 million entries are read only. munin1: "${munin1.said}"`,
    ],
  }
}

export function emSection(climb: Climbed): Section {
  const { ours, theirs, falls, oursPerRow, theirsPerRow, bestPerRow, starts, sweeps, iterations } = climb
  return {
    bars: [
      atLeast(
        "EM, alarm, 2,000 rows, 10 % of cells removed: pyAgrum's iteration / our sweep",
        100,
        theirs / ours,
        1,
      ),
      atMost("the same: decreases of the objective", 0, falls, 0),
      atLeast("the same: ln p per row, pyAgrum's − 1e-4", theirsPerRow - 1e-4, oursPerRow, 5),
    ],
    text: [
      "## Learning",
      `EM: a sweep over 2,000 rows takes ${ms(ours)} ms, an iteration of pyAgrum ${theirs.toFixed(2)} s; ${sweeps} steps and ${iterations} iterations, both with a prior of 1e-6 per cell.`,
      `ln p per row by one evaluator: ${oursPerRow.toFixed(5)} from one start, ${bestPerRow.toFixed(5)} as the best of ${starts}, pyAgrum ${theirsPerRow.toFixed(5)}.`,
    ],
  }
}

export function countingSection({ rows, sweep, whole, theirs, opened }: Counted): Section {
  const what = "counting alarm, 50,000 rows: learnParameters / a sweep with its solve"
  return {
    bars: [atLeast(what, 1, theirs / sweep, 1)],
    text: [
      `Counting, ${rows.toLocaleString("en")} rows: a sweep over encoded rows with its solve ${ms(sweep)} ms, a whole fit from text ${ms(whole)} ms; learnParameters ${ms(theirs)} ms, after ${ms(opened)} ms of opening the frame.`,
    ],
  }
}

const STRUCTURE = `\`structure(rows, { search: "orders", score: "bic" })\`, three samples of 5,000 rows. SHD: pairs of columns linked differently in the
equivalence classes of the result and of the truth. Our time includes reading the rows, pyAgrum's is \`learnDAG\` alone.`
/** The largest mean SHD. */
const MOST = { asia: 2, child: 2, insurance: 25, alarm: 12 }

export function structureSection(results: readonly Searched[]): Section {
  const gain = Math.min(...results.map(one => one.gain))
  const named = (name: string) => results.find(one => one.name === name)!
  const { pgmpy } = named("child")
  const heads = [
    "network",
    "SHD",
    "of each sample",
    "pyAgrum tabu",
    "least gain of BIC",
    "ours, s",
    "pyAgrum, s",
  ]
  const rows = results.map(one => [
    one.name,
    fixed(one.ours),
    one.each.join(", "),
    fixed(one.tabu),
    fixed(one.gain),
    one.seconds.toFixed(2),
    one.tabuSeconds.toFixed(3),
  ])
  return {
    bars: [
      ...Object.entries(MOST).map(([name, most]) =>
        atMost(`structure: mean SHD of three samples, ${name}`, most, named(name).ours, 1),
      ),
      atLeast("the least BIC(ours) − BIC(pyAgrum's tabu), 12 samples", 0, gain, 1),
      atMost("time on alarm, ours / pyAgrum's", 15, named("alarm").ratio, 1),
      atLeast("time on child, pgmpy's / ours", 5, pgmpy!.ratio, 1),
    ],
    text: [
      "## Structure",
      STRUCTURE,
      table(heads, rows),
      `pgmpy's hill climbing on child, first sample: ${pgmpy!.seconds.toFixed(1)} s, SHD ${pgmpy!.distance}.`,
    ],
  }
}
