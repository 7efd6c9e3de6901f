/** `suffice fit` of sequences: a hidden Markov model, one for each level of a label, or a tagger. */
import { type FitOptions, fit } from "suffice"
import { verdict } from "suffice/measure"
import type { QualityAnswer } from "../../answers.ts"
import { Keeper } from "../../checkpoint.ts"
import { type DataPaths, isWide } from "../../data.ts"
import { Stopped } from "../../failure.ts"
import { learnedBy } from "../../fitting.ts"
import { duration, many, plain } from "../../format.ts"
import type { Chosen } from "../../learner.ts"
import type { LooseFitted } from "../../loose.ts"
import { qualityText, withoutCurves } from "../../quality.ts"
import { cardOfSteps } from "../../sequences/card.ts"
import { sequencesText } from "../../sequences/data.ts"
import { learnerOfSteps, preparedSequences, qualityOf } from "../../sequences/fitting.ts"
import type { StepsModel } from "../../sequences/model.ts"
import { checkSequences, cutOf, type SequenceOptions } from "../../sequences/options.ts"
import { openSteps, readSequences } from "../../sequences/read.ts"
import { chainsAnswer, chainsText } from "../../sequences/states.ts"
import type { Sequences } from "../../sequences/table.ts"
import { checkPlace, save } from "../../terminal/save.ts"
import { origin, type Session } from "../../terminal/session.ts"
import { shown } from "../../terminal/shown.ts"
import type { FitCommandOptions } from "../fit.ts"

export type FitSequencesOptions = FitCommandOptions & SequenceOptions

export async function fitSequences(
  session: Session,
  paths: DataPaths,
  options: FitSequencesOptions,
): Promise<void> {
  const { output, report, tag, seed = 0, checkpoint } = options
  const { components, by, temperature, doubt, weight, unlabelled } = options
  checkSequences(options, {
    "--components": components,
    "--by": by,
    "--temperature": temperature,
    "--doubt": doubt,
    "--weight": weight,
    "--unlabelled": unlabelled,
  })
  const learner = learnerOfSteps(options)
  if (output !== undefined) await checkPlace(output, "the model")
  if (report !== undefined) await checkPlace(report, "the report")
  if (checkpoint !== undefined) await checkPlace(checkpoint, "the checkpoint")
  const cut = cutOf(options, paths)
  const reading = session.progress("reading")
  const table = await openSteps(session, paths, options, rows => reading.advance(rows))
  try {
    const { wanted, data, goal, parts } = await preparedSequences(table, options, cut, session, () =>
      reading.stop(),
    )
    await session.print(sequencesText(data))
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
      // the sequences of a CoNLL file are known
      const again = Object.entries({ sequence: options.sequence, order: options.order })
        .map(([option, column]) => (column === undefined ? "" : ` --${option} ${shown(column)}`))
        .join("")
      await session.print(
        `\nThe model is in ${shown(output)}. Use it: suffice predict ${shown(output)} DATA${again}`,
      )
    }
    await keeper.forget()
    if (report !== undefined) {
      const { report: drawn } = await import("../../report/page.ts")
      const card = cardOfSteps(
        { command: session.command, origin: origin(session) },
        {
          wanted,
          data,
          parts,
          fitted,
          by,
          cut,
          seed,
          looked: (measured?.columns ?? parts.train).columns,
          ...(measured && { quality: measured.quality }),
        },
      )
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
