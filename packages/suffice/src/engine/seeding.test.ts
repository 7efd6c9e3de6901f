import { describe, expect, test } from "vitest"
import type { Block } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { classes, gaussian, independent, linear, mixture, poisson } from "../index.ts"
import { dice } from "../random.ts"
import { lay } from "./lay.ts"
import { firstGuess, type GuessColumn, guessColumns } from "./seeding.ts"

const columns = (d: number): GuessColumn[] =>
  Array.from({ length: d }, (_, place) => ({ place, centre: 0, spread: 1 }))

function blockOf(points: readonly (readonly number[])[], weight = points.map(() => 1)): Block {
  return {
    rows: points.length,
    weight: Float64Array.from(weight),
    cells: (points[0] ?? []).map((_, j) => Float64Array.from(points, point => point[j])),
  }
}

/** The value of each row; −1 if it waits. */
function guess(
  block: Block,
  k: number,
  { label, seed = 1, d = block.cells.length }: { label?: readonly number[]; seed?: number; d?: number } = {},
): number[] {
  const asked = {
    node: { slots: 1, levels: Array.from({ length: k }, (_, l) => l) },
    block,
    weights: { form: "each", values: block.weight } as const,
    label: label && Int32Array.from(label),
    dice: dice(seed),
  }
  const values = firstGuess(asked, columns(d))
  return Array.from({ length: block.rows }, (_, i) =>
    Array.from({ length: k }, (_, l) => l).reduce(
      (found, l) => (values[l * block.rows + i] > 0 ? l : found),
      -1,
    ),
  )
}

const roll = dice(9)
const centres = [
  [-20, 0],
  [0, 20],
  [20, 0],
  [0, -20],
]
const truth = Array.from({ length: 200 }, (_, i) => i % 4)
const clustered = blockOf(truth.map(c => centres[c].map(x => x + roll.normal())))

describe("k-means++", () => {
  test.each([1, 2, 3, 4, 5])("finds separated clusters, seed %d", seed => {
    const found = guess(clustered, 4, { seed })
    const names = new Map(truth.map((c, i) => [c, found[i]]))
    expect(new Set(names.values()).size).toBe(4)
    expect(found).toEqual(truth.map(c => names.get(c)))
  })

  test("tries a few rows for each centre: of nine clusters it misses none, where one row a centre misses some in 16 of 100", () => {
    const roll = dice(9)
    const nine = Array.from({ length: 270 }, (_, i) => i % 9)
    const block = blockOf(
      nine.map(c => [20 * (c % 3) + roll.normal(), 20 * Math.trunc(c / 3) + roll.normal()]),
    )
    const isWhole = (seed: number): boolean => {
      const found = guess(block, 9, { seed })
      return new Set(found.slice(0, 9)).size === 9 && nine.every((c, i) => found[i] === found[c])
    }
    expect(Array.from({ length: 100 }, (_, seed) => seed).filter(isWhole).length).toBeGreaterThan(97)
  })

  test("moves its centres to the means of their rows: a line is cut in two in the middle", () => {
    const line = blockOf(Array.from({ length: 200 }, (_, i) => [i / 10]))
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const found = guess(line, 2, { seed })
      const first = found.filter(value => value === found[0]).length
      expect(Math.abs(first - 100)).toBeLessThan(3)
      expect(found).toEqual(found.map((_, i) => (i < first ? found[0] : 1 - found[0])))
    }
  })

  test("is decided by the seed", () => {
    expect(guess(clustered, 7, { seed: 5 })).toEqual(guess(clustered, 7, { seed: 5 }))
    expect(guess(clustered, 7, { seed: 5 })).not.toEqual(guess(clustered, 7, { seed: 6 }))
  })

  test("leaves labelled rows where they are, and brings the others to them", () => {
    // only clusters 0 and 2 have labels: row 0 is value 3, row 2 is value 1
    const label = truth.map((_, i) => (i === 0 ? 3 : i === 2 ? 1 : -1))
    const found = guess(clustered, 4, { label })
    expect(found[0]).toBe(3)
    expect(found[2]).toBe(1)
    expect(truth.every((c, i) => (c === 0) === (found[i] === 3) && (c === 2) === (found[i] === 1))).toBe(true)
    expect(new Set(found).size).toBe(4)
  })

  test("does not move a label, even a wrong one", () => {
    // row 4 lies in cluster 0, and is said to be of cluster 2
    const label = truth.map((c, i) => (i === 4 ? 2 : i < 12 ? c : -1))
    const found = guess(clustered, 5, { label })
    label.forEach((l, i) => {
      if (l >= 0) expect(found[i]).toBe(l)
    })
    expect(found[16]).toBe(0)
  })

  test("of identical points ends, and gives every row a value", () => {
    const same = blockOf(Array.from({ length: 50 }, () => [1, 1]))
    expect(guess(same, 3).every(value => value >= 0 && value < 3)).toBe(true)
  })

  test("of fewer points than values ends", () => {
    expect(guess(blockOf([[1], [2]]), 5).every(value => value >= 0)).toBe(true)
    expect(guess(blockOf([[1]]), 2)).toEqual([0])
  })

  test("takes a missing cell for the centre of its column", () => {
    const found = guess(blockOf([[-9], [-9], [0], [0], [9], [9], [Number.NaN]]), 3)
    expect(found[6]).toBe(found[2])
    expect(new Set(found).size).toBe(3)
  })

  test("goes by weights: rows of weight 0 are nobody's", () => {
    const block = blockOf([[0], [0], [100], [5], [5]], [1, 1, 0, 1, 1])
    const found = guess(block, 2)
    expect(found[2]).toBe(-1)
    expect(found[0]).toBe(found[1])
    expect(found[3]).toBe(found[4])
    expect(found[0]).not.toBe(found[3])
  })
})

