/**
 * The mass of a part's contexts: n_p = Σ_i w[p,i] of the weights delivered to it. It is counted where the weights arrive, because the parts above may not
 * count the same contexts: below p(A)·p(B) no part counts (A, B), and below a column of steps a row is a step.
 */
import type { Weights } from "../contract/block.ts"
import type { Part } from "../contract/part.ts"
import { grow } from "../kernels/workspace.ts"
import { sumOf } from "./sweep.ts"

export class Masses {
  /** Of all parts, one after the other. */
  readonly #all: Float64Array
  readonly #delivered: ReadonlyMap<Part, Float64Array>
  /** The weights last added: the leaves of a product receive the same ones. */
  #last: Weights | undefined
  #sums: Float64Array | undefined
  readonly #scratch = grow()

  constructor(parts: readonly Part[]) {
    const all = new Float64Array(parts.reduce((sum, { leaf }) => sum + leaf.shape.slots, 0))
    let at = 0
    this.#all = all
    this.#delivered = new Map(
      parts.map(part => {
        at += part.leaf.shape.slots
        return [part, all.subarray(at - part.leaf.shape.slots, at)]
      }),
    )
  }

  /** n_p += Σ_i w[p, i] */
  add(part: Part, weights: Weights, rows: number): void {
    const own = this.#delivered.get(part)
    if (!own) return
    if (this.#last !== weights || !this.#sums)
      this.#sums = sumBySlot(weights, rows, this.#scratch(part.leaf.shape.slots))
    this.#last = weights
    for (let p = 0; p < own.length; p++) own[p] += this.#sums[p]
  }

  /** Forget the last weights: their arrays are about to be reused for others. */
  next(): void {
    this.#last = undefined
  }

  /** Undefined for a part that is not counted. */
  of(part: Part): Float64Array | undefined {
    return this.#delivered.get(part)
  }

  clear(): void {
    this.next()
    this.#all.fill(0)
  }
}

/** out (zeros on entry) ← Σ_i w[p,i], summed in the order in which a switch counts its values. */
function sumBySlot(weights: Weights, rows: number, out: Float64Array): Float64Array {
  if (weights.form === "one") {
    for (let i = 0; i < rows; i++) out[weights.slot[i]] += weights.weight[i]
    return out
  }
  for (let p = 0; p < out.length; p++) out[p] = sumOf(weights.values, p * rows, rows)
  return out
}

/** The mass of each slot by the part's own statistics. */
export function ownMass(part: Part, stats: Float64Array): Float64Array {
  return Float64Array.from({ length: part.leaf.shape.slots }, (_, p) =>
    part.leaf.mass(part.ranges.statsOf(stats), p),
  )
}
