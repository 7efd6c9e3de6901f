/** Documents explained by topics that move: the twin of scoreDocument in src/kernels/topic-rows.ts, the same steps and so the same bits. */
import { foldTopics } from "./topic-fold"
import { number, whole } from "./word-table"

/**
 * The scores of one document, which is not empty, in every slot, then g = α + n of each slot, `width` numbers: from `out` on. `memory`: where it is folded.
 * Returns false if a score must be computed elsewhere. `size`: the number of words there are.
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
): bool {
  const topics = own + shared
  const width = (topics + 1) & ~1
  const g = number(memory, width)
  const weighed = number(memory, 5 * width)
  const phi = number(weighed, (count + 1) & ~1)
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
      for (let j = 0; j < count; j++)
        gatherWord(whole(words, j), params, slots, own, shared, size, p, number(phi, j * width))
    }
    const score = foldTopics(memory, topics, width, count, length, steps, tolerance, leaps)
    if (score !== score) return false
    store<f64>(number(out, p), score)
    copy(number(out, slots + p * width), g, width)
  }
  return true
}

function copy(to: usize, from: usize, count: i32): void {
  for (let k = 0; k < count; k++) store<f64>(number(to, k), load<f64>(number(from, k)))
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
