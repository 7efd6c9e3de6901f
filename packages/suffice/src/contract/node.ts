/** The laid-out tree: log-densities go up, weights come down. */
import type { BankedParts } from "./bank.ts"
import type { Block, Encoded, Weights } from "./block.ts"
import type { Level } from "./cells.ts"
import type { Dice } from "./dice.ts"
import type { Work } from "./leaf.ts"
import type { Part } from "./part.ts"
import type { Description } from "./report.ts"

/** A laid-out model. P = `slots` contexts; every matrix is P × rows, slots outer, rows inner. */
export interface Node {
  readonly slots: number
  readonly tree: Subtree
  /**
   * out[p·rows + i] += ln p(row i | context p). `upToConstant`: a term that is the same for all contexts of a row may be left out. Returns
   * what `down` needs; `reuse` is an earlier result that may be overwritten.
   */
  up(block: Block, params: Float64Array, out: Float64Array, upToConstant?: boolean, reuse?: Work): Work
  /** Pass the weights on to the sink and to the nodes below. `work`: what `up` returned for this block; not needed if nothing is hidden. */
  down(block: Block, params: Float64Array, weights: Weights, sink: Sink, work?: Work): void
  /**
   * out[(l·P + p)·rows + i] = ln p(row i, column = l | context p) for every level l, ignoring the row's own cell; `out` is zeros on entry.
   * `upToConstant`: a term that is the same for all levels and contexts of a row may be left out. Returns what `pass` needs, if the
   * node is a switch over the column; `reuse` is an earlier result that may be overwritten.
   */
  open(
    block: Block,
    params: Float64Array,
    column: string,
    out: Float64Array,
    upToConstant?: boolean,
    reuse?: Work,
  ): Work
  /** As `down`, with first guesses for hidden values (k-means++ or dice) instead of responsibilities. */
  start(block: Block, params: Float64Array, weights: Weights, dice: Dice, sink: GuessingSink): void
  /** stats += Σ_p mass[p] · E[s | θ, context p]: from θ back to η. */
  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /**
   * Visit every part with the masses of its contexts: `mass` at this node, the counts of a switch below it. Undefined if no part counts these
   * contexts (values of several parents, steps of nested rows): there, a part's own statistics tell its mass.
   */
  descend(
    stats: Float64Array,
    mass: Float64Array | undefined,
    visit: (part: Part, mass: Float64Array | undefined) => void,
  ): void
  describe(params: Float64Array, slot: number): Description
  /** The inverse of `describe`: stats += mass · E[s | description] in context `slot`. */
  adopt(description: Description, slot: number, mass: number, stats: Float64Array): void
  /** Draw the missing cells of row 0 in context `slot`, given the others. `chosen` is told the values of hidden switches. */
  sample(block: Block, params: Float64Array, slot: number, dice: Dice, chosen?: Chosen): void
  /** Undefined if values are summed out one column at a time. */
  readonly joint?: Joint
}

/** Columns, parts and switches of a node and those below it. */
export interface Subtree {
  /** The modelled columns, without those it only conditions on. */
  readonly columns: ReadonlySet<string>
  /** Parts, depth first. */
  parts(): Iterable<Part>
  /** Switches, depth first. */
  switches(): Iterable<SwitchNode>
  /** Every part with the names of its contexts: the values of the switches above. `names`: contexts of this node. */
  contexts(names: readonly string[]): Iterable<readonly [Part, readonly string[]]>
}

/** Joint inference over several values. */
export interface Joint {
  /**
   * Every column with levels at once, in one context: out of a name, at i·levels + l, becomes p(column = l | row i), 1 for a level that is seen, and logs[i] += ln p(row i).
   * Absent: `open` tells column by column.
   */
  marginals?(
    block: Block,
    params: Float64Array,
    out: ReadonlyMap<string, Float64Array>,
    logs: Float64Array,
  ): void
  /**
   * The best wrong value of the column in each row: ȳ = argmax over ȳ ≠ y of margin(y, ȳ) + ln p(row, ȳ), for columns with too many values for
   * `open`. If a value spans several steps, margin(y, ȳ) counts the given margin once per step in which they differ.
   * Absent, or undefined: the values can be enumerated.
   */
  rival?(block: Block, params: Float64Array, column: string, margin: number): Rival | undefined
  /**
   * The most probable values of all that is missing in row 0 and has levels, together: heights[p] += ln p(row 0, values | context p), missing numbers integrated out. Returns what
   * tells them in a context. Absent: what is missing in it is summed out.
   */
  best?(block: Block, params: Float64Array, heights: Float64Array): (slot: number, chosen: Chosen) => void
}

/** The best wrong values that rows are compared with; see Joint.rival. */
export interface Rival {
  /** ȳ of each row, as cells of the column; missing if there is none. */
  readonly cells: Encoded
  /** y itself, where it is seen only in part: completed by its most probable values. Absent: y as it is. */
  readonly right?: Encoded
  /** margin(y, ȳ) − ( ln p(row, y) − ln p(row, ȳ) ): the hinge loss, where it is above 0. 0 if there is no rival. */
  readonly shortfall: Float64Array
  /** What `up` would leave for `down` of either of them, where that does not depend on which: then neither needs an upward pass. */
  readonly work?: Work
}

/** Paths of rows in one context, and what they score; −1 and −∞ if there is none, −1 and 0 for rows without a seen value. */
export interface PathRival {
  /** The best path with a margin for each seen value that it misses, which its height includes. */
  readonly wrong: { readonly path: Int32Array; readonly heights: Float64Array }
  /** The best path with all seen values. */
  readonly right: { readonly path: Int32Array; readonly heights: Float64Array }
}

