/**
 * The first pass over the data: the columns, their levels, words, location and scale, and what is missing.
 * Rows of weight 0 are ignored, with their levels.
 */
import type { Column, TextOptions, Use } from "../contract/columns.ts"
import type { Diagnostic } from "../contract/report.ts"
import { list, noNeighbours, SufficeError, show } from "../errors.ts"
import { isOnes } from "../kernels/all-ones.ts"
import { type Explored, explorer } from "./explore.ts"
import { type Breadth, type Data, isSource, type Slice, slices, unknownColumn } from "./read.ts"
import { type Readings, readingsOf } from "./readings.ts"
import { pooledScales } from "./scale.ts"
import { isSoft, softLevels } from "./soft.ts"
import { missingWithin, stepsWithin } from "./steps-explorer.ts"
import { classFactor, rowWeights, type Weighting } from "./weigh.ts"

export interface Schema {
  readonly columns: readonly Column[]
  /** The columns that are labels: their cells may be soft, and they may be left out at prediction. */
  readonly labels: readonly string[]
  /** The reading of each column of bags. */
  readonly readings: Readings
}

export interface Discovery {
  readonly schema: Schema
  /** The number of rows with weight, soft labels expanded, and their total weight. */
  readonly rows: number
  readonly weight: number
  /** The total number of steps of each column of steps. */
  readonly steps: Readonly<Record<string, number>>
  /** The number of missing cells by column, columns of steps included. */
  readonly missing: Readonly<Record<string, number>>
  /** Columns that are missing in every row. */
  readonly empty: ReadonlySet<string>
  readonly diagnostics: readonly Diagnostic[]
}

export async function discover(
  uses: readonly Use[],
  data: Data,
  weighting: Weighting,
  signal?: AbortSignal,
  known?: Schema,
  scaling?: TextOptions["scaling"],
  /** No rows at all are fine: what is believed before any row is enough. */
  mayBeEmpty = false,
  onRows?: (rows: number) => void,
): Promise<Discovery> {
  const seenUses = uses.filter(use => use.role !== "hidden")
  for (const { column, need } of seenUses)
    if (need.kind === "bag" && need.reading.made) throw noNeighbours(column)
  const explorers = seenUses.map(use => {
    const before = known?.columns.find(({ name }) => name === use.column)
    return explorer(use, weighting, before, scaling, !isSource(data))
  })
  const labels = seenUses.filter(use => use.role === "label").map(use => use.column)
  const present = new Set<string>()
  const named = new Set<string>()
  let rows = 0
  /** Rows with weight, before soft labels are expanded. */
  let given = 0
  let weight = 0
  for await (const slice of slices(data, signal, breadthOf(seenUses))) {
    const weights = rowWeights(slice, weighting)
    seenUses.forEach(({ column }, c) => {
      const cells = slice.cells(column)
      if (cells) present.add(column)
      explorers[c].look(cells ?? new Array(slice.rows), weights, slice.first)
    })
    // names are needed for the message about an absent column
    if (present.size < seenUses.length) for (const name of slice.names()) named.add(name)
    rows += copies(slice, labels, weights, weighting)
    onRows?.(slice.rows)
    // added row by row, so that the sum does not depend on how slices are cut
    if (isOnes(weights)) {
      given += slice.rows
      weight += slice.rows
    } else {
      for (let i = 0; i < slice.rows; i++) {
        if (weights[i] > 0) given++
        weight += weights[i]
      }
    }
  }
  const isEmpty = present.size === 0 && named.size === 0 && rows === 0
  if (isEmpty && !mayBeEmpty) {
    throw new SufficeError(
      "data",
      "the data has no rows. There is nothing to learn from. Pass at least one row.",
    )
  }
  for (const { column } of seenUses) if (!isEmpty && !present.has(column)) throw unknownColumn(column, named)
  if (!isEmpty && !(weight > 0 && weight < Number.POSITIVE_INFINITY)) {
    const given = [weighting.column && show(weighting.column), weighting.classes && "classWeights"]
    throw new SufficeError(
      "weight",
      `all rows together weigh ${weight}, by ${given.filter(Boolean).join(" and ")}. The total must be finite and above 0. ${weight > 0 ? "Divide the weights by their mean." : "Give at least one row a weight above 0."}`,
      { column: weighting.column, weight },
    )
  }
  const found = explorers.map(explorer => explorer.found())
  const each = found.map(({ column }) => column)
  return {
    schema: {
      columns: pooledScales(each, seenUses, known !== undefined),
      labels,
      readings: readingsOf(uses),
    },
    rows,
    weight,
    steps: Object.fromEntries(found.flatMap(stepsWithin)),
    missing: Object.fromEntries(found.flatMap(missingWithin)),
    empty: new Set(found.flatMap(({ column, missing }) => (missing === given ? [column.name] : []))),
    diagnostics: found.flatMap((explored, c) => diagnosed(seenUses[c], explored, rows, "row")),
  }
}

