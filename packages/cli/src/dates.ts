/**
 * Dates, where nobody says what to make of them: a part of them (year, month, weekday, hour) is a column of the model if it says something about the
 * label by itself, on training rows. Each is tried alone against the base rate, by cross-validated log-loss; within one standard error the base rate wins.
 * That costs a few fits of a model of one column each, and none where there are no dates.
 */

import { type Columns, em, modelNamed, type Preset } from "suffice"
import { usualFamily } from "suffice/describe"
import { choose, type LabelKind } from "suffice/measure"
import type { ColumnReport } from "suffice-files"
import { rowsIn } from "./data.ts"
import { plain } from "./format.ts"
import type { LooseModel } from "./loose.ts"
import { type ColumnSource, gathered, picked, rowCount, thinned } from "./tabular.ts"

/** Rows that are enough to see whether a part helps. */
const LOOKED_AT = 20_000

/** What became of the part of a date. */
export interface TriedPart {
  readonly column: string
  /** Mean log-loss with it alone, and of the base rate on the same rows. */
  readonly logLoss: number
  readonly baseRate: number
  readonly taken: boolean
}

/** The reports with these parts of dates behind their dates. Without a list, with all of them. */
export function withParts(
  reports: readonly ColumnReport[],
  taken?: readonly TriedPart[],
): readonly ColumnReport[] {
  const isTaken = ({ name }: ColumnReport): boolean =>
    taken === undefined || taken.some(part => part.column === name && part.taken)
  return reports.flatMap(report => {
    const parts = (report.parts ?? []).filter(isTaken)
    if (parts.length === 0) return [report]
    const named = parts.map(({ name }) => name.slice(report.name.length + 1)).join(", ")
    return [{ ...report, note: `as its ${named}` }, ...parts]
  })
}

/** What was chosen of the dates of a table. */
export interface ChosenDates {
  /** The reports of all columns, those of the parts that are taken behind their dates. */
  readonly reports: readonly ColumnReport[]
  readonly tried: readonly TriedPart[]
  /** For people. */
  readonly text: string
  /** The flags that say the same. */
  readonly flags: string
}

interface About {
  readonly label: string
  readonly kind: LabelKind
}

/** Chooses on these rows, which hold the parts of all dates; undefined where there are no dates. */
export async function chosenDates(
  reports: readonly ColumnReport[],
  about: About,
  train: Columns | ColumnSource,
  options: { readonly seed: number; readonly signal: AbortSignal },
): Promise<ChosenDates | undefined> {
  if (!reports.some(({ parts }) => parts !== undefined)) return undefined
  const tried = await triedParts(reports, about, train, options)
  return {
    reports: withParts(reports, tried),
    tried,
    text: partsText(tried, about.label),
    flags: partFlags(reports, tried),
  }
}

async function triedParts(
  reports: readonly ColumnReport[],
  { label, kind }: About,
  train: Columns | ColumnSource,
  { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
): Promise<TriedPart[]> {
  const { proposeModel } = await import("suffice-files/columns")
  const parts = reports.flatMap(report => report.parts ?? [])
  const data = await some(train, rowsIn(reports), [label, ...parts.map(({ name }) => name)], seed)
  const tried: TriedPart[] = []
  for (const part of parts) {
    const body = proposeModel([part]) as unknown as LooseModel
    const [base, own] = presetsOf(part, kind)
    const { trials, model } = await choose(
      { base: modelNamed(base, label, body), own: modelNamed(own, label, body) },
      data,
      { target: label, learners: { counting: em() }, calibrate: false, seed, signal },
    )
    tried.push({
      column: part.name,
      logLoss: trials[1].score,
      baseRate: trials[0].score,
      taken: model === "own",
    })
  }
  return tried
}

/** The label by its base rate, and given one part: by a level, or by the year, which is a number. */
function presetsOf({ name, family }: ColumnReport, kind: LabelKind): [Preset, Preset] {
  if (kind !== "number") return [{ model: "base-rate" }, { model: "naive-bayes" }]
  const own: Preset = family === usualFamily("number") ? { model: "linear" } : { model: "normal", by: [name] }
  return [{ model: "base-rate-normal" }, own]
}

/** Some of the rows, drawn by chance: files are often in the order of their dates. */
async function some(
  train: Columns | ColumnSource,
  rows: number,
  columns: readonly string[],
  seed: number,
): Promise<Columns> {
  const source: ColumnSource =
    Symbol.asyncIterator in train
      ? (train as ColumnSource)
      : {
          async *[Symbol.asyncIterator]() {
            yield train
          },
        }
  const narrow: ColumnSource = {
    async *[Symbol.asyncIterator]() {
      for await (const batch of source) {
        const cut = Object.fromEntries(columns.map(name => [name, batch[name]]))
        yield picked(cut, labelledIn(cut, columns[0]))
      }
    },
  }
  const share = LOOKED_AT / rows
  return (await gathered(share < 1 ? thinned(narrow, share, seed) : narrow)) as Columns
}

function labelledIn(columns: Columns, label: string): number[] {
  const cells = columns[label]
  return Array.from({ length: rowCount(columns) }, (_, i) => i).filter(i => {
    const cell = cells[i]
    return cell !== null && cell !== undefined && !Number.isNaN(cell)
  })
}

function partsText(tried: readonly TriedPart[], label: string): string {
  const taken = tried
    .filter(part => part.taken)
    .map(
      ({ column, logLoss, baseRate }) =>
        `${column} (log-loss ${plain(logLoss, 3)}, base rate ${plain(baseRate, 3)})`,
    )
  const others = tried.filter(part => !part.taken).map(({ column }) => column)
  if (taken.length === 0)
    return `No part of a date helps to predict ${label} by itself: ${others.join(", ")} are left out.`
  const left = others.length === 0 ? "" : ` Left out: ${others.join(", ")}.`
  return `Parts of dates that help to predict ${label}, each by itself on training rows: ${taken.join(", ")}.${left}`
}

function partFlags(reports: readonly ColumnReport[], tried: readonly TriedPart[]): string {
  const asked = reports
    .flatMap(report => report.parts ?? [])
    .filter(({ name }) => tried.some(part => part.column === name && part.taken))
    .map(({ name, kind }) => `${name}=${kind === "number" ? "number" : "category"}`)
  return asked.length === 0 ? "" : `--as ${quoted(asked.join(","))}`
}

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w.=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
