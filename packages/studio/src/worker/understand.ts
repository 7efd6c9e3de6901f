/**
 * What a run has learned: quality, what it goes by, densities, components, the plane, strange rows, filled holes, one row explained.
 * Long because it answers every part of one step of the page.
 */

import type { Columns, Row } from "suffice"
import { guideOf, leaves } from "suffice/describe"
import { verdict } from "suffice/measure"
import {
  chainsAnswer,
  clipped,
  componentsAnswer,
  type LooseFitted,
  learnedAnswer,
  pathAnswer,
  plain,
  ROW,
  rowCount,
  tellingOf,
  termName,
} from "suffice-cli/browser"
import type {
  Answer,
  Filled,
  ModelColumn,
  RowView,
  Strange,
  Understanding,
  Waterfall,
} from "../bench/types.ts"
import { meanOf } from "./folds.ts"
import { stepAnswers } from "./losses.ts"
import { networkIn } from "./network.ts"
import type { Run } from "./runs.ts"
import { rowAt, shownCell } from "./table.ts"

/** Points of a curve that a drawing can show. */
const POINTS = 160
const DRAWN = 1500

export async function understandingOf(run: Run, cut: { readonly sequence?: string }): Promise<Understanding> {
  const { fitted, quality, looked, view, steps, places } = run
  const columns = modelColumns(fitted)
  const levels = levelsOf(run)
  const data = trainOf(run)
  // a model that was opened has no rows of its own
  const hasRows = rowCount(data) > 0 && (view.target === undefined || data[view.target] !== undefined)
  const name = steps ?? fitted.model.uses.find(({ need }) => need.kind === "steps")?.column
  return {
    run: view.id,
    target: view.target,
    levels,
    evaluation: quality && thinned(quality.evaluation),
    verdict: quality && verdict(quality.evaluation),
    on: quality?.on ?? (rowCount(run.train) > 0 ? "training rows" : "rows"),
    rows: steps ? (quality?.rows ?? 0) : rowCount(looked),
    isPlaced: places !== undefined,
    hasGroups: groupsIn(fitted, [{}] as never) !== undefined,
    telling: quality && !steps ? tellingOf(fitted, quality, looked) : [],
    learned: name === undefined && hasRows ? learnedAnswer(fitted, data) : undefined,
    plane: name === undefined && hasRows ? await planeIn(run, columns, levels) : undefined,
    columns,
    topics: topicsIn(fitted),
    chains: name === undefined ? [] : chainsAnswer(fitted),
    path: name !== undefined && looked[name] ? pathAnswer(fitted, looked, name, cut) : undefined,
    network: networkIn(fitted, columns),
  }
}

/** Rows it has learned from; of a model that was opened those of the table. */
function trainOf({ train, looked }: Run): Columns {
  return rowCount(train) > 0 ? train : looked
}

function thinned<E extends NonNullable<Run["quality"]>["evaluation"]>(evaluation: E): E {
  if (evaluation.kind !== "levels") return evaluation
  const few = <T>(points: readonly T[] | undefined): readonly T[] | undefined =>
    points && points.length > POINTS
      ? Array.from({ length: POINTS }, (_, i) => points[Math.round((i * (points.length - 1)) / (POINTS - 1))])
      : points
  return {
    ...evaluation,
    perLevel: Object.fromEntries(
      Object.entries(evaluation.perLevel).map(([level, one]) => [
        level,
        { ...one, roc: few(one.roc), precisionRecall: few(one.precisionRecall) },
      ]),
    ),
  } as E
}

function levelsOf({ fitted, view, quality, steps }: Run): string[] {
  if (view.kind !== "levels") return []
  if (steps) return quality?.evaluation.kind === "levels" ? Object.keys(quality.evaluation.perLevel) : []
  return (fitted.posterior([{}] as never, { target: view.target } as never).levels as readonly unknown[]).map(
    String,
  )
}

export function modelColumns(fitted: LooseFitted): ModelColumn[] {
  return fitted.columns.map(column => ({
    name: column.name,
    kind:
      column.kind === "number" || column.kind === "count"
        ? column.kind
        : column.kind === "level"
          ? "level"
          : column.kind === "bag"
            ? "text"
            : "other",
    levels: column.kind === "level" ? column.levels.map(String) : [],
  }))
}

function hasTopics(fitted: LooseFitted): boolean {
  return leaves(fitted.model.spec).some(({ family }) => guideOf(family).topics)
}

function topicsIn(fitted: LooseFitted): Understanding["topics"] {
  if (!hasTopics(fitted)) return []
  return fitted.topics({ top: 10 }).map(topic => {
    const { share, words } = topic as unknown as { share: number; words: readonly { word: string }[] }
    return { share, words: words.slice(0, 10).map(({ word }) => word) }
  })
}

