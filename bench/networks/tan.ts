/** Naive Bayes and trees below the label (TAN), counted and by sdEM: steps and priors are chosen on a fifth of the training rows. */
import { categorical, classes, em, fit, independent, type Model, type Row } from "suffice"
import { sdem } from "suffice/learn"
import { evaluate, split } from "suffice/measure"
import { structure } from "suffice/structure"
import { keptEver, keptOr } from "../kept.ts"
import { mean } from "../page.ts"
import { type LevelTask, levelTask, type TableName, tasksOf } from "./tables.ts"

export interface Quality {
  readonly accuracy: number
  readonly logLoss: number
}

export type Kind = "NB" | "TAN"
export const KINDS: readonly Kind[] = ["NB", "TAN"]

interface Setting {
  readonly rho: number
  readonly prior: number
}

/** Tables with more rows are learned in five passes, and by the prior of 1 alone. */
const LARGE = 8000

/** What is tried. */
const settingsFor = (rows: number): Setting[] => [
  { rho: 0.03, prior: 1 },
  { rho: 0.1, prior: 1 },
  ...(rows > LARGE ? [] : [{ rho: 0.03, prior: 5 }]),
]

export interface Line {
  readonly counting: Quality
  readonly sdem: Quality
  readonly chosen: Setting
  readonly seconds: number
}

/** The model, its tree found in these rows alone. */
async function declared(kind: Kind, { columns, label }: LevelTask, rows: readonly Row[]): Promise<Model> {
  const families = Object.fromEntries(columns.map(name => [name, categorical()]))
  if (kind === "NB") return classes(label, independent(families)) as unknown as Model
  const { model } = await structure(rows, {
    search: "tan",
    target: label,
    families: { ...families, [label]: categorical() },
  })
  return model as unknown as Model
}

async function judged(
  model: Model,
  rows: readonly Row[],
  test: readonly Row[],
  setting: Setting | undefined,
): Promise<Quality> {
  const learner = setting
    ? sdem({
        prior: setting.prior,
        stepSize: { kind: "decay", rho: setting.rho, decay: 0.003 },
        ...(rows.length > LARGE && { epochs: 5, batch: 32 }),
      })
    : em()
  const { accuracy, logLoss } = evaluate(await fit(model, rows, { learner, threads: 1 }), test)
  return { accuracy, logLoss }
}

async function lineOf(kind: Kind, task: LevelTask): Promise<Line> {
  const began = process.cpuUsage().user
  const { label, train, test } = task
  const inner = split(train, { test: 0.2, stratify: label, seed: 1 })
  const trial = await declared(kind, task, inner.train)
  // a label of two rows (nursery) may be in none of those that are learned from
  const labels = new Set(inner.train.map(row => row[label]))
  const known = inner.test.filter(row => labels.has(row[label]))
  let [chosen] = settingsFor(train.length)
  let least = Number.POSITIVE_INFINITY
  for (const setting of settingsFor(train.length)) {
    const { logLoss } = await judged(trial, inner.train, known, setting)
    if (logLoss < least) [least, chosen] = [logLoss, setting]
  }
  const model = await declared(kind, task, train)
  return {
    counting: await judged(model, train, test, undefined),
    sdem: await judged(model, train, test, chosen),
    chosen,
    seconds: (process.cpuUsage().user - began) / 1e6,
  }
}

/** All folds of a table; undefined where one is not measured and `isKept` asks for kept ones alone, which may be of earlier sources. */
export async function byKind(
  name: TableName,
  kind: Kind,
  isKept: boolean,
): Promise<readonly Line[] | undefined> {
  const lines: Line[] = []
  for (let fold = 0; fold < tasksOf(name); fold++) {
    const job = ["tan", name, kind, fold]
    const line = isKept
      ? keptEver<Line>("networks", job)
      : await keptOr("networks", job, async () => {
          const found = await lineOf(kind, await levelTask(name, fold))
          console.log(
            `  ${name} ${fold}, ${kind}: counting ${said(found.counting)}, sdEM ${said(found.sdem)} (ρ ${found.chosen.rho}, α ${found.chosen.prior}; ${found.seconds.toFixed(0)} s)`,
          )
          return found
        })
    if (!line) return undefined
    lines.push(line)
  }
  return lines
}

export const said = ({ accuracy, logLoss }: Quality): string =>
  `${(100 * accuracy).toFixed(1)} / ${logLoss.toFixed(3)}`

export const meanOf = (each: readonly Quality[]): Quality => ({
  accuracy: mean(each.map(({ accuracy }) => accuracy)),
  logLoss: mean(each.map(({ logLoss }) => logLoss)),
})
