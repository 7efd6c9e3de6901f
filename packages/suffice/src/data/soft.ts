/** Soft labels: { level: weight } in a label cell. A row with one is copied for each level; a step keeps it, as a belief (Column.beliefs). */
import type { Cell } from "../contract/cells.ts"
import { SufficeError, show } from "../errors.ts"

export interface SoftLevel {
  /** The key: text, whatever the type of the level. */
  readonly name: string
  readonly share: number
}

export function isSoft(cell: Cell): boolean {
  return typeof cell === "object" && cell !== null && !Array.isArray(cell)
}

/**
 * The levels with weight and their shares, which sum to 1; undefined if the cell is not a soft label.
 * With factors by level, the shares are those of weight × factor.
 */
export function softLevels(
  cell: Cell,
  row: number,
  column: string,
  factor: (name: string) => number = () => 1,
): readonly SoftLevel[] | undefined {
  if (!isSoft(cell)) return undefined
  const entries = softWeights(cell, row, column)
  let total = 0
  for (const [name, weight] of entries) total += weight * factor(name)
  return entries.flatMap(([name, weight]) =>
    weight * factor(name) > 0 ? [{ name, share: (weight * factor(name)) / total }] : [],
  )
}

/** The mean of the factors, weighted by the soft label: the total factor of its copies. */
export function softFactor(
  cell: Cell,
  row: number,
  column: string,
  factor: (name: string) => number,
): number {
  let total = 0
  let sum = 0
  for (const [name, weight] of softWeights(cell, row, column)) {
    total += weight
    sum += weight * factor(name)
  }
  return sum / total
}

function softWeights(cell: Cell, row: number, column: string): [string, number][] {
  const entries = Object.entries(cell as Readonly<Record<string, unknown>>)
  let total = 0
  for (const [level, weight] of entries) {
    if (typeof weight !== "number" || !(weight >= 0) || weight === Number.POSITIVE_INFINITY) {
      throw new SufficeError(
        "label",
        `row ${row} of ${show(column)} gives level ${show(level)} the weight ${show(weight)}. A soft label weighs levels by finite numbers ≥ 0. Correct the weight, or leave the level out.`,
        { row, column, level, value: weight },
      )
    }
    total += weight
  }
  if (!(total > 0 && total < Number.POSITIVE_INFINITY)) {
    throw new SufficeError(
      "label",
      `row ${row} of ${show(column)} is a soft label whose weights add up to ${total}. They must add up to a finite number above 0. Weigh at least one level, or put null for a missing label.`,
      { row, column },
    )
  }
  return entries as [string, number][]
}

/** The shares of all levels, in their order; `codes`: their places, by name. */
export function sharesOf(soft: readonly SoftLevel[], codes: ReadonlyMap<string, number>): number[] {
  const shares = new Array<number>(codes.size).fill(0)
  for (const { name, share } of soft) shares[codes.get(name)!] = share
  return shares
}
