import { expect, test } from "vitest"
import { solvedOf } from "../answers/predictor.ts"
import { classes, fit, gaussian, independent } from "../index.ts"
import { withGuesses } from "./grown.ts"

test("a spread that classes share begins with the rows of a new class, or it would be negative", async () => {
  const rows = [0, 1, 10, 11, 40, 42].map((x, i) => ({ y: "abc"[Math.trunc(i / 2)], x }))
  const fitted = await fit(classes("y", independent({ x: gaussian({ variance: "tied" }) })), rows)
  const { laid, stats } = solvedOf(fitted).known
  const part = laid.parts.find(({ role }) => role === "leaf")!
  const [base, guess] = [new Float64Array(stats.length), new Float64Array(stats.length)]
  // n and Σx of each class, then Σx² of all: the last class is new
  const own = part.ranges.statsOf(stats)
  const square = (sum: number, n: number): number => (sum * sum) / n
  for (let p = 0; p < 3; p++)
    for (const j of [0, 1]) (p < 2 ? base : guess)[part.ranges.statsAt + 2 * p + j] = own[2 * p + j]
  base[part.ranges.statsAt + 6] = square(own[1], own[0]) + square(own[3], own[2]) + 1
  guess[part.ranges.statsAt + 6] = square(own[5], own[4]) + 2
  const start = part.ranges.statsOf(withGuesses(laid, base, guess))
  const within = [0, 1, 2].reduce((left, p) => left - square(start[2 * p + 1], start[2 * p]), start[6])
  expect(within).toBeCloseTo(3, 9)
})
