/** Layout of a network, with scratch buffers. */
import { grow, growCodes } from "../../../kernels/workspace.ts"
import { Inference } from "../inference.ts"
import type { LaidNode } from "../layout.ts"

export interface Network {
  readonly nodes: readonly LaidNode[]
  readonly names: readonly string[]
  /** Number of levels by node; 0 for numbers. */
  readonly levels: readonly number[]
  /** P */
  readonly slots: number
  readonly inference: Inference
  // scratch buffers, valid within one call
  readonly rest: (length: number) => Float64Array
  readonly weights: readonly ((length: number) => Float64Array)[]
  readonly guesses: readonly ((length: number) => Float64Array)[]
  readonly slotScratch: readonly ((length: number) => Int32Array)[]
  /** One array per level, since a sink may keep it. */
  readonly trials: Int32Array[]
}

export function networkOf(nodes: readonly LaidNode[], levels: readonly number[], slots: number): Network {
  return {
    nodes,
    names: nodes.map(({ name }) => name),
    levels,
    slots,
    inference: new Inference(nodes, levels, slots),
    rest: grow(),
    weights: nodes.map(() => grow()),
    guesses: nodes.map(() => grow()),
    slotScratch: nodes.map(() => growCodes()),
    trials: [],
  }
}
