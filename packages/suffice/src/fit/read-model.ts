/** A saved model, read and laid out again. Everything is checked on the way in, and nothing in the file is run. */

import { type Knowledge, paramsOf } from "../answers/knowledge.ts"
import { rowTarget, targetOf } from "../answers/target.ts"
import type { BeliefKind } from "../contract/belief.ts"
import type { Level } from "../contract/cells.ts"
import type { Column, Use } from "../contract/columns.ts"
import type { FamilyKind, Given } from "../contract/family.ts"
import type { Model } from "../contract/model.ts"
import { readingsOf } from "../data/readings.ts"
import { answering, believing } from "../engine/believe.ts"
import { type Laid, layOut } from "../engine/lay.ts"
import { list, SufficeError, show } from "../errors.ts"
import type { Calibration } from "../measure/calibration.ts"
import type { Knot } from "../measure/isotonic.ts"
import { readSaved, type SavedParts } from "../saved/read.ts"
import {
  asItIs,
  damaged,
  fieldsAt,
  finiteAt,
  listAt,
  misshapen,
  notNegativeAt,
  positiveAt,
  textAt,
} from "../shape.ts"
import { type StructureKind, within } from "../structures/kind.ts"
import { reviveModel } from "../structures/list.ts"

/** The knowledge in a file (its text, or the object parsed from it), without its training history. `kinds` are the families it may use, `structures` the large ones. */
export function readModel(
  json: unknown,
  kinds: readonly FamilyKind[],
  structures: readonly StructureKind[],
  { stemmers, beliefs }: Given & { readonly beliefs?: readonly BeliefKind[] | undefined } = {},
): { readonly known: Knowledge; readonly saved: SavedParts } {
  const families = new Map(kinds.map(kind => [kind.name, kind]))
  const saved = readSaved(json)
  const { columns, labels, statistics: stats, prior, spread } = saved
  const revived = reviveModel(saved.model, { families, most: stats.length, stemmers }, structures)
  if (saved.belief && !beliefs) throw noBeliefs()
  const declared = saved.belief ? believing(revived, beliefs!, answering) : revived
  checkColumns(declared, saved)
  const model = saved.target === undefined ? declared : { ...declared, target: saved.target }
  const laid = within("model", () =>
    // stop as soon as the model asks for more statistics than the file holds
    layOut(model, columns, wanted => {
      if (!(wanted <= stats.length)) throw wrongLength(wanted, stats.length)
    }),
  )
  if (laid.statistics !== stats.length) throw wrongLength(laid.statistics, stats.length)
  if (spread && spread.length !== laid.spreads) {
    throw misshapen("spread", spread.length, `${laid.spreads} numbers`)
  }
  const schema = { columns, labels, readings: readingsOf(model.uses) }
  const known = { model, laid, schema, stats, prior, spread, training: undefined, diagnostics: [] }
  within("statistics", () => checkParameters(known))
  if (saved.target !== undefined) within("target", () => targetOf(known, saved.target!))
  return { known: { ...known, calibration: calibrationAt(saved.calibration, known) }, saved }
}

function noBeliefs(): SufficeError {
  return new SufficeError(
    "saved",
    'the model file has a posterior, learned by bayes(). Pages that predict carry no beliefs about parameters unless they ask for them. Pass them: { beliefs }, imported from "suffice/learn".',
  )
}

/** A calibration that fits the model: a column with levels, a temperature or one rising curve per level. */
function calibrationAt(value: unknown, known: Knowledge): Calibration | undefined {
  if (value === undefined) return undefined
  const { target, method, temperature, doubt, curves } = fieldsAt(
    value,
    "calibration",
    { target: textAt, method: textAt },
    { temperature: asItIs, doubt: asItIs, curves: asItIs },
  )
  const { column, levels } = within("calibration.target", () => rowTarget(known, target))
  if (method === "temperature") {
    const read = {
      target: column,
      method: "temperature" as const,
      temperature: positiveAt(temperature, "calibration.temperature"),
    }
    if (doubt === undefined) return read
    const share = notNegativeAt(doubt, "calibration.doubt")
    if (share > 1) throw misshapen("calibration.doubt", doubt, "a share, from 0 to 1")
    return { ...read, doubt: share }
  }
  if (method !== "isotonic") throw misshapen("calibration.method", method, '"temperature" or "isotonic"')
  const read = listAt(curves, "calibration.curves", curveAt)
  if (read.length !== levels.length) {
    throw misshapen("calibration.curves", curves, `a curve for each of ${levels.length} levels`)
  }
  return { target: column, method, curves: read }
}

