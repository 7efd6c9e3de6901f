/**
 * Counts and parameters of words that move, W and ln W: twins of moveOne, moveEach and settleWords in src/kernels/word-rows.ts, the same
 * steps and so the same bits. Two slots at a time; the slots of a word lie side by side.
 */
import { logNormal, logNormals } from "./exp-log"
import { countOf, fetch, LINE, number, weighedOf, whole, wordsOf } from "./word-table"

/** Row i moves the words of slot[i] alone, by g[i]. */
export function moveOne(
  table: usize,
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
    const words = wordsOf(table, i)
    const weighed = weighedOf(table, i)
    const count = countOf(table, i)
    fetch(number(counts, p), words, count, slots, 1)
    let grown: f64 = 0
    for (let t = 0; t < count; t++) {
      // as in moveEach: what needs a call leaves the inner loop
      let far: usize = 0
      let reached: f64 = 0
      for (; t < count; t++) {
        const at = (<usize>(whole(words, t) * slots + p)) << 3
        const before = load<f64>(counts + at)
        const moved = before + step * load<f64>(number(weighed, t))
        reached = moved > least ? moved : least
        store<f64>(counts + at, reached)
        grown += reached - before
        const s = (reached - before) / (reached + before)
        const q = s * s
        if (q > 1.0 / 1024) {
          far = params + at
          break
        }
        const theta = load<f64>(params + at)
        store<f64>(params + at, theta + s * (2 + q * (2.0 / 3 + q * (2.0 / 5 + q * (2.0 / 7)))))
      }
      if (far) store<f64>(far, logOne(reached))
    }
    store<f64>(number(totals, p), load<f64>(number(totals, p)) + grown)
  }
}

/** Row i moves its words in every slot, by g[i·slots + p]. Two slots at a time, then one. */
export function moveEach(
  table: usize,
  rows: i32,
  g: usize,
  counts: usize,
  params: usize,
  totals: usize,
  slots: i32,
  least: f64,
): void {
  const floor = f64x2.splat(least)
  if (slots === 2) {
    movePairs(table, rows, g, counts, params, totals, floor)
    return
  }
  const pairs = (<usize>(slots & ~1)) << 3
  const limit = constant(FAR)
  const one = constant(ONE)
  const three = constant(THREE)
  const five = constant(FIVE)
  const seven = constant(SEVEN)
  for (let i = 0; i < rows; i++) {
    const words = wordsOf(table, i)
    const weighed = weighedOf(table, i)
    const size = countOf(table, i)
    const row = number(g, i * slots)
    if (slots > LINE) fetch(counts, words, size, slots, slots)
    let length: f64 = 0
    for (let t = 0; t < size; t++) {
      const x = load<f64>(number(weighed, t))
      const xx = f64x2.splat(x)
      const from = whole(words, t) * slots
      const count = number(counts, from)
      const theta = number(params, from)
      length += x
      let p: usize = 0
      while (p < pairs) {
        // A call in this loop would keep its numbers out of registers: what needs one leaves it, and it begins again.
        for (; p < pairs; p += 16) {
          const before = v128.load(count + p)
          const after = f64x2.add(before, f64x2.mul(v128.load(row + p), xx))
          const s = f64x2.div(f64x2.sub(after, before), f64x2.add(after, before))
          const q = f64x2.mul(s, s)
          if (v128.any_true(v128.or(f64x2.lt(after, floor), f64x2.gt(q, limit)))) break
          v128.store(count + p, after)
          v128.store(theta + p, f64x2.add(v128.load(theta + p), series(s, q, one, three, five, seven)))
        }
        if (p < pairs) {
          moveFar(row + p, xx, count + p, theta + p, totals + p, floor, false)
          p += 16
        }
      }
      if (slots & 1) moveFar(row + p, xx, count + p, theta + p, totals + p, floor, true)
    }
    for (let p = 0; p < slots; p++) {
      const total = number(totals, p)
      store<f64>(total, load<f64>(total) + load<f64>(number(row, p)) * length)
    }
  }
}

