/** Networks learned by bayes(): exact where nothing is missing, a bound that never falls where something is. */
import { expect, test } from "vitest"
import type { Model } from "../../contract/model.ts"
import type { Description } from "../../contract/report.ts"
import {
  bernoulli,
  categorical,
  classes,
  dice,
  fit,
  gaussian,
  given,
  hidden,
  independent,
  load,
  mixture,
  network,
  poisson,
} from "../../index.ts"
import { bayes, learn } from "../../learn.ts"
import { choose } from "../../measure.ts"

const learner = bayes()
const roll = dice(3)
const rows = Array.from({ length: 40 }, () => {
  const a = (["r", "s", "t"] as const)[roll.integer(3)]
  const b = roll.uniform() < 0.4
  const x = (b ? 2 : 0) + roll.normal()
  return { a, b, x, y: 3 * x + (a === "r" ? 1 : -1) + 0.3 * roll.normal(), n: roll.poisson(b ? 2 : 6) }
})
const whole = network({
  a: categorical(),
  b: given(["a"], bernoulli()),
  x: given(["b"], gaussian()),
  y: given(["a", "x"], gaussian()),
  n: given(["b"], poisson()),
})
const holed = rows.map(row => ({
  ...row,
  a: roll.uniform() < 0.3 ? null : row.a,
  b: roll.uniform() < 0.3 ? null : row.b,
  n: roll.uniform() < 0.3 ? null : row.n,
}))

test("the evidence of complete rows grows by the log-density of each new one", async () => {
  let fitted = await fit(whole, rows.slice(0, 30), { learner })
  for (const row of rows.slice(30)) {
    const [density] = fitted.logDensity([row])
    const next = await fitted.update([row])
    expect(next.evidence.exact).toBe(true)
    expect(next.evidence.value - fitted.evidence.value).toBeCloseTo(density, 10)
    fitted = next
  }
})

test("naive Bayes written as a network has the evidence and the answers of classes", async () => {
  const asNetwork = network({ b: bernoulli(), x: given(["b"], gaussian()), n: given(["b"], poisson()) })
  const asClasses = classes("b", independent({ x: gaussian(), n: poisson() }), { prior: 1 })
  const one = await fit(asNetwork, rows, { learner })
  const other = await fit(asClasses, rows, { learner })
  expect(one.evidence.value).toBeCloseTo(other.evidence.value, 10)
  const asked = rows.slice(0, 5).map(({ x, n }) => ({ x, n }))
  const [p, q] = [one.posterior(asked, { target: "b" }), other.posterior(asked)]
  p.probabilities.forEach((value, j) => {
    expect(value).toBeCloseTo(q.probabilities[j], 12)
  })
})

test("with holes and hidden columns the bound never falls, and the model is saved as it answers", async () => {
  const deep = network({
    h: hidden(2),
    x: given(["h"], gaussian()),
    a: given(["h"], categorical()),
    b: given(["h", "a"], bernoulli()),
  })
  for (const model of [whole, deep]) {
    for (const seed of [1, 2]) {
      let before = Number.NEGATIVE_INFINITY
      for await (const step of learn(model as typeof whole, holed, { learner, seed })) {
        expect(step.objective).toBeGreaterThanOrEqual(before - 1e-10 * Math.abs(before))
        before = step.objective
      }
    }
    const fitted = await fit(model as typeof whole, holed, { learner })
    expect(fitted.evidence.exact).toBe(false)
    expect(load(JSON.stringify(fitted)).logDensity(holed)).toEqual(fitted.logDensity(holed))
  }
})

test("a hidden column above the others is a mixture: from the same start the same bound, chosen by on the same terms", async () => {
  const numbers = Array.from({ length: 60 }, (_, i) => ({ x: [0, 9][i % 2] + roll.normal() }))
  const probabilities = { "0": 0.5, "1": 0.5 }
  const [near, far] = [
    { mean: 1, sd: 3 },
    { mean: 8, sd: 3 },
  ]
  const score = async (model: Model, start: Description) => {
    const learners = { bayes: bayes({ start, tolerance: 1e-12 }) }
    return (await choose([{ name: "2", model }], numbers as never, { criterion: "evidence", learners }))
      .trials[0].score
  }
  const mixed = await score(mixture(2, independent({ x: gaussian() }), { name: "h" }) as never, {
    h: { probabilities, given: { "0": { x: near }, "1": { x: far } } },
  })
  const netted = await score(network({ h: hidden(2), x: given(["h"], gaussian()) }) as never, {
    h: { probabilities },
    x: { given: { "0": near, "1": far } },
  })
  expect(netted).toBeCloseTo(mixed, 6)
})

test("every table and line has its intervals, and draws that describe a network", async () => {
  const fitted = await fit(whole, rows, { learner })
  const { b, y } = fitted.credible({ probability: 0.8 }) as never as {
    b: { given: { r: { probability: { value: number; interval: [number, number] } } } }
    y: { given: { r: { coefficients: { x: { value: number; interval: [number, number] } } } } }
  }
  for (const { value, interval } of [b.given.r.probability, y.given.r.coefficients.x]) {
    expect(interval[0]).toBeLessThan(value)
    expect(value).toBeLessThan(interval[1])
  }
  const [low, high] = y.given.r.coefficients.x.interval
  const drawn = fitted.draws(300, { seed: 4 }) as never as { y: typeof y }[]
  const inside = drawn.filter(({ y }) => {
    const slope = y.given.r.coefficients.x as never as number
    return slope > low && slope < high
  })
  expect(inside.length / 300).toBeGreaterThan(0.73)
  expect(inside.length / 300).toBeLessThan(0.87)
})

test("the prior of a line is given as that of a line", async () => {
  const prior = { mean: 0, strength: 1, sd: 1, degrees: 2 }
  const model = network({ x: gaussian({ prior }), y: given(["x"], gaussian({ prior })) })
  await expect(fit(model, rows, { learner })).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: linear: the prior of "y" has "mean". It knows "intercept", "coefficients", "strength", "sd", "degrees" and "on". Leave it out.]`,
  )
})

test("a prior in the units of the data is refused by learners that keep no posterior", async () => {
  const prior = { probability: 0.2, strength: 5 }
  const model = network({ a: categorical(), b: given(["a"], bernoulli({ prior })) })
  await expect(fit(model, rows)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: em: "bernoulli" of "b" has a prior in the units of the data. Only a posterior uses it, and em estimates parameters. Learn by bayes(), or give prior a number.]`,
  )
})

test("levels that nothing seen depends on may be missing from the first row on, also below classes", async () => {
  const some = [
    { y: "u", a: null, b: null, c: "p" },
    { y: "v", a: "k", b: "m", c: null },
    { y: "u", a: "l", b: null, c: "q" },
    { y: "v", a: null, b: "n", c: "p" },
  ]
  const model = classes(
    "y",
    network({ a: categorical(), b: given(["a"], categorical()), c: given(["a"], categorical()) }),
  )
  const fitted = await fit(model, some, { learner })
  expect(Number.isFinite(fitted.evidence.value)).toBe(true)
  // given nothing, the levels of a column are as probable as all others of it
  const { entries } = fitted.query({ of: ["b"] })
  expect(entries.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12)
})
