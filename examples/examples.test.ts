/** Every example is run; what it measured is held against what the lectures state, within sampling error. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, test, vi } from "vitest"

type Result = Record<string, { stated: number | string; measured: number | string }>

const here = new URL(".", import.meta.url)
const names = readdirSync(here)
  .filter(name => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map(name => name.replace(".ts", ""))
const readme = readFileSync(new URL("README.md", here), "utf8")

/** What an example exports as its result; what it prints is swallowed, but it must print. */
async function run(name: string): Promise<Result> {
  const printed = [vi.spyOn(console, "log"), vi.spyOn(console, "table")]
  for (const spy of printed) spy.mockImplementation(() => undefined)
  const { result } = (await import(/* @vite-ignore */ new URL(`${name}.ts`, here).href)) as { result: Result }
  for (const spy of printed) spy.mockRestore()
  return result
}

/** How far each quantity may be from what is stated. Standard errors are times four. */
const CHECKS: Record<string, (result: Result) => void> = {
  // standard deviations over 200 other seeds
  "half-lives": result => {
    near(result, "share of the short", 4 * 0.026)
    near(result, "mean of the short", 4 * 0.068)
    near(result, "sd of the short", 4 * 0.052)
    near(result, "mean of the long", 4 * 0.128)
    near(result, "sd of the long", 4 * 0.09)
    same(result, "steps on which the objective fell")
    expect(measured(result, "log-likelihood above that of the truth")).toBeGreaterThan(0)
    // twice this is χ² with five degrees of freedom: above 25.7 once in ten thousand
    expect(measured(result, "log-likelihood above that of the truth")).toBeLessThan(12.9)
  },
  // standard deviations over 60 other seeds
  "string-patterns": result => {
    same(result, "first pattern")
    same(result, "second pattern")
    near(result, "share of the first", 4 * 0.021)
    near(result, "p(own letter) in the first", 4 * 0.009)
    near(result, "strings sorted as drawn, beside the truth's own", 4 * 0.0055)
  },
  "soft-k-means": result => {
    near(result, "largest gap of an E-step to the formula", 1e-12)
    near(result, "largest gap of an M-step to the formula", 1e-12)
    near(result, "farthest centre from the truth", 4 * Math.sqrt(2 / 300))
  },
  spam: result => {
    near(result, "chance of 'free' in a spam mail", 1e-12)
    near(result, "chance of 'free' as a word of spam", 1e-12)
    expect(measured(result, "accuracy of wordSet, beside always 'ham'")).toBeGreaterThan(0.92)
    expect(measured(result, "accuracy of multinomial, beside always 'ham'")).toBeGreaterThan(0.95)
  },
  "gaussian-discriminant": result => {
    for (const name of Object.keys(result)) near(result, name, 1e-10)
  },
  "infinite-log-loss": result => {
    near(result, "ML: samples with an infinite log-loss", 4 * Math.sqrt((0.349 * 0.651) / 1000))
    expect(measured(result, "ML: log-loss of a tail after ten heads")).toBe(Number.POSITIVE_INFINITY)
    near(result, "add-one: log-loss of a tail after ten heads", 1e-12)
    expect(stated(result, "add-one: log-loss of a tail after ten heads")).toBeCloseTo(Math.log(12), 12)
    near(result, "add-one: mean expected log-loss", 1e-12)
  },
  consistency: result => {
    for (const m of [10, 100, 1000, 10_000]) {
      const spread = Math.sqrt(((1 - 2 / Math.PI) * 0.3 * 0.7) / m / 200) // of the mean of 200 |normal|
      near(result, `m = ${m}: mean error`, 4 * spread)
      const bound = Math.sqrt(Math.log(2 / 0.05) / (2 * m)).toFixed(4)
      expect(measured(result, `m = ${m}: error above ${bound}`)).toBeLessThanOrEqual(0.05)
    }
  },
  "counting-as-gradient": result => {
    for (const name of Object.keys(result)) near(result, name, 1e-15)
  },
  // 103 test rows, of which some two are wrong
  holes: result => {
    const error = 4 * Math.sqrt((0.02 * 0.98) / 103)
    near(result, "accuracy with cells cut, beside none cut", error)
    near(result, "accuracy with half of the labels, beside all", error)
    const rmse = measured(result, "imputation RMSE in sd, beside the column's mean")
    expect(rmse).toBeLessThan(0.6 * stated(result, "imputation RMSE in sd, beside the column's mean"))
    near(result, "imputation RMSE in sd, beside what the model expects", 0.2 * rmse)
  },
  // standard deviations over 20 seeds, by bench/studies/toy.md
  "toy-of-the-slides": result => {
    near(result, "ML, beside the optimum of its loss", 4 * 0.0025)
    near(result, "conditional likelihood, beside the optimum of its loss", 4 * 0.0027)
    near(result, "hinge, beside the optimum of its loss", 4 * 0.0007)
    for (const [quantity, { measured }] of Object.entries(result)) {
      if (quantity.includes("two normals")) expect(measured, quantity).toBeGreaterThan(0.975)
    }
  },
  "topics-of-differences": result => {
    near(result, "accuracy of topics that describe, beside chance", 4 * Math.sqrt(0.25 / 400))
    expect(measured(result, "accuracy of topics that tell apart, beside those")).toBeGreaterThan(0.95)
    expect(measured(result, "one-sided words of topics that describe")).toBeLessThan(0.15)
    expect(measured(result, "one-sided words of topics that tell apart")).toBeGreaterThan(0.9)
  },
  "logistic-with-holes": result => {
    for (const learner of ["counting", "NCLL", "hinge"]) {
      const [accuracy, logLoss] = ["accuracy", "log-loss"].map(s => `${learner}: ${s}, beside filled holes`)
      // hinge gains in log-loss only: filled or not, it is right as often, up to a row in each test set of 103
      if (learner === "hinge")
        expect(Math.abs(measured(result, accuracy) - stated(result, accuracy))).toBeLessThan(0.01)
      else expect(measured(result, accuracy)).toBeGreaterThan(stated(result, accuracy))
      expect(measured(result, logLoss)).toBeLessThan(stated(result, logLoss))
    }
    const losses = ["NCLL", "counting"].map(name => stated(result, `${name}: log-loss, beside filled holes`))
    expect(losses[0]).toBeLessThan(losses[1])
  },
  laplace: result => {
    // the fair coin is not quite known: its odds of 93 are off by some 93 · 10² / 10⁹, and by rounding of ln Γ(10⁹)
    for (const name of Object.keys(result)) near(result, name, 1e-3)
  },
  polynomial: result => {
    same(result, "degree with the highest evidence")
    near(result, "sd around the line of that degree", (4 * 0.8) / Math.sqrt(2 * 36))
  },
  // some 20 parameters, each of which costs 1/2m of 4000 rows
  "tree-below-a-label": result => {
    same(result, "pairs of a, b, c and d in the tree")
    for (const learner of ["counted", "sdEM"])
      near(result, `log-loss of the tree, ${learner}, beside the truth's`, (4 * 20) / (2 * 4000))
    const naive = ["counted", "sdEM"].map(
      learner => `log-loss of naive Bayes, ${learner}, beside the truth's`,
    )
    expect(measured(result, naive[1])).toBeLessThan(measured(result, naive[0]) - 0.1)
    expect(measured(result, naive[1])).toBeGreaterThan(stated(result, naive[1]) + 0.05)
  },
  penguins: result => {
    expect(measured(result, "accuracy, two labels in three")).toBeGreaterThan(0.96)
    expect(measured(result, "log-loss, two labels in three")).toBeLessThan(0.1)
  },
}

