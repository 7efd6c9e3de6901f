import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { applyCalibration, type Calibration, fitCalibration } from "./calibration.ts"
import { logLosses } from "./losses.ts"
import { reliability } from "./reliability.ts"
import { weightedMean } from "./weighted.ts"

/** Rows that are of each level exactly as often as p says. */
function honest(rows: number, levels: number, seed: number): { p: Float64Array; truth: number[] } {
  const d = dice(seed)
  const p = new Float64Array(rows * levels)
  const alpha = new Float64Array(levels).fill(0.8)
  const truth = Array.from({ length: rows }, (_, i) => {
    const row = p.subarray(i * levels, (i + 1) * levels)
    d.dirichlet(alpha, row)
    return d.categorical(p, i * levels, levels)
  })
  return { p, truth }
}

const ones = (n: number): Float64Array => new Float64Array(n).fill(1)

function lossOf(logs: Float64Array, truth: number[], levels: number): number {
  return weightedMean(logLosses(truth, logs.map(Math.exp), levels), ones(truth.length))
}

function applied(calibration: Calibration, logs: Float64Array, levels: number): Float64Array {
  const out = logs.slice()
  applyCalibration(calibration, out, levels)
  return out
}

test("the temperature recovers a known distortion", () => {
  const { p, truth } = honest(20_000, 3, 1)
  for (const distortion of [0.5, 1, 4, 30]) {
    // ln p · distortion is p sharpened: the temperature that undoes it is the distortion.
    const logs = p.map(x => distortion * Math.log(x))
    const found = fitCalibration("y", "temperature", { logs, levels: 3, truth, weights: ones(20_000) })
    expect(found.method === "temperature" && found.temperature / distortion).toBeCloseTo(1, 1)
  }
})

test("no other temperature has a lower log-loss", () => {
  const { p, truth } = honest(300, 4, 2)
  const logs = p.map(x => 3 * Math.log(x) - 1000) // the constant of a row does not matter
  const found = fitCalibration("y", "temperature", { logs, levels: 4, truth, weights: ones(300) })
  if (found.method !== "temperature") throw new Error("another method")
  const best = lossOf(applied(found, logs, 4), truth, 4)
  for (const factor of [0.5, 0.99, 0.9999, 1.0001, 1.01, 2]) {
    const other = applied({ ...found, temperature: found.temperature * factor }, logs, 4)
    expect(lossOf(other, truth, 4)).toBeGreaterThan(best)
  }
})

test("a temperature keeps the order of the levels, adds up to 1, and 1 changes nothing", () => {
  const { p } = honest(50, 4, 3)
  const logs = p.map(Math.log)
  const soft = applied({ target: "y", method: "temperature", temperature: 7 }, logs, 4)
  for (let i = 0; i < 50; i++) {
    const order = (values: Float64Array): number[] =>
      [0, 1, 2, 3].sort((a, b) => values[4 * i + a] - values[4 * i + b])
    expect(order(soft)).toEqual(order(logs))
    expect([0, 1, 2, 3].reduce((sum, l) => sum + Math.exp(soft[4 * i + l]), 0)).toBeCloseTo(1, 14)
  }
  const same = applied({ target: "y", method: "temperature", temperature: 1 }, logs, 4)
  same.forEach((log, j) => {
    expect(log).toBeCloseTo(logs[j], 12)
  })
})

test("certainties far beyond what a probability can hold are mended all the same", () => {
  // Off by 5,000 nats in every row, right in nine of ten: probabilities are exactly 0 and 1.
  const truth = Array.from({ length: 100 }, (_, i) => (i % 10 === 0 ? 1 : 0))
  const logs = Float64Array.from(truth.flatMap(() => [0, -5000]))
  const found = fitCalibration("y", "temperature", { logs, levels: 2, truth, weights: ones(100) })
  expect(Math.exp(applied(found, logs, 2)[0])).toBeCloseTo(0.9, 10)
})

test("where every row is right the temperature stops at 0.1; where nothing is known it is 1", () => {
  const right = { logs: Float64Array.of(-0.1, -2.3), levels: 2, truth: [0], weights: ones(1) }
  expect(fitCalibration("y", "temperature", right)).toMatchObject({ temperature: 0.1 })
  const wrong = { ...right, truth: [1] }
  expect(fitCalibration("y", "temperature", wrong)).toMatchObject({ temperature: 10_000 })
  const nothing = { ...right, logs: Float64Array.of(-0.7, -0.7) }
  expect(fitCalibration("y", "temperature", nothing)).toMatchObject({ temperature: 1 })
})

