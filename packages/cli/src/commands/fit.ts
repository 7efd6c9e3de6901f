/** `suffice fit`: a file in; what its columns are, a model, and how good it is, out. */
import { verdict } from "suffice/measure"
import { Keeper } from "../checkpoint.ts"
import { choiceText } from "../choosing.ts"
import type { DataPaths } from "../data.ts"
import { Failure, Stopped } from "../failure.ts"
import { duration, plain } from "../format.ts"
import { qualityText, withoutCurves } from "../quality.ts"
import { type FitOptions, type OpenTask, subjectToLearn } from "../subject.ts"
import { cardOf, type Learned, type Outcome, type Task } from "../task.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"

export async function fitCommand(session: Session, paths: DataPaths, options: FitOptions): Promise<void> {
  const { output, report, test, holdout, checkpoint } = options
  if (test !== undefined && holdout !== undefined) {
    throw new Failure(
      "usage",
      "both --test and --holdout are given. Quality is measured on the one or on the other. Leave one of them out.",
    )
  }
  const subject = subjectToLearn(options, paths)
  await subject.check(options)
  if (output !== undefined) await checkPlace(output, "the model")
  if (report !== undefined) await checkPlace(report, "the report")
  if (checkpoint !== undefined) await checkPlace(checkpoint, "the checkpoint")
  const open = await subject.open({ session, paths, options })
  try {
    const { task } = open
    await session.print(task.text)
    const keeper = new Keeper(checkpoint)
    const learned = await learnedOr(session, keeper, options, () =>
      task.learn(session, {
        checkpoint: keeper,
        onChoice: choice => session.print(choiceText(choice, task)),
      }),
    )
    const outcome = await judged(session, open, learned)
    await keep(session, open, learned, output)
    await keeper.forget()
    if (report !== undefined) await writeReport(session, task, outcome, report)
    await session.answer(answerOf(open, outcome, options))
  } finally {
    await open.close()
  }
}

/** Print how it was learned, and how good it is. */
async function judged(session: Session, { task, place }: OpenTask, learned: Learned): Promise<Outcome> {
  const { fitted, seconds } = learned
  const { name, by } = task.inWords(learned)
  const { sentence, unit, units } = task.extent(fitted)
  await session.print(`Learned ${shown(name)} from ${sentence} by ${by}${place}, in ${duration(seconds)}.`)
  for (const { message } of fitted.diagnostics) session.note(`note: ${message}`)
  const measurement = await task.measure(fitted)
  const likelihood = (fitted.training?.logLikelihood ?? Number.NaN) / units
  await session.print(
    measurement
      ? `\n${qualityText(measurement.quality, task)}`
      : `\nLog-likelihood per ${unit}: ${plain(likelihood, 6)}.`,
  )
  const findings = task.findings(fitted, measurement)
  if (findings.text !== undefined) await session.print(`\n${findings.text}`)
  return { learned, measurement, findings }
}

async function keep(
  session: Session,
  { howToUse }: OpenTask,
  { fitted }: Learned,
  output: string | undefined,
): Promise<void> {
  if (output === undefined) return session.note("The model was not kept: give -o model.json to write it.")
  await save(output, "the model", put => put(`${JSON.stringify(fitted)}\n`))
  await session.print(`\nThe model is in ${shown(output)}. ${howToUse(shown(output))}`)
}

async function writeReport(session: Session, task: Task, outcome: Outcome, report: string): Promise<void> {
  const { report: drawn } = await import("../report/page.ts")
  const card = await cardOf({ command: session.command, origin: origin(session) }, task, outcome)
  await save(report, "the report", put => put(drawn(card)))
  await session.print(`The report is in ${shown(report)}.`)
}

function answerOf(
  { task, where }: OpenTask,
  { learned, measurement, findings }: Outcome,
  { output, report }: FitOptions,
): object {
  const { fitted, choice } = learned
  const quality = measurement?.quality
  return {
    command: "fit",
    ...where,
    model: {
      name: task.inWords(learned).name,
      declared: fitted.model.spec,
      label: fitted.model.target ?? null,
      output: output ?? null,
    },
    learner: fitted.training?.learner,
    ...(task.dates && { dates: task.dates }),
    ...(choice && { choice }),
    seed: task.seed,
    ...task.counts(fitted, measurement),
    quality: quality
      ? { on: quality.on, ...withoutCurves(quality.evaluation), verdict: verdict(quality.evaluation) }
      : null,
    ...findings.answer,
    diagnostics: fitted.diagnostics,
    report: report ?? null,
  }
}

/** Where it is stopped, what was learned so far is left in a file. */
async function learnedOr(
  session: Session,
  keeper: Keeper,
  { checkpoint, output }: FitOptions,
  work: () => Promise<Learned>,
): Promise<Learned> {
  try {
    return await work()
  } catch (error) {
    if (session.signal.reason instanceof Stopped) {
      const left = await keeper.leave(output && `${output}.checkpoint`)
      const again = checkpoint === undefined ? `${session.command} --checkpoint ${left}` : session.command
      if (left !== undefined) session.kept = `What was learned so far is in ${left}. Go on with: ${again}`
    }
    throw error
  }
}
