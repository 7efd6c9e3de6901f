/** `suffice predict` of sequences: a line for every step, or for every sequence if its label is asked for; with --path the most probable states together. */
import type { Cell, Columns, Path, Row } from "suffice"
import { checkColumn, type DataPaths, openDataFor } from "../../data.ts"
import { Failure } from "../../failure.ts"
import { many } from "../../format.ts"
import type { LooseFitted } from "../../loose.ts"
import { stepsColumn, stepTargetOf } from "../../sequences/model.ts"
import { cutOf } from "../../sequences/options.ts"
import { ROW, stepsOf } from "../../sequences/table.ts"
import { type ColumnSource, rowsOf } from "../../tabular.ts"
import { listOut } from "../../terminal/list-out.ts"
import type { Session } from "../../terminal/session.ts"
import { tableOut } from "../../terminal/table-out.ts"
import type { PredictCommandOptions } from "../predict.ts"
import { type ReadOptions, sequencesOf } from "./read.ts"

export type PredictSequencesOptions = PredictCommandOptions & ReadOptions

/** Sequences that are answered at once. */
const AT_ONCE = 200

/** One line of the answer. */
type Line = Readonly<Record<string, Cell>>

/** The same with the number of its row in the file, by which lines are sorted. */
interface Placed {
  readonly place: number
  readonly line: Line
}

