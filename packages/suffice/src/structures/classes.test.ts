import { describe, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import { lay, solve } from "../engine/lay.ts"
import { bernoulli } from "../families/bernoulli.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { fit } from "../fit/fit.ts"
import { em } from "../learners/em.ts"
import { classes, mixture } from "./classes.ts"
import { independent } from "./independent.ts"
import { normal } from "./normal.ts"

const x = independent({ x: gaussian() })
const loose = {
  classes: classes as (...args: unknown[]) => Model,
  mixture: mixture as (...args: unknown[]) => Model,
}

describe("a model of classes", () => {
  test("uses its label and the columns of its body, and its label is the target", () => {
    const model = classes("y", x)
    expect(model.target).toBe("y")
    expect(model.uses.map(({ column, role }) => [column, role])).toEqual([
      ["y", "label"],
      ["x", "cell"],
    ])
  })

  test("may be named after parts of an object's prototype", () => {
    const body = independent(Object.fromEntries([["constructor", gaussian()]]))
    const model = loose.classes(
      "__proto__",
      Object.fromEntries([
        ["toString", body],
        ["__proto__", body],
      ]),
    )
    const laid = lay(model, [
      { kind: "level", name: "__proto__", levels: ["toString", "__proto__"] },
      { kind: "number", name: "constructor", shift: 0, scale: 1, variance: 1 },
    ])
    const described = laid.root.describe(solve(laid, new Float64Array(laid.statistics).fill(1), 0).params, 0)
    expect(JSON.stringify(described)).toMatch(
      /^\{"__proto__":\{"probabilities":\{"toString":0.5\d*,"__proto__":0.5\d*\},"given":\{"toString":\{"constructor":/,
    )
  })

  test("copies the levels it is given", () => {
    const levels = ["a", "b"]
    const model = classes("y", x, { levels })
    levels.push("c")
    expect(model.uses[0].need).toEqual({ kind: "level", levels: ["a", "b"] })
    expect(model.spec.levels).toEqual(["a", "b"])
  })

  test("asks of a column what any of its bodies asks", () => {
    const common = loose.classes("y", { a: normal(["x"], { covariance: "identity" }), b: x })
    expect(common.uses.find(use => use.column === "x")?.need).toEqual({ kind: "number", scale: "common" })
    const declared = loose.classes("y", {
      a: independent({ u: categorical() }),
      b: independent({ u: categorical({ levels: [0, 1] }) }),
      c: independent({ u: bernoulli() }),
    })
    expect(declared.uses.find(use => use.column === "u")?.need).toEqual({
      kind: "level",
      levels: [0, 1],
      binary: true,
    })
    const label = loose.classes("y", { a: independent({ u: categorical() }, x), b: classes("u", x) })
    expect(label.uses.find(use => use.column === "u")?.role).toBe("label")
  })
})

describe("bodies that group their columns differently", () => {
  const identity = { covariance: "identity" } as const
  const both = normal(["x", "y"], identity)
  const apart = independent(normal(["x"], identity), normal(["y"], identity))
  const rows = Array.from({ length: 40 }, (_, i) => ({
    k: i % 2 ? "a" : "b",
    x: Math.sin(i) + (i % 2),
    y: 50 * Math.cos(3 * i),
  }))

  test("share one scale: what a row is worth in a body does not depend on their order", async () => {
    const ones = await fit(classes("k", { a: both, b: apart }), rows)
    const others = await fit(classes("k", { b: apart, a: both }), rows)
    const alone = await fit(classes("k", both), rows)
    const asked = [
      { k: "a", x: 3, y: 3 },
      { k: "b", x: 3, y: 3 },
      { k: null, x: 0, y: -70 },
    ] as never[]
    const expected = [...alone.logDensity(asked)]
    for (const fitted of [ones, others]) {
      fitted.logDensity(asked).forEach((value, i) => void expect(value).toBeCloseTo(expected[i], 9))
    }
  })

  test("spherical columns too, beside columns on scales of their own", async () => {
    const spherical = { covariance: "spherical" } as const
    const body = normal(["x", "y"], spherical)
    const other = independent(normal(["x"], spherical), { y: gaussian() })
    // a prior would differ: what lies within slots is asked of the slots of one body
    const options = { learner: em({ prior: 0 }) }
    const ones = await fit(classes("k", { a: body, b: other }), rows, options)
    const others = await fit(classes("k", { b: other, a: body }), rows, options)
    const alone = await fit(classes("k", body), rows, options)
    const asked = [{ k: "a", x: 3, y: 3 }] as never[]
    for (const fitted of [ones, others]) {
      expect(fitted.logDensity(asked)[0]).toBeCloseTo(alone.logDensity(asked)[0], 9)
    }
  })

  test("groups that overlap are united, also through a third, at any depth", () => {
    const pair = (u: string, v: string, w: string): Model =>
      independent(normal([u, v], identity), independent({ [w]: gaussian() }))
    const nested = loose.mixture([pair("x", "y", "z"), pair("z", "y", "x")])
    const model = loose.classes("k", { a: independent(normal(["x", "y", "z"])), b: nested })
    const groups = model.uses.flatMap(use => (use.role === "cell" ? [use.group] : []))
    expect(groups).toHaveLength(3)
    expect(new Set(groups).size).toBe(1)
    const untouched = loose.mixture([pair("x", "y", "z"), pair("x", "y", "z")])
    const [x, y, z] = untouched.uses.map(use => use.group)
    expect([x === y, y === z, z]).toEqual([true, false, '["z"]'])
    const names = Array.from({ length: 10_000 }, (_, j) => `x${j}`)
    const together = normal(names, identity) as Model
    const apart = independent(...names.map(name => normal([name], identity))) as Model
    for (const bodies of [
      { a: together, b: apart },
      { a: apart, b: together },
    ]) {
      const { uses } = loose.classes("k", bodies)
      expect(new Set(uses.flatMap(use => (use.role === "cell" ? [use.group] : []))).size).toBe(1)
    }
  })
})

describe("a mixture", () => {
  test("has the columns of its body and, if named, a hidden one", () => {
    expect(mixture(2, x).uses.map(({ column, role }) => [column, role])).toEqual([["x", "cell"]])
    expect(mixture(2, x, { name: "z" }).uses.map(({ column, role }) => [column, role])).toEqual([
      ["z", "hidden"],
      ["x", "cell"],
    ])
  })

  test("is called by its columns if it has no name", () => {
    const columns = ["a", "b", "c", "d"].map(
      name => ({ kind: "number", name, shift: 0, scale: 1, variance: 1 }) as const,
    )
    const called = (names: readonly string[]): string => {
      const body = independent(Object.fromEntries(names.map(name => [name, gaussian()])))
      return lay(mixture(2, body) as Model, columns).switches[0].column
    }
    expect(called(["a", "b", "c"])).toBe("mixture(a, b, c)")
    expect(called(["a", "b", "c", "d"])).toBe("mixture(a, b, c, …)")
  })

  test("keeps the target of its body", () => {
    expect(mixture(2, classes("y", x)).target).toBe("y")
    expect(mixture(2, x).target).toBeUndefined()
  })
})

describe("refused are", () => {
  test("a label that is also a feature", () => {
    expect(() => classes("x", x)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: the label "x" is also a feature of the body. A label that explains itself teaches nothing. Leave it out of the body.]`,
    )
    expect(() => classes("y", classes("y", x))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: the label "y" is also a feature of the body. A label that explains itself teaches nothing. Leave it out of the body.]`,
    )
    expect(() => mixture(2, x, { name: "x" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: the name "x" is also a column of the body. The component needs a name of its own. Choose another.]`,
    )
  })

  test("a label that is no name", () => {
    expect(() => loose.classes(3, x)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: the label is 3. It is the name of a column. Write for example classes("species", body).]`,
    )
    expect(() => loose.mixture(2, x, { name: 3 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: name is 3. It is text, to ask for the component by. Leave it out for a mixture without a name.]`,
    )
  })

  test("levels that repeat, or are none", () => {
    expect(() => classes("y", x, { levels: ["a", "b", "a"] })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: levels of "y" has "a" twice. Each level stands once, and 1 is the same as "1". Remove the repetition.]`,
    )
    expect(() => classes("y", x, { levels: [1, "1"] })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: levels of "y" has "1" twice. Each level stands once, and 1 is the same as "1". Remove the repetition.]`,
    )
    expect(() => classes("y", x, { levels: [] })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: levels of "y" is a list of 0. It lists text, booleans or finite numbers, at least one. Leave it out to take the levels of the data.]`,
    )
    expect(() => loose.classes("y", x, { levels: "abc" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: levels of "y" is "abc". It lists text, booleans or finite numbers, at least one. Leave it out to take the levels of the data.]`,
    )
    expect(() => loose.classes("y", x, { levels: ["a", null] })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: levels of "y" has null at 1. It lists text, booleans or finite numbers, at least one. Leave it out to take the levels of the data.]`,
    )
  })

  test("bodies for other levels than those declared", () => {
    expect(() =>
      loose.classes("y", { a: x, b: x }, { levels: ["a", "c"] }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: "y" has bodies for "a" and "b" but levels "a" and "c". Each level needs a body of its own. Name the same levels in both.]`,
    )
  })

  test("no body, or what is no body", () => {
    expect(() => loose.classes("y")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes("y"): the body is undefined. It needs a model. Write for example independent({ x: gaussian() }).]`,
    )
    expect(() => loose.classes("y", {})).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes("y"): the body is undefined. It needs a model. Write for example independent({ x: gaussian() }).]`,
    )
    expect(() => loose.classes("y", gaussian())).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes("y"): the body is a family without a column. It needs a model. Write for example independent({ x: gaussian() }).]`,
    )
    expect(() => loose.classes("y", { a: x, b: undefined })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes("y"): the body of "b" is undefined. It needs a model. Write for example independent({ x: gaussian() }).]`,
    )
    expect(() => loose.mixture(2)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: the body is undefined. It needs a model. Write for example independent({ x: gaussian() }).]`,
    )
    expect(() => loose.mixture([x, 5])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: body 1 is 5. It needs a model. Write for example independent({ x: gaussian() }).]`,
    )
    expect(() => loose.mixture([x, x], x)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: a list of bodies is followed by another body. The list says everything. Write mixture([a, b], undefined, options), or mixture(2, body, options).]`,
    )
  })

  test("a number of components that is none", () => {
    expect(() => mixture(0, x)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: the components are 0. It takes a whole number from 1 to 1000000, or a list of bodies. Write for example mixture(3, body).]`,
    )
    expect(() => mixture(2.5, x)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: the components are 2.5. It takes a whole number from 1 to 1000000, or a list of bodies. Write for example mixture(3, body).]`,
    )
    expect(() => mixture(Number.NaN, x)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: the components are NaN. It takes a whole number from 1 to 1000000, or a list of bodies. Write for example mixture(3, body).]`,
    )
    expect(() => mixture(-1, x)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: the components are -1. It takes a whole number from 1 to 1000000, or a list of bodies. Write for example mixture(3, body).]`,
    )
    expect(() => mixture(1e9, x)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: the components are 1000000000. It takes a whole number from 1 to 1000000, or a list of bodies. Write for example mixture(3, body).]`,
    )
    expect(() => mixture([])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: the components are a list of 0. It takes a whole number from 1 to 1000000, or a list of bodies. Write for example mixture(3, body).]`,
    )
    expect(() => loose.mixture("3", x)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: the components are "3". It takes a whole number from 1 to 1000000, or a list of bodies. Write for example mixture(3, body).]`,
    )
  })

  test("bodies with different columns", () => {
    const other = independent({ x: gaussian(), z: gaussian() })
    expect(() => loose.classes("y", { a: x, b: other })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes("y"): the body of "b" has the column "z", the body of "a" does not. Likelihoods of different columns cannot be compared. Give every body the same columns.]`,
    )
    expect(() => loose.classes("y", { a: other, b: x })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes("y"): the body of "a" has the column "z", the body of "b" does not. Likelihoods of different columns cannot be compared. Give every body the same columns.]`,
    )
    expect(() => loose.mixture([x, other])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: body 1 has the column "z", body 0 does not. Likelihoods of different columns cannot be compared. Give every body the same columns.]`,
    )
  })

  test("a column that is a density in one body and a mass in another", () => {
    const u = independent({ x: categorical() })
    // a family of one's own: over numbers too, but no density
    const steps = independent({ x: { ...gaussian(), name: "steps", measure: "mass" } })
    expect(() => loose.classes("y", { a: x, b: steps })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes("y"): column "x" is a density over numbers in the body of "a" and a mass over numbers in the body of "b". They cannot be compared. Give the column the same kind of family in every body.]`,
    )
    expect(() => loose.classes("y", { a: x, b: u })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes("y"): column "x" is a density over numbers in the body of "a" and a mass over levels in the body of "b". They cannot be compared. Give the column the same kind of family in every body.]`,
    )
    expect(() => loose.mixture([u, independent({ x: multinomial() })])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: column "x" is a mass over levels in body 0 and a mass over bags in body 1. They cannot be compared. Give the column the same kind of family in every body.]`,
    )
  })

  test("a column that two bodies read in two ways", () => {
    const words = (lowercase: boolean) => independent({ w: multinomial({ lowercase }) })
    const level = (...levels: string[]) => independent({ u: categorical({ levels }) })
    expect(() => loose.mixture([words(true), words(false)])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: two parts give "w" different options for text. A column is held in one way. Give it the same in every part.]`,
    )
    expect(() =>
      loose.classes("y", { a: level("r", "s"), b: level("r") }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: two parts give "u" different levels. A column is held in one way. Give it the same in every part.]`,
    )
  })

  test("a prior that is none, and options that are none", () => {
    expect(() => classes("y", x, { prior: -1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: prior is -1. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.]`,
    )
    expect(() => mixture(2, x, { prior: Number.NaN })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: prior is NaN. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.]`,
    )
    expect(() => loose.classes("y", x, { level: ["a"] })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: there is no option "level". It knows "levels" and "prior". Did you mean "levels"?]`,
    )
    expect(() => loose.mixture(2, x, { names: "z" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: there is no option "names". It knows "name", "prior", "weights" and "concentration". Did you mean "name"?]`,
    )
  })

  test("a level without a body, where the same label has more levels elsewhere", () => {
    const model = loose.classes("y", { a: x, b: x })
    const columns = [
      { kind: "level", name: "y", levels: ["a", "b", "c"] },
      { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
    ] as const
    expect(() => lay(model, columns)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: one body of "y" is missing: the levels "a" and "b" have one, "c" has none. Each level needs a body of its own. Name the same levels wherever "y" stands.]`,
    )
  })
})
