/** `suffice compare`: generative or discriminative, which is better here? Every way of learning on the same folds. */
import { setImmediate } from "node:timers/promises"
import { type Columns, SufficeError } from "suffice"
import { folds as cut, pairedInterval, type Split, split } from "suffice/measure"
import type { CompareAnswer, ContestantAnswer } from "../answers.ts"
import { candidatesFor, isOfNumbers, modelFlags, type Proposed, proposedFor } from "../auto.ts"
import { type ChoiceAnswer, choiceText, chosenBy } from "../choosing.ts"
import { chosenText } from "../chosen-c.ts"
import { CONTESTANTS, type Contestant, type Score } from "../contestants.ts"
import {
  type DataOptions,
  type DataPaths,
  dataAnswer,
  dataText,
  isWide,
  openData,
  readBy,
  rowsIn,
} from "../data.ts"
import { chosenDates, withParts } from "../dates.ts"
import { Failure } from "../failure.ts"
import { type Brief, capitalised, count, duration, many, percent, plain, signed } from "../format.ts"
import type { LooseModel } from "../loose.ts"
import { chosenModel, isFile, presetOf } from "../model.ts"
import { recommendation } from "../recommendation.ts"
import { isOfSteps, refuseStates, type SequenceOptions } from "../sequences/options.ts"
import { type ColumnSource, gathered, picked, rowCount, thinned } from "../tabular.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { textTable } from "../terminal/table.ts"
import type { TextChoice } from "../text.ts"
import type { StageAnswer } from "../training.ts"

export interface CompareCommandOptions extends DataOptions, TextChoice, Omit<SequenceOptions, "format"> {
  readonly text?: readonly string[]
  readonly model?: string
  readonly components?: number
  readonly folds?: number
  readonly rows?: number
  readonly curve: boolean
  readonly report?: string
  readonly seed?: number
}

const FOLDS = 5
const ROWS = 20_000
/** The most rows in memory: a longer table is first reduced to a random sample of this size. */
const HELD = 500_000
/** The shares of the training rows at which the learning curve is drawn, besides all of them. */
const SHARES = [0.05, 0.1, 0.25, 0.5]
/** The fewest rows per level for a point of a curve. */
const LEAST_PER_LEVEL = 3

