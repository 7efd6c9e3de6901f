/** A chain with its place in the model, and the arrays that its upward pass leaves for the downward pass. */
import type { Block } from "../../contract/block.ts"
import type { Level } from "../../contract/cells.ts"
import type { Work } from "../../contract/leaf.ts"
import type { Node } from "../../contract/node.ts"
import type { Part } from "../../contract/part.ts"
import type { ChainSteps } from "../../kernels/chain.ts"
import { type ChainTables, strideOf } from "../../kernels/chain-tables.ts"
import { grow, growCodes, growUnset, NOTHING } from "../../kernels/workspace.ts"
import type { Allowed } from "./allowed.ts"

export interface ChainLayout {
  /** The column of the steps, and its place in a block. */
  readonly name: string
  readonly place: number
  /** The column of the state, and its place in the nested block; −1: it is never seen. */
  readonly column: string
  readonly label: number
  readonly states: readonly Level[]
  /** What is believed of the state of steps whose tag is soft: shares of the states. Absent: no tag is. */
  readonly beliefs: readonly (readonly number[])[] | undefined
  readonly ends: boolean
  readonly slots: number
  /** π: entry l·P + p. */
  readonly initial: Part
  /** a and e: entry j of slot i·P + p, the end being entry k. */
  readonly transitions: Part
  /** How often each state is visited: entry l·P + p. */
  readonly visits: Part
  /** With k·P contexts. */
  readonly body: Node
  readonly allowed: Allowed
  /** States are passed through in order: first guesses cut each sequence into equal parts. */
  readonly isOrdered: boolean
  /** Gives a step of one row the cells of earlier steps that it reads, while steps are drawn. */
  carry(steps: Block, t: number): void
}

/** The arrays of one upward pass; sequence q = p·rows + i. */
export interface Held {
  /** ln b, as the body adds it: (l·P + p)·S + t. */
  readonly scores: Float64Array
  /** By context: b and α (or ln b and ln α, for sequences in logarithms), c, and what b was scaled by. */
  readonly contexts: readonly ChainSteps[]
  /** ln p(steps) of each sequence without what b was scaled by. */
  readonly sums: Float64Array
  /** 1 for sequences in logarithms. */
  readonly logs: Int32Array
}

/** What `up` leaves for `down`. */
export class ChainWork {
  readonly #scores = grow()
  readonly #b = growUnset()
  readonly #alpha = growUnset()
  readonly #scale = growUnset()
  readonly #tops = growUnset()
  readonly #sums = growUnset()
  readonly #logs = growCodes()
  readonly tables: ChainTables[] = []
  /** Of a long sequence: ln α before each segment but the first, at (s·P + p)·k + l. */
  borders: Float64Array | undefined
  /** And its last segments, as far as they are kept. */
  segments: ChainWork[] = []
  held: Held = {
    scores: NOTHING,
    contexts: [],
    sums: NOTHING,
    logs: new Int32Array(0),
  }
  body: Work

  /** Steps and rows that there is room for now. */
  #steps = -1
  #rows = -1

  reserve(k: number, slots: number, steps: number, rows: number): Held {
    // a sequence that is followed asks for one step again and again
    if (steps === this.#steps && rows === this.#rows) {
      this.#scores(k * slots * steps)
      return this.held
    }
    this.#steps = steps
    this.#rows = rows
    const size = strideOf(k) * steps
    const b = this.#b(slots * size)
    const alpha = this.#alpha(slots * size)
    const scale = this.#scale(slots * steps)
    const tops = this.#tops(slots * steps)
    const part = (all: Float64Array, p: number, length: number): Float64Array =>
      slots === 1 ? all : all.subarray(p * length, (p + 1) * length)
    this.held = {
      scores: this.#scores(k * slots * steps),
      contexts: Array.from({ length: slots }, (_, p) => ({
        b: part(b, p, size),
        alpha: part(alpha, p, size),
        scale: part(scale, p, steps),
        tops: part(tops, p, steps),
      })),
      sums: this.#sums(slots * rows),
      logs: this.#logs(slots * rows),
    }
    return this.held
  }
}
