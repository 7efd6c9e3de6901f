/**
 * Every family of the list, and every structure, wherever it is shown: described, in a sentence, in a picture of components, in the studio's tree, and as code that
 * declares the same model. A mean is that of `predict`.
 */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { componentsAnswer } from "../../packages/cli/src/components.ts"
import { linesOf, summaryOf } from "../../packages/cli/src/described.ts"
import { importsOf } from "../../packages/studio/src/bench/imports.ts"
import type { Cell } from "../../packages/suffice/src/contract/cells.ts"
import type { FamilyKind } from "../../packages/suffice/src/contract/family.ts"
import { structureGuides, trees } from "../../packages/suffice/src/declare/trees.ts"
import type { DescribedLeaf } from "../../packages/suffice/src/describe.ts"
import {
  alternatives,
  byColumn,
  codeOf,
  families,
  guideOf,
  guides,
  leafSpec,
  titleOf,
  treeOf,
} from "../../packages/suffice/src/describe.ts"
import * as core from "../../packages/suffice/src/index.ts"
import { largeStructures } from "../../packages/suffice/src/structures/large.ts"
import { kindsWith } from "../../packages/suffice/src/structures/list.ts"
import { generated, ROOT } from "../families/generated.ts"

const { before, bernoulli, categorical, chain, classes, declare, dice, fit, gaussian, given, hidden } = core
const { independent, mixture, multinomial, network, plate, window } = core

type Rows = Record<string, Cell>[]
const loose = (model: unknown) => model as core.LooseModel

/** Rows of a family with these options, which reads what the options name. */
function rowsOf({ specimens }: FamilyKind, i: number, reads: readonly string[]): Rows {
  const random = dice(i + 1)
  return Array.from({ length: 60 }, (_, r) => {
    const read = reads.map(() => random.normal())
    const cells = Object.fromEntries(reads.map((name, j) => [name, read[j]]))
    return { ...cells, x: specimens[i].cell(random, read), z: (r % 2) * 9 + random.normal() }
  })
}

