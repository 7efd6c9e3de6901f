/** The three learners the studies set side by side, each at its defaults, and what they are worth on held-out rows. */
import {
  categorical,
  classes,
  em,
  fit,
  gaussian,
  independent,
  type Learner,
  type Model,
  multinomial,
  type Row,
} from "suffice"
import { sdem } from "suffice/learn"
import { evaluate } from "suffice/measure"
import type { Table } from "./datasets.ts"
import { mean } from "./page.ts"
import type { Task } from "./splits.ts"

export const LEARNERS = {
  counting: em(), // EM where something is hidden
  ncll: sdem({ loss: "ncll" }),
  hinge: sdem({ loss: "hinge" }),
} as const satisfies Record<string, Learner>
export type Method = keyof typeof LEARNERS
export const METHODS = Object.keys(LEARNERS) as Method[]

export interface Quality {
  readonly accuracy: number
  /** Nats. */
  readonly logLoss: number
}

const FAMILIES = { number: gaussian, level: categorical, text: multinomial }

/** One family per column, at its defaults. */
export const leaves = ({ columns }: Table) =>
  independent(Object.fromEntries(columns.map(({ name, kind }) => [name, FAMILIES[kind]()])))

export const naiveBayes = (table: Table): Model => classes(table.label, leaves(table))

/** What the model learned so on the train rows is worth on the test rows. */
export async function judged(
  model: Model,
  method: Method,
  train: readonly Row[],
  test: readonly Row[],
): Promise<Quality> {
  const { accuracy, logLoss } = evaluate(await fit(model, train, { learner: LEARNERS[method] }), test)
  return { accuracy, logLoss }
}

/** All three on every task; says how long it took. */
export async function qualities(
  title: string,
  model: Model,
  tasks: readonly Task[],
): Promise<Record<Method, Quality[]>> {
  const found: Record<Method, Quality[]> = { counting: [], ncll: [], hinge: [] }
  for (const method of METHODS) {
    const start = performance.now()
    for (const { train, test } of tasks) found[method].push(await judged(model, method, train, test))
    const { accuracy, logLoss } = average(found[method])
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`  ${title}, ${method}: ${(100 * accuracy).toFixed(2)}, ${logLoss.toFixed(3)} (${seconds} s)`)
  }
  return found
}

export const average = (all: readonly Quality[]): Quality => ({
  accuracy: mean(all.map(one => one.accuracy)),
  logLoss: mean(all.map(one => one.logLoss)),
})
