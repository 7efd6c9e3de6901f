import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { accuracy, confusion, levelScores, macroF1, winners } from "./confusion.ts"

// Three levels: ash is found twice and missed once, birch is found once, cedar is never predicted.
const TRUTH = [0, 0, 0, 1, 2]
const SAID = [0, 0, 1, 1, 0]
const ones = (n: number): number[] => new Array(n).fill(1)

test("rows are counted by truth and prediction", () => {
  const counts = confusion(TRUTH, SAID, ones(5), 3)
  expect([...counts]).toEqual([2, 1, 0, 0, 1, 0, 1, 0, 0])
  expect(accuracy(counts, 3)).toBe(3 / 5)
})

test("precision, recall and F1 by hand; nothing predicted is precision 0", () => {
  const [ash, birch, cedar] = levelScores(confusion(TRUTH, SAID, ones(5), 3), 3)
  expect(ash).toEqual({ precision: 2 / 3, recall: 2 / 3, f1: 2 / 3, support: 3, predicted: 3 })
  expect(birch).toEqual({ precision: 1 / 2, recall: 1, f1: 2 / 3, support: 1, predicted: 2 })
  expect(cedar).toEqual({ precision: 0, recall: 0, f1: 0, support: 1, predicted: 0 })
})

test("F1 is the harmonic mean of precision and recall", () => {
  const d = dice(1)
  const codes = (): number[] => Array.from({ length: 100 }, () => d.integer(4))
  for (const { precision, recall, f1 } of levelScores(confusion(codes(), codes(), ones(100), 4), 4)) {
    expect(f1).toBeCloseTo(2 / (1 / precision + 1 / recall), 12)
  }
})

test("macro-F1 leaves out a level that occurs nowhere", () => {
  const scores = levelScores(confusion(TRUTH, SAID, ones(5), 4), 4)
  expect(scores[3].f1).toBe(0)
  expect(macroF1(scores)).toBeCloseTo((2 / 3 + 2 / 3 + 0) / 3, 14)
})

test("a row of weight 2 is the row twice, a row of weight 0 is no row", () => {
  const weighted = confusion(TRUTH, SAID, [2, 1, 1, 0, 1], 3)
  expect(weighted).toEqual(confusion([0, 0, 0, 0, 2], [0, 0, 0, 1, 0], ones(5), 3))
})

test("weights that do not add up exactly never make an accuracy above 1", () => {
  const d = dice(2)
  for (let run = 0; run < 200; run++) {
    const truth = Array.from({ length: 30 }, () => d.integer(5))
    const weights = truth.map(() => d.uniform())
    expect(accuracy(confusion(truth, truth, weights, 5), 5)).toBeLessThanOrEqual(1)
  }
})

test("the most probable level wins, the first among equals", () => {
  expect([...winners([0.2, 0.5, 0.3, 0.4, 0.2, 0.4], 3)]).toEqual([1, 0])
})

test("macro-F1 counts a level that is only ever predicted: it is wrong each time", () => {
  const scores = levelScores(confusion([0, 0, 1], [0, 2, 1], ones(3), 3), 3)
  expect(scores[2]).toMatchObject({ support: 0, predicted: 1, f1: 0 })
  expect(macroF1(scores)).toBeCloseTo((2 / 3 + 1 + 0) / 3, 14)
})
