/** Observed cells of a block: codes of levels, and the state of each cell. */
import { isHole } from "../../../blocks/encoded.ts"
import type { Block, Encoded } from "../../../contract/block.ts"
import { firstSlot } from "../../../kernels/all-ones.ts"
import { growCodes } from "../../../kernels/workspace.ts"
import type { LaidNode, NetworkLayout } from "../layout.ts"

export const SEEN = 0
/** Missing, with an observed or requested descendant. */
export const RELEVANT = 1
/** Missing, without an observed descendant: sums to 1. */
export const BARREN = 2

export class Observed {
  /** Codes by node with levels; −1 if missing. */
  readonly codes: Int32Array[] = []
  rows = 0
  /** The rows, with fixed columns filled in. */
  block: Block | undefined
  /** SEEN, RELEVANT or BARREN, of node v in row i at i·nodes + v. */
  states = new Uint8Array(0)
  /** By node: true if its cell is missing (relevant) in some row. */
  readonly isMissing: boolean[]
  readonly isRelevant: boolean[]
  readonly #network: NetworkLayout
  #target = -1
  /** Parent configurations by node, computed on demand. */
  readonly #configurations: Int32Array[] = []
  readonly #isComputed: Uint8Array
  readonly #codeScratch: readonly ((length: number) => Int32Array)[]

  constructor(network: NetworkLayout) {
    const { nodes } = network
    this.#network = network
    this.isMissing = nodes.map(() => false)
    this.isRelevant = nodes.map(() => false)
    this.#isComputed = new Uint8Array(nodes.length)
    this.#codeScratch = nodes.map(() => growCodes())
  }

  /** Call `resolve` next. `target`: a column whose cells are ignored. */
  read(block: Block, target: number): void {
    const { rows } = block
    const { nodes, levels } = this.#network
    this.rows = rows
    this.#target = target
    const read = withoutTarget(nodes, withHeld(nodes, block), target)
    this.block = read
    this.#reserve()
    const none = nodes.some(({ isHidden }) => isHidden) ? new Int32Array(rows).fill(-1) : undefined
    for (let v = 0; v < nodes.length; v++) {
      if (levels[v] > 0)
        this.codes[v] = nodes[v].isHidden
          ? ((v === target ? undefined : block.assumed?.get(nodes[v].name)) ?? none!)
          : (read.cells[nodes[v].place] as Int32Array)
    }
  }

  /** Reads one row without observed cells. Call `resolve` next. */
  readNothing(): void {
    const { nodes, levels } = this.#network
    this.rows = 1
    this.#target = -1
    this.block = undefined
    this.#reserve()
    const none = Int32Array.of(-1)
    for (let v = 0; v < nodes.length; v++) if (levels[v] > 0) this.codes[v] = none
  }

