import { expect, test } from "vitest"
import { increasingRoot } from "./root.ts"

test("a root is found from anywhere in the bracket, where Newton's steps alone would run away", () => {
  for (const start of [-1e6, -3, 0.1, 4, 1e6]) {
    // arctan: from beyond 1.4, Newton's steps grow
    const x = increasingRoot(
      x => Math.atan(x - 1),
      x => 1 / (1 + (x - 1) * (x - 1)),
      -1e7,
      1e7,
      start,
    )
    expect(x).toBeCloseTo(1, 13)
  }
})

test("where the slope is 0 or a start lies outside, the bracket is halved", () => {
  const cube = increasingRoot(
    x => x * x * x - 8,
    x => 3 * x * x,
    -10,
    10,
    0,
  )
  expect(cube).toBeCloseTo(2, 13)
  expect(
    increasingRoot(
      x => x - 3,
      () => 1,
      2,
      4,
      99,
    ),
  ).toBe(3)
})
