import { expect, test } from "vitest"
import { bar, textTable } from "./table.ts"

test("a bar is as long as its share, to an eighth of a character", () => {
  expect([0, 1 / 16, 0.5, 0.53125, 1, 7, -1].map(share => bar(share, 4))).toEqual([
    "",
    "▎",
    "██",
    "██▏",
    "████",
    "████",
    "",
  ])
})

test("columns are as wide as their widest cell, in places of the terminal", () => {
  expect(
    textTable(
      [{ title: "name" }, { title: "n", align: "right" }],
      [
        ["😀", "12"],
        ["Ångström", "3"],
      ],
    ),
  ).toBe(["  name       n", "  ────────  ──", "  😀        12", "  Ångström   3"].join("\n"))
})

test("characters of East Asia and emoji take two places, marks none", () => {
  const rows = [
    ["東京", "1"],
    ["한국어", "2"],
    ["👩‍👩‍👧", "3"],
    ["e\u0301a", "4"],
    ["ab", "5"],
  ]
  expect(textTable([{ title: "x" }, { title: "n" }], rows)).toBe(
    [
      "  x       n",
      "  ──────  ─",
      "  東京    1",
      "  한국어  2",
      "  👩‍👩‍👧      3",
      "  e\u0301a      4",
      "  ab      5",
    ].join("\n"),
  )
})
