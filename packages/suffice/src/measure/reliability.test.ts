import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { wilsonInterval } from "./intervals.ts"
import { type Reliability, reliability } from "./reliability.ts"

test("ECE by hand: two bins, off by 0.1 and by 0.25", () => {
  const { ece, bins } = reliability([0.55, 0.65, 0.95, 0.95], [true, true, true, false], [1, 1, 1, 1], 2)
  expect(bins).toEqual([
    {
      from: 0.5,
      to: 1,
      count: 4,
      confidence: (0.55 + 0.65 + 0.95 + 0.95) / 4,
      frequency: 0.75,
      interval: wilsonInterval(0.75, 4),
    },
  ])
  expect(ece).toBeCloseTo(Math.abs(0.75 - 3.1 / 4), 15)
  const ten = reliability([0.55, 0.65, 0.95, 0.95], [true, true, true, false], [1, 1, 1, 1])
  expect(ten.bins.map(bin => [bin.from, bin.count, bin.frequency])).toEqual([
    [0.5, 1, 1],
    [0.6, 1, 1],
    [0.9, 2, 0.5],
  ])
  expect(ten.ece).toBeCloseTo(0.25 * 0.45 + 0.25 * 0.35 + 0.5 * 0.45, 15)
})

test("a confidence on the edge belongs to the bin above, and 1 to the last", () => {
  const { bins } = reliability([0, 0.1, 0.3, 0.7, 1], new Array(5).fill(true), new Array(5).fill(1))
  expect(bins.map(bin => bin.from)).toEqual([0, 0.1, 0.3, 0.7, 0.9])
})

test("events that happen as often as is said have an ECE near 0; the same said with more confidence has not", () => {
  const d = dice(5)
  const p = Array.from({ length: 50_000 }, () => d.uniform())
  const happened = p.map(x => d.uniform() < x)
  const ones = p.map(() => 1)
  expect(reliability(p, happened, ones).ece).toBeLessThan(0.01)
  const bold = p.map(x => (x * x) / (x * x + (1 - x) * (1 - x)))
  expect(reliability(bold, happened, ones).ece).toBeGreaterThan(0.05)
})

test("a row of weight 2 is the row twice, but for the intervals: it was seen once", () => {
  const once = reliability([0.3, 0.8], [true, false], [2, 1])
  const twice = reliability([0.3, 0.3, 0.8], [true, true, false], [1, 1, 1])
  const plain = ({ ece, bins }: Reliability) => ({ ece, bins: bins.map(({ interval: _, ...bin }) => bin) })
  expect(plain(once)).toEqual(plain(twice))
  expect(once.bins[0].interval).toEqual(wilsonInterval(1, 1))
})
