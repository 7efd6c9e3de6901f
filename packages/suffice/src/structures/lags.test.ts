/** Columns of earlier steps: x@-1 is what stands in x one step before. */
import { expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import { chain, dice, fit, gaussian, independent, linear, load, plate, specify } from "../index.ts"

// biome-ignore lint/suspicious/noExplicitAny: models of all kinds
type Any = any
const loose = (model: unknown): Model => model as Model

/** Two ways to go on, each for a while; some cells are missing. */
function series(seed: number, count: number, length: number): { steps: { x: number | null }[] }[] {
  const roll = dice(seed)
  return Array.from({ length: count }, () => {
    let [x, state] = [roll.normal(), 0]
    return {
      steps: Array.from({ length }, () => {
        if (roll.uniform() < 0.1) state = 1 - state
        x = (state === 0 ? 0.9 * x : 2 - 0.5 * x) + 0.3 * roll.normal()
        return { x: roll.uniform() < 0.05 ? null : x }
      }),
    }
  })
}

test("a switching autoregression is a regression on a column that was written by hand", async () => {
  const rows = series(1, 6, 40)
  const written = rows.map(({ steps }) => ({
    // where nothing came before, the cell is conditioned on
    steps: steps.map(({ x }, t) => {
      const before = steps[t - 1]?.x ?? null
      return { x: before === null ? null : x, before }
    }),
  }))
  const lagged: Any = await fit(loose(chain(2, linear("x", ["x@-1"]))), rows as never)
  const said = JSON.parse(JSON.stringify(lagged.describe()).replaceAll("x@-1", "before"))
  const hand: Any = specify(loose(chain(2, linear("x", ["before"]))), said)
  const found = lagged.logDensity(rows)
  hand.logDensity(written).forEach((wanted: number, i: number) => {
    expect(found[i]).toBeCloseTo(wanted, 8)
  })
  const { given } = lagged.describe().steps
  const slopes = [given[0].x.coefficients["x@-1"], given[1].x.coefficients["x@-1"]].sort()
  expect(slopes[0]).toBeCloseTo(-0.5, 1)
  expect(slopes[1]).toBeCloseTo(0.9, 1)
  const again: Any = load(JSON.stringify(lagged))
  expect(again.path(rows)).toEqual(lagged.path(rows))
  const columns = rows.map(({ steps }) => ({
    steps: { x: Float64Array.from(steps, ({ x }) => x ?? Number.NaN) },
  }))
  expect(lagged.logDensity(columns)).toEqual(found)
})

/** One state: x_t = 1 + 0.5 x_{t−1} + 0.1 x_{t−2} + noise. */
const walk = (sd: number): Any =>
  specify(loose(chain(1, linear("x", ["x@-1", "x@-2"]))), {
    steps: {
      initial: { 0: 1 },
      transitions: { 0: { 0: 1 } },
      given: {
        0: {
          x: {
            family: "linear",
            intercept: 1,
            coefficients: { "x@-1": 0.5, "x@-2": 0.1 },
            sd,
          },
        },
      },
    },
  })

test("no cell comes from another row, and the first ones are conditioned on", () => {
  const fitted = walk(1)
  const rows = [
    { steps: [5, 3, 4, 2].map(x => ({ x })) },
    { steps: [9, 8, 7].map(x => ({ x })) },
    { steps: [{ x: 4 }] },
  ]
  const term = (x: number, one: number, two: number): number =>
    -0.5 * (x - 1 - 0.5 * one - 0.1 * two) ** 2 - 0.5 * Math.log(2 * Math.PI)
  const found = fitted.logDensity(rows)
  expect(found[0]).toBeCloseTo(term(4, 3, 5) + term(2, 4, 3), 10)
  expect(found[1]).toBeCloseTo(term(7, 8, 9), 10)
  expect(found[2]).toBe(0)
})

test("what comes next reads what has come, and what was drawn", () => {
  const fitted = walk(0.5)
  const rows = [{ steps: [5, 3].map(x => ({ x })) }]
  const [ahead] = fitted.forecast(rows, { steps: 3 })
  const first = 1 + 0.5 * 3 + 0.1 * 5
  const second = 1 + 0.5 * first + 0.1 * 3
  expect(ahead[0].columns.x.value).toBeCloseTo(first, 10)
  expect(ahead[0].columns.x.sd).toBeCloseTo(0.5, 10)
  const sd = 0.5 * Math.sqrt(1 + 0.25)
  expect(Math.abs(ahead[1].columns.x.value - second)).toBeLessThan((4 * sd) / Math.sqrt(2000))
  expect(ahead[1].columns.x.sd / sd).toBeCloseTo(1, 1)
  expect(Object.keys(ahead[0].columns)).toEqual(["x"])
  const live = fitted.follow()
  live.push({ x: 5 })
  live.push({ x: 3 })
  live.push({ x: 4 })
  expect(live.logDensity).toBeCloseTo(fitted.logDensity([{ steps: [5, 3, 4].map(x => ({ x })) }])[0], 10)
  expect(live.forecast()[0].columns.x.value).toBeCloseTo(1 + 0.5 * 4 + 0.1 * 3, 10)
  const [drawn] = walk(1e-6).sample(1, { given: { steps: [{ x: 5 }, { x: 3 }, null, null] } })
  expect(drawn.steps.map(({ x }: Any) => x)[2]).toBeCloseTo(first, 4)
  expect(drawn.steps.map(({ x }: Any) => x)[3]).toBeCloseTo(second, 4)
  expect(Object.keys(drawn.steps[0])).toEqual(["x"])
  // a hole is filled from the step before it
  expect(fitted.impute([{ steps: [{ x: 5 }, { x: 3 }, { x: null }] }]).rows[0].steps[2].x).toBeCloseTo(
    first,
    10,
  )
})

test("an autoregression without states, and other columns that came before", async () => {
  const roll = dice(3)
  const rows = Array.from({ length: 20 }, () => {
    const u = Array.from({ length: 15 }, () => roll.normal())
    return { steps: u.map((value, t) => ({ u: value, y: t > 1 ? 3 * u[t - 2] + 0.1 * roll.normal() : 0 })) }
  })
  const fitted: Any = await fit(
    loose(plate("steps", independent({ u: gaussian() }, linear("y", ["u@-2"])))),
    rows as never,
  )
  expect(fitted.describe().steps.y.coefficients["u@-2"]).toBeCloseTo(3, 1)
})

test("what lies ahead cannot be read, and what came before cannot be modelled", async () => {
  const said = async (make: () => unknown): Promise<string> => {
    try {
      await make()
    } catch (error) {
      return (error as Error).message
    }
    return "nothing"
  }
  expect([
    await said(() => chain(2, linear("x", ["x@1"]))),
    await said(() => chain(2, linear("x", ["x@0"]))),
    await said(() => plate("steps", linear("x", ["y@+2"]))),
    await said(() => chain(2, independent({ "x@-1": gaussian() }))),
    await said(() => fit(loose(chain(2, linear("x", ["z@-1"]))), [{ steps: [{ x: 1 }] }] as never)),
  ]).toMatchInlineSnapshot(`
    [
      "chain: "x@1" is the cell of "x" 1 step ahead, the future. A step depends on those before it. Read "x@-1", or "x" itself.",
      "chain: "x@0" is the cell of "x" in the same step. A step depends on those before it. Read "x@-1", or "x" itself.",
      "plate("steps"): "y@+2" is the cell of "y" 2 steps ahead, the future. A step depends on those before it. Read "y@-2", or "y" itself.",
      "chain: "x@-1" is the cell of "x" in an earlier step, where it is modelled already. It can only be read. Write for example linear("x", ["x@-1"]).",
      "column "z" is not in the steps of "steps". They have "x". Rename the column in the model or in the data. If it is missing in every step, put null in its cells.",
    ]
  `)
})
