import { expect, test } from "vitest"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { type Laid, lay, logPrior, solve, spreadOf, value, withPrior } from "./lay.ts"

const text = (prior: number) => multinomial({ prior })
const columns: Column[] = [
  { kind: "level", name: "y", levels: ["a", "b", "c"] },
  { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
  { kind: "bag", name: "text", words: ["sun", "moon", "rain", "wind"], text: { lowercase: true } },
  { kind: "number", name: "z", shift: 0, scale: 1, variance: 1 },
]
const laids = [
  independent({ x: gaussian(), text: text(0.3), z: gaussian() }),
  independent({ x: gaussian(), text: text(0.3) }),
  independent({ text: text(0) }),
].map(body => lay(classes("y", body) as Model, columns))

const someStats = (laid: Laid): Float64Array => {
  const random = dice(5)
  return Float64Array.from({ length: laid.statistics }, () =>
    random.uniform() < 0.5 ? random.integer(4) : random.uniform(),
  )
}

test("θ(stats + strength·α) is that of the sum, to the bit, whichever parts add for themselves", () => {
  for (const laid of laids) {
    const stats = someStats(laid)
    const spread = spreadOf(laid, stats)
    for (const strength of [0, 0.1, 1, 7]) {
      const { params, clamped } = solve(laid, withPrior(laid, stats, strength, spread), 0, spread)
      expect(solve(laid, stats, strength)).toEqual({ params, clamped })
      expect(solve(laid, stats, strength, spread)).toEqual({ params, clamped })
    }
  }
})

test("the value of the prior is that of its pseudo-rows around the means of θ", () => {
  for (const laid of laids) {
    const stats = someStats(laid)
    const spread = spreadOf(laid, stats)
    const { params } = solve(laid, stats, 1, spread)
    const moments = new Float64Array(laid.statistics)
    laid.root.moments(params, Float64Array.of(1), moments)
    const prior = withPrior(laid, moments, 1, spread).map((both, j) => both - moments[j])
    expect(logPrior(laid, params, spread)).toBeCloseTo(value(laid, prior, params), 10)
  }
})
