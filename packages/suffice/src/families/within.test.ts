import { expect, test } from "vitest"
import { squaresLeft, withinSlots } from "./within.ts"

const within = (slots: readonly (readonly number[])[], total: number): number => {
  const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length
  const squares = slots.map(slot => slot.reduce((sum, x) => sum + (x - mean(slot)) ** 2, 0))
  return withinSlots(
    Float64Array.from(squares),
    Float64Array.from(slots, slot => slot.length - 1),
    total,
  )
}

test("distance between slots does not count", () => {
  const near = [
    [0, 1, 2],
    [0, 1, 2],
    [5, 6, 7],
  ]
  const far = [
    [0, 1, 2],
    [1000, 1001, 1002],
    [-5e6, -5e6 + 1, -5e6 + 2],
  ]
  expect(within(near, 4)).toBeCloseTo(within(far, 4), 9)
})

test("few slots: W, all of them and one row of the total variance", () => {
  // S = 2 and 8, f = 2 each: W = (10 + 4)/5, and 4·(1 + (10/2)²)·1 is far above
  expect(
    within(
      [
        [0, 1, 2],
        [0, 2, 4],
      ],
      4,
    ),
  ).toBeCloseTo(14 / 5, 12)
})

test("a wild slot is capped by four times the lower median, looser where few rows speak", () => {
  const calm = Array.from({ length: 101 }, (_, i) => (i % 2 ? 1 : -1))
  const wild = [0, 1e6]
  // f of the calm slot alone up to the median: D = 100
  expect(within([calm, wild], 1)).toBeCloseTo(4 * (1 + 0.01) * ((101 - 1 / 101) / 100), 9)
  expect(within([wild, calm], 1)).toBe(within([calm, wild], 1))
  expect(within([calm.slice(0, 11), wild], 1)).toBeCloseTo(4 * (1 + 1) * ((11 - 1 / 11) / 10), 9)
})

test("where no slot spreads, or none holds two rows, it is the total variance", () => {
  expect(within([[1], [2], [3]], 0.7)).toBe(0.7)
  expect(
    within(
      [
        [1, 1, 1],
        [2, 2],
      ],
      0.7,
    ),
  ).toBe(0.7)
  expect(withinSlots(new Float64Array(0), new Float64Array(0), 0.7)).toBe(0.7)
})

test("slots that do not spread are left out of the median, not of W", () => {
  const flat = Array.from({ length: 9 }, () => 3)
  expect(within([flat, flat, flat, [0, 1, 2]], 1)).toBeCloseTo((2 + 1) / (24 + 2 + 1), 12)
})

test("squares that overflow or are no number say nothing", () => {
  for (const square of [Infinity, NaN, 1e-320]) {
    const v = withinSlots(Float64Array.of(square, square), Float64Array.of(3, 3), 2)
    expect(v).toBeGreaterThan(0)
    expect(v).toBeLessThan(Infinity)
  }
})

test("what is left of squares is 0 where it is no more than rounding", () => {
  expect(squaresLeft(10, 4)).toBe(6)
  expect(squaresLeft(10, 10 - 1e-12)).toBe(0)
  expect(squaresLeft(10, 11)).toBe(0)
})
