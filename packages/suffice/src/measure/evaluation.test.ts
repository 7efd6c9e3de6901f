/** Second opinions on all measures: scikit-learn and scipy, read from checks/golden/measures.json (checks/golden/measures.py made it). */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { entropy, relativeEntropy } from "./bounds.ts"
import { fitCalibration } from "./calibration.ts"
import { type Evaluation, measured, type NumberEvaluation } from "./evaluation.ts"
import { meanInterval, wilsonInterval } from "./intervals.ts"
import { interpolate, isotonic } from "./isotonic.ts"
import { type JudgedLevels, type JudgedNumbers, pooled } from "./judged.ts"

const golden = JSON.parse(
  readFileSync(new URL("../../../../checks/golden/measures.json", import.meta.url), "utf8"),
)
const { levels, truth, probabilities } = golden.datasets.trees

function judged(weights: number[]): JudgedLevels {
  const p = Float64Array.from(probabilities.flat())
  return {
    kind: "levels",
    target: "tree",
    levels,
    strange: [],
    truth,
    from: truth.map((_: number, i: number) => i),
    probabilities: p,
    logs: Float64Array.from(truth, (level: number, i: number) => Math.log(p[i * levels.length + level])),
    weights: Float64Array.from(weights),
    rows: truth.length,
    skipped: 0,
    unseen: new Map(),
  }
}

function close(actual: unknown, expected: unknown, tolerance = 1e-12): void {
  if (typeof expected === "number") {
    const gap = Math.abs((actual as number) - expected) / Math.max(1, Math.abs(expected))
    expect(gap, `${actual} should be ${expected}`).toBeLessThanOrEqual(tolerance)
    return
  }
  const list = expected as unknown[]
  expect((actual as unknown[]).length).toBe(list.length)
  list.forEach((value, i) => {
    close((actual as unknown[])[i], value, tolerance)
  })
}

describe("every measure equals scikit-learn's", () => {
  for (const { name, weights, expected } of golden.cases) {
    test(name, () => {
      const found = measured(judged(weights)) as Evaluation
      const each = Object.values(found.perLevel)
      close(found.confusion.counts, expected.confusion)
      for (const one of ["accuracy", "logLoss", "brier", "macroF1"] as const) close(found[one], expected[one])
      for (const one of ["precision", "recall", "f1", "support", "auc", "averagePrecision"] as const) {
        close(
          each.map(level => level[one]),
          expected[one],
        )
      }
      const mean = (values: number[]): number => values.reduce((a, b) => a + b) / values.length
      close(found.auc, mean(expected.auc))
      close(found.averagePrecision, mean(expected.averagePrecision))
    })

    test(`the temperature, ${name}`, () => {
      const rows = { logs: Float64Array.from(probabilities.flat(), Math.log), levels: 4, truth, weights }
      const found = fitCalibration("tree", "temperature", rows)
      close(found.method === "temperature" && found.temperature, expected.temperature)
    })
  }

  for (const { name, x, y, weights, fit, ask, answer } of golden.isotonic) {
    test(`isotonic regression, ${name}`, () => {
      const knots = isotonic(x, y, weights)
      close(
        x.map((at: number) => interpolate(knots, at)),
        fit,
      )
      close(
        ask.map((at: number) => interpolate(knots, at)),
        answer,
      )
    })
  }

  test("Wilson's interval and the entropies equal scipy's", () => {
    for (const { hits, rows, low, high } of golden.wilson)
      close(wilsonInterval(hits / rows, rows), [low, high])
    const { p, q, ...expected } = golden.information
    close(entropy(p), expected.entropy)
    close(relativeEntropy(p, q), expected.relativeEntropy)
  })
})

test("a weight of 0 is no row, and weights times a constant change no measure but the weight", () => {
  const all = judged(truth.map((_: number, i: number) => (i < 200 ? 1 : 0)))
  const some: JudgedLevels = {
    ...all,
    truth: truth.slice(0, 200),
    from: all.from.slice(0, 200),
    probabilities: all.probabilities.subarray(0, 200 * levels.length),
    logs: all.logs.subarray(0, 200),
    weights: all.weights.subarray(0, 200),
  }
  expect(measured(all, { bootstrap: 50, curves: true })).toEqual(
    measured(some, { bootstrap: 50, curves: true }),
  )
  const doubled = measured({ ...all, weights: all.weights.map(w => 4 * w) }) as Evaluation
  const once = measured(all) as Evaluation
  expect(doubled.weight).toBe(4 * once.weight)
  for (const one of ["accuracyInterval", "logLossInterval", "logLoss", "brier", "ece", "auc"] as const) {
    expect(doubled[one]).toEqual(once[one])
  }
})

