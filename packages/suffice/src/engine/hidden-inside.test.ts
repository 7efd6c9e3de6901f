import { describe, expect, test } from "vitest"
import type { Block } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { classes, dice, em, fit, independent } from "../index.ts"
import { lay, solve } from "./lay.ts"
import { learnable } from "./learnable.ts"
import { latentMass } from "./parts.ts"
import { hiddenPair } from "./testing/hidden-pair.ts"

const die = dice(5)
const numbers = Array.from({ length: 300 }, (_, i) => (i % 2 ? 6 : -6) + die.normal())

describe("what hides inside a leaf", () => {
  const meansOf = async (starts: boolean): Promise<number[]> => {
    const model = independent({ x: hiddenPair(starts) })
    const fitted = await fit(
      model,
      numbers.map(x => ({ x })),
      { learner: em(), seed: 3 },
    )
    const { means } = fitted.describe().x as unknown as { means: number[] }
    return means.sort((a, b) => a - b)
  }

  test("begins with guesses that differ, and EM tells its values apart", async () => {
    const [low, high] = await meansOf(true)
    // held units: two bumps at one standard deviation of all rows
    expect(high - low).toBeGreaterThan(1.5)
  })

  test("stays where all are equal without them", async () => {
    const [low, high] = await meansOf(false)
    expect(high).toBe(low)
  })
})

test("a value that lost its rows begins anew at the row that is explained worst, in its own slot", async () => {
  const columns: Column[] = [
    { kind: "level", name: "y", levels: ["a", "b"] },
    { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
  ]
  const laid = lay(classes("y", independent({ x: hiddenPair(true) })) as Model, columns)
  const block: Block = {
    rows: 6,
    weight: new Float64Array(6).fill(1),
    cells: [Int32Array.of(0, 0, 0, 1, 1, 1), Float64Array.of(0.1, -0.1, 9, 0.2, -0.3, -50)],
  }
  const table = { rows: 6, weight: 6, certain: false, chunks: () => [[block]] }
  const problem = learnable(laid, table, undefined, dice(1))
  const [label, part] = laid.parts
  const stats = new Float64Array(laid.statistics)
  label.ranges.statsOf(stats).set([3, 3])
  // at (value·2 + slot)·2: value 1 of slot 0 holds nothing
  part.ranges.statsOf(stats).set([3, 0, 1, 0, 0, 0, 2, 0])
  expect([...latentMass(part, stats)]).toEqual([3, 1, 0, 2])
  expect(problem.start.starved(stats).count).toBe(1)
  const { params } = solve(laid, stats, 1)
  const fresh = (await problem.start.reseed(stats, params, dice(2)))!
  // the row at 9: that at −50 belongs to the other slot
  expect([...part.ranges.statsOf(fresh)]).toEqual([3, 0, 1, 0, 1, 9, 2, 0])
  expect(problem.start.starved(fresh).count).toBe(0)
})
