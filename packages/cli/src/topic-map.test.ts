import { describe, expect, test } from "vitest"
import { distancesOf, scaled, spread } from "./topic-map.ts"

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

describe("circles that would hide each other", () => {
  const frame = [460, 400] as const

  test("are moved apart until their numbers can be read, the others stay", () => {
    const places: [number, number][] = [
      [200, 200],
      [200, 200],
      [203, 201],
      [20, 380],
    ]
    const moved = spread(places, [20, 8, 8, 12], frame)
    expect(moved[3]).toEqual([20, 380])
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < i; j++) expect(distance(moved[i], moved[j])).toBeGreaterThan(16)
  })

  test("stay inside the frame, however many they are", () => {
    const places = Array.from({ length: 60 }, (_, i): [number, number] => [450 + (i % 3), 395])
    for (const [x, y] of spread(
      places,
      places.map(() => 10),
      frame,
    )) {
      expect(x).toBeGreaterThanOrEqual(10)
      expect(x).toBeLessThanOrEqual(450)
      expect(y).toBeLessThanOrEqual(390)
    }
  })
})
