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
  /** out[p·rows + i] += ln p(row i | context p). `upToConstant`: terms common to all contexts may be omitted. Returns work for `down`. */
  up(block: Block, params: Float64Array, out: Float64Array, upToConstant?: boolean, reuse?: Work): Work
  /** Passes the weights to the sink and the nodes below. `work`: result of `up`; unused without latent variables. */
  down(block: Block, params: Float64Array, weights: Weights, sink: Sink, work?: Work): void
  /** out[(l·P + p)·rows + i] ← ln p(row i, column = l | context p) for every level l; zeros on entry. Returns work for `pass` of a switch over the column. */
  open(
    block: Block,
    params: Float64Array,
    column: string,
    out: Float64Array,
    upToConstant?: boolean,
    reuse?: Work,
  ): Work
  /** As `down`, with first guesses (k-means++ or random) instead of responsibilities. */
  start(block: Block, params: Float64Array, weights: Weights, dice: Dice, sink: GuessingSink): void
  /** stats += Σ_p mass[p] · E[s | θ, context p]: from θ back to η. */
  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /** Visits every part with its context masses. Undefined if no part counts these contexts (several parents, steps). */
  descend(
    stats: Float64Array,
    mass: Float64Array | undefined,
    visit: (part: Part, mass: Float64Array | undefined) => void,
  ): void
  describe(params: Float64Array, slot: number): Description
  /** Inverse of `describe`: stats += mass · E[s | description] in context `slot`. */
  adopt(description: Description, slot: number, mass: number, stats: Float64Array): void
  /** Draws the missing cells of row 0 in context `slot`, given the others. `chosen` receives values of hidden switches. */
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
  /** out of a column, at i·levels + l, ← p(column = l | row i) in one context; logs[i] += ln p(row i). Undefined: use `open` column by column. */
  marginals?(
    block: Block,
    params: Float64Array,
    out: ReadonlyMap<string, Float64Array>,
    logs: Float64Array,
  ): void
  /** ȳ = argmax over ȳ ≠ y of margin(y, ȳ) + ln p(row, ȳ) in each row, the margin per differing step. Undefined if values can be enumerated. */
  rival?(block: Block, params: Float64Array, column: string, margin: number): Rival | undefined
  /** heights[p] += max ln p(row 0, missing levels | context p), missing numbers integrated out. Returns a reader of these levels. */
  best?(block: Block, params: Float64Array, heights: Float64Array): (slot: number, chosen: Chosen) => void
}

/** Most violating values; see Joint.rival. */
export interface Rival {
  /** ȳ of each row, as cells of the column; missing if there is none. */
  readonly cells: Encoded
  /** y, its missing steps completed by the most probable values. Undefined if y is complete. */
  readonly right?: Encoded
  /** margin(y, ȳ) − ( ln p(row, y) − ln p(row, ȳ) ), the hinge loss if positive; 0 without a rival. */
  readonly shortfall: Float64Array
  /** Result of `up`, if it is the same for y and ȳ: neither needs an upward pass. */
  readonly work?: Work
}

/** Paths in one context and their scores; −1 and −∞ if none, −1 and 0 for rows without an observed value. */
export interface PathRival {
  /** The best path with a margin per observed value that it misses, included in its height. */
  readonly wrong: { readonly path: Int32Array; readonly heights: Float64Array }
  /** The best path with all observed values. */
  readonly right: { readonly path: Int32Array; readonly heights: Float64Array }
}

