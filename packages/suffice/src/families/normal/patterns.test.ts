import { expect, test } from "vitest"
import type { Block } from "../../contract/block.ts"
import { dice } from "../../random.ts"
import { arrange, patterns } from "./patterns.ts"

function randomBlock(seed: number, rows: number, d: number, missing: number): Block {
  const random = dice(seed)
  return {
    rows,
    weight: new Float64Array(rows).fill(1),
    cells: Array.from({ length: d }, () =>
      Float64Array.from({ length: rows }, () => (random.uniform() < missing ? Number.NaN : random.normal())),
    ),
  }
}

/** The groups by the obvious key: a string of what is missing. */
function byKey(block: Block, asked: number): number[][] {
  const groups = new Map<string, number[]>([["0".repeat(block.cells.length), []]])
  for (let i = 0; i < block.rows; i++) {
    const key = block.cells
      .map((cells, j) => (j === asked || Number.isNaN((cells as Float64Array)[i]) ? "1" : "0"))
      .join("")
    groups.set(key, [...(groups.get(key) ?? []), i])
  }
  return [...groups.values()]
}

test.each([
  [1, 0.5],
  [3, 0.3],
  [33, 0.05],
  [70, 0.02],
])("rows are grouped by what they lack, %i columns", (d, missing) => {
  const found = patterns(Array.from({ length: d }, (_, j) => j))
  // blocks of several sizes on the same workspace: nothing of the last one is left
  for (const [seed, rows, share] of [
    [5, 9, 0],
    [1, 256, missing],
    [6, 200, 0],
    [2, 5, missing],
    [7, 250, 0],
    [3, 300, missing],
    [8, 299, 0],
    [4, 0, missing],
  ]) {
    const block = randomBlock(seed, rows, d, share)
    for (const asked of [-1, d - 1]) {
      found.group(block, asked)
      const groups = Array.from({ length: found.groups }, (_, g) => [
        ...found.rows.subarray(found.offsets[g], found.offsets[g + 1]),
      ])
      expect(groups).toEqual(byKey(block, asked))
    }
  }
})

test("complete blocks of any size keep the order of their rows", () => {
  const found = patterns([0, 1])
  for (const rows of [10, 7, 20, 21]) {
    found.group(randomBlock(rows, rows, 2, 0), -1)
    expect([...found.rows.subarray(found.offsets[0], found.offsets[1])]).toEqual([...Array(rows).keys()])
  }
})

test("columns are arranged as seen, asked, missing", () => {
  const order = new Int32Array(4)
  const cell = (x: number) => Float64Array.of(x)
  const block = { rows: 1, weight: cell(1), cells: [cell(1), cell(Number.NaN), cell(2), cell(Number.NaN)] }
  expect(arrange([3, 2, 1, 0], block, 0, -1, order)).toBe(2)
  expect([...order]).toEqual([1, 3, 0, 2])
  expect(arrange([3, 2, 1, 0], block, 0, 3, order)).toBe(1)
  expect([...order]).toEqual([1, 3, 0, 2])
})
