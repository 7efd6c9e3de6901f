import { describe, expect, test } from "vitest"
import type { Cell, Level } from "../contract/cells.ts"
import { notABag } from "../errors.ts"
import { countCell, isMissing, LevelSet, levelCell, numberCell, sortLevels } from "./cells.ts"

test("null, undefined and NaN are missing, and nothing else is", () => {
  expect([null, undefined, Number.NaN].every(isMissing)).toBe(true)
  expect([0, "", false, 0n, [], {}].some(cell => isMissing(cell as Cell))).toBe(false)
})

describe("a number cell", () => {
  test("is a finite number, a bigint, or missing", () => {
    expect(numberCell(-2.5, 0, "x")).toBe(-2.5)
    expect(numberCell(7n, 0, "x")).toBe(7)
    expect(numberCell(5e-324, 0, "x")).toBe(5e-324)
    for (const missing of [null, undefined, Number.NaN]) expect(numberCell(missing, 0, "x")).toBeNaN()
  })

  test("is not infinite, and not of another type", () => {
    expect(() => numberCell(Number.POSITIVE_INFINITY, 3, "x")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 3 of "x" holds Infinity. A number must be finite to be modelled. Drop the row, or put null for a missing cell.]`,
    )
    expect(() => numberCell(Number.NEGATIVE_INFINITY, 3, "x")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 3 of "x" holds -Infinity. A number must be finite to be modelled. Drop the row, or put null for a missing cell.]`,
    )
    expect(() => numberCell(10n ** 400n, 3, "x")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 3 of "x" holds Infinity. A number must be finite to be modelled. Drop the row, or put null for a missing cell.]`,
    )
    expect(() => numberCell("1.5", 3, "x")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 3 of "x" holds "1.5". The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical().]`,
    )
    expect(() => numberCell(true, 3, "x")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 3 of "x" holds true. The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical().]`,
    )
    expect(() => numberCell(new Date(0) as never, 3, "x")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 3 of "x" holds a Date. The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical().]`,
    )
  })
})

describe("a count cell", () => {
  test("is a non-negative integer, or missing", () => {
    expect(countCell(0, 0, "visits")).toBe(0)
    expect(countCell(3n, 0, "visits")).toBe(3)
    expect(countCell(null, 0, "visits")).toBeNaN()
  })

  test("is not broken, negative, or too large to be told from its neighbour", () => {
    expect(() => countCell(2.5, 41, "visits")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 41 of "visits" holds 2.5. The support is the non-negative integers. Round it, drop the row, or choose gaussian().]`,
    )
    expect(() => countCell(-1, 41, "visits")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 41 of "visits" holds -1. The support is the non-negative integers. Round it, drop the row, or choose gaussian().]`,
    )
    expect(() => countCell(2 ** 53, 41, "visits")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 41 of "visits" holds 9007199254740992. The support is the non-negative integers. Round it, drop the row, or choose gaussian().]`,
    )
  })
})

describe("a level cell", () => {
  test("comes back as it went in; −0 is 0 and a bigint is a number", () => {
    for (const level of ["a", "", "constructor", 1.5, -3, true, false])
      expect(levelCell(level, 0, "y")).toBe(level)
    expect(levelCell(-0, 0, "y")).toBe(0)
    expect(levelCell(12n, 0, "y")).toBe(12)
    for (const missing of [null, undefined, Number.NaN]) expect(levelCell(missing, 0, "y")).toBeUndefined()
  })

  test("is one level, and finite", () => {
    expect(() => levelCell(Number.POSITIVE_INFINITY, 2, "y")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 2 of "y" holds Infinity. A level is text, a boolean or a finite number. Put null for a missing cell.]`,
    )
    expect(() => levelCell(["a"], 2, "y")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 2 of "y" holds a list of 1. A level is text, a boolean or a finite number. Put one level in each cell (soft labels are for fit), or choose multinomial() for lists of words.]`,
    )
    expect(() => levelCell({ a: 1 }, 2, "y")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 2 of "y" holds an object with 1 key. A level is text, a boolean or a finite number. Put one level in each cell (soft labels are for fit), or choose multinomial() for lists of words.]`,
    )
    expect(() => levelCell(2n ** 53n, 2, "y")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 2 of "y" holds 9007199254740992n. Beyond 2^53 two levels could become the same number. Convert the column to text.]`,
    )
  })
})

test("a cell that is no bag says what a bag is", () => {
  expect(notABag(3, 8, "words").message).toMatchInlineSnapshot(
    `"row 8 of "words" holds 3. A bag of words is text, a list of words, or { word: count } or a Map with counts ≥ 0. Pass one of these, or null."`,
  )
})

describe("levels", () => {
  test("are sorted the same way from whatever order: booleans, numbers by size, text by code unit", () => {
    const sorted: Level[] = [false, true, -1, 2, 10, "10", "B", "a", "ä"]
    for (let turn = 0; turn < sorted.length; turn++) {
      expect(sortLevels([...sorted.slice(turn), ...sorted.slice(0, turn)])).toEqual(sorted)
      expect(sortLevels([...sorted.slice(turn), ...sorted.slice(0, turn)].reverse())).toEqual(sorted)
    }
  })

  test('that read the same are refused: a column holds 1 or "1", not both', () => {
    const levels = new LevelSet("y")
    levels.add(1, 0)
    levels.add(1, 1)
    expect(() => levels.add("1", 2)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 2 of "y" holds "1", another row holds 1. One is a string, the other a number, and no table tells them apart. Convert the column to one type.]`,
    )
    const flags = new LevelSet("y")
    flags.add("true", 0)
    expect(() => flags.add(true, 5)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 5 of "y" holds true, another row holds "true". One is a boolean, the other a string, and no table tells them apart. Convert the column to one type.]`,
    )
  })

  test("named by soft labels have the type of the levels that were seen", () => {
    const numbers = new LevelSet("y")
    numbers.addName("2")
    numbers.addName("1")
    numbers.add(1, 0)
    expect(numbers.sorted()).toEqual([1, 2])
    const flags = new LevelSet("y")
    flags.add(true, 0)
    flags.addName("false")
    expect(flags.sorted()).toEqual([false, true])
    const text = new LevelSet("y")
    text.addName("2")
    text.addName("10")
    expect(text.sorted()).toEqual(["10", "2"])
    const mixed = new LevelSet("y")
    mixed.add(1, 0)
    mixed.addName("01")
    mixed.addName("other")
    expect(mixed.sorted()).toEqual([1, "01", "other"])
  })
})
