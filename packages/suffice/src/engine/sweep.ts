/** One pass over chunks at θ: up, weights, down, statistics. Chunks are summed in order to stretches, and these to the total, so the cut decides the bits. */
import type { BankedParts } from "../contract/bank.ts"
import type { Bags, Block, Chunk, SummedWeights, Weights } from "../contract/block.ts"
import type { Work } from "../contract/leaf.ts"
import type { Sweep } from "../contract/learnable.ts"
import type { Sink } from "../contract/node.ts"
import { firstSlot, isOnes } from "../kernels/all-ones.ts"
import { WORTH } from "../kernels/bag-rows.ts"
import { log } from "../kernels/log.ts"
import { SlotSums, type WeightSums } from "../kernels/slot-sums.ts"
import { CHUNKS_PER_STRETCH } from "../kernels/tiered.ts"
import { fastKernels } from "../kernels/twins.ts"
import { grow, growCodes } from "../kernels/workspace.ts"
import { isDue, pause } from "../pause.ts"
import type { Laid } from "./lay.ts"
import { SweepTotal, type Swept } from "./sweep-total.ts"

export interface SweepOptions {
  /** Nothing is hidden: the weights do not depend on θ, and no upward pass is needed. */
  readonly certain: boolean
  /** Tags of steps that are not seen count nothing. */
  readonly waits?: boolean
  readonly signal?: AbortSignal | undefined
}

export async function sweep(
  laid: Laid,
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
  params: Float64Array,
  { certain, waits = false, signal }: SweepOptions,
): Promise<Sweep> {
  const total = new SweepTotal()
  let memory: CountingMemory | undefined
  let reuse: Work
  try {
    for await (const chunk of chunks) {
      memory ??= new CountingMemory(laid, chunk)
      const swept = new ChunkSweep(laid, params, certain, memory.next(), reuse, waits)
      for (const block of chunk) {
        signal?.throwIfAborted()
        swept.add(block)
        if (isDue()) await pause()
      }
      total.add(swept)
      reuse = swept.work
    }
    return total.sweep(certain, laid.statistics)
  } finally {
    memory?.close()
  }
}

/**
 * The arrays that chunks are counted in. The first chunk of a stretch is counted in one that becomes the sum of the stretch, the others in a second one that is
 * added to it; the first stretch becomes the total. If there are many words, they are allocated in the memory of the kernels that count them.
 */
class CountingMemory {
  readonly #statistics: number
  readonly #lent: Float64Array | undefined
  #chunks = 0
  /** The total, a stretch, a chunk. */
  readonly #arrays: (Float64Array | undefined)[] = []

  constructor({ columns, statistics }: Laid, first: Chunk) {
    let words = 0
    columns.forEach(({ kind }, place) => {
      if (kind === "bag") for (const { cells } of first) words += (cells[place] as Bags).words.length
    })
    this.#statistics = statistics
    this.#lent =
      8 * words < Math.max(statistics, WORTH) ? undefined : fastKernels()?.lendWords(3 * statistics)
  }

