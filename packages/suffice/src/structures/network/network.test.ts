import { describe, expect, it } from "vitest"
import { bernoulli } from "../../families/bernoulli.ts"
import { categorical } from "../../families/categorical.ts"
import { gaussian } from "../../families/gaussian.ts"
import { fit } from "../../fit/fit.ts"
import { load } from "../../fit/load.ts"
import { specify } from "../../fit/specify.ts"
import { em } from "../../learners/em.ts"
import { sdem } from "../../learners/sdem.ts"
import { dice } from "../../random.ts"
import { chain } from "../chain/chain.ts"
import { classes, mixture } from "../classes.ts"
import { independent } from "../independent.ts"
import { given, hidden, network } from "./declare.ts"

describe("a network", () => {
  it("of naive Bayes below classes is classes over independent columns, to the bit", async () => {
    const rolls = dice(7)
    const rows = Array.from({ length: 700 }, () => {
      const y = rolls.integer(3)
      const hole = (x: number): number | null => (rolls.uniform() < 0.2 ? null : x)
      return {
        y,
        a: hole((y + rolls.integer(2)) % 3),
        b: hole(rolls.integer(2)),
        x: hole(y + rolls.normal()),
      }
    })
    const body = () => ({ a: categorical(), b: categorical(), x: gaussian() })
    const one = await fit(classes("y", network(body())), rows as never)
    const other = await fit(classes("y", independent(body())), rows as never)
    expect([...one.logDensity(rows as never)]).toEqual([...other.logDensity(rows as never)])
    expect([...one.posterior(rows as never).probabilities]).toEqual([
      ...other.posterior(rows as never).probabilities,
    ])
  })

  it("is learned by EM from rows with holes, and its likelihood never falls", async () => {
    const { model, rows } = rain(600, 0.25)
    const trace: number[] = []
    await fit(model, rows as never, { onStep: step => void trace.push(step.objective!) })
    expect(trace.length).toBeGreaterThan(3)
    for (let k = 1; k < trace.length; k++)
      expect(trace[k]).toBeGreaterThan(trace[k - 1] - 1e-9 * Math.abs(trace[k]))
  })

  it("with holes has several summits: each run begins with other tables", async () => {
    const { model, rows } = rain(300, 0.5)
    const begun: number[] = []
    await fit(model, rows as never, {
      learner: em({ restarts: 3 }),
      onStep: ({ run = 0, objective }) => {
        begun[run] ??= objective!
      },
    })
    expect(new Set(begun).size).toBe(4)
  })

  it("finds what hides above columns", async () => {
    const rolls = dice(5)
    const rows = Array.from({ length: 1500 }, () => {
      const h = rolls.integer(2)
      const flip = (p: number): number => (rolls.uniform() < p ? h : 1 - h)
      return { a: flip(0.9), b: flip(0.85), c: flip(0.9), d: flip(0.8) }
    })
    const leaf = () => given(["h"], categorical())
    const model = network({ h: hidden(2), a: leaf(), b: leaf(), c: leaf(), d: leaf() })
    const fitted = await fit(model, rows, { seed: 1 })
    const other = await fit(
      mixture(2, independent({ a: categorical(), b: categorical(), c: categorical(), d: categorical() })),
      rows,
      { seed: 1 },
    )
    const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0)
    const gap = sum(fitted.logDensity(rows)) - sum(other.logDensity(rows))
    expect(Math.abs(gap)).toBeLessThan(0.5)
    expect(fitted.responsibilities(rows, { of: "h" as never }).length).toBe(3000)
  })

  it("is saved and loaded with the same bits", async () => {
    const { model, rows } = rain(200, 0.2)
    const fitted = await fit(model, rows as never)
    const again = load(JSON.parse(JSON.stringify(fitted)))
    expect([...again.logDensity(rows as never)]).toEqual([...fitted.logDensity(rows as never)])
    const densities = specify(model, fitted.describe(), { levels: { season: [0, 1, 2] } }).logDensity(
      rows as never,
    )
    fitted.logDensity(rows as never).forEach((density: number, i: number) => {
      expect(Math.abs(densities[i] - density)).toBeLessThan(1e-12)
    })
  })

  it("below classes is learned by sdEM with either loss, better than by counting", async () => {
    const rolls = dice(11)
    const rows = Array.from({ length: 1200 }, () => {
      const a = rolls.integer(2)
      const b = rolls.uniform() < 0.8 ? a : 1 - a
      const c = rolls.integer(2)
      const y = (a ^ c) === 1 ? (rolls.uniform() < 0.9 ? 1 : 0) : rolls.uniform() < 0.2 ? 1 : 0
      return { y, a, b, c }
    })
    const model = classes(
      "y",
      network({ a: categorical(), b: given(["a"], categorical()), c: given(["a"], categorical()) }),
    )
    const loss = (fitted: { posterior(rows: never): { probabilities: Float64Array } }): number => {
      const { probabilities } = fitted.posterior(rows as never)
      return -rows.reduce((sum, { y }, i) => sum + Math.log(probabilities[2 * i + y]), 0) / rows.length
    }
    const counted = await fit(model, rows)
    const ncll = await fit(model, rows, { learner: sdem() })
    expect(loss(ncll)).toBeLessThan(loss(counted) + 1e-3)
  })

  it("below a chain says of a column what is seen below it", () => {
    const chances = (p: number) => ({ probabilities: { 0: 1 - p, 1: p } })
    const body = network({
      a: categorical({ levels: [0, 1] }),
      b: given(["a"], categorical({ levels: [0, 1] })),
    })
    const fitted = specify(
      chain(1, body, { column: "days" }) as never,
      {
        days: {
          initial: { 0: 1 },
          transitions: { 0: { 0: 1 } },
          given: { 0: { a: chances(0.5), b: { given: { 0: chances(0.1), 1: chances(0.8) } } } },
        },
      } as never,
    )
    const rows = [{ days: [{ b: 1 }] }] as never
    const [[{ probabilities }]] = fitted.predict(rows, { target: "a" } as never) as never as {
      probabilities: Record<string, number>
    }[][]
    expect(probabilities[1]).toBeCloseTo(0.8 / 0.9, 12)
  })
})

function rain(count: number, holes: number) {
  const rolls = dice(2)
  const rows = Array.from({ length: count }, () => {
    const season = rolls.integer(3)
    const rain = rolls.uniform() < [0.7, 0.3, 0.1][season]
    const grass = rolls.uniform() < (rain ? 0.9 : 0.2)
    const height = (rain ? 2 : 0) + rolls.normal()
    const hole = <T>(cell: T): T | null => (rolls.uniform() < holes ? null : cell)
    return { season: hole(season), rain: hole(rain), grass: hole(grass), height: hole(height) }
  })
  const model = network({
    season: categorical(),
    grass: given(["season", "rain"], bernoulli()),
    height: given(["rain"], gaussian()),
    rain: given(["season"], bernoulli()),
  })
  return { model, rows }
}
