import { expect, test } from "vitest"
import type { Cell } from "../contract/cells.ts"
import type { BagSink } from "../contract/door.ts"
import { Remembered } from "./remembered.ts"
import { Tally } from "./tally.ts"

/** Three texts of words 0, 1 and 2, of which the column keeps 2 and 0, in this order. */
function threeTexts(): Remembered {
  const remembered = new Remembered()
  const tally = new Tally()
  for (const [text, codes] of [
    ["a", [0, 2, 0]],
    ["b", [1]],
    ["c", [2]],
  ] as const) {
    tally.begin(0)
    for (const code of codes) tally.add(code, 1)
    remembered.add(text, tally)
  }
  remembered.became = Int32Array.of(1, -1, 0)
  return remembered
}

function fill(remembered: Remembered, text: Cell): number[][] | undefined {
  const bag: number[][] = []
  const sink: BagSink = {
    addWords(words, counts, from, to) {
      for (let t = from; t < to; t++) bag.push([words[t], counts[t]])
    },
  }
  return remembered.fill(text, sink) ? bag : undefined
}

test("texts that come again in their order have their words as the column numbers them", () => {
  const remembered = threeTexts()
  expect(["a", "b", "c"].map(text => fill(remembered, text))).toEqual([
    [
      [1, 2],
      [0, 1],
    ],
    [],
    [[0, 1]],
  ])
})

test("a text may come several times at its turn", () => {
  const remembered = threeTexts()
  expect(["a", "a", "b", "b", "c", "c"].map(text => fill(remembered, text)?.length)).toEqual([
    2, 2, 0, 0, 1, 1,
  ])
})

test("a text out of turn is not known, and those in turn are", () => {
  const remembered = threeTexts()
  expect(["b", "x", "a", "x", "c", "b", "a", "c", "x"].map(text => fill(remembered, text)?.length)).toEqual([
    undefined,
    undefined,
    2,
    undefined,
    undefined,
    0,
    undefined,
    1,
    undefined,
  ])
})

test("texts that do not fit together are held all the same", () => {
  const remembered = new Remembered()
  const tally = new Tally()
  const sizes = [200_000, 100_000, 300_000, 1]
  sizes.forEach((size, b) => {
    tally.begin(size)
    for (let code = 0; code < size; code++) tally.add(code, 1)
    remembered.add(String(b), tally)
  })
  remembered.became = Int32Array.from({ length: 300_000 }, (_, code) => code)
  expect(sizes.map((_, b) => fill(remembered, String(b))?.length)).toEqual(sizes)
})

test("lists and counts are known by themselves, not by what they hold; counts that are not whole are not remembered", () => {
  const remembered = new Remembered()
  const tally = new Tally()
  const cells: Cell[] = [["a"], { a: 2 }, { a: 0.5 }, ["a"], { a: 2 ** 33 }]
  const counts = [1, 2, 0.5, 1, 2 ** 33]
  cells.forEach((cell, i) => {
    tally.begin(0)
    tally.add(0, counts[i])
    remembered.add(cell, tally)
  })
  remembered.became = Int32Array.of(0)
  expect(fill(remembered, ["a"])).toBeUndefined()
  expect(cells.map(cell => fill(remembered, cell))).toEqual([
    [[0, 1]],
    [[0, 2]],
    undefined,
    [[0, 1]],
    undefined,
  ])
})
