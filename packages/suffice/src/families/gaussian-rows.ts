/** Rows under normals of one column, slot by slot; parameters as in gaussian-bank.ts. */

/** Encoded cells beyond this are scored by lines, if slots are tied (scoreLines). */
const FAR = 1e6
/** Beyond this they are clipped, so that no product overflows. */
const FARTHEST = 1e150

export function isFar(x: Float64Array, rows: number): boolean {
  for (let i = 0; i < rows; i++) if (Math.abs(x[i]) > FAR) return true
  return false
}

export function scoreNormals(
  x: Float64Array,
  rows: number,
  slots: number,
  params: Float64Array,
  out: Float64Array,
): void {
  for (let p = 0; p < slots; p++) {
    const mean = params[p * 3]
    const precision = params[p * 3 + 1]
    const top = params[p * 3 + 2]
    const at = p * rows
    for (let i = 0; i < rows; i++) {
      const d = x[i] - mean
      const score = top - 0.5 * precision * d * d
      if (score === score) out[at + i] += score
    }
  }
}

/**
 * Tied slots have the same quadratic term: p(slot | x) needs only the line μx/σ² − μ²/2σ². Far from all means it must be used: there (x − μ)² has
 * the same bits for every μ, and beyond 1e154 it is Infinity.
 */
export function scoreLines(
  x: Float64Array,
  rows: number,
  slots: number,
  params: Float64Array,
  out: Float64Array,
): void {
  for (let p = 0; p < slots; p++) {
    const mean = params[p * 3]
    const precision = params[p * 3 + 1]
    for (let i = 0; i < rows; i++) {
      const d = x[i] - mean
      const score =
        Math.abs(x[i]) > FAR
          ? precision * mean * (Math.max(Math.min(x[i], FARTHEST), -FARTHEST) - mean / 2)
          : params[p * 3 + 2] - 0.5 * precision * d * d
      if (score === score) out[p * rows + i] += score
    }
  }
}

/** Σ_p n·top − ½(Σwx² − 2μΣwx + nμ²)/σ² */
export function valueOfNormals(
  stats: Float64Array,
  params: Float64Array,
  slots: number,
  tied: boolean,
): number {
  const width = tied ? 2 : 3
  let total = tied ? -0.5 * params[1] * stats[slots * width] : 0
  for (let p = 0; p < slots; p++) {
    const mean = params[p * 3]
    const n = stats[p * width]
    const square = (tied ? 0 : stats[p * 3 + 2]) - 2 * mean * stats[p * width + 1] + n * mean * mean
    total += n * params[p * 3 + 2] - 0.5 * params[p * 3 + 1] * square
  }
  return total
}
