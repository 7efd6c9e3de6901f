/**
 * λ, the weight of a row without a label relative to one with (Nigam, McCallum, Thrun & Mitchell 2000, Machine Learning 39): given by the learner, kept from an
 * earlier fit, or chosen.
 *
 *     1   if no row has a label, or a declared class has no labelled row: only the others can teach it
 *     0   with fewer than five labelled rows per class: too few to tell whether the others help
 *     otherwise the λ of the grid with the least cross-validated log-loss on labelled rows, if it beats λ = 0 by more than its standard error
 */

import type { Knowledge } from "../answers/knowledge.ts"
import type { Cell, Row } from "../contract/cells.ts"
import type { Dice } from "../contract/dice.ts"
import type { Learner } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import type { Diagnostic } from "../contract/report.ts"
import { isMissing, levelCell } from "../data/cells.ts"
import type { Discovery } from "../data/discover.ts"
import { type Data, slices } from "../data/read.ts"
import { isSoft, softLevels } from "../data/soft.ts"
import { rowWeights, type Weighting } from "../data/weigh.ts"
import { SufficeError, show } from "../errors.ts"
import type { Fitted } from "./fitted.ts"
import type { FitRequest } from "./publish.ts"

export interface UnlabelledWeight {
  readonly column: string
  readonly weight: number
  readonly diagnostics: readonly Diagnostic[]
}

/** A trial fit of these rows with these weights. */
export type Learn = (learner: Learner, rows: readonly Row[], weighting: Weighting) => Promise<Fitted>

/** Undefined if there is nothing to weigh: all rows have a label, or none has. `more`: further rows may follow, with or without labels. */
export async function weighUnlabelled(
  request: FitRequest<unknown, string>,
  data: Data,
  found: Discovery,
  before: Knowledge | undefined,
  learn: Learn,
  more = false,
): Promise<UnlabelledWeight | undefined> {
  const { model, learner } = request
  const option = learner.unlabelled
  if (!option) return undefined
  const column = ("column" in option ? option.column : undefined) ?? model.target
  // a label in the steps of rows is missing in steps
  if (column === undefined || !found.schema.columns.some(({ name }) => name === column)) return undefined
  const none = found.empty.has(column)
  const given = "weight" in option ? option.weight : before?.training?.unlabelled
  if (!(found.missing[column] > 0 || (more && given !== undefined))) return undefined
  if (none && before && given === 0) throw nothingToLearn(column)
  if (none && (!before || given === undefined)) return undefined
  if (given !== undefined) return { column, weight: given, diagnostics: [] }
  const { trial } = option as { readonly trial: (weight: number) => Learner }
  const { weight, why } = await chooseWeight(request, data, found, before, column, trial, learn)
  const diagnostics: Diagnostic[] = why ? [{ code: "unlabelled-rows", column, message: why }] : []
  return { column, weight, diagnostics }
}

/** Fewer labelled rows per class than this, on average: nothing is tried. */
const ENOUGH = 5
const GRID = [0, 0.03, 0.1, 0.3, 1]
const FOLDS = 5
/** The most rows of a trial, so that its cost does not grow with the data. */
const MOST_LABELLED = 2000
const MOST_UNLABELLED = 4000
/** Unlabelled rows are sampled in proportion, but at least this many. */
const LEAST_UNLABELLED = 200
/** Cap on the loss of a row, in nats: one confident mistake must not decide alone. */
const MOST_LOSS = 30

