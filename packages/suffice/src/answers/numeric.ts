/**
 * The predictive distribution of a number, given the rest of the row: a mixture over the slots of its leaf.
 *
 *     p(x | rest) = Σ_p r_p p(x | rest, slot p)        r: the weights of the downward pass at the leaf
 */

import type { Block, Encoded, Weights } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Sink } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import { namesOf } from "../engine/parts.ts"
import { rootWeights } from "../engine/sweep.ts"
import { exp } from "../kernels/exp.ts"
import type { SolvedModel } from "./knowledge.ts"
import { type Belief, mixtureOf, type Share } from "./number-mixture.ts"

/** A leaf, and the weights that came down to its slots: arrays over the rows of the block, or over their steps. */
export interface Reached {
  readonly part: Part
  /** As the leaf received it: the level of a missing cell may be guessed there (structures/network). */
  readonly block: Block
  readonly weights: readonly Float64Array[]
  /** Rows in which the column is known in distribution, whatever their weights. */
  readonly normals?: Normal[]
}

/** A number of one row: with this weight it is normal. */
interface Normal {
  readonly row: number
  readonly weight: number
  readonly mean: number
  readonly variance: number
}

/** The leaves over some of these columns, in one upward and one downward pass. `choice` receives what is delivered to the switches. */
export function reach(
  { known, params }: SolvedModel,
  block: Block,
  columns: ReadonlySet<string>,
  choice: Sink["choice"] = () => undefined,
): Reached[] {
  const leaves: Reached[] = []
  const { root } = known.laid
  const work = root.up(block, params, new Float64Array(block.rows))
  root.down(block, params, rootWeights(block), catching(columns, leaves, choice), work)
  return leaves
}

/** A sink that keeps what is delivered to the leaves over some of these columns. */
export function catching(
  columns: ReadonlySet<string>,
  leaves: Reached[],
  choice: Sink["choice"] = () => undefined,
): Sink {
  return new Catching(columns, leaves, choice)
}

/** A class, as a closure for each kind of delivery would be made with every step that is followed. */
class Catching implements Sink {
  readonly whole = true
  readonly #columns: ReadonlySet<string>
  readonly #leaves: Reached[]
  readonly choice: Sink["choice"]

  constructor(columns: ReadonlySet<string>, leaves: Reached[], choice: Sink["choice"]) {
    this.#columns = columns
    this.#leaves = leaves
    this.choice = choice
  }

  leaf(part: Part, own: Block, weights: Weights): void {
    if (!namesOf(part).some(name => this.#columns.has(name))) return
    this.#leaves.push({
      part,
      block: own,
      weights: Array.from({ length: part.leaf.shape.slots }, (_, slot) => weightsOf(weights, slot, own)),
    })
  }

  normal(part: Part, row: number, weight: number, mean: number, variance: number): void {
    if (!namesOf(part).some(name => this.#columns.has(name))) return
    let found = this.#leaves.find(leaf => leaf.part === part && leaf.normals)
    if (!found) {
      found = { part, block: NO_ROWS, weights: [], normals: [] }
      this.#leaves.push(found)
    }
    found.normals!.push({ row, weight, mean, variance })
  }
}

const NO_ROWS: Block = { rows: 0, weight: new Float64Array(0), cells: [] }

/** The belief about one numeric column in every row of the block (of steps, if it stands there), from the leaves that `reach` found; its own cells are not used. */
export function beliefs(
  { params }: SolvedModel,
  block: Block,
  column: string,
  leaves: readonly Reached[],
): Belief {
  const shares: Share[] = []
  for (const { part, weights, block: own, normals } of leaves) {
    if (!namesOf(part).includes(column)) continue
    if (normals) {
      shares.push(...sharesOf(part.leaf, block.rows, normals))
      continue
    }
    const place = part.places[namesOf(part).indexOf(column)]
    for (let slot = 0; slot < part.leaf.shape.slots; slot++) {
      const share: Share = {
        leaf: part.leaf,
        weight: weights[slot],
        mean: new Float64Array(block.rows),
        variance: new Float64Array(block.rows),
        freedom: new Float64Array(block.rows),
      }
      part.leaf.numbers!.expect(
        own,
        part.ranges.paramsOf(params),
        slot,
        place,
        share.mean,
        share.variance,
        share.freedom,
      )
      shares.push(share)
    }
  }

  return mixtureOf(shares)
}

/** Normals of rows, as many shares as the row with the most of them has. */
function sharesOf(leaf: Leaf, rows: number, normals: readonly Normal[]): Share[] {
  const shares: Share[] = []
  const met = new Int32Array(rows)
  for (const { row, weight, mean, variance } of normals) {
    const at = met[row]++
    shares[at] ??= {
      leaf,
      weight: new Float64Array(rows),
      mean: new Float64Array(rows),
      variance: new Float64Array(rows),
      freedom: new Float64Array(rows),
    }
    shares[at].weight[row] = weight
    shares[at].mean[row] = mean
    shares[at].variance[row] = variance
  }
  return shares
}

/** The weights of one slot, row by row; every row weighs 1 in a question. */
export function weightsOf(weights: Weights, slot: number, { rows }: Block): Float64Array {
  if (weights.form === "each") return weights.values.slice(slot * rows, (slot + 1) * rows)
  return Float64Array.from({ length: rows }, (_, i) => (weights.slot[i] === slot ? weights.weight[i] : 0))
}

/** p(level | slot) of a leaf over one column: entry l·slots + p. */
export function levelOdds(part: Part, column: Column, params: Float64Array): Float64Array {
  const { levels } = column as Extract<Column, { kind: "level" }>
  const place = part.network?.stepPlace ?? part.places[0]
  const odds = new Float64Array(levels.length * part.leaf.shape.slots)
  const cells: Encoded[] = []
  levels.forEach((_, l) => {
    cells[place] = Int32Array.of(l)
    const row: Block = { rows: 1, weight: Float64Array.of(1), cells }
    part.leaf.score(
      row,
      part.ranges.paramsOf(params),
      odds.subarray(l * part.leaf.shape.slots, (l + 1) * part.leaf.shape.slots),
    )
  })
  return odds.map(exp)
}

/** out[level] += share · odds in every row; only the share where the level is observed or guessed. */
export function addShare(
  out: Float64Array,
  level: number,
  share: Float64Array,
  odds: number,
  codes?: Int32Array,
): void {
  const at = level * share.length
  for (let i = 0; i < share.length; i++) {
    const code = codes ? codes[i] : -1
    if (code < 0) out[at + i] += share[i] * odds
    else if (code === level) out[at + i] += share[i]
  }
}
