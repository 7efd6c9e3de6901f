/** One split by `choose` and by scikit-learn, on the same rows. */
import { fit, type Model, type Row } from "suffice"
import { linearSvm, logisticRegression } from "suffice/baselines"
import { sdem } from "suffice/learn"
import {
  type Baselines,
  candidates,
  choose,
  type Evaluation,
  evaluate,
  type NumberEvaluation,
  type ProposedCandidate,
  verdict,
} from "suffice/measure"
import { cpu } from "../clock.ts"
import type { Table } from "../datasets.ts"
import { mean } from "../page.ts"
import { askOnce, type Versions } from "../peer.ts"
import type { Task } from "../splits.ts"
import type { Job } from "./jobs.ts"

/** As the command shows them beside its choice: their cost belongs to choosing. */
const STRENGTHS = [1 / 64, 1 / 8, 1, 8, 64]
const BASELINES = {
  "logistic regression": STRENGTHS.map(c => logisticRegression({ c, tolerance: 1e-3 })),
  "linear SVM": STRENGTHS.map(c => linearSvm({ c, tolerance: 1e-3, maxIterations: 1000 })),
} as unknown as Baselines

/** Above this many rows the cost of choosing is measured in fits of sdEM, below in seconds. */
export const MANY = 20_000

interface Peer extends Versions {
  readonly lr?: { readonly logLoss: number; readonly logLossError: number; readonly accuracy: number }
  readonly boosting?: { readonly logLoss: number; readonly accuracy: number }
  readonly ridge?: { readonly r2: number }
}

/** NaN where a figure does not apply. */
export interface Measured {
  readonly model: string
  /** Processor time: choosing and the last fit; the last fit; one fit of the chosen model by sdEM. */
  readonly seconds: number
  readonly last: number
  readonly sdem: number
  readonly rows: number
  readonly logLoss: number
  readonly accuracy: number
  readonly base: number
  readonly r2: number
  /** Share of true values inside 90 % intervals. */
  readonly covered: number
  readonly peer: Peer
}

export interface Prepared {
  readonly label: string
  readonly train: readonly Row[]
  readonly test: readonly Row[]
  readonly proposed: readonly ProposedCandidate[]
}

/** Test rows whose level is in no training row are left out on both sides. */
export function prepared(task: Task, { group }: Job): Prepared {
  const { label } = task.table
  const train = columnsOnly(task.train, task.table)
  const known = new Set(train.map(row => String(row[label])))
  const isNumber = group === "numbers"
  const test = columnsOnly(task.test, task.table).filter(row => isNumber || known.has(String(row[label])))
  return { label, train, test, proposed: candidates(train, { label, kind: isNumber ? "number" : "levels" }) }
}

function columnsOnly(rows: readonly Row[], { columns, label }: Table): Row[] {
  const names = [...columns.map(({ name }) => name), label]
  return rows.map(row => Object.fromEntries(names.map(name => [name, row[name]])))
}

export async function measured(task: Task, job: Job): Promise<Measured> {
  const { label, train, test, proposed } = prepared(task, job)
  const isNumber = job.group === "numbers"
  const before = cpu()
  let chosen = 0
  const choice = await choose(proposed, train as never, {
    target: label,
    threads: 1,
    baselines: BASELINES,
    // the first step of the last fit: everything before was choosing
    onStep: () => {
      chosen ||= cpu()
    },
  })
  const after = cpu()
  const quality = evaluate(choice.fitted, test as never) as unknown as Evaluation | NumberEvaluation
  const base = verdict(quality).base
  const predicted = choice.fitted.predict(test as never, isNumber ? { coverage: 0.9 } : {})
  const covered = isNumber
    ? mean(predicted.map(({ interval }, i) => (isInside(interval!, Number(test[i][label])) ? 1 : 0)))
    : Number.NaN
  return {
    model: `${choice.model} by ${choice.learner}${choice.calibrated ? ", calibrated" : ""}`,
    seconds: after - before,
    last: after - chosen,
    sdem: train.length > MANY ? await secondsOf(proposed, choice.model, train) : Number.NaN,
    rows: train.length,
    logLoss: quality.kind === "levels" ? quality.logLoss : -quality.logDensity,
    accuracy: quality.kind === "levels" ? quality.accuracy : Number.NaN,
    base: base.kind === "levels" ? base.logLoss : -base.logDensity,
    r2: quality.kind === "number" ? quality.r2 : Number.NaN,
    covered,
    peer: peerOf(task, job, train, test),
  }
}

function peerOf({ table }: Task, { name, group }: Job, train: readonly Row[], test: readonly Row[]): Peer {
  const kind = group === "numbers" ? "number" : "levels"
  return askOnce<Peer>("auto.py", { name, kind, label: table.label, columns: table.columns, train, test })
}

/** One fit of a model by sdEM. */
async function secondsOf(
  proposed: readonly ProposedCandidate[],
  name: string,
  train: readonly Row[],
): Promise<number> {
  const before = cpu()
  await fit(proposed.find(one => one.name === name)!.model as Model, train as never, { learner: sdem() })
  return cpu() - before
}

const isInside = ([low, high]: readonly [number, number], x: number) => x >= low && x <= high
