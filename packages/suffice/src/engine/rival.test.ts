import { expect, test } from "vitest"
import type { Block } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import type { Regime } from "../contract/moving.ts"
import type { Node, Rival } from "../contract/node.ts"
import { categorical, dice, gaussian, independent, mixture } from "../index.ts"
import { contrast } from "./contrast.ts"
import { type Laid, lay, solve } from "./lay.ts"
import { hinge, rivalAmong } from "./rival.ts"

const columns: Column[] = [
  { kind: "level", name: "u", levels: ["a", "b", "c"] },
  { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
  { kind: "number", name: "z", shift: 0, scale: 1, variance: 1 },
]
const die = dice(7)
const rows = 40
const block: Block = {
  rows,
  weight: Float64Array.from({ length: rows }, () => 0.5 + die.uniform()),
  cells: [
    Int32Array.from({ length: rows }, () => die.integer(4) - 1),
    Float64Array.from({ length: rows }, () => (die.uniform() < 0.2 ? NaN : die.normal())),
    Float64Array.from({ length: rows }, () => die.normal()),
  ],
}
const model = independent(
  { z: gaussian() },
  mixture(2, independent({ u: categorical(), x: gaussian() })),
) as Model
const laid = lay(model, columns)
const { params } = solve(
  laid,
  Float64Array.from({ length: laid.statistics }, () => 1 + die.uniform()),
  1,
)

/** Asks the node below for the score of one whole row after the other: no value is ever opened. */
function answering(node: Node, ask: (row: number) => void): Node {
  return {
    ...node,
    open: () => {
      throw new Error("too many values to enumerate")
    },
    joint: {
      rival(some, theta, column, margin): Rival {
        expect(column).toBe("u")
        const cells = new Int32Array(some.rows).fill(-1)
        const shortfall = new Float64Array(some.rows)
        const truth = some.cells[0] as Int32Array
        for (let i = 0; i < some.rows; i++) {
          if (truth[i] < 0) continue
          ask(i)
          const score = (level: number): number => {
            const out = new Float64Array(1)
            const cell = [
              Int32Array.of(level),
              ...some.cells.slice(1).map(held => (held as Float64Array).slice(i, i + 1)),
            ]
            node.up({ rows: 1, weight: Float64Array.of(1), cells: cell }, theta, out)
            return out[0]
          }
          const wrong = [0, 1, 2].filter(level => level !== truth[i]).sort((a, b) => score(b) - score(a))
          cells[i] = wrong[0]
          shortfall[i] = margin - (score(truth[i]) - score(wrong[0]))
        }
        return { cells, shortfall }
      },
    },
  }
}

test("a structure that answers for its rivals takes the step of one whose values are enumerated", () => {
  const regime: Regime = { against: "rival", target: "u", margin: 1 }
  const expected = new Float64Array(laid.statistics)
  const { loss } = contrast(laid, block, params, regime, expected)
  let asked = 0
  const own: Laid = { ...laid, root: answering(laid.root, () => asked++) }
  const stats = new Float64Array(laid.statistics)
  expect(contrast(own, block, params, regime, stats).loss).toBeCloseTo(loss, 12)
  stats.forEach((value, j) => {
    expect(value).toBeCloseTo(expected[j], 12)
  })
  expect(asked).toBeGreaterThan(20)
  expect(stats.some(value => Math.abs(value) > 0.1)).toBe(true)
})

test("a product hands the question to the part that has the column", () => {
  const rival: Rival = { cells: new Int32Array(0), shortfall: new Float64Array(0) }
  const inner = {
    ...(model as Model),
    lay: (...plan: Parameters<Model["lay"]>) => ({ ...model.lay(...plan), joint: { rival: () => rival } }),
  }
  const outer = lay(independent(inner as never, { y: gaussian() }) as Model, [
    ...columns,
    { ...columns[1], name: "y" } as Column,
  ])
  expect(outer.root.joint!.rival!(block, params, "u", 1)).toBe(rival)
  expect(outer.root.joint!.rival!(block, params, "y", 1)).toBeUndefined()
  expect(laid.root.joint!.rival!(block, params, "u", 1)).toBeUndefined()
})

test("the rival is the best of the others; rows without a label, or without another level, have none", () => {
  const scores = Float64Array.of(1, 5, 2, 3, 4, 2, 2, 6, 2)
  const { cells, shortfall } = rivalAmong(scores, 3, Int32Array.of(0, 2, -1), 1.5)
  expect([...cells]).toEqual([1, 0, -1])
  expect([...shortfall]).toEqual([1.5 - (1 - 3), 1.5 - (6 - 5), 0])
  expect([...rivalAmong(Float64Array.of(4), 1, Int32Array.of(0), 1).cells]).toEqual([-1])
})

test("rows past the margin take no part, and rows of weight 0 lose nothing", () => {
  const { loss, active, against } = hinge(Float64Array.of(0.5, -1, 0, NaN, 2), Float64Array.of(2, 3, 4, 5, 0))
  expect(loss).toBe(1)
  expect([...active]).toEqual([2, 0, 0, 0, 0])
  expect([...against].map(w => w + 0)).toEqual([-2, 0, 0, 0, 0])
})
