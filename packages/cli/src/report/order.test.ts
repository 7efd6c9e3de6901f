import { expect, test } from "vitest"
import { simplified } from "./curves.ts"
import { drawnSentence, orderOf, placeOf } from "./order.ts"

test("levels keep the order of the model; the most frequent are drawn, each in a colour of its own", () => {
  const levels = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i))
  const rows = new Map(levels.map((level, i) => [level, (7 * i) % 26]))
  const order = orderOf(levels, rows)
  expect(order.levels).toEqual(levels)
  expect(order.drawn.every(level => rows.get(level)! >= 18)).toBe(true)
  expect(order.drawn).toHaveLength(8)
  expect(order.drawn).toEqual([...order.drawn].sort())
  expect(order.drawn.map(level => placeOf(order, level))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(drawnSentence(order)).toMatch(
    /^Of 26 levels, charts draw the 8 most frequent: .*\. Tables hold all\.$/,
  )
})

test("a level without a row is not drawn, and of few levels nothing is said", () => {
  const order = orderOf(
    ["a", "b", "c"],
    new Map([
      ["a", 3],
      ["c", 1],
    ]),
  )
  expect(order.drawn).toEqual(["a", "c"])
  expect(drawnSentence(orderOf(["a"], new Map([["a", 1]])))).toBe("")
})

test("a curve in fewer points keeps its ends, its corners, and never strays by more than a pixel", () => {
  const steps = Array.from({ length: 2001 }, (_, i) => ({
    x: Math.floor(i / 2) / 1000,
    y: Math.sqrt(Math.ceil(i / 2) / 1000),
  }))
  const few = simplified(steps)
  expect(few.length).toBeLessThan(600)
  expect(few[0]).toEqual(steps[0])
  expect(few.at(-1)).toEqual(steps.at(-1))
  for (const { x, y } of steps) {
    expect(few.some(kept => Math.abs(kept.x - x) < 0.0045 && Math.abs(kept.y - y) < 0.04)).toBe(true)
  }
  const corner = [0, 0.25, 0.5, 1].map(y => ({ x: 0, y })).concat([0.5, 1].map(x => ({ x, y: 1 })))
  expect(simplified(corner)).toEqual([
    { x: 0, y: 0 },
    { x: 0, y: 1 },
    { x: 1, y: 1 },
  ])
})