export async function compareCommand(
  session: Session,
  paths: DataPaths,
  options: CompareCommandOptions,
): Promise<void> {
  const { label, report, folds = FOLDS, rows: most = ROWS, seed = 0 } = options
  if (report !== undefined) await checkPlace(report, "the report")
  if (isOfSteps(options, paths))
    return (await import("./sequences/compare.ts")).compareSequences(session, paths, options)
  refuseStates(options)
  if (label === undefined) {
    throw new Failure(
      "usage",
      "it is not said what is predicted. Ways to learn are compared by how well they predict a column. Name it with --label, or with --tag for each step of a sequence.",
    )
  }
  const reading = session.progress("reading")
  const table = await openData(paths, options, {
    label,
    signal: session.signal,
    onRows: rows => reading.advance(rows),
  })
  try {
    const { pool } = await import("suffice-files")
    const found = await table.summary()
    const isFixed = isFile(options.model) || presetOf(options) !== undefined
    const offered = isFixed ? undefined : await proposedFor(withParts(found), label, options)
    const fixed = isFixed ? await chosenModel(options, found, session) : undefined
    const isNumber = offered?.facts.kind === "number"
    const source = pool(
      table.read(readBy(fixed?.model ?? offered!.all, table)),
      (fixed ?? offered!).pooled,
    ) as ColumnSource
    const rows = rowsIn(found)
    const held = Math.max(HELD, most)
    const all = (await gathered(rows > held ? thinned(source, held / rows, seed) : source)) as Columns
    const labelled = withLabel(all, label)
    const used =
      rowCount(labelled) > most
        ? split(labelled, { test: most / rowCount(labelled), ...(!isNumber && { stratify: label }), seed })
            .test
        : labelled
    const { signal } = session
    const dates = offered && (await chosenDates(found, offered.facts, used, { seed, signal }))
    const proposed = dates ? await proposedFor(dates.reports, label, options) : offered
    const data = dataAnswer(table.name, dates?.reports ?? found, fixed?.model ?? proposed!.all, label)
    const how = { brief: isWide(data.columns.length) }
    reading.stop()
    await session.print(dataText(data))
    if (dates) await session.print(`${dates.text}\n`)
    if (used !== all) {
      session.note(
        `note: compared on ${many(rowCount(used), "row")} of ${count(data.rows)}${rowCount(used) < rowCount(labelled) ? `, drawn by chance (--rows ${most})` : ": the others have no label"}.`,
      )
    }
    const chosen = proposed && (await best(session, proposed, used, label, seed, dates?.flags))
    if (chosen) await session.print(choiceText(chosen.choice, how))
    const { model, name } = fixed ?? chosen!
    // most of the work, so not where it would not be shown
    const curve = options.curve && (!how.brief || report !== undefined || session.json)
    // of a number there is one way to learn: which model is better is the whole comparison
    const answer = model && (await compared(session, model, used, label, folds, seed, curve))
    if (answer) await session.print(compareText(answer, how, options.curve))
    if (report !== undefined) {
      const { report: drawn } = await import("../report/page.ts")
      const page = drawn({
        title: capitalised(`ways to learn ${label}`),
        lead: answer
          ? `${capitalised(name)}, learned in ${answer.contestants.length} ways from ${data.name}.`
          : `${capitalised(name)}, the best of what was tried on ${data.name}.`,
        command: session.command,
        facts: [
          ["data", `${data.name}, ${many(data.rows, "row")}`],
          ["compared on", many(rowCount(used), "row")],
          ["folds", String(folds)],
          ["seed", String(seed)],
          ...origin(session),
        ],
        warnings: [],
        data,
        ...(chosen && { choice: chosen.choice }),
        ...(answer && { compare: answer }),
      })
      await save(report, "the report", put => put(page))
      await session.print(`\nThe report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "compare",
      data,
      seed,
      rows: rowCount(used),
      ...(dates && { dates: dates.tried }),
      ...(chosen && { choice: chosen.choice }),
      ...answer,
      report: report ?? null,
    })
  } finally {
    await table.close()
  }
}

/** The model that fits best, chosen on these rows; none to be compared where it is of a number. */
async function best(
  session: Session,
  proposed: Proposed,
  data: Columns,
  label: string,
  seed: number,
  flags = "",
): Promise<{ choice: ChoiceAnswer; name: string; model?: LooseModel }> {
  const candidates = candidatesFor(proposed, undefined, undefined)
  const { choice } = await chosenBy(session, { candidates, label, flags }, data, { seed })
  const { preset, model } = candidates.find(one => one.name === choice.model)!
  if (isOfNumbers(preset.model)) return { choice, name: choice.name }
  // the base rate has nothing to learn in several ways
  const compared = preset.model === "base-rate" ? candidates[1].model : model
  // the ways to learn are what is compared: the command fixes the model alone
  const command = [session.command, flags, modelFlags(preset)].filter(part => part !== "").join(" ")
  return { choice: { ...choice, command }, name: choice.name, model: compared as LooseModel }
}

/** Drops rows without a label: they say nothing about accuracy, and only some of the contestants learn from them. */
function withLabel(columns: Columns, label: string): Columns {
  const cells = columns[label]
  const places: number[] = []
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (cell !== null && cell !== undefined && !Number.isNaN(cell)) places.push(i)
  }
  return places.length === cells.length ? columns : picked(columns, places)
}

/** `each`: the contestants, all of them where it does not say. A label that is no column of the rows stands in their steps. */
export async function compared(
  session: Session,
  model: LooseModel,
  data: Columns,
  label: string,
  folds: number,
  seed: number,
  curve: boolean,
  each: readonly Contestant[] = CONTESTANTS,
): Promise<CompareAnswer> {
  const parts = cut(data, folds, { seed, ...(label in data && { stratify: label }) })
  const shares = curve ? sharesOf(parts[0].train, label) : []
  const bar = session.progress("comparing", each.length * folds * (1 + shares.length), "fits")
  const contestants: ContestantAnswer[] = []
  for (const contestant of each) {
    contestants.push(
      await played(contestant, model, parts, shares, label, seed, session.signal, () =>
        bar.advance(1, contestant.name),
      ),
    )
  }
  bar.stop()
  const took = contestants.filter(one => one.refused === undefined)
  const best = took.reduce((top, one) => (one.accuracy > top.accuracy ? one : top))
  const differences = took
    .filter(one => one !== best)
    .map(one => {
      const each = best.folds.map((fold, f) => fold.accuracy - one.folds[f].accuracy)
      return { against: one.name, difference: best.accuracy - one.accuracy, interval: pairedInterval(each) }
    })
  const answer = { label, folds, contestants, best: best.name, differences }
  return { ...answer, recommendation: recommendation(answer) }
}

/** The shares that have enough rows for a point of the curve. */
function sharesOf(train: Columns, label: string): number[] {
  const rows = rowCount(train)
  const levels = new Set(Array.from(train[label], String)).size
  return SHARES.filter(share => share * rows >= Math.max(LEAST_PER_LEVEL * levels, 10))
}

async function played(
  contestant: Contestant,
  model: LooseModel,
  parts: readonly Split<Columns>[],
  shares: readonly number[],
  label: string,
  seed: number,
  signal: AbortSignal,
  done: () => void,
): Promise<ContestantAnswer> {
  const { name, kind } = contestant
  const began = performance.now()
  const folds: Score[] = []
  let stages: readonly StageAnswer[] | undefined
  const curves: { rows: number; scores: number[] }[] = shares.map(() => ({ rows: 0, scores: [] }))
  try {
    for (const { train, test } of parts) {
      const { training, ...score } = await contestant.play(model, train, test, seed, signal)
      stages ??= training?.stages
      folds.push(score)
      done()
      await setImmediate()
      signal.throwIfAborted()
    }
    const seconds = (performance.now() - began) / 1000
    for (const { train, test } of parts) {
      for (const [s, share] of shares.entries()) {
        const some = split(train, { test: share, stratify: label, seed }).test
        curves[s].rows = rowCount(some)
        curves[s].scores.push((await contestant.play(model, some, test, seed, signal)).accuracy)
        done()
        await setImmediate()
        signal.throwIfAborted()
      }
    }
    const accuracy = meanOf(folds.map(fold => fold.accuracy))
    const losses = folds.flatMap(fold => fold.logLoss ?? [])
    const logLoss = losses.length === folds.length ? meanOf(losses) : undefined
    return {
      name,
      kind,
      accuracy: accuracy.mean,
      accuracyStandardError: accuracy.error,
      ...(logLoss && { logLoss: logLoss.mean, logLossStandardError: logLoss.error }),
      folds,
      ...(stages && { stages }),
      seconds,
      curve: [
        ...curves.map(({ rows, scores }) => ({ rows, ...pointOf(scores) })),
        { rows: rowCount(parts[0].train), ...pointOf(folds.map(fold => fold.accuracy)) },
      ],
    }
  } catch (error) {
    if (!(error instanceof SufficeError) || signal.aborted) throw error
    return {
      name,
      kind,
      refused: error.message,
      accuracy: 0,
      accuracyStandardError: 0,
      folds: [],
      seconds: 0,
      curve: [],
    }
  }
}

function pointOf(scores: readonly number[]): { accuracy: number; standardError: number } {
  const { mean, error } = meanOf(scores)
  return { accuracy: mean, standardError: error }
}

/** The mean over folds, and its standard error. */
function meanOf(values: readonly number[]): { mean: number; error: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) }
}

export function compareText(
  { contestants, folds, best, differences, recommendation: said }: CompareAnswer,
  { brief = false }: Brief,
  curve: boolean,
): string {
  const elsewhere = curve ? ["The learning curve is in the report (--report) and in --json."] : []
  const took = contestants.filter(one => one.refused === undefined)
  const table = textTable(
    [
      { title: "learned by" },
      { title: "kind" },
      { title: "accuracy", align: "right" },
      { title: "log-loss", align: "right" },
      { title: "best minus this (points, 95 %)", align: "right" },
      { title: "time", align: "right" },
    ],
    took.map(one => {
      const gap = differences.find(({ against }) => against === one.name)
      return [
        one.name,
        one.kind,
        `${percent(one.accuracy)} ± ${(100 * one.accuracyStandardError).toFixed(1)}`,
        one.logLoss === undefined ? "–" : plain(one.logLoss, 3),
        one.name === best
          ? "best"
          : gap
            ? `${signed(100 * gap.difference, 1)} (${signed(100 * gap.interval[0], 1)} to ${signed(100 * gap.interval[1], 1)})`
            : "",
        duration(one.seconds),
      ]
    }),
  )
  const refused = contestants
    .filter(one => one.refused !== undefined)
    .map(one => `  ${one.name} took no part: ${shown(one.refused ?? "")}`)
  return [
    `Cross-validated on the same ${folds} folds:`,
    table,
    ...chosenText(took),
    ...refused,
    ...(brief ? elsewhere : curveText(took)),
    said,
  ].join("\n\n")
}

function curveText(took: readonly ContestantAnswer[]): string[] {
  const sizes = took[0]?.curve ?? []
  if (sizes.length <= 1) return []
  return [
    `Learning curve: accuracy by rows learned from`,
    textTable(
      [
        { title: "learned by" },
        ...sizes.map(({ rows }) => ({ title: count(rows), align: "right" as const })),
      ],
      took.map(one => [one.name, ...one.curve.map(({ accuracy }) => percent(accuracy))]),
    ),
  ]
}
