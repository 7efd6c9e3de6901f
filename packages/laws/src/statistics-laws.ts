/** What every family must satisfy: statistics add, samples agree with them, and nothing is remembered. */

import type { Block, Leaf, Weights } from "suffice"
import { absorb } from "./absorb.ts"
import {
  absorbed,
  blockOf,
  bound,
  each,
  type FamilySubject,
  momentsOf,
  scored,
  solvedFrom,
  someWeights,
} from "./bound.ts"
import type { Law } from "./law.ts"
import { allNear, must, near, noNaN, refuses, same } from "./must.ts"
import { cut } from "./probe.ts"

const notBags = (why: string) => (subject: FamilySubject) => subject.family.need.kind !== "bag" || why

export const statisticsLaws: readonly Law<FamilySubject>[] = [
  {
    id: "A7.family",
    name: "statistics are linear in the weights, in either of their forms",
    applies: () => true,
    async check(subject, trial) {
      const { leaf, block, params } = await bound(subject, trial)
      const { rows } = block
      const size = rows * leaf.shape.slots
      const a = someWeights(rows, leaf.shape.slots, trial.dice)
      const b = someWeights(rows, leaf.shape.slots, trial.dice, true)
      const both = absorbed(leaf, block, params, each(a.map((value, j) => 2 * value + b[j])))
      const one = absorbed(leaf, block, params, each(a))
      const other = absorbed(leaf, block, params, each(b))
      allNear(
        both,
        one.map((value, j) => 2 * value + other[j]),
        1e-11,
        "the statistics of 2a + b",
      )

      const slot = Int32Array.from({ length: rows }, () => trial.dice.integer(leaf.shape.slots))
      const weight = someWeights(rows, 1, trial.dice)
      const spread = new Float64Array(size)
      for (let i = 0; i < rows; i++) spread[slot[i] * rows + i] = weight[i]
      const short = absorbed(leaf, block, params, { form: "one", slot, weight })
      const long = absorbed(leaf, block, params, each(spread))
      allNear(short, long, 1e-11, 'the statistics in the form "one" and "each"')
      for (let p = 0; p < leaf.shape.slots; p++) {
        let total = 0
        for (let i = 0; i < rows; i++) total += spread[p * rows + i]
        near(leaf.mass(short, p), total, 1e-11, `the mass of slot ${p}`)
      }
      const scores = scored(leaf, block, params)
      const more = new Float64Array(size).fill(1)
      leaf.score(block, params, more)
      allNear(
        more,
        scores.map(score => score + 1),
        1e-12,
        "scores, added to what was there",
      )
      absorb(leaf, block, params, each(a), one)
      allNear(
        one,
        absorbed(leaf, block, params, each(a.map(w => 2 * w))),
        1e-11,
        "statistics, added to what was there",
      )
    },
  },
  {
    id: "A8.family",
    name: "statistics of A plus statistics of B are those of both",
    applies: () => true,
    async check(subject, trial) {
      const { leaf, block, params } = await bound(subject, trial)
      const middle = 1 + trial.dice.integer(block.rows - 1)
      const own = (part: Block): Float64Array =>
        absorbed(leaf, part, params, {
          form: "one",
          slot: Int32Array.from({ length: part.rows }, (_, i) => i % leaf.shape.slots),
          weight: part.weight,
        })
      const start = cut(block, 0, middle - (middle % leaf.shape.slots))
      const end = cut(block, start.rows, block.rows)
      const halves = own(start)
      own(end).forEach((value, j) => {
        halves[j] += value
      })
      allNear(halves, own(block), 1e-11, "the statistics")
    },
  },
  {
    id: "A9.family",
    name: "samples have the moments of the parameters, and give them back",
    applies: notBags("the length of a bag is given, not modelled: it cannot be drawn"),
    effort: 0.5,
    async check(subject, trial) {
      const found = await bound(subject, trial)
      const { leaf, params, column } = found
      const rows = 1500
      for (let p = 0; p < leaf.shape.slots; p++) {
        const drawn = column.kind === "level" ? new Int32Array(rows) : new Float64Array(rows)
        const cell = column.kind === "level" ? new Int32Array(1) : new Float64Array(1)
        const one = blockOf(found, cell, 1)
        for (let i = 0; i < rows; i++) {
          cell[0] = column.kind === "level" ? -1 : Number.NaN
          leaf.sample(params, p, one, trial.dice)
          drawn[i] = cell[0]
        }
        // a cell that is seen is evidence
        const before = cell[0]
        leaf.sample(params, p, one, trial.dice)
        same(cell, [before], "a cell that was already there")
        const mass = new Float64Array(leaf.shape.slots)
        mass[p] = 1
        // if the family reads columns, all rows hold the same there
        const expected =
          found.node.given.length > 0
            ? holesAbsorbed(leaf, blockOf(found, Float64Array.of(Number.NaN), 1), params, each(mass))
            : momentsOf(leaf, params, mass)
        const block = blockOf(found, drawn, rows)
        withinChance(leaf, block, params, p, expected)
        // Wilks: 2·(ln p(rows | θ̂) − ln p(rows | θ)) is about χ² with as many degrees as there are free parameters
        const stats = absorbed(leaf, block, params, {
          form: "one",
          slot: new Int32Array(rows).fill(p),
          weight: block.weight,
        })
        const others = mass.map((_, q) => (q === p ? 0 : rows))
        const all = momentsOf(leaf, params, others).map((value, j) => value + stats[j])
        const gain = 2 * (leaf.value(all, solvedFrom(leaf, all)) - leaf.value(all, params))
        const free = leaf.shape.free / leaf.shape.slots
        must(
          gain > -1e-6 && gain < free + 6 * Math.sqrt(2 * free) + 20,
          () => `θ̂ is ${gain} nats·2 better than θ.`,
        )
      }
    },
  },
  {
    id: "A12.family",
    name: "slots without mass, constant and single cells give finite parameters",
    applies: () => true,
    async check(subject, trial) {
      const { leaf, block, stats, params, column } = await bound(subject, trial)
      const nothing = solvedFrom(leaf, new Float64Array(leaf.shape.statistics))
      noNaN(nothing, "θ of no rows at all")
      const single = solvedFrom(
        leaf,
        absorbed(leaf, cut(block, 0, 1), params, each(new Float64Array(leaf.shape.slots).fill(1))),
      )
      noNaN(single, "θ of one row")
      const lonely = solvedFrom(
        leaf,
        absorbed(leaf, block, params, {
          form: "one",
          slot: new Int32Array(block.rows),
          weight: block.weight,
        }),
      )
      noNaN(lonely, "θ when all rows lie in slot 0")
      for (const theta of [nothing, single, lonely]) noNaN(scored(leaf, block, theta), "the scores")
      const prior = new Float64Array(leaf.shape.statistics)
      leaf.prior(prior)
      noNaN(solvedFrom(leaf, prior), "θ of the prior alone")
      for (let p = 0; p < leaf.shape.slots; p++) {
        near(leaf.mass(prior, p), leaf.mass(prior, 0), 0, "the prior's mass of a slot and of slot 0")
        must(
          leaf.mass(stats, p) >= leaf.mass(prior, p),
          () => "the prior has more mass than prior and rows together.",
        )
      }
      // sums of logarithms may be negative
      const least = column.kind === "number" && column.within ? Number.NEGATIVE_INFINITY : 0
      for (const value of prior)
        must(value >= least && Number.isFinite(value), () => `a pseudo-statistic is ${value}.`)
    },
  },
  {
    id: "A13.family",
    name: "nothing is remembered between calls",
    applies: () => true,
    async check(subject, trial) {
      const { leaf, block, params, stats } = await bound(subject, trial)
      const weights = each(someWeights(block.rows, leaf.shape.slots, trial.dice))
      const small = cut(block, 0, 5)
      const scores = scored(leaf, block, params)
      const sums = absorbed(leaf, block, params, weights)
      const short = scored(leaf, small, params)
      same(scored(leaf, block, params), scores, "scores, asked again")
      same(absorbed(leaf, block, params, weights), sums, "statistics, asked again")
      same(solvedFrom(leaf, stats), params, "θ, asked again")
      // also at the edge of the domain, where some cells are certain and others impossible
      for (let row = 0; row < 6; row++) {
        const ones = each(new Float64Array(leaf.shape.slots).fill(1))
        const edge = solvedFrom(leaf, absorbed(leaf, cut(block, row, row + 1), params, ones))
        const there = scored(leaf, block, edge)
        for (let i = 0; i < block.rows; i++) {
          const alone = scored(leaf, cut(block, i, i + 1), edge)
          const beside = alone.map((_, p) => there[p * block.rows + i])
          same(beside, alone, `the scores of row ${i} by row ${row} alone, with the others and without`)
        }
      }
      for (let p = 0; p < leaf.shape.slots; p++) {
        same(
          short.slice(p * 5, p * 5 + 5),
          scores.slice(p * block.rows, p * block.rows + 5),
          "scores of the first five rows, alone and with the others",
        )
      }
    },
  },
  {
    id: "A14.family",
    name: "a family is made again from its options; unknown options are refused",
    applies: () => true,
    async check({ kind, options, family }) {
      const again = kind.make(family.options)
      must(JSON.stringify(again.options) === JSON.stringify(family.options), () => "the options differ.")
      must(again.name === kind.name && again.measure === family.measure, () => "name or measure differ.")
      await refuses(() => kind.make({ ...options, nonsense: 1 }), "option", ["nonsense"], "an unknown option")
      await refuses(() => kind.make({ ...options, prior: -1 }), "option", ["prior"], "a negative prior")
    },
  },
  {
    id: "A10.slots",
    name: "slots are exchangeable",
    applies: ({ family }) => !family.hasLatents || "what hides in one slot is not what hides in the next",
    async check(subject, trial) {
      const { leaf, block, params } = await bound(subject, trial)
      const { rows } = block
      const slot = Int32Array.from({ length: rows }, (_, i) => i % leaf.shape.slots)
      const turned = slot.map(p => (p + 1) % leaf.shape.slots)
      const a = scored(
        leaf,
        block,
        solvedFrom(leaf, absorbed(leaf, block, params, { form: "one", slot, weight: block.weight })),
      )
      const b = scored(
        leaf,
        block,
        solvedFrom(leaf, absorbed(leaf, block, params, { form: "one", slot: turned, weight: block.weight })),
      )
      for (let p = 0; p < leaf.shape.slots; p++) {
        const q = (p + 1) % leaf.shape.slots
        allNear(
          a.slice(p * rows, (p + 1) * rows),
          b.slice(q * rows, (q + 1) * rows),
          1e-9,
          `scores of slot ${p}, moved to ${q}`,
        )
      }
    },
  },
]

