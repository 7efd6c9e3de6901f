/** One pass over chunks at θ: up, weights, down, statistics. Chunks are summed in order, so the cut decides the bits. */
import type { Block, Chunk, Sink, Sweep, Weights } from "../contract.ts"
import { log } from "../kernels/log.ts"
import { pause } from "../pause.ts"
import type { Laid } from "./lay.ts"

/** Work between two pauses in which timers, aborts and the page get their turn: about a hundredth of a second. */
const PAUSE = 4e6

export interface SweepOptions {
  /** Nothing is hidden: weights do not depend on θ, so the way up is not needed. */
  readonly certain: boolean
  readonly signal?: AbortSignal | undefined
}

export async function sweep(
  laid: Laid,
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
  params: Float64Array,
  { certain, signal }: SweepOptions,
): Promise<Sweep> {
  const stats = new Float64Array(laid.statistics)
  const part = new Float64Array(laid.statistics)
  const sink = new StatisticsSink(params, part)
  const scores = new Float64Array(1024)
  let logLikelihood = 0
  let work = 0
  for await (const chunk of chunks) {
    part.fill(0)
    let chunkLikelihood = 0
    for (const block of chunk) {
      signal?.throwIfAborted()
      if (!certain) {
        scores.fill(0, 0, block.rows)
        laid.root.up(block, params, scores)
        for (let i = 0; i < block.rows; i++) chunkLikelihood += block.weight[i] * scores[i]
      }
      laid.root.down(block, params, rootWeights(block), sink)
      work += block.rows * (16 + laid.parameters)
      if (work > PAUSE) {
        work = 0
        await pause()
      }
    }
    for (let j = 0; j < stats.length; j++) stats[j] += part[j]
    logLikelihood += chunkLikelihood
  }
  return {
    stats,
    logLikelihood: certain ? undefined : logLikelihood,
    entropy: sink.entropy,
    guessed: sink.guessed,
  }
}

const noSlots = /* @__PURE__ */ new Int32Array(8192)

/** Every row belongs to the root's one context, with its own weight. */
export function rootWeights(block: Block): Weights {
  return { form: "one", slot: noSlots, weight: block.weight }
}

/** The weights of a downward pass, gathered as statistics. */
export class StatisticsSink implements Sink {
  guessed = false
  /** Σ w H(hidden | row) = −Σ_slots w r ln r */
  entropy = 0
  readonly #params: Float64Array
  readonly #stats: Float64Array

  constructor(params: Float64Array, stats: Float64Array) {
    this.#params = params
    this.#stats = stats
  }

  leaf: Sink["leaf"] = (node, block, weights) => {
    const guessed = node.leaf.absorb(block, node.paramsOf(this.#params), weights, node.statsOf(this.#stats))
    if (guessed) this.guessed = true
  }

  choice: Sink["choice"] = (node, block, weights, guessed, sums) => {
    const { rows } = block
    const stats = this.#stats
    if (weights.form === "one") {
      for (let i = 0; i < rows; i++) stats[node.statsAt + weights.slot[i]] += weights.weight[i]
    } else {
      for (let s = 0; s < node.statistics; s++) {
        let sum = 0
        for (let at = s * rows; at < (s + 1) * rows; at++) sum += weights.values[at]
        stats[node.statsAt + s] += sum
      }
    }
    if (!guessed) return
    this.guessed = true
    if (weights.form === "one") return
    const count = node.slots * rows
    this.entropy += choiceEntropy(weights.values, count, node.levels.length, sums?.subarray(count))
  }
}

/** Σ_q Σ_l r H = −Σ_q Σ_l r ln(r / Σ_l r): what is not known of the value, given its context. */
function choiceEntropy(values: Float64Array, size: number, levels: number, known?: Float64Array): number {
  let entropy = 0
  for (let q = 0; q < size; q++) {
    let total = 0
    for (let at = q; at < levels * size; at += size) total += values[at]
    if (!(total > 0)) continue
    if (known) entropy += total * known[q]
    else {
      for (let at = q; at < levels * size; at += size) {
        if (values[at] > 0) entropy -= values[at] * log(values[at] / total)
      }
    }
  }
  return entropy
}
