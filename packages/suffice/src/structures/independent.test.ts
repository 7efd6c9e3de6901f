import { describe, expect, test } from "vitest"
import type { Column } from "../contract/columns.ts"
import type { Family } from "../contract/family.ts"
import type { Model } from "../contract/model.ts"
import { lay, solve } from "../engine/lay.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "./classes.ts"
import { independent } from "./independent.ts"

const columns: Column[] = [
  { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
  { kind: "level", name: "u", levels: ["a", "b"] },
  { kind: "level", name: "__proto__", levels: ["a", "b"] },
]
const block = {
  rows: 3,
  weight: Float64Array.of(1, 2, 3),
  cells: [Float64Array.of(0.5, Number.NaN, -1), Int32Array.of(0, 1, -1), Int32Array.of(1, 1, 0)],
}
const scored = (model: unknown): Float64Array => {
  const laid = lay(model as Model, columns)
  const stats = Float64Array.from({ length: laid.statistics }, (_, j) => 1 + (j % 3))
  const out = new Float64Array(3)
  laid.root.up(block, solve(laid, stats, 0).params, out)
  return out
}

describe("independent parts", () => {
  test("have the product of their densities: ln p(row) = Σ ln p(part)", () => {
    const x = scored(independent({ x: gaussian() }))
    const u = scored(independent({ u: categorical() }))
    const both = scored(independent({ x: gaussian(), u: categorical() }))
    expect([...both]).toEqual([...x].map((score, i) => expect.closeTo(score + u[i], 14)))
    expect([...scored(independent({ x: gaussian() }, { u: categorical() }))]).toEqual([...both])
    expect([...scored(independent(independent({ x: gaussian() }), { u: categorical() }))]).toEqual([...both])
  })

  test("open a column of one part given the others", () => {
    const laid = lay(independent({ x: gaussian(), u: categorical() }) as Model, columns)
    const { params } = solve(laid, Float64Array.of(2, 0, 2, 1, 3), 0)
    const opened = new Float64Array(6)
    laid.root.open(block, params, "u", opened)
    const density = new Float64Array(3)
    laid.parts[0].leaf.score(block, laid.parts[0].ranges.paramsOf(params), density)
    const expected = [Math.log(1 / 4), Math.log(3 / 4)].flatMap(p => [...density].map(score => p + score))
    expect([...opened]).toEqual(expected.map(score => expect.closeTo(score, 14)))
  })

  test("may have a column named like the prototype of an object, and describe it", () => {
    const laid = lay(
      independent(Object.fromEntries([["__proto__", categorical()]]), { u: categorical() }) as Model,
      columns,
    )
    const described = laid.root.describe(solve(laid, Float64Array.of(1, 3, 1, 1), 0).params, 0)
    expect(Object.keys(described)).toEqual(["__proto__", "u"])
    const stats = new Float64Array(4)
    laid.root.adopt(described, 0, 4, stats)
    expect([...stats]).toEqual([1, 3, 2, 2].map(count => expect.closeTo(count, 14)))
  })

  test("share no dice: each part guesses from a stream of its own", () => {
    const seen: number[] = []
    const spy = (name: string): Model => {
      const model = independent({ [name]: categorical() }) as Model
      return {
        ...model,
        lay: (plan, slots) => {
          const node = model.lay(plan, slots)
          return { ...node, start: (_b, _p, _w, roll) => seen.push(roll.uniform()) }
        },
      }
    }
    const laid = lay(independent(spy("u"), spy("__proto__")) as Model, columns)
    laid.root.start(block, new Float64Array(4), { form: "each", values: block.weight }, dice(1), {} as never)
    expect(seen[0]).not.toBe(seen[1])
  })

  test("take their target from the first part that has one", () => {
    expect(independent({ x: gaussian() }, classes("u", independent({ z: gaussian() }))).target).toBe("u")
    expect(independent({ x: gaussian() }).target).toBeUndefined()
  })
})

describe("refused are", () => {
  test("no columns at all", () => {
    expect(() => independent()).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent() has no columns. A model needs at least one. Give it { column: family() } or other models.]`,
    )
    expect(() => independent({})).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent() has no columns. A model needs at least one. Give it { column: family() } or other models.]`,
    )
  })

  test("a column in two parts, even in the same part twice", () => {
    const x = { x: gaussian() }
    expect(() => independent(x, x)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: column "x" stands in two parts. Independent parts share no column. Put the column in one part, or model both together with normal([...]).]`,
    )
    const part = independent(x)
    expect(() => independent(part, part)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: column "x" stands in two parts. Independent parts share no column. Put the column in one part, or model both together with normal([...]).]`,
    )
    expect(() =>
      independent(classes("y", independent(x)), { y: categorical() }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: column "y" stands in two parts. Independent parts share no column. Put the column in one part, or model both together with normal([...]).]`,
    )
    expect(() =>
      independent(mixture(2, part, { name: "z" }), { z: gaussian() }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: column "z" stands in two parts. Independent parts share no column. Put the column in one part, or model both together with normal([...]).]`,
    )
  })

  test("what is no family", () => {
    expect(() => independent({ x: "gaussian" as unknown as Family })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: column "x" is given "gaussian". It needs a family. Write for example { "x": gaussian() }.]`,
    )
    expect(() => independent({ x: gaussian as unknown as Family })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: column "x" is given a function. It needs a family. Write for example { "x": gaussian() }.]`,
    )
  })

  test("what is no part", () => {
    expect(() => independent(gaussian() as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: part 0 is a family without a column. A part is a model, or families by column. Write for example independent({ x: gaussian() }).]`,
    )
    expect(() => independent({ x: gaussian() }, undefined as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: part 1 is undefined. A part is a model, or families by column. Write for example independent({ x: gaussian() }).]`,
    )
    expect(() => independent([{ x: gaussian() }] as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: part 0 is a list of 1. A part is a model, or families by column. Write for example independent({ x: gaussian() }).]`,
    )
  })
})