/** The diagnostics of a column, and of the columns of its steps. */
function diagnosed(use: Use, explored: Explored, rows: number, of: "row" | "step"): Diagnostic[] {
  const { uses = [], found = [], steps = 0 } = explored.within ?? {}
  return [
    ...diagnose(use, explored, rows, of),
    ...emptyLevels(use, explored),
    ...(steps > 0 ? found.flatMap((inner, c) => diagnosed(uses[c], inner, steps, "step")) : []),
  ]
}

function breadthOf(uses: readonly Use[]): Breadth {
  const long = uses.filter(({ need }) => need.kind === "bag" || need.kind === "steps")
  return { columns: uses.length, long: long.map(({ column }) => column) }
}

/** The number of rows with weight; a soft label makes one copy of the row per level. */
function copies(
  slice: Slice,
  labels: readonly string[],
  weights: Float64Array,
  weighting: Weighting,
): number {
  const columns = labels.flatMap(name => {
    const cells = slice.cells(name)
    // numbers are not soft
    return cells && !ArrayBuffer.isView(cells) ? [{ name, cells, factor: classFactor(weighting, name) }] : []
  })
  if (columns.length === 0 && isOnes(weights)) return slice.rows
  let count = 0
  for (let i = 0; i < slice.rows; i++) {
    if (weights[i] === 0) continue
    let here = 1
    for (let c = 0; c < columns.length; c++) {
      const { name, cells, factor } = columns[c]
      if (isSoft(cells[i])) here *= softLevels(cells[i], slice.first + i, name, factor)!.length
    }
    count += here
  }
  return count
}

/** Warns of a declared class that no labelled row has. If no row is labelled, the classes are hidden, which is no reason to warn. */
function emptyLevels({ column, role }: Use, { variety, unmet = [] }: Explored): Diagnostic[] {
  if (role !== "label" || variety === "none" || unmet.length === 0) return []
  const one = unmet.length === 1
  return [
    {
      code: "empty-level",
      column,
      message: `no row holds the declared ${one ? "level" : "levels"} ${list(unmet)} of ${show(column)}: unless a prior or rows without a label speak for ${one ? "it, its" : "them, their"} probability is 0. Bring such rows, give classes(${show(column)}, …) a prior, or declare ${one ? "it" : "them"} no longer.`,
    },
  ]
}

/** A column with a larger share of missing cells is warned about. */
const MOSTLY = 0.95

/** Warns of a column that is constant, empty or mostly missing. Labels may be missing everywhere: then they are hidden. */
function diagnose(
  { column, role }: Use,
  { variety, missing }: Explored,
  rows: number,
  of: "row" | "step",
): Diagnostic[] {
  if (role !== "label" && variety !== "none" && missing > MOSTLY * rows) {
    return [
      {
        code: "mostly-missing-column",
        column,
        message: `column ${show(column)} is missing in ${missing} of ${rows} ${of}s: what it teaches rests on the few others.`,
      },
    ]
  }
  switch (variety) {
    case "some":
      return []
    case "none":
      if (role === "label") return []
      return [
        {
          code: "empty-column",
          column,
          message: `column ${show(column)} is missing in every ${of}: it teaches nothing.`,
        },
      ]
    case "constant":
      return [
        {
          code: "constant-column",
          column,
          message: `column ${show(column)} holds one value only: it tells no rows apart.`,
        },
      ]
    default:
      return variety satisfies never
  }
}