/** What the code declares. */
function evaluated(code: string): { readonly spec: unknown } {
  const names = /import \{ (.*) \} from "suffice"/.exec(importsOf(code))?.[1].split(", ") ?? []
  const values = names.map(name => (core as unknown as Record<string, unknown>)[name])
  expect(values.filter(value => typeof value !== "function")).toEqual([])
  return new Function(...names, `return ${code}`)(...values)
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test("the list of guides is that of the families, and each has a title of its own", () => {
  expect(Object.keys(guides)).toEqual(families.map(({ name }) => name))
  const titles = families.map(({ name }) => guideOf(name).title)
  expect(titles.every(title => title.length > 5)).toBe(true)
  expect(new Set(titles).size).toBe(titles.length)
})

test("the kinds of families, and their makers, are exported", () => {
  const public_ = core as unknown as Record<string, unknown>
  for (const kind of families) {
    expect(public_[`${kind.name}Kind`], kind.name).toBe(kind)
    for (const maker of guideOf(kind.name).makers) expect(typeof public_[maker], maker).toBe("function")
  }
})

test("files that follow from the list are as `npm run docs:api` writes them", () => {
  for (const [path, text] of Object.entries(generated()))
    expect(readFileSync(join(ROOT, path), "utf8"), path).toBe(text)
})

describe.each(families.map(kind => [kind.name, kind] as const))("%s", (name, kind) => {
  const guide = guideOf(name)
  const isNumber = guide.columns[0] === "number" || guide.columns[0] === "count"
  const each = kind.specimens.map(({ options }, i) => {
    const reads = (options.on ?? []) as readonly string[]
    return { model: loose(declare(leafSpec(["x"], name, options))), rows: rowsOf(kind, i, reads) }
  })

  test("is described: a leaf with its parameters in a line", async () => {
    for (const { model, rows } of each) {
      const [leaf, ...rest] = (await fit(model, rows)).parts() as DescribedLeaf[]
      expect(rest).toEqual([])
      expect([leaf.part, leaf.name, leaf.columns, leaf.family]).toEqual(["parameters", "x", ["x"], name])
      expect(leaf.options).toEqual(model.spec.options)
      expect(summaryOf(leaf)).toMatch(/\d|true|false/)
      expect(summaryOf(leaf)).not.toMatch(/undefined|NaN|\[object/)
      expect(linesOf(leaf).map(({ column }) => column)).toEqual(["x"])
    }
  })

  test("has the mean and the spread that it predicts, or none", async () => {
    for (const { model, rows } of each) {
      const fitted = await fit(model, rows)
      const [leaf] = fitted.parts() as DescribedLeaf[]
      const [[, parameters]] = byColumn(leaf)
      const found = guide.mean(parameters, leaf.options)
      if (!isNumber || guide.line) expect(found).toBeUndefined()
      else {
        const [{ value, sd }] = fitted.predict([{}] as never, { target: "x" }) as never as [
          { value: number; sd: number },
        ]
        expect(found![0] / value).toBeCloseTo(1, 9)
        expect(found![1] / sd).toBeCloseTo(1, 9)
      }
    }
  })

  test("has its place in the picture of components", async () => {
    const [{ model, rows }] = each
    const fitted = await fit(loose(mixture(2, independent(model, { z: gaussian() }) as never)), rows)
    const columns = Object.fromEntries(Object.keys(rows[0]).map(key => [key, rows.map(row => row[key])]))
    const answer = componentsAnswer(fitted as never, columns as never)!
    expect(answer.each.map(({ parts }) => parts.map(({ column }) => column).sort())).toEqual([
      ["x", "z"],
      ["x", "z"],
    ])
    if (isNumber && !guide.line) {
      expect([answer.picture!.x, answer.picture!.y].sort()).toEqual(["x", "z"])
      for (const { points } of answer.picture!.outlines)
        expect(points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
    } else expect(answer.picture).toBeUndefined()
  })

  test("stands in the studio's tree, with the options that a new leaf begins with", () => {
    expect(alternatives(name)).toContain(name)
    for (const other of alternatives(name)) {
      const spec = leafSpec(["x"], other, guideOf(other).initial)
      expect(() =>
        declare({
          ...spec,
          options: { ...(other === name ? kind.specimens[0].options : {}), ...guideOf(other).initial },
        }),
      ).not.toThrow()
    }
    for (const setting of guide.settings ?? []) {
      const values = "values" in setting ? setting.values : [setting.from, setting.to]
      for (const value of values)
        expect(() => kind.make({ ...guide.initial, [setting.option]: value })).not.toThrow()
    }
  })

  test("is written as code that declares the same model", () => {
    for (const { model } of each) {
      const product = independent(model as never, { z: gaussian() })
      for (const { spec } of [model, product]) {
        const own = evaluated(codeOf(plain(spec) as never)).spec
        // a product of one column is written as a record
        const [first] = treeOf(own as never).children(own as never)
        expect(plain(spec === model.spec && first ? first : own)).toEqual(plain(spec))
      }
    }
  })
})

const step = independent({ a: categorical(), b: gaussian() })
const DECLARED: Readonly<Record<string, unknown>> = {
  leaf: core.normal(["x", "y"], { covariance: "tied" }),
  independent: independent(core.normal(["x", "y"]), { b: gaussian() }, core.linear("z", ["x"]), {
    c: core.gamma(),
  }),
  classes: classes("kind of", independent({ b: gaussian() }), { prior: 2 }),
  mixture: mixture(3, independent({ b: gaussian() }), { name: "group" }),
  plate: plate("visits", step),
  chain: chain("tag", step, { ends: true }),
  network: network({ a: bernoulli(), h: hidden(2), x: given(["a", "h"], gaussian()) }),
  dynamicNetwork: network(
    { a: given([before("a")], hidden(2)), x: given(["a"], gaussian()) },
    { steps: "days" },
  ),
  window: chain(
    "tag",
    independent(window([{ of: "word", at: [-1, 1] }], { family: multinomial({ prior: 0.5 }) })),
  ),
}

describe("structures", () => {
  test("all have a tree, a guide and a kind of the same name", () => {
    const kinds = kindsWith(largeStructures)
    expect(Object.keys(trees).sort()).toEqual([...kinds.keys()].sort())
    for (const [name, tree] of Object.entries(trees)) expect(kinds.get(name)!.tree, name).toBe(tree)
    expect(Object.keys(DECLARED).sort()).toEqual(Object.keys(structureGuides).sort())
  })

  test.each(Object.entries(DECLARED))("%s is written as code that declares the same model", (name, model) => {
    const spec = plain((model as core.LooseModel).spec) as never
    expect(JSON.stringify(spec)).toContain(`"kind":"${name}"`)
    expect(plain(evaluated(codeOf(spec)).spec)).toEqual(spec)
    expect(titleOf(spec)).not.toMatch(/undefined/)
  })

  test.each([
    [
      "a body for each level",
      classes("y", {
        a: independent({ b: gaussian() }),
        b: independent({ b: core.gaussian({ variance: "tied" }) }),
      }),
    ],
    [
      "a mixture of two bodies",
      mixture([independent({ b: gaussian() }), independent({ b: core.gaussian({ variance: "tied" }) })]),
    ],
    ["a column that is set from outside", network({ a: bernoulli() }).intervene!({ a: true })],
  ])("what no maker writes shorter is declared: %s", (_, model) => {
    const spec = plain((model as core.LooseModel).spec) as never
    expect(plain(evaluated(codeOf(spec)).spec)).toEqual(spec)
  })
})
