/**
 * The mass of a part's contexts: the weights that were delivered to it, slot by slot. Counted where they arrive, since what stands above need not count the
 * same contexts: below p(A)·p(B) no part counts (A, B), and below the steps of a nested column there are as many rows as there are steps.
 */
import type { Weights } from "../contract/block.ts"
import type { Part } from "../contract/part.ts"
import { grow } from "../kernels/workspace.ts"
import { sumOf } from "./sweep.ts"

export class Masses {
  readonly #delivered: ReadonlyMap<Part, Float64Array>
  /** The weights that came last: leaves side by side get the same. */
  #last: Weights | undefined
  #sums: Float64Array | undefined
  readonly #scratch = grow()

  constructor(parts: readonly Part[]) {
    this.#delivered = new Map(parts.map(part => [part, new Float64Array(part.slots)]))
  }

  /** n_p += Σ_i w[p, i] */
  add(part: Part, weights: Weights, rows: number): void {
    const own = this.#delivered.get(part)
    if (!own) return
    if (this.#last !== weights || !this.#sums)
      this.#sums = sumBySlot(weights, rows, this.#scratch(part.slots))
    this.#last = weights
    for (let p = 0; p < own.length; p++) own[p] += this.#sums[p]
  }

  /** Arrays of weights are used again: those that come next are others. */
  next(): void {
    this.#last = undefined
  }

  /** Undefined: nobody asked for it. */
  of(part: Part): Float64Array | undefined {
    return this.#delivered.get(part)
  }

  clear(): void {
    this.next()
    for (const own of this.#delivered.values()) own.fill(0)
  }
}

/** As a switch counts its values: `out` holds zeros. */
function sumBySlot(weights: Weights, rows: number, out: Float64Array): Float64Array {
  if (weights.form === "one") {
    for (let i = 0; i < rows; i++) out[weights.slot[i]] += weights.weight[i]
    return out
  }
  for (let p = 0; p < out.length; p++) out[p] = sumOf(weights.values, p * rows, rows)
  return out
}

/** What a part holds by its own statistics, slot by slot. */
export function ownMass(part: Part, stats: Float64Array): Float64Array {
  return Float64Array.from({ length: part.slots }, (_, p) => part.mass(stats, p))
}
