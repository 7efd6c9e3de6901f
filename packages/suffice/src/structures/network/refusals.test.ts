/** What a network says of declarations and rows that it cannot do with. */
import { expect, test } from "vitest"
import { bernoulli } from "../../families/bernoulli.ts"
import { categorical } from "../../families/categorical.ts"
import { gamma } from "../../families/gamma.ts"
import { gaussian } from "../../families/gaussian.ts"
import { multinomial } from "../../families/multinomial.ts"
import { fit } from "../../fit/fit.ts"
import { specify } from "../../fit/specify.ts"
import { em } from "../../learners/em.ts"
import { mixture } from "../classes.ts"
import { given, hidden, network } from "./declare.ts"

const loose = network as (nodes: object) => never
const said = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    return (error as Error).message
  }
  return "nothing"
}

test("arrows that make no network", () => {
  const a = bernoulli()
  expect([
    said(() => network({ a: given(["c"], a), b: given(["a"], a), c: given(["b"], a) })),
    said(() => loose({ rain: a, grass: given(["rian"], a) })),
    said(() => network({ a, b: given(["a", "a"], bernoulli()) })),
    said(() => loose({ a: given(["a"], bernoulli()) })),
    said(() => network({ age: gaussian(), ill: given(["age"], bernoulli()) })),
    said(() => network({ age: gaussian(), sum: given(["age"], gamma()) })),
    said(() => network({ age: gaussian(), x: given(["age"], gaussian({ variance: "tied" })) })),
    said(() => network({ words: multinomial(), x: given(["words"], gaussian()) })),
    said(() => network({ cause: hidden(3), a })),
    said(() => network({})),
    said(() => loose(gaussian())),
    said(() => loose({ a: 3 })),
    said(() => hidden(1)),
    said(() => given("a" as never, a)),
  ]).toMatchInlineSnapshot(`
    [
      "network: "a" → "b" → "c" → "a" is a cycle. A column cannot depend on itself, by whatever way: the probabilities of a network multiply along its arrows. Remove one of these arrows, or turn it round.",
      "network: column "grass" has the parent "rian", which is no column of the network. It has "rain" and "grass". Did you mean "rain"?",
      "network: column "b" has the parent "a" twice. Its two influences could not be told apart. Name it once.",
      "network: column "a" is its own parent. A column cannot depend on itself. Take it out of its list.",
      "network: column "ill" has levels, and is given the number "age". A table has no row for every number. Turn the arrow round (its posterior given "age" is then logistic), or bin the number.",
      "network: column "sum" is given the number "age", and modelled by gamma(). Only gaussian() with its own variance can depend on a number: it becomes a linear regression. Use that, turn the arrow round, or bin the number.",
      "network: column "x" is given the number "age", and modelled by gaussian({ variance: "tied" }). Only gaussian() with its own variance can depend on a number: it becomes a linear regression. Use that, turn the arrow round, or bin the number.",
      "network: column "x" has the parent "words", which is modelled by multinomial(). A parent has levels, or is a number. Turn the arrow round, or give "words" another family.",
      "network: nothing depends on the hidden column "cause". No row can say anything of it. Make it a parent of other columns, or leave it out.",
      "network() has no columns. A model needs at least one. Write for example network({ a: bernoulli(), b: given(["a"], bernoulli()) }).",
      "network: it is given a family without a column. It takes columns by name. Write for example network({ a: bernoulli(), b: given(["a"], bernoulli()) }).",
      "network: column "a" is given 3. It needs a family, given(parents, family) or hidden(k). Write for example { "a": gaussian() }.",
      "hidden: the values are 1. It takes a whole number from 2 to 1000000. Write for example hidden(3).",
      "given: the parents are "a". They are a list of columns, by name. Write for example given(["season"], bernoulli()).",
    ]
  `)
})

