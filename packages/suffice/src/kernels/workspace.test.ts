import { expect, test } from "vitest"
import { grow, view } from "./workspace.ts"

test("a workspace comes as zeros, whatever was left in it, however long it was", () => {
  const room = grow()
  room(4).fill(7)
  expect([...room(3)]).toEqual([0, 0, 0])
  room(3).fill(7)
  expect([...room(6)]).toEqual([0, 0, 0, 0, 0, 0])
})

test("a view is the same for the same array, and another for another", () => {
  const part = view(2, 3)
  const whole = Float64Array.of(0, 1, 2, 3, 4, 5)
  expect([...part(whole)]).toEqual([2, 3, 4])
  expect(part(whole)).toBe(part(whole))
  part(whole)[0] = 9
  expect(whole[2]).toBe(9)
  expect([...part(new Float64Array(6))]).toEqual([0, 0, 0])
})
