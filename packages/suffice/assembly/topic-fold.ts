/**
 * The proportions of a document by topics, and its score: twins of src/kernels/topic-fold.ts, the same steps and so the same bits. The topics of a word are
 * contiguous, two to a register, and padded to an even number.
 */
import { logNormals } from "./exp-log"
import { number, whole } from "./word-table"

/** Where the φ of a document's words may stand, row by row, in the memory that it is folded in. */
export function phiOf(memory: usize, width: i32, count: i32): usize {
  return number(memory, 5 * width + ((count + 1) & ~1))
}

/** A number for each of its words. */
function logsOf(memory: usize, width: i32, count: i32): usize {
  return number(phiOf(memory, width, count), count * width)
}

/** For each of its words, the address of its φ. */
export function addressesOf(memory: usize, width: i32, count: i32): usize {
  return number(logsOf(memory, width, count), (count + 1) & ~1)
}

export function setAddress(addresses: usize, j: i32, row: usize): void {
  store<i32>(addresses + ((<usize>j) << 2), <i32>row)
}

/** As foldRows, of a document whose φ stand in its memory. */
export function foldTopics(
  memory: usize,
  topics: i32,
  width: i32,
  count: i32,
  length: f64,
  steps: i32,
  tolerance: f64,
  leaps: i32,
): f64 {
  const addresses = addressesOf(memory, width, count)
  const phi = phiOf(memory, width, count)
  for (let j = 0; j < count; j++) setAddress(addresses, j, number(phi, j * width))
  return foldRows(memory, topics, width, count, length, steps, tolerance, leaps)
}

/**
 * One document: α, g and scratch of three rows, `width` numbers each; then what its words weigh, room for their φ, a number more for each, and where their φ
 * stand. Returns its score; NaN: a logarithm is not that of a normal number.
 */
export function foldRows(
  memory: usize,
  topics: i32,
  width: i32,
  count: i32,
  length: f64,
  steps: i32,
  tolerance: f64,
  leaps: i32,
): f64 {
  const padding = number(memory, topics)
  // padding takes part in registers, and 0 · ∞ is none
  if (topics < width) for (let row = 2; row < 5; row++) store<f64>(number(padding, row * width), 0)
  climb(memory, topics, width, count, length, steps, tolerance, leaps)
  return scoreOf(memory, topics, width, count, length)
}

