import { describe, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import { SufficeError } from "../errors.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { families } from "../families/list.ts"
import { specify } from "../fit/specify.ts"
import { classes, mixture } from "./classes.ts"
import { independent } from "./independent.ts"
import { within } from "./kind.ts"
import { largeStructures } from "./large.ts"
import { reviveModel } from "./list.ts"
import { normal } from "./normal.ts"

const revival = { families: new Map(families.map(kind => [kind.name, kind])), most: 100 }
const body = independent({ x: gaussian({ prior: 2 }), s: categorical({ levels: ["a", "b"] }) })
const x = independent({ x: gaussian() })

const MODELS: Record<string, Model> = {
  independent: body,
  "independent of models": independent(normal(["u", "v"], { covariance: "diag" }), { s: categorical() }),
  classes: classes("y", body, { prior: 0.5 }),
  "classes with levels": classes("y", body, { levels: [3, 1, 2] }),
  "classes with bodies": classes("y", { 2: x, 1: mixture(2, x) }, { levels: [2, 1] }),
  mixture: mixture(3, body, { prior: 2 }),
  "a named mixture": mixture(3, body, { name: "part" }),
  "a mixture of bodies": mixture([x, mixture(2, x)]),
}

describe("a spec becomes the model it was written by", () => {
  test.each(Object.entries(MODELS))("%s", (_name, model) => {
    const revived = reviveModel(JSON.parse(JSON.stringify(model.spec)), revival, largeStructures)
    const { lay: _lay, ...declared } = revived
    const { lay: _layToo, ...original } = model
    expect(declared).toStrictEqual(original)
  })
})

test("a body belongs to the level it is named for, whatever the order of the levels", () => {
  const parts = {
    probabilities: { 0: 0.5, 1: 0.5 },
    given: { 0: { x: { mean: 0, sd: 1 } }, 1: { x: { mean: 9, sd: 1 } } },
  }
  const model = classes("y", { ash: x, birch: mixture(2, x) } as Record<string, Model>, {
    levels: ["birch", "ash"],
  })
  const specified = specify(model, {
    y: {
      probabilities: { ash: 0.5, birch: 0.5 },
      given: { ash: { x: { mean: 5, sd: 1 } }, birch: { "mixture(x)": parts } },
    },
  })
  expect(specified.describe()).toMatchObject({
    y: { given: { ash: { x: { family: "gaussian" } }, birch: { "mixture(x)": {} } } },
  })
})

test("whatever a family's maker throws is an error of the file", () => {
  const thrown = (value: unknown) => () =>
    within("model.options", () => {
      throw value
    })
  expect(thrown(new TypeError("no such thing"))).toThrow(SufficeError)
  expect(thrown(new TypeError("no such thing"))).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: the model file cannot be used at model.options: no such thing]`,
  )
  expect(thrown("a string")).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: the model file cannot be used at model.options: a string]`,
  )
})