async function planeIn(
  run: Run,
  columns: readonly ModelColumn[],
  levels: readonly string[],
): Promise<Understanding["plane"]> {
  const { fitted, view } = run
  const data = trainOf(run)
  const numbers = columns
    .filter(({ kind, name }) => (kind === "number" || kind === "count") && name !== view.target && data[name])
    .map(({ name }) => name)
  if (numbers.length < 2) return undefined
  const all = rowCount(data)
  const places = Array.from({ length: Math.min(DRAWN, all) }, (_, i) =>
    Math.floor((i * all) / Math.min(DRAWN, all)),
  )
  const scales = numbers.map(name => scaleOf(data[name] as ArrayLike<number>))
  const rows = places.map(i =>
    numbers.map((name, j) => {
      const x = Number(data[name][i] ?? Number.NaN)
      return Number.isFinite(x) ? (x - scales[j].mean) / scales[j].sd : 0
    }),
  )
  const grouped = groupsOf(fitted, data, places, view.target, levels)
  if (!grouped) return undefined
  // eigenvectors are loaded when they are needed
  const { planeOf } = await import("./plane.ts")
  const plane = planeOf(rows, grouped.groups, grouped.names.length, numbers)
  if (!plane) return undefined
  return { ...plane, x: "first direction", y: "second direction", names: grouped.names }
}

function groupsOf(
  fitted: LooseFitted,
  data: Columns,
  places: readonly number[],
  target: string | undefined,
  levels: readonly string[],
): { groups: number[]; names: readonly string[] } | undefined {
  if (target !== undefined && levels.length > 0) {
    const codes = new Map(levels.map((level, l) => [level, l]))
    return { groups: places.map(i => codes.get(String(shownCell(data[target][i]))) ?? -1), names: levels }
  }
  const components = componentsAnswer(fitted, undefined)
  if (!components) return { groups: places.map(() => 0), names: ["all rows"] }
  const k = components.each.length
  const some = Object.fromEntries(
    Object.entries(data).map(([name, cells]) => [name, places.map(i => cells[i])]),
  )
  const shares = fitted.responsibilities(some as never)
  return {
    groups: places.map((_, i) => {
      let best = 0
      for (let c = 1; c < k; c++) if (shares[i * k + c] > shares[i * k + best]) best = c
      return best
    }),
    names: components.each.map(({ name }) => name),
  }
}

function scaleOf(cells: ArrayLike<number>): { mean: number; sd: number } {
  let [n, mean, squares] = [0, 0, 0]
  for (let i = 0; i < cells.length; i++) {
    const x = Number(cells[i] ?? Number.NaN)
    if (!Number.isFinite(x)) continue
    n++
    const away = x - mean
    mean += away / n
    squares += away * (x - mean)
  }
  return { mean, sd: Math.sqrt(squares / Math.max(n, 1)) || 1 }
}

/** Groups that nobody named, components or topics, and how much of each row belongs to each; of sequences none. */
export function groupsIn(
  fitted: LooseFitted,
  rows: Columns,
): { names: readonly string[]; shares: Float64Array; kind: "component" | "topic" } | undefined {
  if (fitted.model.target !== undefined || fitted.model.uses.some(({ need }) => need.kind === "steps"))
    return undefined
  const components = componentsAnswer(fitted, undefined)
  if (components)
    return {
      kind: "component",
      names: components.each.map(({ name }) => name),
      shares: fitted.responsibilities(rows as never),
    }
  if (!hasTopics(fitted)) return undefined
  const { topics, values } = fitted.proportions(rows as never)
  return { kind: "topic", names: Array.from({ length: topics }, (_, t) => `topic ${t + 1}`), shares: values }
}

// ── rows ───────────────────────────────────────────────────────────────────────────────────────────

/** The strangest rows, and of each the cell without which it would be most probable. */
/** Rows that tell how surprising the cells of a column usually are. */
const USUAL = 200

/**
 * The strangest rows, and of each the cell that makes it so: by −ln p(cell | rest of the row), less what that is on average over rows. Without the average
 * a column in grams would always be stranger than one in tons.
 */
export function strangeRows({ fitted, looked, steps, places }: Run, most = 12): Strange[] {
  if (steps) return []
  const { scores } = fitted.anomalies(looked as never)
  const order = [...scores.keys()].sort((a, b) => scores[a] - scores[b]).slice(0, most)
  const names = Object.keys(looked).filter(name => fitted.model.uses.some(use => use.column === name))
  const all = rowCount(looked)
  const some = Array.from({ length: Math.min(USUAL, all) }, (_, i) =>
    rowAt(looked, Math.floor((i * all) / Math.min(USUAL, all))),
  )
  const usual = names.map(name => meanOf(surprises(fitted, some, name)).mean)
  const strange = order.map(row => rowAt(looked, row))
  const each = names.map(name => surprises(fitted, strange, name))
  return order.map((row, i) => {
    const over = (c: number): number => (Number.isNaN(each[c][i]) ? -Infinity : each[c][i] - usual[c])
    const top = names.reduce((best, _, c) => (over(c) > over(best) ? c : best), 0)
    const column = names[top]
    return {
      row,
      at: placeIn(places, row),
      score: scores[row],
      column,
      cell: clipped(String(strange[i][column] ?? ""), 100),
    }
  })
}

