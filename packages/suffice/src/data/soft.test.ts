import { describe, expect, test } from "vitest"
import type { Cell } from "../contract/cells.ts"
import { isSoft, softFactor, softLevels } from "./soft.ts"

test("an object is soft; levels, lists and missing cells are not", () => {
  expect(isSoft({ a: 1 })).toBe(true)
  for (const cell of ["a", 1, true, null, undefined, Number.NaN, ["a"]])
    expect(softLevels(cell as Cell, 0, "y")).toBeUndefined()
})

test("shares add up to 1, and levels without weight are left out", () => {
  expect(softLevels({ a: 1, b: 3, c: 0 }, 0, "y")).toEqual([
    { name: "a", share: 0.25 },
    { name: "b", share: 0.75 },
  ])
})

test("class weights change the shares, and their mean is what the copies weigh together", () => {
  const factor = (name: string): number => ({ a: 6, b: 2, c: 0 })[name]!
  const cell = { a: 1, b: 1, c: 2 }
  expect(softLevels(cell, 0, "y", factor)).toEqual([
    { name: "a", share: 0.75 },
    { name: "b", share: 0.25 },
  ])
  expect(softFactor(cell, 0, "y", factor)).toBe(2)
  expect(softLevels({ c: 1 }, 0, "y", factor)).toEqual([])
  expect(softFactor({ c: 1 }, 0, "y", factor)).toBe(0)
})

test("levels may be named like parts of an object's prototype", () => {
  expect(softLevels(JSON.parse('{"__proto__": 1, "constructor": 1}'), 0, "y")).toEqual([
    { name: "__proto__", share: 0.5 },
    { name: "constructor", share: 0.5 },
  ])
})

describe("refused are", () => {
  const read = (cell: unknown) => () => softLevels(cell as Cell, 7, "species")
  test("weights that are no weights", () => {
    expect(read({ cat: -1, dog: 2 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 7 of "species" gives level "cat" the weight -1. A soft label weighs levels by finite numbers ≥ 0. Correct the weight, or leave the level out.]`,
    )
    expect(read({ cat: Number.NaN })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 7 of "species" gives level "cat" the weight NaN. A soft label weighs levels by finite numbers ≥ 0. Correct the weight, or leave the level out.]`,
    )
    expect(read({ cat: Number.POSITIVE_INFINITY })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 7 of "species" gives level "cat" the weight Infinity. A soft label weighs levels by finite numbers ≥ 0. Correct the weight, or leave the level out.]`,
    )
    expect(read({ cat: "1" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 7 of "species" gives level "cat" the weight "1". A soft label weighs levels by finite numbers ≥ 0. Correct the weight, or leave the level out.]`,
    )
  })
  test("no weight at all, or more than a number holds", () => {
    expect(read({})).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 7 of "species" is a soft label whose weights add up to 0. They must add up to a finite number above 0. Weigh at least one level, or put null for a missing label.]`,
    )
    expect(read({ cat: 0, dog: 0 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 7 of "species" is a soft label whose weights add up to 0. They must add up to a finite number above 0. Weigh at least one level, or put null for a missing label.]`,
    )
    expect(read({ cat: 1e308, dog: 1e308 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 7 of "species" is a soft label whose weights add up to Infinity. They must add up to a finite number above 0. Weigh at least one level, or put null for a missing label.]`,
    )
  })
})
