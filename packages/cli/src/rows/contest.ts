/** Rows of a file on which ways to learn are compared. */
import type { Columns } from "suffice"
import { split } from "suffice/measure"
import type { FileTable } from "suffice-files"
import { candidatesFor, isOfNumbers, modelFlags, type Proposed, proposedFor } from "../auto.ts"
import { chosenBy } from "../choosing.ts"
import { CONTESTANTS } from "../contestants.ts"
import { dataAnswer, dataText, isWide, openData, readBy, rowsIn } from "../data.ts"
import { chosenDates, withParts } from "../dates.ts"
import { Failure } from "../failure.ts"
import { count, many } from "../format.ts"
import type { LooseModel } from "../loose.ts"
import { chosenModel, isFile, presetOf } from "../model.ts"
import { type Given, type Open, opened } from "../opened.ts"
import { refuseStates } from "../sequences/options.ts"
import type { CompareOptions, Contender, Contest } from "../subject.ts"
import { type ColumnSource, gathered, picked, rowCount, thinned } from "../tabular.ts"
import type { Session } from "../terminal/session.ts"

const ROWS = 20_000
/** The most rows in memory: a longer table is first reduced to a random sample of this size. */
const HELD = 500_000

export async function openContest(given: Given<CompareOptions>): Promise<Open<Contest>> {
  const { session, paths, options } = given
  const { label } = options
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
  return opened(table, async () => {
    const contest = await contestOf(given, table, label)
    reading.stop()
    return contest
  })
}

async function contestOf(
  { session, options }: Given<CompareOptions>,
  table: FileTable,
  label: string,
): Promise<Contest> {
  const { rows: most = ROWS, seed = 0 } = options
  const reports = await table.summary()
  const isFixed = isFile(options.model) || presetOf(options) !== undefined
  const offered = isFixed ? undefined : await proposedFor(withParts(reports), label, options)
  const fixed = isFixed ? await chosenModel(options, reports, session) : undefined
  const { pool } = await import("suffice-files")
  const source = pool(
    table.read(readBy(fixed?.model ?? offered!.all, table)),
    (fixed ?? offered!).pooled,
  ) as ColumnSource
  const rows = rowsIn(reports)
  const limit = Math.max(HELD, most)
  const all = (await gathered(rows > limit ? thinned(source, limit / rows, seed) : source)) as Columns
  const drawn = drawnFrom(all, label, most, offered?.facts.kind === "number" ? undefined : label, seed)
  const { columns } = drawn
  const { signal } = session
  const dates = offered && (await chosenDates(reports, offered.facts, columns, { seed, signal }))
  const proposed = dates ? await proposedFor(dates.reports, label, options) : offered
  const data = dataAnswer(table.name, dates?.reports ?? reports, fixed?.model ?? proposed!.all, label)
  const size = many(rowCount(columns), "row")
  return {
    data,
    text: dates ? `${dataText(data)}\n${dates.text}\n` : dataText(data),
    brief: isWide(data.columns.length),
    remarks: columns === all ? [] : [`note: compared on ${size} of ${count(data.rows)}${drawn.reason}.`],
    columns,
    label,
    contestants: CONTESTANTS,
    hasCurve: true,
    facts: [
      ["data", `${data.name}, ${many(data.rows, "row")}`],
      ["compared on", size],
    ],
    rows: rowCount(columns),
    ...(dates && { dates: dates.tried }),
    contender: async () => fixed ?? best(session, proposed!, columns, label, seed, dates?.flags),
  }
}

/** At most n of the rows with a label. `levels`: the column whose levels are drawn in proportion. */
function drawnFrom(
  all: Columns,
  label: string,
  most: number,
  levels: string | undefined,
  seed: number,
): { readonly columns: Columns; readonly reason: string } {
  const labelled = withLabel(all, label)
  if (rowCount(labelled) <= most) return { columns: labelled, reason: ": the others have no label" }
  const how = { test: most / rowCount(labelled), ...(levels !== undefined && { stratify: levels }), seed }
  const { test } = split(labelled, how)
  const isLess = rowCount(test) < rowCount(labelled)
  return {
    columns: test,
    reason: isLess ? `, drawn by chance (--rows ${most})` : ": the others have no label",
  }
}

/** The model that fits best, chosen on these rows; without a model if it is of a number. */
async function best(
  session: Session,
  proposed: Proposed,
  data: Columns,
  label: string,
  seed: number,
  flags = "",
): Promise<Contender> {
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

/** Drops rows without a label: they have no accuracy, and only some of the contestants learn from them. */
function withLabel(columns: Columns, label: string): Columns {
  const cells = columns[label]
  const places: number[] = []
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (cell !== null && cell !== undefined && !Number.isNaN(cell)) places.push(i)
  }
  return places.length === cells.length ? columns : picked(columns, places)
}
