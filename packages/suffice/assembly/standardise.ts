/** Numbers of a column in place: x ← (x − shift)·inverse, the twin of standardise in src/kernels/columns.ts. */

/** True if none of them is farther from 0 than `most`; a missing one is not. */
export function standardise(x: usize, count: i32, shift: f64, inverse: f64, most: f64): bool {
  const by = f64x2.splat(shift)
  const times = f64x2.splat(inverse)
  const limit = f64x2.splat(most)
  let far = f64x2.splat(0)
  const whole = x + ((<usize>(count & ~3)) << 3)
  const end = x + ((<usize>count) << 3)
  for (; x < whole; x += 32) {
    const a = f64x2.mul(f64x2.sub(v128.load(x), by), times)
    const b = f64x2.mul(f64x2.sub(v128.load(x, 16), by), times)
    far = v128.or(far, v128.or(f64x2.gt(f64x2.abs(a), limit), f64x2.gt(f64x2.abs(b), limit)))
    v128.store(x, a)
    v128.store(x, b, 16)
  }
  let isWithin = !v128.any_true(far)
  for (; x < end; x += 8) {
    const value = (load<f64>(x) - shift) * inverse
    isWithin = isWithin && !(Math.abs(value) > most)
    store<f64>(x, value)
  }
  return isWithin
}
