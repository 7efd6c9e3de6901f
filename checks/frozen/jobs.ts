/**
 * Timed jobs, bundled against the sources of a tree and run in a process of their own: `node jobs.js NAME`.
 * Prints a digest of the result and the milliseconds of processor time per call. Without a name, prints the names.
 */
import { createHash } from "node:crypto"
import {
  categorical,
  chain,
  classes,
  dice,
  em,
  fit,
  gaussian,
  given,
  hidden,
  independent,
  type Learner,
  mixture,
  multinomial,
  network,
  normal,
  topics,
  wordSet,
} from "suffice"
import { bayes, onlineEm, sdem } from "suffice/learn"

interface Job {
  /** Prepares the data and returns the timed call, whose result is compared. */
  prepare(): Promise<() => unknown> | (() => unknown)
}

/** Calls before the clock counts, since the first ones compile. */
const WARM = 6
/** Milliseconds of processor time that are measured. */
const LONG = 500
const columns = (count: number): string[] => Array.from({ length: count }, (_, j) => `x${j}`)

function each<T>(names: readonly string[], make: (name: string, j: number) => T): Record<string, T> {
  return Object.fromEntries(names.map((name, j) => [name, make(name, j)]))
}

/** Columns of numbers in groups, with a label. */
function numbers(rows: number, width: number, groups: number): Record<string, Float64Array | string[]> {
  const die = dice(3)
  const cells = each(columns(width), (_, j) =>
    Float64Array.from({ length: rows }, (_, i) => die.normal() + 2 * ((i + j) % groups)),
  )
  return { ...cells, y: Array.from({ length: rows }, (_, i) => `c${i % groups}`) }
}

function levels(rows: number, width: number): Record<string, string[]> {
  const die = dice(5)
  const cells = each(columns(width), () =>
    Array.from({ length: rows }, (_, i) => `l${(i + die.integer(2)) % 4}`),
  )
  return { ...cells, y: Array.from({ length: rows }, (_, i) => `c${i % 4}`) }
}

function documents(rows: number): { text: string; y: string }[] {
  const die = dice(9)
  return Array.from({ length: rows }, (_, i) => ({
    text: Array.from({ length: 40 + die.integer(40) }, () => {
      const topic = die.uniform() < 0.7 ? i % 4 : die.integer(8)
      return `w${(topic * 60 + Math.trunc(80 * die.uniform() ** 2)) % 600}`
    }).join(" "),
    y: `c${i % 4}`,
  }))
}

function sequences(rows: number): { steps: { x: number | null; y: number | null }[] }[] {
  const die = dice(1)
  const seen = (value: number): number | null => (die.uniform() < 0.2 ? null : value)
  return Array.from({ length: rows }, () => {
    let state = die.integer(3)
    const cells = Array.from({ length: 5 + die.integer(12) }, () => {
      if (die.uniform() < 0.3) state = die.integer(3)
      return { x: seen((state + die.integer(2)) % 3), y: seen(2 * state + die.normal()) }
    })
    return { steps: cells }
  })
}

/** Rows of columns, with missing cells. */
function holed(
  cells: Readonly<Record<string, ArrayLike<unknown>>>,
  share: number,
): Record<string, unknown>[] {
  const die = dice(7)
  const names = Object.keys(cells)
  return Array.from({ length: cells[names[0]].length }, (_, i) =>
    each(names, name => (die.uniform() < share ? null : cells[name][i])),
  )
}

function without(cells: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(cells).filter(([column]) => column !== name))
}

function fitting(model: unknown, data: unknown, learner?: Learner): Job["prepare"] {
  return () => () => fit(model as never, data as never, { seed: 1, threads: 1, ...(learner && { learner }) })
}

function asking(
  model: unknown,
  data: unknown,
  ask: (fitted: Answering) => unknown,
  learner?: Learner,
): Job["prepare"] {
  return async () => {
    const fitted = (await fitting(model, data, learner)()) as () => Promise<unknown>
    const answering = (await fitted()) as Answering
    return () => ask(answering)
  }
}

