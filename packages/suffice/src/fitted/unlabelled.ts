/**
 * λ, what rows without a label weigh beside those with one (Nigam, McCallum, Thrun & Mitchell 2000, Machine Learning 39): given by the learner, kept from an
 * earlier fit, or chosen.
 *
 *     1   where no row has a label, or a declared class has none: nothing else tells of it
 *     0   with fewer than five labelled rows a class: too few to tell whether the others help
 *     else the λ of the grid with the least cross-validated log-loss on labelled rows, if it beats λ = 0 by more than its standard error
 */
import type { Cell, Diagnostic, Dice, Learner, Model, Row } from "../contract.ts"
import { isMissing, levelCell } from "../data/cells.ts"
import type { Discovery } from "../data/discover.ts"
import { type Data, slices } from "../data/read.ts"
import { isSoft, softLevels } from "../data/soft.ts"
import { rowWeights, type Weighting } from "../data/weigh.ts"
import { SufficeError, show } from "../errors.ts"
import type { Fitted } from "./fitted.ts"
import type { Knowledge } from "./knowledge.ts"
import type { About } from "./publish.ts"

export interface Weighed {
  readonly column: string
  readonly weight: number
  readonly diagnostics: readonly Diagnostic[]
}

/** Learns from rows that are weighed like this, for a trial. */
export type Learn = (learner: Learner, rows: readonly Row[], weighting: Weighting) => Promise<Fitted>

/** Undefined: there is nothing to weigh, since all rows have a label, or none has one. `more`: other rows may come, of which that is not known. */
export async function weighUnlabelled(
  about: About<unknown, string>,
  data: Data,
  found: Discovery,
  before: Knowledge | undefined,
  learn: Learn,
  more = false,
): Promise<Weighed | undefined> {
  const { model, learner } = about
  const asked = learner.unlabelled
  if (!asked) return undefined
  const column = ("column" in asked ? asked.column : undefined) ?? model.target
  if (column === undefined) return undefined
  const none = found.empty.has(column)
  const given = "weight" in asked ? asked.weight : before?.training?.unlabelled
  if (!(found.missing[column] > 0 || (more && given !== undefined))) return undefined
  if (none && before && given === 0) throw nothingToLearn(column)
  if (none && (!before || given === undefined)) return undefined
  if (given !== undefined) return { column, weight: given, diagnostics: [] }
  const { trial } = asked as { readonly trial: (weight: number) => Learner }
  const { weight, why } = await chosen(about, data, found, before, column, trial, learn)
  const diagnostics: Diagnostic[] = why ? [{ code: "unlabelled-rows", column, message: why }] : []
  return { column, weight, diagnostics }
}

/** Labelled rows a class, on average, below which nothing is tried. */
const ENOUGH = 5
const GRID = [0, 0.03, 0.1, 0.3, 1]
const FOLDS = 5
/** Rows of a trial, at most: what it costs does not grow with the data. */
const MOST_LABELLED = 2000
const MOST_UNLABELLED = 4000
/** As many rows without a label as there are in proportion, but so many at least. */
const LEAST_UNLABELLED = 200
/** Nats that one row may lose: one that is sure and wrong does not decide alone. */
const MOST_LOSS = 30

