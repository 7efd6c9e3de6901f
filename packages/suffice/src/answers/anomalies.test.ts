import { expect, test } from "vitest"
import { categorical, gaussian, independent, specify } from "../index.ts"

const model = specify(independent({ x: gaussian() }), { x: { family: "gaussian", mean: 0, sd: 1 } })
const rows = [3, 0.1, -4, 0.2, 0.3].map(x => ({ x }))

test("rows below the quantile of their own log-densities, strangest first", () => {
  const { scores, threshold, rows: strange } = model.anomalies(rows, { quantile: 0.5 })
  expect(scores).toEqual(model.logDensity(rows))
  expect(strange).toEqual([2, 0])
  // the median of five: that of 0.3
  expect(threshold).toBe(scores[4])
})

test("a quantile between two rows is interpolated (Hyndman & Fan 1996, type 7)", () => {
  const { scores, threshold } = model.anomalies(rows, { quantile: 0.1 })
  // 0.1 · 4 rows: 0.4 of the way from the strangest to the next
  expect(threshold).toBeCloseTo(scores[2] + 0.4 * (scores[0] - scores[2]), 12)
})

test("against usual rows any number of rows may be strange, or none", () => {
  const usual = model.logDensity([-2, -1, 0, 1, 2].map(x => ({ x })))
  expect(model.anomalies(rows, { usual }).rows).toEqual([2, 0])
  expect(model.anomalies([{ x: 0 }], { usual }).rows).toEqual([])
  expect(model.anomalies(rows, { usual: [...usual], quantile: 0 }).threshold).toBe(Math.min(...usual))
})

test("an impossible row is the strangest, though nothing lies between −∞ and a number", () => {
  const coin = specify(independent({ c: categorical() }), {
    c: { family: "categorical", probabilities: { head: 1, edge: 0 } },
  })
  const tossed = [...Array.from({ length: 20 }, () => ({ c: "head" })), { c: "edge" }]
  const { threshold, rows } = coin.anomalies(tossed)
  expect(threshold).toBe(0)
  expect(rows).toEqual([20])
})

test("without rows there is nothing strange", () => {
  expect(model.anomalies([])).toEqual({ scores: new Float64Array(0), threshold: -Infinity, rows: [] })
})

test("options are refused with what, why and what to do", () => {
  const ask = (options: object) => () => model.anomalies(rows, options)
  expect(ask({ quantile: 5 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: anomalies: quantile is 5. It is a share of rows, so it lies between 0 and 1. Leave it out for 0.01.]`,
  )
  expect(ask({ usual: "all" })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: anomalies: usual is "all". It lists log-densities of usual rows. Give what logDensity() returned for them, or the scores that anomalies() gave.]`,
  )
  expect(ask({ usual: [0, Number.NaN] })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: anomalies: usual holds NaN at 1. It lists log-densities of usual rows. Give what logDensity() returned for them, or the scores that anomalies() gave.]`,
  )
  expect(ask({ quantil: 0.1 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: anomalies: there is no option "quantil". It knows "quantile", "usual" and "by". Did you mean "quantile"?]`,
  )
})
