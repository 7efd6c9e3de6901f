import { absorb } from "suffice-laws/probe"
import { describe, expect, test } from "vitest"
import type { Block, Weights } from "../contract/block.ts"
import type { Column, ColumnSummary } from "../contract/columns.ts"
import type { Description } from "../contract/report.ts"
import { fit } from "../fit/fit.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { type GaussianOptions, gaussian, gaussianKind } from "./gaussian.ts"

// held = (x − 40) / 4
const column: Column = { kind: "number", name: "bill", shift: 40, scale: 4, variance: 1.5 }
const bind = (options: GaussianOptions, slots: number) => gaussian(options).bind([column], [0], slots)

const held = Float64Array.of(0.5, -1, NaN, 2, 0)
const block: Block = { rows: 5, weight: new Float64Array(5).fill(1), cells: [held] }
const each: Weights = { form: "each", values: Float64Array.of(0.7, 1, 0.1, 2, 0.5, 0.3, 1, 0.9, 1, 0.25) }
const described = [
  { mean: 42, sd: 3 },
  { mean: 38, sd: 5 },
]

/** θ of described parameters. */
function thetaOf(options: GaussianOptions, parameters: readonly Description[]): Float64Array {
  const leaf = bind(options, parameters.length)
  const stats = new Float64Array(leaf.shape.statistics)
  const params = new Float64Array(leaf.shape.parameters)
  parameters.forEach((description, p) => {
    leaf.adopt(description, p, 1, stats)
  })
  leaf.solve(stats, 0, params)
  return params
}

const tiedDescribed = described.map(({ mean }) => ({ mean, sd: 3 }))

describe.each([
  { variance: "own" as const, parameters: described },
  { variance: "tied" as const, parameters: tiedDescribed },
])("variance: $variance", ({ variance, parameters }) => {
  const leaf = bind({ variance }, 2)
  const theta = thetaOf({ variance }, parameters)
  const absorbed = (weights: Weights) => {
    const stats = new Float64Array(leaf.shape.statistics)
    expect(absorb(leaf, block, theta, weights, stats)).toBe(false)
    return stats
  }

  test("the score is ln N(x | μ, σ²) in the units of the data, and a missing cell scores 0", () => {
    const out = new Float64Array(10).fill(1)
    leaf.score(block, theta, out)
    for (let p = 0; p < 2; p++) {
      const { mean, sd } = parameters[p]
      held.forEach((h, i) => {
        const x = 40 + 4 * h
        const score = -0.5 * Math.log(2 * Math.PI * sd * sd) - (x - mean) ** 2 / (2 * sd * sd)
        expect(out[p * 5 + i]).toBeCloseTo(Number.isNaN(h) ? 1 : 1 + score, 12)
      })
    }
  })

  test("a missing cell adds nothing: n is the weight of the cells that were seen", () => {
    expect(leaf.mass(absorbed(each), 0)).toBeCloseTo(0.7 + 1 + 2 + 0.5, 14)
  })

  test("describe speaks in the units of the data, and adopt reads it back", () => {
    parameters.forEach(({ mean, sd }, p) => {
      expect(leaf.describe(theta, p)).toEqual({ mean: expect.closeTo(mean, 12), sd: expect.closeTo(sd, 12) })
    })
  })

  test("samples have the mean and spread of θ, and a cell that was seen is left alone", () => {
    const cell = Float64Array.of(NaN)
    const one: Block = { rows: 1, weight: Float64Array.of(1), cells: [cell] }
    const throws = dice(11)
    let sum = 0
    let squares = 0
    for (let i = 0; i < 4000; i++) {
      cell[0] = NaN
      leaf.sample(theta, 0, one, throws)
      const x = 40 + 4 * cell[0]
      sum += x
      squares += (x - 42) ** 2
    }
    expect(Math.abs(sum / 4000 - 42)).toBeLessThan((4 * 3) / Math.sqrt(4000))
    expect(Math.abs(squares / 4000 - 9)).toBeLessThan(4 * 9 * Math.sqrt(2 / 4000))
    cell[0] = 0.25
    leaf.sample(theta, 0, one, throws)
    expect(cell[0]).toBe(0.25)
  })

  test("expect gives the mean and variance of the slot, in held units", () => {
    const mean = new Float64Array(5)
    const spread = new Float64Array(5)
    leaf.numbers?.expect(block, theta, 0, 0, mean, spread)
    expect(mean[3]).toBeCloseTo((42 - 40) / 4, 14)
    expect(spread[3]).toBeCloseTo(9 / 16, 14)
  })

  test("a slot without mass gets the pooled mean and a variance above 0", () => {
    const params = new Float64Array(leaf.shape.parameters)
    expect(leaf.solve(new Float64Array(leaf.shape.statistics), 0, params)).toBe(0)
    expect(leaf.describe(params, 0)).toEqual({ mean: 40, sd: expect.closeTo(4 * Math.sqrt(1.5), 12) })
  })
})

