/**
 * The proportions θ of one document, found by a concave climb in a memory of its own (`documentOf`).
 *
 *     fold      s_j = Σ_k g_k φ_jk        n_k = Σ_j x_j g_k φ_jk / s_j        g_k ← α_k + n_k        θ = g / (N + α₀)
 *     score     Σ_j x_j ln(s_j / (N + α₀))  +  Σ_k α_k ln(θ_k / m_k)          m = α / α₀,  N = Σ_j x_j
 *
 * j: the words of the document, x: what they weigh, φ_jk: the probability of word j in topic k. A step never lowers the score, which has one maximum in θ.
 *
 * Sums over topics are four apart, k mod 4, as two registers hold them. Twins: assembly/topic-fold.ts.
 */
import { log } from "./log.ts"
import { documentOf } from "./topic-shape.ts"

/** How far to climb: until Σ|Δn| < tolerance·N, but at most so many steps; with leaps, where two steps tell where they lead. */
export interface Climb {
  readonly steps: number
  readonly tolerance: number
  readonly leaps: boolean
}

/** What folds documents: these twins, or others in a memory of their own. */
export interface DocumentKernels {
  /** Scratch for one document: at least so many numbers, of any value; undefined if there is no place for so many. */
  documentMemory(length: number): Float64Array | undefined
  /** Climbs, and returns the score; NaN if it must be computed by `scoreFolded`. */
  foldTopics(
    memory: Float64Array,
    topics: number,
    width: number,
    count: number,
    length: number,
    climb: Climb,
  ): number
}

let scratch = /* @__PURE__ */ new Float64Array(0)

function documentMemory(length: number): Float64Array {
  if (scratch.length < length) scratch = new Float64Array(2 * length)
  return scratch
}

export const PLAIN = {
  documentMemory,
  foldTopics(...document) {
    climbTopics(...document)
    return NaN
  },
} satisfies DocumentKernels

/**
 * g_k ← α_k + n_k, step by step, of the document in this memory. Steps shrink by a nearly constant factor, so two of them tell where they lead; with `leaps`,
 * that is where the third goes (SQUAREM; Varadhan & Roland 2008): g ← g + 2a·r + a²·v, with r the first step, v the second minus the first, a = |r|/|v|, but
 * not below α. A leap after which steps are longer than before is taken back. On documents of ap (50 topics) a tolerance of 1e-6 takes 23 steps with leaps,
 * and 72 without.
 */
function climbTopics(
  memory: Float64Array,
  topics: number,
  width: number,
  count: number,
  length: number,
  { steps, tolerance, leaps }: Climb,
): void {
  const g = width
  const one = 3 * width
  const two = 4 * width
  const enough = tolerance * length
  let leapt = false
  let before = 0
  for (let step = 0; step < steps; step++) {
    const change = improve(memory, topics, width, count, g, one)
    if (change < enough || !leaps) {
      memory.copyWithin(g, one, one + topics)
      if (change < enough) return
      continue
    }
    if (leapt && change > before) {
      memory.copyWithin(g, two, two + topics)
      leapt = false
      continue
    }
    step++
    before = improve(memory, topics, width, count, one, two)
    if (before < enough || step >= steps) {
      memory.copyWithin(g, two, two + topics)
      return
    }
    let rr = 0
    let vv = 0
    for (let k = 0; k < topics; k++) {
      const r = memory[one + k] - memory[g + k]
      const v = memory[two + k] - memory[one + k] - r
      rr += r * r
      vv += v * v
    }
    const a = vv < rr ? Math.sqrt(rr / vv) : 1
    for (let k = 0; k < topics; k++) {
      const r = memory[one + k] - memory[g + k]
      const v = memory[two + k] - memory[one + k] - r
      const leap = memory[g + k] + 2 * a * r + a * a * v
      memory[g + k] = leap > memory[k] ? leap : memory[k]
    }
    leapt = true
  }
  if (leapt) memory.copyWithin(g, two, two + topics)
}

/** memory[to + k] ← α_k + n_k of g, which begins at `g`; returns Σ_k |change|. */
function improve(
  memory: Float64Array,
  topics: number,
  width: number,
  count: number,
  g: number,
  to: number,
): number {
  const sums = 2 * width
  const { x, phi } = documentOf(width, count)
  // padding takes part in registers
  if (topics < width) memory[g + topics] = 0
  for (let k = 0; k < width; k++) memory[sums + k] = 0
  for (let j = 0, row = phi; j < count; j++, row += width) {
    const s = mixed(memory, row, memory, g, width)
    const ratio = s > 0 ? memory[x + j] / s : 0
    for (let k = 0; k < width; k++) memory[sums + k] += ratio * memory[row + k]
  }
  let change = 0
  for (let k = 0; k < topics; k++) {
    const before = memory[g + k]
    const after = memory[k] + before * memory[sums + k]
    change += Math.abs(after - before)
    memory[to + k] = after
  }
  return change
}

/** Σ_k g_k φ_k of one word. */
export function mixed(phi: Float64Array, row: number, g: Float64Array, at: number, width: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let k = 0
  for (; k + 4 <= width; k += 4) {
    a += g[at + k] * phi[row + k]
    b += g[at + k + 1] * phi[row + k + 1]
    c += g[at + k + 2] * phi[row + k + 2]
    d += g[at + k + 3] * phi[row + k + 3]
  }
  if (k < width) {
    a += g[at + k] * phi[row + k]
    b += g[at + k + 1] * phi[row + k + 1]
  }
  return a + c + (b + d)
}

/** Σ_j x_j ln(s_j / (N + α₀)) + Σ_k α_k ln(θ_k / m_k) of the document in this memory. */
export function scoreFolded(
  memory: Float64Array,
  topics: number,
  width: number,
  count: number,
  length: number,
): number {
  const { x, phi } = documentOf(width, count)
  let total = 0
  for (let k = 0; k < topics; k++) total += memory[k]
  const mass = length + total
  let score = 0
  for (let j = 0, row = phi; j < count; j++, row += width)
    score += memory[x + j] * log(mixed(memory, row, memory, width, width) / mass)
  for (let k = 0; k < topics; k++) {
    const own = memory[k]
    score += own * log(((memory[width + k] / mass) * total) / own)
  }
  return score
}
