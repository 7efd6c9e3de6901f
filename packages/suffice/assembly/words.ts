/**
 * Bags of words against counts and parameters of words that live in this memory: twins of src/kernels/word-rows.ts, the same steps and so the
 * same bits. Two slots at a time; the slots of a word lie side by side.
 */
import { log } from "./exp-log"

function number(array: usize, i: i32): usize {
  return array + ((<usize>i) << 3)
}

function whole(array: usize, i: i32): i32 {
  return load<i32>(array + ((<usize>i) << 2))
}

/** out[i·slots + p] = Σ_t x_t θ_wp − A_p Σ_t x_t; eight slots at a time, then four, two and one, so that their sums stay in registers. */
export function scoreWords(
  offsets: usize,
  words: usize,
  weighed: usize,
  rows: i32,
  params: usize,
  size: i32,
  slots: i32,
  out: usize,
): void {
  for (let i = 0; i < rows; i++) {
    const from = whole(offsets, i)
    const end = whole(offsets, i + 1)
    const row = number(out, i * slots)
    let length: f64 = 0
    for (let t = from; t < end; t++) length += load<f64>(number(weighed, t))
    let p = 0
    for (; p + 8 <= slots; p += 8) {
      let a = f64x2.splat(0)
      let b = a
      let c = a
      let d = a
      for (let t = from; t < end; t++) {
        const x = f64x2.splat(load<f64>(number(weighed, t)))
        const theta = number(params, whole(words, t) * slots + p)
        a = f64x2.add(a, f64x2.mul(x, v128.load(theta)))
        b = f64x2.add(b, f64x2.mul(x, v128.load(theta, 16)))
        c = f64x2.add(c, f64x2.mul(x, v128.load(theta, 32)))
        d = f64x2.add(d, f64x2.mul(x, v128.load(theta, 48)))
      }
      v128.store(number(row, p), a)
      v128.store(number(row, p), b, 16)
      v128.store(number(row, p), c, 32)
      v128.store(number(row, p), d, 48)
    }
    for (; p + 4 <= slots; p += 4) {
      let a = f64x2.splat(0)
      let b = a
      for (let t = from; t < end; t++) {
        const x = f64x2.splat(load<f64>(number(weighed, t)))
        const theta = number(params, whole(words, t) * slots + p)
        a = f64x2.add(a, f64x2.mul(x, v128.load(theta)))
        b = f64x2.add(b, f64x2.mul(x, v128.load(theta, 16)))
      }
      v128.store(number(row, p), a)
      v128.store(number(row, p), b, 16)
    }
    if (p + 2 <= slots) {
      let a = f64x2.splat(0)
      for (let t = from; t < end; t++) {
        const theta = number(params, whole(words, t) * slots + p)
        a = f64x2.add(a, f64x2.mul(f64x2.splat(load<f64>(number(weighed, t))), v128.load(theta)))
      }
      v128.store(number(row, p), a)
      p += 2
    }
    if (p < slots) {
      let a: f64 = 0
      for (let t = from; t < end; t++) {
        a += load<f64>(number(weighed, t)) * load<f64>(number(params, whole(words, t) * slots + p))
      }
      store<f64>(number(row, p), a)
    }
    for (p = 0; p < slots; p++) {
      const score = load<f64>(number(row, p)) - length * load<f64>(number(params, size + p))
      store<f64>(number(row, p), score)
    }
  }
}

/** Row i moves the words of slot[i] alone, by g[i]. */
export function moveOne(
  offsets: usize,
  words: usize,
  weighed: usize,
  rows: i32,
  slot: usize,
  g: usize,
  counts: usize,
  params: usize,
  totals: usize,
  slots: i32,
  least: f64,
): void {
  for (let i = 0; i < rows; i++) {
    const step = load<f64>(number(g, i))
    if (step === 0) continue
    const p = whole(slot, i)
    const end = whole(offsets, i + 1)
    let grown: f64 = 0
    for (let t = whole(offsets, i); t < end; t++) {
      const at = whole(words, t) * slots + p
      const before = load<f64>(number(counts, at))
      const reached = before + step * load<f64>(number(weighed, t))
      const after = reached > least ? reached : least
      store<f64>(number(counts, at), after)
      grown += after - before
      store<f64>(number(params, at), movedOne(load<f64>(number(params, at)), before, after))
    }
    store<f64>(number(totals, p), load<f64>(number(totals, p)) + grown)
  }
}

