/** Layout of a switch, with the scratch buffers of its passes. */
import type { Block } from "../../contract/block.ts"
import type { Level } from "../../contract/cells.ts"
import type { Work } from "../../contract/leaf.ts"
import type { Node } from "../../contract/node.ts"
import type { Part } from "../../contract/part.ts"
import { collapse } from "../../kernels/responsibilities.ts"
import { fastKernels } from "../../kernels/twins.ts"
import { grow, growCodes, NOTHING } from "../../kernels/workspace.ts"

export interface SwitchLayout {
  /** Probabilities of the values. */
  readonly part: Part
  readonly column: string
  /** Index of the label among the cells of a block; −1 if hidden. */
  readonly place: number
  readonly levels: readonly Level[]
  /** One body with slots · levels contexts, or one per value with `slots` contexts. */
  readonly bodies: readonly Node[]
}

export interface Switch extends SwitchLayout {
  /** P */
  readonly slots: number
  /** Number of levels. */
  readonly k: number
  /** True if there is one body per value. */
  readonly hasBodyPerValue: boolean
  readonly isHidden: boolean
  readonly kernels: { readonly collapse: typeof collapse }
  // scratch buffers, valid within one call
  readonly opened: (length: number) => Float64Array
  readonly scratch: SwitchWork
  readonly spread: (length: number) => Float64Array
  readonly slotScratch: (length: number) => Int32Array
  readonly branchSlots: readonly ((length: number) => Int32Array)[]
  readonly branchWeights: readonly ((length: number) => Float64Array)[]
}

export function switchOf({ part, column, place, levels, bodies }: SwitchLayout): Switch {
  return {
    part,
    column,
    place,
    levels,
    bodies,
    slots: part.leaf.shape.slots,
    k: levels.length,
    hasBodyPerValue: bodies.length > 1 || levels.length === 1,
    isHidden: place < 0,
    kernels: fastKernels() ?? { collapse },
    opened: grow(),
    scratch: new SwitchWork(),
    spread: grow(),
    slotScratch: growCodes(),
    branchSlots: bodies.map(growCodes),
    branchWeights: bodies.map(grow),
  }
}

/** Results of `up` for `down`: scores, then responsibilities r[l·P·rows + q]; the sums of `collapse`; results of the bodies. */
export class SwitchWork {
  scores = NOTHING
  sums = NOTHING
  readonly bodies: Work[] = []
  readonly #scores = grow()
  readonly #sums = grow()

  reserve(levels: number, size: number): void {
    this.scores = this.#scores(levels * size)
    this.sums = this.#sums(2 * size)
  }
}

/** Codes of the label. Undefined if hidden. */
export function labelIn({ isHidden, place }: Switch, block: Block): Int32Array | undefined {
  return isHidden ? undefined : (block.cells[place] as Int32Array)
}

export function bodyOf({ hasBodyPerValue, bodies }: Switch, level: number): Node {
  return hasBodyPerValue ? bodies[level] : bodies[0]
}

/** Slot of this level and context in bodyOf(level). */
export function slotBelow({ hasBodyPerValue, slots }: Switch, level: number, slot: number): number {
  return hasBodyPerValue ? slot : level * slots + slot
}

/** Visits each body with the masses of its slots. */
export function shareOut(
  { hasBodyPerValue, bodies, slots }: Switch,
  mass: Float64Array,
  visit: (body: Node, mass: Float64Array) => void,
): void {
  if (hasBodyPerValue)
    bodies.forEach((body, b) => void visit(body, mass.subarray(b * slots, (b + 1) * slots)))
  else visit(bodies[0], mass)
}
