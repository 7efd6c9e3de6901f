/** The units in which numbers are encoded. */
import type { Column, Use } from "../contract/columns.ts"

/** The smallest normal double, 2⁻¹⁰²². */
const SMALLEST = 2.2250738585072014e-308

/** The unit of numbers with this spread: 1 without spread, and never so small that 1/scale would overflow. */
export function scaleOf(spread: number): number {
  return spread > 0 ? Math.max(spread, SMALLEST) : 1
}

/** The columns with their final scales. `isKnown`: such columns keep their units. */
export function pooledScales(columns: readonly Column[], uses: readonly Use[], isKnown: boolean): Column[] {
  return (isKnown ? columns : commonScale(columns, uses)).map(withSpread)
}

/** Columns of a group with a common scale get the root mean square of their spreads. */
function commonScale(columns: readonly Column[], uses: readonly Use[]): Column[] {
  const isCommon = ({ need }: Use): boolean => need.kind === "number" && need.scale === "common"
  return columns.map((column, c) => {
    if (column.kind !== "number" || !isCommon(uses[c])) return column
    let largest = 0
    const spreads = columns.flatMap((other, o) =>
      other.kind === "number" && isCommon(uses[o]) && uses[o].group === uses[c].group ? [other.scale] : [],
    )
    for (const spread of spreads) largest = Math.max(largest, spread)
    if (largest === 0) return column
    let squares = 0
    for (const spread of spreads) squares += (spread / largest) * (spread / largest)
    const scale = largest * Math.sqrt(squares / spreads.length)
    return { ...column, scale, variance: (column.scale / scale) * (column.scale / scale) }
  })
}

/** A column without spread gets scale 1, and no scale is so small that 1/scale would overflow. */
function withSpread(column: Column): Column {
  if (column.kind !== "number" || column.within) return column
  const scale = scaleOf(column.scale)
  const variance = column.variance * (column.scale / scale) * (column.scale / scale)
  return { ...column, scale, variance: variance > 0 ? variance : 1 }
}
