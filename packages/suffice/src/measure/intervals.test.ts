import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { bootstrapInterval, meanInterval, wilsonInterval } from "./intervals.ts"

const ones = (n: number): number[] => new Array(n).fill(1)

test("Wilson's interval holds exactly the shares a normal test would not reject", () => {
  // Its definition: |p − θ| ≤ z √(θ(1 − θ)/n) at both ends.
  const z = 1.959963984540054
  for (const [share, n] of [
    [0.7, 10],
    [0.02, 300],
    [0.999, 5000],
  ]) {
    for (const end of wilsonInterval(share, n)) {
      expect(Math.abs(share - end)).toBeCloseTo(z * Math.sqrt((end * (1 - end)) / n), 12)
    }
  }
})

test("at 0 and 1 Wilson's interval reaches the end, and has a width", () => {
  expect(wilsonInterval(0, 20)[0]).toBe(0)
  expect(wilsonInterval(0, 20)[1]).toBeGreaterThan(0.1)
  expect(wilsonInterval(1, 20)[1]).toBe(1)
  expect(wilsonInterval(1, 20)[0]).toBeLessThan(0.9)
})

test("about 95 of 100 Wilson intervals hold the truth", () => {
  const d = dice(6)
  for (const truth of [0.1, 0.5, 0.93]) {
    let held = 0
    for (let run = 0; run < 4000; run++) {
      let hits = 0
      for (let i = 0; i < 60; i++) if (d.uniform() < truth) hits++
      const [low, high] = wilsonInterval(hits / 60, 60)
      if (low <= truth && truth <= high) held++
    }
    expect(held / 4000).toBeGreaterThan(0.93)
    expect(held / 4000).toBeLessThan(0.98)
  }
})

test("the normal interval is the mean ± 1.96 sd/√n", () => {
  const [low, high] = meanInterval([1, 2, 3, 6], ones(4))
  const sd = Math.sqrt((4 + 1 + 0 + 9) / 3)
  expect(low).toBeCloseTo(3 - (1.959963984540054 * sd) / 2, 12)
  expect(high).toBeCloseTo(3 + (1.959963984540054 * sd) / 2, 12)
})

test("about 95 of 100 normal and bootstrap intervals hold the mean, with and without weights", () => {
  const d = dice(7)
  const held = { normal: 0, weighted: 0, bootstrap: 0 }
  for (let run = 0; run < 400; run++) {
    const values = Array.from({ length: 80 }, () => d.gamma(2))
    const weights = values.map(() => 0.5 + d.uniform())
    const inside = ([low, high]: readonly [number, number]): number => (low <= 2 && 2 <= high ? 1 : 0)
    held.normal += inside(meanInterval(values, ones(80)))
    held.weighted += inside(meanInterval(values, weights))
    held.bootstrap += inside(bootstrapInterval(values, weights, { draws: 400, seed: run }))
  }
  for (const share of Object.values(held)) {
    expect(share / 400).toBeGreaterThan(0.9)
    expect(share / 400).toBeLessThan(0.99)
  }
})

test("an infinite loss makes every mean infinite; one row shows no spread", () => {
  expect(meanInterval([1, Infinity], [1, 1])).toEqual([Infinity, Infinity])
  expect(meanInterval([1, Infinity], [1, 0])).toEqual([-Infinity, Infinity])
  expect(bootstrapInterval([3], [1])).toEqual([3, 3])
})

test("a row of weight 0 is no row, and the same seed gives the same bits", () => {
  expect(meanInterval([1, 2, 9], [1, 1, 0])).toEqual(meanInterval([1, 2], [1, 1]))
  const values = [1, 5, 2, 4]
  expect(bootstrapInterval([...values, 9], [1, 1, 1, 1, 0], { seed: 3 })).toEqual(
    bootstrapInterval(values, ones(4), { seed: 3 }),
  )
  expect(bootstrapInterval(values, ones(4), { seed: 4 })).not.toEqual(
    bootstrapInterval(values, ones(4), { seed: 3, coverage: 0.5 }),
  )
})

test("what cannot be an interval is refused", () => {
  expect(() => wilsonInterval(1.2, 10)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: wilsonInterval: the share is 1.2. It lies between 0 and 1. Give for example a count by the rows: 181 / 240.]`,
  )
  expect(() => wilsonInterval(0.2, 0)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: wilsonInterval: n is 0. It is a number of rows above 0. Give for example 240.]`,
  )
  expect(() => wilsonInterval(0.2, 10, 95)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: wilsonInterval: coverage is 95. It lies between 0 and 1. Give for example 0.95.]`,
  )
  expect(() => meanInterval([1], [1], 1)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: meanInterval: coverage is 1. It lies between 0 and 1. Give for example 0.95.]`,
  )
  expect(() => bootstrapInterval([1], [1], { draws: 0.5 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: bootstrapInterval: draws is 0.5. It is a count above 0. Give for example 1000.]`,
  )
})
