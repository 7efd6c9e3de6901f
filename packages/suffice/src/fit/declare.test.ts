import { expect, test } from "vitest"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { normal } from "../structures/normal.ts"
import { declare } from "./declare.ts"
import { fit } from "./fit.ts"

const model = classes(
  "y",
  independent(mixture(2, normal(["a", "b"], { covariance: "diag" })), {
    c: categorical(),
    n: gaussian({ variance: "tied" }),
    w: multinomial({ words: ["x", "y"] }),
  }),
)

test("a model declared from its own spec has the same spec", () => {
  const again = declare(JSON.parse(JSON.stringify(model.spec)))
  expect(again.spec).toEqual(model.spec)
  expect(again.uses).toEqual(model.uses)
  expect(again.target).toBe("y")
})

test("it learns what the model in code learns, to the bit", async () => {
  const rows = [
    { y: "u", x: 1 },
    { y: "u", x: 3 },
    { y: "v", x: 4.5 },
    { y: "v", x: 7 },
  ]
  const plain = classes("y", independent({ x: gaussian() }))
  const spec: unknown = JSON.parse(JSON.stringify(plain.spec))
  expect(JSON.stringify(await fit(declare(spec), rows))).toBe(JSON.stringify(await fit(plain, rows)))
})

test("what is no model is refused where it goes wrong", () => {
  expect(() => declare(7)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: the model file has 7 at model, where a model belongs. It was damaged, or changed by hand. Save the model again, or undo the change.]`,
  )
  expect(() => declare({ kind: "forest" })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: the model file has the structure "forest" at model.kind, which is not known here: "leaf", "independent", "classes", "mixture", "plate", "chain", "network", "dynamicNetwork" and "window" are. It was damaged, or written by another Suffice. Update Suffice, or save the model again.]`,
  )
})