test("a column without a level", async () => {
  const rows = [{ a: null, b: true }]
  const model = network({ a: categorical(), b: given(["a"], bernoulli()) })
  await expect(fit(model, rows)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: network: column "a" is empty in every row. Without levels it has no table, and nothing can depend on it. Leave it out, or name its levels: categorical({ levels: [ … ] }).]`,
  )
})

test("tables that are too large are refused before they are made, with their size and columns", () => {
  // every column has all others as neighbours, once nothing is seen
  const levels = Array.from({ length: 40 }, (_, l) => l)
  const roots = Object.fromEntries(
    Array.from({ length: 8 }, (_, v) => [`x${v}`, categorical({ levels })] as const),
  )
  const names = Object.keys(roots)
  const pairs = names.flatMap((a, i) =>
    names.slice(i + 1).map(b => [`${a}${b}`, given([a, b], bernoulli())] as const),
  )
  const model = network({ ...roots, ...Object.fromEntries(pairs) } as never)
  const even = Object.fromEntries(levels.map(l => [l, 1 / 40]))
  const table = Object.fromEntries(
    levels.map(l => [l, Object.fromEntries(levels.map(m => [m, { probability: 0.5 }]))]),
  )
  const fitted = specify(
    model,
    Object.fromEntries([
      ...names.map(name => [name, { probabilities: even }]),
      ...pairs.map(([name]) => [name, { given: table }]),
    ]) as never,
  )
  const seen = Object.fromEntries(pairs.map(([name]) => [name, true]))
  expect(said(() => fitted.logDensity([seen] as never))).toMatchInlineSnapshot(
    `"network: to sum out what is missing takes tables of 6553600000000 entries, more than the 67108864 that fit in 512 MB. The largest, of 6553600000000, is over "x0", "x1", "x2", "x3", "x4", "x5", "x6" and "x7". Remove an arrow between these, give them fewer levels, or give more of these cells."`,
  )
})

test("too many configurations of levels above missing numbers", () => {
  const levels = Array.from({ length: 50 }, (_, l) => l)
  const level = categorical({ levels })
  const model = network({
    a: level,
    b: level,
    c: level,
    x: given(["a", "b"], gaussian()),
    y: given(["x", "c"], gaussian()),
  })
  const even = { probabilities: Object.fromEntries(levels.map(l => [l, 1 / 50])) }
  const over = (leaf: object) => Object.fromEntries(levels.map(l => [l, leaf]))
  const line = { intercept: 0, coefficients: { x: 1 }, sd: 1 }
  const fitted = specify(model, {
    a: even,
    b: even,
    c: even,
    x: { given: over(over({ mean: 0, sd: 1 })) },
    y: { given: over(line) },
  } as never)
  expect(said(() => fitted.logDensity([{ y: 1 }] as never))).toMatchInlineSnapshot(
    `"network: to integrate out missing numbers takes 125000 configurations of "a", "b" and "c", more than 65536. Give more of these cells, or remove arrows to "x"."`,
  )
})

test("a missing number that is no line cannot be integrated out", async () => {
  const model = network({ sum: gamma(), x: given(["sum"], gaussian()) })
  const rows = Array.from({ length: 20 }, (_, i) => ({ sum: 1 + (i % 5), x: i }))
  const fitted = await fit(model, rows)
  expect(said(() => fitted.logDensity([{ sum: null, x: 1 }]))).toMatchInlineSnapshot(
    `"row 0: "x" is modelled given "sum", which is missing or asked for. A regression speaks of "x" alone, and only given "sum". Fill "sum", drop the row, or use normal(["sum","x"]), which has the same conditional."`,
  )
})

test("a configuration that no row has is told by the prior, and counted", async () => {
  const rows = [
    { a: "x", b: true },
    { a: "y", b: false },
    { a: "x", b: false },
    { a: "x", b: true },
  ].map(row => ({ ...row, c: row.a === "y" ? "u" : "v" }))
  const model = network({
    a: categorical(),
    b: given(["a", "c"], bernoulli()),
    c: given(["a"], categorical()),
  })
  const fitted = await fit(model, rows)
  const [odd] = fitted.predict([{ a: "y", c: "v" }], { target: "b" })
  expect(odd.probability).toBe(0.5)
  expect(fitted.diagnostics).toMatchInlineSnapshot(`
    [
      {
        "code": "unseen-configuration",
        "message": "2 of 6 configurations of parents are in no row: there, the prior alone speaks. Most of them, 2 of 4, are above "b", which is given "a" and "c". More rows, fewer parents or fewer levels would tell more.",
      },
    ]
  `)
})

test("what cannot be is answered without NaN, or refused with its columns", async () => {
  const rows = [
    { a: "x", b: "p", c: "v" },
    { a: "y", b: "q", c: "v" },
  ]
  const model = network({
    a: categorical(),
    b: given(["a"], categorical()),
    c: given(["b"], categorical()),
  })
  const fitted = await fit(model, rows, { learner: em({ prior: 0 }) })
  const never = { a: "x", b: "q", c: null }
  expect(fitted.logDensity([never])).toEqual(Float64Array.of(-Infinity))
  expect(said(() => fitted.query({ of: "c", given: { a: "x", b: "q" } }))).toMatchInlineSnapshot(
    `"query: what is given of "a" and "b" has probability 0. Nothing follows from what cannot be. Give other cells, or learn the model with a prior."`,
  )
  const { probabilities } = fitted.posterior([never], { target: "c" })
  expect([...probabilities].some(Number.isNaN)).toBe(false)
  expect(JSON.stringify(fitted.predict([never], { target: "a" }))).not.toContain("null")
  expect(JSON.stringify(fitted.impute([never]).rows)).not.toContain("null")
})

test("one level among parents changes nothing", async () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({ one: "only", b: i % 3 === 0 ? "p" : "q", x: i % 7 }))
  const holes = rows.map((row, i) => ({ ...row, one: i % 2 === 0 ? null : "only" }))
  const model = network({
    one: categorical(),
    b: given(["one"], categorical()),
    x: given(["one"], gaussian()),
  })
  const fitted = await fit(model, rows)
  expect([...fitted.logDensity(holes)]).toEqual([...fitted.logDensity(rows)])
  const both = await fit(mixture(2, model), holes as never, { seed: 1 })
  expect([...both.logDensity(holes as never)].every(Number.isFinite)).toBe(true)
})
