/** The columns of a normal, and reading what `describe()` printed of them. */
import type { Column, Description, Json } from "../../contract.ts"
import { finite } from "../../described.ts"
import { SufficeError, show } from "../../errors.ts"

export type NumberColumn = Extract<Column, { kind: "number" }>

/** Of uncorrelated columns: a variance for each, one for all, or 1 in the units of the data. */
export type Spread = "each" | "one" | "unit"

/** ln 2π */
export const LN_2PI = 1.8378770664093453

/** Variances below this part of the column's own pooled variance are held there. */
export const FLOOR = 1e-9

/** Pooled variances in held units: what floors and the prior are relative to. A constant column counts as 1. */
export function pooledVariances(columns: readonly NumberColumn[]): Float64Array {
  return Float64Array.from(columns, ({ variance }) => (variance > 0 && variance < Infinity ? variance : 1))
}

/** { column: value } for a value per column. */
export function byColumn<T>(
  columns: readonly NumberColumn[],
  value: (j: number) => T,
): { readonly [column: string]: T } {
  return Object.fromEntries(columns.map(({ name }, j) => [name, value(j)]))
}

/** Described means in held units. */
export function heldMeans(columns: readonly NumberColumn[], description: Description): number[] {
  return columns.map(({ name, shift, scale }) => (entry(name, description, "mean") - shift) / scale)
}

/** The number a description holds for one column under `parameter`, above `above`. */
export function entry(column: string, description: Description, parameter: string, above?: number): number {
  const given = description?.[parameter] as { readonly [column: string]: Json } | undefined
  return finite("normal", column, { [parameter]: given?.[column] as Json }, parameter, above)
}

/** Described variances in held units: above 0, all the same where the shape says so. */
export function heldVariances(
  columns: readonly NumberColumn[],
  description: Description,
  spread: Spread,
): number[] {
  const given = columns.map(({ name }) => entry(name, description, "variance", 0))
  const wanted = spread === "each" ? undefined : spread === "one" ? given[0] : 1
  given.forEach((value, j) => {
    if (wanted === undefined || Math.abs(value - wanted) <= 1e-9 * wanted) return
    const shape =
      spread === "one" ? "A spherical covariance has one variance" : "An identity covariance has variance 1"
    throw new SufficeError(
      "parameters",
      `normal: the variance of column ${show(columns[j].name)} is ${value}, not ${wanted}. ${shape}. Give every column ${wanted}, or choose covariance: "diag".`,
      { family: "normal", column: columns[j].name, value },
    )
  })
  return given.map((value, j) => value / columns[j].scale / columns[j].scale)
}
