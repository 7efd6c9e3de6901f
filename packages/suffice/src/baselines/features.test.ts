import { expect, test } from "vitest"
import { bagsOf } from "../blocks/encoded.ts"
import type { Block } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import { rowDot, rowScores, rowSpread } from "./design-matrix.ts"
import { designOf, featuresOf, namesOf } from "./features.ts"

const columns: Column[] = [
  { kind: "level", name: "y", levels: ["no", "yes"] },
  { kind: "number", name: "x", shift: 100, scale: 10, variance: 1 },
  { kind: "level", name: "colour", levels: ["blue", "red"] },
  { kind: "count", name: "visits", mean: 2 },
  { kind: "bag", name: "text", words: ["cat", "dog", "emu"], text: { lowercase: true } },
]
const block: Block = {
  rows: 4,
  weight: Float64Array.of(1, 1, 2, 1),
  cells: [
    Int32Array.of(0, 1, 1, -1),
    Float64Array.of(-1, 1, Number.NaN, 50),
    Int32Array.of(1, -1, 0, 0),
    Float64Array.of(0, 4, 2, 9),
    bagsOf(Int32Array.of(0, 2, 2, 3, 3), Int32Array.of(0, 2, 1), Float64Array.of(3, 1, 2)),
  ],
}
const labelled = (b: Block, i: number): boolean => (b.cells[0] as Int32Array)[i] >= 0
const features = featuresOf(columns, 0, [block], labelled)
/** Row i of the matrix, spread out. */
const dense = (matrix: ReturnType<typeof designOf>): number[][] =>
  Array.from({ length: matrix.rows }, (_, i) =>
    Array.from({ length: matrix.width }, (_, f) =>
      rowDot(
        matrix,
        i,
        Float64Array.from({ length: matrix.width }, (_, j) => (j === f ? 1 : 0)),
      ),
    ),
  )

test("numbers are standardised over labelled rows by weight, holes are 0, levels one-hot, words counted", () => {
  const root = Math.sqrt(2)
  const expected = [
    // visits of labelled rows: 0, 4, and 2 twice: mean 2, variance 2
    [-1, -2 / root, 0, 1, 3, 0, 1],
    [1, 2 / root, 0, 0, 0, 0, 0],
    [0, 0, 1, 0, 0, 2, 0],
  ]
  dense(designOf(features, [block], false, labelled)).forEach((row, i) => {
    row.forEach((value, f) => {
      expect(value).toBeCloseTo(expected[i][f], 14)
    })
  })
})

test("rows that were not learned from are asked about in the same units", () => {
  expect(dense(designOf(features, [block], false))[3][0]).toBeCloseTo(50, 12)
})

test("features are named as toLinear() names them, numbers with mean and sd in the units of the data", () => {
  expect(namesOf(features, columns)).toEqual([
    { name: "x", column: "x", mean: 100, sd: 10 },
    { name: "visits", column: "visits", mean: 2, sd: expect.closeTo(Math.sqrt(2), 14) },
    { name: "colour = blue", column: "colour" },
    { name: "colour = red", column: "colour" },
    { name: "text: cat", column: "text" },
    { name: "text: dog", column: "text" },
    { name: "text: emu", column: "text" },
  ])
})

test("products of several outputs are those of each", () => {
  const matrix = designOf(features, [block], true)
  const w = Float64Array.from({ length: 16 }, (_, j) => (j * 7) % 5)
  const out = new Float64Array(2)
  const spread = new Float64Array(16)
  for (let i = 0; i < matrix.rows; i++) {
    rowScores(matrix, i, w, 2, out)
    for (const c of [0, 1]) {
      expect(out[c]).toBeCloseTo(
        rowDot(
          matrix,
          i,
          w.filter((_, j) => j % 2 === c),
        ),
        12,
      )
    }
    // ⟨Xᵀq, w⟩ = ⟨q, X·w⟩
    spread.fill(0)
    rowSpread(matrix, i, Float64Array.of(2, -1), 2, spread)
    expect(spread.reduce((sum, s, j) => sum + s * w[j], 0)).toBeCloseTo(2 * out[0] - out[1], 9)
  }
})
