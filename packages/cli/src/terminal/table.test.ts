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

test("columns are as wide as their widest cell, counted in characters", () => {
  expect(
    textTable(
      [{ title: "name" }, { title: "n", align: "right" }],
      [
        ["😀", "12"],
        ["Ångström", "3"],
      ],
    ),
  ).toBe(["  name       n", "  ────────  ──", "  😀         12", "  Ångström   3"].join("\n"))
})
