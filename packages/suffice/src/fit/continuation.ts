/** Continued learning: what a model already knows becomes part of the problem that new rows pose. */

import type { Knowledge } from "../answers/knowledge.ts"
import { allColumns } from "../blocks/encoded.ts"
import type { Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { Learnable } from "../contract/learnable.ts"
import type { Diagnostic, Training } from "../contract/report.ts"
import { type Laid, spreadOf } from "../engine/lay.ts"
import { continued } from "../engine/learnable.ts"
import { transfer } from "../engine/transfer.ts"
import { list, show } from "../errors.ts"

export interface Continuation {
  readonly problem: Learnable
  readonly warnings: readonly Diagnostic[]
  /** What the training record says of it. */
  readonly mark: Pick<Training, "continued">
}

/** A specified model counts as one row: that is the mass of its statistics. */
const SPECIFIED = { rows: 0, weight: 1 }

export function continuation(before: Knowledge, laid: Laid, fresh: Learnable): Continuation {
  const { rows, weight } = before.training ?? SPECIFIED
  const base = transfer(before.laid, laid, before.stats)
  return {
    problem: continued(fresh, base, { rows, weight, spread: before.spread }, laid),
    warnings: [
      ...droppedCalibration(before),
      ...newEntries(allColumns(before.schema.columns), allColumns(laid.columns)),
    ],
    mark: isCounted(before.training) ? {} : { continued: true },
  }
}

/** What is known, counting f times: a power prior (Ibrahim & Chen 2000). Its own prior is not forgotten, nor the spread that it is relative to. */
export function forgetting(known: Knowledge, share: number): Knowledge {
  const { laid, stats, training = { rows: 0, weight: 1 } as Training } = known
  return {
    ...known,
    spread: known.spread ?? spreadOf(laid, stats),
    stats: stats.map(value => value * share),
    training: { ...training, weight: training.weight * share, continued: true },
  }
}

/** Are the statistics plain counts of rows in which nothing was hidden? Then they hold everything these rows say. */
function isCounted(training: Training | undefined): boolean {
  const own = training?.runs.find(({ run }) => run === training.run)
  return own?.stopped === "counted" && !training?.continued
}

/** Levels and words that are new in this update: only the new rows say anything about them. */
function newEntries(before: readonly Column[], after: readonly Column[]): Diagnostic[] {
  return after.flatMap((column, c) => {
    const fresh = entriesOf(column).slice(entriesOf(before[c]).length)
    if (fresh.length === 0) return []
    const what = `${fresh.length} ${column.kind === "bag" ? "word" : "level"}${fresh.length === 1 ? "" : "s"}`
    return [
      {
        code: "unseen-level",
        column: column.name,
        message: `the update brought ${what} of ${show(column.name)} that the model had never seen: ${list(fresh)}. Only the new rows speak of them.`,
      },
    ]
  })
}

function entriesOf(column: Column): readonly Level[] {
  return column.kind === "level" ? column.levels : column.kind === "bag" ? column.words : []
}

function droppedCalibration({ calibration }: Knowledge): Diagnostic[] {
  if (!calibration) return []
  const { target } = calibration
  return [
    {
      code: "calibration-dropped",
      column: target,
      message: `the calibration of ${show(target)} was dropped: it corrected the model as it was before the update. Calibrate the updated one, on rows it has not learned from.`,
    },
  ]
}
