/** Sums over the values of a switch: the twin of src/kernels/responsibilities.ts, two rows in each register. */
import { exp, log } from "./exp-log"

/**
 * By q < size (an even number of places is there), over l < k with score s_l at scores + 8·(stride·l + q):
 *
 *     s_l ← e_l = exp(s_l − max)
 *     behind them Σ_l e_l, then max + ln Σ_l e_l, then H = ln Σ_l e_l − Σ_l e_l (s_l − max) / Σ_l e_l
 */
export function collapse(scores: usize, stride: i32, k: i32, size: i32): void {
  const column = (<usize>stride) << 3
  const even = (((<usize>size) << 3) + 15) & ~15
  const end = <usize>k * column
  const one = f64x2.splat(1)
  const count = f64x2.splat(<f64>k)
  const uniform = log(count)
  for (let from = scores; from < scores + even; from += 16) {
    let max = v128.load(from)
    for (let l = column; l < end; l += column) max = f64x2.pmax(max, v128.load(from + l))
    const possible = f64x2.gt(max, f64x2.splat(-Infinity))
    const shift = v128.and(max, possible)
    let sum = f64x2.splat(0)
    let mean = f64x2.splat(0)
    for (let l: usize = 0; l < end; l += column) {
      const x = f64x2.sub(v128.load(from + l), shift)
      const e = exp(x)
      v128.store(from + l, v128.bitselect(e, one, possible))
      sum = f64x2.add(sum, e)
      mean = f64x2.add(mean, v128.and(f64x2.mul(e, x), f64x2.gt(e, f64x2.splat(0))))
    }
    const logSum = log(sum)
    const to = from + end
    v128.store(to, v128.bitselect(sum, count, possible))
    v128.store(to + column, f64x2.add(shift, logSum))
    v128.store(
      to + column + column,
      v128.bitselect(f64x2.sub(logSum, f64x2.div(mean, sum)), uniform, possible),
    )
  }
}
