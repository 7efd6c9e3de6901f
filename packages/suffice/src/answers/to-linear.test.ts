import { describe, expect, test } from "vitest"
import type { Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import { bernoulli } from "../families/bernoulli.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { wordSet } from "../families/word-set.ts"
import { fit } from "../fit/fit.ts"
import { em } from "../learners/em.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { normal } from "../structures/normal.ts"
import type { SolvedModel } from "./knowledge.ts"
import { linearScores } from "./linear-scores.ts"
import { posteriors } from "./posterior.ts"
import { questionOf } from "./question.ts"
import { solvedOf, specified } from "./testing/solved.ts"
import { toLinear } from "./to-linear.ts"

function rows(count: number, seed = 5): Row[] {
  const d = dice(seed)
  return Array.from({ length: count }, () => {
    const y = d.integer(3)
    return {
      y: ["ash", "birch", "cedar"][y],
      x: 100 + 5 * y + d.normal(),
      v: 2 * y + d.normal(),
      z: 1e-3 * d.normal(),
      s: ["red", "green", "blue"][(y + d.integer(2)) % 3],
      n: d.integer(3),
      b: d.uniform() < 0.2 + 0.3 * y,
      w: Array.from({ length: 5 }, () => ["Sun", "moon", "rain", "wind"][Math.min(3, d.integer(2 + y))]).join(
        " ",
      ),
    }
  })
}

async function fitted(model: Model, data = rows(200), prior = 1): Promise<SolvedModel> {
  const found = await fit(model as Model<Record<string, never>>, data as never, {
    learner: em({ maxIterations: 8, prior }),
  })
  return solvedOf(found)
}

function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores)
  const powers = scores.map(score => Math.exp(score - most))
  const total = powers.reduce((sum, p) => sum + p, 0)
  return powers.map(p => p / total)
}

const numbers = { x: gaussian(), v: gaussian() }
const xvz = ["x", "v", "z"] as const
const MODELS: Record<string, [Model, features: string[], target?: string]> = {
  "gaussians of their own variance": [classes("y", independent(numbers)), ["x", "v", "x²", "v²"]],
  "gaussians of one variance": [
    classes("y", independent({ x: gaussian({ variance: "tied" }), v: gaussian({ variance: "tied" }) })),
    ["x", "v"],
  ],
  levels: [
    classes("y", independent({ s: categorical(), b: bernoulli(), n: categorical() })),
    ["s = blue", "s = green", "s = red", "b = false", "b = true", "n = 0", "n = 1", "n = 2"],
  ],
  "counts of words": [
    classes("y", independent({ w: multinomial() })),
    ["w: moon", "w: rain", "w: sun", "w: wind"],
  ],
  "sets of words": [
    classes("y", independent({ w: wordSet({ lowercase: false }) })),
    ["w has moon", "w has rain", "w has Sun", "w has wind"],
  ],
  "full normals": [classes("y", normal(xvz)), ["x", "v", "z", "x²", "v²", "z²", "x · v", "x · z", "v · z"]],
  "tied normals": [classes("y", normal(xvz, { covariance: "tied" })), ["x", "v", "z"]],
  "diagonal normals": [classes("y", normal(xvz, { covariance: "diag" })), ["x", "v", "z", "x²", "v²", "z²"]],
  "spherical normals": [
    classes("y", normal(["x", "v"], { covariance: "spherical" })),
    ["x", "v", "x²", "v²"],
  ],
  "normals of unit covariance": [classes("y", normal(["x", "v"], { covariance: "identity" })), ["x", "v"]],
  "everything at once": [
    classes(
      "y",
      independent(normal(["x", "v"], { covariance: "tied" }), {
        z: gaussian(),
        s: categorical(),
        w: multinomial(),
      }),
    ),
    ["x", "v", "z", "z²", "s = blue", "s = green", "s = red", "w: moon", "w: rain", "w: sun", "w: wind"],
  ],
  "a body for each class": [
    classes("y", {
      ash: independent({ ...numbers, w: multinomial() }),
      birch: independent(normal(["x", "v"]), { w: wordSet() }),
      cedar: independent(normal(["x", "v"], { covariance: "diag" }), { w: multinomial() }),
    }),
    [
      "x",
      "v",
      "x²",
      "v²",
      "x · v",
      "w: moon",
      "w: rain",
      "w: sun",
      "w: wind",
      "w has moon",
      "w has rain",
      "w has sun",
      "w has wind",
    ],
  ],
  "classes beside other parts": [
    independent(
      { z: gaussian() },
      classes("y", independent(numbers)),
      mixture(2, independent({ s: categorical() })),
    ),
    ["x", "v", "x²", "v²"],
  ],
  "the components of a mixture": [
    mixture(3, normal(["x", "v"]), { name: "part" }),
    ["x", "v", "x²", "v²", "x · v"],
    "part",
  ],
}

