import { expect, test } from "vitest"
import { categorical, classes, gaussian, independent, multinomial, normal, specify } from "../index.ts"

const of = (mean: number, red: number) => ({
  x: { family: "gaussian", mean, sd: 1 },
  c: { family: "categorical", probabilities: { red, blue: 1 - red } },
})
const model = specify(classes("y", independent({ x: gaussian(), c: categorical() })), {
  y: { probabilities: { a: 0.75, b: 0.25 }, given: { a: of(0, 0.9), b: of(4, 0.2) } },
})

test("with nothing seen, holes get the prior's mean and mode", () => {
  const { rows, spread, draws } = model.impute([{ x: null, c: null }])
  // p(red) = 0.75 · 0.9 + 0.25 · 0.2, E x = 0.25 · 4, Var x = 1 + 0.75 · 0.25 · 4²
  expect(rows).toEqual([{ y: "a", x: expect.closeTo(1, 12), c: "red" }])
  expect(spread).toEqual([
    { y: expect.closeTo(0.25, 12), x: expect.closeTo(2, 12), c: expect.closeTo(0.275, 12) },
  ])
  expect(draws).toEqual([])
})

test("a hole is filled given the rest of its row", () => {
  const { rows, spread } = model.impute([
    { y: "b", x: null, c: "red" },
    { y: null, x: null, c: "blue" },
  ])
  expect(rows[0]).toEqual({ y: "b", x: expect.closeTo(4, 12), c: "red" })
  expect(spread[0]).toEqual({ x: expect.closeTo(1, 12) })
  // p(a | blue) = 0.75 · 0.1 / (0.75 · 0.1 + 0.25 · 0.8) = 3/11
  expect(rows[1]).toEqual({ y: "b", x: expect.closeTo(32 / 11, 12), c: "blue" })
  expect(spread[1].y).toBeCloseTo(3 / 11, 12)
  expect(spread[1].x).toBeCloseTo(Math.sqrt(1 + (3 / 11) * (8 / 11) * 16), 12)
})

test("a correlated column is filled by the regression on the others", () => {
  const pair = specify(normal(["u", "v"]), {
    "u, v": {
      family: "normal",
      mean: { u: 10, v: 100 },
      covariance: { u: { u: 4, v: 6 }, v: { u: 6, v: 25 } },
    },
  })
  const { rows, spread } = pair.impute([{ u: 12, v: null }])
  expect(rows[0].v).toBeCloseTo(100 + (6 / 4) * 2, 10)
  expect(spread[0].v).toBeCloseTo(Math.sqrt(25 - 36 / 4), 10)
})

test("what was seen stays as it is: other columns, rows without holes, levels that are new, the rows given", () => {
  const whole = Object.freeze({ id: 7, y: "a", x: -0, c: "red", note: null })
  const strange = Object.freeze({ id: 8, y: "a", x: null, c: "green" })
  const { rows, spread } = model.impute([whole, strange], { draws: 1 })
  expect(rows[0]).toEqual(whole)
  expect(spread[0]).toEqual({})
  expect(rows[1]).toEqual({ id: 8, y: "a", x: expect.closeTo(0, 12), c: "green" })
  expect(strange.x).toBe(null)
})

test("columns come back as rows", () => {
  const { rows } = model.impute({ y: ["b", null], x: Float64Array.of(Number.NaN, 4), c: ["red", "blue"] })
  expect(rows).toEqual([
    { y: "b", x: expect.closeTo(4, 12), c: "red" },
    { y: "b", x: 4, c: "blue" },
  ])
})

test("an empty bag of words stays empty: how long it should be is not known", () => {
  const texts = specify(classes("y", independent({ t: multinomial() })), {
    y: {
      probabilities: { a: 0.5, b: 0.5 },
      given: {
        a: { t: { family: "multinomial", words: { sun: 0.5, rain: 0.5 } } },
        b: { t: { family: "multinomial", words: { sun: 0.9, rain: 0.1 } } },
      },
    },
  })
  const { rows, spread, draws } = texts.impute([{ t: null }], { draws: 1 })
  expect(rows).toEqual([{ t: null, y: "a" }])
  expect(Object.keys(spread[0])).toEqual(["y"])
  expect(draws[0][0].t).toBe(null)
})

test("drawn tables are complete, differ from each other, and come again with their seed", () => {
  const asked = [{ y: null, x: null, c: "red" }]
  const { draws } = model.impute(asked, { draws: 200, seed: 3 })
  expect(draws.every(([row]) => row.c === "red" && Number.isFinite(row.x))).toBe(true)
  const share = draws.filter(([row]) => row.y === "b").length / 200
  // p(b | red) = 0.25 · 0.2 / 0.725
  expect(Math.abs(share - 0.05 / 0.725)).toBeLessThan(0.07)
  expect(model.impute(asked, { draws: 2, seed: 3 }).draws).toEqual(draws.slice(0, 2))
  expect(draws[0]).not.toEqual(draws[1])
})

test("options are refused with what, why and what to do", () => {
  const rows = [{ y: "a", x: null, c: "red" }]
  expect(() => model.impute(rows, { draws: 1.5 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: impute: draws is 1.5. It counts complete tables, so it must be a whole number ≥ 0. Leave it out for one best guess.]`,
  )
  expect(() => model.impute(rows, { seed: Number.NaN })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: impute: seed is NaN. The dice need a finite number. Give any, or leave it out for 0.]`,
  )
  expect(() => model.impute(rows, { draw: 3 } as never)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: impute: there is no option "draw". It knows "draws" and "seed". Did you mean "draws"?]`,
  )
  // a column that no row has is filled as one of missing cells
  expect(model.impute([{ y: "a", x: null }] as never).rows).toEqual(
    model.impute([{ y: "a", x: null, c: null }] as never).rows,
  )
})
