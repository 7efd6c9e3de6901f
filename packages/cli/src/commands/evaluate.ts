/** `suffice evaluate`: a model measured on rows whose truth is known. */
import type { Columns } from "suffice"
import { evaluateSource } from "suffice/measure"
import type { QualityAnswer } from "../answers.ts"
import { checkColumn, type DataOptions, type DataPaths, isWide, openDataFor, sourceOf } from "../data.ts"
import { capitalised } from "../fitting.ts"
import { many } from "../format.ts"
import { loadModel } from "../model-file.ts"
import { levelsIn, qualityText, tellingText } from "../quality.ts"
import { stepsColumn } from "../sequences/model.ts"
import { refuseSequences, type SequenceOptions } from "../sequences/options.ts"
import { type ColumnSource, counted, joined, rowCount } from "../tabular.ts"
import { tellingFeatures } from "../telling.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { basisOf, trainingAnswer } from "../training.ts"
import { withoutCurves } from "./fit.ts"

export interface EvaluateCommandOptions extends DataOptions, Omit<SequenceOptions, "format" | "model"> {
  readonly target?: string
  readonly weight?: string
  readonly report?: string
  readonly engine?: string
  readonly node?: string
}

/** The number of rows from which telling features are computed. */
const LOOKED_AT = 20_000

export async function evaluateCommand(
  session: Session,
  path: string,
  data: DataPaths,
  options: EvaluateCommandOptions,
): Promise<void> {
  const { target, weight, report } = options
  if (report !== undefined) await checkPlace(report, "the report")
  const fitted = await loadModel(path)
  if (options.engine !== undefined)
    return (await import("../engine/evaluate.ts")).evaluateOnEngine(session, path, fitted, data, {
      ...options,
      engine: options.engine,
    })
  if (stepsColumn(fitted.model) !== undefined)
    return (await import("./sequences/evaluate.ts")).evaluateSequences(session, path, fitted, data, options)
  refuseSequences(options)
  const table = await openDataFor(fitted, data, options, session.signal)
  try {
    if (weight !== undefined) checkColumn(table, "--weight", weight)
    const bar = session.progress("measuring")
    const read = await sourceOf(session, fitted, table, {
      also: weight === undefined ? [] : [weight],
      target,
    })
    const first: Columns[] = []
    let rows = 0
    const source = counted(read, n => {
      bar.advance(n)
      rows += n
    })
    const evaluation = (await evaluateSource(fitted, alsoTo(source, first, LOOKED_AT), {
      curves: true,
      signal: session.signal,
      ...(target !== undefined && { target }),
      ...(weight !== undefined && { weight }),
    })) as unknown as QualityAnswer["evaluation"]
    bar.stop()
    const quality: QualityAnswer = { on: "test file", rows, evaluation }
    const how = { brief: isWide(fitted.model.uses.length) }
    await session.print(qualityText(quality, how))
    const telling =
      evaluation.kind === "levels" ? tellingFeatures(fitted, joined(first), evaluation.target) : []
    if (telling.length > 0)
      await session.print(`\n${tellingText(telling, { ...how, levels: levelsIn(evaluation) })}`)
    if (report !== undefined) {
      const { report: drawn } = await import("../report/page.ts")
      const text = drawn({
        title: capitalised(`${evaluation.target}, measured`),
        lead: `${path}, measured on ${many(rows, "row")} of ${table.name}.`,
        command: session.command,
        facts: [
          ["model", path],
          ["learned from", many(fitted.training?.rows ?? 0, "row")],
          ["learner", fitted.training?.learner.name ?? "written by hand"],
          ["data", table.name],
          ["seed", String(fitted.training?.seed ?? "–")],
          ...origin(session),
        ],
        warnings: [],
        quality,
        telling,
        basis: basisOf(fitted),
        ...(fitted.training && { training: trainingAnswer(fitted.training) }),
      })
      await save(report, "the report", put => put(text))
      await session.print(`\nThe report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "evaluate",
      model: path,
      data: table.name,
      ...withoutCurves(evaluation),
      telling,
      report: report ?? null,
    })
  } finally {
    await table.close()
  }
}

/** The same source; also collects its first batches, up to `most` rows. */
function alsoTo(source: ColumnSource, kept: Columns[], most: number): ColumnSource {
  return {
    async *[Symbol.asyncIterator]() {
      let rows = 0
      for await (const batch of source) {
        if (rows < most) kept.push(batch)
        rows += rowCount(batch)
        yield batch
      }
    },
  }
}
