/** Evidence of a row for its programs: tables, densities, and the offsets of its observed levels. */
import { grow } from "../../../kernels/workspace.ts"
import type { NetworkLayout } from "../layout.ts"
import type { Group, MissingNumbers } from "../numbers.ts"
import type { Evidence, Program } from "../program.ts"
import type { Masks } from "./masks.ts"
import { BARREN, type Observed } from "./observed.ts"
import { Tables } from "./tables.ts"

export class RowEvidence {
  readonly tables: Tables
  /** ln p of numbers, groups and borders: see Evidence. */
  readonly scores: Float64Array[]
  /** Scratch buffers, by node. */
  readonly scratch: readonly ((length: number) => Float64Array)[]
  /** Table offset of the observed columns, by node, for the row of `of`. */
  base: Int32Array
  readonly #network: NetworkLayout
  readonly #observed: Observed
  readonly #numbers: MissingNumbers

  constructor(network: NetworkLayout, observed: Observed, numbers: MissingNumbers) {
    const { nodes } = network
    this.#network = network
    this.#observed = observed
    this.#numbers = numbers
    this.tables = new Tables(network)
    this.scores = nodes.map(() => new Float64Array(0))
    this.scratch = nodes.map(() => grow())
    this.base = new Int32Array(nodes.length)
  }

  /** Scores the numbers of a block, before `of` its rows. */
  begin(params: Float64Array, masks: Masks): void {
    this.tables.begin()
    const { nodes, levels } = this.#network
    const { block, rows } = this.#observed
    nodes.forEach(({ part, levelParents }, v) => {
      if (levels[v] > 0 || levelParents.length === 0 || !block) return
      const scores = this.scratch[v](part.leaf.shape.slots * rows)
      part.leaf.score(masks.blockOf(v), part.ranges.paramsOf(params), scores)
      this.scores[v] = scores
    })
  }

  /** Turns missing numbers of a row into factors over levels. `isStarting`: there are no parameters yet. */
  integrate(groups: readonly Group[], row: number, params: Float64Array, isStarting: boolean): void {
    for (const group of groups) {
      if (isStarting) group.logs.fill(0)
      else this.#numbers.solve(group, row, params)
      this.scores[group.id] = group.logs
    }
  }

  of(program: Program, row: number, params: Float64Array): Evidence {
    const { nodes, levels, strides } = this.#network
    const { codes, rows } = this.#observed
    const count = nodes.length
    const states = this.#observed.states.subarray(row * count)
    if (this.base.length < count + this.#numbers.count)
      this.base = new Int32Array(count + 2 * this.#numbers.count)
    // refresh all before the copy below
    for (const v of program.families.keys()) if (levels[v] > 0) this.tables.refresh(v, params)
    const { all, normalised } = this.tables
    let tables = all
    for (const v of program.families.keys()) {
      if (v >= count) continue
      let base = 0
      for (const [u, stride] of strides[v]) {
        const code = codes[u][row]
        if (code >= 0) base += stride * code
      }
      this.base[v] = base
      if (levels[v] === 0 || states[v] !== BARREN || !nodes[v].part.leaf.belief) continue
      if (tables === all) tables = all.slice()
      tables[v] = normalised[v]
    }
    return {
      tables: tables as Float64Array[],
      scores: this.scores,
      rows,
      row,
      apart: count,
      base: this.base,
    }
  }
}