  /** Zeros for the next chunk. */
  next(): Float64Array {
    const isFirst = this.#chunks % CHUNKS_PER_STRETCH === 0
    const which = isFirst ? Math.min(this.#chunks, 1) : 2
    this.#chunks++
    let array = this.#arrays[which]
    if (!array) {
      const size = this.#statistics
      array = this.#lent?.subarray(which * size, (which + 1) * size) ?? new Float64Array(size)
      this.#arrays[which] = array
    }
    return array.fill(0)
  }

  close(): void {
    if (this.#lent) fastKernels()?.returnWords(this.#lent)
  }
}

/** One chunk at θ, block by block. */
export class ChunkSweep implements Swept {
  logLikelihood = 0
  readonly stats: Float64Array
  readonly #sink: StatisticsSink
  readonly #laid: Laid
  readonly #params: Float64Array
  readonly #certain: boolean
  /** The work of the last block, to be reused by the next. */
  work: Work

  /** `stats`: zeros. `reuse`: result of an earlier chunk. */
  constructor(
    laid: Laid,
    params: Float64Array,
    certain: boolean,
    stats: Float64Array = new Float64Array(laid.statistics),
    reuse?: Work,
    waits = false,
  ) {
    this.stats = stats
    this.#sink = new StatisticsSink(params, stats, waits)
    this.#laid = laid
    this.#params = params
    this.#certain = certain
    this.work = reuse
  }

  get entropy(): number {
    return this.#sink.entropy
  }

  get guessed(): boolean {
    return this.#sink.guessed
  }

  add(block: Block): void {
    const { root } = this.#laid
    if (!this.#certain) {
      const scores = scratch(block.rows)
      this.work = root.up(block, this.#params, scores, false, this.work)
      const { weight, rows } = block
      let sum = 0
      for (let i = 0; i < rows; i++) sum += weight[i] * scores[i]
      this.logLikelihood += sum
    }
    root.down(block, this.#params, rootWeights(block), this.#sink, this.work)
  }
}

const scratch = /* @__PURE__ */ grow()

/** Every row belongs to the root's one context, with its own weight. */
export function rootWeights(block: Block): Weights {
  return { form: "one", slot: firstSlot(block.rows), weight: block.weight }
}

/** The weights of a downward pass, gathered as statistics. */
export class StatisticsSink implements Sink {
  readonly waits: boolean
  guessed = false
  /** Σ w H(hidden | row) = −Σ_slots w r ln r */
  entropy = 0
  readonly #params: Float64Array
  readonly #stats: Float64Array
  readonly #sums: WeightSums = fastKernels()?.openSums() ?? new SlotSums()
  /** The weights of the last leaf, forgotten at a choice: arrays are reused for other rows. */
  #asked: Weights | undefined
  #given: SummedWeights | undefined

  constructor(params: Float64Array, stats: Float64Array, waits = false) {
    this.waits = waits
    this.#params = params
    this.#stats = stats
  }

  leaf: Sink["leaf"] = (part, block, weights, work, isGuess = false) => {
    const given = this.#summing(block, weights, part.leaf.shape.slots)
    const own = part.ranges.statsOf(this.#stats)
    const guessed = part.leaf.absorb(block, part.ranges.paramsOf(this.#params), given, own, work)
    if (guessed || isGuess) this.guessed = true
  }

  bank(bank: BankedParts, block: Block, weights: Weights): void {
    bank.leaf.absorb(
      block,
      this.#summing(block, weights, bank.leaf.shape.slots),
      bank.ranges.statsOf(this.#stats),
    )
  }

  /** The leaves below a switch receive the same weights: rows are sorted by slot once for all of them. */
  #summing(block: Block, weights: Weights, slots: number): SummedWeights {
    if (this.#asked !== weights || !this.#given) this.#given = this.#sums.given(weights, block.rows, slots)
    this.#asked = weights
    return this.#given
  }

  choice: Sink["choice"] = (part, block, weights, guessed, entropy) => {
    this.#asked = undefined
    const { rows } = block
    const stats = this.#stats
    if (weights.form === "one") {
      const { slot, weight } = weights
      if (isOnes(weight) && 4 * part.leaf.shape.statistics <= rows)
        countRows(slot, rows, part.leaf.shape.statistics, stats, part.ranges.statsAt)
      else for (let i = 0; i < rows; i++) stats[part.ranges.statsAt + slot[i]] += weight[i]
    } else {
      for (let s = 0; s < part.leaf.shape.statistics; s++)
        stats[part.ranges.statsAt + s] += sumOf(weights.values, s * rows, rows)
    }
    if (!guessed) return
    this.guessed = true
    if (entropy !== undefined) this.entropy += entropy
    else if (weights.form === "each")
      this.entropy += choiceEntropy(
        weights.values,
        part.leaf.shape.slots * rows,
        part.leaf.shape.statistics / part.leaf.shape.slots,
      )
  }
}

/** values[from] + … + values[from + count − 1], in four independent sums. */
export function sumOf(values: Float64Array, from: number, count: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let at = from
  const end = from + count
  for (; at + 3 < end; at += 4) {
    a += values[at]
    b += values[at + 1]
    c += values[at + 2]
    d += values[at + 3]
  }
  for (; at < end; at++) a += values[at]
  return a + b + (c + d)
}

const counters = /* @__PURE__ */ growCodes()

/** stats[at + slot] += the number of rows in it, in four independent counters. */
function countRows(slot: Int32Array, rows: number, slots: number, stats: Float64Array, at: number): void {
  const counts = counters(4 * slots).fill(0)
  let i = 0
  for (; i + 3 < rows; i += 4) {
    counts[slot[i]]++
    counts[slots + slot[i + 1]]++
    counts[2 * slots + slot[i + 2]]++
    counts[3 * slots + slot[i + 3]]++
  }
  for (; i < rows; i++) counts[slot[i]]++
  for (let c = 0; c < 4 * slots; c++) stats[at + (c % slots)] += counts[c]
}

/** −Σ r ln(r / Σ_l r): the entropy of the value given its context. */
function choiceEntropy(values: Float64Array, size: number, levels: number): number {
  let entropy = 0
  for (let q = 0; q < size; q++) {
    let total = 0
    for (let at = q; at < levels * size; at += size) total += values[at]
    if (!(total > 0)) continue
    for (let at = q; at < levels * size; at += size) {
      if (values[at] > 0) entropy -= values[at] * log(values[at] / total)
    }
  }
  return entropy
}
