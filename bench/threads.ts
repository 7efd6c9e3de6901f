/**
 * From how much work on do threads pay? Fits of 20 sweeps, in one thread and in two, alternating: the ratio of their times, above 1
 * where two are faster. `SMALL` of threads/threads.ts comes from here. `-- 5` for five rounds.
 */
import { availableParallelism } from "node:os"
import { dice, em, fit, mixture, normal } from "suffice"

const rounds = Number(process.argv[2] ?? 5)
const shapes = [
  { d: 2, k: 3 },
  { d: 8, k: 8 },
]
const learner = em({ maxIterations: 20, tolerance: 0 })

console.log(`${availableParallelism()} cores\n`)
console.log("|  d |  k |    rows |     work | one thread, ms | two threads, ms | ratio |")
console.log("|---:|---:|--------:|---------:|---------------:|----------------:|------:|")
for (const { d, k } of shapes) {
  const names = Array.from({ length: d }, (_, j) => `x${j}`)
  const model = mixture(k, normal(names))
  for (const rows of [16_384, 32_768, 65_536, 131_072]) {
    const die = dice(1)
    const draw = () => Float64Array.from({ length: rows }, (_, i) => die.normal() + 3 * (i % k))
    const columns = Object.fromEntries(names.map(name => [name, draw()]))
    const took: Record<number, number[]> = { 1: [], 2: [] }
    let work = 0
    for (let round = 0; round <= rounds; round++) {
      for (const threads of [1, 2]) {
        const began = performance.now()
        const fitted = await fit(model, columns as never, { learner, threads })
        // the first round warms up
        if (round > 0) took[threads].push(performance.now() - began)
        work = rows * (256 + fitted.criteria().free)
      }
    }
    const ratios = took[1].map((one, round) => one / took[2][round])
    const cells = [d, k, rows, work.toExponential(1), median(took[1]).toFixed(0), median(took[2]).toFixed(0)]
    console.log(`| ${cells.join(" | ")} | ${median(ratios).toFixed(2)} |`)
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}