interface Answering {
  posterior(rows: unknown, options?: object): { readonly probabilities: Float64Array }
  logDensity(rows: unknown): Float64Array
  impute(rows: unknown): unknown
}

const steps = (count: number): Learner => em({ maxIterations: count, tolerance: 0 })
const product = (width: number, family: () => ReturnType<typeof gaussian>): never =>
  independent(each(columns(width), () => family())) as never
const levelsOf = (width: number): never => independent(each(columns(width), () => categorical())) as never
const chained = (): unknown => chain(3, independent({ x: gaussian(), y: gaussian() }))
const graph = (): unknown =>
  network({
    h: hidden(2),
    x0: given(["h"], categorical()),
    x1: given(["x0"], categorical()),
    x2: given(["x0", "x1"], categorical()),
    x3: given(["x2", "h"], categorical()),
  })
const wide = numbers(40_000, 10, 4)
const nominal = levels(40_000, 10)
const texts = documents(2000)
const few = numbers(4000, 6, 3)
const table = holed(levels(3000, 4), 0.2).map(row => without(row, "y"))

export const JOBS: Readonly<Record<string, Job["prepare"]>> = {
  "naive Bayes, numbers": fitting(classes("y", product(10, gaussian)), wide),
  "naive Bayes, numbers, posterior": asking(classes("y", product(10, gaussian)), wide, fitted =>
    fitted.posterior(without(wide, "y")).probabilities.subarray(0, 1000),
  ),
  "naive Bayes, levels": fitting(classes("y", levelsOf(10)), nominal),
  "naive Bayes, words": fitting(classes("y", independent({ text: multinomial() })), texts),
  "naive Bayes, sets of words": fitting(classes("y", independent({ text: wordSet() })), texts),
  "naive Bayes, one row": asking(classes("y", product(6, gaussian)), few, fitted => {
    const row = { x0: 1, x1: 2, x2: 0, x3: 1, x4: null, x5: 3 }
    let sum = 0
    for (let i = 0; i < 5000; i++) sum += fitted.posterior([row]).probabilities[0]
    return sum
  }),
  "linear discriminant": fitting(classes("y", normal(columns(10), { covariance: "tied" })), wide),
  "mixture, full": fitting(mixture(4, normal(columns(10))), without(wide, "y"), steps(4)),
  "mixture, diag": fitting(mixture(4, product(10, gaussian)), without(wide, "y"), steps(6)),
  "mixture, missing cells": fitting(
    mixture(3, normal(columns(6))),
    holed(without(few, "y") as never, 0.2),
    steps(4),
  ),
  "posterior of a mixture": fitting(
    mixture(3, product(6, gaussian)),
    without(few, "y"),
    bayes({ maxIterations: 20 }),
  ),
  "sdem, numbers": fitting(classes("y", product(6, gaussian)), few, sdem({ epochs: 5 })),
  "sdem, words": fitting(classes("y", independent({ text: multinomial() })), texts, sdem({ epochs: 3 })),
  "online EM": fitting(mixture(3, product(6, gaussian)), without(few, "y"), onlineEm({ epochs: 3 })),
  network: fitting(graph(), table, steps(8)),
  "network, impute": asking(graph(), table, fitted => fitted.impute(table.slice(0, 1000)), steps(8)),
  "hidden Markov model": fitting(chained(), sequences(1500), steps(8)),
  topics: fitting(topics(6, "text"), texts.slice(0, 600), steps(10)),
}

async function timed(name: string): Promise<string> {
  const call = await JOBS[name]()
  let result: unknown
  for (let i = 0; i < WARM; i++) result = await call()
  const times: number[] = []
  for (let total = 0; total < LONG; total += times[times.length - 1]) {
    const before = process.cpuUsage()
    result = await call()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  times.sort((a, b) => a - b)
  const digest = createHash("sha256").update(JSON.stringify(result)).digest("hex").slice(0, 8)
  return `${digest} ${times[times.length >> 1]}`
}

const [, , chosen] = process.argv
console.log(chosen === undefined ? Object.keys(JOBS).join("\n") : await timed(chosen))
