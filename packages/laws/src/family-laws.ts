/**
 * What every family must satisfy: its probabilities, and the maps between θ and η. Nothing here knows which family it
 * tests; every family of the list is covered.
 * Long because every member of a leaf has its law here.
 */
import type { Block, Leaf } from "suffice"
import {
  absorbed,
  bags,
  bagsAddUp,
  blockOf,
  bound,
  each,
  type FamilySubject,
  momentsOf,
  scored,
  solvedFrom,
  someWeights,
  support,
} from "./bound.ts"
import type { Law } from "./law.ts"
import { allNear, must, near, same } from "./must.ts"
import { exp } from "./numbers.ts"
import { cut } from "./probe.ts"

export const familyLaws: readonly Law<FamilySubject>[] = [
  {
    id: "A1.family",
    name: "a family's probabilities add up to one",
    applies({ family }) {
      if (scales(family)) return "a scaled document has no density"
      return !family.hasLatents || "the score is a maximum over what hides inside the leaf, not a density"
    },
    async check(subject, trial) {
      const found = await bound(subject, trial)
      const { leaf, params, column } = found
      if (column.kind === "bag") {
        bagsAddUp(found, column, leaf, params)
        return
      }
      const { block, measure } = support(found)!
      const scores = scored(leaf, block, params)
      for (let p = 0; p < leaf.shape.slots; p++) {
        let sum = 0
        for (let i = 0; i < block.rows; i++) sum += exp(scores[p * block.rows + i]) * measure[i]
        near(sum, 1, 1e-9, `the total probability of slot ${p}`)
      }
    },
  },
  {
    id: "A2.inverse",
    name: "solve(moments(θ)) = θ",
    applies: () => true,
    async check(subject, trial) {
      const { leaf, params, block } = await bound(subject, trial)
      const mass = Float64Array.from({ length: leaf.shape.slots }, () => 0.1 + trial.dice.gamma(2))
      const stats = momentsOf(leaf, params, mass)
      const back = new Float64Array(leaf.shape.parameters)
      const held = leaf.solve(stats, 0, back)
      must(held === 0, () => `${held} slots were held at the edge of the domain.`)
      sameParameters(leaf, block, back, params, 1e-9)
      for (let p = 0; p < leaf.shape.slots; p++)
        near(leaf.mass(stats, p), mass[p], 1e-12, `the mass of slot ${p}`)
    },
  },
  {
    id: "A2.stationary",
    name: "θ ↦ value(moments(θ₀), θ) is highest at θ₀",
    applies: () => true,
    effort: 2,
    async check(subject, trial) {
      const first = await bound(subject, trial)
      const { leaf, params } = first
      const mass = Float64Array.from({ length: leaf.shape.slots }, () => 0.5 + trial.dice.gamma(2))
      const eta = momentsOf(leaf, params, mass)
      // δ leads to the moments of other rows, so that η₀ + tδ stays inside the domain
      const other =
        leaf.shape.statistics > 0
          ? absorbed(
              leaf,
              first.block,
              params,
              each(someWeights(first.block.rows, leaf.shape.slots, trial.dice)),
            )
          : eta
      let size = 0
      for (let p = 0; p < leaf.shape.slots; p++) size += leaf.mass(other, p) / leaf.shape.slots
      const theta = (t: number): Float64Array =>
        solvedFrom(
          leaf,
          eta.map((value, j) => value + t * ((3 * other[j]) / size - value)),
        )
      const top = leaf.value(eta, params)
      const h = 1e-5
      const left = leaf.value(eta, theta(-h))
      const right = leaf.value(eta, theta(h))
      const scale = 1 + Math.abs(top)
      near((right - left) / (2 * h) / scale, 0, 1e-4, "the slope at θ₀")
      for (const t of [-h, h, 0.1, 0.7]) {
        const there = leaf.value(eta, theta(t))
        must(there <= top + 1e-11 * scale, () => `value is ${there} at t = ${t}, higher than ${top} at θ₀.`)
      }
    },
  },
  {
    id: "A2.value",
    name: "value(stats, θ) is the log-likelihood of the rows behind the statistics",
    applies: ({ family }) => !family.hasLatents || "the value knows nothing of what hides inside the leaf",
    async check(subject, trial) {
      const { leaf, block, params } = await bound(subject, trial)
      const weights = someWeights(block.rows, leaf.shape.slots, trial.dice, true)
      const scores = scored(leaf, block, params)
      let sum = 0
      for (let at = 0; at < scores.length; at++) sum += weights[at] * scores[at]
      const stats = absorbed(leaf, block, params, each(weights))
      let size = 1
      for (let at = 0; at < scores.length; at++) size += Math.abs(weights[at] * scores[at])
      near(leaf.value(stats, params) / size, sum / size, 1e-12, "the log-likelihood per unit")
      // also at the edge of the domain: what is impossible by the score is impossible by the value
      for (let row = 0; row < 6; row++) {
        const ones = each(new Float64Array(leaf.shape.slots).fill(1))
        const edge = solvedFrom(leaf, absorbed(leaf, cut(block, row, row + 1), params, ones))
        for (let i = 0; i < 12; i++) {
          const one = cut(block, i, i + 1)
          const total = scored(leaf, one, edge).reduce((all, score) => all + score, 0)
          near(
            leaf.value(absorbed(leaf, one, edge, ones), edge),
            total,
            1e-5,
            `value and score of row ${i} by row ${row} alone`,
          )
        }
      }
    },
  },
  {
    id: "A2.describe",
    name: "adopting a description gives θ back",
    applies: () => true,
    async check(subject, trial) {
      const { leaf, params, block } = await bound(subject, trial)
      const stats = new Float64Array(leaf.shape.statistics)
      for (let p = 0; p < leaf.shape.slots; p++) {
        const text = JSON.stringify(leaf.describe(params, p))
        leaf.adopt(JSON.parse(text), p, 0.5 + trial.dice.gamma(1), stats)
      }
      sameParameters(leaf, block, solvedFrom(leaf, stats), params, 1e-8)
    },
  },
  {
    id: "A2.prior",
    name: "the prior is what it says: pseudo-rows around a slot's own mean, as far apart as rows lie within slots, or like all rows together where numbers have a support; pseudo-counts for every level and word",
    applies: ({ family }) => {
      if (scales(family)) return "a word of a scaled document does not count as one"
      if (family.hasLatents) return "pseudo-counts of what hides are not rows that were seen"
      const chosen = typeof family.options.prior === "number" || family.need.kind === "bag"
      return chosen || "the family has no prior to choose"
    },
    async check(subject, trial) {
      const found = await bound(subject, trial)
      const { leaf, block, column, params, place } = found
      // unless another is chosen: Laplace
      const alpha = (subject.family.options.prior as number | undefined) ?? 1
      const prior = new Float64Array(leaf.shape.statistics)
      leaf.prior(prior)
      const alone = solvedFrom(leaf, prior)
      // θ takes as much of it along as it is asked to
      const some = absorbed(leaf, block, params, { form: "one", slot: slotsOf(block), weight: block.weight })
      const wide = new Float64Array(leaf.spread?.length ?? 0)
      leaf.spread?.estimate(some, wide)
      const both = some.slice()
      leaf.prior(both, 0.7, wide, some)
      const taken = new Float64Array(leaf.shape.parameters)
      leaf.solve(some, 0.7, taken, wide)
      allNear(taken, solvedFrom(leaf, both, wide), 1e-12, "θ with 0.7 of the prior, and of the sum")
      if (column.kind === "level" || column.kind === "bag") {
        const count = column.kind === "level" ? column.levels.length : column.words.length
        const held =
          column.kind === "level"
            ? Int32Array.from({ length: count }, (_, l) => l)
            : bags(column.words.map((_, w) => [w]))
        const scores = scored(leaf, blockOf(found, held, count), alone)
        for (const score of scores)
          near(score, scores[0], 1e-12, "the scores of two levels, or words, by the prior alone")
        if (column.kind === "level")
          near(leaf.mass(prior, 0), alpha * count, 1e-12, "pseudo-counts over all levels")
        // each level, or word, counts as if it had been seen α times
        const seen = absorbed(
          leaf,
          blockOf(found, held, count),
          params,
          each(new Float64Array(leaf.shape.slots * count).fill(alpha)),
        )
        const size = leaf.shape.statistics - (column.kind === "bag" ? leaf.shape.slots : 0)
        allNear(
          prior.subarray(0, size),
          seen.subarray(0, size),
          1e-12,
          "the prior, and every level or word seen α times",
        )
        return
      }
      if (!leaf.numbers?.expect) return
      const blanked = blockOf(found, Float64Array.of(Number.NaN), 1)
      /** Mean and variance of a slot. */
      const at = (theta: Float64Array, slot: number): readonly [number, number] => {
        const [mean, variance] = [new Float64Array(1), new Float64Array(1)]
        leaf.numbers!.expect(blanked, theta, slot, place, mean, variance)
        return [mean[0], variance[0]]
      }
      // a variance that no row moves is fixed by choice: there is nothing to shrink
      const isFixed = column.kind === "number" && at(params, 0)[1] === at(alone, 0)[1]
      if (column.kind === "count") {
        near(leaf.mass(prior, 0), alpha, 1e-12, "pseudo-rows of a slot")
        near(at(alone, 0)[0], column.mean > 0 ? column.mean : 1, 1e-12, "the mean by the prior alone")
        return
      }
      if (column.kind === "number" && column.within) {
        if (subject.family.meanPrior) {
          near(leaf.mass(prior, 0), alpha, 1e-12, "pseudo-rows of a slot")
          near(at(alone, 0)[0], column.within.mean, 1e-12, "the mean by the prior alone")
          return
        }
        // α average rows
        const rows = block.weight.reduce((sum, w) => sum + w, 0)
        const all = each(
          Float64Array.from(
            { length: leaf.shape.slots * block.rows },
            (_, at) => block.weight[at % block.rows],
          ),
        )
        const expected = absorbed(leaf, block, params, all).map(sum => (alpha * sum) / rows)
        allNear(prior, expected, 1e-12, "the prior, and the mean of all rows")
        return
      }
      near(at(alone, 0)[0], 0, 1e-12, "the mean before anything was seen, held")
      if (isFixed || column.kind !== "number") return
      near(at(alone, 0)[1], column.variance, 1e-9, "the variance before anything was seen, held")
      must(leaf.mass(prior, 0) > 0, () => "a prior that is chosen has no pseudo-rows.")
      if (!leaf.spread?.estimate) return
      const seen = absorbed(leaf, block, params, { form: "one", slot: slotsOf(block), weight: block.weight })
      const spread = new Float64Array(leaf.spread!.length)
      leaf.spread?.estimate(seen, spread)
      const strengths = [0, 1, 1e9].map(strength => {
        const both = seen.slice()
        leaf.prior(both, strength, spread)
        return solvedFrom(leaf, both, spread)
      })
      for (let p = 0; p < leaf.shape.slots; p++) {
        const [[mean, own], [kept, shrunk], [still, within]] = strengths.map(theta => at(theta, p))
        // a line is shrunk towards that of the others: its mean stays at the means of what it reads
        if (!subject.family.reads) {
          near(kept, mean, 1e-9, `the mean of slot ${p} with and without the prior`)
          near(still, mean, 1e-9, `the mean of slot ${p} under an endless prior`)
        }
        near(
          within,
          at(strengths[2], 0)[1],
          1e-6,
          `the variance of slot ${p} and of slot 0 under an endless prior`,
        )
        const [least, most] = own < within ? [own, within] : [within, own]
        must(
          shrunk >= least * (1 - 1e-9) && shrunk <= most * (1 + 1e-9),
          () =>
            `the variance of slot ${p} is ${shrunk}, not between its own, ${own}, and that within slots, ${within}.`,
        )
      }
    },
  },
  {
    id: "A2.within",
    name: "what lies within slots does not depend on how far slots lie apart, nor on a few far cells of one",
    applies({ family: { need, options } }) {
      if (need.kind === "number" && need.support) return "the prior is drawn to pooled moments"
      return (need.kind === "number" && options.covariance !== "identity") || "the family learns no variance"
    },
    async check(subject, trial) {
      const found = await bound(subject, trial)
      const { leaf, block, params, place } = found
      if (!leaf.spread?.estimate) return
      const slot = slotsOf(block)
      const weights = { form: "one", slot, weight: block.weight } as const
      const variances = (x: Float64Array): readonly number[] => {
        const cells = block.cells.with(place, x)
        const stats = absorbed(leaf, { ...block, cells }, params, weights)
        leaf.prior(stats)
        const theta = solvedFrom(leaf, stats)
        const blanked = blockOf(found, Float64Array.of(Number.NaN), 1)
        return Array.from({ length: leaf.shape.slots }, (_, p) => {
          const [mean, variance] = [new Float64Array(1), new Float64Array(1)]
          leaf.numbers!.expect(blanked, theta, p, place, mean, variance)
          return variance[0]
        })
      }
      const x = block.cells[place] as Float64Array
      const apart = variances(x.map((value, i) => value + 1000 * slot[i]))
      variances(x).forEach((variance, p) => {
        near(apart[p], variance, 1e-6, `the variance of slot ${p}, when all slots lie far apart`)
      })
      if (leaf.shape.axes.some(axes => !axes.includes("slot"))) return // slots that share a variance share its outliers
      // how far out the outliers are does not matter
      const wild = (by: number) =>
        variances(x.map((value, i) => (slot[i] === 2 && i % 7 === 2 ? value + by : value)))
      const [far, farther] = [wild(1e4), wild(1e5)]
      for (let p = 0; p < 2; p++)
        near(farther[p], far[p], 1e-5, `the variance of slot ${p}, when cells of another slot are far away`)
    },
  },
  {
    id: "A2.inside",
    name: "moments of θ are inside the domain; without mass, or with less than none, nothing is",
    applies: () => true,
    async check(subject, trial) {
      const { leaf, params } = await bound(subject, trial)
      const mass = Float64Array.from({ length: leaf.shape.slots }, () => 0.1 + trial.dice.gamma(2))
      const stats = momentsOf(leaf, params, mass)
      const [none, less] = [new Float64Array(leaf.shape.statistics), stats.map(value => -value)]
      for (let p = 0; p < leaf.shape.slots; p++) {
        must(leaf.inside(stats, p), () => `slot ${p} of the moments of θ is outside.`)
        must(!leaf.inside(none, p), () => `slot ${p} is inside, without mass.`)
        must(!leaf.inside(less, p), () => `slot ${p} is inside, with a mass below 0.`)
      }
    },
  },
  {
    id: "A6.family",
    name: "a missing cell scores 0 and moves nothing",
    applies: () => true,
    async check(subject, trial) {
      const found = await bound(subject, trial)
      const { leaf, params, column } = found
      const none =
        column.kind === "level"
          ? Int32Array.of(-1)
          : column.kind === "bag"
            ? { ...bags([[]]), missing: [1] }
            : Float64Array.of(Number.NaN)
      const block = blockOf(found, none, 1)
      same(scored(leaf, block, params), new Float64Array(leaf.shape.slots), "the score")
      const ones = new Float64Array(leaf.shape.slots).fill(1)
      const stats = absorbed(leaf, block, params, each(ones))
      const expected = momentsOf(leaf, params, ones)
      // nothing, or what θ expects if the leaf guesses: either way θ stays unchanged
      if (leaf.latent?.when === undefined || leaf.shape.lengthGiven) expected.fill(0)
      allNear(stats, expected, 1e-12, "the statistics")
      if (!leaf.moving?.absorbHoles) return
      // a complete row at the means of what it reads leaves the density unchanged
      const whole = momentsOf(leaf, params, ones)
      leaf.moving?.absorbHoles(block, params, each(ones), whole)
      for (let p = 0; p < leaf.shape.slots; p++) near(leaf.mass(whole, p), 2, 1e-12, `the mass of slot ${p}`)
      allNear(
        scored(leaf, found.block, solvedFrom(leaf, whole)),
        scored(leaf, found.block, params),
        1e-9,
        "the scores",
      )
    },
  },
  {
    id: "A2.expect",
    name: "expect() is the mean and the variance of the scores",
    applies: ({ family: { need } }) =>
      need.kind === "number" || need.kind === "count" || "a column without numbers has no mean",
    async check(subject, trial) {
      const found = await bound(subject, trial)
      const { leaf, params, place } = found
      const { block, measure, numbers } = support(found)!
      const scores = scored(leaf, block, params)
      const blanked = blockOf(found, Float64Array.of(Number.NaN), 1)
      for (let p = 0; p < leaf.shape.slots; p++) {
        let mean = 0
        let square = 0
        for (let i = 0; i < block.rows; i++) {
          const chance = exp(scores[p * block.rows + i]) * measure[i]
          mean += chance * numbers[i]
          square += chance * numbers[i] * numbers[i]
        }
        const means = new Float64Array(1)
        const variances = new Float64Array(1)
        must(leaf.numbers?.expect !== undefined, () => "there is no expect().")
        leaf.numbers!.expect(blanked, params, p, place, means, variances)
        near(means[0], mean, 1e-7, `the mean of slot ${p}`)
        near(variances[0], square - mean * mean, 1e-7, `the variance of slot ${p}`)
      }
    },
  },
]

/** Does the family scale documents? */
function scales({ need }: FamilySubject["family"]): boolean {
  const scaling = need.kind === "bag" ? need.text.scaling : undefined
  return scaling !== undefined && scaling !== "raw"
}

/** The same θ; or the same scores, for words that move one by one, whose θ is determined up to a constant. */
function sameParameters(
  leaf: Leaf,
  block: Block,
  one: Float64Array,
  other: Float64Array,
  tolerance: number,
): void {
  if (!leaf.shape.lengthGiven) allNear(one, other, tolerance, "θ")
  allNear(scored(leaf, block, one), scored(leaf, block, other), tolerance, "the scores by θ")
}

/** Slots by row, in turn, as `bound` assigns them. */
function slotsOf({ rows }: Block): Int32Array {
  return Int32Array.from({ length: rows }, (_, i) => i % 3)
}