function curveAt(value: unknown, path: string): Knot[] {
  const knots = listAt(value, path, (knot, at) => fieldsAt(knot, at, { x: finiteAt, y: finiteAt }))
  const rising = knots.every(({ x, y }, j) => j === 0 || (x > knots[j - 1].x && y >= knots[j - 1].y))
  if (knots.length > 0 && rising && knots[0].y >= 0 && knots[knots.length - 1].y <= 1) return knots
  throw misshapen(path, value, "a curve that rises from 0 to 1 at most")
}

/** The columns of the file are those the model uses, in the same order, each of the kind its family needs. */
export function checkColumns(
  { uses }: Model,
  { columns, labels }: Pick<SavedParts, "columns" | "labels">,
): void {
  const seen = uses.filter(use => use.role !== "hidden")
  const names = columns.map(column => column.name)
  const modelled = seen.map(use => use.column)
  if (!same(names, modelled)) {
    throw damaged(
      `describes ${names.length > 0 ? `the columns ${list(names)}` : "no columns"}, but its model uses ${list(modelled)}, in this order`,
      { columns: names, uses: modelled },
    )
  }
  seen.forEach((use, c) => {
    const why = mismatch(use, columns[c])
    if (why === undefined) return
    const path = `columns[${c}]`
    throw damaged(
      `describes column ${show(use.column)} at ${path} otherwise than its model uses it: ${why}`,
      { path, column: use.column },
    )
  })
  const used = seen.filter(use => use.role === "label").map(use => use.column)
  if (!same(labels, used)) {
    throw damaged(
      `has ${labels.length > 0 ? `the labels ${list(labels)}` : "no labels"}, but its model switches on ${list(used) || "none"}`,
      { labels, uses: used },
    )
  }
}

/** How a column differs from what its use needs. */
function mismatch({ need, role }: Use, column: Column): string | undefined {
  if (need.kind !== column.kind) return `a ${show(need.kind)} there, a ${show(column.kind)} here`
  if (column.kind === "number" && need.kind === "number") {
    const [wanted, found] = [need.support ?? "any", column.within?.support ?? "any"]
    return wanted === found ? undefined : `numbers of the support ${show(wanted)} there, ${show(found)} here`
  }
  if (column.kind === "steps" && need.kind === "steps") {
    const seen = need.uses.filter(use => use.role !== "hidden")
    const [names, used] = [column.columns.map(({ name }) => name), seen.map(use => use.column)]
    if (!same(names, used)) return `steps of ${list(used)} there, of ${list(names) || "nothing"} here`
    return seen.map((use, c) => mismatch(use, column.columns[c])).find(why => why !== undefined)
  }
  if (column.kind !== "level" || need.kind !== "level") return undefined
  if (need.levels !== undefined) {
    return same(need.levels, column.levels) ? undefined : "the levels are not the declared ones"
  }
  if (need.binary) {
    const binary = same([false, true], column.levels) || same([0, 1], column.levels)
    return binary ? undefined : "the levels are neither false and true nor 0 and 1"
  }
  return role === "label" && column.levels.length === 0 ? "a label needs at least one level" : undefined
}

function same(declared: readonly Level[], levels: readonly Level[]): boolean {
  return JSON.stringify(declared) === JSON.stringify(levels)
}

function wrongLength(wanted: number, found: number): SufficeError {
  const least = wanted > found ? "at least " : ""
  return damaged(`has ${found} statistics, but its model needs ${least}${wanted}`, {
    path: "statistics",
    wanted,
    found,
  })
}

function checkParameters(known: Knowledge): void {
  for (const { leaf, ranges } of known.laid.parts) {
    const wrong = leaf.refusals?.damage?.(ranges.statsOf(known.stats))
    if (wrong !== undefined) throw damaged(`has ${wrong}`, { path: "statistics" })
  }
  const params = paramsOf(known)
  if (params.every(value => value === value) && known.laid.parts.every(part => hasMoments(part, params)))
    return
  throw damaged("has statistics that make no parameters: some come out as NaN or infinite", {
    path: "statistics",
  })
}

/** For numbers: a logarithm may be −∞, a mean may not. */
function hasMoments(part: Laid["parts"][number], params: Float64Array): boolean {
  if (part.columns.some(({ kind }) => kind !== "number")) return true
  const moments = new Float64Array(part.leaf.shape.statistics)
  part.leaf.moments(part.ranges.paramsOf(params), new Float64Array(part.leaf.shape.slots).fill(1), moments)
  return moments.every(Number.isFinite)
}
