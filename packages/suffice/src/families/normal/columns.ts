/** What the normals share about their columns: pooled variances, and descriptions written and read. */
import type { Column } from "../../contract/columns.ts"
import type { Description, Json } from "../../contract/report.ts"
import { finite } from "../../described.ts"
import { SufficeError, show } from "../../errors.ts"
import { cholesky, triangle } from "../../kernels/triangle.ts"

export type NumberColumn = Extract<Column, { kind: "number" }>

/** The variances of uncorrelated columns: one for each, one for all, or 1 in the units of the data. */
export type Spread = "each" | "one" | "unit"

/** ln 2π */
export const LN_2PI = 1.8378770664093453

/** Variances are clamped to this fraction of the variation within slots. */
export const FLOOR = 1e-9

/** Pooled variances in encoded units. A constant column counts as 1. */
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

/** Can the variance be written with all its digits? The square of a standard deviation beyond 1e±150 overflows, underflows, or loses some. */
export function isWritable(variance: number): boolean {
  return variance > 1e-290 && variance < Infinity
}

/** Σ in the units of the data; if a variance cannot be written, standard deviations and correlations instead. */
export function describedCovariance(
  columns: readonly NumberColumn[],
  encoded: (j: number, k: number) => number,
): Description {
  const spread = (j: number): number => columns[j].scale * Math.sqrt(encoded(j, j))
  if (columns.every((_, j) => isWritable(spread(j) * spread(j)))) {
    return {
      covariance: byColumn(columns, j =>
        byColumn(columns, k => encoded(j, k) * columns[j].scale * columns[k].scale),
      ),
    }
  }
  return {
    sd: byColumn(columns, spread),
    correlation: byColumn(columns, j =>
      byColumn(columns, k =>
        j === k ? 1 : encoded(j, k) / Math.sqrt(encoded(j, j)) / Math.sqrt(encoded(k, k)),
      ),
    ),
  }
}

/** Described means in encoded units. */
export function encodedMeans(
  columns: readonly NumberColumn[],
  description: Description,
  family = "normal",
): number[] {
  return columns.map(
    ({ name, shift, scale }) => (entry(name, description, "mean", undefined, family) - shift) / scale,
  )
}

/** The number that a description has for one column under `parameter`; it must be greater than `above`. */
export function entry(
  column: string,
  description: Description,
  parameter: string,
  above?: number,
  family = "normal",
): number {
  const given = description?.[parameter] as { readonly [column: string]: Json } | undefined
  return finite(family, column, { [parameter]: given?.[column] as Json }, parameter, above)
}

/** Described variances in encoded units: above 0, and equal if the shape says so. */
export function encodedVariances(
  columns: readonly NumberColumn[],
  description: Description,
  spread: Spread,
): number[] {
  if (description?.sd !== undefined) {
    const sds = columns.map(({ name }) => entry(name, description, "sd", 0))
    // if they should be equal and are not, the check of variances below throws
    if (spread === "each" || (spread === "one" && sds.every(sd => Math.abs(sd - sds[0]) <= 1e-9 * sds[0])))
      return sds.map((sd, j) => (sd / columns[j].scale) * (sd / columns[j].scale))
    return encodedVariances(columns, { variance: byColumn(columns, j => sds[j] * sds[j]) }, spread)
  }
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

/** The described covariance (or standard deviations and correlations) in encoded units, packed; checked to be symmetric and positive definite. */
export function encodedCovariance(
  columns: readonly NumberColumn[],
  description: Description,
  family = "normal",
): Float64Array {
  const by = description?.sd === undefined ? "covariance" : "correlation"
  const given = description?.[by] as { readonly [column: string]: Description } | undefined
  const unit = ({ name, scale }: NumberColumn): number => entry(name, description, "sd", 0, family) / scale
  const packed = new Float64Array(triangle(columns.length))
  columns.forEach((a, j) => {
    columns.slice(0, j + 1).forEach((b, k) => {
      const value = covarianceOf(family, by, given, a.name, b.name)
      const other = covarianceOf(family, by, given, b.name, a.name)
      if (Math.abs(value - other) > 1e-9 * Math.max(Math.abs(value), Math.abs(other))) {
        throw new SufficeError(
          "parameters",
          `${family}: the ${by} of ${show(a.name)} with ${show(b.name)} is ${value}, and that of ${show(b.name)} with ${show(a.name)} is ${other}. A ${by} is symmetric. Give the same number in both places.`,
          { family, columns: [a.name, b.name], values: [value, other] },
        )
      }
      packed[triangle(j) + k] = by === "covariance" ? value / a.scale / b.scale : value * unit(a) * unit(b)
    })
  })
  const failed = cholesky(packed.slice(), 0, columns.length)
  if (failed === 0) return packed
  const column = columns[failed - 1].name
  throw new SufficeError(
    "parameters",
    `${family}: the covariance leaves column ${show(column)} no variance of its own, given the columns before it. A covariance must be positive definite. Give the parameters as describe() prints them, or add a little to the diagonal.`,
    { family, column },
  )
}

function covarianceOf(
  family: string,
  by: "covariance" | "correlation",
  given: { readonly [column: string]: Description } | undefined,
  a: string,
  b: string,
): number {
  const parameter = `${by} with ${b}`
  return finite(family, a, { [parameter]: given?.[a]?.[b] as Json }, parameter)
}