function climb(
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
  const rows = addressesOf(memory, width, count)
  const enough = tolerance * length
  let leapt = false
  let before: f64 = 0
  for (let step = 0; step < steps; step++) {
    const change = improve(rows, x, count, topics, width, alpha, g, sums, one)
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
    before = improve(rows, x, count, topics, width, alpha, one, sums, two)
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

/** to_k ← α_k + n_k of g; returns Σ_k |change|. Four words at a time, which read g and the sums together. */
function improve(
  rows: usize,
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
  let j = 0
  for (; j + 4 <= count; j += 4) addFour(rows + ((<usize>j) << 2), bytes, number(x, j), g, sums)
  for (; j < count; j++) {
    const row = <usize>whole(rows, j)
    const ratio = f64x2.splat(share(load<f64>(number(x, j)), mixed(row, g, bytes)))
    for (let k: usize = 0; k < bytes; k += 16)
      v128.store(sums + k, f64x2.add(v128.load(sums + k), f64x2.mul(ratio, v128.load(row + k))))
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

function share(x: f64, s: f64): f64 {
  return s > 0 ? x / s : 0
}

/** Σ_k g_k φ_k of one word. */
export function mixed(row: usize, g: usize, bytes: usize): f64 {
  let ab = f64x2.splat(0)
  let cd = f64x2.splat(0)
  let k: usize = 0
  for (; k + 32 <= bytes; k += 32) {
    ab = f64x2.add(ab, f64x2.mul(v128.load(g + k), v128.load(row + k)))
    cd = f64x2.add(cd, f64x2.mul(v128.load(g + k, 16), v128.load(row + k, 16)))
  }
  if (k < bytes) ab = f64x2.add(ab, f64x2.mul(v128.load(g + k), v128.load(row + k)))
  return sumOf(ab, cd)
}

function sumOf(ab: v128, cd: v128): f64 {
  const sum = f64x2.add(ab, cd)
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
}

/** sums_k += x_j φ_jk / s_j of four words, one after the other. */
function addFour(rows: usize, bytes: usize, x: usize, g: usize, sums: usize): void {
  const row = <usize>whole(rows, 0)
  const row1 = <usize>whole(rows, 1)
  const row2 = <usize>whole(rows, 2)
  const row3 = <usize>whole(rows, 3)
  let ab0 = f64x2.splat(0)
  let ab1 = f64x2.splat(0)
  let ab2 = f64x2.splat(0)
  let ab3 = f64x2.splat(0)
  let cd0 = f64x2.splat(0)
  let cd1 = f64x2.splat(0)
  let cd2 = f64x2.splat(0)
  let cd3 = f64x2.splat(0)
  let k: usize = 0
  for (; k + 64 <= bytes; k += 64) {
    const g0 = v128.load(g + k)
    ab0 = f64x2.add(ab0, f64x2.mul(g0, v128.load(row + k)))
    ab1 = f64x2.add(ab1, f64x2.mul(g0, v128.load(row1 + k)))
    ab2 = f64x2.add(ab2, f64x2.mul(g0, v128.load(row2 + k)))
    ab3 = f64x2.add(ab3, f64x2.mul(g0, v128.load(row3 + k)))
    const g16 = v128.load(g + k, 16)
    cd0 = f64x2.add(cd0, f64x2.mul(g16, v128.load(row + k, 16)))
    cd1 = f64x2.add(cd1, f64x2.mul(g16, v128.load(row1 + k, 16)))
    cd2 = f64x2.add(cd2, f64x2.mul(g16, v128.load(row2 + k, 16)))
    cd3 = f64x2.add(cd3, f64x2.mul(g16, v128.load(row3 + k, 16)))
    const g32 = v128.load(g + k, 32)
    ab0 = f64x2.add(ab0, f64x2.mul(g32, v128.load(row + k, 32)))
    ab1 = f64x2.add(ab1, f64x2.mul(g32, v128.load(row1 + k, 32)))
    ab2 = f64x2.add(ab2, f64x2.mul(g32, v128.load(row2 + k, 32)))
    ab3 = f64x2.add(ab3, f64x2.mul(g32, v128.load(row3 + k, 32)))
    const g48 = v128.load(g + k, 48)
    cd0 = f64x2.add(cd0, f64x2.mul(g48, v128.load(row + k, 48)))
    cd1 = f64x2.add(cd1, f64x2.mul(g48, v128.load(row1 + k, 48)))
    cd2 = f64x2.add(cd2, f64x2.mul(g48, v128.load(row2 + k, 48)))
    cd3 = f64x2.add(cd3, f64x2.mul(g48, v128.load(row3 + k, 48)))
  }
  if (k + 32 <= bytes) {
    const g0 = v128.load(g + k)
    ab0 = f64x2.add(ab0, f64x2.mul(g0, v128.load(row + k)))
    ab1 = f64x2.add(ab1, f64x2.mul(g0, v128.load(row1 + k)))
    ab2 = f64x2.add(ab2, f64x2.mul(g0, v128.load(row2 + k)))
    ab3 = f64x2.add(ab3, f64x2.mul(g0, v128.load(row3 + k)))
    const g16 = v128.load(g + k, 16)
    cd0 = f64x2.add(cd0, f64x2.mul(g16, v128.load(row + k, 16)))
    cd1 = f64x2.add(cd1, f64x2.mul(g16, v128.load(row1 + k, 16)))
    cd2 = f64x2.add(cd2, f64x2.mul(g16, v128.load(row2 + k, 16)))
    cd3 = f64x2.add(cd3, f64x2.mul(g16, v128.load(row3 + k, 16)))
    k += 32
  }
  if (k < bytes) {
    const g0 = v128.load(g + k)
    ab0 = f64x2.add(ab0, f64x2.mul(g0, v128.load(row + k)))
    ab1 = f64x2.add(ab1, f64x2.mul(g0, v128.load(row1 + k)))
    ab2 = f64x2.add(ab2, f64x2.mul(g0, v128.load(row2 + k)))
    ab3 = f64x2.add(ab3, f64x2.mul(g0, v128.load(row3 + k)))
  }
  const ratio0 = f64x2.splat(share(load<f64>(x), sumOf(ab0, cd0)))
  const ratio1 = f64x2.splat(share(load<f64>(x, 8), sumOf(ab1, cd1)))
  const ratio2 = f64x2.splat(share(load<f64>(x, 16), sumOf(ab2, cd2)))
  const ratio3 = f64x2.splat(share(load<f64>(x, 24), sumOf(ab3, cd3)))
  for (k = 0; k + 64 <= bytes; k += 64) {
    let sum0 = f64x2.add(v128.load(sums + k), f64x2.mul(ratio0, v128.load(row + k)))
    sum0 = f64x2.add(sum0, f64x2.mul(ratio1, v128.load(row1 + k)))
    sum0 = f64x2.add(sum0, f64x2.mul(ratio2, v128.load(row2 + k)))
    v128.store(sums + k, f64x2.add(sum0, f64x2.mul(ratio3, v128.load(row3 + k))))
    let sum16 = f64x2.add(v128.load(sums + k, 16), f64x2.mul(ratio0, v128.load(row + k, 16)))
    sum16 = f64x2.add(sum16, f64x2.mul(ratio1, v128.load(row1 + k, 16)))
    sum16 = f64x2.add(sum16, f64x2.mul(ratio2, v128.load(row2 + k, 16)))
    v128.store(sums + k, f64x2.add(sum16, f64x2.mul(ratio3, v128.load(row3 + k, 16))), 16)
    let sum32 = f64x2.add(v128.load(sums + k, 32), f64x2.mul(ratio0, v128.load(row + k, 32)))
    sum32 = f64x2.add(sum32, f64x2.mul(ratio1, v128.load(row1 + k, 32)))
    sum32 = f64x2.add(sum32, f64x2.mul(ratio2, v128.load(row2 + k, 32)))
    v128.store(sums + k, f64x2.add(sum32, f64x2.mul(ratio3, v128.load(row3 + k, 32))), 32)
    let sum48 = f64x2.add(v128.load(sums + k, 48), f64x2.mul(ratio0, v128.load(row + k, 48)))
    sum48 = f64x2.add(sum48, f64x2.mul(ratio1, v128.load(row1 + k, 48)))
    sum48 = f64x2.add(sum48, f64x2.mul(ratio2, v128.load(row2 + k, 48)))
    v128.store(sums + k, f64x2.add(sum48, f64x2.mul(ratio3, v128.load(row3 + k, 48))), 48)
  }
  for (; k < bytes; k += 16) {
    let sum0 = f64x2.add(v128.load(sums + k), f64x2.mul(ratio0, v128.load(row + k)))
    sum0 = f64x2.add(sum0, f64x2.mul(ratio1, v128.load(row1 + k)))
    sum0 = f64x2.add(sum0, f64x2.mul(ratio2, v128.load(row2 + k)))
    v128.store(sums + k, f64x2.add(sum0, f64x2.mul(ratio3, v128.load(row3 + k))))
  }
}

/** The smallest normal number. */
const NORMAL: f64 = 2.2250738585072014e-308

/** Are these numbers normal and finite? */
function areNormal(from: usize, count: i32): bool {
  for (let j = 0; j < count; j++) {
    const value = load<f64>(number(from, j))
    if (!(value >= NORMAL && value < Infinity)) return false
  }
  return true
}

/** Σ_j x_j ln(s_j / (N + α₀)) + Σ_k α_k ln(θ_k / m_k) */
function scoreOf(memory: usize, topics: i32, width: i32, count: i32, length: f64): f64 {
  const g = number(memory, width)
  const x = number(memory, 5 * width)
  const rows = addressesOf(memory, width, count)
  const logs = logsOf(memory, width, count)
  const ratios = number(memory, 2 * width)
  const bytes = (<usize>width) << 3
  let total: f64 = 0
  for (let k = 0; k < topics; k++) total += load<f64>(number(memory, k))
  const mass = length + total
  for (let j = 0; j < count; j++) store<f64>(number(logs, j), mixed(<usize>whole(rows, j), g, bytes) / mass)
  for (let k = 0; k < topics; k++) {
    const ratio = ((load<f64>(number(g, k)) / mass) * total) / load<f64>(number(memory, k))
    store<f64>(number(ratios, k), ratio)
  }
  if (!areNormal(logs, count) || !areNormal(ratios, topics)) return NaN
  logNormals(logs, logs, (<usize>count) << 3)
  logNormals(ratios, ratios, (<usize>topics) << 3)
  let score: f64 = 0
  for (let j = 0; j < count; j++) score += load<f64>(number(x, j)) * load<f64>(number(logs, j))
  for (let k = 0; k < topics; k++) score += load<f64>(number(memory, k)) * load<f64>(number(ratios, k))
  return score
}
