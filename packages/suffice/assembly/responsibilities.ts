/** Sums over the values of a switch: the twin of src/kernels/responsibilities.ts, two rows in each register. */
import { exp, log } from "./exp-log"

/**
 * By q < size, over l < k with score s_l at scores + 8·(size·l + q):
 *
 *     s_l ← r_l = e_l / Σ_l e_l,   e_l = exp(s_l − max)
 *     behind them max + ln Σ_l e_l, then H = ln Σ_l e_l − Σ_l e_l (s_l − max) / Σ_l e_l
 */
export function collapse(scores: usize, k: i32, size: i32): void {
  const column = (<usize>size) << 3
  const end = <usize>k * column
  const uniform = f64x2.splat(1 / <f64>k)
  const most = log(f64x2.splat(<f64>k))
  for (let q = 0; q < size; q += 2) {
    const from = scores + ((<usize>q) << 3)
    const to = from + end
    const both = q + 1 < size
    let max = take(from, both)
    for (let at = from + column; at < to; at += column) max = f64x2.pmax(max, take(at, both))
    const shift = v128.and(max, f64x2.gt(max, f64x2.splat(-Infinity)))
    let sum = f64x2.splat(0)
    let mean = f64x2.splat(0)
    for (let at = from; at < to; at += column) {
      const x = f64x2.sub(take(at, both), shift)
      const e = exp(x)
      put(at, e, both)
      sum = f64x2.add(sum, e)
      mean = f64x2.add(mean, v128.and(f64x2.mul(e, x), f64x2.gt(e, f64x2.splat(0))))
    }
    const impossible = f64x2.eq(sum, f64x2.splat(0))
    const logSum = log(sum)
    const part = f64x2.div(f64x2.splat(1), sum)
    for (let at = from; at < to; at += column) {
      put(at, v128.bitselect(uniform, f64x2.mul(take(at, both), part), impossible), both)
    }
    put(to, f64x2.add(shift, logSum), both)
    put(to + column, v128.bitselect(most, f64x2.sub(logSum, f64x2.mul(mean, part)), impossible), both)
  }
}

/** Two numbers, or one twice. */
function take(from: usize, both: bool): v128 {
  return both ? v128.load(from) : v128.load_splat<f64>(from)
}

/** Both numbers, or the first alone. */
function put(to: usize, values: v128, both: bool): void {
  if (both) v128.store(to, values)
  else store<f64>(to, f64x2.extract_lane(values, 0))
}
