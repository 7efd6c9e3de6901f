import { describe, expect, test } from "vitest"
import { split } from "../choose/split.ts"
import type { Level, Row } from "../contract/cells.ts"
import { bernoulli } from "../families/bernoulli.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { fit } from "../fit/fit.ts"
import { em } from "../learners/em.ts"
import type { Evaluation } from "../measure/evaluation.ts"
import { wilsonInterval } from "../measure/intervals.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { normal } from "../structures/normal.ts"
import { evaluate } from "./evaluate.ts"

interface Tree {
  y: "ash" | "birch" | "cedar"
  x: number
  z: number
  leaf: string
  tall: boolean
  w: number
}

const d = dice(21)
const TREES: Tree[] = Array.from({ length: 400 }, () => {
  const y = d.integer(3)
  const x = 2 * y + d.normal()
  return {
    y: (["ash", "birch", "cedar"] as const)[y],
    x,
    z: x + 0.5 * d.normal(),
    leaf: ["oval", "round"][d.uniform() < 0.2 + 0.3 * y ? 1 : 0],
    tall: d.uniform() < 0.3 + 0.2 * y,
    w: d.integer(4) / 2,
  }
})
const { train, test: held } = split(TREES, { stratify: "y", seed: 1 })
const model = classes("y", independent({ x: gaussian(), leaf: categorical(), tall: bernoulli() }))
const fitted = await fit(model, train)
const answers = fitted.predict(held)

