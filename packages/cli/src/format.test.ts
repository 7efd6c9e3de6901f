import { expect, test } from "vitest"
import { clipped, count, duration, many, percent, percents, plain, signed } from "./format.ts"

test("numbers keep the digits that carry meaning", () => {
  expect([0, 217.186, 0.000123456, -1.5, 1234567, 123456789, 1e-9, 3].map(x => plain(x))).toEqual([
    "0",
    "217.2",
    "0.0001235",
    "−1.5",
    "1,234,567",
    "1.235e+8",
    "1.000e−9",
    "3",
  ])
  expect([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(x => plain(x))).toEqual([
    "–",
    "∞",
    "−∞",
  ])
})

test("shares, counts, times and signs read as people write them", () => {
  expect([
    percent(0.94166),
    percents([0.88, 0.981]),
    count(1234567),
    count(0.5),
    many(1, "row"),
    many(2000, "row"),
  ]).toEqual(["94.2 %", "88.0 – 98.1 %", "1,234,567", "0.5", "1 row", "2,000 rows"])
  expect([signed(1.256), signed(-0.3), duration(1.25), duration(42.4), duration(95)]).toEqual([
    "+1.26",
    "−0.30",
    "1.3 s",
    "42 s",
    "1 min 35 s",
  ])
  // 60 seconds are a minute, also those that rounding makes
  expect([duration(59.4), duration(59.7), duration(119.7)]).toEqual(["59 s", "1 min 0 s", "2 min 0 s"])
})

test("a cell is cut by what it takes on the terminal, and never inside a character", () => {
  expect(clipped("東京都渋谷区", 7)).toBe("東京都…")
  expect(clipped("👩‍👩‍👧👩‍👩‍👧", 3)).toBe("👩‍👩‍👧…")
  expect(clipped("😀".repeat(5), 5)).toBe("😀😀…")
  expect(clipped("a b\n c", 5)).toBe("a b c")
})