/** A choice among bodies. Value l in context p is slot l·P + p below, and entry l·P + p of its statistics. */
export interface SwitchNode extends Node {
  readonly part: Part
  readonly column: string
  readonly hidden: boolean
  readonly levels: readonly Level[]
  /** `down` with given weights of the values: slot l·P + p, signed under sdEM. `work`: result of `open`. */
  pass(block: Block, params: Float64Array, weights: Weights, sink: Sink, work: Work): void
  /** Undefined unless the switch is the state of a chain; its blocks then have rows with steps. */
  readonly walk?: Walk
  /** Restarts a starved value: its body absorbs row 0 of the block with this weight. */
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

/** State sequences of a chain along the steps of a row. */
export interface Walk {
  /** Most probable state sequence of each row, in its context, and ln p(steps, states); −1 and −∞ if none. */
  paths(
    block: Block,
    params: Float64Array,
    contexts: Int32Array,
  ): { readonly codes: Int32Array; readonly heights: Float64Array }
  /** out[t·k + l] ← p(state of step t = l | steps up to t), in one context. */
  filtered(block: Block, params: Float64Array, out: Float64Array): void
  /** alpha ← p(state | steps up to this one), from the alpha before. Returns ln p(step | steps before). `steps`: one step. */
  advance(steps: Block, params: Float64Array, alpha: Float64Array, isFirst: boolean): number
  /** p(state = l), at h·k + l, of future step h, from the last alpha. The sink receives the weights below, on these unobserved `steps`. */
  ahead(steps: Block, params: Float64Array, alpha: Float64Array, isFirst: boolean, sink: Sink): Float64Array
  /** Draws the states and missing cells of steps of one row, from `from` on, given the alpha of the step before. */
  draw(
    steps: Block,
    from: number,
    params: Float64Array,
    alpha: Float64Array,
    isFirst: boolean,
    dice: Dice,
  ): void
  /** Messages from the steps before and after each step, of one row, in one context (default 0). */
  sides(block: Block, params: Float64Array, context?: number): Sides
  /** Model of a step, with one context per state and context of the chain. */
  readonly body: Node
  /** Draws the length of a sequence, at most `most`. Undefined if ends are not modelled. */
  length?(params: Float64Array, dice: Dice, most: number): number
  /** Most violating paths, by context. Undefined if states are never observed. */
  rivals?(block: Block, params: Float64Array, margin: number): readonly PathRival[]
}

/** In logarithms, at t·k + l. */
export interface Sides {
  /** ln p(state of step t = l | steps before t). */
  readonly past: Float64Array
  /** ln p(steps after t | state of step t = l), up to a constant per step. */
  readonly future: Float64Array
  /** ln p(step t | steps before t), at t. */
  readonly steps: Float64Array
}

/** Receives the weights of a downward pass, for statistics, posteriors or explanations. */
export interface Sink {
  /** True if unobserved states have weight 0; there was no upward pass. */
  readonly waits?: boolean
  /** True if all steps of a row must come in one block. */
  readonly whole?: boolean
  /** `work`: result of the leaf's `score`. `guessed`: true if weights or filled-in levels depend on θ without a choice. */
  leaf(part: Part, block: Block, weights: Weights, work?: Work, guessed?: boolean): void
  /** A missing number with normal posterior, in encoded units. Undefined: the part receives sigma points with the same statistics. */
  normal?(part: Part, row: number, weight: number, mean: number, variance: number): void
  /** As `leaf`, for all parts of a bank. Undefined: parts come one by one. */
  bank?(bank: BankedParts, block: Block, weights: Weights): void
  /** Weights of the values of a choice: slot value·slots + p. `guessed`: true if some depend on θ. `entropy`: Σ w H(value | row), for responsibilities. */
  choice(part: Part, block: Block, weights: Weights, guessed: boolean, entropy?: number): void
}

/** Draws first guesses. */
export interface GuessingSink extends Sink {
  /** values[(l·P + p)·rows + i]: the guessed weight of row i in value l of context p. */
  guess(asked: Guess): Float64Array
  /** True for later runs: missing cells of a network then also start at random. */
  readonly isAgain?: boolean
  /** As `leaf`, for a part that may have latent values (Latent.start). */
  start(part: Part, block: Block, weights: Weights, dice: Dice, value?: number): void
}

/** Request for first guesses of the values of a switch. */
export interface Guess {
  readonly node: SwitchNode
  readonly block: Block
  readonly weights: Weights
  readonly label: Int32Array | undefined
  readonly dice: Dice
}

/** Receives the value of a hidden switch or a missing column. */
export type Chosen = (column: string, level: Level) => void
