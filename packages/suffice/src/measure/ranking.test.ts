import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { auc, averagePrecision, cutsOf, precisionRecallPoints, rocPoints } from "./ranking.ts"

/** Scores in steps of 1/steps, so that they tie; weights in quarters, some 0. */
function cases(seed: number, steps: number): { score: number[]; happened: boolean[]; weights: number[] } {
  const d = dice(seed)
  const score = Array.from({ length: 40 }, () => d.integer(steps) / steps)
  return {
    score,
    happened: score.map(s => d.uniform() < 0.2 + 0.6 * s),
    weights: score.map(() => d.integer(5) / 4),
  }
}

test("AUC is the share of pairs ranked right, a tie counting half (Mann–Whitney)", () => {
  for (const steps of [1, 3, 10, 1000]) {
    for (let seed = 0; seed < 20; seed++) {
      const { score, happened, weights } = cases(seed, steps)
      let right = 0
      let pairs = 0
      for (let i = 0; i < score.length; i++) {
        for (let j = 0; j < score.length; j++) {
          if (!happened[i] || happened[j]) continue
          const w = weights[i] * weights[j]
          pairs += w
          right += w * (score[i] > score[j] ? 1 : score[i] === score[j] ? 0.5 : 0)
        }
      }
      expect(auc(cutsOf(score, happened, weights))).toBeCloseTo(right / pairs, 13)
    }
  }
})

test("average precision is the enumeration of every cut", () => {
  for (const steps of [1, 3, 10, 1000]) {
    const { score, happened, weights } = cases(steps, steps)
    const above = (cut: number, wanted: boolean): number =>
      score.reduce((sum, s, i) => sum + (s >= cut && happened[i] === wanted ? weights[i] : 0), 0)
    const distinct = [...new Set(score.filter((_, i) => weights[i] > 0))].sort((a, b) => b - a)
    let sum = 0
    let before = 0
    for (const cut of distinct) {
      const hits = above(cut, true)
      sum += ((hits - before) / above(-1, true)) * (hits / (hits + above(cut, false)))
      before = hits
    }
    expect(averagePrecision(cutsOf(score, happened, weights))).toBeCloseTo(sum, 13)
  }
})

test("the curve goes from nobody called to everybody called, one point per distinct score", () => {
  const cuts = cutsOf([0.1, 0.4, 0.4, 0.8], [false, true, false, true], [1, 1, 1, 1])
  expect(rocPoints(cuts)).toEqual([
    { threshold: Infinity, falsePositiveRate: 0, truePositiveRate: 0 },
    { threshold: 0.8, falsePositiveRate: 0, truePositiveRate: 0.5 },
    { threshold: 0.4, falsePositiveRate: 0.5, truePositiveRate: 1 },
    { threshold: 0.1, falsePositiveRate: 1, truePositiveRate: 1 },
  ])
  expect(precisionRecallPoints(cuts)).toEqual([
    { threshold: 0.8, recall: 0.5, precision: 1 },
    { threshold: 0.4, recall: 1, precision: 2 / 3 },
    { threshold: 0.1, recall: 1, precision: 0.5 },
  ])
})

test("the order of the rows does not matter, nor does a rising change of the score", () => {
  const { score, happened, weights } = cases(3, 10)
  const back = (xs: number[]): number[] => xs.slice().reverse()
  expect(auc(cutsOf(back(score), happened.slice().reverse(), back(weights)))).toBeCloseTo(
    auc(cutsOf(score, happened, weights))!,
    14,
  )
  const stretched = score.map(s => s * s * s - 5)
  expect(auc(cutsOf(stretched, happened, weights))).toBe(auc(cutsOf(score, happened, weights)))
})

test("without a positive or a negative there is nothing to rank", () => {
  expect(auc(cutsOf([0.1, 0.2], [true, true], [1, 1]))).toBeUndefined()
  expect(auc(cutsOf([0.1, 0.2], [false, false], [1, 1]))).toBeUndefined()
  expect(auc(cutsOf([0.1, 0.2], [true, false], [1, 0]))).toBeUndefined()
  expect(averagePrecision(cutsOf([0.1, 0.2], [false, false], [1, 1]))).toBeUndefined()
  expect(averagePrecision(cutsOf([0.1, 0.2], [true, true], [1, 1]))).toBe(1)
})
