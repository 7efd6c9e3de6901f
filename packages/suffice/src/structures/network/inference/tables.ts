/** Probability tables p(l | slot), updated when parameters change. */
import type { Encoded } from "../../../contract/block.ts"
import type { Leaf } from "../../../contract/leaf.ts"
import { exp } from "../../../kernels/exp.ts"
import type { FusibleLeaf } from "../../../kernels/fusion.ts"
import type { NetworkLayout } from "../layout.ts"

export class Tables {
  /** p(l | slot) at l·slots + s, by node. */
  readonly all: (Float64Array | undefined)[] = []
  /** The same, normalised by slot: for barren nodes under variational Bayes. */
  readonly normalised: (Float64Array | undefined)[] = []
  readonly #logs: (Float64Array | undefined)[] = []
  /** By node: 1 if its table is up to date in this pass. */
  readonly #isCurrent: Uint8Array
  readonly #network: NetworkLayout

  constructor(network: NetworkLayout) {
    this.#network = network
    this.#isCurrent = new Uint8Array(network.nodes.length)
  }

  /** Call after a change of parameters. */
  begin(): void {
    this.#isCurrent.fill(0)
  }

  /** ln p(l | slot) at l·slots + s: parameters of a plain leaf, scores by level of another. */
  logs(v: number, params: Float64Array): Float64Array {
    const { nodes, levels } = this.#network
    const { part, place } = nodes[v]
    const theta = part.ranges.paramsOf(params)
    const { fusion, score } = part.leaf as Leaf & Partial<FusibleLeaf>
    if (fusion?.score === score) return theta
    const count = levels[v]
    const cells: Encoded[] = []
    cells[place] = Int32Array.from({ length: count }, (_, l) => l)
    const scores = new Float64Array(part.leaf.shape.slots * count)
    part.leaf.score({ rows: count, weight: new Float64Array(count).fill(1), cells }, theta, scores)
    const table = new Float64Array(scores.length)
    for (let s = 0; s < part.leaf.shape.slots; s++)
      for (let l = 0; l < count; l++) table[l * part.leaf.shape.slots + s] = scores[s * count + l]
    return table
  }

  /**
   * Updates the table of a node. Under variational Bayes exp E[ln p] sums to less than 1; barren nodes, which must sum to 1, then have a
   * normalised table.
   */
  refresh(v: number, params: Float64Array): void {
    if (this.#isCurrent[v] === 1) return
    this.#isCurrent[v] = 1
    const { part } = this.#network.nodes[v]
    const logs = this.logs(v, params)
    let table = this.all[v]
    let before = this.#logs[v]
    if (!table || !before) {
      table = new Float64Array(logs.length).fill(1)
      before = new Float64Array(logs.length)
      this.all[v] = table
      this.#logs[v] = before
    }
    let isChanged = false
    for (let j = 0; j < logs.length; j++) {
      if (logs[j] === before[j]) continue
      before[j] = logs[j]
      table[j] = exp(logs[j])
      isChanged = true
    }
    // logarithms are all 0 before the first step
    if ((isChanged || !this.normalised[v]) && part.leaf.belief)
      this.normalised[v] = normalise(table, part.leaf.shape.slots)
  }
}

/** The table, normalised by slot. */
function normalise(table: Float64Array, slots: number): Float64Array {
  const normalised = table.slice()
  for (let s = 0; s < slots; s++) {
    let sum = 0
    for (let j = s; j < table.length; j += slots) sum += table[j]
    for (let j = s; j < table.length; j += slots) normalised[j] /= sum
  }
  return normalised
}
