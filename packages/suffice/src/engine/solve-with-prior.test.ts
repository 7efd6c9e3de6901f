import { expect, test } from "vitest"
import type { Column, Model } from "../contract.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { lay, priorOf, solve, value, withPrior } from "./lay.ts"
import { priorOfOthers, solveWithPrior, valueOfPrior } from "./solve-with-prior.ts"

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

test("θ(stats + strength·α) is that of the sum, to the bit, whichever parts add for themselves", () => {
  for (const laid of laids) {
    const random = dice(5)
    const stats = Float64Array.from({ length: laid.statistics }, () =>
      random.uniform() < 0.5 ? random.integer(4) : random.uniform(),
    )
    const prior = priorOf(laid)
    for (const strength of [0, 0.1, 1, 7]) {
      const { params, held } = solve(laid, withPrior(stats, prior, strength))
      for (const some of [prior, priorOfOthers(laid)]) {
        expect(solveWithPrior(laid, stats, some, strength)).toEqual({ params, held })
        if (strength > 0) expect(valueOfPrior(laid, some, params)).toBe(value(laid, prior, params))
      }
    }
  }
})

test("words have no prior in an array: where they stand last, it ends before them", () => {
  const words = laids[2].parts.find(({ part }) => part === "leaf")!.statistics
  expect(words).toBe(15)
  const [between, ...last] = laids.map(({ statistics }) => statistics)
  expect(laids.map(laid => priorOfOthers(laid).length)).toEqual([between, ...last.map(all => all - words)])
})
