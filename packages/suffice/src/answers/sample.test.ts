import { expect, test } from "vitest"
import {
  categorical,
  classes,
  gaussian,
  independent,
  mixture,
  multinomial,
  normal,
  poisson,
  specify,
  wordSet,
} from "../index.ts"

const of = (mean: number, red: number) => ({
  x: { family: "gaussian", mean, sd: 1 },
  c: { family: "categorical", probabilities: { red, blue: 1 - red } },
})
const model = specify(classes("y", independent({ x: gaussian(), c: categorical() })), {
  y: { probabilities: { a: 0.75, b: 0.25 }, given: { a: of(0, 0.9), b: of(4, 0.2) } },
})
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length

test("samples have the shares and means of the model, class by class", () => {
  const rows = model.sample(2000, { seed: 1 })
  const a = rows.filter(row => row.y === "a")
  expect(a.length / 2000).toBeCloseTo(0.75, 1)
  expect(Math.abs(mean(a.map(row => row.x)))).toBeLessThan(0.15)
  expect(a.filter(row => row.c === "red").length / a.length).toBeCloseTo(0.9, 1)
})

test("the same seed gives the same rows, the first ones whatever their number", () => {
  expect(model.sample(3, { seed: 5 })).toEqual(model.sample(9, { seed: 5 }).slice(0, 3))
  expect(model.sample(3, { seed: 5 })).not.toEqual(model.sample(3, { seed: 6 }))
  expect(model.sample(0)).toEqual([])
})

test("what is given is kept, and what hangs on it is drawn given it", () => {
  const rows = model.sample(2000, { seed: 2, given: { c: "blue" } })
  expect(rows.every(row => row.c === "blue")).toBe(true)
  // p(b | blue) = 0.25 · 0.8 / (0.25 · 0.8 + 0.75 · 0.1) = 8/11
  const share = rows.filter(row => row.y === "b").length / 2000
  expect(Math.abs(share - 8 / 11)).toBeLessThan(0.05)
  expect(Math.abs(mean(rows.map(row => row.x)) - 32 / 11)).toBeLessThan(0.25)
  expect(model.sample(5, { given: { x: 1.5, y: null } }).every(row => row.x === 1.5)).toBe(true)
})

test("correlated columns are drawn by their regression on what is given", () => {
  const pair = specify(normal(["u", "v"]), {
    "u, v": {
      family: "normal",
      mean: { u: 10, v: 100 },
      covariance: { u: { u: 4, v: 6 }, v: { u: 6, v: 25 } },
    },
  })
  const rows = pair.sample(1500, { seed: 4, given: { u: 14 } }).map(row => row.v as number)
  expect(Math.abs(mean(rows) - 106)).toBeLessThan(0.5)
  expect(Math.abs(mean(rows.map(v => (v - 106) * (v - 106))) - 16)).toBeLessThan(3)
})

test("a named mixture tells which component was drawn, an unnamed one does not; counts are whole numbers", () => {
  const parts = (name?: "part") =>
    specify(mixture(2, independent({ n: poisson() }), name && { name }), {
      [name ?? "mixture(n)"]: {
        probabilities: { 0: 0.5, 1: 0.5 },
        given: { 0: { n: { family: "poisson", rate: 1 } }, 1: { n: { family: "poisson", rate: 50 } } },
      },
    })
  const rows = parts("part").sample(50, { seed: 1 }) as { part: number; n: number }[]
  expect(rows.every(({ part, n }) => Number.isInteger(n) && n > 20 === (String(part) === "1"))).toBe(true)
  expect(Object.keys(parts().sample(1)[0])).toEqual(["n"])
})

test("a bag of words gets as many words as asked for, a set of words those that fall to it", () => {
  const texts = specify(independent({ t: multinomial(), s: wordSet() }), {
    t: { family: "multinomial", words: { sun: 0.5, rain: 0.5 } },
    s: { family: "wordSet", words: { fog: 1, hail: 0 } },
  })
  const [{ t, s }] = texts.sample(1, { words: 12 }) as unknown as Record<"t" | "s", Record<string, number>>[]
  expect(t.sun + t.rain).toBe(12)
  expect(s).toEqual({ fog: 1 })
})

test("options are refused with what, why and what to do", () => {
  expect(() => model.sample(1.5)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: sample: the number of rows is 1.5. It must be a whole number ≥ 0. Give one.]`,
  )
  expect(() => model.sample(1, { words: -1 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: sample: words is -1. It must be a whole number ≥ 0. Give one.]`,
  )
  expect(() => model.sample(1, { seed: Number.NaN })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: sample: seed is NaN. The dice need a finite number. Give any, or leave it out for 0.]`,
  )
  expect(() => model.sample(1, { sed: 1 } as never)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: sample: there is no option "sed". It knows "seed", "given", "words" and "steps". Did you mean "seed"?]`,
  )
  expect(() => model.sample(1, { given: null } as never)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: sample: given is null. It holds the known cells by column. Write for example { given: { species: "Gentoo" } }.]`,
  )
  expect(() => model.sample(1, { given: { cc: "red" } } as never)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: sample: the model has no column "cc". It has "y", "x" and "c". Did you mean "c"?]`,
  )
  expect(() => model.sample(1, { given: { c: "green" } } as never)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: sample: "c" is given as "green", which training never saw. Nothing is known of rows like that. Give a level the model knows.]`,
  )
  const parts = specify(mixture(2, independent({ x: gaussian() }), { name: "part" }), {
    part: { probabilities: { 0: 0.5, 1: 0.5 }, given: { 0: { x: of(0, 1).x }, 1: { x: of(4, 1).x } } },
  })
  expect(() => parts.sample(1, { given: { part: 1 } } as never)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: sample: "part" is a hidden switch, so it cannot be given. Only columns of the data can. Draw more rows and keep those with the value you want.]`,
  )
})
