/** Problems that are easy stay easy with every default: few rows of many narrow classes, a class far away, a cell mistyped. */
import { describe, expect, test } from "vitest"
import { classes, dice, fit, gaussian, independent, type Learner, mixture, normal } from "../index.ts"
import { sdem } from "../learn.ts"
import { evaluate } from "../measure.ts"

interface Plain {
  readonly y: string | null
  readonly x: number
  readonly z: number
}

/** Class k at k, a tenth wide, and a column of noise. */
function narrow(classes: number, rows: number, seed: number): Plain[] {
  const random = dice(seed)
  return Array.from({ length: classes * rows }, (_, i) => ({
    y: `class ${i % classes}`,
    x: (i % classes) + 0.1 * random.normal(),
    z: random.normal(),
  }))
}

/** Two classes, one of them narrow: 90.3 % is what can be had. */
function two(rows: number, seed: number): Plain[] {
  const random = dice(seed)
  return Array.from({ length: rows }, (_, i) => ({
    y: `class ${i % 2}`,
    x: i % 2 ? 1.5 + random.normal() : 0.3 * random.normal(),
    z: random.normal(),
  }))
}

const far = [-10, 0, 10].map(gap => ({ y: "class 2", x: 1e4 + gap, z: 0 }))
const mistyped = two(1000, 3).map((row, i) => (i === 1 ? { ...row, x: 1e5 } : row))

const problems: [string, readonly Plain[], readonly Plain[], number][] = [
  ["10 classes × 2 rows", narrow(10, 2, 1), narrow(10, 200, 2), 0.95],
  ["10 classes × 5 rows", narrow(10, 5, 1), narrow(10, 200, 2), 0.99],
  ["100 classes × 20 rows", narrow(100, 20, 1), narrow(100, 20, 2), 0.99],
  ["a third class far away", [...two(1000, 3), ...far], two(4000, 4), 0.89],
  ["a cell mistyped", mistyped, two(4000, 4), 0.78],
]

const models = {
  "naive Bayes": classes("y", independent({ x: gaussian(), z: gaussian() })),
  "quadratic discriminant analysis": classes("y", normal(["x", "z"])),
  "diagonal discriminant analysis": classes("y", normal(["x", "z"], { covariance: "diag" })),
}

const accuracyOf = async (
  model: (typeof models)[keyof typeof models],
  train: readonly Plain[],
  asked: readonly Plain[],
  learner?: Learner,
): Promise<number> => evaluate(await fit(model, train, learner && { learner }), asked).accuracy

describe.each(problems)("%s", (_, train, asked, least) => {
  test.each(Object.entries(models))("%s by counting", async (_, model) => {
    expect(await accuracyOf(model, train, asked)).toBeGreaterThanOrEqual(least)
  })

  test("naive Bayes by sdEM", async () => {
    expect(await accuracyOf(models["naive Bayes"], train, asked, sdem())).toBeGreaterThanOrEqual(least)
  })
})

test("classes of one covariance are told apart as well, where no cell is mistyped", async () => {
  const tied = classes("y", normal(["x", "z"], { covariance: "tied" }))
  for (const [, train, asked, least] of problems.slice(0, 3)) {
    expect(evaluate(await fit(tied, train), asked).accuracy).toBeGreaterThanOrEqual(least)
  }
  const [, train, asked] = problems[3]
  const clean = evaluate(await fit(tied, two(1000, 3)), asked).accuracy
  expect(evaluate(await fit(tied, train), asked).accuracy).toBeGreaterThan(clean - 0.005)
})

test("where every label is missing, narrow clusters are found as well", async () => {
  const rows = narrow(4, 100, 1)
  const fitted = await fit(mixture(4, independent({ x: gaussian() })), rows, { seed: 3 })
  const [{ given }] = Object.values(fitted.describe()) as unknown as [
    { given: Record<string, { x: { mean: number; sd: number } }> },
  ]
  const found = Object.values(given).map(({ x }) => x)
  const sorted = found.sort((a, b) => a.mean - b.mean)
  sorted.forEach(({ mean, sd }, k) => {
    expect(mean).toBeCloseTo(k, 1)
    expect(sd).toBeLessThan(0.13)
  })
})
