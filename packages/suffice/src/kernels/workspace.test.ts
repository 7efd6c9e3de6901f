import { expect, test } from "vitest"
import { grow } from "./workspace.ts"

test("a workspace comes as zeros, whatever was left in it, however long it was", () => {
  const room = grow()
  room(4).fill(7)
  expect([...room(3)]).toEqual([0, 0, 0])
  room(3).fill(7)
  expect([...room(6)]).toEqual([0, 0, 0, 0, 0, 0])
})