describe.each(Object.entries(MODELS))("%s:", (_, [model, features, target]) => {
  test("the softmax of the linear form is the posterior", async () => {
    const solved = await fitted(model)
    const linear = toLinear(solved, target === undefined ? {} : { target })
    expect(linear.features.map(({ name }) => name)).toEqual(features)
    expect(linear.weights[0].every(weight => weight === 0)).toBe(true)
    expect(linear.bias[0]).toBe(0)
    const data = rows(60, 9)
    const { levels, probabilities } = posteriors(solved, data, questionOf(solved, { target }))
    expect(linear.levels).toEqual(levels)
    data.forEach((row, i) => {
      softmax(linearScores(linear, row)).forEach((p, l) => {
        expect(Math.abs(p - probabilities[i * levels.length + l])).toBeLessThan(1e-9)
      })
    })
    const read = JSON.parse(JSON.stringify(linear))
    expect(linearScores(read, data[0])).toEqual(linearScores(linear, data[0]))
  })
})

test("tied normals are a logistic regression: w = Σ⁻¹(μ₁ − μ₀), b = ½(μ₀ᵀΣ⁻¹μ₀ − μ₁ᵀΣ⁻¹μ₁) − ln((1 − φ)/φ)", () => {
  const covariance = { x: { x: 4, v: 1.2 }, v: { x: 1.2, v: 1 } }
  const given = (x: number, v: number) => ({ "x, v": { family: "normal", mean: { x, v }, covariance } })
  const phi = 0.3
  const solved = specified(classes("y", normal(["x", "v"], { covariance: "tied" })), {
    y: { probabilities: { no: 1 - phi, yes: phi }, given: { no: given(10, -1), yes: given(12, 0.5) } },
  })
  const { weights, bias, levels } = toLinear(solved)
  expect(levels).toEqual(["no", "yes"])
  const det = 4 * 1 - 1.2 * 1.2
  const solve = ([x, v]: number[]): number[] => [(x - 1.2 * v) / det, (4 * v - 1.2 * x) / det]
  const w = solve([12 - 10, 0.5 + 1])
  const form = (m: number[]): number => m[0] * solve(m)[0] + m[1] * solve(m)[1]
  const b = 0.5 * (form([10, -1]) - form([12, 0.5])) - Math.log((1 - phi) / phi)
  expect(weights[1]).toHaveLength(2)
  weights[1].forEach((weight, j) => {
    expect(Math.abs(weight - w[j])).toBeLessThan(1e-12)
  })
  expect(Math.abs(bias[1] - b)).toBeLessThan(1e-11)
})

test("features are plain data", async () => {
  const solved = await fitted(
    classes("y", independent(normal(["x", "v"]), { s: categorical(), w: wordSet() })),
  )
  const { features, text, target } = toLinear(solved)
  expect(target).toBe("y")
  expect(text).toEqual({ w: { lowercase: true } })
  expect(features.slice(3, 6)).toEqual([
    { kind: "x²", column: "v", name: "v²" },
    { kind: "xy", column: "x", other: "v", name: "x · v" },
    { kind: "level", column: "s", level: "blue", name: "s = blue" },
  ])
  expect(features.at(-1)).toEqual({ kind: "word", column: "w", word: "wind", name: "w has wind" })
})

test("words that the model does not know, and how often a word of a set occurs, change nothing", async () => {
  for (const family of [multinomial(), wordSet()]) {
    const linear = toLinear(await fitted(classes("y", independent({ w: family }))))
    const scores = linearScores(linear, { w: "sun rain" })
    expect(linearScores(linear, { w: ["rain", "zebra", "sun"] })).toEqual(scores)
    if (family.name === "wordSet") expect(linearScores(linear, { w: { sun: 3, rain: 1 } })).toEqual(scores)
  }
})

test("a linear form of many words is read by the words of the row, not by its own", async () => {
  const many = Array.from({ length: 3000 }, (_, w) => `word${w}`)
  const data = many.map((word, w) => ({ y: ["ash", "birch"][w % 2], w: [word, many[(7 * w) % 3000]] }))
  for (const family of [multinomial(), wordSet()]) {
    const solved = await fitted(classes("y", independent({ w: family })), data)
    const linear = toLinear(solved)
    let read = 0
    const watched = {
      ...linear,
      weights: linear.weights.map(
        row =>
          new Proxy(row as number[], {
            get: (target, key) => {
              read++
              return Reflect.get(target, key)
            },
          }),
      ),
    }
    const row = { w: ["word1", "word5", "word5", "zebra"] }
    expect(linearScores(watched, row)).toEqual(linearScores(linear, row))
    expect(read).toBeLessThan(20)
    const { logs } = posteriors(
      solved,
      [{ ...row, w: ["word1", "word5", "word5"] }],
      questionOf(solved, { target: "y" }),
    )
    expect(linearScores(linear, row)[1]).toBeCloseTo(logs[1] - logs[0], 9)
  }
})

