import { describe, expect, test } from "vitest"
import { evaluate } from "../answers/evaluate.ts"
import { gaussian } from "../families/gaussian.ts"
import { fit } from "../fit/fit.ts"
import { em } from "../learners/em.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { normal } from "../structures/normal.ts"
import { crossValidate } from "./cross-validate.ts"
import { folds } from "./split.ts"

const d = dice(31)
const ROWS = Array.from({ length: 150 }, (_, i) => {
  const y = i % 3 === 0 ? "a" : "b"
  const x = (y === "a" ? 0 : 2) + d.normal()
  return { y, x, z: x + d.normal(), ward: `w${i % 7}`, day: i, w: 1 + d.integer(3) }
})
const model = classes("y", independent({ x: gaussian(), z: gaussian() }))

test("each fold is evaluated by a model that learned from the others", async () => {
  const found = await crossValidate(model, ROWS, { folds: 4, seed: 2 })
  const parts = folds(ROWS, 4, { seed: 2, stratify: "y" })
  for (const [f, { train, test }] of parts.entries()) {
    expect(found.folds[f]).toEqual(evaluate(await fit(model, train, { seed: 2 }), test))
  }
  const mean = (values: number[]): number => values.reduce((a, b) => a + b) / values.length
  const each = found.folds.map(fold => fold.logLoss)
  expect(found.logLoss.mean).toBeCloseTo(mean(each), 14)
  const sd = Math.sqrt(each.reduce((sum, x) => sum + (x - mean(each)) ** 2, 0) / 3)
  expect(found.logLoss.standardError).toBeCloseTo(sd / 2, 14)
  expect(found.accuracy.mean).toBeCloseTo(mean(found.folds.map(fold => fold.accuracy)), 14)
  expect(found.brier.mean).toBeCloseTo(mean(found.folds.map(fold => fold.brier)), 14)
})

test("pooled, every row is judged once", async () => {
  const found = await crossValidate(model, ROWS, { folds: 3 })
  expect(found.pooled.rows).toBe(150)
  const right = found.folds.reduce((sum, fold) => sum + fold.accuracy * fold.rows, 0)
  expect(found.pooled.accuracy).toBeCloseTo(right / 150, 12)
  expect(found.pooled.confusion.counts.flat().reduce((a, b) => a + b)).toBe(150)
})

test("without a word it is five folds, stratified by the label; columns give what rows give", async () => {
  const columns = Object.fromEntries(
    (["y", "x", "z"] as const).map(name => [name, ROWS.map(row => row[name])]),
  )
  const found = await crossValidate(model, ROWS)
  expect(found.folds.map(fold => fold.perLevel.a.support)).toEqual([10, 10, 10, 10, 10])
  expect(await crossValidate(model, columns as never)).toEqual(found)
  const plain = await crossValidate(model, ROWS, { stratify: false })
  expect(plain.folds.some(fold => fold.perLevel.a.support !== 10)).toBe(true)
})

test("groups stay together, and time runs forward", async () => {
  const grouped = await crossValidate(model, ROWS, { folds: 3, group: "ward" })
  expect(grouped.folds.reduce((sum, fold) => sum + fold.rows, 0)).toBe(150)
  const later = await crossValidate(model, ROWS, { folds: 4, time: "day" })
  expect(later.folds.map(fold => fold.rows)).toEqual([30, 30, 30, 30])
})

test("options of fit reach fit, weights weigh both sides", async () => {
  const steps: number[] = []
  const learner = em({ prior: 3 })
  const found = await crossValidate(model, ROWS, {
    folds: 2,
    learner,
    weight: "w",
    onStep: step => steps.push(step.rows),
  })
  expect(steps).toHaveLength(2)
  const [{ train, test }] = folds(ROWS, 2, { stratify: "y" })
  expect(found.folds[0]).toEqual(
    evaluate(await fit(model, train, { learner, weight: "w" }), test, { weight: "w" }),
  )
  const stop = AbortSignal.abort(new Error("enough"))
  await expect(crossValidate(model, ROWS, { signal: stop })).rejects.toThrow("enough")
})

test("a number as target has its own measures", async () => {
  const found = await crossValidate(normal(["x", "z"]), ROWS, { folds: 3, target: "z" })
  expect(found.pooled.kind).toBe("number")
  expect(found.rmse.mean).toBeCloseTo(1, 0)
  expect(found.coverage.mean).toBeGreaterThan(0.85)
  expect(found.logDensity.standardError).toBeGreaterThan(0)
})

test("a level met only in the test part is unseen there, and the log-loss says so", async () => {
  const rare = [...ROWS, { ...ROWS[0], y: "once" }]
  const found = await crossValidate(model, rare, { folds: 3 })
  expect(found.folds.filter(fold => fold.logLoss === Infinity)).toHaveLength(1)
  expect(found.logLoss).toEqual({ mean: Infinity, standardError: Infinity })
  expect(found.pooled.unseen).toEqual({ once: 1 })
  expect(found.accuracy.mean).toBeGreaterThan(0.7)
})

describe("what cannot be cross-validated is refused:", () => {
  test("no label and no target", async () => {
    const clusters = mixture(2, independent({ x: gaussian() }))
    await expect(crossValidate(clusters, ROWS)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: crossValidate: the model has no label, and no target is named. Rows that are held out are scored by how well a column is predicted. Name one of "x": { target: … }.]`,
    )
  })
  test("something that is no model", async () => {
    await expect(crossValidate({} as never, ROWS as never)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: fit: the model is an object with 0 keys. It must be made by classes, mixture, independent or normal. Write for example fit(independent({ x: gaussian() }), rows).]`,
    )
  })
  test("one fold, an unknown option, a target that is no name", async () => {
    await expect(crossValidate(model, ROWS, { folds: 1 })).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: folds: the number of folds is 1. Each row is tested by a model of the others, which takes at least two. Write for example folds(rows, 5).]`,
    )
    await expect(crossValidate(model, ROWS, { fold: 3 } as never)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: crossValidate: there is no option "fold". It knows "folds", "target", "stratify", "group", "time", "curves", "bootstrap", "learner" and 8 more. Did you mean "folds"?]`,
    )
    await expect(
      crossValidate(model, ROWS, { target: 3 as never }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: crossValidate: target is 3. It must name a column. Write for example { target: "y" }.]`,
    )
  })
  test("a misspelt target", async () => {
    await expect(
      crossValidate(model, ROWS, { target: "yy" as never }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: crossValidate: the model has no column "yy". It has "y", "x" and "z". Did you mean "y"?]`,
    )
  })
  test("a source", async () => {
    const source = (async function* (): AsyncGenerator<typeof ROWS> {})()
    await expect(crossValidate(model, source)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: crossValidate: the data is a source. All rows are needed at once. Read the source into rows first.]`,
    )
  })
})
