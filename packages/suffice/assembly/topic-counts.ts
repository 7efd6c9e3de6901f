/** Expected counts of words in topics that move: twins of src/kernels/topic-counts.ts, the same steps and so the same bits. */
import { mixed } from "./topic-fold"
import { gatheredOf, gatherWord, numberOf, takeNumber } from "./topic-rows"
import { fetch, number, whole } from "./word-table"

/**
 * W_wk += weight · x_j g_k φ_jk / s_j of one document in a slot. `phi`: scratch for the topics of a word. `size`: the number of words there are. `batch`: where rows
 * stay for other documents, or 0; counts are then in the order of its words (see numberOf).
 */
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
  batch: usize,
  most: i32,
): void {
  const stride = slots * own
  const topics = own + shared
  const bytes = bytesOf(topics)
  for (let j = 0; j < count; j++) {
    const word = whole(words, j)
    let place = word
    let row = phi
    if (batch !== 0) {
      row = gatheredOf(word, params, slots, own, shared, size, batch, most, phi)
      place = numberOf(word, batch, size)
    } else gatherWord(word, params, slots, own, shared, size, slot, phi)
    let s = mixed(row, g, bytes)
    if (!(s > 0)) {
      row = phi
      s = alike(row, topics, g, bytes)
    }
    const ratio = (weight * load<f64>(number(x, j))) / s
    add(number(counts, place * stride + slot * own), ratio, g, row, own)
    const sharedRow = number(counts, size * stride + place * shared)
    add(sharedRow, ratio, number(g, own), number(row, own), shared)
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
  const topics = own + shared
  const bytes = bytesOf(topics)
  for (let j = 0; j < count; j++, phi += bytes) {
    gatherWord(whole(words, j), params, slots, own, shared, size, slot, phi)
    let s = mixed(phi, g, bytes)
    if (!(s > 0)) s = alike(phi, topics, g, bytes)
    const both = f64x2.splat((weight * load<f64>(number(x, j))) / s)
    for (let k: usize = 0; k < bytes; k += 16)
      v128.store(phi + k, f64x2.mul(both, f64x2.mul(v128.load(g + k), v128.load(phi + k))))
  }
}

/** Of the topics of a word, padded. */
function bytesOf(topics: i32): usize {
  return (<usize>((topics + 1) & ~1)) << 3
}

/** A word that no topic has belongs to them as the document does: φ ← 1; returns its s. */
function alike(phi: usize, topics: i32, g: usize, bytes: usize): f64 {
  for (let k = 0; k < topics; k++) store<f64>(number(phi, k), 1)
  if (topics & 1) store<f64>(number(phi, topics), 0)
  return mixed(phi, g, bytes)
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

/**
 * U_wk ← max( U_wk + factor·D_wk, least ),  D ← 0,  totals_k += the change, for every word of one document. `size`: the number of words there are. `batch`: D is in
 * the order of its words (see numberOf), or 0.
 */
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
  batch: usize,
): void {
  if (batch !== 0) {
    if (stride > 0) fetch(params, words, count, stride, stride)
    else fetch(number(params, size * stride), words, count, shared, shared)
  }
  for (let j = 0; j < count; j++) {
    const word = whole(words, j)
    let place = word
    if (batch !== 0) {
      place = takeNumber(word, batch)
      if (place < 0) continue
    }
    const d = number(delta, place * stride)
    const dShared = number(delta, size * stride + place * shared)
    if (batch !== 0 || !isZero(d, stride))
      move(number(params, word * stride), d, stride, factor, least, totals)
    if (batch !== 0 || !isZero(dShared, shared)) {
      const u = number(params, size * stride + word * shared)
      move(u, dShared, shared, factor, least, number(totals, stride))
    }
  }
}

/** Has this word moved already? Most that have not show it by their first number. */
function isZero(from: usize, count: i32): bool {
  for (let k = 0; k < count; k++) if (load<f64>(number(from, k)) !== 0) return false
  return true
}

function move(u: usize, d: usize, count: i32, factor: f64, least: f64, totals: usize): void {
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
