import { expect, test } from "vitest"
import { distancesOf, scaled } from "./topic-map.ts"

const distance = ([a, b]: readonly number[], [c, d]: readonly number[]): number => Math.hypot(a - c, b - d)

test("places in a plane are found again from their distances", () => {
  const places = [
    [0, 0],
    [3, 1],
    [-2, 4],
    [1, -3],
    [5, 5],
  ]
  const found = scaled(places.map(one => places.map(other => distance(one, other))))
  for (const [i, one] of places.entries()) {
    for (const [j, other] of places.entries())
      expect(distance(found[i], found[j])).toBeCloseTo(distance(one, other), 6)
  }
})

test("the distance of topics is 0 for the same words, and √ln 2 for none in common", () => {
  const [[same, apart], [back]] = distancesOf([
    [0.5, 0.5, 0],
    [0, 0, 1],
  ])
  expect(same).toBe(0)
  expect(apart).toBeCloseTo(Math.sqrt(Math.LN2), 12)
  expect(back).toBe(apart)
})

test("one topic lies in the middle, two on a line", () => {
  expect(scaled([[0]])).toEqual([[0, 0]])
  const [one, other] = scaled([
    [0, 2],
    [2, 0],
  ])
  expect(distance(one, other)).toBeCloseTo(2, 9)
  expect(Math.abs(one[1])).toBeLessThan(1e-6)
})