describe("levels", () => {
  test("accuracy, log-loss and Brier are what predict's answers say", () => {
    const found = evaluate(fitted, held)
    const mean = (f: (i: number) => number): number => held.reduce((sum, _, i) => sum + f(i), 0) / held.length
    expect(found).toMatchObject({
      kind: "levels",
      target: "y",
      rows: 120,
      weight: 120,
      skipped: 0,
      unseen: {},
    })
    expect(found.accuracy).toBeCloseTo(
      mean(i => (answers[i].value === held[i].y ? 1 : 0)),
      14,
    )
    expect(found.logLoss).toBeCloseTo(
      mean(i => -Math.log(answers[i].probabilities[held[i].y])),
      12,
    )
    const brier = (i: number): number =>
      Object.entries(answers[i].probabilities).reduce(
        (sum, [level, p]) => sum + (p - (level === held[i].y ? 1 : 0)) ** 2,
        0,
      )
    expect(found.brier).toBeCloseTo(mean(brier), 12)
    expect(found.confusion.levels).toEqual(["ash", "birch", "cedar"])
    expect(found.confusion.counts[0][1]).toBe(
      held.filter((row, i) => row.y === "ash" && answers[i].value === "birch").length,
    )
    const [low, high] = found.accuracyInterval
    expect(low < found.accuracy && found.accuracy < high).toBe(true)
    expect(found.logLossInterval[0] < found.logLoss && found.logLoss < found.logLossInterval[1]).toBe(true)
    expect(Object.keys(found.perLevel)).toEqual(["ash", "birch", "cedar"])
    expect(found.perLevel.ash.roc).toBeUndefined()
  })

  test("columns give what rows give, and the data is not touched", () => {
    const names = ["y", "x", "leaf", "tall"] as const
    const columns = Object.fromEntries(names.map(name => [name, held.map(row => row[name])]))
    const frozen = Object.freeze(held.map(row => Object.freeze({ ...row })))
    expect(evaluate(fitted, columns as never)).toEqual(evaluate(fitted, frozen))
  })

  test("rows without a label are counted and not scored", () => {
    const holes = held.map((row, i) => (i % 4 === 0 ? { ...row, y: null } : row))
    const found = evaluate(fitted, holes)
    expect(found.skipped).toBe(30)
    expect(found).toEqual({
      ...evaluate(
        fitted,
        held.filter((_, i) => i % 4 !== 0),
      ),
      skipped: 30,
    })
  })

  test("a level never seen in training is an error of probability 0, and is named", () => {
    const rows = [...held, { ...held[0], y: "yew" }, { ...held[1], y: "yew" }]
    const found = evaluate(fitted, rows)
    expect(found.unseen).toEqual({ yew: 2 })
    expect(found.rows).toBe(122)
    expect(found.accuracy).toBeCloseTo((evaluate(fitted, held).accuracy * 120) / 122, 12)
    expect(found.logLoss).toBe(Infinity)
    expect(found.logLossInterval).toEqual([Infinity, Infinity])
    expect(found.brier).toBeLessThan(2)
    expect(found.confusion.levels).toEqual(["ash", "birch", "cedar", "yew"])
    expect(found.confusion.counts[3].reduce((a, b) => a + b)).toBe(2)
    expect(found.perLevel.yew).toMatchObject({ level: "yew", recall: 0, support: 2 })
  })

  test("weight w is the row w times, weight 0 is no row", () => {
    const twice = held.flatMap(row => new Array(2 * row.w).fill(row) as Tree[])
    const weighted = evaluate(fitted, held, { weight: "w" })
    const repeated = evaluate(fitted, twice)
    expect(weighted.weight).toBeCloseTo(repeated.weight / 2, 12)
    for (const name of [
      "accuracy",
      "logLoss",
      "brier",
      "ece",
      "macroF1",
      "auc",
      "averagePrecision",
    ] as const) {
      expect(weighted[name]).toBeCloseTo(repeated[name]!, 12)
    }
    const strange = [...held, { ...held[0], y: "yew", w: 0 }]
    expect(evaluate(fitted, strange, { weight: "w" }).logLoss).toBe(weighted.logLoss)
  })

  test("a soft label is one copy of the row per level, weighted", () => {
    const soft = held.map(row => ({ ...row, y: { [row.y]: 3, birch: row.y === "birch" ? 3 : 1 } }))
    const copies = held.flatMap(row =>
      row.y === "birch"
        ? [{ ...row, w: 1 }]
        : [
            { ...row, w: 0.75 },
            { ...row, y: "birch", w: 0.25 },
          ],
    )
    const a = evaluate(fitted, soft)
    const b = evaluate(fitted, copies, { weight: "w" })
    expect(a.rows).toBe(120)
    for (const name of ["accuracy", "logLoss", "brier", "ece", "weight"] as const) {
      expect(a[name]).toBeCloseTo(b[name], 12)
    }
    const hard = held.map(row => ({ ...row, y: { [row.y]: 1 } }))
    expect(evaluate(fitted, hard)).toEqual(evaluate(fitted, held))
  })

  test("the log-loss tells 5,000 nats from infinity, though the probability has rounded to 0", async () => {
    const far = await fit(
      classes("y", independent({ x: gaussian() })),
      [-1, 1, 99, 101].map(x => ({ x, y: x < 50 ? "near" : "far" })),
      { learner: em({ prior: 0 }) },
    )
    const rows = [{ x: 100, y: "near" }]
    expect(far.posterior(rows).probabilities).toContain(0)
    const { logLoss } = evaluate(far, rows)
    const joint = (y: string): number => far.logDensity([{ x: 100, y }])[0]
    expect(logLoss).toBeCloseTo(5000, 6)
    expect(logLoss).toBeCloseTo(joint("far") - joint("near"), 9)
    const columns = { x: [100, 0], y: ["near", "near"] }
    expect(evaluate(far, columns).logLoss).toBeCloseTo(logLoss / 2, 9)
  })

  test("curves and bootstrap intervals come when asked for", () => {
    const found = evaluate(fitted, held, { curves: true, bootstrap: 500, seed: 3 })
    expect(found.perLevel.ash.roc!.length).toBeGreaterThan(10)
    expect(found.perLevel.ash.precisionRecall!.length).toBeGreaterThan(10)
    expect(found.logLossInterval).not.toEqual(evaluate(fitted, held).logLossInterval)
    expect(found.logLossInterval[0]).toBeCloseTo(evaluate(fitted, held).logLossInterval[0], 1)
  })

  test("any column with levels may be the target, a hidden one too if its truth is known", async () => {
    expect(evaluate(fitted, held, { target: "leaf" }).confusion.levels).toEqual(["oval", "round"])
    expect(evaluate(fitted, held, { target: "tall" }).confusion.levels).toEqual([false, true])
    const bare = TREES.map(({ x, z }, i) => ({ x, z, part: i % 2 }))
    const clusters = await fit(mixture(2, normal(["x", "z"]), { name: "part" }), bare)
    expect(evaluate(clusters, bare, { target: "part" }).rows).toBe(400)
  })

  test("numbers and booleans as levels come back as they went in", async () => {
    const digits = await fit(classes("digit", independent({ x: gaussian() })), [
      { digit: 10, x: 1 },
      { digit: 9, x: 2 },
      { digit: 9, x: 3 },
    ])
    const found = evaluate(digits, [{ digit: 10, x: 1 }])
    expect(found.confusion.levels).toEqual([9, 10])
    expect(found.perLevel["10"].level satisfies Level).toBe(10)
  })

  test("on rows drawn from the model itself the log-loss is the entropy of its posteriors", () => {
    const drawn = fitted.sample(20_000, { seed: 5 })
    const found: Evaluation = evaluate(fitted, drawn)
    const { probabilities } = fitted.posterior(drawn)
    const entropy = probabilities.reduce((sum, p) => sum - (p > 0 ? p * Math.log(p) : 0), 0) / 20_000
    expect(Math.abs(found.logLoss - entropy)).toBeLessThan(0.015)
    expect(found.ece).toBeLessThan(0.015)
  })
})

