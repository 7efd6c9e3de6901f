import { describe, expect, test } from "vitest"
import { dice } from "../random.ts"
import { type Evaluation, measured, type NumberEvaluation } from "./evaluation.ts"
import type { JudgedLevels, JudgedNumbers } from "./judged.ts"
import { verdict } from "./verdict.ts"

/** `rows` rows of two levels, 70 % of them "a"; the model says `said` for what is true in a share `right` of them. */
function judged(rows: number, said: number, right: number, seed = 1): JudgedLevels {
  const roll = dice(seed)
  const truth = Array.from({ length: rows }, () => (roll.uniform() < 0.7 ? 0 : 1))
  const probabilities = new Float64Array(rows * 2)
  truth.forEach((code, i) => {
    const winner = roll.uniform() < right ? code : 1 - code
    probabilities[2 * i + winner] = said
    probabilities[2 * i + 1 - winner] = 1 - said
  })
  return {
    kind: "levels",
    target: "y",
    levels: ["a", "b"],
    strange: [],
    truth,
    from: truth.map((_, i) => i),
    probabilities,
    logs: Float64Array.from(truth, (code, i) => Math.log(probabilities[2 * i + code])),
    weights: new Float64Array(rows).fill(1),
    rows,
    skipped: 0,
    unseen: new Map(),
  }
}

const of = (rows: number, said: number, right: number) =>
  verdict(measured(judged(rows, said, right)) as Evaluation)

describe("levels", () => {
  test("base rates are the share of the most frequent level, and the entropy, nearly", () => {
    const { base } = of(1000, 0.9, 0.9)
    if (base.kind !== "levels") throw new Error("levels")
    const share = base.accuracy
    expect(base.level).toBe("a")
    expect(share).toBeCloseTo(0.7, 1)
    expect(base.logLoss).toBeCloseTo(-share * Math.log(share) - (1 - share) * Math.log(1 - share), 2)
  })

  test("better, and as sure as it may be", () => {
    expect(of(1000, 0.9, 0.9)).toMatchObject({ standing: "better", confidence: "fitting", rows: 1000 })
  })

  test("right in 70 % and saying 99 %: worse than the base rate, and overconfident", () => {
    const found = of(1000, 0.99, 0.7)
    expect(found).toMatchObject({ standing: "worse", confidence: "overconfident" })
    expect(found.sentence).toMatchInlineSnapshot(
      `"Worse than the base rate: do not use its probabilities (log-loss 1.33, base rate 0.63); it is overconfident: it says 99.0 % and is right in 71.3 %; judged on 1000 rows."`,
    )
  })

  test("rows that weigh nothing make it no surer", () => {
    const few = judged(20, 0.9, 1)
    const many = { ...judged(2000, 0.9, 1), weights: new Float64Array(2000).fill(1, 0, 20) }
    expect(few.truth).toEqual(many.truth.slice(0, 20))
    const weighed = verdict(measured(many) as Evaluation)
    expect(weighed.confidence).toBe(verdict(measured(few) as Evaluation).confidence)
  })

  test("right in 95 % and saying 60 % is too modest; ten rows are too few to tell", () => {
    expect(of(1000, 0.6, 0.95).confidence).toBe("underconfident")
    expect(of(10, 0.65, 0.8).standing).not.toBe("better")
  })

  test("a truth that was held impossible is worse than any base rate", () => {
    const one = judged(100, 0.9, 0.9)
    const logs = one.logs.map((log, i) => (i === 0 ? -Infinity : log))
    expect(verdict(measured({ ...one, logs }) as Evaluation).standing).toBe("worse")
  })

  test("a level that training never saw is told of: the probabilities of the others are not to blame", () => {
    const one = judged(100, 0.9, 0.9)
    const logs = one.logs.map((log, i) => (i < 2 ? -Infinity : log))
    const evaluation = measured({ ...one, logs, unseen: new Map([["z", 2]]) }) as Evaluation
    const { standing, sentence } = verdict(evaluation)
    expect(standing).toBe("worse")
    expect(sentence.split(" (")[0]).toBe(
      "Its log-loss is infinite, since 2 rows hold levels that training never saw: bring some to learn from",
    )
    const ofSteps = verdict({ ...evaluation, sequences: {} } as unknown as Evaluation).sentence
    expect(ofSteps).toMatch("since 2 steps hold levels")
    expect(ofSteps).toMatch(/judged on 100 steps\.$/)
  })
})

describe("numbers", () => {
  const roll = dice(3)
  const x = Float64Array.from({ length: 500 }, () => roll.normal())
  const truth = x.map(value => 3 * value + roll.normal())
  const numbers = (values: Float64Array, sd: number): JudgedNumbers => ({
    kind: "number",
    target: "y",
    truth,
    values,
    low: values.map(value => value - 1.96 * sd),
    high: values.map(value => value + 1.96 * sd),
    logs: truth.map((y, i) => -0.5 * Math.log(2 * Math.PI * sd * sd) - (y - values[i]) ** 2 / (2 * sd * sd)),
    weights: new Float64Array(500).fill(1),
    skipped: 0,
  })
  const say = (values: Float64Array, sd: number) => verdict(measured(numbers(values, sd)) as NumberEvaluation)

  test("the line that made them is better than their own normal, which is exactly the base rate", () => {
    const found = say(
      x.map(value => 3 * value),
      1,
    )
    expect(found).toMatchObject({ standing: "better", confidence: "fitting" })
    const { mean, sd } = (measured(numbers(x, 1)) as NumberEvaluation).truth
    const base = measured(
      numbers(
        x.map(() => mean),
        sd,
      ),
    ) as NumberEvaluation
    expect(base.r2).toBeCloseTo(0, 12)
    expect((found.base as { logDensity: number }).logDensity).toBeCloseTo(base.logDensity, 10)
    expect((found.base as { rmse: number }).rmse).toBeCloseTo(base.rmse, 12)
    expect(verdict(base).standing).toBe("unclear")
  })

  test("intervals that are too narrow are called so", () => {
    const found = say(
      x.map(value => 3 * value),
      0.5,
    )
    expect(found.confidence).toBe("overconfident")
    expect(found.sentence).toMatchInlineSnapshot(
      `"Better than the base rate (it explains 90.3 % of the variance; log-density −2.13, base rate −2.56); its 95 % intervals are too narrow: they hold 68.8 %; judged on 500 rows."`,
    )
    expect(
      say(
        x.map(value => 3 * value),
        3,
      ).confidence,
    ).toBe("underconfident")
  })

  test("expected values that are worse than the mean are called so, also where the density is better", () => {
    const line = measured(
      numbers(
        x.map(value => 3 * value),
        1,
      ),
    ) as NumberEvaluation
    const { sentence } = verdict({ ...line, r2: -8, rmse: 3 * line.truth.sd })
    expect(sentence).toMatchInlineSnapshot(
      `"Better than the base rate (by its density alone: its expected values are farther off than the mean of all rows would be, by a root mean squared error of 9.41 to 3.14; log-density −1.4, base rate −2.56); its 95 % intervals hold 96.0 %; judged on 500 rows."`,
    )
  })
})
