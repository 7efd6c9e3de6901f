import { describe, expect, test } from "vitest"
import { candidates, candidatesOf } from "./candidates.ts"
import type { Row } from "./contract/cells.ts"
import { fit } from "./fitted/fit.ts"
import { modelNamed } from "./presets.ts"
import { dice } from "./random.ts"

const roll = dice(1)
const rows = Array.from({ length: 200 }, (_, i) => ({
  kind: ["a", "b", "c"][i % 3],
  size: i % 10 === 0 ? null : roll.normal(),
  age: roll.normal(),
  visits: roll.poisson(3),
  colour: ["red", "blue"][i % 2],
}))
const names = (data: readonly Row[], options: Parameters<typeof candidates>[1]) =>
  candidates(data, options).map(({ name }) => name)

describe("a label with levels", () => {
  test("the base rate first, then from the simplest, each by counting and by sdEM with either loss", () => {
    const found = candidates(rows, { label: "kind" })
    expect(found.map(({ name }) => name)).toEqual([
      "base-rate",
      "naive-bayes",
      "naive-bayes-normal",
      "diagonal",
      "lda",
      "qda",
      "mixture-per-class-2",
      "mixture-per-class-4",
      "mixture-lda-2",
    ])
    expect(Object.keys(found[0].learners!)).toEqual(["counting"])
    for (const { learners } of found.slice(1)) {
      expect(Object.keys(learners!)).toEqual(["counting", "ncll", "hinge"])
    }
    // choose finds the temperature: a descent of its own for it would be wasted
    expect(found[1].learners!.hinge.options.calibrate).toBe(false)
  })

  test("no counts: no second naive Bayes; few rows: no mixtures; one number: no covariance; text: words alone", () => {
    const levels = rows.map(({ kind, colour, age }) => ({ kind, colour, age }))
    expect(names(levels.slice(0, 30), { label: "kind" })).toEqual(["base-rate", "naive-bayes", "diagonal"])
    const texts = rows.map(({ kind }, i) => ({ kind, text: `some words of row ${i}` }))
    expect(names(texts, { label: "kind" })).toEqual(["base-rate", "naive-bayes"])
  })
})

describe("a number", () => {
  test("its own normal, a normal with holes, each by the levels of a column, mixtures; a line where nothing is missing", () => {
    expect(names(rows, { label: "age" })).toEqual([
      "base-rate-normal",
      "normal",
      "normal by colour",
      "normal by kind",
      "normal by colour and kind",
      "mixture-normal 2",
      "mixture-normal 4",
    ])
    const whole = rows.map(row => ({ ...row, size: row.size ?? 0 }))
    expect(names(whole, { label: "age" })).toEqual(
      expect.arrayContaining(["linear", "linear by colour and kind"]),
    )
  })

  test("few numbers are tried both ways, unless it is said what they are", () => {
    const rated = rows.map((row, i) => ({ ...row, rating: i % 5 }))
    expect(names(rated, { label: "rating" })).toEqual(expect.arrayContaining(["naive-bayes", "normal"]))
    expect(names(rated, { label: "rating", kind: "levels" })).not.toContain("normal")
    expect(names(rated, { label: "rating", kind: "number" })).not.toContain("naive-bayes")
    expect(
      names(
        rated.map(row => ({ ...row, rating: row.rating % 2 })),
        { label: "rating" },
      ),
    ).not.toContain("normal")
  })
})

test("every candidate can be learned, and its preset makes it again", async () => {
  for (const label of ["kind", "age"]) {
    const found = candidates(rows, { label })
    const body = (await import("./auto.ts")).auto(rows, { except: [label] })
    const facts = {
      label,
      kind: "levels" as const,
      rows: 200,
      levels: 3,
      holes: new Set<string>(),
      levelsOf: new Map(),
    }
    expect(candidatesOf(body, facts).length).toBeGreaterThan(0)
    for (const { preset, model, learners } of found) {
      expect(modelNamed(preset, label, body).spec).toEqual(model.spec)
      const [simplest] = Object.values(learners!)
      const fitted = await fit(model, rows as never, { learner: simplest })
      expect(fitted.withTarget(label).predict(rows.slice(0, 2) as never)).toHaveLength(2)
    }
  }
})

test("a label that is not there, and a kind that is none", () => {
  expect(() => candidates(rows, { label: "kin" })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: candidates: label names "kin", which is no column. The data has "kind", "size", "age", "visits" and "colour". Did you mean "kind"?]`,
  )
  expect(() => candidates(rows, { label: "kind", kind: "code" as never })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: candidates: kind is "code". It must be one of "levels", "number" and "either". Leave it out to find it.]`,
  )
})
