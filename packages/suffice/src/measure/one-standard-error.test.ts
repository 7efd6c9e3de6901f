import { describe, expect, test } from "vitest"
import { dice } from "../random.ts"
import { meanInterval } from "./intervals.ts"
import { expectedLoss, HARDLY, lossDifference, meanLoss, oneStandardError } from "./one-standard-error.ts"

const ones = (n: number): number[] => new Array(n).fill(1)

describe("differences row by row", () => {
  test("the standard error is that of the interval of a mean, over 1.96", () => {
    const losses = [0.1, 0.4, 0.3, 2]
    const weights = [1, 2, 1, 0.5]
    const { difference, standardError } = meanLoss(losses, weights)
    const [low, high] = meanInterval(losses, weights)
    expect((low + high) / 2).toBeCloseTo(difference, 12)
    expect((high - low) / 2 / standardError).toBeCloseTo(1.959964, 5)
  })

  test("what both find hard cancels", () => {
    const roll = dice(1)
    const hard = Array.from({ length: 200 }, () => 5 * roll.uniform())
    const other = hard.map(loss => loss + 0.01)
    const { difference, standardError } = lossDifference(other, hard, ones(200))
    expect(difference).toBeCloseTo(0.01, 12)
    expect(standardError).toBeLessThan(1e-12)
  })

  test("rows that were not judged, and rows of weight 0, count nowhere; an infinite loss is no chance", () => {
    expect(lossDifference([1, Number.NaN, 9, 3], [0, 5, 5, 2], [1, 1, 0, 1]).difference).toBe(1)
    expect(lossDifference([Infinity, 1], [1, 1], ones(2))).toEqual({
      difference: Infinity,
      standardError: Infinity,
    })
    expect(lossDifference([Infinity, 2, 2], [Infinity, 1, 1], ones(3)).difference).toBeCloseTo(2 / 3, 12)
  })
})

describe("the one-standard-error rule", () => {
  const roll = dice(7)
  const best = Array.from({ length: 400 }, () => roll.uniform())
  const noisy = (shift: number): number[] => best.map((loss, i) => loss + shift + (i % 2 ? 0.2 : -0.2))

  test("takes the simplest of those within one standard error of the best, not the best", () => {
    // se = 0.2/√399 = 0.01
    const rivals = [
      { losses: best, simplicity: [9] },
      { losses: noisy(0.009), simplicity: [5] },
      { losses: noisy(0.011), simplicity: [1] },
    ]
    const { best: lowest, taken, tied } = oneStandardError(rivals, ones(400))
    expect([lowest, taken, [...tied]]).toEqual([0, 1, [0, 1]])
  })

  test("among equally simple ones the later numbers decide, then the order", () => {
    const same = { losses: best }
    const place = (simplicity: number[][]): number =>
      oneStandardError(
        simplicity.map(one => ({ ...same, simplicity: one })),
        ones(400),
      ).taken
    expect(
      place([
        [3, 1],
        [3, 0],
      ]),
    ).toBe(1)
    expect(
      place([
        [3, 0],
        [3, 0],
      ]),
    ).toBe(0)
  })

  test("one that fails badly on a few rows does not excuse itself by the spread that makes", () => {
    const wild = best.map((loss, i) => (i === 0 ? loss + 80 : loss))
    expect(lossDifference(wild, best, ones(400))).toMatchObject({
      difference: expect.closeTo(0.2, 12),
      standardError: expect.closeTo(0.2, 12),
    })
    const rivals = [
      { losses: best, simplicity: [2] },
      { losses: wild, simplicity: [1] },
    ]
    expect(oneStandardError(rivals, ones(400)).taken).toBe(0)
  })

  test("less than a two-hundredth of a nat is no difference", () => {
    const rivals = [0, 0.9 * HARDLY, 1.1 * HARDLY].map((shift, i) => ({
      losses: best.map(loss => loss + shift),
      simplicity: [3 - i],
    }))
    expect(oneStandardError(rivals, ones(400)).taken).toBe(1)
  })
})

test("the loss on more rows: half way to what was lost on rows that were seen, as the sample grows", () => {
  expect(expectedLoss(0.6, 0.2, 100, 100)).toBe(0.6)
  expect(expectedLoss(0.6, 0.2, 100, 200)).toBeCloseTo(0.5, 12)
  expect(expectedLoss(0.6, 0.2, 100, 1e12)).toBeCloseTo(0.4, 9)
  // nothing to gain where seen rows cost as much, or more
  expect(expectedLoss(0.6, 0.7, 100, 400)).toBe(0.6)
  expect(expectedLoss(Infinity, 0.7, 100, 400)).toBe(Infinity)
})