test("pooling the parts of a set is the set; a level some part did not know has probability 0 there", () => {
  const whole = judged(truth.map(() => 1))
  const part = (from: number, to: number): JudgedLevels => ({
    ...whole,
    truth: truth.slice(from, to),
    from: whole.from.slice(0, to - from),
    probabilities: whole.probabilities.subarray(from * 4, to * 4),
    logs: whole.logs.subarray(from, to),
    weights: whole.weights.subarray(from, to),
    rows: to - from,
  })
  expect(pooled([part(0, 90), part(90, 240)])).toEqual(whole)
  const narrow: JudgedLevels = {
    ...whole,
    levels: ["birch", "ash"],
    strange: ["cedar", "elm"],
    truth: [0, 1, 2, 3],
    from: [0, 1, 2, 3],
    probabilities: Float64Array.of(0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.5, 0.5),
    logs: Float64Array.of(Math.log(0.9), Math.log(0.8), -Infinity, -Infinity),
    weights: Float64Array.of(1, 1, 1, 1),
    rows: 4,
    unseen: new Map([
      ["cedar", 1],
      ["elm", 1],
    ]),
  }
  const both = pooled([part(0, 2), narrow, narrow]) as JudgedLevels
  expect(both.levels).toEqual(levels)
  expect(both.strange).toEqual(["elm"])
  expect(both.truth.slice(2, 6)).toEqual([1, 0, 2, 4])
  expect([...both.probabilities.subarray(8, 16)]).toEqual([0.1, 0.9, 0, 0, 0.8, 0.2, 0, 0])
  const found = measured(both) as Evaluation
  expect(found.unseen).toEqual({ cedar: 2, elm: 2 })
  expect(found.logLoss).toBe(Infinity)
  expect(found.logLossInterval).toEqual([Infinity, Infinity])
  expect(found.confusion.levels).toEqual([...levels, "elm"])
  expect(found.perLevel.elm).toEqual({
    level: "elm",
    precision: 0,
    recall: 0,
    f1: 0,
    support: 2,
    predicted: 0,
  })
})

test("numbers by hand: errors of 1 and −3, the second outside of its interval and half the weight", () => {
  const numbers: JudgedNumbers = {
    kind: "number",
    target: "x",
    truth: Float64Array.of(5, 7),
    values: Float64Array.of(4, 10),
    low: Float64Array.of(3, 9),
    high: Float64Array.of(5, 11),
    logs: Float64Array.of(-1, -4),
    weights: Float64Array.of(2, 1),
    skipped: 3,
  }
  expect(measured(numbers)).toEqual({
    kind: "number",
    target: "x",
    rows: 2,
    weight: 3,
    skipped: 3,
    rmse: Math.sqrt((2 * 1 + 9) / 3),
    mae: (2 * 1 + 3) / 3,
    coverage: 2 / 3,
    coverageInterval: wilsonInterval(2 / 3, 9 / 5),
    logDensity: -2,
    logDensityInterval: meanInterval([-1, -4], [2, 1]),
    // mean 17/3, squared distances 4/9 · 2 and 16/9
    r2: expect.closeTo(1 - 11 / 3 / (24 / 27), 13),
    truth: { mean: 17 / 3, sd: expect.closeTo(Math.sqrt(24 / 27), 14) },
  })
  expect((measured(numbers, { curves: true }) as NumberEvaluation).points).toEqual([
    { value: 4, truth: 5 },
    { value: 10, truth: 7 },
  ])
  expect(pooled([numbers, numbers])).toMatchObject({ truth: Float64Array.of(5, 7, 5, 7), skipped: 6 })
})

test("the interval of a log-loss does not begin below 0, which no loss is", () => {
  const all = judged(truth.map(() => 1))
  const found = measured({
    ...all,
    logs: all.logs.map((_, i) => (i === 0 ? -40 : -0.001)),
  }) as Evaluation
  const [low, high] = found.logLossInterval
  expect(low).toBe(0)
  expect(high).toBeGreaterThan(found.logLoss)
})

test("a row of weight 0 may be impossible: the others have their log-loss and its interval", () => {
  const weights = truth.map((_: number, i: number) => (i === 3 ? 0 : 1))
  const all = judged(weights)
  const found = measured({
    ...all,
    logs: all.logs.map((log, i) => (i === 3 ? -Infinity : log)),
  }) as Evaluation
  const without = measured(all) as Evaluation
  expect([found.logLoss, ...found.logLossInterval]).toEqual([without.logLoss, ...without.logLossInterval])
  expect(found.logLossInterval.every(Number.isFinite)).toBe(true)
})
