import { describe, expect, test } from "vitest"
import { choose } from "../choose/choose.ts"
import { crossValidate } from "../choose/cross-validate.ts"
import type { Row } from "../contract/cells.ts"
import { fit } from "../fit/fit.ts"
import { load } from "../fit/load.ts"
import { dice } from "../random.ts"
import { candidates, candidatesOf } from "./candidates.ts"
import { modelNamed } from "./presets.ts"

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

describe("a tree of columns with levels", () => {
  /** Neither a nor b tells y: whether they are the same does. */
  const paired = Array.from({ length: 240 }, (_, i) => {
    const roll = dice([7, i])
    const a = roll.uniform() < 0.5 ? "yes" : "no"
    const b = roll.uniform() < 0.5 ? "yes" : "no"
    const isTold = roll.uniform() < 0.9
    return { y: (a === b) === isTold ? "same" : "other", a, b, x: roll.normal() }
  })

  test("two of them may depend on each other, one cannot", async () => {
    expect(names(paired, { label: "y" })).toContain("tan")
    expect(names(rows, { label: "kind" })).not.toContain("tan")
    const body = (await import("../auto.ts")).auto(rows, { except: ["kind"] })
    expect(() => modelNamed({ model: "tan" }, "kind", body)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: "tan" is a tree of columns with levels, and there is one of them beside the label. Two at least can depend on each other. Take "naive-bayes" or "lda", or give another column levels.]`,
    )
  })

  test("is chosen where columns tell the label only together, with the arrow that all rows show", async () => {
    const tried = candidates(paired, { label: "y" })
      .filter(({ name }) => ["base-rate", "naive-bayes", "tan"].includes(name))
      .map(one => ({ ...one, learners: { counting: one.learners!.counting } }))
    const { model, fitted } = await choose(tried, paired as never, { target: "y" })
    expect(model).toBe("tan")
    expect(JSON.stringify(fitted.model.spec)).toContain('{"name":"b","parents":["a"]')
    // what was found is a model like any other: missing levels are summed out
    const [{ probabilities }] = load(JSON.stringify(fitted)).predict([
      { a: "yes", b: null, x: 0 },
    ] as never) as never as [{ probabilities: Record<string, number> }]
    expect(probabilities.same).toBeGreaterThan(0.3)
    expect(probabilities.same).toBeLessThan(0.7)
  })

  test("is found in the rows that are learned from, in those of each fold", async () => {
    const { model } = candidates(paired, { label: "y" }).find(({ name }) => name === "tan")!
    const seen: number[] = []
    const watched: typeof model = {
      ...model,
      find: (data, options) => {
        seen.push((data as readonly Row[]).length)
        return model.find!(data, options)
      },
    }
    await crossValidate(watched, paired as never, { folds: 4 } as never)
    expect(seen).toEqual([180, 180, 180, 180])
  })

  test("is not found in a stream", async () => {
    const { model } = candidates(paired, { label: "y" }).find(({ name }) => name === "tan")!
    async function* once() {
      yield paired
    }
    await expect(fit(model, once() as never)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: fit: the arrows of this model are found in rows before it is learned, and a stream comes only once. Fit it to rows that can be read again, and learn \`fitted.model\` from the stream.]`,
    )
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
    const body = (await import("../auto.ts")).auto(rows, { except: [label] })
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