test("impossible truths and levels never seen leave the temperature alone", () => {
  const { p, truth } = honest(200, 3, 4)
  const logs = p.map(x => 2 * Math.log(x))
  const rows = { logs, levels: 3, truth, weights: ones(200) }
  const more = {
    logs: Float64Array.of(...logs, -Infinity, 0, -1, -1, -1, -Infinity, -2, -1, 0),
    levels: 3,
    truth: [...truth, 0, 3, 0],
    weights: Float64Array.of(...ones(202), 0),
  }
  expect(fitCalibration("y", "temperature", more)).toEqual(fitCalibration("y", "temperature", rows))
})

test("isotonic curves mend a distortion that no temperature can, on fresh rows", () => {
  // One level is always said twice as likely as it is.
  const distort = (p: Float64Array): Float64Array =>
    p.map((x, j) => Math.log(j % 3 === 0 ? x * x : x * Math.sqrt(x)))
  const learn = honest(20_000, 3, 5)
  const fresh = honest(20_000, 3, 6)
  const rows = { logs: distort(learn.p), levels: 3, truth: learn.truth, weights: ones(20_000) }
  const logs = distort(fresh.p)
  const ece = (logs: Float64Array): number =>
    reliability(
      fresh.truth.map((_, i) => Math.exp(logs[3 * i])),
      fresh.truth.map(level => level === 0),
      ones(20_000),
    ).ece
  const loss = (method: Calibration["method"]): number =>
    lossOf(applied(fitCalibration("y", method, rows), logs, 3), fresh.truth, 3)
  const before = applied({ target: "y", method: "temperature", temperature: 1 }, logs, 3)
  expect(loss("isotonic")).toBeLessThan(lossOf(before, fresh.truth, 3))
  expect(ece(before)).toBeGreaterThan(0.04)
  expect(ece(applied(fitCalibration("y", "isotonic", rows), logs, 3))).toBeLessThan(0.02)
})

test("isotonic curves of two levels mirror each other, rise, and never say 0 or 1", () => {
  const { p, truth } = honest(400, 2, 7)
  const found = fitCalibration("y", "isotonic", {
    logs: p.map(x => 50 * Math.log(x)),
    levels: 2,
    truth,
    weights: ones(400),
  })
  if (found.method !== "isotonic") throw new Error("another method")
  const [first, second] = found.curves
  expect(first.length).toBeGreaterThan(4)
  for (const [k, { x, y }] of first.entries()) {
    const mirror = second[second.length - 1 - k]
    expect(mirror.x).toBeCloseTo(-x, 9)
    expect(mirror.y).toBeCloseTo(1 - y, 9)
    expect(y).toBeGreaterThan(0)
    expect(y).toBeLessThan(1)
    if (k > 0) expect(y).toBeGreaterThanOrEqual(first[k - 1].y)
  }
})

test("impossible levels, one level only, and rows impossible under every level stay finite data", () => {
  const rows = {
    logs: Float64Array.of(0, -Infinity, -Infinity, 0, -Infinity, -Infinity),
    levels: 2,
    truth: [0, 1, 0],
    weights: ones(3),
  }
  const found = fitCalibration("y", "isotonic", rows)
  expect(JSON.parse(JSON.stringify(found))).toEqual(found)
  const out = applied(found, rows.logs, 2)
  for (let i = 0; i < 3; i++) expect(Math.exp(out[2 * i]) + Math.exp(out[2 * i + 1])).toBeCloseTo(1, 14)
  const one = fitCalibration("y", "isotonic", {
    logs: Float64Array.of(0),
    levels: 1,
    truth: [0],
    weights: ones(1),
  })
  expect([...applied(one, Float64Array.of(0), 1)]).toEqual([0])
})

test("curves that leave nothing leave the row as it is", () => {
  const zeros: Calibration = { target: "y", method: "isotonic", curves: [[{ x: 0, y: 0 }], [{ x: 0, y: 0 }]] }
  const logs = Float64Array.of(Math.log(0.3), Math.log(0.7))
  expect([...applied(zeros, logs, 2)].map(Math.exp)).toEqual([
    expect.closeTo(0.3, 14),
    expect.closeTo(0.7, 14),
  ])
})
