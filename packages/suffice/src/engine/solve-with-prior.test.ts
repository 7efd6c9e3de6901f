import { expect, test } from "vitest"
import type { Column, Model } from "../contract.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { lay, priorOf, solve, withPrior } from "./lay.ts"
import { solveWithPrior } from "./solve-with-prior.ts"

test("θ(stats + strength·α) is that of the sum, to the bit, whichever parts add for themselves", () => {
  const body = independent({ x: gaussian(), text: multinomial({ prior: 0.3 }), z: gaussian() })
  const columns: Column[] = [
    { kind: "level", name: "y", levels: ["a", "b", "c"] },
    { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
    { kind: "bag", name: "text", words: ["sun", "moon", "rain", "wind"], text: { lowercase: true } },
    { kind: "number", name: "z", shift: 0, scale: 1, variance: 1 },
  ]
  const laid = lay(classes("y", body) as Model, columns)
  const random = dice(5)
  const stats = Float64Array.from({ length: laid.statistics }, () =>
    random.uniform() < 0.5 ? random.integer(4) : random.uniform(),
  )
  const prior = priorOf(laid)
  for (const strength of [0, 0.1, 1, 7]) {
    expect(solveWithPrior(laid, stats, prior, strength)).toEqual(
      solve(laid, withPrior(stats, prior, strength)),
    )
  }
})
