import { expect, test } from "vitest"
import { Averages } from "./averages.ts"

const isPowerOfTwo = (t: number): boolean => Number.isInteger(Math.log2(t))

test("restarted at powers of two, what is handed out is the mean over the later half of the steps or more", () => {
  const averages = new Averages([[0, 1]], [])
  const seen: number[] = []
  for (let t = 1; t <= 200; t++) {
    const value = Math.sin(t)
    seen.push(value)
    if (isPowerOfTwo(t)) averages.restart(1)
    averages.add(Float64Array.of(value))
    // the older one began at the power of two before the last
    const last = 2 ** Math.floor(Math.log2(t))
    const from = Math.max(1, last / 2)
    const covered = seen.slice(from - 1)
    expect(covered.length).toBeGreaterThanOrEqual(t / 2)
    const mean = covered.reduce((sum, v) => sum + v, 0) / covered.length
    expect(averages.over(Float64Array.of(9), 1)[0]).toBeCloseTo(mean, 12)
  }
})

test("without a restart it is the mean of all; before the first step the moments themselves", () => {
  const averages = new Averages([[0, 1]], [])
  expect([...averages.over(Float64Array.of(5), 1)]).toEqual([5])
  for (const value of [1, 2, 6]) averages.add(Float64Array.of(value))
  expect(averages.over(Float64Array.of(5), 1)[0]).toBeCloseTo(3, 12)
})

test("outside of its ranges nothing is averaged", () => {
  const averages = new Averages([[1, 2]], [])
  averages.add(Float64Array.of(1, 1, 1))
  averages.add(Float64Array.of(3, 3, 3))
  expect([...averages.over(Float64Array.of(7, 8, 9), 1)]).toEqual([7, 2, 9])
})

test("a state goes on to the same bits, and is a copy", () => {
  const [whole, cut] = [new Averages([[0, 2]], []), new Averages([[0, 2]], [])]
  const moments = (t: number): Float64Array => Float64Array.of(Math.sin(t), 1 / t)
  const move = (averages: Averages, t: number): void => {
    if (isPowerOfTwo(t)) averages.restart(2)
    averages.add(moments(t))
  }
  for (let t = 1; t <= 37; t++) move(whole, t)
  for (let t = 1; t <= 20; t++) move(cut, t)
  const state = cut.state()
  expect(state).toHaveLength(2)
  const means = state.map(({ mean }) => [...mean])
  const resumed = new Averages([[0, 2]], state)
  for (let t = 21; t <= 37; t++) {
    move(cut, t)
    move(resumed, t)
  }
  expect(resumed.state()).toEqual(whole.state())
  expect(resumed.over(moments(1), 1)).toEqual(whole.over(moments(1), 1))
  expect(state[1].steps).toBe(5)
  expect(state.map(({ mean }) => [...mean])).toEqual(means)
})
