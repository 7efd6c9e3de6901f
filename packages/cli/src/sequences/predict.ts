/** Predictions of sequences: a line for every step, or for every sequence if the target is its label; with --path the most probable states together. */
import type { Cell, Columns, Path, Row } from "suffice"
import { checkColumn, openDataFor } from "../data.ts"
import { Failure } from "../failure.ts"
import { many } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
import { type Open, opened, type Query } from "../opened.ts"
import {
  oneBatch,
  type PredictedTable,
  type PredictionsHere,
  type PredictOptions,
  Unseen,
} from "../predictions.ts"
import { rowsOf } from "../tabular.ts"
import { eachSequence, eachStep, type Lines, pathsOf, type Shape } from "./lines.ts"
import { stepTargetOf } from "./model.ts"
import { cutOf } from "./options.ts"
import { sequencesOf } from "./read.ts"
import { stepsOf } from "./table.ts"

/** Sequences that are answered at once. */
const AT_ONCE = 200

/** The target, and the form of the answers. */
interface Goal {
  readonly target: string
  /** The hidden state of a path; undefined if the state is a column. */
  readonly of: string | undefined
  readonly answers: "paths" | "steps" | "sequences"
}

export async function predictSequences(query: Query<PredictOptions>): Promise<Open<PredictionsHere>> {
  const { session, fitted, paths, options } = query
  const goal = goalOf(fitted, options)
  const { target } = goal
  const table = await openDataFor(fitted, paths, options, session.signal)
  return opened(table, async () => {
    const cut = cutOf(options, paths)
    const named = options.append ? table.columns.map(({ name }) => name) : options.keep
    const keep = named ?? Object.values(cut)
    for (const column of named ?? []) checkColumn(table, "--keep", column)
    const all = await sequencesOf(session, fitted, table, paths, options, { also: keep, target })
    const shape = { steps: all.steps, keep, cut, probabilities: options.probabilities }
    const unseen = new Unseen()
    const answered = (): AsyncGenerator<Lines> => answersOf(query, goal, shape, rowsOf(all.columns), unseen)
    let rows = 0
    return {
      where: "here",
      target,
      head: goal.answers === "paths" ? { path: true } : {},
      list: goal.answers === "paths" ? "paths" : "predictions",
      async *objects() {
        for await (const { objects } of answered()) yield objects
      },
      async table() {
        const lines = await tableOf(answered())
        rows = lines.rows
        return lines
      },
      rows: () => rows,
      remarks: () =>
        unseen.remarks(
          (times, column) =>
            `in ${many(times, "step")} ${JSON.stringify(column)} holds what training never saw; it counts as missing.`,
        ),
    }
  })
}

function goalOf(fitted: LooseFitted, { path: isPath = false, target: given }: PredictOptions): Goal {
  const state = stepTargetOf(fitted)
  const target = given ?? (isPath ? state?.column : (fitted.model.target ?? state?.column))
  if (target === undefined) {
    throw new Failure(
      "usage",
      "the model has no label, and its hidden states have no name to ask for. Name the column to predict with --target.",
    )
  }
  if (isPath && given !== undefined && given !== state?.column) {
    throw new Failure(
      "usage",
      `--path is given with --target ${given}. A path is one through the states of the sequence. Leave --target out.`,
    )
  }
  const answers = isPath ? "paths" : isInSteps(fitted, target) ? "steps" : "sequences"
  return { target, of: state?.isHidden ? target : undefined, answers }
}

/** The answers to all sequences, some at a time. */
async function* answersOf(
  { session, fitted, options }: Query<PredictOptions>,
  { target, of, answers }: Goal,
  shape: Shape,
  rows: readonly Row[],
  unseen: Unseen,
): AsyncGenerator<Lines> {
  const bar = session.progress("predicting", rows.length, "sequences")
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    session.signal.throwIfAborted()
    const some = rows.slice(from, from + AT_ONCE)
    // what is predicted is never read
    const read = some.map(row => without(row, shape.steps, target)) as never
    if (answers === "paths")
      yield pathsOf(fitted.path(read, of === undefined ? {} : { of }) as readonly Path[], some, shape)
    else if (answers === "sequences")
      yield eachSequence(fitted.predict(read, { target } as never) as never, some, shape)
    else {
      const how = { target, ...(options.past && { past: true }) }
      const each = eachStep(fitted.predict(read, how as never) as never, some, shape)
      unseen.add(each.answers)
      yield each
    }
    bar.advance(some.length)
  }
  bar.stop()
}

/** The lines of all sequences, in the order of the file. */
async function tableOf(answered: AsyncGenerator<Lines>): Promise<PredictedTable & { readonly rows: number }> {
  const placed: Lines["lines"][number][] = []
  for await (const { lines } of answered) placed.push(...lines)
  const lines = placed.sort((a, b) => a.place - b.place).map(({ line }) => line)
  const columns = Object.keys(lines[0])
  const cells = Object.fromEntries(columns.map(name => [name, lines.map(line => line[name])])) as Columns
  return { columns, batches: oneBatch(cells), rows: lines.length }
}

/** True if this column, or state, belongs to the steps. */
function isInSteps({ model }: LooseFitted, target: string): boolean {
  return !model.uses.some(({ column, need }) => need.kind !== "steps" && column === target)
}

function without(row: Row, steps: string, target: string): Row {
  const { [target]: _, ...rest } = row
  return { ...rest, [steps]: stepsOf(row[steps]).map(({ [target]: _, ...step }) => step) as unknown as Cell }
}