/** Row i moves its words in every slot, by g[i·slots + p]. */
export function moveEach(
  offsets: usize,
  words: usize,
  weighed: usize,
  rows: i32,
  g: usize,
  counts: usize,
  params: usize,
  totals: usize,
  slots: i32,
  least: f64,
): void {
  const floor = f64x2.splat(least)
  for (let i = 0; i < rows; i++) {
    const end = whole(offsets, i + 1)
    const row = number(g, i * slots)
    let length: f64 = 0
    for (let t = whole(offsets, i); t < end; t++) {
      const x = load<f64>(number(weighed, t))
      const xx = f64x2.splat(x)
      const from = whole(words, t) * slots
      length += x
      let p = 0
      for (; p + 2 <= slots; p += 2) {
        const count = number(counts, from + p)
        const theta = number(params, from + p)
        const before = v128.load(count)
        let after = f64x2.add(before, f64x2.mul(v128.load(number(row, p)), xx))
        const low = f64x2.lt(after, floor)
        if (v128.any_true(low)) {
          const total = number(totals, p)
          v128.store(total, f64x2.add(v128.load(total), v128.and(low, f64x2.sub(floor, after))))
          after = v128.bitselect(floor, after, low)
        }
        v128.store(count, after)
        v128.store(theta, moved(v128.load(theta), before, after))
      }
      if (p < slots) {
        const count = number(counts, from + p)
        const theta = number(params, from + p)
        const before = load<f64>(count)
        let after = before + load<f64>(number(row, p)) * x
        if (after < least) {
          store<f64>(number(totals, p), load<f64>(number(totals, p)) + (least - after))
          after = least
        }
        store<f64>(count, after)
        store<f64>(theta, movedOne(load<f64>(theta), before, after))
      }
    }
    for (let p = 0; p < slots; p++) {
      const total = number(totals, p)
      store<f64>(total, load<f64>(total) + load<f64>(number(row, p)) * length)
    }
  }
}

/** W_wp ← max( W_wp + share_p·(mean_p − W_wp), least ) */
export function pullWords(counts: usize, size: i32, share: usize, mean: usize, slots: i32, least: f64): void {
  const floor = f64x2.splat(least)
  for (let from = 0; from < size; from += slots) {
    let p = 0
    for (; p + 2 <= slots; p += 2) {
      const at = number(counts, from + p)
      const count = v128.load(at)
      const gap = f64x2.sub(v128.load(number(mean, p)), count)
      const after = f64x2.add(count, f64x2.mul(v128.load(number(share, p)), gap))
      v128.store(at, v128.bitselect(after, floor, f64x2.gt(after, floor)))
    }
    if (p < slots) {
      const at = number(counts, from + p)
      const count = load<f64>(at)
      const after = count + load<f64>(number(share, p)) * (load<f64>(number(mean, p)) - count)
      store<f64>(at, after > least ? after : least)
    }
  }
}

/** θ = ln W of every word, totals = ΣW, A = ln ΣW; totals begin at 0. */
export function resolveWords(counts: usize, params: usize, size: i32, totals: usize, slots: i32): void {
  for (let from = 0; from < size; from += slots) {
    let p = 0
    for (; p + 2 <= slots; p += 2) {
      const count = v128.load(number(counts, from + p))
      const total = number(totals, p)
      v128.store(total, f64x2.add(v128.load(total), count))
      v128.store(number(params, from + p), log(count))
    }
    if (p < slots) {
      const count = load<f64>(number(counts, from + p))
      store<f64>(number(totals, p), load<f64>(number(totals, p)) + count)
      store<f64>(number(params, from + p), logOne(count))
    }
  }
  for (let p = 0; p < slots; p++) {
    store<f64>(number(params, size + p), logOne(load<f64>(number(totals, p))))
  }
}

/** Below this, five terms of the series err by less than 1e-14. */
const SMALL: f64 = 1.0 / 16

/** ln after, from ln before: ln(after/before) = 2(s + s³/3 + s⁵/5 + …), s = (after − before)/(after + before). */
function moved(theta: v128, before: v128, after: v128): v128 {
  const s = f64x2.div(f64x2.sub(after, before), f64x2.add(after, before))
  const q = f64x2.mul(s, s)
  let y = f64x2.add(f64x2.splat(2.0 / 7), f64x2.mul(q, f64x2.splat(2.0 / 9)))
  y = f64x2.add(f64x2.splat(2.0 / 5), f64x2.mul(q, y))
  y = f64x2.add(f64x2.splat(2.0 / 3), f64x2.mul(q, y))
  y = f64x2.add(f64x2.splat(2), f64x2.mul(q, y))
  const near = f64x2.add(theta, f64x2.mul(s, y))
  const far = f64x2.gt(f64x2.abs(s), f64x2.splat(SMALL))
  return v128.any_true(far) ? v128.bitselect(log(after), near, far) : near
}

function movedOne(theta: f64, before: f64, after: f64): f64 {
  const s = (after - before) / (after + before)
  if (s > SMALL || s < -SMALL) return logOne(after)
  const q = s * s
  return theta + s * (2 + q * (2.0 / 3 + q * (2.0 / 5 + q * (2.0 / 7 + q * (2.0 / 9)))))
}

function logOne(x: f64): f64 {
  return f64x2.extract_lane(log(f64x2.splat(x)), 0)
}
