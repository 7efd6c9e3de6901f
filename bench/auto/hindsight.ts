/** The choice beside the best of all candidates on the test rows: the study of hindsight. */
import type { Model, Row } from "suffice"
import { choose, type Evaluation, evaluate, split } from "suffice/measure"
import { atMost, type Bar, barTable } from "../bars.ts"
import { mean, table } from "../page.ts"
import type { Task } from "../splits.ts"
import type { Job } from "./jobs.ts"
import { type Measured, prepared } from "./measure.ts"

export interface Hindsight {
  /** The lowest log-loss on the test rows of all candidates, as learned or calibrated on two folds. */
  readonly logLoss: number
  readonly model: string
  /** Without luck: the best candidate on one half of the test rows, judged on the other; both ways. */
  readonly halved: number
  /** Number of sampled training rows, and the log-loss of the choice made from them. Undefined if all are used. */
  readonly rows?: number
  readonly chosen?: number
}

/** Tables with more training rows are sampled: learning all candidates from all rows takes hours. */
const MOST_ROWS = 2500
const SAMPLED_ROWS = 2000

interface Tried {
  readonly model: string
  /** Log-loss on either half of the test rows. */
  readonly losses: readonly number[]
}

export async function hindsightOf(task: Task, job: Job): Promise<Hindsight> {
  const isSampled = job.group !== "texts" && task.train.length > MOST_ROWS
  const train = isSampled ? sampled(task) : task.train
  const ready = prepared({ ...task, train }, job)
  const halves = [0, 1].map(side => ready.test.filter((_, i) => i % 2 === side))
  const tried = await allCandidates(ready, halves)
  const shares = halves.map(half => half.length / ready.test.length)
  const whole = ({ losses: [even, odd] }: Tried) => shares[0] * even + shares[1] * odd
  const bestBy = (loss: (one: Tried) => number) =>
    tried.reduce((best, one) => (loss(one) < loss(best) ? one : best))
  const best = bestBy(whole)
  const halved =
    shares[1] * bestBy(({ losses }) => losses[0]).losses[1] +
    shares[0] * bestBy(({ losses }) => losses[1]).losses[0]
  const result: Hindsight = { logLoss: whole(best), model: best.model, halved }
  if (!isSampled) return result
  const { fitted } = await choose(ready.proposed, ready.train as never, { target: ready.label, threads: 1 })
  const { logLoss } = evaluate(fitted, ready.test as never) as unknown as Evaluation
  return { ...result, rows: ready.train.length, chosen: logLoss }
}

function sampled({ table, train }: Task): readonly Row[] {
  const test = SAMPLED_ROWS / train.length
  return split(train as Row[], { test, stratify: table.label, seed: 0 }).test
}

async function allCandidates(
  { label, train, proposed }: ReturnType<typeof prepared>,
  halves: readonly (readonly Row[])[],
): Promise<Tried[]> {
  const tried: Tried[] = []
  for (const { name, model, learners = {} } of proposed) {
    for (const [learner, by] of Object.entries(learners)) {
      const one = [{ name, model: model as Model, learners: { [learner]: by } }]
      const { fitted, calibration } = await choose(one, train as never, {
        target: label,
        folds: 2,
        budget: 1e6,
      })
      const plain = fitted.calibrated({ target: label, method: "temperature", temperature: 1 })
      for (const form of calibration ? [fitted, plain] : [plain]) {
        const losses = halves.map(half => (evaluate(form, half as never) as unknown as Evaluation).logLoss)
        tried.push({ model: `${name} by ${learner}`, losses })
      }
    }
  }
  return tried
}

export interface Seen extends Hindsight {
  readonly job: Job
  /** The choice on the first split. */
  readonly first: Measured
}

const chosenOf = ({ chosen, first }: Seen) => chosen ?? first.logLoss

const INTRODUCTION = `The choice by training rows, beside the lowest log-loss on the test rows of all candidates (some thirty). Each candidate is learned from all
training rows, as it is or calibrated; the first split of [auto.md](auto.md). The lowest of thirty is lucky in part.
By halves: the best candidate on one half of the test rows, judged on the other half, both ways.`

export function hindsightPage(seen: readonly Seen[]): string[] {
  const chosen = mean(seen.map(chosenOf))
  const best = mean(seen.map(({ logLoss }) => logLoss))
  const halved = mean(seen.map(one => one.halved))
  const rows = seen.map(one => [
    `${one.job.name}${one.rows === undefined ? "" : ` (${one.rows} rows)`}`,
    one.rows === undefined ? one.first.model : "–",
    chosenOf(one).toFixed(3),
    one.model,
    one.logLoss.toFixed(3),
    (chosenOf(one) / one.logLoss).toFixed(3),
    one.halved.toFixed(3),
  ])
  const bars: Bar[] = [
    atMost(`chosen / best in hindsight, ${seen.length} tables`, 1.05, chosen / best, 3),
    ["chosen / best by halves", "–", (chosen / halved).toFixed(3), undefined],
  ]
  const heads = ["data", "chosen", "log-loss", "in hindsight", "log-loss", "chosen / hindsight", "by halves"]
  const last = ["**mean**", "", chosen.toFixed(3), "", best.toFixed(3), (chosen / best).toFixed(3)]
  return [INTRODUCTION, table(heads, [...rows, [...last, halved.toFixed(3)]]), barTable(bars)]
}
