/**
 * What runs of 256 numbers add up to, run after run:
 *
 *     out[3r] = max |x|      out[3r + 1] = Σ x·inverse      out[3r + 2] = Σ (x·inverse − m)²,  m = out[3r + 1] / 256
 *
 * The largest is NaN where one of them is not finite, or their sum is NaN. Four sums at a time, which do not wait for each other.
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
    const end = start + RUN
    let largest = 0
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    for (let i = start; i < end; i += 4) {
      const [x, y, z, w] = [values[i], values[i + 1], values[i + 2], values[i + 3]]
      largest = Math.max(largest, Math.abs(x), Math.abs(y), Math.abs(z), Math.abs(w))
      a += x * inverse
      b += y * inverse
      c += z * inverse
      d += w * inverse
    }
    const sum = a + c + (b + d)
    const mean = sum / RUN
    a = b = c = d = 0
    for (let i = start; i < end; i += 4) {
      const x = values[i] * inverse - mean
      const y = values[i + 1] * inverse - mean
      const z = values[i + 2] * inverse - mean
      const w = values[i + 3] * inverse - mean
      a += x * x
      b += y * y
      c += z * z
      d += w * w
    }
    out[3 * r] = largest < Infinity && sum === sum ? largest : NaN
    out[3 * r + 1] = sum
    out[3 * r + 2] = a + c + (b + d)
  }
}
