/** Runs of 256 numbers: the twin of src/kernels/run-sums.ts, eight numbers in four registers. */

const RUN: usize = 2048 // bytes

/** out[3r …] ← max |x|, NaN where one is not finite or their sum is NaN; Σ x·inverse; Σ (x·inverse − Σ x·inverse / 256)² */
export function sumRuns(values: usize, runs: i32, inverse: f64, out: usize): void {
  const by = f64x2.splat(inverse)
  for (const end = values + <usize>runs * RUN; values < end; values += RUN, out += 24) {
    let most = f64x2.splat(0)
    let a = f64x2.splat(0)
    let b = f64x2.splat(0)
    let c = f64x2.splat(0)
    let d = f64x2.splat(0)
    for (let at = values; at < values + RUN; at += 64) {
      const x = v128.load(at)
      const y = v128.load(at, 16)
      const z = v128.load(at, 32)
      const w = v128.load(at, 48)
      // of two numbers it takes the first where one is NaN, which shows in the sum: engines have one instruction for it
      const most1 = f64x2.pmax(f64x2.abs(x), f64x2.abs(y))
      const most2 = f64x2.pmax(f64x2.abs(z), f64x2.abs(w))
      most = f64x2.pmax(most, f64x2.pmax(most1, most2))
      a = f64x2.add(a, f64x2.mul(x, by))
      b = f64x2.add(b, f64x2.mul(y, by))
      c = f64x2.add(c, f64x2.mul(z, by))
      d = f64x2.add(d, f64x2.mul(w, by))
    }
    const sum = together(a, b, c, d)
    const mean = f64x2.splat(sum / 256)
    a = f64x2.splat(0)
    b = f64x2.splat(0)
    c = f64x2.splat(0)
    d = f64x2.splat(0)
    for (let at = values; at < values + RUN; at += 64) {
      const x = f64x2.sub(f64x2.mul(v128.load(at), by), mean)
      const y = f64x2.sub(f64x2.mul(v128.load(at, 16), by), mean)
      const z = f64x2.sub(f64x2.mul(v128.load(at, 32), by), mean)
      const w = f64x2.sub(f64x2.mul(v128.load(at, 48), by), mean)
      a = f64x2.add(a, f64x2.mul(x, x))
      b = f64x2.add(b, f64x2.mul(y, y))
      c = f64x2.add(c, f64x2.mul(z, z))
      d = f64x2.add(d, f64x2.mul(w, w))
    }
    const largest = max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1))
    store<f64>(out, largest < Infinity && sum === sum ? largest : NaN)
    store<f64>(out, sum, 8)
    store<f64>(out, together(a, b, c, d), 16)
  }
}

function together(a: v128, b: v128, c: v128, d: v128): f64 {
  const sum = f64x2.add(f64x2.add(a, b), f64x2.add(c, d))
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
}
