/** Failures of widely used libraries, kept as regression tests of ours. */

import {
  categorical,
  classes,
  dice,
  em,
  gaussian,
  independent,
  type Model,
  mixture,
  multinomial,
  normal,
} from "suffice"
import { describe, expect, test } from "vitest"
import { fit, type LooseFitted, type LooseRow } from "./api.ts"

const loose = (model: unknown): Model => model as Model

function share(fitted: LooseFitted, rows: readonly LooseRow[], label: string): number {
  const right = fitted.predict(rows, { target: label }).filter(({ value }, i) => value === rows[i][label])
  return right.length / rows.length
}

/** Rows of `width` numeric columns, two classes, whose means differ by `gap` in the columns of `signal`. */
function wide(rows: number, width: number, signal: readonly number[], gap: number, seed = 1): LooseRow[] {
  const draws = dice(seed)
  return Array.from({ length: rows }, (_, i) => {
    const row: Record<string, number | string> = { y: i % 2 ? "yes" : "no" }
    for (let j = 0; j < width; j++) row[`x${j}`] = draws.normal() + (i % 2 && signal.includes(j) ? gap : 0)
    return row
  })
}

function gaussians(width: number): Model {
  const columns = Object.fromEntries(Array.from({ length: width }, (_, j) => [`x${j}`, gaussian()]))
  return loose(classes("y", independent(columns)))
}

describe("Gaussian naive Bayes", () => {
  test("uses every column: the signal may lie in the third and the fourth", async () => {
    const fitted = await fit(gaussians(4), wide(200, 4, [2, 3], 4))
    expect(share(fitted, wide(200, 4, [2, 3], 4, 2), "y")).toBeGreaterThan(0.98)
  })

  test("answers with a class far from the data, however far", async () => {
    const fitted = await fit(gaussians(2), wide(60, 2, [0, 1], 3))
    const far = [1e3, -1e3, 1e9, -1e9, 1e150].map(x => ({ x0: x, x1: -x }))
    for (const { value, probability } of fitted.predict(far)) {
      expect(["yes", "no"]).toContain(value)
      expect(probability).toBeGreaterThanOrEqual(0.5)
    }
  })

  test.each([400, 10_000])("is right with %i features", async width => {
    const signal = Array.from({ length: width }, (_, j) => j)
    const fitted = await fit(gaussians(width), wide(60, width, signal, 0.6))
    const asked = wide(30, width, signal, 0.6, 2)
    expect(share(fitted, asked, "y")).toBe(1)
    const { probabilities } = fitted.posterior(asked)
    for (let i = 0; i < asked.length; i++)
      expect(probabilities[2 * i] + probabilities[2 * i + 1]).toBeCloseTo(1, 12)
  })

  test("loses nothing to a column of noise with a standard deviation of 1e5", async () => {
    const draws = dice(3)
    const noisy = (rows: LooseRow[]): LooseRow[] => rows.map(row => ({ ...row, x2: 1e5 * draws.normal() }))
    const train = wide(400, 2, [0, 1], 3)
    const asked = wide(400, 2, [0, 1], 3, 2)
    const clean = share(await fit(gaussians(2), train), asked, "y")
    const dirty = share(await fit(gaussians(3), noisy(train)), noisy(asked), "y")
    expect(clean).toBeGreaterThan(0.95) // the best possible is Φ(3/√2) = 0.983
    expect(Math.abs(dirty - clean)).toBeLessThanOrEqual(0.01)
  })
})

describe("texts", () => {
  const words = Array.from({ length: 300 }, (_, w) => `word${w}`)
  const draws = dice(5)
  const text = (topic: number): string[] =>
    Array.from({ length: 150 }, () => words[(draws.integer(200) + 100 * topic) % 300])
  const rows = Array.from({ length: 60 }, (_, i) => ({ topic: ["sea", "sky"][i % 2], text: text(i % 2) }))

  test("the class posteriors of 150 words add up to 1", async () => {
    const fitted = await fit(loose(classes("topic", independent({ text: multinomial() }))), rows)
    const { probabilities } = fitted.posterior(rows)
    for (let i = 0; i < rows.length; i++)
      expect(probabilities[2 * i] + probabilities[2 * i + 1]).toBeCloseTo(1, 12)
    expect(share(fitted, rows, "topic")).toBe(1)
  })

  test("a text of new words alone has the posterior of no text at all", async () => {
    const fitted = await fit(loose(classes("topic", independent({ text: multinomial() }))), rows)
    const [strange, none] = [{ text: ["unheard", "of"] }, { text: null }]
    expect(fitted.posterior([strange]).probabilities).toEqual(fitted.posterior([none]).probabilities)
  })
})

test("a category unseen in training works, and is reported", async () => {
  const rows = [
    { y: "a", colour: "red" },
    { y: "b", colour: "blue" },
    { y: "b", colour: "blue" },
  ]
  const fitted = await fit(loose(classes("y", independent({ colour: categorical() }))), rows)
  const [prediction] = fitted.predict([{ colour: "green" }])
  expect(prediction).toMatchObject({ value: "b", unseen: { colour: "green" } })
  expect(prediction.probability).toBeCloseTo(2 / 3, 12)
})

describe("mixtures and discriminants", () => {
  const draws = dice(6)
  const rows = Array.from({ length: 120 }, (_, i) => {
    const y = i % 2
    const x = 3 * y + draws.normal()
    return {
      y: y ? "right" : "left",
      x: draws.uniform() < 0.2 ? Number.NaN : x,
      z: draws.uniform() < 0.2 ? null : x + draws.normal(),
      w: 0.5 + draws.uniform(),
    }
  })

  test.each(["full", "tied"] as const)("a discriminant (%s) takes NaN and weights", async covariance => {
    const model = loose(classes("y", normal(["x", "z"], { covariance })))
    const fitted = await fit(model, rows, { weight: "w" })
    expect(share(fitted, rows, "y")).toBeGreaterThan(0.85)
    expect(Number.isFinite(fitted.training!.logLikelihood)).toBe(true)
  })

  test("a mixture takes NaN and weights", async () => {
    const fitted = await fit(loose(mixture(2, normal(["x", "z"]), { name: "side" })), rows, { weight: "w" })
    const sides = fitted.predict(rows, { target: "side" }).map(({ value }) => value)
    const same = sides.filter((side, i) => (side === sides[0]) === (i % 2 === 0)).length
    expect(same / rows.length).toBeGreaterThan(0.85)
  })

  test("a mixture on degenerate data finishes, with a diagnostic", async () => {
    const flat = Array.from({ length: 40 }, (_, i) => ({ x: i % 2, z: i % 2, k: 7 }))
    const model = loose(mixture(3, normal(["x", "z", "k"])))
    for (const prior of [0, 1]) {
      const fitted = await fit(model, flat, { learner: em({ prior }) })
      expect(JSON.stringify(fitted.describe())).not.toMatch(/null|NaN/)
      const codes = fitted.diagnostics.map(({ code }) => code)
      expect(codes).toContain("constant-column")
      if (prior === 0) expect(codes).toContain("held-at-floor")
    }
  })

  test("same seed, same bytes", async () => {
    const model = loose(mixture(3, normal(["x", "z"])))
    const texts = await Promise.all(
      [1, 2].map(async () => JSON.stringify(await fit(model, rows, { seed: 11 }))),
    )
    expect(texts[0]).toBe(texts[1])
  })
})
