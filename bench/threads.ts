/**
 * From how much work on do threads pay? Fits of 20 sweeps, in one thread, in two that are new and in two that an earlier fit has left, by
 * turns: the ratios of their times, above 1 where two are faster. `SMALL` of threads/threads.ts comes from the new ones.
 *
 *     npm run bench:threads            writes bench/threads.md
 *     npm run bench:threads -- 3       three rounds, printed only
 */
import { availableParallelism, loadavg } from "node:os"
import { type Columns, dice, em, fit, type Model, mixture, normal } from "suffice"
import { median, table, writePage } from "./page.ts"

const asked = process.argv[2]
const ROUNDS = Number(asked ?? 5)
const SHAPES = [
  { d: 2, k: 3 },
  { d: 8, k: 8 },
]
const SIZES = [16_384, 32_768, 65_536, 131_072, 262_144]
const learner = em({ maxIterations: 20, tolerance: 0 })
const load = loadavg()[0]

/** How many milliseconds a fit takes, by the clock. */
async function took(model: Model, columns: Columns, threads: number): Promise<number> {
  const began = performance.now()
  await fit(model, columns as never, { learner, threads })
  return performance.now() - began
}

/** An abort ends the workers that wait: those of the next fit are new. */
async function dismiss(model: Model, columns: Columns): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  const onStep = (): void => controller.abort()
  await fit(model, columns as never, { learner, threads: 2, signal, onStep }).catch(() => undefined)
}

const lines: string[][] = []
for (const { d, k } of SHAPES) {
  const names = Array.from({ length: d }, (_, j) => `x${j}`)
  const model = mixture(k, normal(names)) as unknown as Model
  for (const rows of SIZES) {
    const die = dice(1)
    const draw = () => Float64Array.from({ length: rows }, (_, i) => die.normal() + 3 * (i % k))
    const columns = Object.fromEntries(names.map(name => [name, draw()]))
    const rounds: { one: number; fresh: number; kept: number }[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const one = await took(model, columns, 1)
      await dismiss(model, columns)
      const fresh = await took(model, columns, 2)
      // those of the first fit have not seen enough to be warm
      await took(model, columns, 2)
      const kept = await took(model, columns, 2)
      // the first round warms up
      if (round > 0) rounds.push({ one, fresh, kept })
    }
    const { free } = (await fit(model, columns as never, { learner, threads: 1 })).criteria()
    const middle = (of: (round: (typeof rounds)[number]) => number): number => median(rounds.map(of))
    lines.push([
      ...[d, k, rows].map(String),
      (rows * (256 + free)).toExponential(1),
      ...[middle(({ one }) => one), middle(({ fresh }) => fresh), middle(({ kept }) => kept)].map(ms =>
        ms.toFixed(0),
      ),
      middle(({ one, fresh }) => one / fresh).toFixed(2),
      middle(({ one, kept }) => one / kept).toFixed(2),
    ])
    console.log(lines.at(-1)!.join("  "))
  }
}

const head = [
  "d",
  "k",
  "rows",
  "work",
  "one thread, ms",
  "two new, ms",
  "two kept, ms",
  "one / new",
  "one / kept",
]
const found = table(head, lines)
if (asked) console.log(`\n${found}`)
else {
  const what = `Mixtures of full normals, 20 sweeps each, the whole fit by the clock; medians of ${ROUNDS} rounds, in which the three take turns.
New workers begin with the fit; kept ones have been left by fits before. Work is rows × (256 + free parameters), as \`"auto"\` reckons it; where it
takes one per core, \`SMALL\` of threads/threads.ts says. ${availableParallelism()} cores; load average before: ${load.toFixed(1)}. Where that is not near 0, two threads had less than two cores.`
  writePage("threads", "From how much work on do threads pay?", [what, found], { versions: {} })
}