async function chosen(
  about: About<unknown, string>,
  data: Data,
  found: Discovery,
  before: Knowledge | undefined,
  column: string,
  trial: (weight: number) => Learner,
  learn: Learn,
): Promise<{ weight: number; why?: string }> {
  const held = found.schema.columns.find(({ name }) => name === column)
  const levels = held?.kind === "level" ? held.levels.map(String) : []
  const dice = about.dice.fork(3)
  const sample = await gather(about, data, column, dice.fork(0))
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
  const folds = dealt(sample.labelled.rows, column, dice.fork(1))
  if (folds.every(fold => fold < 0)) {
    return {
      weight: 0,
      why: `${rows} ${were} left out: no other label is sure, so that it cannot be told whether they help. Label some rows for certain, or count these fully: em({ unlabelled: 1 }).`,
    }
  }
  const [without, ...others] = await losses(about, sample, folds, column, trial, learn)
  const trials = others.map((loss, g) => ({
    weight: GRID[g + 1],
    ...compared(loss, without, sample.labelled.weights),
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

// ── rows to try on ─────────────────────────────────────────────────────────────────────────────────

interface Drawn {
  readonly rows: Row[]
  readonly weights: number[]
  /** Of all there are. */
  all: number
  weight: number
}

interface Sample {
  readonly labelled: Drawn
  readonly unlabelled: Drawn
  /** Those that labelled rows show. */
  readonly levels: ReadonlySet<string>
}

/** Some of the rows, each equally likely, as they came (Vitter 1985, algorithm R); the cut of the data does not matter. */
async function gather(
  { model, weighting, signal }: About<unknown, string>,
  data: Data,
  column: string,
  dice: Dice,
): Promise<Sample> {
  const names = model.uses.filter(use => use.role !== "hidden").map(use => use.column)
  const labelled: Drawn = { rows: [], weights: [], all: 0, weight: 0 }
  const unlabelled: Drawn = { rows: [], weights: [], all: 0, weight: 0 }
  const levels = new Set<string>()
  // class weights are the trials' own business, but for rows that they leave out
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
  return { labelled, unlabelled: fewer(unlabelled, Math.max(share, LEAST_UNLABELLED), dice), levels }
}

/** So many of them, at most, each equally likely. */
function fewer({ rows, weights, all, weight }: Drawn, most: number, dice: Dice): Drawn {
  const order = Int32Array.from(rows.keys())
  dice.shuffle(order)
  const few = [...order.subarray(0, most)]
  return { rows: few.map(i => rows[i]), weights: few.map(i => weights[i]), all, weight }
}

function levelsOf(cell: Cell, row: number, column: string): string[] {
  if (isSoft(cell)) return softLevels(cell, row, column)!.map(({ name }) => name)
  return [String(levelCell(cell, row, column))]
}

/** The fold in which each row is asked for, class by class in turn; −1: never, since no other row shows its class, or it is not sure of it. */
function dealt(rows: readonly Row[], column: string, dice: Dice): Int32Array {
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

/** For each λ of the grid, −ln p(label | rest) of every labelled row, by a model that has not seen it; NaN where it is not asked for. */
async function losses(
  { model, weighting }: About<unknown, string>,
  { labelled, unlabelled }: Sample,
  folds: Int32Array,
  column: string,
  trial: (weight: number) => Learner,
  learn: Learn,
): Promise<Float64Array[]> {
  // of either kind a part was drawn: together they weigh in proportion as all of them
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
      const asked = [...known.keys()].filter(i => folds[i] === fold)
      if (asked.length === 0) continue
      const rows = known.filter((_, i) => folds[i] !== fold)
      const fitted = await learn(trial(weight), weight > 0 ? [...rows, ...others] : rows, {
        ...weighting,
        column: WEIGHT,
      })
      const { levels, logs } = fitted.posterior(
        asked.map(i => ({ ...sure(known[i], model), [column]: null })),
        { target: column },
      )
      const names = levels.map(String)
      asked.forEach((i, j) => {
        const level = names.indexOf(String(levelCell(known[i][column], i, column)))
        loss[i] = Math.min(-logs[j * names.length + level], MOST_LOSS)
      })
    }
    all.push(loss)
  }
  return all
}

/** As a question may be: what is known of other labels only as shares is not known. */
function sure(row: Row, { uses }: Model): Row {
  const soft = uses.filter(use => use.role === "label" && isSoft(row[use.column]))
  return soft.length > 0 ? { ...row, ...Object.fromEntries(soft.map(use => [use.column, null])) } : row
}

/** The mean loss, that of λ = 0, and the standard error of their difference, row by row. */
function compared(
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
