/** The columns of a normal, and reading what `describe()` printed of them. */
import type { Column, Description, Json } from "../../contract.ts"
import { finite } from "../../described.ts"

export type NumberColumn = Extract<Column, { kind: "number" }>

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
