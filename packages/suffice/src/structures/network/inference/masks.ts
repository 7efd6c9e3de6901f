/** Blocks without the rows in which a leaf belongs to a group of missing numbers. */
import type { Block, Encoded } from "../../../contract/block.ts"
import type { NetworkLayout } from "../layout.ts"
import type { MissingNumbers } from "../numbers.ts"
import { type Observed, SEEN } from "./observed.ts"
import type { Patterns } from "./patterns.ts"

export class Masks {
  readonly #network: NetworkLayout
  readonly #observed: Observed
  readonly #numbers: MissingNumbers
  readonly #patterns: Patterns
  /** By node. Undefined if no row is masked. */
  #blocks: (Block | undefined)[] = []

  constructor(network: NetworkLayout, observed: Observed, numbers: MissingNumbers, patterns: Patterns) {
    this.#network = network
    this.#observed = observed
    this.#numbers = numbers
    this.#patterns = patterns
  }

  /** Call after a change of observed cells. */
  read(): void {
    this.#blocks = []
    const { block, rows, states } = this.#observed
    if (!this.#numbers.isAny || !block) return
    const count = this.#network.nodes.length
    for (let i = 0; i < rows; i++) {
      if (this.#numbers.parents.every(v => states[i * count + v] === SEEN)) continue
      for (const { told } of this.#patterns.of(this.#observed, i, true).groups)
        for (const v of told) this.#mask(v, i, block)
    }
  }

  /** Blanks the cell of a node in a row, and fills the numbers it depends on. */
  #mask(v: number, i: number, block: Block): void {
    const { nodes } = this.#network
    const { place, numberParents } = nodes[v]
    this.#blocks[v] ??= this.#copyOf(v, block)
    const { cells } = this.#blocks[v]
    for (const u of numberParents) {
      const numbers = cells[nodes[u].place] as Float64Array
      if (numbers[i] !== numbers[i]) numbers[i] = 0
    }
    ;(cells[place] as Float64Array)[i] = NaN
  }

  /** The block, with copies of the cells of a node and of its number parents. */
  #copyOf(v: number, block: Block): Block {
    const { nodes } = this.#network
    const places = [v, ...nodes[v].numberParents].map(u => nodes[u].place)
    const copied = (cells: Encoded, at: number): Encoded =>
      places.includes(at) ? (cells as Float64Array).slice() : cells
    return { ...block, cells: block.cells.map(copied) }
  }

  /** True if v is in a group of missing numbers in this row: the group delivers its statistics. */
  isGrouped(v: number, row: number): boolean {
    if (!this.#blocks[v]) return false
    return this.#patterns.of(this.#observed, row, true).groups.some(({ told }) => told.includes(v))
  }

  /** True if v is in a group in some row. */
  isMasked(v: number): boolean {
    return this.#blocks[v] !== undefined
  }

  /** The rows for the leaf of a number. */
  blockOf(v: number): Block {
    return this.#blocks[v] ?? this.#observed.block!
  }

  /** The block for the leaf of a node: with codes if hidden, without masked rows if a number. */
  blockFor(v: number, block: Block): Block {
    const { isHidden, place } = this.#network.nodes[v]
    if (!isHidden) return this.#blocks[v] ?? block
    const cells: Encoded[] = block.cells.slice()
    cells[place] = this.#observed.codes[v]
    return { ...block, cells }
  }
}
