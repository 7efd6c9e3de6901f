/** Expected counts of words in topics that move: twins of src/kernels/topic-counts.ts, the same steps and so the same bits. */
import { mixed } from "./topic-fold"
import { gatherWord } from "./topic-rows"
import { number, whole } from "./word-table"

/** W_wk += weight · x_j g_k φ_jk / s_j of one document in a slot. `phi`: scratch for the topics of a word. `size`: the number of words there are. */
export function deliverTopics(
  words: usize,
  x: usize,
  count: i32,
  slot: i32,
  weight: f64,
  params: usize,
  slots: i32,
  own: i32,
  shared: i32,
  size: i32,
  g: usize,
  phi: usize,
  counts: usize,
): void {
  const stride = slots * own
  for (let j = 0; j < count; j++) {
    const word = whole(words, j)
    const ratio = shareOf(
      word,
      load<f64>(number(x, j)),
      slot,
      weight,
      params,
      slots,
      own,
      shared,
      size,
      g,
      phi,
    )
    add(number(counts, word * stride + slot * own), ratio, g, phi, own)
    const sharedRow = number(counts, size * stride + word * shared)
    add(sharedRow, ratio, number(g, own), number(phi, own), shared)
  }
}

/** phi_jk ← weight · x_j g_k φ_jk / s_j of one document in a slot: what is to be added to counts that are elsewhere, `width` numbers for each word. */
export function shareTopics(
  words: usize,
  x: usize,
  count: i32,
  slot: i32,
  weight: f64,
  params: usize,
  slots: i32,
  own: i32,
  shared: i32,
  size: i32,
  g: usize,
  phi: usize,
): void {
  const bytes = (<usize>((own + shared + 1) & ~1)) << 3
  for (let j = 0; j < count; j++, phi += bytes) {
    const word = whole(words, j)
    const ratio = shareOf(
      word,
      load<f64>(number(x, j)),
      slot,
      weight,
      params,
      slots,
      own,
      shared,
      size,
      g,
      phi,
    )
    const both = f64x2.splat(ratio)
    for (let k: usize = 0; k < bytes; k += 16)
      v128.store(phi + k, f64x2.mul(both, f64x2.mul(v128.load(g + k), v128.load(phi + k))))
  }
}

/** phi_k ← φ of a word; returns weight · x / s. A word that no topic has belongs to them as the document does: φ = 1. */
function shareOf(
  word: i32,
  x: f64,
  slot: i32,
  weight: f64,
  params: usize,
  slots: i32,
  own: i32,
  shared: i32,
  size: i32,
  g: usize,
  phi: usize,
): f64 {
  const topics = own + shared
  const bytes = (<usize>((topics + 1) & ~1)) << 3
  gatherWord(word, params, slots, own, shared, size, slot, phi)
  let s = mixed(phi, g, bytes)
  if (!(s > 0)) {
    for (let k = 0; k < topics; k++) store<f64>(number(phi, k), 1)
    s = mixed(phi, g, bytes)
  }
  return (weight * x) / s
}

/** to_k += ratio · (g_k φ_k) */
function add(to: usize, ratio: f64, g: usize, phi: usize, count: i32): void {
  const both = f64x2.splat(ratio)
  const pairs = (<usize>(count & ~1)) << 3
  for (let k: usize = 0; k < pairs; k += 16) {
    const part = f64x2.mul(both, f64x2.mul(v128.load(g + k), v128.load(phi + k)))
    v128.store(to + k, f64x2.add(v128.load(to + k), part))
  }
  if (count & 1)
    store<f64>(to + pairs, load<f64>(to + pairs) + ratio * (load<f64>(g + pairs) * load<f64>(phi + pairs)))
}

/** U_wk ← max( U_wk + factor·D_wk, least ),  D ← 0,  totals_k += the change, for every word of one document. `size`: the number of words there are. */
export function moveTopics(
  words: usize,
  count: i32,
  stride: i32,
  shared: i32,
  size: i32,
  factor: f64,
  least: f64,
  params: usize,
  delta: usize,
  totals: usize,
): void {
  for (let j = 0; j < count; j++) {
    const word = whole(words, j)
    move(word * stride, stride, factor, least, params, delta, totals)
    move(size * stride + word * shared, shared, factor, least, params, delta, number(totals, stride))
  }
}

/** Has this word moved already? Most that have not show it by their first number. */
function isZero(from: usize, count: i32): bool {
  for (let k = 0; k < count; k++) if (load<f64>(number(from, k)) !== 0) return false
  return true
}

function move(
  at: i32,
  count: i32,
  factor: f64,
  least: f64,
  params: usize,
  delta: usize,
  totals: usize,
): void {
  const u = number(params, at)
  const d = number(delta, at)
  if (isZero(d, count)) return
  const factors = f64x2.splat(factor)
  const floor = f64x2.splat(least)
  const pairs = (<usize>(count & ~1)) << 3
  for (let k: usize = 0; k < pairs; k += 16) {
    const before = v128.load(u + k)
    const after = f64x2.max(f64x2.add(before, f64x2.mul(factors, v128.load(d + k))), floor)
    v128.store(totals + k, f64x2.add(v128.load(totals + k), f64x2.sub(after, before)))
    v128.store(u + k, after)
    v128.store(d + k, f64x2.splat(0))
  }
  if (count & 1) {
    const before = load<f64>(u + pairs)
    const after = max<f64>(before + factor * load<f64>(d + pairs), least)
    store<f64>(totals + pairs, load<f64>(totals + pairs) + (after - before))
    store<f64>(u + pairs, after)
    store<f64>(d + pairs, 0)
  }
}
