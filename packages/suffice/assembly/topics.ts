/**
 * The proportions of a document by topics: twin of `foldTopics` in src/kernels/topic-rows.ts, the same steps and so the same bits. The topics of a word are
 * contiguous, two to a register, and padded to an even number.
 */
import { number } from "./word-table"

/** One document: α, g and scratch of three rows, `width` numbers each; then what its words weigh, and their φ, row by row. */
export function foldTopics(
  memory: usize,
  topics: i32,
  width: i32,
  count: i32,
  length: f64,
  steps: i32,
  tolerance: f64,
  leaps: i32,
): void {
  const alpha = memory
  const g = number(memory, width)
  const sums = number(memory, 2 * width)
  const one = number(memory, 3 * width)
  const two = number(memory, 4 * width)
  const x = number(memory, 5 * width)
  const phi = number(x, (count + 1) & ~1)
  const enough = tolerance * length
  let leapt = false
  let before: f64 = 0
  for (let step = 0; step < steps; step++) {
    const change = improve(phi, x, count, topics, width, alpha, g, sums, one)
    if (change < enough || !leaps) {
      copy(one, g, topics)
      if (change < enough) return
      continue
    }
    if (leapt && change > before) {
      copy(two, g, topics)
      leapt = false
      continue
    }
    step++
    before = improve(phi, x, count, topics, width, alpha, one, sums, two)
    if (before < enough || step >= steps) {
      copy(two, g, topics)
      return
    }
    let rr: f64 = 0
    let vv: f64 = 0
    for (let k = 0; k < topics; k++) {
      const r = load<f64>(number(one, k)) - load<f64>(number(g, k))
      const v = load<f64>(number(two, k)) - load<f64>(number(one, k)) - r
      rr += r * r
      vv += v * v
    }
    const a = vv < rr ? sqrt<f64>(rr / vv) : 1
    for (let k = 0; k < topics; k++) {
      const r = load<f64>(number(one, k)) - load<f64>(number(g, k))
      const v = load<f64>(number(two, k)) - load<f64>(number(one, k)) - r
      const leap = load<f64>(number(g, k)) + 2 * a * r + a * a * v
      const least = load<f64>(number(alpha, k))
      store<f64>(number(g, k), leap > least ? leap : least)
    }
    leapt = true
  }
  if (leapt) copy(two, g, topics)
}

function copy(from: usize, to: usize, count: i32): void {
  for (let k = 0; k < count; k++) store<f64>(number(to, k), load<f64>(number(from, k)))
}

/** to_k ← α_k + n_k of g; returns Σ_k |change|. */
function improve(
  phi: usize,
  x: usize,
  count: i32,
  topics: i32,
  width: i32,
  alpha: usize,
  g: usize,
  sums: usize,
  to: usize,
): f64 {
  const bytes = (<usize>width) << 3
  for (let k: usize = 0; k < bytes; k += 16) v128.store(sums + k, f64x2.splat(0))
  let row = phi
  for (let j = 0; j < count; j++, row += bytes) {
    let ab = f64x2.splat(0)
    let cd = f64x2.splat(0)
    let k: usize = 0
    for (; k + 32 <= bytes; k += 32) {
      ab = f64x2.add(ab, f64x2.mul(v128.load(g + k), v128.load(row + k)))
      cd = f64x2.add(cd, f64x2.mul(v128.load(g + k + 16), v128.load(row + k + 16)))
    }
    if (k < bytes) ab = f64x2.add(ab, f64x2.mul(v128.load(g + k), v128.load(row + k)))
    ab = f64x2.add(ab, cd)
    const s = f64x2.extract_lane(ab, 0) + f64x2.extract_lane(ab, 1)
    const ratio = f64x2.splat(s > 0 ? load<f64>(number(x, j)) / s : 0)
    for (k = 0; k + 32 <= bytes; k += 32) {
      v128.store(sums + k, f64x2.add(v128.load(sums + k), f64x2.mul(ratio, v128.load(row + k))))
      v128.store(
        sums + k + 16,
        f64x2.add(v128.load(sums + k + 16), f64x2.mul(ratio, v128.load(row + k + 16))),
      )
    }
    if (k < bytes) v128.store(sums + k, f64x2.add(v128.load(sums + k), f64x2.mul(ratio, v128.load(row + k))))
  }
  let change: f64 = 0
  for (let k = 0; k < topics; k++) {
    const before = load<f64>(number(g, k))
    const after = load<f64>(number(alpha, k)) + before * load<f64>(number(sums, k))
    change += abs<f64>(after - before)
    store<f64>(number(to, k), after)
  }
  return change
}
