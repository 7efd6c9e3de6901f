/** Rows on Spark as a task: columns, model and learner are chosen on a sample; the model is learned from all rows, and measured, on the cluster. */
import { type Columns, type FitOptions as CoreOptions, em, fit, type Learner } from "suffice"
import { bayes, onlineEm, sdem } from "suffice/learn"
import { evaluateSource } from "suffice/measure"
import type { SparkTable } from "suffice-spark"
import type { QualityAnswer } from "../answers.ts"
import { dataText } from "../data.ts"
import { Failure } from "../failure.ts"
import { count, plain } from "../format.ts"
import type { LooseFitted, LooseModel } from "../loose.ts"
import { type Given, type Open, opened } from "../opened.ts"
import { learned } from "../rows/learn.ts"
import { type Prepared, planned, prepared } from "../rows/prepare.ts"
import { rowsTask } from "../rows/task.ts"
import type { FitOptions, OpenTask } from "../subject.ts"
import type { Learned, Task, Watch } from "../task.ts"
import type { Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { conversions, type Engine, openEngine, sampledTable } from "./open.ts"

/** Rows that columns, model and learner are chosen on. */
const SAMPLE = 20_000
const HOLDOUT = 0.2
/** Rows are held out where the weight of learning is 0, and measured by the other. */
const TRAIN = "suffice train"
const TEST = "suffice test"

export function checkFit({ test, threads }: FitOptions): void {
  if (test === undefined && threads === undefined) return
  throw new Failure(
    "usage",
    `${test === undefined ? "--threads" : "--test"} is given with --engine. Rows are ${test === undefined ? "shared out by Spark" : "held out on the cluster (--holdout), and another table is measured by suffice evaluate --engine"}. Leave it out.`,
  )
}

export async function openOnSpark({ session, paths, options }: Given<FitOptions>): Promise<Open<OpenTask>> {
  const { seed = 0 } = options
  planned(options)
  const engine = await openEngine(session, paths, options)
  return opened(engine, async () => {
    const { table, cluster } = engine
    const columns = (await table.sample(SAMPLE, { seed, signal: session.signal })) as Columns
    const sample = await sampledTable(engine, columns, options, session)
    const base = await prepared(sample, options, session)
    const { version, cores } = cluster
    const use = `suffice predict --engine ${shown(options.engine!)}`
    return {
      task: sparkTask(session, engine, base, columns, options),
      where: {
        engine: { spark: version, cores },
        data: { ...base.data, rows: table.rows, sampled: base.data.rows },
      },
      place: ` on Spark ${version}`,
      howToUse: output =>
        `Use it on files: suffice predict ${output} DATA, or there: ${use} ${output} TABLE --into NAME`,
    }
  })
}

/** `sample`: some of the rows, as columns. */
function sparkTask(
  session: Session,
  engine: Engine,
  base: Prepared,
  sample: Columns,
  options: FitOptions,
): Task {
  const { data, wanted } = base
  const { table } = engine
  const share = wanted.target === undefined ? 0 : (options.holdout ?? HOLDOUT)
  const judged = `Columns are judged by ${count(data.rows)} of the rows.\n`
  const text = dataText({ ...data, rows: table.rows })
  let rows: SparkTable | undefined
  return {
    ...rowsTask(base, options),
    text: data.rows < table.rows ? `${text}\n${judged}` : text,
    async learn(_, watch = {}) {
      const tried = await triedOn(session, base, options, watch)
      const model = (tried ? tried.fitted.model : wanted.model) as LooseModel
      rows = await table.with({
        ...conversions(table, kindsIn(model, sample)),
        ...heldOut(share, options.seed ?? 0, options.weight),
      })
      const given: CoreOptions = {
        learner: tried ? sameLearner(tried.fitted) : onCluster(wanted.learner!.learner),
        seed: options.seed ?? 0,
        weight: TRAIN,
        signal: session.signal,
        ...(watch.checkpoint && { checkpoint: watch.checkpoint }),
      }
      const all = await learnedThere(engine, model, rows, given, tried?.fitted, wanted.target)
      return { ...all, ...(tried?.choice && { choice: tried.choice }) }
    },
    async measure(fitted) {
      const quality = await measuredThere(session, fitted, rows!, share)
      return quality && { quality, columns: sample }
    },
  }
}

/** Model and learner, chosen on the sample. */
async function triedOn(
  session: Session,
  { plan, wanted, parts, data }: Prepared,
  options: FitOptions,
  { onChoice }: Watch,
): Promise<Learned | undefined> {
  if (!plan.choosing) return undefined
  return learned(session, wanted, parts, data.rows, options, onChoice ? { onChoice } : {})
}

/** Weights of learning and of measuring: a hash of a row's number says whether it is held out. */
function heldOut(share: number, seed: number, weight: string | undefined): Record<string, string> {
  const own = weight === undefined ? "1" : `\`${weight.replaceAll("`", "``")}\``
  const held = `pmod(xxhash64(r, ${seed}, 'held out'), 1000000) < ${Math.round(share * 1e6)}`
  return {
    [TRAIN]: `CASE WHEN ${held} THEN 0D ELSE CAST(${own} AS DOUBLE) END`,
    [TEST]: `CASE WHEN ${held} OR ${share === 0} THEN CAST(${own} AS DOUBLE) ELSE 0D END`,
  }
}

/** What the model reads as numbers and as text, where the sample was read so. */
function kindsIn({ uses }: LooseModel, columns: Columns): Map<string, "number" | "text"> {
  return new Map(
    uses.flatMap(({ column, role, need }): [string, "number" | "text"][] => {
      if (role === "hidden" || !(column in columns)) return []
      if (need.kind === "number" || need.kind === "count") return [[column, "number"]]
      return need.kind === "bag" ? [[column, "text"]] : []
    }),
  )
}

/** The learner that was chosen, by its name and options. */
function sameLearner({ training }: LooseFitted): Learner {
  const { name, options } = training!.learner
  const made = { em, onlineEm, sdem, bayes }[name as "em"]
  return onCluster(made(options as never))
}

/** Rounds know no rows that are kept back within a learner. */
function onCluster(learner: Learner): Learner {
  if (learner.name !== "sdem") return learner
  const { holdout: _, ...options } = learner.options as Record<string, unknown>
  return sdem({ ...options, calibrate: false } as never)
}

async function learnedThere(
  engine: Engine,
  model: LooseModel,
  rows: SparkTable,
  options: CoreOptions,
  sample: LooseFitted | undefined,
  target: string | undefined,
): Promise<Learned> {
  const began = performance.now()
  const fitted = (await fit(model, rows as never, {
    ...options,
    onStep: ({ objective, iteration }) => engine.about(`step ${iteration}, objective ${plain(objective, 6)}`),
  })) as LooseFitted
  // probabilities are softened as on the sample
  const { calibration } = sample?.toJSON() ?? {}
  const softened = calibration === undefined ? fitted : fitted.calibrated(calibration as never)
  return {
    fitted: target === undefined ? softened : softened.withTarget(target),
    seconds: (performance.now() - began) / 1000,
  }
}

async function measuredThere(
  session: Session,
  fitted: LooseFitted,
  rows: SparkTable,
  share: number,
): Promise<QualityAnswer | undefined> {
  if (fitted.model.target === undefined) return undefined
  const evaluation = (await evaluateSource(fitted, rows as never, {
    curves: true,
    weight: TEST,
    signal: session.signal,
  })) as unknown as QualityAnswer["evaluation"]
  // a row that weighs nothing in learning is held out
  const learned = fitted.training?.rows ?? 0
  const measured = share > 0 ? rows.rows - learned : learned
  return {
    ...{ on: share > 0 ? "held-out rows" : "training rows", rows: measured },
    // the others weigh nothing here
    evaluation: { ...evaluation, rows: measured },
  }
}
