/** Sums over the values of a switch: the twin of src/kernels/responsibilities.ts, two rows in each register. */
import { expOf, expRest, expSeries, logNormal, logNormals } from "./exp-log"

/** Rows that are worked on together: all that belongs to them stays in the first cache. */
const STRIP: i32 = 32

/**
 * By q < size, over l < k with score s_l at scores + 8·(size·l + q):
 *
 *     s_l ← r_l = e_l / Σ_l e_l,   e_l = exp(s_l − max)
 *     behind them max + ln Σ_l e_l, then H = ln Σ_l e_l − Σ_l e_l (s_l − max) / Σ_l e_l
 *
 * `work` is scratch for (2k + 3)·32 numbers.
 */
export function collapse(scores: usize, k: i32, size: i32, work: usize): void {
  const column = (<usize>size) << 3
  const wide = (<usize>STRIP) << 3
  const xs = work + 3 * wide // s_l − max, value by value
  const es = xs + <usize>k * wide // what becomes e_l
  for (let q = 0; q < size; q += STRIP) {
    const from = scores + ((<usize>q) << 3)
    const behind = from + <usize>k * column
    const count = min(STRIP, size - q)
    const width = (<usize>((count + 1) & ~1)) << 3 // an odd one out has whatever lies behind it beside it
    // the maxima
    for (let i: usize = 0; i < width; i += 16) {
      let max = v128.load(from + i)
      for (let at = from + column; at < behind; at += column) max = f64x2.pmax(max, v128.load(at + i))
      v128.store(work + i, v128.and(max, f64x2.gt(max, f64x2.splat(-Infinity))))
      v128.store(work + wide + i, f64x2.splat(0))
      v128.store(work + 2 * wide + i, f64x2.splat(0))
    }
    for (let at = from, x = xs, e = es; at < behind; at += column, x += wide, e += wide) {
      for (let i: usize = 0; i < width; i += 16) {
        const shifted = f64x2.sub(v128.load(at + i), v128.load(work + i))
        v128.store(x + i, shifted)
        v128.store(e + i, expRest(shifted))
      }
    }
    for (let e = es; e < es + <usize>k * wide; e += wide) {
      for (let i: usize = 0; i < width; i += 16) v128.store(e + i, expSeries(v128.load(e + i)))
    }
    for (let x = xs, e = es; x < es; x += wide, e += wide) {
      for (let i: usize = 0; i < width; i += 16) {
        const shifted = v128.load(x + i)
        const value = expOf(shifted, v128.load(e + i))
        v128.store(e + i, value)
        const sum = work + wide + i
        v128.store(sum, f64x2.add(v128.load(sum), value))
        const mean = sum + wide
        const term = v128.and(f64x2.mul(value, shifted), f64x2.gt(value, f64x2.splat(0)))
        v128.store(mean, f64x2.add(v128.load(mean), term))
      }
    }
    // the sums are at least 1; where they are 0, `close` looks
    logNormals(work + wide, xs, width)
    for (let i: usize = 0; i < width; i += 16)
      close(from + i, k, column, work + i, es + i, i + 8 < (<usize>count) << 3)
  }
}

/** What two rows have summed up becomes their responsibilities and the two numbers behind these. */
function close(to: usize, k: i32, column: usize, work: usize, e: usize, both: bool): void {
  const wide = (<usize>STRIP) << 3
  const sum = v128.load(work + wide)
  const logSum = v128.load(work + 3 * wide)
  const part = f64x2.div(f64x2.splat(1), sum)
  let entropy = f64x2.sub(logSum, f64x2.mul(v128.load(work + 2 * wide), part))
  const impossible = f64x2.eq(sum, f64x2.splat(0))
  const behind = to + <usize>k * column
  if (both && !v128.any_true(impossible)) {
    for (; to < behind; to += column, e += wide) v128.store(to, f64x2.mul(v128.load(e), part))
    v128.store(to, f64x2.add(v128.load(work), logSum))
    v128.store(to + column, entropy)
    return
  }
  // nothing is possible, so nothing is known
  const uniform = f64x2.splat(1 / <f64>k)
  entropy = v128.bitselect(logNormal(f64x2.splat(<f64>k)), entropy, impossible)
  for (; to < behind; to += column, e += wide) {
    put(to, v128.bitselect(uniform, f64x2.mul(v128.load(e), part), impossible), both)
  }
  put(to, v128.bitselect(f64x2.splat(-Infinity), f64x2.add(v128.load(work), logSum), impossible), both)
  put(to + column, entropy, both)
}

/** Both numbers, or the first alone. */
function put(to: usize, values: v128, both: bool): void {
  if (both) v128.store(to, values)
  else store<f64>(to, f64x2.extract_lane(values, 0))
}

/**
 * The posterior of each row, k contiguous numbers: lines ← r_l, then for all rows ln r_l = s_l − ln Σ_l exp s_l; uniform for a row that is
 * impossible under every value. The scores are overwritten; the space behind them, and `work`, are as for `collapse`.
 */
export function posteriorRows(scores: usize, k: i32, rows: i32, work: usize, lines: usize): void {
  const size = (<usize>(k * rows)) << 3
  const uniform = -f64x2.extract_lane(logNormal(f64x2.splat(<f64>k)), 0)
  turnRows(scores, k, rows, lines + size)
  collapse(scores, k, rows, work)
  turnRows(scores, k, rows, lines)
  let at = lines + size
  for (let sum = scores + size; sum < scores + size + ((<usize>rows) << 3); sum += 8) {
    const total = load<f64>(sum)
    const possible = total > -Infinity
    for (const end = at + ((<usize>k) << 3); at < end; at += 8) {
      store<f64>(at, possible ? load<f64>(at) - total : uniform)
    }
  }
}

/** to[i·k + l] ← from[l·rows + i] */
function turnRows(from: usize, k: i32, rows: i32, to: usize): void {
  const line = (<usize>rows) << 3
  const end = from + line
  for (; from < end; from += 8) {
    for (let l = 0, at = from; l < k; l++, at += line, to += 8) store<f64>(to, load<f64>(at))
  }
}
