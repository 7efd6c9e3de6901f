import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { entropy, relativeEntropy } from "./bounds.ts"
import { brierScores, logLosses } from "./losses.ts"
import { weightedMean } from "./weighted.ts"

test("log-loss is −ln p of the truth, and infinite where the truth was held impossible", () => {
  const losses = logLosses([0, 1, 0], [0.5, 0.5, 0.75, 0.25, 0, 1], 2)
  expect(losses[0]).toBeCloseTo(Math.log(2), 15)
  expect(losses[1]).toBeCloseTo(Math.log(4), 15)
  expect(losses[2]).toBe(Infinity)
})

test("a certain and right prediction loses 0, not −0", () => {
  expect(Object.is(logLosses([0], [1, 0], 2)[0], 0)).toBe(true)
})

test("a level never seen has probability 0: log-loss Infinity, and its own term in Brier's sum", () => {
  expect([...logLosses([2], [0.75, 0.25], 2)]).toEqual([Infinity])
  expect([...brierScores([2], [0.75, 0.25], 2)]).toEqual([1 + 0.75 * 0.75 + 0.25 * 0.25])
  expect([...brierScores([2], [0.75, 0.25, 0], 3)]).toEqual([1 + 0.75 * 0.75 + 0.25 * 0.25])
})

test("Brier lies between 0, certain and right, and 2, certain and wrong", () => {
  expect([...brierScores([0, 1], [1, 0, 1, 0], 2)]).toEqual([0, 2])
})

test("both are proper: where p is true, expecting p is best, and log-loss is entropy plus divergence", () => {
  const d = dice(4)
  const draw = (): Float64Array => {
    const out = new Float64Array(3)
    d.dirichlet(Float64Array.of(1, 1, 1), out)
    return out
  }
  for (let run = 0; run < 50; run++) {
    const p = draw()
    const q = draw()
    // The three outcomes as three rows, weighted by the truth.
    const expected = (losses: typeof logLosses, said: Float64Array): number =>
      weightedMean(losses([0, 1, 2], [...said, ...said, ...said], 3), p)
    expect(expected(logLosses, q)).toBeCloseTo(entropy(p) + relativeEntropy(p, q), 12)
    expect(expected(logLosses, p)).toBeLessThanOrEqual(expected(logLosses, q))
    expect(expected(brierScores, p)).toBeLessThanOrEqual(expected(brierScores, q))
  }
})
