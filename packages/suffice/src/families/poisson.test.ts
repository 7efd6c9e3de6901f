import { readFileSync } from "node:fs"
import { absorb } from "suffice-laws/probe"
import { describe, expect, test } from "vitest"
import type { Block } from "../contract/block.ts"
import type { Column, ColumnSummary } from "../contract/columns.ts"
import { specify } from "../fit/specify.ts"
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { logFactorial, logGamma } from "../kernels/log-gamma.ts"
import { normalCdf } from "../kernels/normal-cdf.ts"
import { dice } from "../random.ts"
import { mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { gaussianKind } from "./gaussian.ts"
import { poisson, poissonKind } from "./poisson.ts"

const column: Column = { kind: "count", name: "visits", mean: 3 }
const blockOf = (...x: number[]): Block => ({
  rows: x.length,
  weight: new Float64Array(x.length).fill(1),
  cells: [Float64Array.from(x)],
})
const bind = (slots: number, options = {}) => poisson(options).bind([column], [0], slots)
const golden = JSON.parse(
  readFileSync(new URL("../../../../checks/golden/poisson.json", import.meta.url), "utf8"),
)

test("naive Bayes by rates equals scipy: the score is x ln λ − λ − ln x!", () => {
  const { features, classes, test: held, cases } = golden.naiveBayes
  const { logPrior, rates, joint } = cases[0].expected
  const leaf = bind(classes.length)
  const scores = held.columns[features[0]].map((_: unknown, i: number) => {
    const total = Float64Array.from(logPrior as number[])
    features.forEach((name: string, j: number) => {
      const params = Float64Array.from(rates as number[][], row => Math.log(row[j]))
      leaf.score(blockOf(held.columns[name][i] ?? Number.NaN), params, total)
    })
    return [...total]
  })
  scores.forEach((row: number[], i: number) => {
    row.forEach((score, k) => {
      expect(Math.abs(score - joint[i][k])).toBeLessThan(1e-10 * Math.max(1, Math.abs(joint[i][k])))
    })
  })
})

test("EM for a mixture of two rates equals plain numpy step by step", () => {
  const { columns, start, after, logLikelihoods } = golden.mixture
  const leaf = bind(2)
  const block = blockOf(...columns.visits)
  let weights: number[] = start.weights
  let params = Float64Array.from(start.rates as number[], Math.log)
  const atSteps = new Map(after.map((at: { steps: number }) => [at.steps, at]))
  for (let step = 0; step <= 300; step++) {
    const joint = new Float64Array(2 * block.rows)
    for (let k = 0; k < 2; k++) joint.fill(Math.log(weights[k]), k * block.rows, (k + 1) * block.rows)
    leaf.score(block, params, joint)
    let total = 0
    for (let i = 0; i < block.rows; i++) {
      const sum = Math.exp(joint[i]) + Math.exp(joint[block.rows + i])
      total += Math.log(sum)
      for (let k = 0; k < 2; k++) joint[k * block.rows + i] = Math.exp(joint[k * block.rows + i]) / sum
    }
    if (step < logLikelihoods.length) expect(total).toBeCloseTo(logLikelihoods[step], 6)
    const at = atSteps.get(step) as { weights: number[]; rates: number[] } | undefined
    if (at) {
      weights.forEach((weight, k) => void expect(weight).toBeCloseTo(at.weights[k], 6))
      params.forEach((logRate, k) => void expect(Math.exp(logRate)).toBeCloseTo(at.rates[k], 6))
    }
    const stats = new Float64Array(leaf.shape.statistics)
    absorb(leaf, block, params, { form: "each", values: joint }, stats)
    weights = [0, 1].map(k => leaf.mass(stats, k) / block.rows)
    params = new Float64Array(2)
    leaf.solve(stats, 0, params)
  }
})

test.each([0.003, 0.7, 1, 4, 55.5, 999, 1001, 3000])(
  "the moments of rate %d give the rate back, with E[ln x!] by brute force",
  rate => {
    const leaf = bind(1)
    const params = Float64Array.of(Math.log(rate))
    const stats = new Float64Array(3)
    leaf.moments(params, Float64Array.of(2), stats)
    const again = new Float64Array(1)
    expect(leaf.solve(stats, 0, again)).toBe(0)
    expect(again[0]).toBeCloseTo(params[0], 12)
    let expected = 0
    let logFactorial = 0
    for (let x = 1; x < rate + 60 * Math.sqrt(rate) + 60; x++) {
      logFactorial += Math.log(x)
      expected += Math.exp(x * Math.log(rate) - rate - logFactorial) * logFactorial
    }
    expect(Math.abs(stats[2] / 2 - expected)).toBeLessThan(1e-10 * Math.max(1, expected))
  },
)

test("E[ln x!] of large rates is that of brute force, and of any rate ln Γ(λ + 1) + ½, up to 1/λ", () => {
  const leaf = bind(1)
  const expectation = (rate: number): number => {
    const stats = new Float64Array(3)
    leaf.moments(Float64Array.of(log(rate)), Float64Array.of(1), stats)
    return stats[2]
  }
  for (const rate of [1e4, 1e5, 1e6]) {
    // from the mode, where p = 1, to either side
    let [total, weight] = [0, 1]
    for (let x = rate + 1, p = 1, gap = 0; x < rate + 12 * Math.sqrt(rate); x++) {
      p *= rate / x
      gap += log(x) // ln x! − ln λ!
      total += p * gap
      weight += p
    }
    for (let x = rate, p = 1, gap = 0; x > rate - 12 * Math.sqrt(rate); x--) {
      p *= x / rate
      gap -= log(x)
      total += p * gap
      weight += p
    }
    const expected = logFactorial(rate) + total / weight
    expect(Math.abs(expectation(rate) / expected - 1)).toBeLessThan(1e-13)
  }
  for (const rate of [1e9, 2 ** 53, 1e17, 1e300]) {
    expect(Math.abs(expectation(rate) / (logGamma(rate + 1) + 0.5) - 1)).toBeLessThan(1e-13)
  }
})

test("a rate of 0 expects 0 and nothing else, and its description is adopted", () => {
  const leaf = bind(1, { prior: 0 })
  const stats = new Float64Array(3)
  const zeros = blockOf(0, 0, 0)
  absorb(
    leaf,
    zeros,
    new Float64Array(1),
    { form: "one", slot: new Int32Array(3), weight: zeros.weight },
    stats,
  )
  const params = new Float64Array(1)
  leaf.solve(stats, 0, params)
  expect(leaf.describe(params, 0)).toEqual({ rate: 0 })
  const adopted = new Float64Array(3)
  leaf.adopt(leaf.describe(params, 0), 0, 3, adopted)
  expect(adopted).toEqual(stats)
  const moments = new Float64Array(3)
  leaf.moments(params, Float64Array.of(3), moments)
  expect(moments).toEqual(stats)
  expect([leaf.numbers!.cdf(-1, 0, 0), leaf.numbers!.cdf(0, 0, 0), leaf.numbers!.cdf(5, 0, 0)]).toEqual([
    0, 1, 1,
  ])
})

test("the cumulative distribution does not underflow: a rate of 1 is sure to lie below 400", () => {
  const { cdf } = bind(1).numbers!
  expect([cdf(399, 1, 1), cdf(1e15, 1, 1), cdf(1, 400, 400) < 1e-170]).toEqual([1, 1, true])
  expect(cdf(9e15, 9e15, 9e15)).toBeCloseTo(0.5, 8)
  expect(cdf(9e15 - 2 * Math.sqrt(9e15), 9e15, 9e15)).toBeCloseTo(normalCdf(-2), 8)
})

test("the intervals of a mixture of the rates 1 and 400 reach from one to the other", () => {
  const model = specify(mixture(2, independent({ visits: poisson() }), { name: "kind" }), {
    kind: {
      probabilities: { 0: 0.5, 1: 0.5 },
      given: {
        0: { visits: { family: "poisson", rate: 1 } },
        1: { visits: { family: "poisson", rate: 400 } },
      },
    },
  })
  const below = (x: number, rate: number): number => {
    let sum = 0
    for (let j = 0; j <= x; j++) sum += exp((j === 0 ? 0 : j * log(rate)) - rate - logFactorial(j))
    return sum
  }
  const quantile = (p: number): number => {
    let x = 0
    while (0.5 * below(x, 1) + 0.5 * below(x, 400) < p) x++
    return x
  }
  for (const coverage of [0.8, 0.95, 0.999]) {
    const [{ interval }] = model.predict(
      [{ visits: null }] as never,
      { target: "visits", coverage } as never,
    ) as never[]
    expect(interval).toEqual([quantile((1 - coverage) / 2), quantile((1 + coverage) / 2)])
  }
})

test("the cumulative distribution adds up the probabilities", () => {
  const { cdf } = bind(1).numbers!
  for (const rate of [0.2, 3, 40]) {
    let total = 0
    let term = Math.exp(-rate)
    for (let x = 0; x < 90; x++) {
      total += term
      expect(cdf(x + 0.5, rate, rate)).toBeCloseTo(Math.min(total, 1), 12)
      term *= rate / (x + 1)
    }
    expect(cdf(-0.5, rate, rate)).toBe(0)
  }
})

test("draws have the rate as mean and variance; a seen cell is evidence", () => {
  const leaf = bind(1)
  const rolls = dice(5)
  const draws = Array.from({ length: 4000 }, () => {
    const block = blockOf(Number.NaN)
    leaf.sample(Float64Array.of(Math.log(6)), 0, block, rolls)
    return (block.cells[0] as Float64Array)[0]
  })
  const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length
  expect(Math.abs(mean - 6)).toBeLessThan(5 * Math.sqrt(6 / 4000))
  const seen = blockOf(2)
  leaf.sample(Float64Array.of(0), 0, seen, rolls)
  expect((seen.cells[0] as Float64Array)[0]).toBe(2)
})

test("suits whole numbers from 0 whose variance is near their mean; percentages are left to gaussian, which says why", () => {
  const counts: ColumnSummary = {
    ...{ name: "visits", rows: 90, missing: 10, numbers: 80, integers: 80, negatives: 0, distinct: 9 },
    ...{ smallest: 0, largest: 12, mean: 3, variance: 4, booleans: 0, strings: 0, texts: 0, bags: 0 },
  }
  expect(poissonKind.suits?.(counts)).toBe(
    "whole numbers from 0 to 12, their variance near their mean: counts",
  )
  const percent = { ...counts, name: "percent", largest: 100, mean: 50, variance: 833, distinct: 60 }
  expect(poissonKind.suits?.(percent)).toBeUndefined()
  expect(gaussianKind.suits?.(percent)).toBe("variance 17 times the mean: too spread for counts")
  for (const other of [{ smallest: 1 }, { integers: 79 }, { largest: 101 }, { distinct: 2 }])
    expect(poissonKind.suits?.({ ...counts, ...other })).toBeUndefined()
})

describe("what it says", () => {
  test("the described rate comes back", () => {
    const leaf = bind(2)
    const stats = new Float64Array(6)
    leaf.adopt({ rate: 4.5 }, 1, 3, stats)
    const params = new Float64Array(2)
    leaf.solve(stats, 0, params)
    expect(leaf.describe(params, 1).rate).toBeCloseTo(4.5, 12)
    expect(leaf.describe(params, 0).rate).toBeCloseTo(3, 12) // without mass: the pooled mean
  })

  test("a prior, an option and a rate that cannot be are refused", () => {
    expect(() => poisson({ prior: Number.NaN })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: poisson: prior is NaN. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.]`,
    )
    expect(() => poissonKind.make({ rate: 3 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: poisson: there is no option "rate". It knows "prior". Leave it out.]`,
    )
    expect(() => bind(1).adopt({ rate: -1 }, 0, 1, new Float64Array(3))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: poisson: "rate" of column "visits" is -1. It must be a finite number ≥ 0. Give the parameters as describe() prints them.]`,
    )
  })
})

test("E[ln x!] of large rates is the sum over all counts, to the last of its terms", () => {
  for (const given of [1001, 1200, 1700]) {
    const stats = new Float64Array(3)
    const rate = exp(log(given))
    bind(1).moments(Float64Array.of(log(rate)), Float64Array.of(1), stats)
    // around the mode, so that rounding stays small: p(x) in units of p(mode), ln x! above ln mode!
    const [mode, reach] = [Math.floor(rate), Math.ceil(12 * Math.sqrt(rate))]
    let [total, sum] = [1, 0]
    for (const step of [1, -1]) {
      for (let x = mode, p = 1, above = 0; Math.abs(x - mode) < reach; x += step) {
        p *= step > 0 ? rate / (x + 1) : x / rate
        above += step > 0 ? log(x + 1) : -log(x)
        total += p
        sum += p * above
      }
    }
    expect(Math.abs(stats[2] - (logFactorial(mode) + sum / total))).toBeLessThan(2e-15 * stats[2])
  }
})
