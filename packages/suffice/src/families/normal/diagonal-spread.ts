/** The variation within slots of uncorrelated columns (within.ts): a variance for each column, or one for all. */
import { squaresLeft, withinSlots } from "../within.ts"

/** `pooled`: the total variances, one for each that is learned. Statistics as in diagonal.ts: slot by slot n (d), Σwx (d), Σwx². */
export function diagonalSpread(
  d: number,
  slots: number,
  pooled: Float64Array,
): (stats: Float64Array, spread: Float64Array) => Float64Array {
  const variances = pooled.length
  const covers = d / variances
  const width = 2 * d + variances
  return (stats, spread) => {
    const square = new Float64Array(slots)
    const freedom = new Float64Array(slots)
    for (let v = 0; v < variances; v++) {
      freedom.fill(0)
      for (let p = 0; p < slots; p++) {
        const from = p * width
        let taken = 0
        for (let j = v * covers; j < (v + 1) * covers; j++) {
          const n = stats[from + j]
          if (n > 0) taken += (stats[from + d + j] / n) * stats[from + d + j]
          freedom[p] += Math.max(n - 1, 0) / covers
        }
        square[p] = squaresLeft(stats[from + 2 * d + v], taken) / covers
      }
      spread[v] = withinSlots(square, freedom, pooled[v])
    }
    return spread
  }
}
