import { describe, expect, test } from "vitest"
import type { Block, Weights } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Regime } from "../contract/moving.ts"
import { dice } from "../index.ts"
import { contrast } from "./contrast.ts"
import { guarding } from "./guard.ts"
import { lay, solve, value } from "./lay.ts"
import { Masses, ownMass } from "./masses.ts"
import { moving } from "./moving.ts"
import { twoParents } from "./testing/two-parents.ts"

const columns: Column[] = [
  { kind: "level", name: "a", levels: ["p", "q"] },
  { kind: "level", name: "b", levels: ["u", "v", "w"] },
  { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
]
const laid = lay(twoParents, columns)
const [a, b, x] = laid.parts

/** Cells are missing here and there. */
function someRows(rows: number, seed: number): Block {
  const die = dice(seed)
  const cells = [new Int32Array(rows), new Int32Array(rows), new Float64Array(rows)] as const
  for (let i = 0; i < rows; i++) {
    const [l, m] = [die.integer(2), die.integer(3)]
    cells[0][i] = die.uniform() < 0.1 ? -1 : l
    cells[1][i] = die.uniform() < 0.2 ? -1 : m
    cells[2][i] = die.uniform() < 0.3 ? NaN : 2 * l - m + die.normal()
  }
  return { rows, weight: Float64Array.from({ length: rows }, () => 0.5 + die.uniform()), cells }
}

/** Moments of whole rows. */
function someMoments(): Float64Array {
  const die = dice(3)
  const params = solve(
    laid,
    Float64Array.from({ length: laid.statistics }, (_, j) => 1 + die.uniform() + (j % 3 === 2 ? 9 : 0)),
    1,
  ).params
  const eta = new Float64Array(laid.statistics)
  laid.root.moments(params, Float64Array.of(1), eta)
  return eta
}

describe("below two parents, whose values no part counts together", () => {
  const block = someRows(60, 1)
  const regimes: Regime[] = [
    { against: "nothing" },
    { against: "hidden", target: "a" },
    { against: "hidden", target: "x" },
    { against: "rival", target: "b", margin: 2 },
  ]

  test.each(regimes)("the completed direction is minus the gradient of the loss: %j", regime => {
    const eta = someMoments()
    const delta = new Float64Array(laid.statistics)
    contrast(laid, block, solve(laid, eta, 0).params, regime, delta)
    for (let direction = 0; direction < 4; direction++) {
      const step = dice(direction)
      const other = eta.map(stat => stat * (1 + 0.02 * step.normal()))
      const theta = (t: number): Float64Array =>
        solve(
          laid,
          eta.map((stat, j) => stat + t * (other[j] - stat)),
          0,
        ).params
      const h = 1e-5
      const slopeOf = (of: (params: Float64Array) => number): number =>
        (of(theta(h)) - of(theta(-h))) / (2 * h)
      const slope = slopeOf(
        params => contrast(laid, block, params, regime, new Float64Array(laid.statistics)).loss,
      )
      expect(-slopeOf(params => value(laid, delta, params))).toBeCloseTo(slope, 4)
    }
  })

  test("what came to the parents came to the child", () => {
    const delta = new Float64Array(laid.statistics)
    const { weight } = contrast(laid, block, solve(laid, someMoments(), 0).params, regimes[0], delta)
    const delivered = ownMass(x, delta)
    const rows = [0, 1].map(l => delivered.subarray(3 * l, 3 * l + 3).reduce((sum, n) => sum + n, 0))
    rows.forEach((sum, l) => {
      expect(sum).toBeCloseTo(a.ranges.statsOf(delta)[l], 10)
    })
    expect(rows[0] + rows[1]).toBeCloseTo(weight, 10)
    expect(b.leaf.mass(b.ranges.statsOf(delta), 0)).toBeCloseTo(weight, 10)
  })

  test("a step that leaves the domain is shortened, and the child keeps the mass that came", () => {
    const eta = someMoments()
    const far = eta.slice()
    x.ranges.statsOf(far)[0] += 0.01
    x.ranges.statsOf(far)[2] = -1 // Σx² of slot 0
    const wanted = ownMass(x, far)
    const spread = new Float64Array(laid.spreads).fill(1)
    expect(guarding(laid, laid.parts, eta, far, eta, spread)(100)).toBe(1)
    expect(solve(laid, far, 0, spread).clamped).toBe(0)
    wanted.forEach((mass, p) => {
      expect(x.leaf.mass(x.ranges.statsOf(far), p)).toBeCloseTo(mass, 12)
    })
  })

  test("steps go downhill, and masses move as rows come", () => {
    const counts = someMoments().map(moment => moment * 60)
    for (const regime of regimes) {
      const generative = regime.against === "nothing" ? 1 : 0
      const prior = new Float64Array(laid.statistics)
      for (const { leaf, ranges } of laid.parts) leaf.prior(ranges.statsOf(prior), 1)
      const moments = moving(laid, { prior, weight: 60 }, counts, { regime, generative, prior: 0.1 })
      const before = moments.judge()(block)
      for (let step = 0; step < 40; step++) moments.step(block, 0.05, undefined)
      expect(moments.judge()(block)).toBeLessThan(before)
      const eta = moments.state().moments
      // rows with the target seen and hidden weigh the same; and each row has one value of each parent
      const total = ownMass(x, eta).reduce((sum, n) => sum + n, 0)
      expect(total).toBeCloseTo(a.leaf.mass(a.ranges.statsOf(eta), 0), 6)
      for (let p = 0; p < x.leaf.shape.slots; p++) expect(x.leaf.inside(x.ranges.statsOf(eta), p)).toBe(true)
    }
  })
})

test("masses are the weights that were delivered, in either form, and leaves side by side share the sums", () => {
  const masses = new Masses([x])
  const each: Weights = { form: "each", values: Float64Array.from({ length: 30 }, (_, at) => at) }
  masses.add(x, each, 5)
  masses.add(x, each, 5)
  masses.add(a, each, 5) // nobody asks
  expect([...masses.of(x)!]).toEqual([20, 70, 120, 170, 220, 270])
  masses.clear()
  const slot = Int32Array.of(5, 0, 5)
  masses.add(x, { form: "one", slot, weight: Float64Array.of(1, -2, 0.5) }, 3)
  expect([...masses.of(x)!]).toEqual([-2, 0, 0, 0, 0, 1.5])
})