describe("refused:", () => {
  const message = async (ask: () => Promise<unknown>): Promise<string> => {
    try {
      await ask()
    } catch (error) {
      return (error as Error).message
    }
    return "nothing"
  }
  const of = (model: Model, target?: string) =>
    message(async () => toLinear(await fitted(model), target === undefined ? {} : { target }))

  test("a mixture below the label", async () => {
    expect(await of(classes("y", mixture(2, independent(numbers), { name: "part" })))).toMatchInlineSnapshot(
      `"toLinear: the posterior of "y" is not linear in features of the row: "part" below it would be summed out. A softmax needs one sum per level. Use posterior() and explain()."`,
    )
  })

  test("a label below a mixture, or below another label", async () => {
    expect(await of(mixture(2, classes("y", independent(numbers))))).toMatchInlineSnapshot(
      `"toLinear: the posterior of "y" is not linear in features of the row: it stands below "mixture(y, x, v)", which would be summed out. A softmax needs one sum per level. Use posterior() and explain()."`,
    )
    const nested = classes("s", {
      blue: classes("y", independent(numbers)),
      green: classes("y", independent(numbers)),
      red: classes("y", independent(numbers)),
    })
    expect(await of(nested, "y")).toMatchInlineSnapshot(
      `"toLinear: the posterior of "y" is not linear in features of the row: it stands below "s", which would be summed out. A softmax needs one sum per level. Use posterior() and explain()."`,
    )
  })

  test("a leaf, and a model without a label", async () => {
    expect(await of(classes("y", independent({ s: categorical() })), "s")).toMatchInlineSnapshot(
      `"toLinear: the posterior of "s" is not linear in features of the row: it is a leaf of the model, not a label. A softmax needs one sum per level. Ask for a label or a mixture."`,
    )
    expect(await of(independent(numbers))).toMatchInlineSnapshot(
      `"the model has no label, and no target is named. It cannot be guessed. Name one of "x" and "v": { target: … }."`,
    )
  })

  test("a family that has no such form", async () => {
    const odd = {
      ...gaussian(),
      name: "odd",
      bind: (...args: Parameters<ReturnType<typeof gaussian>["bind"]>) => {
        const { terms: _, ...leaf } = gaussian().bind(...args)
        return leaf
      },
    }
    expect(await of(classes("y", independent({ x: odd })))).toMatchInlineSnapshot(
      `"toLinear: the posterior of "y" is not linear in features of the row: odd over "x" has no such form. A softmax needs one sum per level. Use posterior() and explain()."`,
    )
  })

  test("probabilities of 0", async () => {
    const data = rows(60).map(row => (row.y === "ash" ? { ...row, s: "red" } : row))
    expect(
      await message(async () =>
        toLinear(await fitted(classes("y", independent({ s: categorical() })), data, 0)),
      ),
    ).toMatchInlineSnapshot(
      `"toLinear: the weights of "s = blue" are not finite. Something has probability 0 under a level of "y", and no softmax says so. Fit the model with a prior."`,
    )
    const solved = specified(classes("y", independent({ x: gaussian() })), {
      y: {
        probabilities: { a: 1, b: 0 },
        given: {
          a: { x: { family: "gaussian", mean: 0, sd: 1 } },
          b: { x: { family: "gaussian", mean: 1, sd: 1 } },
        },
      },
    })
    expect(await message(async () => toLinear(solved))).toMatchInlineSnapshot(
      `"toLinear: the weights of "bias" are not finite. Something has probability 0 under a level of "y", and no softmax says so. Fit the model with a prior."`,
    )
  })

  test("an option that is not there", async () => {
    const solved = await fitted(classes("y", independent(numbers)))
    expect(await message(async () => toLinear(solved, { taget: "y" } as object))).toMatchInlineSnapshot(
      `"toLinear: there is no option "taget". It knows "target". Did you mean "target"?"`,
    )
  })

  test("rows that lack something, or hold something else", async () => {
    const model = classes("y", independent({ x: gaussian(), s: categorical(), w: wordSet() }))
    const linear = toLinear(await fitted(model))
    const row: Row = { x: 1, s: "red", w: "sun" }
    const given = (other: Row) => message(async () => linearScores(linear, { ...row, ...other }))
    expect(await given({ x: null })).toMatchInlineSnapshot(
      `"linearScores: the row holds nothing the model knows in "x". A linear form needs every cell. Fill the cell, or use posterior(), which sums missing cells out."`,
    )
    expect(await given({ s: "violet" })).toMatchInlineSnapshot(
      `"linearScores: the row holds nothing the model knows in "s". A linear form needs every cell. Fill the cell, or use posterior(), which sums missing cells out."`,
    )
    expect(await given({ w: "zebra" })).toMatchInlineSnapshot(
      `"linearScores: the row holds nothing the model knows in "w". A linear form needs every cell. Fill the cell, or use posterior(), which sums missing cells out."`,
    )
    expect(await given({ x: "one" })).toMatchInlineSnapshot(
      `"row 0 of "x" holds "one". The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical()."`,
    )
    expect(await given({ w: 7 })).toMatchInlineSnapshot(
      `"row 0 of "w" holds 7. A bag of words is text, a list of words, or { word: count } or a Map with counts ≥ 0. Pass one of these, or null."`,
    )
    expect(await given({})).toBe("nothing")
  })
})
