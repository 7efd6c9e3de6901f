/** `suffice fit --engine`: columns, model and learner are chosen on a sample of the rows; the model is learned from all of them, and measured, on the cluster. */
import { type Columns, em, type FitOptions, fit, type Learner } from "suffice"
import { bayes, onlineEm, sdem } from "suffice/learn"
import { evaluateSource, verdict } from "suffice/measure"
import type { SparkTable } from "suffice-spark"
import type { QualityAnswer } from "../answers.ts"
import { Keeper } from "../checkpoint.ts"
import { choiceText } from "../choosing.ts"
import { type FitCommandOptions, learnedOr } from "../commands/fit.ts"
import { type DataPaths, dataText, isWide } from "../data.ts"
import { Failure } from "../failure.ts"
import { cardOf, type Learned, learned, learnedBy, planned, prepared, tellingOf } from "../fitting.ts"
import { count, duration, many, plain } from "../format.ts"
import type { LooseFitted, LooseModel } from "../loose.ts"
import { levelsIn, qualityText, tellingText, withoutCurves } from "../quality.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { conversions, type Engine, type EngineOptions, openEngine, sampledTable } from "./open.ts"

/** Rows that columns, model and learner are chosen on. */
const SAMPLE = 20_000
const HOLDOUT = 0.2
/** Rows are held out where the weight of learning is 0, and measured by the other. */
const TRAIN = "suffice train"
const TEST = "suffice test"

export async function fitOnEngine(
  session: Session,
  paths: DataPaths,
  options: FitCommandOptions & EngineOptions,
): Promise<void> {
  const { output, report, test, holdout = HOLDOUT, weight, seed = 0, threads } = options
  if (test !== undefined || threads !== undefined) {
    throw new Failure(
      "usage",
      `${test === undefined ? "--threads" : "--test"} is given with --engine. Rows are ${test === undefined ? "shared out by Spark" : "held out on the cluster (--holdout), and another table is measured by suffice evaluate --engine"}. Leave it out.`,
    )
  }
  if (output !== undefined) await checkPlace(output, "the model")
  if (report !== undefined) await checkPlace(report, "the report")
  if (options.checkpoint !== undefined) await checkPlace(options.checkpoint, "the checkpoint")
  planned(options)
  const engine = await openEngine(session, paths, options)
  try {
    const { table } = engine
    const columns = (await table.sample(SAMPLE, { seed, signal: session.signal })) as Columns
    const sample = await sampledTable(engine, columns, options, session)
    const { plan, wanted, parts, data } = await prepared(sample, options, session)
    const some = data.rows < table.rows
    await session.print(dataText({ ...data, rows: table.rows }))
    if (some) await session.print(`Columns are judged by ${count(data.rows)} of the rows.\n`)
    const how = { brief: isWide(data.columns.length) }

    // what is chosen is chosen on the sample
    const tried = plan.choosing ? await learned(session, wanted, parts, data.rows, options) : undefined
    if (tried?.choice) await session.print(choiceText(tried.choice, how))
    const model = (tried ? tried.fitted.model : wanted.model) as LooseModel
    const learner = tried ? sameLearner(tried.fitted) : onCluster(wanted.learner!.learner)
    const share = wanted.target === undefined ? 0 : holdout
    const rows = await table.with({
      ...conversions(table, kindsIn(model, columns)),
      ...heldOut(share, seed, weight),
    })

    const keeper = new Keeper(options.checkpoint)
    const { fitted, seconds } = await learnedOr(session, keeper, options, () =>
      learnedThere(
        engine,
        model,
        rows,
        {
          learner,
          seed,
          weight: TRAIN,
          checkpoint: keeper,
          signal: session.signal,
        },
        tried?.fitted,
        wanted.target,
      ),
    )
    const { name } = tried?.choice ?? wanted
    const by = tried?.choice ? tried.choice.learner : learnedBy(fitted, plan.learner!)
    const learnedRows = fitted.training?.rows ?? 0
    await session.print(
      `Learned ${shown(name)} from ${many(learnedRows, "row")} by ${by} on Spark ${engine.cluster.version}, in ${duration(seconds)}.`,
    )
    for (const { message } of fitted.diagnostics) session.note(`note: ${message}`)

    const quality = await measuredThere(session, fitted, rows, share)
    if (quality) await session.print(`\n${qualityText(quality, how)}`)
    else
      await session.print(
        `\nLog-likelihood per row: ${plain((fitted.training?.logLikelihood ?? Number.NaN) / learnedRows, 6)}.`,
      )
    const telling = quality ? tellingOf(fitted, quality, columns) : []
    if (telling.length > 0)
      await session.print(`\n${tellingText(telling, { ...how, levels: levelsIn(quality!.evaluation) })}`)
    if (output === undefined) session.note("The model was not kept: give -o model.json to write it.")
    else {
      await save(output, "the model", put => put(`${JSON.stringify(fitted)}\n`))
      await session.print(
        `\nThe model is in ${shown(output)}. Use it on files: suffice predict ${shown(output)} DATA, or there: suffice predict --engine ${shown(options.engine!)} ${shown(output)} TABLE --into NAME`,
      )
    }
    await keeper.forget()
    const choice = tried?.choice
    if (report !== undefined) {
      const { report: drawn } = await import("../report/page.ts")
      const card = await cardOf(
        { command: session.command, origin: origin(session) },
        {
          ...{ name, by, fitted, data, parts, telling, seed },
          ...(quality && { quality }),
          ...(choice && { choice }),
        },
      )
      await save(report, "the report", put => put(drawn(card)))
      await session.print(`The report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "fit",
      engine: { spark: engine.cluster.version, cores: engine.cluster.cores },
      data: { ...data, rows: table.rows, sampled: data.rows },
      model: {
        name,
        declared: fitted.model.spec,
        label: fitted.model.target ?? null,
        output: output ?? null,
      },
      learner: fitted.training?.learner,
      ...(choice && { choice }),
      seed,
      rows: { learned: learnedRows, measured: quality?.rows ?? 0 },
      quality: quality
        ? { on: quality.on, ...withoutCurves(quality.evaluation), verdict: verdict(quality.evaluation) }
        : null,
      telling,
      diagnostics: fitted.diagnostics,
      report: report ?? null,
    })
  } finally {
    await engine.close()
  }
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
  options: FitOptions,
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
