/**
 * Bags of words scored and counted, with parameters and statistics in this memory: twins of src/kernels/bag-rows.ts, the same steps and
 * so the same bits. The slots of a word are contiguous, two to a register.
 */
import { logNormal } from "./exp-log"
import { addScores, scoreRow } from "./score-row"
import { number, whole } from "./word-table"

/** out[p·rows + i] += Σ_t x_t θ_wp − A_p Σ_t x_t. `row`: scratch, one number per slot and one more. */
export function scoreBags(
  offsets: usize,
  words: usize,
  counts: usize,
  rows: i32,
  params: usize,
  size: i32,
  slots: i32,
  out: usize,
  row: usize,
): void {
  for (let i = 0; i < rows; i++) {
    const from = whole(offsets, i)
    const count = whole(offsets, i + 1) - from
    if (count === 0) continue
    const length = scoreRow(words + ((<usize>from) << 2), number(counts, from), count, params, slots, row)
    addScores(row, length, params, size, slots, number(out, i), rows)
  }
}

/** stats[w·slots + slot[i]] += weight[i]·x_t; the weight of the rows behind them. Rows without words add nothing. */
export function absorbOne(
  offsets: usize,
  words: usize,
  counts: usize,
  rows: i32,
  slot: usize,
  weight: usize,
  stats: usize,
  size: i32,
  slots: i32,
): void {
  const bytes = (<usize>slots) << 3
  for (let i = 0; i < rows; i++) {
    let word = words + ((<usize>whole(offsets, i)) << 2)
    const end = words + ((<usize>whole(offsets, i + 1)) << 2)
    const w = load<f64>(number(weight, i))
    if (word === end || w === 0) continue
    let x = number(counts, whole(offsets, i))
    const own = number(stats, whole(slot, i))
    for (; word < end; word += 4, x += 8) {
      const at = own + <usize>load<u32>(word) * bytes
      store<f64>(at, load<f64>(at) + w * load<f64>(x))
    }
    const mass = number(own, size)
    store<f64>(mass, load<f64>(mass) + w)
  }
}

/** stats[w·slots + p] += values[i·slots + p]·x_t, for every slot. */
export function absorbEach(
  offsets: usize,
  words: usize,
  counts: usize,
  rows: i32,
  values: usize,
  stats: usize,
  size: i32,
  slots: i32,
): void {
  for (let i = 0; i < rows; i++) {
    const from = whole(offsets, i)
    const end = whole(offsets, i + 1)
    if (from === end) continue
    const row = number(values, i * slots)
    for (let t = from; t < end; t++) {
      const x = v128.load_splat<f64>(number(counts, t))
      const at = number(stats, whole(words, t) * slots)
      let p = 0
      for (; p + 2 <= slots; p += 2) {
        const to = number(at, p)
        v128.store(to, f64x2.add(v128.load(to), f64x2.mul(v128.load(number(row, p)), x)))
      }
      if (p < slots) {
        const to = number(at, p)
        store<f64>(to, load<f64>(to) + load<f64>(number(row, p)) * f64x2.extract_lane(x, 0))
      }
    }
    for (let p = 0; p < slots; p++) {
      const mass = number(stats, size + p)
      store<f64>(mass, load<f64>(mass) + load<f64>(number(row, p)))
    }
  }
}

/** ln of whole numbers below this one, plus α, is in the table. */
const WHOLE: f64 = 1024
const SMALLEST_NORMAL: f64 = 2.2250738585072014e-308
/** 1.5 · 2^52: the low bits of a small whole number plus this are those of the number. */
const TO_INTEGER: f64 = 6755399441055744

/**
 * Replaces each count c by ln(c + α); totals[p] += c + α. Nearly all counts are small integers, whose logarithms are in the table. Returns false
 * if another c + α is 0, negative, subnormal or not finite.
 */
export function logWords(
  counts: usize,
  size: i32,
  slots: i32,
  alpha: f64,
  table: usize,
  totals: usize,
): bool {
  const end = number(counts, size)
  const last = number(totals, slots)
  const alphas = f64x2.splat(alpha)
  const toInteger = f64x2.splat(TO_INTEGER)
  const zeros = f64x2.splat(0)
  const most = f64x2.splat(WHOLE)
  for (let at = counts; at < end; ) {
    let total = totals
    for (; total + 16 <= last; total += 16, at += 16) {
      const count = v128.load(at)
      const sum = f64x2.add(count, alphas)
      v128.store(total, f64x2.add(v128.load(total), sum))
      const shifted = f64x2.add(count, toInteger)
      const isWhole = f64x2.eq(f64x2.sub(shifted, toInteger), count)
      const isSmall = v128.and(f64x2.ge(count, zeros), f64x2.lt(count, most))
      if (i64x2.all_true(v128.and(isWhole, isSmall))) {
        store<f64>(at, load<f64>(number(table, i32x4.extract_lane(shifted, 0))))
        store<f64>(at, load<f64>(number(table, i32x4.extract_lane(shifted, 2))), 8)
      } else if (inLogarithms(f64x2.extract_lane(sum, 0)) && inLogarithms(f64x2.extract_lane(sum, 1))) {
        v128.store(at, logNormal(sum))
      } else if (!logZeros(at, alpha, table) || !logZeros(at + 8, alpha, table)) return false
    }
    if (total < last) {
      store<f64>(total, load<f64>(total) + (load<f64>(at) + alpha))
      if (!logZeros(at, alpha, table)) return false
      at += 8
    }
  }
  return true
}

function inLogarithms(sum: f64): bool {
  return sum >= SMALLEST_NORMAL && sum < Infinity
}

/** One number, which may be 0. */
function logZeros(at: usize, alpha: f64, table: usize): bool {
  const count = load<f64>(at)
  const sum = count + alpha
  if (count === 0) store<f64>(at, load<f64>(table))
  else if (inLogarithms(sum)) store<f64>(at, f64x2.extract_lane(logNormal(f64x2.splat(sum)), 0))
  else return false
  return true
}