async function chooseWeight(
  request: FitRequest<unknown, string>,
  data: Data,
  found: Discovery,
  before: Knowledge | undefined,
  column: string,
  trial: (weight: number) => Learner,
  learn: Learn,
): Promise<{ weight: number; why?: string }> {
  const held = found.schema.columns.find(({ name }) => name === column)
  const levels = held?.kind === "level" ? held.levels.map(String) : []
  const dice = request.dice.fork(3)
  const sample = await drawSample(request, data, column, dice.fork(0))
  if (!before && levels.some(level => !sample.levels.has(level))) return { weight: 1 }
  const count = found.missing[column]
  const rows = `${count} ${count === 1 ? "row" : "rows"} without a ${show(column)}`
  const were = count === 1 ? "was" : "were"
  if (sample.labelled.all < ENOUGH * levels.length) {
    return {
      weight: 0,
      why: `${rows} ${were} left out: with ${sample.labelled.all} labelled rows for ${levels.length} classes, fewer than five a class, it cannot be told whether they help. Label more rows, or count these fully: em({ unlabelled: 1 }).`,
    }
  }
  const folds = assignFolds(sample.labelled.rows, column, dice.fork(1))
  if (folds.every(fold => fold < 0)) {
    return {
      weight: 0,
      why: `${rows} ${were} left out: no other label is sure, so that it cannot be told whether they help. Label some rows for certain, or count these fully: em({ unlabelled: 1 }).`,
    }
  }
  const [without, ...others] = await losses(request, sample, folds, column, trial, learn)
  const trials = others.map((loss, g) => ({
    weight: GRID[g + 1],
    ...compare(loss, without, sample.labelled.weights),
  }))
  const best = trials.reduce((a, b) => (b.mean < a.mean ? b : a))
  const weight = best.mean - best.before < -best.error ? best.weight : 0
  if (weight === 1) return { weight }
  const full = trials[trials.length - 1]
  const loss = `the cross-validated log-loss of ${show(column)} is ${full.before.toFixed(3)} without them`
  const why =
    weight === 0
      ? `${rows} ${were} left out: ${loss}, ${full.mean.toFixed(3)} with all of their weight, and no weight lowers it by more than its standard error.`
      : `${rows} ${count === 1 ? "counts" : "count"} ${weight}${count === 1 ? "" : " each"}: ${loss}, ${best.mean.toFixed(3)} with ${weight} of their weight, ${full.mean.toFixed(3)} with all of it.`
  return { weight, why: `${why} To count them fully all the same: em({ unlabelled: 1 }).` }
}

// ── the sample ─────────────────────────────────────────────────────────────────────────────────────

interface Drawn {
  readonly rows: Row[]
  readonly weights: number[]
  /** Rows and weight of the whole data. */
  all: number
  weight: number
}

interface Sample {
  readonly labelled: Drawn
  readonly unlabelled: Drawn
  /** Levels that occur in labelled rows. */
  readonly levels: ReadonlySet<string>
}

/** A uniform sample of the rows (Vitter 1985, algorithm R), the same however the data is cut into batches. */
async function drawSample(
  { model, weighting, signal }: FitRequest<unknown, string>,
  data: Data,
  column: string,
  dice: Dice,
): Promise<Sample> {
  const names = model.uses.filter(use => use.role !== "hidden").map(use => use.column)
  const labelled: Drawn = { rows: [], weights: [], all: 0, weight: 0 }
  const unlabelled: Drawn = { rows: [], weights: [], all: 0, weight: 0 }
  const levels = new Set<string>()
  // the trials apply class weights themselves; here they only exclude rows of weight 0
  const plain = { column: weighting.column }
  for await (const slice of slices(data, signal)) {
    const weights = rowWeights(slice, plain)
    const counted = rowWeights(slice, weighting)
    const columns = names.map(name => slice.cells(name))
    const labels = slice.cells(column)
    for (let i = 0; i < slice.rows; i++) {
      if (counted[i] === 0) continue
      const hidden = isMissing(labels?.[i])
      const drawn = hidden ? unlabelled : labelled
      const most = hidden ? MOST_UNLABELLED : MOST_LABELLED
      if (!hidden) for (const level of levelsOf(labels![i], slice.first + i, column)) levels.add(level)
      const at = drawn.all < most ? drawn.all : dice.integer(drawn.all + 1)
      drawn.all++
      drawn.weight += weights[i]
      if (at >= most) continue
      drawn.rows[at] = Object.fromEntries(names.map((name, c) => [name, columns[c]?.[i]]))
      drawn.weights[at] = weights[i]
    }
  }
  const share = Math.ceil((unlabelled.all * labelled.rows.length) / labelled.all)
  return { labelled, unlabelled: thin(unlabelled, Math.max(share, LEAST_UNLABELLED), dice), levels }
}

/** A uniform subsample of at most `most` rows. */
function thin({ rows, weights, all, weight }: Drawn, most: number, dice: Dice): Drawn {
  const order = Int32Array.from(rows.keys())
  dice.shuffle(order)
  const few = [...order.subarray(0, most)]
  return { rows: few.map(i => rows[i]), weights: few.map(i => weights[i]), all, weight }
}

