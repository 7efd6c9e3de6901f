/** Bins of equal width for the numbers of a column, and the points at which a density is drawn over them. */

export interface Bins {
  readonly from: number
  readonly width: number
  readonly count: number
}

/** About so many bins. */
const WANTED = 28

/**
 * Numbers that lie on a grid (whole numbers, tenths) get bins around its points, so that no bin is empty by rounding alone. Where a
 * few numbers lie far out, the outermost half per cent on either side stay outside.
 */
export function binsOf(values: Float64Array): Bins | undefined {
  if (values.length === 0) return undefined
  const sorted = values.toSorted()
  const at = (q: number): number => sorted[Math.round(q * (sorted.length - 1))]
  const isFar = at(1) - at(0) > 3 * (at(0.995) - at(0.005)) && at(0.995) > at(0.005)
  const [low, high] = isFar ? [at(0.005), at(0.995)] : [at(0), at(1)]
  if (low === high) return { from: low - 0.5, width: 1, count: 1 }
  const gap = smallestGap(sorted)
  const wanted = (high - low) / WANTED
  const width = gap > wanted / 4 ? gap * Math.max(1, Math.round(wanted / gap)) : wanted
  const from = low - (gap > wanted / 4 ? gap / 2 : 0)
  // a last bin for numbers that rounding puts at its edge
  return { from, width, count: Math.floor((high - from) / width + 1e-9) + 1 }
}

/** The smallest distance between two different numbers. */
function smallestGap(sorted: Float64Array): number {
  let gap = Infinity
  for (let i = 1; i < sorted.length; i++) {
    const step = sorted[i] - sorted[i - 1]
    if (step > 1e-9 * Math.abs(sorted[i]) && step < gap) gap = step
  }
  return gap
}

/** The share of the numbers in each bin, per unit of its width: the area is what share lies inside. */
export function heights({ from, width, count }: Bins, values: Float64Array): number[] {
  const counts = new Array<number>(count).fill(0)
  for (const value of values) {
    const bin = Math.floor((value - from) / width)
    if (bin >= 0 && bin < count) counts[bin]++
  }
  return counts.map(n => (values.length > 0 ? n / values.length / width : 0))
}
