import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { cutsByTime, dealt, dealtByGroup } from "./partition.ts"

function counts(parts: Int32Array, strata: Int32Array, f: number, l: number): number {
  return parts.reduce((n, part, i) => n + (part === f && strata[i] === l ? 1 : 0), 0)
}

test("the whole and every stratum are within two rows of their share", () => {
  const d = dice(1)
  for (const shares of [
    [0.7, 0.3],
    [0.9, 0.1],
    [0.2, 0.2, 0.2, 0.2, 0.2],
  ]) {
    for (let seed = 0; seed < 20; seed++) {
      const strata = Int32Array.from({ length: 137 }, () => Math.min(d.integer(6), d.integer(6)))
      const parts = dealt(strata, shares, dice(seed))
      shares.forEach((share, f) => {
        const all = parts.filter(part => part === f).length
        expect(Math.abs(all - share * 137)).toBeLessThanOrEqual(1)
        for (let l = 0; l < 6; l++) {
          const wanted = share * strata.filter(s => s === l).length
          expect(Math.abs(counts(parts, strata, f, l) - wanted)).toBeLessThanOrEqual(2)
        }
      })
    }
  }
})

test("every row is as likely as another to be in the test part, a rare level's too", () => {
  const strata = Int32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
  const hits = new Float64Array(10)
  for (let seed = 0; seed < 3000; seed++) {
    dealt(strata, [0.7, 0.3], dice(seed)).forEach((part, i) => {
      hits[i] += part / 3000
    })
  }
  for (const share of hits) expect(share).toBeCloseTo(0.3, 1)
})

test("no part stays empty while there is something to give", () => {
  expect([...dealt(new Int32Array(3), [0.99, 0.01], dice(0))].sort()).toEqual([0, 0, 1])
  const each = dealt(new Int32Array(4), [0.25, 0.25, 0.25, 0.25], dice(0))
  expect([...each].sort()).toEqual([0, 1, 2, 3])
  // Two groups of one level each: both would rather learn than test.
  const groups = Int32Array.of(0, 0, 1, 1)
  expect(new Set(dealtByGroup(groups, groups, [0.7, 0.3], dice(0)))).toEqual(new Set([0, 1]))
})

test("a group is never parted, and the parts come close to their shares", () => {
  const d = dice(2)
  const groups = Int32Array.from({ length: 400 }, () => Math.min(d.integer(40), d.integer(40)))
  const strata = groups.map(group => (group % 3 === 0 ? 1 : d.integer(2)))
  const parts = dealtByGroup(groups, strata, [0.25, 0.25, 0.25, 0.25], dice(3))!
  const home = new Map<number, number>()
  groups.forEach((group, i) => {
    expect(home.get(group) ?? parts[i]).toBe(parts[i])
    home.set(group, parts[i])
  })
  const ones = strata.filter(s => s === 1).length
  for (let f = 0; f < 4; f++) {
    expect(Math.abs(parts.filter(part => part === f).length - 100)).toBeLessThan(12)
    expect(Math.abs(counts(parts, strata, f, 1) - ones / 4)).toBeLessThan(10)
  }
})

test("fewer groups than parts cannot be dealt", () => {
  expect(dealtByGroup(Int32Array.of(0, 1, 0), new Int32Array(3), [0.4, 0.3, 0.3], dice(0))).toBeUndefined()
})

test("times are cut nearest to where it is wanted, never between rows of one time", () => {
  expect(cutsByTime([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [7])).toEqual([7])
  expect(cutsByTime([1, 1, 1, 1, 1, 1, 2, 2, 2, 2], [7])).toEqual([6])
  expect(cutsByTime(["a", "b", "b", "b", "b", "b", "b", "b", "c", "c"], [7])).toEqual([8])
  expect(cutsByTime([1, 1, 1], [2])).toBeUndefined()
  expect(cutsByTime([1, 1, 2, 2, 3, 3], [2, 4])).toEqual([2, 4])
  expect(cutsByTime([1, 2, 2, 2, 2, 3], [2, 4])).toEqual([1, 5]) // one is left for each cut to come
  expect(cutsByTime([1, 1, 2], [1, 2])).toBeUndefined()
})
