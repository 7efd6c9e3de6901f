/** One fit of bench/frames.ts, in a process of its own: prints processor time per sweep, peak memory and the objective. */
import { dice, em, fit, gaussian, independent, mixture } from "suffice"

const [mode = "frames", count = "1000000", threads = "1"] = process.argv.slice(2)
const rows = Number(count)
const names = Array.from({ length: 8 }, (_, j) => `x${j}`)
const model = mixture(6, independent(Object.fromEntries(names.map(name => [name, gaussian()]))))
const BATCH = 16_384

/** The same rows at every pass: six clusters. */
function* batches(): Generator<Record<string, Float64Array>> {
  for (let first = 0; first < rows; first += BATCH) {
    const roll = dice(first)
    const size = Math.min(BATCH, rows - first)
    const columns = Object.fromEntries(names.map(name => [name, new Float64Array(size)]))
    for (let i = 0; i < size; i++) {
      const cluster = roll.integer(6)
      for (let j = 0; j < 8; j++)
        columns[names[j]][i] = ((cluster * (j + 3)) % 7) + roll.uniform() + roll.uniform()
    }
    yield columns
  }
}

function held(): Record<string, Float64Array> {
  const all = Object.fromEntries(names.map(name => [name, new Float64Array(rows)]))
  let at = 0
  for (const batch of batches()) {
    for (const name of names) all[name].set(batch[name], at)
    at += batch.x0.length
  }
  return all
}

const source = {
  async *[Symbol.asyncIterator]() {
    yield* batches()
  },
}
const data = mode === "memory" ? held() : source
const steps: number[] = []
const began = process.cpuUsage()
const fitted = await fit(model, data as never, {
  learner: em({ maxIterations: 4, tolerance: 0 }),
  threads: Number(threads),
  ...(mode === "again" && { spill: false as const }),
  onStep: () => {
    const { user, system } = process.cpuUsage(began)
    steps.push((user + system) / 1e6)
  },
})
const sweeps = steps.slice(1).map((at, s) => at - steps[s])
console.log(
  JSON.stringify({
    mode,
    rows,
    threads: Number(threads),
    perSweep: Math.min(...sweeps),
    sweeps,
    before: steps[0],
    megabytes: process.resourceUsage().maxRSS / 1024,
    trace: fitted.training?.trace,
  }),
)
process.exit(0)
