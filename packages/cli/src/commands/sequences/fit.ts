/** `suffice fit` of sequences: a hidden Markov model, one for each level of a label, or a tagger. */
import { type FitOptions, fit } from "suffice"
import { evaluate, verdict } from "suffice/measure"
import type { Card, QualityAnswer } from "../../answers.ts"
import { Keeper } from "../../checkpoint.ts"
import { type DataPaths, isWide } from "../../data.ts"
import { Failure, Stopped } from "../../failure.ts"
import { capitalised, learnedBy } from "../../fitting.ts"
import { count, duration, many, plain } from "../../format.ts"
import { type Chosen, chosenLearner } from "../../learner.ts"
import type { LooseFitted } from "../../loose.ts"
import { qualityText } from "../../quality.ts"
import { sequencesAnswer, sequencesText } from "../../sequences/data.ts"
import { columnsOfSteps, type StepsModel, stepsModel } from "../../sequences/model.ts"
import { checkSequences, cutOf, type SequenceOptions } from "../../sequences/options.ts"
import { pathAnswer } from "../../sequences/path.ts"
import { chainsAnswer, chainsText } from "../../sequences/states.ts"
import { type Sequences, sequencesIn, splitSequences } from "../../sequences/table.ts"
import { checkPlace, save } from "../../terminal/save.ts"
import { origin, type Session } from "../../terminal/session.ts"
import { shown } from "../../terminal/shown.ts"
import { basisOf, trainingAnswer } from "../../training.ts"
import { type FitCommandOptions, withoutCurves } from "../fit.ts"
import { openSteps, readSequences } from "./read.ts"

export type FitSequencesOptions = FitCommandOptions & SequenceOptions

const HOLDOUT = 0.2

