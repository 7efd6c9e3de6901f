/**
 * The statistics of missing numbers, as rows. What is known of them is a mean and a covariance, and the statistics of lines are squares and products: rows at a few points
 * with this mean and this covariance (numbers.ts) have exactly the expected ones, so that no leaf and no sink needs to know.
 */
import type { Block, Encoded } from "../../contract/block.ts"
import type { Sink } from "../../contract/node.ts"
import type { LaidNode } from "./layout.ts"
import type { Group, MissingNumbers } from "./numbers.ts"

/** The rows of one node: its slot, its weight, and the cells of the node and of its numeric parents. */
interface Collected {
  readonly slots: number[]
  readonly weights: number[]
  readonly cells: readonly number[][]
}

export class Points {
  readonly #nodes: readonly LaidNode[]
  readonly #numbers: MissingNumbers
  readonly #params: Float64Array
  readonly #collected = new Map<number, Collected>()

  constructor(nodes: readonly LaidNode[], numbers: MissingNumbers, params: Float64Array) {
    this.#nodes = nodes
    this.#numbers = numbers
    this.#params = params
  }

  /** A row whose missing numbers are in this group, with its weight in every configuration and context. */
  add(group: Group, row: number, weights: Float64Array, block: Block): void {
    for (const v of group.told) {
      const isBlank = group.blank.includes(v)
      const { numberParents } = this.#nodes[v]
      const columns = [v, ...numberParents]
      const own: Collected = this.#collected.get(v) ?? {
        slots: [],
        weights: [],
        cells: columns.map(() => []),
      }
      this.#collected.set(v, own)
      for (let s = 0; s < weights.length; s++) {
        if (weights[s] === 0) continue
        const slot = this.#numbers.slot(group, v, s, row)
        const { nodes, at } = this.#numbers.points(group, v, s)
        for (const point of at) {
          own.slots.push(slot)
          own.weights.push(weights[s] / at.length)
          columns.forEach((u, j) => {
            const guessed = nodes.indexOf(u)
            const cell = (block.cells[this.#nodes[u].place] as Float64Array)[row]
            own.cells[j].push(u === v && isBlank ? NaN : guessed >= 0 ? point[guessed] : cell)
          })
        }
      }
    }
  }

  /** The same for whoever asks for the distribution of each missing number. */
  tell(group: Group, row: number, weights: Float64Array, normal: NonNullable<Sink["normal"]>): void {
    for (const v of group.told) {
      if (!group.missing.includes(v) && !group.blank.includes(v)) continue
      for (let s = 0; s < weights.length; s++) {
        if (weights[s] === 0) continue
        const { mean, variance } = this.#numbers.belief(group, v, s, row, this.#params)
        normal(this.#nodes[v].part, row, weights[s], mean, variance)
      }
    }
  }

  deliver(sink: Sink): void {
    for (const [v, { slots, weights, cells }] of this.#collected) {
      const { part, place, numberParents } = this.#nodes[v]
      const encoded: Encoded[] = []
      ;[place, ...numberParents.map(u => this.#nodes[u].place)].forEach((at, j) => {
        encoded[at] = Float64Array.from(cells[j])
      })
      const rows = slots.length
      const block: Block = { rows, weight: new Float64Array(rows).fill(1), cells: encoded }
      const given = { form: "one", slot: Int32Array.from(slots), weight: Float64Array.from(weights) } as const
      if (rows > 0) sink.leaf(part, block, given, undefined, true)
    }
  }
}