  #reserve(): void {
    const length = this.rows * this.#network.nodes.length
    if (this.states.length < length) this.states = new Uint8Array(length)
  }

  /** Marks the state of each cell, after a change of codes. */
  resolve(): void {
    const { rows, states } = this
    const { nodes, levels } = this.#network
    const count = nodes.length
    this.#isComputed.fill(0)
    states.fill(SEEN, 0, rows * count)
    for (let v = 0; v < count; v++) {
      this.isMissing[v] =
        levels[v] > 0
          ? markHoles(this.codes[v], rows, states, v, count)
          : markMissing(nodes[v], this.block, rows, states, v, count)
    }
    this.#markRelevant()
  }

  /** Children before parents: a missing cell is relevant if a child is not barren. */
  #markRelevant(): void {
    const { rows, states } = this
    const { nodes, order, children, isBorder } = this.#network
    const count = nodes.length
    for (let k = order.length - 1; k >= 0; k--) {
      const v = order[k]
      this.isRelevant[v] = false
      if (!this.isMissing[v]) continue
      const below = children[v]
      for (let i = 0; i < rows; i++) {
        const at = i * count
        if (states[at + v] === SEEN) continue
        let isRelevant = v === this.#target || isBorder[v] === 1
        for (let j = 0; j < below.length && !isRelevant; j++) isRelevant = states[at + below[j]] !== BARREN
        if (!isRelevant) continue
        states[at + v] = RELEVANT
        this.isRelevant[v] = true
      }
    }
  }

  /** Parent configuration of v by row; −1 if a parent is missing. */
  configurations(v: number): Int32Array {
    if (this.#isComputed[v] === 1) return this.#configurations[v]
    const { nodes, levels } = this.#network
    const { levelParents } = nodes[v]
    const { rows, codes } = this
    let joint: Int32Array
    if (levelParents.length === 0) joint = firstSlot(rows)
    else if (levelParents.length === 1) joint = codes[levelParents[0]]
    else {
      const [first, second, ...others] = levelParents
      joint = this.#codeScratch[v](rows)
      join(codes[first], codes[second], levels[second], rows, joint)
      for (const u of others) join(joint, codes[u], levels[u], rows, joint)
    }
    this.#configurations[v] = joint
    this.#isComputed[v] = 1
    return joint
  }

  /** True if the level of v is missing and relevant. */
  isGuessed(v: number, row: number): boolean {
    const { levels, nodes } = this.#network
    return levels[v] > 0 && this.states[row * nodes.length + v] === RELEVANT
  }

  /** isGuessed: its level is missing and relevant in some row. isOpen: that, or a missing parent. */
  survey(): { readonly isOpen: boolean[]; readonly isGuessed: boolean[] } {
    const { nodes, levels } = this.#network
    const isGuessed = nodes.map((_, v) => levels[v] > 0 && this.isRelevant[v])
    const isMissing = nodes.map((_, v) => levels[v] > 0 && this.isMissing[v])
    const isOpen = nodes.map(({ levelParents }, v) => isGuessed[v] || levelParents.some(u => isMissing[u]))
    return { isOpen, isGuessed }
  }
}

/** The block, with fixed columns filled in. */
function withHeld(nodes: readonly LaidNode[], block: Block): Block {
  let cells: Encoded[] | undefined
  for (const { held, place, column } of nodes) {
    if (held === undefined) continue
    cells ??= block.cells.slice()
    const own = (block.cells[place] as Float64Array | Int32Array).slice()
    for (let i = 0; i < own.length; i++) if (isHole(column, own, i)) own[i] = held
    cells[place] = own
  }
  return cells ? { ...block, cells } : block
}

function withoutTarget(nodes: readonly LaidNode[], block: Block, target: number): Block {
  if (target < 0 || nodes[target].isHidden) return block
  const cells: Encoded[] = block.cells.slice()
  cells[nodes[target].place] = new Int32Array(block.rows).fill(-1)
  return { ...block, cells }
}

/** states[i·count + v] ← BARREN where the code is missing. True if any is. */
function markHoles(codes: Int32Array, rows: number, states: Uint8Array, v: number, count: number): boolean {
  let all = 0
  for (let i = 0; i < rows; i++) all |= codes[i]
  if (all >= 0) return false
  for (let i = 0; i < rows; i++) if (codes[i] < 0) states[i * count + v] = BARREN
  return true
}

/** The same for a node without levels. */
function markMissing(
  { place, column }: LaidNode,
  block: Block | undefined,
  rows: number,
  states: Uint8Array,
  v: number,
  count: number,
): boolean {
  const cells = block?.cells[place]
  let isMissing = false
  for (let i = 0; i < rows; i++) {
    if (cells && !isHole(column, cells, i)) continue
    states[i * count + v] = BARREN
    isMissing = true
  }
  return isMissing
}

/** joint_i ← c_i·L + code_i; −1 if one of them is missing. */
function join(c: Int32Array, codes: Int32Array, levels: number, rows: number, joint: Int32Array): void {
  for (let i = 0; i < rows; i++) joint[i] = (c[i] | codes[i]) < 0 ? -1 : Math.imul(c[i], levels) + codes[i]
}
