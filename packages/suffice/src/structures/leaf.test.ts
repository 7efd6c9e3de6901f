import { expect, test } from "vitest"
import type { Column } from "../contract/columns.ts"
import type { Family } from "../contract/family.ts"
import type { Leaf } from "../contract/leaf.ts"
import { lay, solve } from "../engine/lay.ts"
import { categorical } from "../families/categorical.ts"
import { leafModel } from "./leaf.ts"
import { normal } from "./normal.ts"

const columns: Column[] = [
  { kind: "level", name: "u", levels: ["a", "b", "c"] },
  { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
  { kind: "number", name: "y", shift: 0, scale: 1, variance: 1 },
  { kind: "level", name: "empty", levels: [] },
]

test("opening a column scores every level in turn, whatever the row says, and changes no cell", () => {
  const laid = lay(leafModel(categorical(), ["u"]), columns)
  const { params } = solve(laid, Float64Array.of(1, 2, 5), 0)
  const codes = Int32Array.of(2, -1)
  const block = { rows: 2, weight: Float64Array.of(1, 1), cells: [codes] }
  const out = new Float64Array(6)
  laid.root.open(block, params, "u", out)
  const [a, b, c] = [1 / 8, 2 / 8, 5 / 8].map(p => expect.closeTo(Math.log(p), 14))
  expect([...out]).toEqual([a, a, b, b, c, c])
  expect([...codes]).toEqual([2, -1])
})

test("a leaf of several columns is described under all their names", () => {
  const laid = lay(normal(["x", "y"]), columns)
  const { params } = solve(laid, new Float64Array(laid.statistics), 0)
  expect(Object.keys(laid.root.describe(params, 0))).toEqual(["x, y"])
})

test("a column without levels has no free parameters, not fewer than none", () => {
  expect(lay(leafModel(categorical(), ["empty"]), columns).free).toBe(0)
})

test("a family is bound to its columns and their places, and gets its own part of every array", () => {
  const bound: unknown[] = []
  const touched: number[] = []
  const leaf = {
    shape: { slots: 1, statistics: 2, parameters: 3, free: 1 },
    prior: (stats: Float64Array) => touched.push(stats.length),
    solve: (stats: Float64Array, _strength: number, params: Float64Array) =>
      touched.push(stats.length, params.length),
  } as unknown as Leaf
  const family: Family = {
    name: "spy",
    options: {},
    need: { kind: "number", scale: "own" },
    measure: "density",
    bind: (...args) => {
      bound.push(args)
      return leaf
    },
  }
  const laid = lay(leafModel(family, ["y", "x"]), columns)
  expect(bound).toEqual([[[columns[2], columns[1]], [2, 1], 1]])
  expect(laid).toMatchObject({ statistics: 2, parameters: 3, free: 1 })
  const [{ leaf: own, ranges }] = laid.parts
  own.prior(ranges.statsOf(new Float64Array(10)))
  own.solve(ranges.statsOf(new Float64Array(10)), 0, ranges.paramsOf(new Float64Array(10)))
  expect(touched).toEqual([2, 2, 3])
})