describe("numbers", () => {
  test("errors, coverage and log-density are what predict and logDensity say", async () => {
    const pair = await fit(classes("y", normal(["x", "z"])), train)
    const found = evaluate(pair, held, { target: "z" })
    const said = pair.predict(held, { target: "z" })
    expect(found).toMatchObject({ kind: "number", target: "z", rows: 120, skipped: 0 })
    const mean = (f: (i: number) => number): number => held.reduce((sum, _, i) => sum + f(i), 0) / 120
    expect(found.rmse).toBeCloseTo(Math.sqrt(mean(i => (said[i].value - held[i].z) ** 2)), 12)
    expect(found.mae).toBeCloseTo(
      mean(i => Math.abs(said[i].value - held[i].z)),
      12,
    )
    expect(found.coverage).toBeGreaterThan(0.85)
    // z = x + noise of sd 0.5, so ln p is about that of a normal
    expect(found.rmse).toBeCloseTo(0.5, 1)
    expect(found.logDensity).toBeCloseTo(-0.5 - Math.log(0.5 * Math.sqrt(2 * Math.PI)), 0)
    const gaussianDensity = (i: number): number => {
      // given the label, x and z are jointly normal: predict's mean and sd are those of one normal
      const { value, sd } = said[i]
      const gap = (held[i].z - value) / sd
      return -0.5 * gap * gap - Math.log(sd * Math.sqrt(2 * Math.PI))
    }
    expect(found.logDensity).toBeCloseTo(mean(gaussianDensity), 9)
  })

  test("missing numbers are skipped, weights weigh", async () => {
    const pair = await fit(normal(["x", "z"]), train)
    const holes = held.map((row, i) => (i < 20 ? { ...row, z: null } : row))
    const some = evaluate(pair, held.slice(20), { target: "z" })
    expect(evaluate(pair, holes, { target: "z" })).toEqual({ ...some, skipped: 20 })
    const twice = held.flatMap(row => new Array(2 * row.w).fill(row) as Tree[])
    expect(evaluate(pair, held, { target: "z", weight: "w" }).rmse).toBeCloseTo(
      evaluate(pair, twice, { target: "z" }).rmse,
      12,
    )
  })
})

test("a number in a row whose rest is impossible has log-density −∞, not NaN", async () => {
  const rows = [
    { c: "p", y: "a", x: 1 },
    { c: "p", y: "a", x: 2 },
    { c: "q", y: "b", x: 5 },
    { c: "q", y: "b", x: 7 },
  ]
  const model = classes("y", independent({ c: categorical(), x: gaussian() }))
  const strict = await fit(model, rows, { learner: em({ prior: 0 }) })
  const impossible = { c: "q", y: "a", x: 3 }
  expect(strict.logDensity([impossible])[0]).toBe(Number.NEGATIVE_INFINITY)
  const found = evaluate(strict, [...rows, impossible], { target: "x" })
  expect(found.logDensity).toBe(Number.NEGATIVE_INFINITY)
  expect(found.rmse).toBeGreaterThan(0)
})

test("intervals count rows, not the levels of their soft labels", async () => {
  const hard = [...held, ...held.slice(0, 40)]
  const certain = evaluate(fitted, hard)
  // the same label, written as a soft one and in two parts of which one weighs nothing
  const soft = hard.map(row => ({ ...row, y: { [row.y]: 1 } }))
  const same = evaluate(fitted, soft as never) as typeof certain
  expect(same.accuracyInterval).toEqual(certain.accuracyInterval)
  expect(same.logLossInterval).toEqual(certain.logLossInterval)
  // an even label between two levels is still one row: as wide as n rows are, not as narrow as 2n
  const [a, b] = fitted.posterior(held).levels as string[]
  const torn = evaluate(
    fitted,
    hard.map(row => ({ ...row, y: { [a]: 1, [b]: 1 } })) as never,
  ) as typeof certain
  const share = torn.accuracy
  expect(torn.accuracyInterval).toEqual(wilsonInterval(share, hard.length))
  const losses = fitted.posterior(hard as never).logs
  const count = fitted.posterior(held).levels.length
  const means = hard.map((_, i) => -0.5 * (losses[i * count] + losses[i * count + 1]))
  const mean = means.reduce((sum, loss) => sum + loss, 0) / means.length
  const variance = means.reduce((sum, loss) => sum + (loss - mean) ** 2, 0) / (means.length - 1)
  const [low, high] = torn.logLossInterval
  expect(torn.logLoss).toBeCloseTo(mean, 12)
  expect((high - low) / 2).toBeCloseTo(1.959964 * Math.sqrt(variance / means.length), 6)
})