/** A node that chooses among bodies. Value l in context p is slot l·P + p below, and entry l·P + p of its part's statistics. */
export interface SwitchNode extends Node {
  readonly part: Part
  readonly column: string
  readonly hidden: boolean
  readonly levels: readonly Level[]
  /** `down` with given weights of the values: slot l·P + p, signed under sdEM. `work`: what `open` of its column returned for this block. */
  pass(block: Block, params: Float64Array, weights: Weights, sink: Sink, work: Work): void
  /** Present if the switch is the state of a chain: `block` is then one of rows that have the steps. */
  readonly walk?: Walk
  /** Restart a starved value at one row: its body absorbs row 0 of the block with this weight. */
  seed(
    block: Block,
    params: Float64Array,
    slot: number,
    level: number,
    weight: number,
    dice: Dice,
    sink: GuessingSink,
  ): void
}

/** The values of a switch along the steps of a row: each depends on the one before. */
export interface Walk {
  /** The most probable values of each row's steps, in the row's context, and ln p(steps, values); −1 and −∞ if there are none. */
  paths(
    block: Block,
    params: Float64Array,
    contexts: Int32Array,
  ): { readonly codes: Int32Array; readonly heights: Float64Array }
  /** out[t·k + l] ← p(value of step t = l | this row's steps up to t), in one context. */
  filtered(block: Block, params: Float64Array, out: Float64Array): void
  /** alpha ← p(value | this step and those before it), in one context, from that of the step before. Returns ln p(step | those before). `steps`: a block of one step. */
  advance(steps: Block, params: Float64Array, alpha: Float64Array, isFirst: boolean): number
  /**
   * p(value), at h·k + l, of the step h = 0, 1, … after the last one, in one context, from the alpha of that one: if the steps go on so long. `isFirst`: there is none yet.
   * What stands below is handed to the sink, on these `steps` in which nothing is seen.
   */
  ahead(steps: Block, params: Float64Array, alpha: Float64Array, isFirst: boolean, sink: Sink): Float64Array
  /** Draws the values of steps from `from` on, in one context, given the alpha of the step before, and their missing cells. The block is one row's steps. */
  draw(
    steps: Block,
    from: number,
    params: Float64Array,
    alpha: Float64Array,
    isFirst: boolean,
    dice: Dice,
  ): void
  /** What the steps before and after each step say of its value, in a block of one row and in one context, 0 by default. */
  sides(block: Block, params: Float64Array, context?: number): Sides
  /** The model of a step, in one context per value and context of the chain. */
  readonly body: Node
  /** How many steps a sequence has, drawn, in one context; at most `most`. Absent if the end is not modelled. */
  length?(params: Float64Array, dice: Dice, most: number): number
  /** The best wrong paths, by context; absent if the values are never seen. */
  rivals?(block: Block, params: Float64Array, margin: number): readonly PathRival[]
}

/** In logarithms, at t·k + l. */
export interface Sides {
  /** ln p(value of step t = l | the steps before it). */
  readonly past: Float64Array
  /** ln p(the steps after t | value of step t = l), but for a term that the values share. */
  readonly future: Float64Array
  /** ln p(step t | the steps before it), at t. */
  readonly steps: Float64Array
}

/** Receives the weights of a downward pass, and makes statistics, posteriors or explanations of them. */
export interface Sink {
  /** What is not seen of the values along steps counts nothing; no upward pass was made. */
  readonly waits?: boolean
  /** It tells steps of a row by their place: they come all at once, however many there are. */
  readonly whole?: boolean
  /**
   * `work`: what the leaf's `score` returned for this block, if there was an upward pass. `guessed`: the weights, or the levels that stand in the block for
   * missing ones, depend on θ, and no choice says so.
   */
  leaf(part: Part, block: Block, weights: Weights, work?: Work, guessed?: boolean): void
  /**
   * A missing number of row i that is known in distribution, given numbers that depend on it: with this weight it is normal, in encoded units. Absent: the part gets rows with
   * the number in place instead, which have the same statistics.
   */
  normal?(part: Part, row: number, weight: number, mean: number, variance: number): void
  /** As `leaf` for each part of a bank. Absent: it wants them one by one. */
  bank?(bank: BankedParts, block: Block, weights: Weights): void
  /**
   * The weights of the values that a part chooses: slot value·slots + p. `guessed`: some of them depend on θ. `entropy`: Σ w H(value | row), if
   * the weights are the switch's own responsibilities.
   */
  choice(part: Part, block: Block, weights: Weights, guessed: boolean, entropy?: number): void
}

/** A sink that makes the first guesses. */
export interface GuessingSink extends Sink {
  /** values[(l·P + p)·rows + i]: the guessed weight of row i in value l of context p. */
  guess(asked: Guess): Float64Array
  /** Not the first run: it is to begin elsewhere, also where the first one is told by no dice (missing cells of a network). */
  readonly isAgain?: boolean
  /** As `leaf`, for a part that may have hidden values (Leaf.start). */
  start(part: Part, block: Block, weights: Weights, dice: Dice, value?: number): void
}

/** A switch that asks for first guesses of its values. */
export interface Guess {
  readonly node: SwitchNode
  readonly block: Block
  readonly weights: Weights
  readonly label: Int32Array | undefined
  readonly dice: Dice
}

/** Told the value of a hidden switch, or of a missing column. */
export type Chosen = (column: string, level: Level) => void
