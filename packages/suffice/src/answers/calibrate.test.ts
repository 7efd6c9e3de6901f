import { describe, expect, test } from "vitest"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { fit } from "../fit/fit.ts"
import type { Fitted } from "../fit/fitted.ts"
import { applyCalibration, type Calibration } from "../measure/calibration.ts"
import { logLosses } from "../measure/losses.ts"
import { reliability } from "../measure/reliability.ts"
import { weightedMean } from "../measure/weighted.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { calibrate } from "./calibrate.ts"

// Four copies of one measurement: naive Bayes counts the evidence four times, so it is four times too sure.
function rows(count: number, seed: number): { y: string; a: number; b: number; c: number; d: number }[] {
  const d = dice(seed)
  return Array.from({ length: count }, () => {
    const y = d.integer(2)
    const a = 1.5 * y + d.normal()
    return { y: "no yes".split(" ")[y], a, b: a, c: a, d: a }
  })
}

const model = classes("y", independent({ a: gaussian(), b: gaussian(), c: gaussian(), d: gaussian() }))
const fitted = await fit(model, rows(2000, 1))
const held = rows(2000, 2)
const fresh = rows(4000, 3)

/** ECE and log-loss of a calibrated model on fresh rows. */
function judged(calibration: Calibration | undefined): { ece: number; logLoss: number; right: number } {
  const { probabilities } = fitted.posterior(fresh)
  const logs = probabilities.map(Math.log)
  if (calibration) applyCalibration(calibration, logs, 2)
  const p = logs.map(Math.exp)
  const truth = fresh.map(row => (row.y === "no" ? 0 : 1))
  const ones = truth.map(() => 1)
  const said = truth.map((_, i) => (p[2 * i + 1] > p[2 * i] ? 1 : 0))
  const { ece } = reliability(
    said.map((l, i) => p[2 * i + l]),
    said.map((l, i) => l === truth[i]),
    ones,
  )
  return {
    ece,
    logLoss: weightedMean(logLosses(truth, p, 2), ones),
    right: said.filter((l, i) => l === truth[i]).length,
  }
}

test("naive Bayes on four copies of one column is four times too sure, and the temperature says so", () => {
  const found = calibrate(fitted, held)
  expect(found).toMatchObject({ target: "y", method: "temperature" })
  expect(found.method === "temperature" && found.temperature).toBeCloseTo(4, 0)
  const before = judged(undefined)
  const after = judged(found)
  expect(before.ece).toBeGreaterThan(0.1)
  expect(after.ece).toBeLessThan(0.04)
  expect(after.logLoss).toBeLessThan(before.logLoss - 0.2)
  expect(after.right).toBe(before.right) // a temperature changes no answer
})

test("isotonic curves do as well, one for each level", () => {
  const found = calibrate(fitted, held, { method: "isotonic" })
  expect(found.method === "isotonic" && found.curves).toHaveLength(2)
  expect(judged(found).ece).toBeLessThan(0.04)
  expect(judged(found).logLoss).toBeLessThan(judged(undefined).logLoss - 0.2)
})

test("a calibration is plain data: it survives JSON as it is", () => {
  for (const method of ["temperature", "isotonic"] as const) {
    const found = calibrate(fitted, held, { method })
    expect(JSON.parse(JSON.stringify(found))).toEqual(found)
  }
})

test("columns give what rows give, weight w is the row w times, rows without a label teach nothing", () => {
  const columns = Object.fromEntries(
    (["y", "a", "b", "c", "d"] as const).map(name => [name, held.map(row => row[name])]),
  )
  for (const method of ["temperature", "isotonic"] as const) {
    const found = calibrate(fitted, held, { method })
    expect(calibrate(fitted, columns as never, { method })).toEqual(found)
    expect(calibrate(fitted, [...held, { ...held[0], y: null }], { method })).toEqual(found)
    const weighted = held.map((row, i) => ({ ...row, w: i % 3 }))
    const repeated = weighted.flatMap(row => new Array(row.w).fill(row) as typeof weighted)
    const a = calibrate(fitted, weighted, { method, weight: "w" })
    const b = calibrate(fitted, repeated, { method })
    if (a.method === "temperature" && b.method === "temperature") {
      expect(a.temperature).toBeCloseTo(b.temperature, 10)
    } else expect(a).toEqual(b)
  }
})

test("certain by a thousand nats, naive Bayes on long texts is calibrated all the same", async () => {
  const d = dice(9)
  // Every text repeats one short text a thousand times: so much evidence counted again and again.
  const texts = (count: number): { y: string; words: Record<string, number> }[] =>
    Array.from({ length: count }, () => {
      const y = d.integer(2)
      const words: Record<string, number> = { sun: 0, rain: 0 }
      for (let t = 0; t < 3; t++) words[d.uniform() < 0.35 + 0.3 * y ? "sun" : "rain"] += 1000
      return { y: y ? "summer" : "autumn", words }
    })
  const long = await fit(classes("y", independent({ words: multinomial() })), texts(500))
  const check = texts(1000)
  expect(long.posterior(check).probabilities.some(p => p === 0)).toBe(true)
  const found = calibrate(long as Fitted<unknown, "y">, check)
  expect(found.method === "temperature" && found.temperature).toBeGreaterThan(700)
  expect(found.method === "temperature" && found.temperature).toBeLessThan(1400)
})

describe("what cannot be calibrated is refused:", () => {
  test("an unknown method, an unknown option", () => {
    expect(() => calibrate(fitted, held, { method: "platt" as never })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: calibrate: method is "platt". It must be one of "temperature" and "isotonic". Leave it out for "temperature".]`,
    )
    expect(() => calibrate(fitted, held, { methd: "isotonic" } as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: calibrate: there is no option "methd". It knows "method", "target" and "weight". Did you mean "method"?]`,
    )
    expect(() => calibrate(fitted, held, { weight: 1 as never })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: calibrate: weight is 1. It must name a column. Write for example { weight: "count" }.]`,
    )
  })
  test("a number", () => {
    expect(() => calibrate(fitted, held, { target: "a" as never })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: calibrate: "a" is a number. Only probabilities of levels are calibrated. Name a column with levels.]`,
    )
  })
  test("rows without labels, and a source", () => {
    const bare = held.map(row => ({ ...row, y: null }))
    expect(() => calibrate(fitted, bare)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: calibrate: "y" is missing in every row. There is no truth to compare with. Pass rows whose "y" is known.]`,
    )
    const source = (async function* (): AsyncGenerator<typeof held> {})()
    expect(() => calibrate(fitted, source)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: calibrate: the data is a source. All rows are needed at once. Read the source into rows first.]`,
    )
  })
})
