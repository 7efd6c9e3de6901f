/** The laid-out tree: log-densities go up, weights come down. */
import type { Block, Encoded, Weights } from "./block.ts"
import type { Level } from "./cells.ts"
import type { Dice } from "./dice.ts"
import type { Work } from "./leaf.ts"
import type { Part } from "./part.ts"
import type { Description } from "./report.ts"

/** A laid-out model. P = `slots` contexts; every matrix is P × rows, slots outer, rows inner. */
export interface Node {
  readonly slots: number
  /** Those it models; what it reads is not among them. */
  readonly columns: ReadonlySet<string>
  /**
   * out[p·rows + i] += ln p(row i | context p); `upToConstant`: what a row has in common for all contexts may be left out. Returns what `down` needs; `spent` is an
   * earlier one that may be overwritten.
   */
  up(block: Block, params: Float64Array, out: Float64Array, upToConstant?: boolean, spent?: Work): Work
  /** Hand the weights on: to the sink, and to the nodes below. `work`: what `up` returned for the same block, as it was then; none is needed where nothing is hidden. */
  down(block: Block, params: Float64Array, weights: Weights, sink: Sink, work?: Work): void
  /**
   * out[(l·P + p)·rows + i] = ln p(row i, column = l | context p), for every level l, where there are zeros; whatever the row says of the column
   * is ignored. `upToConstant`: what a row has in common for all levels and contexts may be left out. Returns a work, which
   * `pass` takes where the node is a switch over the column; `spent` is an earlier one that may be overwritten.
   */
  open(
    block: Block,
    params: Float64Array,
    column: string,
    out: Float64Array,
    upToConstant?: boolean,
    spent?: Work,
  ): Work
  /**
   * The best wrong value of a column in each row, where there are too many to `open` them: ȳ is the value other than the row's own, y, with the largest
   * margin(y, ȳ) + ln p(row, ȳ). The margin between two values is the given one, or for values of several steps that of each step in which they differ.
   * Absent, or undefined: the values can be enumerated.
   */
  rival?(block: Block, params: Float64Array, column: string, margin: number): Rival | undefined
  /** As `down`, with first guesses for what is hidden (k-means++ or dice) instead of responsibilities. */
  start(block: Block, params: Float64Array, weights: Weights, dice: Dice, sink: GuessingSink): void
  /** What owns parameters in this subtree, depth first, and what chooses. */
  parts(): Iterable<Part>
  switches(): Iterable<SwitchNode>
  /** stats += Σ_p mass[p] · E[s | θ, context p]: back from θ to η. */
  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /**
   * Visit every part with the masses of its contexts, as far as these statistics tell: those of this node are given, those below a switch are its counts.
   * Undefined: no part counts these contexts (values of several parents, steps of nested rows). A part there goes by the mass it holds itself.
   */
  descend(
    stats: Float64Array,
    mass: Float64Array | undefined,
    visit: (part: Part, mass: Float64Array | undefined) => void,
  ): void
  /** The same, each with the names of its slots: the values of the switches above it. `names` are those of this node's contexts. */
  contexts(names: readonly string[]): Iterable<readonly [Part, readonly string[]]>
  describe(params: Float64Array, slot: number): Description
  /** The inverse of describe: stats += mass · E[s | description] for context `slot`. */
  adopt(description: Description, slot: number, mass: number, stats: Float64Array): void
  /** Draw everything the block's row 0 does not hold, in context `slot`, given what it holds; `chosen` hears of hidden switches. */
  sample(block: Block, params: Float64Array, slot: number, dice: Dice, chosen?: Chosen): void
}

/** What rows are set against; see Node.rival. */
export interface Rival {
  /** ȳ of each row, as cells of the column; missing where there is none. */
  readonly cells: Encoded
  /** margin(y, ȳ) − ( ln p(row, y) − ln p(row, ȳ) ): what the row loses, where it is above 0. 0 where there is no rival. */
  readonly shortfall: Float64Array
}

/** A node that chooses among bodies. Value l of context p is slot l·P + p below, and entry l·P + p of its part's statistics. */
export interface SwitchNode extends Node {
  readonly part: Part
  readonly column: string
  readonly hidden: boolean
  readonly levels: readonly Level[]
  /** `down` with the weights of the values given: slot l·P + p, signed under sdEM. `work`: what `open` of its column returned for the same block. */
  pass(block: Block, params: Float64Array, weights: Weights, sink: Sink, work: Work): void
  /** A starved value starts again at one row: its branch absorbs row 0 of the block with this weight. */
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

/** Where the weights of a downward pass go: statistics, rows, or leaf scores. */
export interface Sink {
  /** `work`: what its score returned for the block, where an upward pass came before. */
  leaf(part: Part, block: Block, weights: Weights, work?: Work): void
  /**
   * Weights of the values that a part chooses: slot value·slots + p. `guessed`: some of them depended on θ. `entropy`: Σ w H(value | row), where the
   * weights are the switch's own.
   */
  choice(part: Part, block: Block, weights: Weights, guessed: boolean, entropy?: number): void
}

/** A switch that wants the values of its rows guessed. */
export interface Guess {
  readonly node: SwitchNode
  readonly block: Block
  readonly weights: Weights
  readonly label: Int32Array | undefined
  readonly dice: Dice
}

/** A sink that guesses. */
export interface GuessingSink extends Sink {
  /** values[(l·P + p)·rows + i], the weight of row i in value l of context p. */
  guess(asked: Guess): Float64Array
  /** As `leaf`, for a part in which something may hide: Leaf.start. */
  start(part: Part, block: Block, weights: Weights, dice: Dice, value?: number): void
}

/** The value a hidden switch took in a drawn row. */
export type Chosen = (column: string, level: Level) => void
