import { expect, test } from "vitest"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { prototypes } from "./prototypes.ts"
import { specified } from "./testing/solved.ts"

const at = (mean: number) => ({ x: { family: "gaussian", mean, sd: 1 } })
const classed = specified(classes("y", independent({ x: gaussian() })), {
  y: { probabilities: { low: 0.5, high: 0.5 }, given: { low: at(0), high: at(4) } },
})

test("the prototypes of a level are its rows nearest to the mode, nearest first", () => {
  const rows = [5, 0.5, 4.1, -0.1, 1.9, 9, 3].map(x => ({ x }))
  const found = prototypes(classed, rows)
  expect(found.map(({ level, rows }) => [level, rows.map(({ row }) => row)])).toEqual([
    ["high", [2, 0, 6]],
    ["low", [3, 1, 4]],
  ])
  const { logDensity, probability } = found[0].rows[1]
  expect(logDensity).toBeCloseTo(-0.5 * Math.log(2 * Math.PI) - 0.5, 12)
  expect(probability).toBeCloseTo(1 / (1 + Math.exp(0.5 - 12.5)), 12)
  expect(prototypes(classed, { x: [5, 0.5] }, { count: 1 }).map(({ rows }) => rows.length)).toEqual([1, 1])
})

test("what the rows say of the target is not read, and a level may have none", () => {
  const found = prototypes(classed, [{ x: 4, y: "low" }])
  expect(found.map(({ rows }) => rows.length)).toEqual([1, 0])
})

test("rows that lack cells come after those that lack none", () => {
  const two = specified(classes("y", independent({ x: gaussian(), s: categorical() })), {
    y: {
      probabilities: { low: 0.5, high: 0.5 },
      given: {
        low: { ...at(0), s: { family: "categorical", probabilities: { a: 0.5, b: 0.5 } } },
        high: { ...at(4), s: { family: "categorical", probabilities: { a: 0.1, b: 0.9 } } },
      },
    },
  })
  const rows = [
    { x: 0, s: null },
    { x: 0.9, s: "a" },
    { x: 0.2, s: "a" },
  ]
  expect(prototypes(two, rows)[1].rows.map(({ row }) => row)).toEqual([2, 1, 0])
})

test("components of a mixture have prototypes too", () => {
  const mixed = specified(mixture(2, independent({ x: gaussian() }), { name: "part" }), {
    part: { probabilities: { 0: 0.9, 1: 0.1 }, given: { 0: at(0), 1: at(4) } },
  })
  const rows = [{ x: 4 }, { x: 0 }, { x: 1 }]
  const found = prototypes(mixed, rows, { target: "part", count: 2 })
  expect(found.map(({ level, rows }) => [level, rows.map(({ row }) => row)])).toEqual([
    [0, [1, 2]],
    [1, [0]],
  ])
  // the weight of the component does not enter
  expect(found[1].rows[0].logDensity).toBeCloseTo(-0.5 * Math.log(2 * Math.PI), 12)
})

test("a row that is impossible under every level is typical of none", () => {
  const sure = { s: { family: "categorical", probabilities: { a: 1, b: 0 } } }
  const model = specified(classes("y", independent({ s: categorical() })), {
    y: { probabilities: { p: 0.5, q: 0.5 }, given: { p: sure, q: sure } },
  })
  expect(prototypes(model, [{ s: "b" }]).map(({ rows }) => rows)).toEqual([[], []])
})

test("refused: a count that counts nothing, an option that is not there, a target that is not there", () => {
  const ask = (options: object) => () => prototypes(classed, [{ x: 1 }], options)
  expect(ask({ count: 0 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: prototypes: count is 0. It says how many rows each level gets, so it must be a whole number ≥ 1. Leave it out for 3.]`,
  )
  expect(ask({ cont: 2 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: prototypes: there is no option "cont". It knows "target" and "count". Did you mean "count"?]`,
  )
  expect(ask({ target: "x" })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: column "x" has no levels to choose from. A posterior over levels needs some. Name one of "y".]`,
  )
})
