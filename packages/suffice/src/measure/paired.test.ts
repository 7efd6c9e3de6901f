import { expect, test } from "vitest"
import { pairedInterval } from "./paired.ts"

test("two differences with nothing shared give the textbook interval of Cauchy's t", () => {
  const [low, high] = pairedInterval([1, 3], { testPerTrain: 0 })
  const reach = Math.tan(0.5 * Math.PI * 0.95) * Math.sqrt(2 / 2)
  expect(low).toBeCloseTo(2 - reach, 8)
  expect(high).toBeCloseTo(2 + reach, 8)
})

test("folds that share rows widen it by √((1/k + 1/(k − 1)) / (1/k))", () => {
  const differences = [0.02, 0.01, 0.03, 0, 0.04]
  const width = (interval: readonly [number, number]): number => interval[1] - interval[0]
  const shared = width(pairedInterval(differences))
  const independent = width(pairedInterval(differences, { testPerTrain: 0 }))
  expect(shared / independent).toBeCloseTo(Math.sqrt((1 / 5 + 1 / 4) * 5), 12)
})

test("equal differences leave no doubt, infinite ones leave everything open", () => {
  expect(pairedInterval([0.5, 0.5, 0.5])).toEqual([0.5, 0.5])
  expect(pairedInterval([0.5, Number.POSITIVE_INFINITY])).toEqual([
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ])
})

test("what is no comparison is refused", () => {
  expect(() => pairedInterval([1])).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: pairedInterval: there is 1 difference. One fold shows no spread. Compare on at least two folds.]`,
  )
  expect(() => pairedInterval([1, 2], { coverage: 95 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: pairedInterval: coverage is 95. It lies between 0 and 1. Give for example 0.95.]`,
  )
})