test("the weighted mean and variance of the cells are the maximum of the likelihood", () => {
  const leaf = bind({ prior: 0 }, 1)
  const stats = new Float64Array(3)
  const params = new Float64Array(3)
  const weight = [0.7, 1, 9, 2, 0.5]
  absorb(leaf, block, params, { form: "each", values: Float64Array.from(weight) }, stats)
  leaf.solve(stats, 0, params)
  const seen = [42, 36, 48, 40].map((x, j) => ({ x, w: [0.7, 1, 2, 0.5][j] }))
  const n = seen.reduce((sum, { w }) => sum + w, 0)
  const mean = seen.reduce((sum, { x, w }) => sum + w * x, 0) / n
  const variance = seen.reduce((sum, { x, w }) => sum + w * (x - mean) ** 2, 0) / n
  expect(leaf.describe(params, 0)).toEqual({
    mean: expect.closeTo(mean, 12),
    sd: expect.closeTo(Math.sqrt(variance), 12),
  })
})

test("tied: the variance is pooled within the slots", () => {
  const leaf = bind({ variance: "tied", prior: 0 }, 2)
  const stats = new Float64Array(5)
  const params = new Float64Array(6)
  const slot = Int32Array.of(0, 0, 0, 1, 1)
  absorb(leaf, block, params, { form: "one", slot, weight: new Float64Array(5).fill(1) }, stats)
  leaf.solve(stats, 0, params)
  // slot 0: 42, 36; slot 1: 48, 40
  const within = (2 * 3 ** 2 + 2 * 4 ** 2) / 4
  expect(leaf.describe(params, 0)).toEqual({
    mean: expect.closeTo(39, 12),
    sd: expect.closeTo(Math.sqrt(within), 12),
  })
  expect(leaf.describe(params, 1).sd).toBe(leaf.describe(params, 0).sd)
})

test("before anything was seen, six pseudo-rows stand at the pooled mean with the pooled variance", () => {
  const leaf = bind({}, 1)
  const stats = new Float64Array(3)
  const params = new Float64Array(3)
  leaf.prior(stats)
  leaf.solve(stats, 0, params)
  expect(leaf.mass(stats, 0)).toBe(6)
  expect(leaf.describe(params, 0)).toEqual({ mean: 40, sd: expect.closeTo(4 * Math.sqrt(1.5), 12) })
})

test("a slot keeps its mean, and its variance is drawn towards what lies within slots", () => {
  // slot 0: −1, 1 twice; slot 1: 99, 100, 101
  const stats = Float64Array.of(4, 0, 4, 3, 300, 30002)
  const [leaf, params] = [bind({}, 2), new Float64Array(6)]
  const v = (4 + 2 + 1.5) / (3 + 2 + 1) // W, of pooled variance 1.5
  leaf.prior(stats)
  leaf.solve(stats, 0, params)
  expect(1 / params[1]).toBeCloseTo((4 + 6 * v) / 10, 12)
  expect(1 / params[4]).toBeCloseTo((2 + 6 * v) / 9, 9)
  expect([params[0], params[3]]).toEqual([0, expect.closeTo(100, 12)])
})

test("tied, six pseudo-rows are all there are, and what lies within slots is known of all together", () => {
  const stats = Float64Array.of(4, 0, 3, 300, 30006)
  const [leaf, params] = [bind({ variance: "tied" }, 2), new Float64Array(6)]
  const v = (6 + 1.5) / (3 + 2 + 1)
  leaf.prior(stats)
  leaf.solve(stats, 0, params)
  expect(1 / params[1]).toBeCloseTo((6 + 6 * v) / 13, 9)
  expect(params[4]).toBe(params[1])
})

test("α goes around the means of other statistics, by another spread, where they are given", () => {
  const stats = new Float64Array(3)
  bind({ prior: 2 }, 1).prior(stats, 0.5, Float64Array.of(7), Float64Array.of(10, 20, 50))
  expect([...stats]).toEqual([6, 12, 6 * (4 + 7)])
})

