import { describe, expect, test } from "vitest"
import type { Level } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import type { Fitted } from "../fit/fitted.ts"
import { categorical, classes, fit, gaussian, independent, mixture } from "../index.ts"

const learned = (model: unknown, data: unknown): Promise<Fitted> =>
  fit(model as Model, data as never) as Promise<Fitted>
const x = independent({ x: gaussian() })
const twoOf = (a: Level, b: Level) =>
  Array.from({ length: 20 }, (_, i) => ({ y: i < 10 ? a : b, x: (i < 10 ? 0 : 10) + (i % 10) / 10 }))

describe("labels come back as they went in", () => {
  test.each<[Level, Level]>([
    ["cat", "dog"],
    [1, 2],
    [-0.5, 1e21],
    [false, true],
    ["1", "2"],
    ["true", "false"],
    ["", " "],
    ["constructor", "__proto__"],
    ["toString", "hasOwnProperty"],
  ])("%o and %o", async (a, b) => {
    const fitted = await learned(classes("y", x), twoOf(a, b))
    const [low, high] = fitted.predict([{ x: 0 }, { x: 10 }])
    expect([low.value, high.value]).toEqual([a, b])
    expect(Object.keys(low.probabilities).sort()).toEqual([String(a), String(b)].sort())
    expect(low.probability).toBe(Object.entries(low.probabilities).find(([name]) => name === String(a))?.[1])
  })

  test("bigints come back as numbers", async () => {
    const rows = twoOf(3, 5).map(row => ({ ...row, y: BigInt(row.y as number) }))
    const fitted = await learned(classes("y", x), rows)
    expect(fitted.predict([{ x: 10 }])[0].value).toBe(5)
  })

  test("with a body for each level, whose keys are text", async () => {
    const fitted = await learned(classes("y", { 0: x, 1: x } as never), twoOf(0, 1))
    expect(fitted.predict([{ x: 10 }])[0].value).toBe(1)
    const flags = await learned(classes("y", { true: x, false: x } as never), twoOf(false, true))
    expect(flags.predict([{ x: 10 }])[0].value).toBe(true)
  })

  test("with soft labels among them", async () => {
    const rows = [...twoOf(0, 1), { y: { 0: 0.9, 1: 0.1 }, x: 0.5 }]
    const fitted = await learned(classes("y", x), rows)
    expect(fitted.predict([{ x: 0 }])[0].value).toBe(0)
  })
})

describe("a prediction", () => {
  test("is the most probable level; of equals, the first", async () => {
    const fitted = await learned(classes("y", x), [
      { y: "b", x: -1 },
      { y: "b", x: -2 },
      { y: "a", x: 1 },
      { y: "a", x: 2 },
    ])
    const [middle] = fitted.predict([{ x: null }])
    expect(middle).toEqual({ value: "a", probability: 0.5, probabilities: { a: 0.5, b: 0.5 } })
  })

  test("may be of any column: a level, or a component that was never seen", async () => {
    const rows = twoOf("p", "q").map((row, i) => ({ ...row, u: i < 10 ? "low" : "high" }))
    const fitted = await learned(
      classes("y", mixture(2, independent({ x: gaussian(), u: categorical() }), { name: "part" })),
      rows,
    )
    expect(
      fitted
        .predict(
          [
            { y: "p", x: 0 },
            { y: "q", x: 10 },
          ],
          { target: "u" },
        )
        .map(p => p.value),
    ).toEqual(["low", "high"])
    const [{ value, probabilities }] = fitted.predict([rows[0]], { target: "part" })
    expect([0, 1]).toContain(value)
    expect(Object.keys(probabilities)).toEqual(["0", "1"])
  })

  test("reports levels that training never saw, and takes them as missing", async () => {
    const rows = twoOf("p", "q").map(row => ({ ...row, u: "r", constructor: 1 }))
    const model = classes("y", independent({ x: gaussian(), u: categorical(), constructor: categorical() }))
    const fitted = await learned(model, rows)
    const [plain, strange, missing] = fitted.predict([
      { x: 0, u: "r", constructor: 1 },
      { x: 0, u: "R", constructor: "1" },
      { x: 0, u: null, constructor: undefined },
    ])
    expect(plain.unseen).toBeUndefined()
    expect("unseen" in plain).toBe(false)
    expect(Object.entries(strange.unseen!)).toEqual([
      ["u", "R"],
      ["constructor", "1"],
    ])
    expect(strange.probabilities).toEqual(missing.probabilities)
  })

  test("of a model with one class is that class", async () => {
    const fitted = await learned(classes("y", x), [
      { y: "only", x: 1 },
      { y: "only", x: 2 },
    ])
    expect(fitted.predict([{ x: 5 }])).toEqual([
      { value: "only", probability: 1, probabilities: { only: 1 } },
    ])
  })

  test("of no rows is none", async () => {
    const fitted = await learned(classes("y", x), twoOf("a", "b"))
    expect(fitted.predict([])).toEqual([])
  })
})

describe("the interval of a number", () => {
  const rows = Array.from({ length: 50 }, (_, i) => ({ x: ((i * 7) % 50) / 10 }))

  test("holds the coverage that is asked for, 95 % without", async () => {
    const fitted = await learned(x, rows)
    const ask = (coverage?: number) =>
      fitted.predict([{ x: null }], { target: "x", ...(coverage && { coverage }) })[0] as unknown as {
        value: number
        sd: number
        interval: [number, number]
      }
    for (const [coverage, deviations] of [
      [undefined, 1.959963984540054],
      [0.5, 0.6744897501960817],
      [0.99, 2.5758293035489004],
    ] as const) {
      const { value, sd, interval } = ask(coverage)
      expect((interval[1] - value) / sd).toBeCloseTo(deviations, 9)
      expect((interval[0] - value) / sd).toBeCloseTo(-deviations, 9)
    }
  })

  test("needs a coverage between 0 and 1", async () => {
    const fitted = await learned(x, rows)
    for (const coverage of [0, 1, 95, Number.NaN, "0.9" as never])
      expect(() => fitted.predict(rows, { target: "x", coverage })).toThrow("predict: coverage is")
    expect(() => fitted.predict(rows, { target: "x", coverage: 95 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: predict: coverage is 95. It is the probability the interval holds, so it lies between 0 and 1. Leave it out for 0.95.]`,
    )
  })
})
