/** Laws of posteriors: what every belief about the parameters of a family satisfies (contract/belief.ts). Spreads are those of the rows, and stay. */

import type { Block, Dice, Leaf } from "suffice"
import type { Belief, Json } from "suffice/contract"
import { beliefs } from "suffice/learn"
import {
  absorbed,
  type Bound,
  bagsAddUp,
  blockOf,
  bound,
  each,
  type FamilySubject,
  scored,
  support,
} from "./bound.ts"
import type { Law } from "./law.ts"
import { must, near } from "./must.ts"
import { exp } from "./numbers.ts"
import { bagsOf } from "./probe.ts"

interface Believed extends Bound {
  readonly belief: Belief
  readonly expected: Leaf
  readonly predictive: Leaf
  readonly spread: Float64Array
  /** How much of each row belongs to each slot, and the statistics of that. */
  readonly weights: Float64Array
  readonly rows: Float64Array
}

function applies({ family, kind }: FamilySubject): true | string {
  if (!beliefs.some(({ family }) => family === kind.name)) return "the family has no posterior here"
  const { need } = family
  return need.kind !== "bag" || (need.text.scaling ?? "raw") === "raw" || "a scaled document has no posterior"
}

async function believed(
  subject: FamilySubject,
  trial: { dice: Dice; rows: number },
  more = {},
): Promise<Believed> {
  const found = await bound(subject, trial)
  const { leaf, node, block } = found
  const { family, columns, given, places } = node
  const options = { ...subject.family.options, ...more }
  const kind = beliefs.find(kind => kind.family === family)!
  const belief = kind.of(leaf, { family, options, columns, given, places, isChoice: false })
  const weights = inTurn(block, leaf.shape.slots, trial.dice)
  const rows = absorbed(leaf, block, found.params, each(weights))
  const spread = new Float64Array(leaf.spread?.length ?? 0)
  leaf.spread?.estimate(rows, spread)
  return { ...found, belief, expected: belief.expected, predictive: belief.predictive, spread, weights, rows }
}

/** Row i belongs to slot i mod 3, and a little to the others: no count is 0, and no two are the same. */
function inTurn({ rows }: Block, slots: number, dice: Dice): Float64Array {
  return Float64Array.from({ length: rows * slots }, (_, j) =>
    (j % rows) % slots === Math.floor(j / rows) ? 1 : 0.1 * dice.uniform(),
  )
}

function solved({ spread }: Believed, leaf: Leaf, stats: Float64Array, strength = 1): Float64Array {
  const params = new Float64Array(leaf.shape.parameters)
  leaf.solve(stats, strength, params, spread)
  return params
}

function logNormaliser({ belief, spread }: Believed, stats: Float64Array): number {
  const q = new Float64Array(belief.numbers)
  belief.posterior(stats, 1, spread, q)
  return belief.logNormaliser(q)
}

/** The statistics of row i in slot p. */
function ofRow({ leaf, block, params }: Believed, i: number, p: number): Float64Array {
  const weights = new Float64Array(leaf.shape.slots * block.rows)
  weights[p * block.rows + i] = 1
  return absorbed(leaf, block, params, each(weights))
}

/** Numbers of a description, in order. */
function numbersIn(value: Json): number[] {
  if (typeof value === "number") return [value]
  if (typeof value !== "object" || value === null) return []
  // where a regression has its x is no parameter of it
  return Object.entries(value).flatMap(([name, inner]) => (name === "on" ? [] : numbersIn(inner)))
}

