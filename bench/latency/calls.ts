/**
 * One row through `predict` and `posterior`, in a Node whose young generation is never full: `node --expose-gc … calls.js ROUNDS` prints
 * microseconds and bytes per call, and how many of them are the result, and the reading of the row.
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
  const FEW = 200
  for (let i = 0; i < 20 * FEW; i++) call()
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now()
    for (let i = 0; i < FEW; i++) call()
    return (1000 * (performance.now() - start)) / FEW
  })
  return median(times)
}

const CALLS = 2000

/** What the heap and the buffers beside it grow by while this is done, per call, five times, each after the same preparation. */
function growth(done: () => void, prepare = () => {}): number[] {
  const grown = Array.from({ length: 5 }, () => {
    prepare()
    collect()
    const before = process.memoryUsage()
    done()
    const after = process.memoryUsage()
    return (after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers) / CALLS
  })
  return grown
}

/** Bytes per call: all that is allocated, the least of five times, since the engine works beside it. */
function allocated(call: () => unknown): number {
  for (let i = 0; i < 10 * CALLS; i++) call()
  const calls = () => {
    for (let i = 0; i < CALLS; i++) call()
  }
  return Math.min(...growth(calls))
}

/** Bytes of a result: what is there after garbage was collected, while all results are held. */
function kept(call: () => unknown): number {
  const results = new Array<unknown>(CALLS).fill(undefined)
  const hold = () => {
    for (let i = 0; i < CALLS; i++) results[i] = call()
    collect()
  }
  return median(growth(hold, () => void results.fill(undefined)))
}

/** Bytes of reading the row's cells by their names: the engine puts a number that is part of an object into a box of its own. */
function reading(row: Readonly<Record<string, Cell>>): number {
  const names = Object.keys(row)
  const cells: Cell[] = [null]
  return allocated(() => {
    for (const name of names) cells[0] = row[name]
  })
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
  const { y: _, ...cells } = rows[0]
  // as a server gets it
  const one = [JSON.parse(JSON.stringify(cells)) as Readonly<Record<string, Cell>>]
  const options = (target === undefined ? {} : { target }) as never
  const calls = {
    posterior: () => fitted.posterior(one as never, options),
    predict: () => fitted.predict(one as never, options),
  }
  for (const [method, call] of Object.entries(calls)) {
    answers.push({
      name,
      method,
      microseconds: microseconds(call),
      allocated: allocated(call),
      result: kept(call),
      reading: reading(one[0]),
    })
  }
}
console.log(JSON.stringify(answers))
