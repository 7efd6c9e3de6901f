import { expect, test } from "vitest"
import { solvedOf } from "../answers/predictor.ts"
import { gaussian } from "../families/gaussian.ts"
import { fit } from "../fit/fit.ts"
import { independent, logNormal, mixture } from "../index.ts"
import { dice } from "../random.ts"
import { cellChances } from "./cell-chances.ts"

const roll = dice(2)
const ratings = Array.from({ length: 300 }, () => {
  const rating = 1 + roll.integer(5)
  return { rating, x: rating + roll.normal() }
})
const VALUES = [1, 2, 3, 4, 5]

test.each([
  ["normals", independent({ rating: gaussian(), x: gaussian() })],
  ["log-normals", independent({ rating: logNormal(), x: gaussian() })],
])("narrow %s on the points of a lattice have no more mass than all of it", async (_, body) => {
  const fitted = await fit(mixture(5, body), ratings)
  const question = { x: [0.5, 3, 9] }
  const total = new Float64Array(3)
  const dense = new Float64Array(3)
  const rest = fitted.logDensity(question as never)
  for (const value of VALUES) {
    const rating = [value, value, value]
    const chances = cellChances(solvedOf(fitted as never), question as never, "rating", rating, 1)
    const together = fitted.logDensity({ ...question, rating } as never)
    for (let i = 0; i < 3; i++) {
      total[i] += chances[i]
      dense[i] += Math.exp(together[i] - rest[i])
    }
  }
  // what the sum of density · step would be: the test is about something
  expect(Math.max(...dense)).toBeGreaterThan(1.2)
  for (const sum of total) {
    expect(sum).toBeLessThanOrEqual(1 + 1e-12)
  }
})

test("it is the integral of the density over the cell", async () => {
  const fitted = await fit(mixture(2, independent({ rating: gaussian(), x: gaussian() })), ratings)
  const [chance] = cellChances(solvedOf(fitted as never), { x: [2.5] } as never, "rating", [3], 1)
  const n = 2000
  const rating = Array.from({ length: n }, (_, i) => 2.5 + (i + 0.5) / n)
  const x = rating.map(() => 2.5)
  const together = fitted.logDensity({ rating, x })
  const [rest] = fitted.logDensity({ x: [2.5] } as never)
  const integral = together.reduce((sum, log) => sum + Math.exp(log - rest), 0) / n
  expect(chance).toBeCloseTo(integral, 6)
})
