/** A number of a page, under its name. */
export interface Reading {
  readonly name: string
  readonly value: number | string
  /** After the point: 3 unless told. */
  readonly digits?: number
  readonly unit?: string
}

export function written(value: number | string, digits = 3): string {
  if (typeof value === "string") return value
  if (value === Number.POSITIVE_INFINITY) return "∞"
  if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -digits) return value.toExponential(1).replaceAll("-", "−")
  return Number.isFinite(value) ? value.toFixed(digits).replace("-", "−") : "–"
}
