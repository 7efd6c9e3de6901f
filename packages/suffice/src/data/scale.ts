/** The smallest number with all its bits: 2⁻¹⁰²². */
const SMALLEST = 2.2250738585072014e-308

/** The unit of numbers that are so far apart: without spread 1, and never so small that 1/scale would be no number. */
export function scaleOf(spread: number): number {
  return spread > 0 ? Math.max(spread, SMALLEST) : 1
}
