/** Chains in other threads, in files, and on pages. */
import { expect, test } from "vitest"
import type { Model } from "../../contract/model.ts"
import {
  categorical,
  categoricalKind,
  chain,
  chainKind,
  dice,
  em,
  fit,
  gaussian,
  gaussianKind,
  independent,
  load,
} from "../../index.ts"
import { loadPredictor } from "../../predict.ts"

const draws = dice(1)
const rows = Array.from({ length: 17_000 }, () => ({
  steps: Array.from({ length: 2 }, () => ({ x: draws.normal(), c: draws.uniform() < 0.5 ? "u" : "v" })),
}))
const few = rows.slice(0, 5) as never
const model = chain(3, independent({ x: gaussian(), c: categorical() })) as unknown as Model

test("two threads give the bits of one, and a file and a page what they were given", async () => {
  const learner = em({ maxIterations: 3 })
  const [one, two] = await Promise.all(
    [1, 2].map(threads => fit(model as never, rows as never, { threads, learner })),
  )
  expect(two.describe()).toEqual(one.describe())
  const json = JSON.stringify(one)
  expect(load(json).logDensity(few)).toEqual(one.logDensity(few))
  const families = [gaussianKind, categoricalKind]
  expect(() => loadPredictor(json, { families })).toThrow('the structure "chain" at model.kind')
  const page = loadPredictor(json, { families, structures: [chainKind] })
  expect(page.path(few)).toEqual(one.path(few))
  expect(() => loadPredictor(json, { families, structures: [3 as never] })).toThrow(
    "It takes a list of kinds of structures. Write for example { structures: [chainKind] }.",
  )
})