/** −ln p(cell | rest of the row) for a column; NaN where the cell is missing. */
function surprises(fitted: LooseFitted, rows: readonly Row[], name: string): Float64Array {
  const whole = fitted.logDensity(rows as never)
  const rest = fitted.logDensity(rows.map(row => ({ ...row, [name]: null })) as never)
  return whole.map((value, i) => (rows[i][name] === null ? Number.NaN : rest[i] - value))
}

/** Where a row stands in the file, if that is known. */
export function placeIn(places: Run["places"], row: number): number {
  return places?.[row] ?? row
}

/** Holes of the first rows, filled. */
export function filledHoles({ fitted, looked, steps, places }: Run, most = 40): Filled[] {
  if (steps) return []
  const columns = new Map(modelColumns(fitted).map(column => [column.name, column]))
  const names = Object.keys(looked).filter(name => columns.has(name) && columns.get(name)!.kind !== "text")
  const rows: number[] = []
  for (let i = 0; i < rowCount(looked) && rows.length < most; i++)
    if (names.some(name => shownCell(looked[name][i]) === null)) rows.push(i)
  if (rows.length === 0) return []
  const given = rows.map(i => rowAt(looked, i))
  const { rows: full, spread } = fitted.impute(given as never)
  return rows.flatMap((row, i) =>
    Object.entries(spread[i]).map(([column, one]) => {
      const value = (full[i] as Row)[column]
      const isNumber = typeof value === "number"
      return {
        row,
        at: placeIn(places, row),
        column,
        value: isNumber ? plain(value, 4) : String(value),
        spread: one,
        isNumber,
      }
    }),
  )
}

export function answerOf({ fitted, view }: Run, row: Row): Answer {
  const { target, kind } = view
  if (target === undefined || kind === "none") {
    const { names, shares } = groupsIn(fitted, [row] as never) ?? { names: [], shares: [] }
    return { levels: names, probabilities: [...shares] }
  }
  const { [target]: _, ...question } = row
  if (kind === "levels") {
    const { levels, probabilities } = fitted.posterior([question] as never, { target } as never)
    return { levels: (levels as readonly unknown[]).map(String), probabilities: [...probabilities] }
  }
  const [one] = fitted.predict([question] as never, { target } as never) as unknown as {
    value: number
    sd?: number
    interval?: readonly [number, number]
  }[]
  return {
    levels: [],
    probabilities: [],
    value: one.value,
    ...(one.interval
      ? { interval: one.interval }
      : one.sd !== undefined && {
          interval: [one.value - 1.645 * one.sd, one.value + 1.645 * one.sd] as const,
        }),
  }
}

/** Why this level and not the next: prior, and what each cell adds. */
export function waterfallOf({ fitted, view }: Run, row: Row): Waterfall | undefined {
  if (view.kind !== "levels") return undefined
  const { [view.target!]: _, ...question } = row
  const { level, against, prior, logOdds, terms } = fitted.explain(
    question as never,
    { target: view.target } as never,
  )
  const shown = [...terms].sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
  const first = shown.slice(0, 12).map(term => ({
    name: termName(term),
    value: term.word === undefined && term.of === undefined ? String(term.value ?? "missing") : "",
    contribution: term.contribution,
  }))
  const rest = shown.slice(12).reduce((sum, { contribution }) => sum + contribution, 0)
  return {
    level: String(level),
    against: String(against),
    prior,
    logOdds,
    terms:
      shown.length > 12
        ? [...first, { name: `${shown.length - 12} more`, value: "", contribution: rest }]
        : first,
  }
}

/** The rows of a cell of the confusion matrix; of tags the steps. */
export function rowsOfCell(run: Run, truth: string, predicted: string, most = 50): RowView[] {
  const { fitted, looked, view, steps, places } = run
  const { target } = view
  if (target === undefined) return []
  if (steps && !looked[target]) {
    const all = stepAnswers(fitted, looked, steps, target)
    return all
      .filter(one => one.truth === truth && topOf(one.probabilities) === predicted)
      .slice(0, most)
      .map(({ step: { [ROW]: row, ...cells } }) => ({
        row: Number(row) - 1,
        at: Number(row) - 1,
        cells: Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, shownCell(cell)])),
      }))
  }
  const { levels, probabilities } = fitted.posterior(looked as never, { target } as never)
  const k = levels.length
  const rows: number[] = []
  for (let i = 0; i < rowCount(looked) && rows.length < most; i++) {
    if (String(shownCell(looked[target][i])) !== truth) continue
    let best = 0
    for (let l = 1; l < k; l++) if (probabilities[i * k + l] > probabilities[i * k + best]) best = l
    if (String(levels[best]) === predicted) rows.push(i)
  }
  return rows.map(row => {
    const cells = rowAt(looked, row) as RowView["cells"]
    if (!steps) return { row, at: placeIn(places, row), cells }
    const { [steps]: _, ...rest } = cells
    return { row, at: row, cells: rest }
  })
}

function topOf(probabilities: Readonly<Record<string, number>>): string {
  return Object.entries(probabilities).reduce((top, one) => (one[1] > top[1] ? one : top))[0]
}