function levelsOf(cell: Cell, row: number, column: string): string[] {
  if (isSoft(cell)) return softLevels(cell, row, column)!.map(({ name }) => name)
  return [String(levelCell(cell, row, column))]
}

/** The fold that tests each row, dealt out class by class; −1 for none: its class has no other row, or its label is soft. */
function assignFolds(rows: readonly Row[], column: string, dice: Dice): Int32Array {
  const order = Int32Array.from(rows.keys())
  dice.shuffle(order)
  const classes = new Map<string, number[]>()
  for (const i of order) {
    const cell = rows[i][column]
    if (isSoft(cell)) continue
    const level = String(levelCell(cell, i, column))
    classes.set(level, [...(classes.get(level) ?? []), i])
  }
  const folds = new Int32Array(rows.length).fill(-1)
  let next = 0
  for (const members of classes.values()) {
    if (members.length > 1) for (const i of members) folds[i] = next++ % FOLDS
  }
  return folds
}

// ── trials ─────────────────────────────────────────────────────────────────────────────────────────

/** A name that no column has. */
const WEIGHT = "\u0000weight"

/** For each λ of the grid, −ln p(label | rest) of every labelled row, by a model that has not seen it; NaN if no fold tests it. */
async function losses(
  { model, weighting }: FitRequest<unknown, string>,
  { labelled, unlabelled }: Sample,
  folds: Int32Array,
  column: string,
  trial: (weight: number) => Learner,
  learn: Learn,
): Promise<Float64Array[]> {
  // both kinds were sampled: restore the proportion of their total weights
  const total = (weights: readonly number[]): number => weights.reduce((sum, weight) => sum + weight, 0)
  const factor = ((unlabelled.weight / total(unlabelled.weights)) * total(labelled.weights)) / labelled.weight
  const known: Row[] = labelled.rows.map((row, i) => ({ ...row, [WEIGHT]: labelled.weights[i] }))
  const others: Row[] = unlabelled.rows.map((row, i) => ({
    ...row,
    [WEIGHT]: unlabelled.weights[i] * factor,
  }))
  const all: Float64Array[] = []
  for (const weight of GRID) {
    const loss = new Float64Array(known.length).fill(NaN)
    for (let fold = 0; fold < FOLDS; fold++) {
      const testRows = [...known.keys()].filter(i => folds[i] === fold)
      if (testRows.length === 0) continue
      const rows = known.filter((_, i) => folds[i] !== fold)
      const fitted = await learn(trial(weight), weight > 0 ? [...rows, ...others] : rows, {
        ...weighting,
        column: WEIGHT,
      })
      const { levels, logs } = fitted.posterior(
        testRows.map(i => ({ ...withoutSoftLabels(known[i], model), [column]: null })),
        { target: column },
      )
      const names = levels.map(String)
      testRows.forEach((i, j) => {
        const level = names.indexOf(String(levelCell(known[i][column], i, column)))
        loss[i] = Math.min(-logs[j * names.length + level], MOST_LOSS)
      })
    }
    all.push(loss)
  }
  return all
}

/** Questions take no soft labels: they count as missing. */
function withoutSoftLabels(row: Row, { uses }: Model): Row {
  const soft = uses.filter(use => use.role === "label" && isSoft(row[use.column]))
  return soft.length > 0 ? { ...row, ...Object.fromEntries(soft.map(use => [use.column, null])) } : row
}

/** The mean loss, that of λ = 0, and the standard error of their difference, row by row. */
function compare(
  loss: Float64Array,
  without: Float64Array,
  weights: readonly number[],
): { mean: number; before: number; error: number } {
  let weight = 0
  let mean = 0
  let before = 0
  loss.forEach((value, i) => {
    if (Number.isNaN(value)) return
    weight += weights[i]
    mean += weights[i] * value
    before += weights[i] * without[i]
  })
  mean /= weight
  before /= weight
  let squares = 0
  loss.forEach((value, i) => {
    if (Number.isNaN(value)) return
    const gap = weights[i] * (value - without[i] - (mean - before))
    squares += gap * gap
  })
  return { mean, before, error: Math.sqrt(squares) / weight }
}

function nothingToLearn(column: string): SufficeError {
  return new SufficeError(
    "data",
    `update: no row has a ${show(column)}, and rows without one count 0 here. There is nothing to learn from. Bring rows that have it, or count these: { learner: em({ unlabelled: 1 }) }.`,
    { column },
  )
}