export async function fitSequences(
  session: Session,
  paths: DataPaths,
  options: FitSequencesOptions,
): Promise<void> {
  const { output, report, test, holdout = HOLDOUT, tag, label, seed = 0, checkpoint } = options
  const { components, by, temperature, doubt, weight, unlabelled } = options
  checkSequences(options, {
    "--components": components,
    "--by": by,
    "--temperature": temperature,
    "--doubt": doubt,
    "--weight": weight,
    "--unlabelled": unlabelled,
  })
  const learner = learnerFor(options)
  if (output !== undefined) await checkPlace(output, "the model")
  if (report !== undefined) await checkPlace(report, "the report")
  if (checkpoint !== undefined) await checkPlace(checkpoint, "the checkpoint")
  const cut = cutOf(options, paths)
  const target = tag ?? label
  const reading = session.progress("reading")
  const table = await openSteps(session, paths, options, rows => reading.advance(rows))
  try {
    const reports = await table.summary()
    const wanted = await stepsModel(options, reports, Object.values(cut))
    const { steps, beside } = columnsOfSteps(wanted.model)
    const { pooling } = await import("suffice-files")
    const all = await sequencesIn(table, steps, cut, {
      keep: beside,
      steps: wanted.steps,
      prepared: pooling(wanted.pooled),
    })
    reading.stop()
    if (all.length === 0) throw noSteps(table.name)
    const data = sequencesAnswer(table.name, reports, wanted, options, cut, all)
    await session.print(sequencesText(data))
    const goal = target ?? wanted.model.target
    const share = test !== undefined || goal === undefined ? 0 : holdout
    const parts = splitSequences(all, share, { label: beside.includes(goal ?? "") ? goal : undefined, seed })
    const keeper = new Keeper(checkpoint)
    const { fitted, seconds } = await learned(session, wanted, parts.train, learner, options, keeper)
    const by = learnedBy(fitted, learner)
    await session.print(
      `Learned ${shown(wanted.name)} from ${many(parts.train.count, "sequence")} of ${many(parts.train.length, "step")} by ${by}, in ${duration(seconds)}.`,
    )
    for (const { message } of fitted.diagnostics) session.note(`note: ${message}`)

    const measured = goal === undefined ? undefined : await measuredOf(session, fitted, parts, options)
    const how = { brief: isWide(data.columns.length) }
    if (measured) await session.print(`\n${qualityText(measured.quality, how)}`)
    else
      await session.print(
        `\nLog-likelihood per step: ${plain((fitted.training?.logLikelihood ?? Number.NaN) / parts.train.length, 6)}.`,
      )
    const chains = chainsAnswer(fitted)
    if (tag === undefined) await session.print(`\n${chainsText(chains)}`)

    if (output === undefined) session.note("The model was not kept: give -o model.json to write it.")
    else {
      await save(output, "the model", put => put(`${JSON.stringify(fitted)}\n`))
      const again = [cut.sequence, cut.order].some(
        column => column !== undefined && options.sequence === column,
      )
        ? ` --sequence ${shown(cut.sequence!)}${cut.order === undefined ? "" : ` --order ${shown(cut.order)}`}`
        : ""
      await session.print(
        `\nThe model is in ${shown(output)}. Use it: suffice predict ${shown(output)} DATA${again}`,
      )
    }
    await keeper.forget()
    if (report !== undefined) {
      const { report: drawn } = await import("../../report/page.ts")
      const path = pathAnswer(fitted, (measured?.columns ?? parts.train).columns, wanted.steps, cut)
      const card: Card = {
        title: capitalised(wanted.name),
        lead: `Learned from ${many(parts.train.count, "sequence")} of ${data.name}, ${many(parts.train.length, "step")}, by ${by}.`,
        command: session.command,
        facts: [
          ["data", `${data.name}, ${many(data.sequences, "sequence")}, ${many(data.steps, "step")}`],
          ["learned from", `${many(parts.train.count, "sequence")}, ${many(parts.train.length, "step")}`],
          ["learner", `${fitted.training?.learner.name} ${JSON.stringify(fitted.training?.learner.options)}`],
          ["steps of learning", count(fitted.training?.iterations ?? 0)],
          ["seed", String(seed)],
          ...origin(session),
        ],
        warnings: fitted.diagnostics.map(({ message }) => message),
        data,
        ...(measured && { quality: measured.quality }),
        chains,
        ...(path && { path }),
        basis: { ...basisOf(fitted), rows: parts.train.length, unit: "step" },
        ...(fitted.training && { training: trainingAnswer(fitted.training) }),
      }
      await save(report, "the report", put => put(drawn(card)))
      await session.print(`The report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "fit",
      data,
      model: {
        name: wanted.name,
        declared: fitted.model.spec,
        label: fitted.model.target ?? null,
        output: output ?? null,
      },
      learner: fitted.training?.learner,
      seed,
      sequences: { learned: parts.train.count, measured: measured?.columns.count ?? 0 },
      rows: { learned: parts.train.length, measured: measured?.columns.length ?? 0 },
      quality: measured
        ? {
            on: measured.quality.on,
            ...withoutCurves(measured.quality.evaluation),
            verdict: verdict(measured.quality.evaluation),
          }
        : null,
      chains,
      diagnostics: fitted.diagnostics,
      report: report ?? null,
    })
  } finally {
    await table.close()
  }

  async function measuredOf(
    session: Session,
    fitted: LooseFitted,
    { train, test: held }: { readonly train: Sequences; readonly test: Sequences },
    options: FitSequencesOptions,
  ): Promise<{ quality: QualityAnswer; columns: Sequences }> {
    const on = options.test !== undefined ? "test file" : held.length > 0 ? "held-out rows" : "training rows"
    const { sql: _, ...how } = options
    const columns =
      on === "test file"
        ? await readSequences(session, fitted, [options.test!], how)
        : on === "held-out rows"
          ? held
          : train
    return { quality: qualityOf(fitted, columns, on), columns }
  }
}

/** Measured on these sequences. */
export function qualityOf(
  fitted: LooseFitted,
  all: Sequences,
  on: QualityAnswer["on"],
  target?: string,
): QualityAnswer {
  const evaluation = evaluate(fitted, all.columns, {
    curves: true,
    ...(target !== undefined && { target }),
  }) as unknown as QualityAnswer["evaluation"]
  const isOfEach = "sequences" in evaluation
  return {
    on,
    rows: isOfEach ? all.length : all.count,
    ...(isOfEach ? { sequences: all.count } : { unit: "sequence" }),
    evaluation,
  }
}

/** What is predicted is learned discriminatively, what is hidden by EM, unless the command line says. */
function learnerFor(options: FitSequencesOptions): Chosen {
  const { learner, restarts, tag, label } = options
  const isGiven = learner !== undefined || restarts !== undefined
  const predicts = tag !== undefined || label !== undefined
  return chosenLearner(!isGiven && predicts ? { ...options, learner: "sdem" } : options)
}

async function learned(
  session: Session,
  { model, steps: _ }: StepsModel,
  train: Sequences,
  { learner, byEpochs }: Chosen,
  { seed = 0, threads, checkpoint, output }: FitSequencesOptions,
  keeper: Keeper,
): Promise<{ fitted: LooseFitted; seconds: number }> {
  const began = performance.now()
  let bar = session.progress("learning", undefined, "steps")
  let step = 0
  const options: FitOptions = {
    seed,
    ...(threads !== undefined && { threads }),
    learner,
    signal: session.signal,
    checkpoint: keeper,
    onStep: ({ objective, iteration, of }) => {
      step++
      // the EM that provides the first guess is one more run before the epochs
      if (byEpochs && of !== undefined && iteration === 1) {
        bar.stop()
        bar = session.progress("learning", of, "epochs")
      }
      bar.at(of === undefined ? step : iteration, `objective ${plain(objective, 6)}`)
    },
  }
  try {
    await bar.show(`reading ${many(train.length, "step")}`)
    const fitted = (await fit(model, train.columns, options)) as LooseFitted
    return { fitted, seconds: (performance.now() - began) / 1000 }
  } catch (error) {
    if (session.signal.reason instanceof Stopped) {
      const left = await keeper.leave(output && `${output}.checkpoint`)
      const again = checkpoint === undefined ? `${session.command} --checkpoint ${left}` : session.command
      if (left !== undefined) session.kept = `What was learned so far is in ${left}. Go on with: ${again}`
    }
    throw error
  } finally {
    bar.stop()
  }
}

function noSteps(name: string): Failure {
  return new Failure(
    "data",
    `${name} has no rows. A sequence is learned from its steps. Name a file that has some.`,
  )
}
