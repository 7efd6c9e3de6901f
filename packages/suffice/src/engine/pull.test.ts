import { expect, test } from "vitest"
import type { Column, Need } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import type { Part } from "../contract/part.ts"
import { categorical, classes, dice, gaussian, independent, mixture, multinomial, poisson } from "../index.ts"
import { simplexMass } from "../kernels/simplex.ts"
import { lay, priorOf, solve, spreadOf } from "./lay.ts"
import { pulling } from "./pull.ts"

type BagNeed = Extract<Need, { kind: "bag" }>
const columns: Column[] = [
  { kind: "level", name: "y", levels: ["a", "b", "c"] },
  { kind: "level", name: "u", levels: ["m", "n"] },
  { kind: "count", name: "n", mean: 3 },
  { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
  { kind: "bag", name: "t", words: ["sun", "rain", "snow"], text: (multinomial().need as BagNeed).text },
]
const body = () => independent({ u: categorical(), n: poisson(), x: gaussian(), t: multinomial() })
const models: Record<string, Model> = {
  classes: classes("y", body(), { prior: 1 }) as Model,
  "a mixture in classes": classes("y", mixture(2, body())) as Model,
}

test.each(Object.entries(models))("the prior pulls at shapes and moves no mass: %s", (_name, model) => {
  const laid = lay(model, columns)
  const prior = priorOf(laid)
  const die = dice(4)
  // anything but what the prior itself would have
  const stats = prior.map(alpha => alpha * (0.2 + die.gamma(1)))
  const pull = pulling(laid, laid.parts, prior, spreadOf(laid, stats), solve(laid, stats, 0).params, stats)()
  let moved = 0
  laid.root.descend(pull, Float64Array.of(0), (part, mass) => {
    mass!.forEach((brought, p) => {
      // what one value gains others lose, and below each comes along what it gained
      expect(massOf(part, pull, p)).toBeCloseTo(part.leaf.shape.lengthGiven ? 0 : brought, 12)
      if (part.role !== "leaf") moved += Math.abs(pull[part.ranges.statsAt + p])
    })
  })
  expect(moved).toBeGreaterThan(0.01)
})

/** Of a slot; of words, all their counts. */
function massOf({ leaf, ranges }: Part, whole: Float64Array, slot: number): number {
  const stats = ranges.statsOf(whole)
  const { statistics, slots } = leaf.shape
  if (!leaf.shape.lengthGiven) return leaf.mass(stats, slot)
  return simplexMass(stats, slots, statistics / slots - 1, slot)
}
