import { describe, expect, test } from "vitest"
import type { Cell, Row } from "../contract/cells.ts"
import { summarise } from "./summarise.ts"

const of = (...cells: Cell[]) => summarise({ x: cells })[0]

test("numbers are counted with their integers, their negatives, their range, mean and variance", () => {
  expect(of(1, 2.5, -3, 2n, null, undefined, NaN)).toEqual({
    ...{ name: "x", rows: 7, missing: 3, numbers: 4, integers: 3, negatives: 1, smallest: -3, largest: 2.5 },
    ...{ mean: expect.closeTo(0.625, 14), variance: expect.closeTo(4.671875, 13) },
    ...{ booleans: 0, strings: 0, texts: 0, bags: 0, distinct: 4 },
  })
})

test("without numbers there is no range, mean or variance", () => {
  expect(of("a", true, null)).toMatchObject({
    smallest: Infinity,
    largest: -Infinity,
    mean: NaN,
    variance: NaN,
  })
})

test("a string is a text when white space stands between words, not around them", () => {
  expect(of("red", " red ", "dark red", "")).toMatchObject({ strings: 4, texts: 1, distinct: 4 })
})

test("word lists and word counts are bags; other objects are nothing known", () => {
  const summary = of(["a", "b"], { a: 2 }, ["a", "b"], new Date(0) as unknown as Cell)
  expect(summary).toMatchObject({ rows: 4, bags: 2 + 1, strings: 0, distinct: 3 })
  const maps = of(new Map([["a", 2]]), new Map([["a", 1]]), new Map([["a", 2]]))
  expect(maps).toMatchObject({ rows: 3, bags: 3, distinct: 2 })
})

test("1, true and the string of either are different values", () => {
  expect(of(1, true, "1", "true")).toMatchObject({ numbers: 1, booleans: 1, strings: 2, distinct: 4 })
})

test("an object that refers to itself is looked at without harm", () => {
  const loop: Record<string, unknown> = {}
  loop.self = loop
  expect(of(loop as unknown as Cell)).toMatchObject({ bags: 0, distinct: 1 })
})

test("rows and columns give the same summary; a cell that is not there is missing", () => {
  const rows: Row[] = [{ x: 1, y: "a" }, { x: 2 }, { y: "b", z: true }]
  expect(summarise(rows)).toEqual(
    summarise({ x: [1, 2, null], y: ["a", null, "b"], z: [null, undefined, true] }),
  )
})

test("typed arrays are columns", () => {
  expect(summarise({ x: Float32Array.of(1, 2, 2) })[0]).toMatchObject({
    numbers: 3,
    integers: 3,
    distinct: 2,
  })
})

test("only the first rows are looked at, and distinct values are counted up to 1000", () => {
  const rows = Array.from({ length: 12_000 }, (_, i) => ({ x: i }))
  expect(summarise(rows)[0]).toMatchObject({ rows: 10_000, distinct: 1000, largest: 9999 })
  expect(summarise(rows, { most: 50 })[0]).toMatchObject({ rows: 50, distinct: 50 })
})

test("no rows, no columns", () => {
  expect(summarise([])).toEqual([])
  expect(summarise({ x: [] })[0]).toMatchObject({ rows: 0, distinct: 0 })
})

describe("messages", () => {
  test("data that is no data", () => {
    expect(() => summarise("rows.csv" as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the data is "rows.csv". It must be a list of rows, or an object of columns. Give for example [{ x: 1 }] or { x: [1] }.]`,
    )
  })
  test("a row that is no object", () => {
    expect(() => summarise([{ x: 1 }, 7 as never])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1 is 7. A row is an object with a cell per column. Give for example { x: 1 }.]`,
    )
  })
  test("a column that is no array", () => {
    expect(() => summarise({ x: 7 } as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "x" is 7. A column is an array of cells. Give for example { x: [1, 2] }, or a list of rows.]`,
    )
  })
})
