import { inspect } from "node:util"
import { describe, expect, test } from "vitest"
import { logisticRegression } from "../baselines.ts"
import {
  categorical,
  classes,
  fit,
  gaussian,
  gaussianKind,
  independent,
  linear,
  mixture,
  multinomial,
  normal,
  plate,
  poisson,
  specify,
} from "../index.ts"
import { sdem } from "../learn.ts"
import { loadPredictor } from "../predict.ts"

const rows = Array.from({ length: 60 }, (_, i) => ({
  species: ["Adelie", "Gentoo", "Chin strap"][i % 3],
  island: i % 2 === 0 ? "Biscoe" : "Dream",
  length: 40 + (i % 3) * 5 + (i % 7),
  depth: 18 - (i % 3) + (i % 5),
  eggs: i % 4,
}))
const model = classes(
  "species",
  independent(normal(["length", "depth"]), { island: categorical(), eggs: poisson() }),
)

describe("console.log of a fitted model", () => {
  test("says what it predicts, how it was learned, its parts and its size", async () => {
    const fitted = await fit(model, rows)
    expect(inspect(fitted)).toMatchInlineSnapshot(`
      "Fitted: predicts species. Learned from 60 rows by em in 1 step, seed 0.
        classes      species: Adelie 33.3 %, "Chin strap" 33.3 %, Gentoo 33.3 %
        normal       (length, depth), in each of 3 contexts
        categorical  island (2 levels), in each of 3 contexts
        poisson      eggs, in each of 3 contexts
        objective    -518.375, log-likelihood -427.673; 23 free parameters"
    `)
    expect(`${fitted}`).toBe(inspect(fitted))
  })

  test("a mixture has no target; its components are hidden", async () => {
    const fitted = await fit(mixture(2, independent({ length: gaussian(), depth: gaussian() })), rows)
    expect(inspect(fitted)).toMatchInlineSnapshot(`
      "Fitted: no target. Learned from 60 rows by em in 45 steps, seed 0.
        mixture    2 components: 57.7 %, 42.3 %
        gaussian   length, depth, in each of 2 contexts
        objective  -331.014, log-likelihood -279.608; 9 free parameters"
    `)
  })

  test("parts inside others say in how many contexts; a stochastic learner has no likelihood of all rows", async () => {
    const body = independent({ length: gaussian(), depth: gaussian() })
    const fitted = await fit(classes("species", mixture(2, body)), rows, { learner: sdem({ epochs: 2 }) })
    expect(inspect(fitted)).toMatchInlineSnapshot(`
      "Fitted: predicts species. Learned from 60 rows by sdem in 2 steps, seed 0.
        classes    species: Adelie 33.4 %, "Chin strap" 33.4 %, Gentoo 33.2 %
        mixture    2 components, in each of 3 contexts
        gaussian   length, depth, in each of 6 contexts
        objective  -15.7694; 29 free parameters"
    `)
  })

  test("a body for each level, a regression, steps and words", async () => {
    const body = () =>
      independent(
        { text: multinomial(), age: gaussian() },
        linear("size", ["age"]),
        plate("links", independent({ host: categorical() })),
      )
    const mails = Array.from({ length: 20 }, (_, i) => ({
      kind: i % 2 === 0 ? "spam" : "ham",
      text: i % 2 === 0 ? "free money" : "lunch at noon",
      age: i % 5,
      size: 3 * (i % 5) + (i % 3),
      links: [{ host: "a" }, { host: i % 3 === 0 ? "b" : "a" }],
    }))
    const fitted = await fit(classes("kind", { ham: body(), spam: body() }), mails)
    expect(inspect(fitted)).toMatchInlineSnapshot(`
      "Fitted: predicts kind. Learned from 20 rows by em in 1 step, seed 0.
        classes      kind: ham 50.0 %, spam 50.0 %
        multinomial  text (5 words)
        gaussian     age
        categorical  host (2 levels), in the steps of links
        linear       size given age
        objective    -218.526, log-likelihood -145.279; 21 free parameters"
    `)
  })

  test("stays short, whatever the size of the model, and shows no array", async () => {
    const names = Array.from({ length: 300 }, (_, j) => `x${j}`)
    const wide = Array.from({ length: 40 }, (_, i) =>
      Object.fromEntries([["y", `level ${i % 20}`], ...names.map((name, j) => [name, (i * j) % 7])]),
    )
    const cells = Object.fromEntries(names.map(name => [name, gaussian()]))
    const text = inspect(await fit(classes("y", independent(cells)) as never, wide as never))
    expect(text).toMatchInlineSnapshot(`
      "Fitted: predicts y. Learned from 40 rows by em in 1 step, seed 0.
        classes    y: "level 0" 5.0 %, "level 1" 5.0 %, "level 10" 5.0 %, "level 11" 5.0 % and 16 more
        gaussian   x0, x1, x2, x3 and 296 more, in each of 20 contexts
        objective  -95583.5, log-likelihood -20510.8; 12,019 free parameters
        notes      294, in diagnostics"
    `)
  })

  test("what was specified was not learned", () => {
    const fitted = specify(independent({ x: gaussian() }), { x: { family: "gaussian", mean: 0, sd: 1 } })
    expect(inspect(fitted)).toMatchInlineSnapshot(`
      "Fitted: no target. Specified, not learned.
        gaussian  x
        size      2 free parameters"
    `)
  })
})

test("a predictor only says what it predicts: pages carry it", async () => {
  const fitted = await fit(classes("species", independent({ length: gaussian() })), rows)
  const predictor = loadPredictor(JSON.parse(JSON.stringify(fitted)), { families: [gaussianKind] })
  expect(inspect(predictor)).toMatchInlineSnapshot(`"Predictor of species"`)
})

test("a baseline says how it was learned, and how far it got", async () => {
  const classifier = await logisticRegression().fit(model, rows)
  expect(inspect(classifier)).toMatchInlineSnapshot(`
    "logisticRegression: predicts species. Learned from 60 rows in 33 iterations, converged.
      levels     Adelie, "Chin strap", Gentoo
      features   5
      objective  30.0099"
  `)
})