test("a variance of zero is held at a small part of what lies within slots, and counted", () => {
  const leaf = bind({ prior: 0 }, 2)
  const params = new Float64Array(6)
  const stats = Float64Array.of(3, 6, 12, 2, 0, 4)
  expect(leaf.solve(stats, 0, params)).toBe(1)
  expect(1 / params[1]).toBeCloseTo(1e-9 * ((0 + 4 + 1.5) / (2 + 1 + 1)), 20)
  expect(leaf.solve(stats, 0, params, Float64Array.of(0.5))).toBe(1)
  expect(1 / params[1]).toBeCloseTo(0.5e-9, 20)
  expect(params.every(Number.isFinite)).toBe(true)
})

test("two free parameters per slot; tied, a mean each and one variance", () => {
  expect([bind({}, 3).shape.free, bind({ variance: "tied" }, 3).shape.free]).toEqual([6, 4])
})

test("auto() takes all numbers, and says why few whole numbers are not codes", () => {
  const summary: ColumnSummary = {
    ...{
      name: "x",
      rows: 110,
      missing: 10,
      numbers: 100,
      integers: 0,
      negatives: 0,
      smallest: Infinity,
      largest: -Infinity,
      mean: Number.NaN,
      variance: Number.NaN,
      booleans: 0,
    },
    ...{ strings: 0, texts: 0, bags: 0, distinct: 90 },
  }
  expect(gaussianKind.suits?.(summary)).toBe("90 different numbers")
  expect(gaussianKind.suits?.({ ...summary, integers: 100, distinct: 4 })).toBe(
    "4 different whole numbers, whose order and distance count; if they are codes, name categorical()",
  )
  expect(gaussianKind.suits?.({ ...summary, numbers: 99, strings: 1 })).toBeUndefined()
})

describe("messages", () => {
  test("an unknown variance", () => {
    expect(() => gaussianKind.make({ variance: "shared" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: gaussian: variance is "shared". It must be one of "own" and "tied". Choose one of them, or leave it out.]`,
    )
  })
  test("a negative prior", () => {
    expect(() => gaussian({ prior: -2 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: gaussian: prior is -2. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.]`,
    )
  })
  test("an unknown option", () => {
    expect(() => gaussianKind.make({ varience: "own" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: gaussian: there is no option "varience". It knows "variance" and "prior". Did you mean "variance"?]`,
    )
  })
  test("a described standard deviation of 0", () => {
    expect(() => thetaOf({}, [{ mean: 40, sd: 0 }])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: gaussian: "sd" of column "bill" is 0. It must be a finite number above 0. Give the parameters as describe() prints them.]`,
    )
  })
})

test("with one variance the posterior goes to its end however far away x is, alone or among others", async () => {
  const roll = dice(5)
  const rows = Array.from({ length: 60 }, (_, i) => ({
    y: i % 2 ? "high" : "low",
    x: (i % 2) + roll.normal(),
    z: roll.normal(),
  }))
  const tied = () => gaussian({ variance: "tied" })
  const fitted = await fit(classes("y", independent({ x: tied(), z: tied() })), rows)
  const far = [1e7, 1e10, 1e17, 1e150, 1e160, 1e200, 1e300, Number.MAX_VALUE].flatMap(x => [
    { x, z: 0 },
    { x: -x, z: 0 },
  ])
  const high = ({ levels, probabilities }: ReturnType<typeof fitted.posterior>): number[] =>
    Array.from({ length: probabilities.length / 2 }, (_, i) => probabilities[2 * i + levels.indexOf("high")])
  expect(high(fitted.posterior(far))).toEqual(far.map(({ x }) => (x > 0 ? 1 : 0)))
  // whatever lies beside them
  const all = [...rows.map(({ x, z }) => ({ x, z })), ...far]
  const together = high(fitted.posterior(all))
  all.forEach((row, i) => {
    expect(high(fitted.posterior([row]))).toEqual([together[i]])
  })
  expect(high(fitted.posterior(rows.map(({ x, z }) => ({ x, z }))))).toEqual(together.slice(0, rows.length))
})

test.each(["own", "tied"] as const)(
  "a step may take nearly all of a variance, not all of it: %s",
  variance => {
    const leaf = bind({ variance }, 1)
    const inside = (share: number): boolean => {
      const stats = new Float64Array(leaf.shape.statistics)
      leaf.adopt({ mean: 44, sd: 4 * Math.sqrt(share * column.variance) }, 0, 2, stats)
      return leaf.inside(stats, 0, Float64Array.of(column.variance))
    }
    expect([1e-8, 1e-6, 0.01, 1, 100].map(inside)).toEqual([false, false, true, true, true])
  },
)