/** The mean of s over the rows lies within five standard errors of its expectation, entry by entry. */
function withinChance(
  leaf: Leaf,
  block: Block,
  params: Float64Array,
  slot: number,
  expected: Float64Array,
): void {
  const { rows } = block
  const mean = new Float64Array(leaf.shape.statistics)
  const square = new Float64Array(leaf.shape.statistics)
  const most = new Float64Array(leaf.shape.statistics)
  const weights = each(new Float64Array(leaf.shape.slots).map((_, p) => (p === slot ? 1 : 0)))
  for (let i = 0; i < rows; i++) {
    absorbed(leaf, cut(block, i, i + 1), params, weights).forEach((value, j) => {
      mean[j] += value / rows
      square[j] += (value * value) / rows
      most[j] = Math.max(most[j], Math.abs(value))
    })
  }
  for (let j = 0; j < mean.length; j++) {
    const error = Math.sqrt(Math.max(square[j] - mean[j] * mean[j], 0) / rows) + (2 * most[j]) / rows
    must(
      Math.abs(mean[j] - expected[j]) <= 5 * error + 1e-12,
      () =>
        `statistic ${j} of slot ${slot} is ${mean[j]} on average, ${expected[j]} by moments(), standard error ${error}.`,
    )
  }
}

/** E[s | what is read] of rows whose own cell is missing. */
function holesAbsorbed(leaf: Leaf, block: Block, params: Float64Array, weights: Weights): Float64Array {
  const stats = new Float64Array(leaf.shape.statistics)
  leaf.moving!.absorbHoles!(block, params, weights, stats)
  return stats
}
