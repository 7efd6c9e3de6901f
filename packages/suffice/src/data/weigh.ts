/** The weight of each row: that of a column of weights, times the factor of its class, or of having no label. */
import type { Cell } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { list, nearest, SufficeError, show } from "../errors.ts"
import { ONES } from "../kernels/all-ones.ts"
import { isMissing, levelCell } from "./cells.ts"
import { type Slice, unknownColumn } from "./read.ts"
import { isSoft, softFactor } from "./soft.ts"

export interface Weighting {
  /** The column of row weights. */
  readonly column?: string | undefined
  /** Factors by level of the label, checked. Rows without a label count 1. */
  readonly classes?: Readonly<Record<string, number>> | undefined
  readonly label?: string | undefined
  /** A factor on rows in which this column is missing. */
  readonly unlabelled?: { readonly column: string; readonly weight: number } | undefined
}

/** A checked copy of factors by level, which must be finite and not negative. */
export function checkClassWeights(classes: Readonly<Record<string, number>>): Record<string, number> {
  if (Object.prototype.toString.call(classes) !== "[object Object]") {
    throw new SufficeError(
      "option",
      `fit: classWeights is ${show(classes)}. It holds a factor for each level. Write for example { rare: 5 }.`,
      { option: "classWeights", value: classes },
    )
  }
  for (const [level, factor] of Object.entries(classes)) {
    if (typeof factor === "number" && factor >= 0 && factor < Number.POSITIVE_INFINITY) continue
    throw new SufficeError(
      "weight",
      `fit: classWeights gives ${show(level)} the weight ${show(factor)}. A class weight is a finite number ≥ 0. Correct it, or leave it out for 1.`,
      { level, value: factor },
    )
  }
  return { ...classes }
}

/** The weighting that fit's options ask for, checked against the model. */
export function weightingOf(
  model: Pick<Model, "target" | "uses">,
  {
    weight,
    classWeights,
  }: { readonly weight?: string | undefined; readonly classWeights?: Weighting["classes"] },
): Weighting {
  if (classWeights !== undefined && model.target === undefined) {
    throw new SufficeError(
      "option",
      "fit: classWeights weigh the levels of a label, but the model has none. Leave them out, or put the model in classes(column, body).",
    )
  }
  if (classWeights !== undefined && !model.uses.some(use => use.column === model.target)) {
    throw new SufficeError(
      "option",
      `fit: classWeights weigh rows by their label, but ${show(model.target)} stands in the steps of rows, so that a row has many. Leave them out, or weigh rows by a column of weights.`,
      { column: model.target },
    )
  }
  if (weight !== undefined && model.uses.some(use => use.column === weight)) {
    throw new SufficeError(
      "option",
      `fit: the weights ${show(weight)} are also a column of the model. A weight says how often a row counts, not what it holds. Use another column.`,
      { column: weight },
    )
  }
  return {
    column: weight,
    classes: classWeights === undefined ? undefined : checkClassWeights(classWeights),
    label: model.target,
  }
}

/** A misspelt class would otherwise silently have weight 1. Classes of weight 0 are not discovered, so they cannot be checked. */
export function checkClasses(
  { classes = {}, label }: Weighting,
  { columns }: { readonly columns: readonly Column[] },
): void {
  const column = columns.find(column => column.name === label)
  if (column?.kind !== "level") return
  const names = column.levels.map(String)
  for (const [name, factor] of Object.entries(classes)) {
    if (factor === 0 || names.includes(name)) continue
    const near = nearest(name, names)[0]
    throw new SufficeError(
      "option",
      `fit: classWeights names ${show(name)}, which is no level of ${show(label)}. Its levels are ${list(column.levels)}. ${near ? `Did you mean ${show(near)}?` : "Leave it out."}`,
      { option: "classWeights", level: name },
    )
  }
}

/** The factor of each level of this column. */
export function classFactor({ classes, label }: Weighting, column: string): (name: string) => number {
  if (classes === undefined || column !== label) return () => 1
  return name => (Object.hasOwn(classes, name) ? classes[name] : 1)
}

/** The weights of a slice; possibly a shared array, which must not be written to. */
export function rowWeights(slice: Slice, weighting: Weighting): Float64Array {
  const { column, classes, label, unlabelled } = weighting
  if (column === undefined && classes === undefined && unlabelled === undefined)
    return ONES.subarray(0, slice.rows)
  const weights = new Float64Array(slice.rows).fill(1)
  if (column !== undefined) {
    const cells = slice.cells(column)
    if (!cells) throw unknownColumn(column, slice.names())
    for (let i = 0; i < slice.rows; i++) weights[i] = weightCell(cells[i], slice.first + i, column)
  }
  if (classes !== undefined && label !== undefined) {
    const cells = slice.cells(label)
    const factor = classFactor(weighting, label)
    for (let i = 0; cells && i < slice.rows; i++) {
      if (weights[i] > 0) weights[i] *= labelFactor(cells[i], slice.first + i, label, factor)
    }
  }
  if (unlabelled !== undefined) {
    const cells = slice.cells(unlabelled.column)
    for (let i = 0; i < slice.rows; i++) if (isMissing(cells?.[i])) weights[i] *= unlabelled.weight
  }
  return weights
}

function weightCell(cell: Cell, row: number, column: string): number {
  const value = typeof cell === "bigint" ? Number(cell) : cell
  if (typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY) return value
  throw new SufficeError(
    "weight",
    `row ${row} of the weights ${show(column)} holds ${show(cell)}. A weight is a finite number ≥ 0. Correct it, or give the row weight 0 to leave it out.`,
    { row, column, value: cell },
  )
}

function labelFactor(cell: Cell, row: number, label: string, factor: (name: string) => number): number {
  if (isSoft(cell)) return softFactor(cell, row, label, factor)
  const level = levelCell(cell, row, label)
  return level === undefined ? 1 : factor(String(level))
}
