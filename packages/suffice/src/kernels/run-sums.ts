/**
 * Sums over runs of 256 numbers:
 *
 *     out[3r] = max |x|      out[3r + 1] = Σ x·inverse      out[3r + 2] = Σ (x·inverse − m)²,  m = out[3r + 1] / 256
 *
 * max |x| is NaN if a number is not finite, or the sum is NaN. There are eight partial sums, as in the registers of the fast twin.
 */
export const RUN = 256

export function sumRuns(
  values: Float64Array,
  from: number,
  runs: number,
  inverse: number,
  out: Float64Array,
): void {
  for (let r = 0; r < runs; r++) {
    const start = from + r * RUN
    let largest = 0
    parts.fill(0)
    for (let i = 0; i < RUN; i++) {
      largest = Math.max(largest, Math.abs(values[start + i]))
      parts[i & 7] += values[start + i] * inverse
    }
    const sum = together(parts)
    const mean = sum / RUN
    parts.fill(0)
    for (let i = 0; i < RUN; i++) {
      const gap = values[start + i] * inverse - mean
      parts[i & 7] += gap * gap
    }
    out[3 * r] = largest < Infinity && sum === sum ? largest : NaN
    out[3 * r + 1] = sum
    out[3 * r + 2] = together(parts)
  }
}

const parts = /* @__PURE__ */ new Float64Array(8)

/** Adds the eight partial sums. */
export function together(sums: Float64Array): number {
  const [a, b, c, d, e, f, g, h] = sums
  return a + c + (e + g) + (b + d + (f + h))
}