describe("if every value has labelled rows", () => {
  test("the others wait", () => {
    const label = truth.map((c, i) => (i < 4 ? c : -1))
    expect(guess(clustered, 4, { label })).toEqual(label)
  })
})

describe("without numeric columns", () => {
  const blank = blockOf(Array.from({ length: 500 }, () => []))
  const many: Block = { rows: 500, weight: new Float64Array(500).fill(1), cells: [] }
  test("dice give a handful of rows to each value; the rest waits", () => {
    const found = guess(many, 3, { d: 0 })
    for (const value of [0, 1, 2]) expect(found.filter(other => other === value)).toHaveLength(30)
    expect(found.filter(value => value < 0)).toHaveLength(500 - 90)
    expect(guess(blank, 3, { d: 0 })).toEqual(found)
    expect(guess(many, 3, { d: 0, seed: 2 })).not.toEqual(found)
  })

  test("few rows are all given away, and labels stay", () => {
    const few: Block = { rows: 5, weight: new Float64Array(5).fill(1), cells: [] }
    const found = guess(few, 2, { d: 0, label: [1, -1, -1, -1, -1] })
    expect(found[0]).toBe(1)
    expect(found.every(value => value >= 0)).toBe(true)
  })
})

test("each context guesses for its own rows, with its own dice", () => {
  const block = clustered
  const rows = block.rows
  // two contexts: even rows (clusters 0 and 2) and odd rows (1 and 3)
  const weights = new Float64Array(2 * rows)
  for (let i = 0; i < rows; i++) weights[(i % 2) * rows + i] = 1
  const node = { slots: 2, levels: [0, 1] }
  const each = { form: "each", values: weights } as const
  const values = firstGuess({ node, block, weights: each, label: undefined, dice: dice(1) }, columns(2))
  for (let i = 0; i < rows; i++) {
    const p = i % 2
    const mine = [0, 1].map(l => values[(l * 2 + p) * rows + i])
    const others = [0, 1].map(l => values[(l * 2 + 1 - p) * rows + i])
    expect(mine[0] + mine[1]).toBe(1)
    expect(others).toEqual([0, 0])
    // rows of one cluster stay together
    expect(mine[0]).toBe(values[p * rows + (i % 4)])
  }
  const single = { form: "one", slot: Int32Array.from(truth, c => c % 2), weight: block.weight } as const
  const one = firstGuess({ node, block, weights: single, label: undefined, dice: dice(1) }, columns(2))
  expect(one).toEqual(values)
})

test("a switch is guessed by the numbers and counts below it, those that are read too, each in its own unit", () => {
  const columns: Column[] = [
    { kind: "level", name: "y", levels: ["a", "b"] },
    { kind: "number", name: "x", shift: 3, scale: 2, variance: 4 },
    { kind: "count", name: "n", mean: 9 },
    { kind: "count", name: "rare", mean: 0.2 },
    { kind: "number", name: "z", shift: 0, scale: 1, variance: 1 },
    { kind: "number", name: "elsewhere", shift: 0, scale: 1, variance: 1 },
  ]
  const below = independent({ n: poisson(), rare: poisson() }, linear("x", ["z"]))
  const model = independent({ elsewhere: gaussian() }, mixture(2, classes("y", below)))
  const [found] = lay(model as Model, columns).switches
  expect(guessColumns(found).sort((a, b) => a.place - b.place)).toEqual([
    { place: 1, centre: 0, spread: 2 },
    { place: 2, centre: 9, spread: 3 },
    // the spread of a count is at least 1
    { place: 3, centre: 0.2, spread: 1 },
    { place: 4, centre: 0, spread: 1 },
  ])
})
