/**
 * One row through `predict` and `posterior`, in a Node whose young generation is never full: `node --expose-gc … calls.js ROUNDS` prints
 * microseconds and bytes per call, and the bytes of a result of the same shape made by hand.
 */
import {
  type Cell,
  classes,
  dice,
  em,
  fit,
  gaussian,
  independent,
  type Model,
  mixture,
  multinomial,
  normal,
} from "suffice"
import { median } from "../page.ts"

const rounds = Number(process.argv[2])
const die = dice(2)
const collect = (globalThis as unknown as { gc(): void }).gc
const named = (count: number) => Array.from({ length: count }, (_, j) => `x${j}`)

/** Microseconds per call: the median over rounds of a few hundred calls. */
function microseconds(call: () => unknown): number {
  const CALLS = 200
  for (let i = 0; i < 20 * CALLS; i++) call()
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now()
    for (let i = 0; i < CALLS; i++) call()
    return (1000 * (performance.now() - start)) / CALLS
  })
  return median(times)
}

/** Bytes per call: what the heap and the buffers beside it grow by. */
function bytes(call: () => unknown): number {
  const CALLS = 2000
  for (let i = 0; i < CALLS; i++) call()
  const grown = Array.from({ length: 5 }, () => {
    collect()
    const before = process.memoryUsage()
    for (let i = 0; i < CALLS; i++) call()
    const after = process.memoryUsage()
    return (after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers) / CALLS
  })
  return median(grown)
}

interface Case {
  readonly name: string
  readonly model: unknown
  readonly rows: readonly Readonly<Record<string, Cell>>[]
  readonly target?: string
}

const numbers = (count: number, groups: number, i: number) =>
  Object.fromEntries(named(count).map(name => [name, die.normal() + 2 * (i % groups)]))
const words = (count: number, i: number, groups: number) =>
  Array.from({ length: count }, () => `w${(die.integer(400) + 40 * (i % groups)) % 1000}`)

const CASES: readonly Case[] = [
  {
    name: "naive Bayes, 50 features, 5 classes",
    model: classes("y", independent(Object.fromEntries(named(50).map(name => [name, gaussian()])))),
    rows: Array.from({ length: 2000 }, (_, i) => ({ ...numbers(50, 5, i), y: i % 5 })),
  },
  {
    name: "multinomial, 170 words, 20 classes",
    model: classes("y", independent({ t: multinomial() })),
    rows: Array.from({ length: 2000 }, (_, i) => ({ t: words(170, i, 20), y: i % 20 })),
  },
  {
    name: "mixture, k=16, d=16",
    model: mixture(16, normal(named(16)), { name: "component" }),
    rows: Array.from({ length: 4000 }, (_, i) => numbers(16, 16, i)),
    target: "component",
  },
]

const answers = []
for (const { name, model, rows, target } of CASES) {
  const fitted = await fit(model as Model<Record<string, Cell>>, rows as never, {
    learner: em({ maxIterations: 3 }),
  })
  const one = rows.slice(0, 1).map(({ y: _, ...row }) => row)
  const options = (target === undefined ? {} : { target }) as never
  const { levels, probabilities } = fitted.posterior(one as never, options)
  // results of the same shape, made by hand
  const posterior = () => ({
    levels,
    probabilities: new Float64Array(probabilities.length),
    logs: new Float64Array(probabilities.length),
  })
  const predict = () => [
    {
      value: levels[0],
      probability: probabilities[0],
      probabilities: Object.fromEntries(levels.map((level, l) => [String(level), probabilities[l]])),
    },
  ]
  for (const [method, call, result] of [
    ["posterior", () => fitted.posterior(one as never, options), posterior],
    ["predict", () => fitted.predict(one as never, options), predict],
  ] as const) {
    answers.push({
      name,
      method,
      microseconds: microseconds(call),
      bytes: bytes(call),
      result: bytes(result),
    })
  }
}
console.log(JSON.stringify(answers))