describe.each(names)("%s", name => {
  test("the example runs, and measures what the lectures state", async () => {
    const result = await run(name)
    CHECKS[name](result)
    for (const [quantity, { stated, measured }] of Object.entries(result)) {
      expect(readme).toContain(`| ${name} | ${quantity} | ${shown(stated)} | ${shown(measured)} |`)
    }
  })

  test("the example is a whole program of less than sixty lines", () => {
    const lines = readFileSync(new URL(`${name}.ts`, here), "utf8")
      .trimEnd()
      .split("\n")
    expect(lines.length).toBeLessThan(60)
    expect(readme).toContain(`${name}.ts`)
  })
})

function near(result: Result, quantity: string, error: number): void {
  expect(Math.abs(measured(result, quantity) - stated(result, quantity)), quantity).toBeLessThanOrEqual(error)
}

function same(result: Result, quantity: string): void {
  expect(result[quantity].measured, quantity).toBe(result[quantity].stated)
}

function measured(result: Result, quantity: string): number {
  return result[quantity].measured as number
}

function stated(result: Result, quantity: string): number {
  return result[quantity].stated as number
}

/** As README.md writes it: three digits after the point, or the first that count; rounding errors as such. */
function shown(value: number | string): string {
  if (typeof value === "string") return value
  if (Math.abs(value) < 1e-10) return value === 0 ? "0" : "< 1e-10"
  return String(Math.abs(value) < 0.01 ? Number(value.toPrecision(2)) : Number(value.toFixed(3)))
}
