import { describe, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import type { Fitted } from "../fit/fitted.ts"
import { classes, fit, gaussian, independent, mixture } from "../index.ts"

const rows = Array.from({ length: 60 }, (_, i) => ({
  y: i % 2 === 0 ? "a" : "b",
  x: (i % 3) * 10 + ((i * 7) % 5) / 5,
  z: (i % 2) * 8 + ((i * 3) % 7) / 7,
}))
const learned = (model: unknown): Promise<Fitted> => fit(model as Model, rows as never) as Promise<Fitted>
const x = independent({ x: gaussian() })

test("of the one hidden switch are the posterior of its component: rows × components, each row adding up to 1", async () => {
  const fitted = await learned(mixture(3, x))
  const found = fitted.responsibilities(rows)
  expect(found).toHaveLength(180)
  for (let i = 0; i < 60; i++) {
    const row = [...found.slice(i * 3, i * 3 + 3)]
    expect(row.reduce((sum, r) => sum + r, 0)).toBeCloseTo(1, 12)
    expect(Math.max(...row)).toBeGreaterThan(0.99)
  }
  expect(found).toEqual(fitted.posterior(rows, { target: "mixture(x)" }).probabilities)
})

test("are asked for by name, given the label where it is seen", async () => {
  const fitted = await learned(classes("y", mixture(3, x, { name: "part" })))
  const named = fitted.responsibilities(rows, { of: "part" })
  expect(named).toEqual(fitted.responsibilities(rows))
  expect(named).toEqual(fitted.posterior(rows, { target: "part" }).probabilities)
})

test("of nested mixtures without names are those of the outermost", async () => {
  const fitted = await learned(mixture(2, mixture(3, x)))
  expect(fitted.responsibilities(rows)).toHaveLength(120)
  expect(fitted.posterior(rows, { target: "mixture(x)" }).levels).toEqual([0, 1])
})

describe("refused is", () => {
  test("a model without hidden switches", async () => {
    const fitted = await learned(classes("y", x))
    expect(() => fitted.responsibilities(rows)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no hidden switch. Responsibilities are the posterior of a mixture's component. Use posterior() for a label.]`,
    )
  })
  test("a question about one of several that does not say which", async () => {
    const fitted = await learned(
      independent(mixture(2, x, { name: "first" }), mixture(2, independent({ z: gaussian() }))),
    )
    expect(() => fitted.responsibilities(rows)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has 2 hidden switches: "first" and "mixture(z)". Which one is meant cannot be guessed. Name it: responsibilities(rows, { of: … }).]`,
    )
    expect(() => fitted.responsibilities(rows, { of: "second" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no hidden switch "second". It has "first" and "mixture(z)". Name one of them.]`,
    )
    expect(fitted.responsibilities(rows, { of: "mixture(z)" })).toHaveLength(120)
  })
})
