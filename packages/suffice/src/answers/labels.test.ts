import { describe, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import type { Fitted } from "../fit/fitted.ts"
import { categorical, classes, dice, em, fit, gaussian, independent, mixture, normal } from "../index.ts"
import { useKernels } from "../kernels.ts"
import { calibrate } from "../measure.ts"

const thrown = dice(4)
const rows = Array.from({ length: 700 }, (_, i) => {
  const y = ["a", "b", "c"][i % 3]
  return {
    y,
    x: (i % 3) + thrown.normal(),
    z: i % 7 === 0 ? null : (i % 2) - thrown.normal(),
    u: ["r", "s", "t"][thrown.integer(3)],
  }
})
const learned = (model: unknown): Promise<Fitted> => fit(model as Model, rows as never) as Promise<Fitted>
const bodies = {
  naive: independent({ x: gaussian(), z: gaussian(), u: categorical() }),
  "with a matrix each": normal(["x", "z"]),
  "with a common matrix": normal(["x", "z"], { covariance: "tied" }),
  "with a hidden switch": mixture(2, independent({ x: gaussian(), u: categorical() })),
}
const valuesOf = (fitted: Fitted, data: unknown, options: object = {}) =>
  fitted.predict(data as never, options as never).map(answer => (answer as { value: unknown }).value)

describe("labels are the values that predict names", () => {
  for (const [name, body] of Object.entries(bodies)) {
    test.each(["wasm", "typescript"] as const)(`${name}, by kernels in %s`, async kernels => {
      try {
        useKernels(kernels)
        const fitted = await learned(classes("y", body))
        expect(new Set(fitted.labels(rows)).size).toBe(3)
        expect(fitted.labels(rows)).toEqual(valuesOf(fitted, rows))
        expect(rows.map(row => fitted.labels([row])[0])).toEqual(fitted.labels(rows))
      } finally {
        useKernels("wasm")
      }
    })
  }

  test("of any column with levels", async () => {
    const fitted = await learned(classes("y", bodies.naive))
    expect(fitted.labels(rows, { target: "u" })).toEqual(valuesOf(fitted, rows, { target: "u" }))
  })

  test("under other shares of the classes, and weights on them", async () => {
    const fitted = await learned(classes("y", bodies.naive))
    const rare = { prior: { a: 0.9, b: 0.05, c: 0.05 }, classWeights: { c: 3 } }
    expect(fitted.labels(rows, rare)).toEqual(valuesOf(fitted, rows, rare))
    expect(fitted.labels(rows, rare)).not.toEqual(fitted.labels(rows))
  })

  test("after calibration, which may change them", async () => {
    const fitted = await learned(classes("y", bodies.naive))
    const calibrated = fitted.calibrated(calibrate(fitted, rows as never, { method: "isotonic" }))
    expect(calibrated.labels(rows)).toEqual(valuesOf(calibrated, rows))
  })

  test("and of a row that is impossible under every level, the first", async () => {
    const apart = [
      { y: "a", u: "r", v: "r" },
      { y: "b", u: "s", v: "s" },
    ]
    const body = independent({ u: categorical(), v: categorical() })
    const known = await fit(classes("y", body), apart, { learner: em({ prior: 0 }) })
    const strange = [{ u: "r", v: "s" }]
    expect(known.logDensity(strange)[0]).toBe(-Infinity)
    expect(known.labels(strange)).toEqual(known.predict(strange).map(({ value }) => value))
  })
})

test("an option that is none is named", async () => {
  const fitted = await learned(classes("y", bodies.naive))
  expect(() => fitted.labels(rows, { coverage: 0.9 } as never)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: labels: there is no option "coverage". It knows "target", "prior" and "classWeights". Leave it out.]`,
  )
})
