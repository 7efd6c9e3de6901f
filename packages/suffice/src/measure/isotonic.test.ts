import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { interpolate, isotonic } from "./isotonic.ts"

/** The least squares among all non-decreasing step curves: every way to cut n points into blocks, each at its mean. */
function bruteForce(y: number[], weights: number[]): number {
  let best = Infinity
  for (let cuts = 0; cuts < 1 << (y.length - 1); cuts++) {
    let loss = 0
    let before = -Infinity
    let from = 0
    for (let to = 1; to <= y.length; to++) {
      if (to < y.length && !((cuts >> (to - 1)) & 1)) continue
      let sum = 0
      let weight = 0
      for (let i = from; i < to; i++) {
        sum += weights[i] * y[i]
        weight += weights[i]
      }
      const mean = sum / weight
      if (mean < before) loss = Infinity
      for (let i = from; i < to; i++) loss += weights[i] * (y[i] - mean) ** 2
      before = mean
      from = to
    }
    best = Math.min(best, loss)
  }
  return best
}

test("pooling adjacent violators finds the least squares that enumeration finds", () => {
  const d = dice(10)
  for (let run = 0; run < 60; run++) {
    const n = 1 + d.integer(8)
    const x = Array.from({ length: n }, (_, i) => i)
    const y = x.map(() => d.integer(4) / 2)
    const weights = x.map(() => 0.25 + d.uniform())
    const knots = isotonic(x, y, weights)
    const loss = x.reduce((sum, at, i) => sum + weights[i] * (y[i] - interpolate(knots, at)) ** 2, 0)
    expect(loss).toBeCloseTo(bruteForce(y, weights), 12)
  }
})

test("what already rises stays as it is; what falls becomes its mean", () => {
  expect(isotonic([1, 2, 3], [0, 0.5, 1], [1, 1, 1])).toEqual([
    { x: 1, y: 0 },
    { x: 2, y: 0.5 },
    { x: 3, y: 1 },
  ])
  expect(isotonic([1, 2, 3], [3, 2, 1], [1, 1, 1])).toEqual([
    { x: 1, y: 2 },
    { x: 3, y: 2 },
  ])
})

test("points of one x are one point, in any order of the rows, and a point of weight 0 is none", () => {
  const knots = isotonic([2, 1, 2, 5], [1, 0, 0, 9], [3, 1, 1, 0])
  expect(knots).toEqual([
    { x: 1, y: 0 },
    { x: 2, y: 0.75 },
  ])
  // what rises within one x is no curve
  expect(isotonic([2, 1, 2], [0, 0, 1], [1, 1, 3])).toEqual(knots)
})

test("between knots the curve is a line, outside it is flat", () => {
  const knots = [
    { x: 0, y: 0.1 },
    { x: 2, y: 0.5 },
    { x: 3, y: 0.9 },
  ]
  const at = [-9, 0, 1, 2, 2.5, 3, 9].map(x => interpolate(knots, x).toFixed(12))
  expect(at.map(Number)).toEqual([0.1, 0.1, 0.3, 0.5, 0.7, 0.9, 0.9])
})
