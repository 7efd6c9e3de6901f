import { expect, test } from "vitest"
import { byRow, type JudgedLevels, rowPlaces } from "./judged.ts"

const entries = (from: number[], ...weights: number[]): JudgedLevels =>
  ({ from, weights: Float64Array.from(weights) }) as Partial<JudgedLevels> as JudgedLevels

test("entries of one soft label are one row: the mean of their values, the sum of their weights", () => {
  const judged = entries([4, 4, 7, 9, 9], 1, 3, 2, 0.5, 0)
  // what weighs nothing is no part of its row, whatever it holds
  const { values, weights } = byRow(judged, [2, 6, 1, 8, Infinity])
  expect([...values]).toEqual([5, 1, 8])
  expect([...weights]).toEqual([4, 2, 0.5])
  expect(rowPlaces(judged.from)).toEqual([0, 0, 1, 2, 2])
})

test("a row without any weight holds 0, not a number that is none", () => {
  expect([...byRow(entries([0, 1], 0, 1), [Infinity, 3]).values]).toEqual([0, 3])
})