describe("what cannot be evaluated is refused:", () => {
  test("no label and no target", async () => {
    const clusters = await fit(mixture(2, independent({ x: gaussian() })), train)
    expect(() => evaluate(clusters as never, held as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no label, and no target is named. It cannot be guessed. Name one of "mixture(x)" and "x": { target: … }.]`,
    )
  })
  test("a misspelt target", () => {
    expect(() => evaluate(fitted, held, { target: "laef" as never })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no column "laef". It has "y", "leaf", "tall" and "x". Did you mean "leaf"?]`,
    )
  })
  test("a bag as target", async () => {
    const bags = await fit(classes("y", independent({ b: multinomial() })), [{ y: 1, b: "a b" }])
    expect(() =>
      evaluate(bags, [{ y: 1, b: "a" }], { target: "b" as never }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "b" has no levels to choose from. A posterior over levels needs some. Name one of "y".]`,
    )
  })
  test("rows without the target's column", () => {
    const rows: Row[] = held.map(({ x, leaf, tall }) => ({ x, leaf, tall, Y: 1 }))
    expect(() => evaluate(fitted, rows)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: the target "y" is not in the data. The data has "x", "leaf", "tall" and "Y". Did you mean "Y"?]`,
    )
  })
  test("no rows", () => {
    expect(() => evaluate(fitted, [])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: the data has no rows. There is nothing to compare. Pass at least one row.]`,
    )
  })
  test("labels that are all missing", () => {
    const rows = held.map(row => ({ ...row, y: undefined }))
    expect(() => evaluate(fitted, rows)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: "y" is missing in every row. There is no truth to compare with. Pass rows whose "y" is known.]`,
    )
  })
  test("labels of another type", async () => {
    const digits = await fit(classes("digit", independent({ x: gaussian() })), [
      { digit: 1, x: 1 },
      { digit: 2, x: 2 },
    ])
    expect(() => evaluate(digits, [{ digit: "1", x: 1 }])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: row 0 of "digit" holds "1", the model knows 1. One is string, the other number: every row would count as wrong. Convert the column to the type the model was fitted with.]`,
    )
  })
  test("weights that are all 0", () => {
    const rows = held.map(row => ({ ...row, w: 0 }))
    expect(() => evaluate(fitted, rows, { weight: "w" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: every row with a known "y" has weight 0, by "w". Nothing is left to measure. Give at least one of them a weight above 0.]`,
    )
  })
  test("weights that are not there", () => {
    expect(() => evaluate(fitted, held, { weight: "wieght" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: the weight column "wieght" is not in the data. The data has "y", "x", "z", "leaf", "tall" and "w". Add it, or name another column.]`,
    )
  })
  test("an unknown option, and options of the wrong kind", () => {
    expect(() => evaluate(fitted, held, { wieght: "w" } as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: there is no option "wieght". It knows "target", "weight", "curves", "bootstrap" and "seed". Did you mean "weight"?]`,
    )
    expect(() => evaluate(fitted, held, { weight: 2 as never })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: weight is 2. It must name a column. Write for example { weight: "count" }.]`,
    )
    expect(() => evaluate(fitted, held, { curves: 1 as never })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: curves is 1. It must be true or false. Write for example { curves: true }.]`,
    )
    expect(() => evaluate(fitted, held, { bootstrap: -1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: bootstrap is -1. It must be a number of samples. Write for example { bootstrap: 1000 }.]`,
    )
    expect(() => evaluate(fitted, held, { seed: Infinity })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: seed is Infinity. The dice need a finite number. Give any, or leave it out for 0.]`,
    )
  })
  test("a source", () => {
    const source = (async function* (): AsyncGenerator<Tree[]> {})()
    expect(() => evaluate(fitted, source)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: evaluate: the data is a source. All rows are needed at once. Read the source into rows first.]`,
    )
  })
})
