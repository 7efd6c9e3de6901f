import { describe, expect, test } from "vitest"
import { dice } from "../random.ts"
import { type Found, Moments } from "./moments.ts"

const momentsOf = (values: readonly number[], weights: readonly number[] = values.map(() => 1)): Found => {
  const moments = new Moments()
  values.forEach((value, i) => {
    moments.add(value, weights[i])
  })
  return moments.found()
}

/** The second opinion: first the mean, then the squares around it, in units of the largest value. */
function twoPasses(values: readonly number[], weights: readonly number[]): { mean: number; spread: number } {
  const unit = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
  const total = weights.reduce((sum, w) => sum + w, 0)
  const mean = values.reduce((sum, x, i) => sum + (weights[i] / total) * (x / unit), 0)
  const squares = values.reduce((sum, x, i) => sum + (weights[i] / total) * (x / unit - mean) ** 2, 0)
  return { mean: mean * unit, spread: Math.sqrt(squares) * unit }
}

const roll = dice(1)
const values = Array.from({ length: 500 }, () => 3 + 2 * roll.normal())
const weights = Array.from({ length: 500 }, () => roll.uniform() * 3)

describe("one pass equals two", () => {
  test.each([1, 1e-150, 1e150, 1e-300, 1e300, -1])("for numbers around %d", unit => {
    const scaled = values.map(value => value * unit)
    const expected = twoPasses(scaled, weights)
    const moments = momentsOf(scaled, weights)
    expect(moments.mean / expected.mean).toBeCloseTo(1, 12)
    expect(moments.spread / expected.spread).toBeCloseTo(1, 12)
  })

  test("for a small spread far from 0", () => {
    const far = values.map(value => 1e9 + value)
    const expected = twoPasses(far, weights)
    expect(momentsOf(far, weights).spread / expected.spread).toBeCloseTo(1, 6)
  })

  test.each([
    ["a tiny value before ordinary ones", [1e-300, 1, 2, 3, 4]],
    ["zeros before the rest", [0, 0, 0, 1e-150, 3e-150]],
    ["1e−150 beside 1e+150", [1e-150, 1e150, -1e150, 2e-150]],
    ["ever larger values", [1e-200, 1e-100, 1, 1e100, 1e200]],
    ["ever smaller values", [1e200, 1e100, 1, 1e-100, 1e-200]],
  ])("for %s", (_, mixed) => {
    const expected = twoPasses(
      mixed,
      mixed.map(() => 1),
    )
    const moments = momentsOf(mixed)
    expect(moments.spread / expected.spread).toBeCloseTo(1, 12)
    expect(moments.largest).toBe(mixed.reduce((most, value) => Math.max(most, Math.abs(value)), 0))
  })
})

test("the unit grows with the values, however many came before", () => {
  // far more than what is summed at once of each
  const steps = [1e-150, 1e60, 1e-150, 3e120].flatMap(unit => values.map(value => value * unit))
  const expected = twoPasses(
    steps,
    steps.map(() => 1),
  )
  const { mean, spread } = momentsOf(steps)
  expect(mean / expected.mean).toBeCloseTo(1, 12)
  expect(spread / expected.spread).toBeCloseTo(1, 12)
})

test("a weight counts as so many copies", () => {
  const copies = momentsOf([1, 1, 1, 5, 5])
  const weighed = momentsOf([1, 5], [3, 2])
  expect(weighed.mean).toBeCloseTo(copies.mean, 14)
  expect(weighed.spread).toBeCloseTo(copies.spread, 14)
  expect(weighed.weight).toBe(5)
})

test("nothing has mean 0 and spread 0; a constant has spread 0", () => {
  expect(momentsOf([])).toMatchObject({ mean: 0, spread: 0, weight: 0, largest: 0 })
  expect(momentsOf([0, 0])).toMatchObject({ mean: 0, spread: 0, weight: 2 })
  expect(momentsOf(Array(1000).fill(0.1))).toMatchObject({ mean: 0.1, spread: 0 })
})

test("a run has the bits of its values one by one, wherever it is cut and whatever is missing in it", () => {
  const cells = Float64Array.from({ length: 1500 }, (_, i) => (i % 397 === 5 ? Number.NaN : roll.normal()))
  const heavy = Float64Array.from(cells, (_, i) => (i % 211 === 7 ? 0 : 1 + (i % 3)))
  for (const given of [undefined, heavy]) {
    const weightOf = (i: number): number => given?.[i] ?? 1
    const single = new Moments()
    cells.forEach((cell, i) => {
      if (!Number.isNaN(cell) && weightOf(i) !== 0) single.add(cell, weightOf(i))
    })
    for (const cut of [1500, 256, 100, 7]) {
      const runs = new Moments()
      for (let from = 0; from < cells.length; from += cut) {
        const to = Math.min(from + cut, cells.length)
        // a run ends at what it cannot add
        for (let i = from; i < to; i++) i = runs.addRun(cells, given, i, to)
      }
      expect(runs.found()).toEqual(single.found())
    }
  }
})