export async function predictSequences(
  session: Session,
  fitted: LooseFitted,
  paths: DataPaths,
  options: PredictSequencesOptions,
): Promise<void> {
  const { output, path: isPath = false } = options
  const steps = stepsColumn(fitted.model)!
  const state = stepTargetOf(fitted)
  const target = options.target ?? (isPath ? state?.column : (fitted.model.target ?? state?.column))
  if (target === undefined) {
    throw new Failure(
      "usage",
      "the model has no label, and its hidden states have no name to ask for. Name the column to predict with --target.",
    )
  }
  if (isPath && options.target !== undefined && options.target !== state?.column) {
    throw new Failure(
      "usage",
      `--path is given with --target ${options.target}. A path is one through the states of the sequence. Leave --target out.`,
    )
  }
  const table = await openDataFor(fitted, paths, options, session.signal)
  try {
    const cut = cutOf(options, paths)
    const named = options.append ? table.columns.map(({ name }) => name) : options.keep
    const keep = named ?? Object.values(cut)
    for (const column of named ?? []) checkColumn(table, "--keep", column)
    const all = await sequencesOf(session, fitted, table, paths, options, { also: keep, target })
    const rows = rowsOf(all.columns)
    const isOfEach = isPath || isInSteps(fitted, target)
    const bar = session.progress("predicting", rows.length, "sequences")
    const strange = new Map<string, number>()

    async function* answered(): AsyncGenerator<{ lines: Placed[]; objects: object[] }> {
      for (let from = 0; from < rows.length; from += AT_ONCE) {
        session.signal.throwIfAborted()
        const some = rows.slice(from, from + AT_ONCE)
        // what is predicted is never read
        const asked = some.map(row => without(row, steps, target!))
        yield isPath
          ? pathsOf(fitted.path(asked as never, state?.isHidden ? { of: target } : {}), some)
          : isOfEach
            ? eachStep(
                fitted.predict(
                  asked as never,
                  { target, ...(options.past && { past: true }) } as never,
                ) as never,
                some,
              )
            : eachSequence(fitted.predict(asked as never, { target } as never) as never, some)
        bar.advance(some.length)
      }
      bar.stop()
    }

    /** The cells of a row that are repeated, or its number. */
    const head = (step: Row, row: Row): Line =>
      keep.length === 0
        ? { row: step[ROW] }
        : Object.fromEntries(keep.map(name => [name, (name in step ? step[name] : row[name]) ?? null]))

    function eachStep(answers: readonly (readonly Answer[])[], some: readonly Row[]) {
      const lines = some.flatMap((row, i) =>
        stepsOf(row[steps]).map((step, t) => ({
          place: step[ROW] as number,
          line: { ...head(step, row), ...cells(answers[i][t], options.probabilities) },
        })),
      )
      for (const answer of answers.flat())
        for (const column in answer.unseen) strange.set(column, (strange.get(column) ?? 0) + 1)
      const objects = some.map((row, i) => ({
        ...idOf(row),
        steps: stepsOf(row[steps]).map((step, t) => ({ row: step[ROW], ...answers[i][t] })),
      }))
      return { lines, objects }
    }

    function eachSequence(answers: readonly Answer[], some: readonly Row[]) {
      const lines = some.map((row, i) => ({
        place: 0,
        line: {
          ...(cut.sequence === undefined ? {} : { [cut.sequence]: row[cut.sequence] ?? null }),
          ...cells(answers[i], options.probabilities),
        },
      }))
      return { lines, objects: some.map((row, i) => ({ ...idOf(row), ...answers[i] })) }
    }

    function pathsOf(found: readonly Path[], some: readonly Row[]) {
      const lines = some.flatMap((row, i) => {
        const { values, segments, spans } = found[i]
        return stepsOf(row[steps]).map((step, t) => ({
          place: step[ROW] as number,
          line: {
            ...head(step, row),
            value: values[t],
            segment: segments.findIndex(({ from, to }) => from <= t && t < to) + 1,
            ...(spans && { span: spans.find(({ from, to }) => from <= t && t < to)?.type ?? null }),
          },
        }))
      })
      return { lines, objects: some.map((row, i) => ({ ...idOf(row), ...found[i] })) }
    }

    function idOf(row: Row): object {
      return cut.sequence === undefined ? {} : { [cut.sequence]: row[cut.sequence] }
    }

    if (session.json && output === undefined) {
      async function* objects(): AsyncGenerator<readonly object[]> {
        for await (const { objects } of answered()) yield objects
      }
      await listOut(
        session,
        { command: "predict", target, ...(isPath && { path: true }) },
        isPath ? "paths" : "predictions",
        objects(),
      )
    } else {
      // the lines of all sequences, in the order of the file
      const placed: Placed[] = []
      for await (const { lines: some } of answered()) placed.push(...some)
      const lines = placed.sort((a, b) => a.place - b.place).map(({ line }) => line)
      const columns = Object.keys(lines[0])
      const batches: ColumnSource = {
        async *[Symbol.asyncIterator]() {
          yield Object.fromEntries(columns.map(name => [name, lines.map(line => line[name])])) as Columns
        },
      }
      await tableOut(session, output, "the predictions", columns, batches, options)
      if (output !== undefined) session.note(`${many(lines.length, "prediction")} in ${output}.`)
      await session.answer({ command: "predict", target, rows: lines.length, output })
    }
    for (const [name, times] of strange)
      session.note(
        `note: in ${many(times, "step")} ${JSON.stringify(name)} holds what training never saw; it counts as missing.`,
      )
  } finally {
    await table.close()
  }
}

interface Answer {
  readonly value: Cell
  readonly probability?: number
  readonly probabilities?: Readonly<Record<string, number>>
  readonly sd?: number
  readonly interval?: readonly [number, number]
  readonly unseen?: Readonly<Record<string, unknown>>
}

function cells({ value, probability, probabilities, sd, interval }: Answer, withAll: boolean): Line {
  if (sd !== undefined) return { value, sd, low: interval![0], high: interval![1] }
  const each = withAll ? Object.entries(probabilities ?? {}).map(([level, p]) => [`p(${level})`, p]) : []
  return { value, probability: probability!, ...Object.fromEntries(each) }
}

/** Does this column, or state, stand in the steps? */
function isInSteps({ model }: LooseFitted, target: string): boolean {
  return !model.uses.some(({ column, need }) => need.kind !== "steps" && column === target)
}

function without(row: Row, steps: string, target: string): Row {
  const { [target]: _, ...rest } = row
  return { ...rest, [steps]: stepsOf(row[steps]).map(({ [target]: _, ...step }) => step) as unknown as Cell }
}
