/** The weight of each row: a column of weights, times the weight of its class. */
import type { Cell } from "../contract.ts"
import { SufficeError, show } from "../errors.ts"
import { levelCell } from "./cells.ts"
import { type Slice, unknownColumn } from "./read.ts"
import { isSoft, softFactor } from "./soft.ts"

export interface Weighting {
  /** The column of row weights. */
  readonly column?: string | undefined
  /** Factors by level of the label, checked. Rows without a label count 1. */
  readonly classes?: Readonly<Record<string, number>> | undefined
  readonly label?: string | undefined
}

/** Factors by level must be finite and not negative; they are copied, so that nobody changes them later. */
export function checkClassWeights(classes: Readonly<Record<string, number>>): Record<string, number> {
  if (typeof classes !== "object" || classes === null || Array.isArray(classes)) {
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

/** The factor of each level of this column. */
export function classFactor({ classes, label }: Weighting, column: string): (name: string) => number {
  if (classes === undefined || column !== label) return () => 1
  return name => (Object.hasOwn(classes, name) ? classes[name] : 1)
}

export function rowWeights(slice: Slice, weighting: Weighting): Float64Array {
  const { column, classes, label } = weighting
  const weights = new Float64Array(slice.rows).fill(1)
  if (column !== undefined) {
    const cells = slice.cells(column)
    if (!cells) throw unknownColumn(column, slice.names)
    for (let i = 0; i < slice.rows; i++) weights[i] = weightCell(cells[i], slice.first + i, column)
  }
  if (classes !== undefined && label !== undefined) {
    const cells = slice.cells(label)
    const factor = classFactor(weighting, label)
    for (let i = 0; cells && i < slice.rows; i++) {
      if (weights[i] > 0) weights[i] *= labelFactor(cells[i], slice.first + i, label, factor)
    }
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
