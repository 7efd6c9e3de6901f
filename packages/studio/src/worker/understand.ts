/** What a run has learned: quality, what it goes by, densities, components, the plane, strange rows, filled holes, one row explained. */
import type { Columns, Row } from "suffice"
import { verdict } from "suffice/measure"
import {
  chainsAnswer,
  columnsOf,
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
import { stepAnswers } from "./losses.ts"
import { networkIn } from "./network.ts"
import { planeOf } from "./plane.ts"
import type { Run } from "./runs.ts"
import { rowAt, shownCell } from "./table.ts"

/** Points of a curve that a drawing can show. */
const POINTS = 160
const DRAWN = 1500

export function understandingOf(run: Run, cut: { readonly sequence?: string }): Understanding {
  const { fitted, quality, looked, view, steps } = run
  const columns = modelColumns(fitted)
  const levels = levelsOf(run)
  const name = steps?.wanted.steps ?? fitted.model.uses.find(({ need }) => need.kind === "steps")?.column
  return {
    run: view.id,
    target: view.target,
    levels,
    evaluation: quality && thinned(quality.evaluation),
    verdict: quality && verdict(quality.evaluation),
    on: quality?.on ?? "training rows",
    rows: steps ? (quality?.rows ?? 0) : rowCount(looked),
    telling: quality && !steps ? tellingOf(fitted, quality, looked) : [],
    learned: name === undefined ? learnedAnswer(fitted, trainOf(run)) : undefined,
    plane: name === undefined ? planeIn(run, columns, levels) : undefined,
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
  return columnsOf(fitted).map(column => ({
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

function topicsIn(fitted: LooseFitted): Understanding["topics"] {
  const spec = JSON.stringify(fitted.model.spec)
  if (!spec.includes('"family":"topics"')) return []
  return fitted.topics({ top: 10 }).map(topic => {
    const { share, words } = topic as unknown as { share: number; words: readonly { word: string }[] }
    return { share, words: words.slice(0, 10).map(({ word }) => word) }
  })
}

function planeIn(
  run: Run,
  columns: readonly ModelColumn[],
  levels: readonly string[],
): Understanding["plane"] {
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

// ── rows ───────────────────────────────────────────────────────────────────────────────────────────

/** The strangest rows, and of each the cell without which it would be most probable. */
export function strangeRows({ fitted, looked, steps }: Run, most = 12): Strange[] {
  if (steps) return []
  const { scores } = fitted.anomalies(looked as never)
  const order = [...scores.keys()].sort((a, b) => scores[a] - scores[b]).slice(0, most)
  return order.map(row => {
    const cells = rowAt(looked, row)
    const known = Object.keys(cells).filter(
      name => cells[name] !== null && fitted.model.uses.some(use => use.column === name),
    )
    const without = known.map(name => ({ ...cells, [name]: null }))
    const better = without.length > 0 ? fitted.logDensity(without as never) : new Float64Array()
    const gains = [...better.keys()].sort((a, b) => better[b] - better[a])
    const column = known[gains[0]] ?? ""
    return { row, score: scores[row], column, cell: String(cells[column] ?? ""), cells: texts(cells) }
  })
}

function texts(row: Row): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, cell === null ? "" : String(cell)]),
  )
}

/** Holes of the first rows, filled. */
export function filledHoles({ fitted, looked, steps }: Run, most = 40): Filled[] {
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
      return { row, column, value: isNumber ? plain(value, 4) : String(value), spread: one, isNumber }
    }),
  )
}

export function answerOf({ fitted, view }: Run, row: Row): Answer {
  const { target, kind } = view
  if (target === undefined || kind === "none") return { levels: [], probabilities: [] }
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
  const { fitted, looked, view, steps } = run
  const { target } = view
  if (target === undefined) return []
  if (steps && !looked[target]) {
    const all = stepAnswers(fitted, looked, steps.wanted.steps, target)
    return all
      .filter(one => one.truth === truth && topOf(one.probabilities) === predicted)
      .slice(0, most)
      .map(({ step: { [ROW]: row, ...cells } }) => ({
        row: Number(row) - 1,
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
    if (!steps) return { row, cells }
    const { [steps.wanted.steps]: _, ...rest } = cells
    return { row, cells: rest }
  })
}

function topOf(probabilities: Readonly<Record<string, number>>): string {
  return Object.entries(probabilities).reduce((top, one) => (one[1] > top[1] ? one : top))[0]
}
