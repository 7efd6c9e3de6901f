import { expect, test } from "vitest"
import { csvLine } from "./csv.ts"

test("cells are quoted where they have to be, and missing ones are empty", () => {
  expect(
    csvLine(["a,b", 'say "x"', "two\nlines", " blank ", "plain", null, undefined, Number.NaN, 0.1, true]),
  ).toBe('"a,b","say ""x""","two\nlines"," blank ",plain,,,,0.1,true\n')
})

test("a bag is its words, each as often as it counts", () => {
  expect(csvLine([["b", "a"], { spam: 2, ham: 1 }])).toBe("b a,spam spam ham\n")
})
