import { expect, test } from "vitest"
import { bernoulli } from "../families/bernoulli.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { specify } from "../fit/specify.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { given, hidden, network } from "../structures/network/declare.ts"
import { type WorldRow, worldOf } from "../structures/network/testing/worlds.ts"

const coin = (p: number) => ({ probability: p })

test("of random networks, what enumeration finds, numbers integrated out", () => {
  for (let seed = 1; seed <= 12; seed++) {
    const { nodes, model, description, row, known } = worldOf(seed)
    const fitted = specify(model, description)
    const rows = Array.from({ length: 6 }, (_, k) => row(j => (j + k) % 3 === 0))
    const { rows: filled, hidden, logProbability } = fitted.mostProbable(rows as never)
    rows.forEach((seen, i) => {
      // every combination of the missing levels
      const open = nodes.filter(({ name, levels }) => levels > 0 && (seen[name] ?? null) === null)
      const count = open.reduce((product, { levels }) => product * levels, 1)
      const at = (e: number): WorldRow => {
        let rest = e
        const own = open.map(({ name, levels }) => {
          const cell = rest % levels
          rest = Math.trunc(rest / levels)
          return [name, cell]
        })
        return { ...seen, ...Object.fromEntries(own) }
      }
      const heights = Array.from({ length: count }, (_, e) => Math.log(known(at(e)).density))
      expect(Math.abs(logProbability[i] - Math.max(...heights))).toBeLessThan(1e-10)
      const best = at(heights.indexOf(Math.max(...heights)))
      const told = { ...(filled as WorldRow[])[i], ...(hidden as WorldRow[])[i] }
      for (const { name } of open) expect(told[name]).toBe(best[name])
    })
  }
})

test("together is not each by itself", () => {
  // a is most probably true, yet with what most probably follows from it less probable than the other pair
  const model = specify(
    network({ a: bernoulli(), b: given(["a"], categorical({ levels: ["p", "q", "r"] })) }),
    {
      a: coin(0.6),
      b: {
        given: {
          false: { probabilities: { p: 1, q: 0, r: 0 } },
          true: { probabilities: { p: 0, q: 0.5, r: 0.5 } },
        },
      },
    },
  )
  expect(model.impute([{}]).rows[0]).toEqual({ a: true, b: "p" })
  const { rows, logProbability } = model.mostProbable([{}, { a: true }])
  expect(rows).toEqual([
    { a: false, b: "p" },
    { a: true, b: "q" },
  ])
  expect(logProbability[0]).toBeCloseTo(Math.log(0.4), 14)
  expect(() => model.mostProbable([{ a: true, b: "p" }])).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: mostProbable: what is seen in row 0, of "a" and "b", has probability 0. Nothing follows from what cannot be. Correct the row, or learn the model with a prior.]`,
  )
})

test("labels, components and numbers go with it; what is not of the model stays", () => {
  const line = (intercept: number) => ({ intercept, coefficients: { x: 1 }, sd: 1 })
  const body = (shift: number) => ({
    a: coin(0.9),
    x: { given: { false: { mean: 0, sd: 1 }, true: { mean: 4, sd: 1 } } },
    y: line(shift),
  })
  const model = specify(
    classes("k", network({ a: bernoulli(), x: given(["a"], gaussian()), y: given(["x"], gaussian()) }), {
      levels: ["u", "v"],
    }),
    { k: { probabilities: { u: 0.5, v: 0.5 }, given: { u: body(0), v: body(10) } } },
  )
  const { rows } = model.mostProbable([
    { y: 14, note: "kept" },
    { k: "u", a: false },
  ] as never)
  expect(rows[0]).toMatchObject({ k: "v", a: true, note: "kept", y: 14 })
  // x given y = 14, v and true: between 4 and 4
  expect((rows[0] as { x: number }).x).toBeCloseTo(4, 10)
  expect(rows[1]).toMatchObject({ k: "u", a: false, x: 0, y: 0 })
  const mixed = specify(mixture(2, independent({ a: bernoulli(), b: bernoulli() }), { name: "h" }), {
    h: {
      probabilities: { 0: 0.7, 1: 0.3 },
      given: { 0: { a: coin(0.4), b: coin(0.5) }, 1: { a: coin(0.99), b: coin(0.99) } },
    },
  })
  const found = mixed.mostProbable([{ a: true }])
  expect(found.rows[0]).toEqual({ a: true, b: true })
  expect(found.hidden[0]).toEqual({ h: 1 })
  expect(found.logProbability[0]).toBeCloseTo(Math.log(0.3 * 0.99 * 0.99), 12)
  const cause = specify(network({ cause: hidden(2), a: given(["cause"], bernoulli()) }), {
    cause: { probabilities: { 0: 0.3, 1: 0.7 } },
    a: { given: { 0: coin(0.9), 1: coin(0.2) } },
  })
  expect(cause.mostProbable([{ a: true }, { a: false }]).hidden).toEqual([{ cause: 0 }, { cause: 1 }])
})
