import { describe, expect, test } from "vitest"
import type { Block, Chunk } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { gaussian } from "../families/gaussian.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { lay } from "./lay.ts"
import { learnable } from "./learnable.ts"

const columns: Column[] = [
  { kind: "level", name: "y", levels: ["a", "b"] },
  { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
]
const block: Block = {
  rows: 6,
  weight: new Float64Array(6).fill(1),
  cells: [Int32Array.of(0, 0, 0, 0, 0, 0), Float64Array.of(-2, -2.1, -1.9, 2, 2.1, 1.9)],
}
const scaled = (factor: number): Block => ({ ...block, weight: block.weight.map(w => w * factor) })
const problemOf = (model: unknown, certain = false, block_ = block) => {
  const laid = lay(model as Model, columns)
  const chunks: Chunk[] = [[block_]]
  const weight = block_.weight.reduce((sum, w) => sum + w, 0)
  return learnable(laid, { rows: block_.rows, weight, certain, chunks: () => chunks }, undefined, dice(1))
}
const x = independent({ x: gaussian() })

describe("a learnable problem", () => {
  test("starts from nothing where nothing is hidden, and from guesses where something is", async () => {
    expect([...(await problemOf(classes("y", x), true).start.guess(dice(1)))].every(stat => stat === 0)).toBe(
      true,
    )
    const stats = await problemOf(mixture(2, x)).start.guess(dice(1))
    // two clusters of three rows
    expect([...stats.slice(0, 2)]).toEqual([3, 3])
    expect(Math.abs(stats[3])).toBeCloseTo(6, 10)
  })

  test("adopts a description as statistics of total mass 1", () => {
    const stats = problemOf(mixture(2, x)).start.adopt({
      "mixture(x)": {
        probabilities: { 0: 0.25, 1: 0.75 },
        given: { 0: { x: { mean: 1, sd: 2 } }, 1: { x: { mean: 0, sd: 1 } } },
      },
    })
    expect([...stats]).toEqual([0.25, 0.75, 0.25, 0.25, 1.25, 0.75, 0, 0.75])
  })

  test.each([1, 1e-3, 1e3])("a component starves below one row, whatever a row weighs (%d)", async weight => {
    const problem = problemOf(mixture(2, x), false, scaled(weight))
    const stats = new Float64Array(8)
    stats.set([6 * weight, 0])
    expect(problem.start.starved(stats)).toEqual({
      count: 1,
      diagnostics: [
        {
          code: "starved-component",
          message: "1 component holds less than one row. Fewer components may be enough.",
        },
      ],
    })
    stats.set([5 * weight, 1 * weight])
    expect(problem.start.starved(stats).count).toBe(0)
  })

  test("a starved component is put on the row that is explained worst, with the weight of one row", async () => {
    const problem = problemOf(mixture(2, x), false, scaled(0.5))
    // component 0 holds everything around −2, component 1 nothing
    const stats = Float64Array.of(3, 0, 3, -6, 3 * 4.1, 0, 0, 0)
    const { params } = problem.theta.solve(stats, 0)
    const fresh = (await problem.start.reseed(stats, params, dice(1)))!
    expect([...fresh.slice(0, 2)]).toEqual([3, 0.5])
    expect([...fresh.slice(5)]).toEqual([0.5, 0.5 * 2.1, expect.closeTo(0.5 * 2.1 * 2.1, 12)])
    expect([...stats.slice(0, 2)]).toEqual([3, 0])
  })

  test("where no row is left to put it on, nothing is reseeded", async () => {
    // all rows are of class a; the mixture of class b starves for good
    const problem = problemOf(classes("y", mixture(2, x)))
    const start = await problem.start.guess(dice(1))
    const { params } = problem.theta.solve(
      start.map((stat, j) => stat + problem.theta.prior[j]),
      0,
    )
    const { stats } = await problem.data.sweep(params)
    expect(problem.start.starved(stats).count).toBe(2)
    expect(await problem.start.reseed(stats, params, dice(1))).toBeUndefined()
  })
})
