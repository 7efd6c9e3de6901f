import { expect, test } from "vitest"
import type { Fitted } from "../fit/fitted.ts"
import { categorical, classes, em, fit, gaussian, independent, multinomial } from "../index.ts"

const rows = [
  { y: "a", x: 1, u: "r" },
  { y: "a", x: 3, u: "s" },
  { y: "b", x: 7, u: "s" },
  { y: "b", x: 9, u: "s" },
]
const fitted = (await fit(classes("y", independent({ x: gaussian(), u: categorical({ prior: 0 }) })), rows, {
  learner: em({ prior: 0 }),
})) as Fitted
const normal = (x: number, mean: number, variance: number): number =>
  Math.exp(-((x - mean) ** 2) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance)

test("is ln p(what was seen): labels and cells that are missing are summed out", () => {
  const [all, noLabel, noNumber, nothing] = fitted.logDensity([
    { y: "a", x: 2, u: "r" },
    { y: null, x: 4, u: "s" },
    { y: "a", x: null, u: "s" },
    { x: Number.NaN, u: undefined },
  ])
  expect(all).toBeCloseTo(Math.log(0.5 * normal(2, 2, 1) * 0.5), 12)
  expect(noLabel).toBeCloseTo(Math.log(0.5 * normal(4, 2, 1) * 0.5 + 0.5 * normal(4, 8, 1) * 1), 12)
  expect(noNumber).toBeCloseTo(Math.log(0.5 * 0.5), 12)
  expect(nothing).toBeCloseTo(0, 12)
})

test("is −∞ for what cannot be, and what training never saw counts as missing", () => {
  expect([...fitted.logDensity([{ y: "b", x: 8, u: "r" }])]).toEqual([Number.NEGATIVE_INFINITY])
  expect(fitted.logDensity([{ y: "a", x: 2, u: "new" }])).toEqual(
    fitted.logDensity([{ y: "a", x: 2, u: null }]),
  )
})

test("row by row is the same as all at once, and of no rows there is none", () => {
  const at = (row: object): number => fitted.logDensity([row])[0]
  expect([...fitted.logDensity(rows)]).toEqual(rows.map(at))
  expect(fitted.logDensity([])).toHaveLength(0)
})

test("a soft label is no question", () => {
  expect(() => fitted.logDensity([{ x: 1, u: "r", y: { a: 1 } }])).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: row 0 of "y" holds an object with 1 key. A level is text, a boolean or a finite number. Put one level in each cell (soft labels are for fit), or choose multinomial() for lists of words.]`,
  )
})

test("scaled words have none, but rows without words have that of their other cells", async () => {
  const documents = rows.map(row => ({ ...row, w: row.y === "a" ? "sun sea" : "sun rain" }))
  const body = independent({
    x: gaussian(),
    u: categorical({ prior: 0 }),
    w: multinomial({ scaling: "tfidf" }),
  })
  const scaled = await fit(classes("y", body), documents, { learner: em({ prior: 0 }) })
  expect([...scaled.logDensity([{ y: "a", x: 2, u: "r" }])]).toEqual([
    ...fitted.logDensity([{ y: "a", x: 2, u: "r" }]),
  ])
  expect(() =>
    scaled.logDensity([
      { y: "a", x: 2 },
      { y: "a", w: "sun" },
    ]),
  ).toThrow(/no density/)
})
