/** Documents explained by topics that move: the twin of scoreDocument in src/kernels/topic-rows.ts, the same steps and so the same bits. */
import { addressesOf, foldRows, phiOf, setAddress } from "./topic-fold"
import { number, whole } from "./word-table"

/**
 * The scores of one document, which is not empty, in every slot, then g = α + n of each slot, `width` numbers: from `out` on. `memory`: where it is folded.
 * Returns false if a score must be computed elsewhere. `size`: the number of words there are. `batch`: where rows stay for other documents, or 0; see numberOf.
 */
export function scoreTopics(
  words: usize,
  x: usize,
  count: i32,
  params: usize,
  slots: i32,
  own: i32,
  shared: i32,
  size: i32,
  steps: i32,
  tolerance: f64,
  leaps: i32,
  memory: usize,
  out: usize,
  batch: usize,
  most: i32,
): bool {
  const topics = own + shared
  const width = (topics + 1) & ~1
  const g = number(memory, width)
  const weighed = number(memory, 5 * width)
  const phi = phiOf(memory, width, count)
  const rows = addressesOf(memory, width, count)
  const alphas = number(params, size * (slots * own + shared) + 1 + slots * own + shared)
  let length: f64 = 0
  for (let j = 0; j < count; j++) {
    const weight = load<f64>(number(x, j))
    store<f64>(number(weighed, j), weight)
    length += weight
  }
  const each = length / <f64>topics
  for (let p = 0; p < slots; p++) {
    const alpha = number(alphas, p * topics)
    for (let k = 0; k < width; k++) {
      const own = k < topics ? load<f64>(number(alpha, k)) : 0
      store<f64>(number(memory, k), own)
      store<f64>(number(g, k), k < topics ? own + each : 0)
    }
    // topics that are all shared are the same in every slot
    if (p === 0 || own > 0) {
      for (let j = 0; j < count; j++) {
        const word = whole(words, j)
        const row = number(phi, j * width)
        if (batch !== 0) {
          setAddress(rows, j, gatheredOf(word, params, slots, own, shared, size, batch, most, row))
        } else {
          gatherWord(word, params, slots, own, shared, size, p, row)
          setAddress(rows, j, row)
        }
      }
    }
    const score = foldRows(memory, topics, width, count, length, steps, tolerance, leaps)
    if (score !== score) return false
    store<f64>(number(out, p), score)
    copy(number(out, slots + p * width), g, width)
  }
  return true
}

function copy(to: usize, from: usize, count: i32): void {
  for (let k = 0; k < count; k++) store<f64>(number(to, k), load<f64>(number(from, k)))
}

/**
 * The number of a word in its batch, from 0: words are counted as they are met. So what a batch reads again and again lies together, and not all over the vocabulary.
 * `batch`: how many were met; then, for every word, its number plus one, or 0; then the words met; then φ of the first `most` of them.
 */
export function numberOf(word: i32, batch: usize, size: i32): i32 {
  const at = batch + 8 + ((<usize>word) << 2)
  const number = load<i32>(at)
  if (number > 0) return number - 1
  const met = load<i32>(batch)
  store<i32>(batch, met + 1)
  store<i32>(at, met + 1)
  store<i32>(batch + 8 + ((<usize>(size + met)) << 2), word)
  return met
}

/** The number of a word that moves now; negative if it has none, or has moved. */
export function takeNumber(word: i32, batch: usize): i32 {
  const at = batch + 8 + ((<usize>word) << 2)
  const number = load<i32>(at)
  if (number > 0) store<i32>(at, -1)
  return number - 1
}

/** The batch has moved: no word has been met. */
export function endBatch(batch: usize, size: i32): void {
  const met = load<i32>(batch)
  for (let i = 0; i < met; i++) {
    const word = whole(batch + 8, size + i)
    store<i32>(batch + 8 + ((<usize>word) << 2), 0)
  }
  store<i32>(batch, 0)
}

/** The address of the φ of a word whose topics are the same in every slot: gathered once per batch or, where `most` have been, into `row`. */
export function gatheredOf(
  word: i32,
  params: usize,
  slots: i32,
  own: i32,
  shared: i32,
  size: i32,
  batch: usize,
  most: i32,
  row: usize,
): usize {
  const width = (own + shared + 1) & ~1
  const met = load<i32>(batch)
  const place = numberOf(word, batch, size)
  const kept = number(batch + 8 + ((<usize>size) << 3), place * width)
  const to = place < most ? kept : row
  if (place >= most || place === met) gatherWord(word, params, slots, own, shared, size, 0, to)
  return to
}

/** phi_k ← (U_wk + e) · inverse_k of one word in the topics of a slot, padded with zeros. */
export function gatherWord(
  word: i32,
  params: usize,
  slots: i32,
  own: i32,
  shared: i32,
  size: i32,
  slot: i32,
  phi: usize,
): void {
  const stride = slots * own
  const e = number(params, size * (stride + shared))
  const inverse = e + 8
  scaled(number(params, word * stride + slot * own), number(inverse, slot * own), own, load<f64>(e), phi)
  const sharedRow = number(params, size * stride + word * shared)
  scaled(sharedRow, number(inverse, stride), shared, load<f64>(e), number(phi, own))
  if ((own + shared) & 1) store<f64>(number(phi, own + shared), 0)
}

/** to_k ← (from_k + e) · by_k */
function scaled(from: usize, by: usize, count: i32, e: f64, to: usize): void {
  const both = f64x2.splat(e)
  const pairs = (<usize>(count & ~1)) << 3
  for (let k: usize = 0; k < pairs; k += 16)
    v128.store(to + k, f64x2.mul(f64x2.add(v128.load(from + k), both), v128.load(by + k)))
  if (count & 1) store<f64>(to + pairs, (load<f64>(from + pairs) + e) * load<f64>(by + pairs))
}
