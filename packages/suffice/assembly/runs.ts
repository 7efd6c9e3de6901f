/** Runs of 256 numbers: the twin of src/kernels/run-sums.ts, four numbers in two registers. */

const RUN: usize = 2048 // bytes

/** out[3r …] ← max |x|, NaN where one is not finite or their sum is NaN; Σ x·inverse; Σ (x·inverse − Σ x·inverse / 256)² */
export function sumRuns(values: usize, runs: i32, inverse: f64, out: usize): void {
  const by = f64x2.splat(inverse)
  for (const end = values + <usize>runs * RUN; values < end; values += RUN, out += 24) {
    let most = f64x2.splat(0)
    let first = f64x2.splat(0)
    let second = f64x2.splat(0)
    for (let at = values; at < values + RUN; at += 32) {
      const x = v128.load(at)
      const y = v128.load(at, 16)
      // of two numbers it takes the first where one is NaN, which shows in the sum: engines have one instruction for it
      most = f64x2.pmax(f64x2.pmax(most, f64x2.abs(x)), f64x2.abs(y))
      first = f64x2.add(first, f64x2.mul(x, by))
      second = f64x2.add(second, f64x2.mul(y, by))
    }
    first = f64x2.add(first, second)
    const sum = f64x2.extract_lane(first, 0) + f64x2.extract_lane(first, 1)
    const mean = f64x2.splat(sum / 256)
    first = f64x2.splat(0)
    second = f64x2.splat(0)
    for (let at = values; at < values + RUN; at += 32) {
      const x = f64x2.sub(f64x2.mul(v128.load(at), by), mean)
      const y = f64x2.sub(f64x2.mul(v128.load(at, 16), by), mean)
      first = f64x2.add(first, f64x2.mul(x, x))
      second = f64x2.add(second, f64x2.mul(y, y))
    }
    first = f64x2.add(first, second)
    const largest = max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1))
    store<f64>(out, largest < Infinity && sum === sum ? largest : NaN)
    store<f64>(out, sum, 8)
    store<f64>(out, f64x2.extract_lane(first, 0) + f64x2.extract_lane(first, 1), 16)
  }
}