/** The same of two slots and nothing else: their weights stay in a register, and no loop goes over slots. */
function movePairs(
  table: usize,
  rows: i32,
  g: usize,
  counts: usize,
  params: usize,
  totals: usize,
  floor: v128,
): void {
  const limit = constant(FAR)
  const one = constant(ONE)
  const three = constant(THREE)
  const five = constant(FIVE)
  const seven = constant(SEVEN)
  for (let i = 0; i < rows; i++) {
    let word = wordsOf(table, i)
    let weight = weighedOf(table, i)
    const end = word + ((<usize>countOf(table, i)) << 2)
    const step = v128.load(g + ((<usize>i) << 4))
    let length = f64x2.splat(0)
    while (word < end) {
      for (; word < end; word += 4, weight += 8) {
        const x = v128.load_splat<f64>(weight)
        const at = (<usize>load<i32>(word)) << 4
        const before = v128.load(counts + at)
        const after = f64x2.add(before, f64x2.mul(step, x))
        const s = f64x2.div(f64x2.sub(after, before), f64x2.add(after, before))
        const q = f64x2.mul(s, s)
        if (v128.any_true(v128.or(f64x2.lt(after, floor), f64x2.gt(q, limit)))) break
        length = f64x2.add(length, x)
        v128.store(counts + at, after)
        v128.store(params + at, f64x2.add(v128.load(params + at), series(s, q, one, three, five, seven)))
      }
      if (word < end) {
        const x = v128.load_splat<f64>(weight)
        const at = (<usize>load<i32>(word)) << 4
        moveFar(g + ((<usize>i) << 4), x, counts + at, params + at, totals, floor, false)
        length = f64x2.add(length, x)
        word += 4
        weight += 8
      }
    }
    v128.store(totals, f64x2.add(v128.load(totals), f64x2.mul(step, length)))
  }
}

/** Two slots of a word, or one alone, whatever happens to them. */
function moveFar(
  row: usize,
  x: v128,
  count: usize,
  theta: usize,
  total: usize,
  floor: v128,
  alone: bool,
): void {
  const before = v128.load(count)
  let after = f64x2.add(before, f64x2.mul(v128.load(row), x))
  const low = f64x2.lt(after, floor)
  if (v128.any_true(low)) {
    put(total, f64x2.add(v128.load(total), v128.and(low, f64x2.sub(floor, after))), alone)
    after = v128.bitselect(floor, after, low)
  }
  put(count, after, alone)
  const s = f64x2.div(f64x2.sub(after, before), f64x2.add(after, before))
  const q = f64x2.mul(s, s)
  const terms = series(s, q, constant(ONE), constant(THREE), constant(FIVE), constant(SEVEN))
  const near = f64x2.add(v128.load(theta), terms)
  const far = f64x2.gt(q, constant(FAR))
  put(theta, v128.any_true(far) ? v128.bitselect(logNormal(after), near, far) : near, alone)
}

/** Both numbers, or the first alone. */
function put(at: usize, numbers: v128, alone: bool): void {
  if (alone) v128.store64_lane(at, numbers, 0)
  else v128.store(at, numbers)
}

/**
 * W_wp ← max( W_wp + share_p·(mean_p − W_wp), least ), then θ = ln W of every word, totals = ΣW, A = ln ΣW; totals begin at 0, and the
 * counts lie above 0, none of them too small to be normal.
 */
export function settleWords(
  counts: usize,
  params: usize,
  size: i32,
  totals: usize,
  slots: i32,
  least: f64,
  share: usize,
  mean: usize,
): void {
  const floor = f64x2.splat(least)
  const pairs = (<usize>(slots & ~1)) << 3
  for (let at = 0; at < size; at += slots) {
    const count = number(counts, at)
    for (let p: usize = 0; p < pairs; p += 16) {
      const before = v128.load(count + p)
      const gap = f64x2.sub(v128.load(mean + p), before)
      const pulled = f64x2.add(before, f64x2.mul(v128.load(share + p), gap))
      const after = v128.bitselect(pulled, floor, f64x2.gt(pulled, floor))
      v128.store(count + p, after)
      v128.store(totals + p, f64x2.add(v128.load(totals + p), after))
    }
    if (slots & 1) {
      const before = load<f64>(count + pairs)
      const pulled = before + load<f64>(share + pairs) * (load<f64>(mean + pairs) - before)
      const after = pulled > least ? pulled : least
      store<f64>(count + pairs, after)
      store<f64>(totals + pairs, load<f64>(totals + pairs) + after)
    }
  }
  logNormals(counts, params, (<usize>size) << 3)
  logNormals(totals, number(params, size), (<usize>slots) << 3)
}

const CONSTANTS = memory.data<f64>([
  1.0 / 1024, // s² above which the series is not used: four terms err by less than 1e-14 below it
  2.0,
  2.0 / 3,
  2.0 / 5,
  2.0 / 7,
])
const FAR: usize = 0
const ONE: usize = 8
const THREE: usize = 16
const FIVE: usize = 24
const SEVEN: usize = 32

/** Read from memory, as in exp-log.ts, and before a loop. */
function constant(place: usize): v128 {
  return v128.load_splat<f64>(CONSTANTS + place)
}

/** ln(after/before) = 2(s + s³/3 + s⁵/5 + s⁷/7), s = (after − before)/(after + before), q = s²; by the factors of s, s³, … */
function series(s: v128, q: v128, one: v128, three: v128, five: v128, seven: v128): v128 {
  let y = f64x2.add(five, f64x2.mul(q, seven))
  y = f64x2.add(three, f64x2.mul(q, y))
  y = f64x2.add(one, f64x2.mul(q, y))
  return f64x2.mul(s, y)
}

function logOne(x: f64): f64 {
  return f64x2.extract_lane(logNormal(f64x2.splat(x)), 0)
}
