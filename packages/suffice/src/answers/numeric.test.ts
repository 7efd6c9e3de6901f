import { expect, test } from "vitest"
import { classes, gaussian, independent, mixture, normal, poisson, specify } from "../index.ts"

const at = (mean: number, sd = 1) => ({ x: { family: "gaussian", mean, sd } })
/** Φ⁻¹(0.975) */
const Z = 1.959963984540054

test("one normal: mean, sd and mean ± 1.96 sd", () => {
  const model = specify(independent({ x: gaussian() }), at(10, 2))
  const [{ value, sd, interval }] = model.predict([{ x: null }], { target: "x" })
  expect(value).toBeCloseTo(10, 12)
  expect(sd).toBeCloseTo(2, 12)
  expect(interval[0]).toBeCloseTo(10 - 2 * Z, 10)
  expect(interval[1]).toBeCloseTo(10 + 2 * Z, 10)
})

test("what the row says of the target is not read", () => {
  const model = specify(independent({ x: gaussian() }), at(10, 2))
  expect(model.predict([{ x: 77 }], { target: "x" })).toEqual(model.predict([{ x: null }], { target: "x" }))
})

test("given other columns of a normal: the regression on them", () => {
  const model = specify(normal(["u", "v"]), {
    "u, v": {
      family: "normal",
      mean: { u: 10, v: 100 },
      covariance: { u: { u: 4, v: 6 }, v: { u: 6, v: 25 } },
    },
  })
  const [seen, blank] = model.predict([{ u: 8 }, { u: null }], { target: "v" })
  expect(seen.value).toBeCloseTo(97, 10)
  expect(seen.sd).toBeCloseTo(4, 10)
  expect(blank.value).toBeCloseTo(100, 10)
  expect(blank.sd).toBeCloseTo(5, 10)
})

test("a mixture: moments of the mixture, and an interval that may be far from symmetric", () => {
  const model = specify(classes("y", independent({ x: gaussian() })), {
    y: { probabilities: { a: 0.9, b: 0.1 }, given: { a: at(0), b: at(100) } },
  })
  const [mixed, known] = model.predict([{}, { y: "b" }], { target: "x", coverage: 0.8 })
  expect(mixed.value).toBeCloseTo(10, 10)
  expect(mixed.sd).toBeCloseTo(Math.sqrt(1 + 0.9 * 0.1 * 100 * 100), 10)
  // P(X ≤ x) = 0.9 Φ(x) for x far below 100: Φ⁻¹(0.1 / 0.9) and, between the two heaps, anything near 0.9
  expect(mixed.interval[0]).toBeCloseTo(-1.2206403488473498, 8)
  expect(mixed.interval[1]).toBeGreaterThan(5)
  expect(mixed.interval[1]).toBeLessThan(95)
  expect(known.value).toBeCloseTo(100, 10)
  expect(known.interval[1]).toBeCloseTo(100 + 1.2815515655446004, 8)
})

test("counts: the interval ends at whole numbers that hold at least what is asked", () => {
  const rate = (rate: number) => ({ n: { family: "poisson", rate } })
  const one = specify(independent({ n: poisson() }), rate(2))
  const [{ value, sd, interval }] = one.predict([{ n: null }], { target: "n", coverage: 0.9 })
  expect([value, sd]).toEqual([expect.closeTo(2, 12), expect.closeTo(Math.sqrt(2), 12)])
  // P(X ≤ 0) = 0.135, P(X ≤ 4) = 0.947, P(X ≤ 5) = 0.983
  expect(interval).toEqual([0, 5])
})

test("counts of very different rates: each component keeps to its own", () => {
  const model = specify(mixture(2, independent({ n: poisson() })), {
    "mixture(n)": {
      probabilities: { 0: 0.5, 1: 0.5 },
      given: { 0: { n: { family: "poisson", rate: 1 } }, 1: { n: { family: "poisson", rate: 900 } } },
    },
  })
  const [{ interval }] = model.predict([{ n: null }] as never, { target: "n" } as never) as never as {
    interval: number[]
  }[]
  // half of the mass at 0, 1, 2 …, the other half within 900 ± 60: the ends lie 5 % into either
  expect(interval[0]).toBe(0)
  expect(interval[1]).toBeGreaterThan(930)
  expect(interval[1]).toBeLessThan(960)
})

test("options are refused with what, why and what to do", () => {
  const model = specify(classes("y", independent({ x: gaussian() })), {
    y: { probabilities: { a: 0.9, b: 0.1 }, given: { a: at(0), b: at(100) } },
  })
  const predict = (options: object) => () =>
    model.predict([{ y: "a" }] as never, { target: "x", ...options } as never)
  expect(predict({ coverage: 95 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: predict: coverage is 95. It is the probability the interval holds, so it lies between 0 and 1. Leave it out for 0.95.]`,
  )
  expect(predict({ coverage: "0.9" })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: predict: coverage is "0.9". It is the probability the interval holds, so it lies between 0 and 1. Leave it out for 0.95.]`,
  )
  expect(predict({ prior: { a: 0.5, b: 0.5 } })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: predict: prior and classWeights weigh levels, but "x" is a number. Leave them out, or name a target with levels.]`,
  )
  expect(predict({ converage: 0.9 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: predict: there is no option "converage". It knows "target", "prior", "classWeights", "coverage" and "past". Did you mean "coverage"?]`,
  )
})