export const beliefLaws: readonly Law<FamilySubject>[] = [
  {
    id: "P1",
    name: "the evidence is the sum of one-step-ahead log-predictives, in any order",
    applies,
    async check(subject, { dice }) {
      const found = await believed(subject, { dice, rows: 18 })
      const { leaf, predictive, block } = found
      const order = Int32Array.from({ length: block.rows }, (_, i) => i)
      dice.shuffle(order)
      const stats = new Float64Array(leaf.shape.statistics)
      let sum = 0
      for (const i of order) {
        const p = i % leaf.shape.slots
        sum += scored(predictive, block, solved(found, predictive, stats))[p * block.rows + i]
        ofRow(found, i, p).forEach((value, j) => {
          stats[j] += value
        })
      }
      const none = logNormaliser(found, new Float64Array(leaf.shape.statistics))
      near(logNormaliser(found, stats) - none, sum, 1e-10, "ln p(rows)")
    },
  },
  {
    id: "P2",
    name: "expected log-densities are the derivative of the log-normaliser",
    applies,
    async check(subject, { dice, rows }) {
      const sticks = subject.kind.name === "categorical" ? { weights: "sticks", concentration: 0.7 } : {}
      const found = await believed(subject, { dice, rows }, sticks)
      const { expected, block, leaf } = found
      const params = solved(found, expected, found.rows)
      const scores = scored(expected, block, params)
      const h = 1e-4
      for (let i = 0; i < Math.min(block.rows, 12); i++) {
        for (let p = 0; p < leaf.shape.slots; p++) {
          const own = ofRow(found, i, p)
          const at = (t: number): number =>
            logNormaliser(
              found,
              found.rows.map((value, j) => value + t * own[j]),
            )
          near((at(h) - at(-h)) / (2 * h), scores[p * block.rows + i], 1e-6, `E[ln p(row ${i})] in slot ${p}`)
        }
      }
      let sum = 0
      found.weights.forEach((weight, j) => {
        sum += weight * scores[j]
      })
      near(expected.value(found.rows, params), sum, 1e-10, "the value of the rows")
    },
  },
  {
    id: "P3",
    name: "predictives add up to one",
    applies,
    async check(subject, trial) {
      const found = await believed(subject, trial)
      const { predictive, column } = found
      const params = solved(found, predictive, found.rows)
      if (column.kind === "bag") {
        bagsAddUp(found, column, predictive, params)
        return
      }
      const { block, measure } = support(found)!
      const scores = scored(predictive, block, params)
      for (let p = 0; p < predictive.shape.slots; p++) {
        let sum = 0
        for (let i = 0; i < block.rows; i++) sum += exp(scores[p * block.rows + i]) * measure[i]
        near(sum, 1, 1e-6, `the total probability of slot ${p}`)
      }
    },
  },
  {
    id: "P3.limit",
    name: "with many rows the predictive is that of the estimate",
    applies,
    async check(subject, trial) {
      const found = await believed(subject, trial)
      const { leaf, predictive, block } = found
      const differences = [1e3, 1e5].map(times => {
        const stats = found.rows.map(value => times * value)
        const plain = scored(leaf, block, solved(found, leaf, stats, 1))
        const own = scored(predictive, block, solved(found, predictive, stats))
        return times * plain.reduce((most, value, j) => Math.max(most, Math.abs(value - own[j])), 0)
      })
      must(
        differences[1] < 3 * differences[0] + 1,
        () => `n times the difference grows from ${differences[0]} to ${differences[1]}.`,
      )
    },
  },
  {
    id: "P5",
    name: "parameters drawn from the prior have uniform ranks among draws from the posterior of rows they draw",
    applies,
    async check(subject, { dice }) {
      const found = await believed(subject, { dice, rows: 24 })
      const { leaf, belief, spread } = found
      const q = new Float64Array(belief.numbers)
      const params = new Float64Array(leaf.shape.parameters)
      const ranks: Int32Array[] = []
      for (let replicate = 0; replicate < REPLICATES; replicate++) {
        belief.posterior(new Float64Array(leaf.shape.statistics), 1, spread, q)
        belief.draw(q, dice, params)
        const truth = described(leaf, params)
        const stats = new Float64Array(leaf.shape.statistics)
        for (let i = 0; i < 4 * leaf.shape.slots; i++) {
          const p = i % leaf.shape.slots
          const block = blank(found, dice)
          leaf.sample(params, p, block, dice)
          const weights = new Float64Array(leaf.shape.slots)
          weights[p] = 1
          absorbed(leaf, block, params, each(weights)).forEach((value, j) => {
            stats[j] += value
          })
        }
        belief.posterior(stats, 1, spread, q)
        const below = new Int32Array(truth.length)
        for (let draw = 0; draw < RANKS - 1; draw++) {
          belief.draw(q, dice, params)
          described(leaf, params).forEach((value, j) => {
            if (value < truth[j]) below[j]++
          })
        }
        below.forEach((rank, j) => {
          ranks[j] ??= new Int32Array(RANKS)
          ranks[j][rank]++
        })
      }
      ranks.forEach((counts, j) => {
        const wanted = REPLICATES / RANKS
        const square = counts.reduce((sum, count) => sum + ((count - wanted) * (count - wanted)) / wanted, 0)
        // what is given, and no parameter, is never below: its rank is always the same
        const isConstant = counts.some(count => count === REPLICATES)
        must(
          square < WORST || isConstant,
          () => `the ranks of parameter ${j} are ${counts.join(" ")}: χ² = ${square}.`,
        )
      })
    },
  },
  {
    id: "P7",
    name: "a prior of endless strength predicts as it did before any row",
    applies,
    async check(subject, trial) {
      const found = await believed(subject, trial)
      const { predictive, block, leaf } = found
      const after = scored(predictive, block, solved(found, predictive, found.rows, 1e11))
      const before = scored(
        predictive,
        block,
        solved(found, predictive, new Float64Array(leaf.shape.statistics), 1e11),
      )
      after.forEach((value, j) => {
        near(value, before[j], 1e-5, `ln p, entry ${j}`)
      })
    },
  },
]

const REPLICATES = 80
const RANKS = 8
/** χ² with 7 degrees of freedom is above this once in 10⁸. */
const WORST = 50

function described(leaf: Leaf, params: Float64Array): number[] {
  return Array.from({ length: leaf.shape.slots }, (_, p) => numbersIn(leaf.describe(params, p))).flat()
}

/** A row to draw the leaf's cells of, what it reads as in some row of the data. */
function blank(found: Bound, dice: Dice): Block {
  const { column, block } = found
  const missing =
    column.kind === "bag"
      ? bagsOf(Int32Array.of(0, 0), new Int32Array(5), new Float64Array(5))
      : column.kind === "level"
        ? Int32Array.of(-1)
        : Float64Array.of(Number.NaN)
  const other = dice.integer(block.rows)
  const one = blockOf(found, missing, 1)
  return {
    ...one,
    cells: one.cells.map((cells, c) =>
      cells !== missing && cells instanceof Float64Array
        ? Float64Array.of((block.cells[c] as Float64Array)[other])
        : cells,
    ),
  }
}
