/** Long because each kind of model explains itself in its own way, and each is added up by hand. */
import { describe, expect, test, vi } from "vitest"
import type { Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import type { Description } from "../contract/report.ts"
import { bernoulli } from "../families/bernoulli.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { wordSet } from "../families/word-set.ts"
import { fit } from "../fit/fit.ts"
import { em } from "../learners/em.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { normal } from "../structures/normal.ts"
import { type ExplainOptions, type Explanation, explain as explainAny } from "./explain.ts"
import type { SolvedModel } from "./knowledge.ts"
import { posteriors } from "./posterior.ts"
import { questionOf } from "./question.ts"
import { Terms } from "./terms.ts"
import { solvedOf, specified } from "./testing/solved.ts"

/** The explanation of a row. */
const explain = (...asked: Parameters<typeof explainAny>) => explainAny(...asked) as Explanation

const WORDS = ["sun", "moon", "rain", "wind"]

/** Three classes; every seventh cell is missing, if asked for. */
function rows(count: number, holes: boolean, seed = 5): Row[] {
  const d = dice(seed)
  return Array.from({ length: count }, (_, i) => {
    const y = d.integer(3)
    const half = d.integer(2)
    const row: Row = {
      y: ["ash", "birch", "cedar"][y],
      x: 100 + 5 * y + 3 * half + d.normal(),
      v: 2 * y - 4 * half + d.normal(),
      z: d.normal(),
      s: ["red", "green", "blue"][(y + half + d.integer(2)) % 3],
      b: d.uniform() < 0.2 + 0.3 * y,
      g: ["p", "q"][(half + (d.uniform() < 0.2 ? 1 : 0)) % 2],
      w: Array.from({ length: 4 }, () => WORDS[Math.min(3, d.integer(2 + y))]),
    }
    if (!holes) return row
    const names = Object.keys(row).filter(name => name !== "y")
    return Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [
        name,
        name !== "y" && (i + names.indexOf(name)) % 7 === 0 ? null : cell,
      ]),
    )
  })
}

async function fitted(model: Model, data: readonly Row[] = rows(150, true), prior = 1): Promise<SolvedModel> {
  const found = await fit(model as Model<Record<string, never>>, data as never, {
    learner: em({ maxIterations: 15, prior }),
  })
  return solvedOf(found)
}

const sum = ({ prior, terms }: Explanation): number =>
  terms.reduce((total, { contribution }) => total + contribution, prior)

const contribution = ({ terms }: Explanation, column: string, word?: string): number =>
  terms.find(term => term.column === column && term.word === word)!.contribution

const x = { x: gaussian(), v: gaussian() }
const MODELS: Record<string, [Model, targets: (string | undefined)[]]> = {
  "naive Bayes": [
    classes("y", independent({ ...x, s: categorical(), b: bernoulli() })),
    [undefined, "s", "b"],
  ],
  "naive Bayes of words": [classes("y", independent({ w: multinomial(), x: gaussian() })), [undefined]],
  "naive Bayes of sets of words": [
    classes("y", independent({ w: wordSet(), s: categorical() })),
    [undefined, "s"],
  ],
  "full normals": [classes("y", normal(["x", "v", "z"])), [undefined]],
  "tied normals": [classes("y", normal(["x", "v", "z"], { covariance: "tied" })), [undefined]],
  "a mixture in each class": [
    classes("y", mixture(2, independent({ ...x, s: categorical() }), { name: "part" })),
    [undefined, "part", "s"],
  ],
  "a mixture of normals in each class": [classes("y", mixture(3, normal(["x", "v"]))), [undefined]],
  "a mixture of words in each class": [
    classes("y", mixture(2, independent({ w: multinomial(), b: bernoulli() }))),
    [undefined, "b"],
  ],
  "nested mixtures": [
    classes(
      "y",
      mixture(2, independent(mixture(2, independent(x), { name: "inner" }), { s: categorical() })),
    ),
    [undefined, "s", "inner"],
  ],
  "mixtures called the same": [mixture(2, mixture(2, independent(x))), ["mixture(x, v)"]],
  "a mixture over all": [
    mixture(3, independent({ ...x, s: categorical(), b: bernoulli() }), { name: "part" }),
    ["part", "s", "b"],
  ],
  "classes in classes": [
    classes(
      "y",
      independent(classes("g", independent({ x: gaussian(), s: categorical() })), { v: gaussian() }),
    ),
    [undefined, "g", "s"],
  ],
  "classes below a mixture": [mixture(2, classes("y", independent(x))), [undefined]],
  "a body for each class": [
    classes("y", {
      ash: independent(x),
      birch: mixture(2, normal(["x", "v"])),
      cedar: normal(["x", "v"], { covariance: "diag" }),
    }),
    [undefined],
  ],
  "a label here, a leaf there": [
    classes("y", {
      ash: classes("g", independent(x)),
      birch: independent({ ...x, g: categorical() }),
      cedar: mixture(2, independent({ ...x, g: categorical() })),
    }),
    [undefined, "g"],
  ],
  "independent parts": [
    independent(classes("y", mixture(2, independent(x))), mixture(2, independent({ z: gaussian() })), {
      s: categorical(),
    }),
    [undefined, "s"],
  ],
}

describe.each(Object.entries(MODELS))("%s:", (_, [model, targets]) => {
  test.each(targets)("the terms add up to the log-odds of %s", async target => {
    const solved = await fitted(model)
    const options: ExplainOptions = target === undefined ? {} : { target }
    const far = {
      x: 100 + 1e3,
      v: -2e3,
      s: "red",
      b: true,
      g: "p",
      z: 1e3,
      w: Array(2000).fill("wind"),
      y: null,
    }
    for (const row of [...rows(20, true, 8), far, { ...far, x: null, y: "ash" }]) {
      const settled = vi.spyOn(Terms.prototype, "settle")
      const found = explain(solved, row, options)
      expect(Math.abs(sum(found) - found.logOdds)).toBeLessThan(1e-9)
      // nearly so by the integral alone, before what is left over is shared out
      for (const { value } of settled.mock.results)
        expect(value).toBeLessThan(1e-9 * (1 + Math.abs(found.logOdds)))
      settled.mockRestore()
      expect(found.logOdds).toBeGreaterThanOrEqual(0)
      const { levels, probabilities } = posteriors(solved, [row], questionOf(solved, { target }))
      const [p, q] = [found.level, found.against].map(level => probabilities[levels.indexOf(level)])
      if (q > 1e-300) expect(found.logOdds).toBeCloseTo(Math.log(p / q), 9)
      const swapped = explain(solved, row, { ...options, level: found.against, against: found.level })
      expect(swapped.logOdds).toBe(-found.logOdds)
      expect(swapped.prior).toBe(-found.prior)
      for (const { column, word, value, contribution: here } of found.terms) {
        expect(contribution(swapped, column, word)).toBe(0 - here)
        if (value === null) expect(here).toBe(0)
      }
      for (const [column, cell] of Object.entries(row)) {
        const terms = found.terms.filter(term => term.column === column)
        if (cell === null)
          for (const term of terms) expect(term).toEqual({ column, value: null, contribution: 0 })
      }
    }
  })
})

const two = (probabilities: [number, number]) => ({ 0: probabilities[0], 1: probabilities[1] })

describe("the terms are", () => {
  test("ln p(x_j | a) − ln p(x_j | b) where nothing is hidden, and the prior is ln π_a − ln π_b", () => {
    const solved = specified(
      classes("y", independent({ x: gaussian(), s: categorical(), w: multinomial() })),
      {
        y: {
          probabilities: { a: 0.25, b: 0.75 },
          given: {
            a: {
              x: { family: "gaussian", mean: 1, sd: 2 },
              s: { family: "categorical", probabilities: { red: 0.9, blue: 0.1 } },
              w: { family: "multinomial", words: { sun: 0.5, rain: 0.3, fog: 0.2 } },
            },
            b: {
              x: { family: "gaussian", mean: -1, sd: 1 },
              s: { family: "categorical", probabilities: { red: 0.4, blue: 0.6 } },
              w: { family: "multinomial", words: { sun: 0.2, rain: 0.7, fog: 0.1 } },
            },
          },
        },
      },
    )
    const row = { x: 3, s: "red", w: "sun sun rain" }
    const found = explain(solved, row, { level: "a", against: "b" })
    expect(found).toMatchObject({ target: "y", level: "a", against: "b" })
    expect(found.prior).toBeCloseTo(Math.log(0.25 / 0.75), 12)
    const density = (mean: number, sd: number): number => -Math.log(sd) - (3 - mean) ** 2 / (2 * sd * sd)
    expect(contribution(found, "x")).toBeCloseTo(density(1, 2) - density(-1, 1), 12)
    expect(contribution(found, "s")).toBeCloseTo(Math.log(0.9 / 0.4), 12)
    expect(contribution(found, "w", "sun")).toBeCloseTo(2 * Math.log(0.5 / 0.2), 12)
    expect(contribution(found, "w", "rain")).toBeCloseTo(Math.log(0.3 / 0.7), 12)
    expect(found.terms.map(({ column, word, value }) => [column, word, value])).toEqual([
      ["x", undefined, 3],
      ["w", "sun", 2],
      ["w", "rain", 1],
      ["s", undefined, "red"],
    ])
  })

  test("for a set of words, one per word of the vocabulary: those that are absent count too", () => {
    const words = (sun: number, rain: number) => ({ w: { family: "wordSet", words: { sun, rain } } })
    const solved = specified(classes("y", independent({ w: wordSet() })), {
      y: { probabilities: { a: 0.5, b: 0.5 }, given: { a: words(0.9, 0.2), b: words(0.3, 0.6) } },
    })
    const found = explain(solved, { w: "sun sun" }, { level: "a" })
    expect(contribution(found, "w", "sun")).toBeCloseTo(Math.log(0.9 / 0.3), 12)
    expect(contribution(found, "w", "rain")).toBeCloseTo(Math.log(0.8 / 0.4), 12)
    expect(found.terms.map(({ word, value }) => [word, value])).toEqual([
      ["sun", 2],
      ["rain", 0],
    ])
    expect(explain(solved, { w: "" }).terms).toEqual([{ column: "w", value: null, contribution: 0 }])
  })

  test("inside a normal −½ δ_j (Σ⁻¹δ)_j, its own variance's normaliser, and an equal part of what correlation adds", () => {
    const covariances = {
      a: [2, 0.6, 1],
      b: [1, -0.5, 3],
    }
    const given = (mean: [number, number], [xx, xv, vv]: number[]) => ({
      "x, v": {
        family: "normal",
        mean: { x: mean[0], v: mean[1] },
        covariance: { x: { x: xx, v: xv }, v: { x: xv, v: vv } },
      },
    })
    const solved = specified(classes("y", normal(["x", "v"])), {
      y: {
        probabilities: { a: 0.5, b: 0.5 },
        given: { a: given([0, 1], covariances.a), b: given([2, -1], covariances.b) },
      },
    })
    const share = ([x, v]: [number, number], [xx, xv, vv]: number[]): [number, number] => {
      const det = xx * vv - xv * xv
      const each = 0.5 * Math.log(det / (xx * vv)) * 0.5
      return [
        -0.5 * x * ((vv * x - xv * v) / det) - 0.5 * Math.log(xx) - each,
        -0.5 * v * ((xx * v - xv * x) / det) - 0.5 * Math.log(vv) - each,
      ]
    }
    const found = explain(solved, { x: 1.5, v: 0.25 }, { level: "a" })
    const a = share([1.5, 0.25 - 1], covariances.a)
    const b = share([1.5 - 2, 0.25 + 1], covariances.b)
    expect(contribution(found, "x")).toBeCloseTo(a[0] - b[0], 11)
    expect(contribution(found, "v")).toBeCloseTo(a[1] - b[1], 11)
    expect(Math.abs(sum(found) - found.logOdds)).toBeLessThan(1e-12)
    // with v missing the marginal of x is all there is
    const lone = explain(solved, { x: 1.5, v: null }, { level: "a" })
    const marginal = (d: number, variance: number): number =>
      (-0.5 * (d * d)) / variance - 0.5 * Math.log(variance)
    expect(contribution(lone, "x")).toBeCloseTo(marginal(1.5, 2) - marginal(-0.5, 1), 11)
    expect(contribution(lone, "v")).toBe(0)
  })

  test("the same for columns that happen to be uncorrelated, however they are declared", () => {
    const parameters = { ash: [0, 2, 1, 3], elm: [1, 1, -1, 0.5] } as const
    const variance = (sd: number): number => sd * sd
    const bodies: [Model, (p: readonly number[]) => Description][] = [
      [
        independent(x),
        ([m, s, n, t]) => ({
          x: { family: "gaussian", mean: m, sd: s },
          v: { family: "gaussian", mean: n, sd: t },
        }),
      ],
      [
        normal(["x", "v"], { covariance: "diag" }),
        ([m, s, n, t]) => ({
          "x, v": { family: "normal", mean: { x: m, v: n }, variance: { x: variance(s), v: variance(t) } },
        }),
      ],
      [
        normal(["x", "v"]),
        ([m, s, n, t]) => ({
          "x, v": {
            family: "normal",
            mean: { x: m, v: n },
            covariance: { x: { x: variance(s), v: 0 }, v: { x: 0, v: variance(t) } },
          },
        }),
      ],
    ]
    const [first, ...others] = bodies.map(([body, given]) => {
      const solved = specified(classes("y", body), {
        y: {
          probabilities: { ash: 0.5, elm: 0.5 },
          given: { ash: given(parameters.ash), elm: given(parameters.elm) },
        },
      })
      const found = explain(solved, { x: 0.7, v: -2 }, { level: "ash" })
      return [contribution(found, "x"), contribution(found, "v")]
    })
    for (const other of others) for (const j of [0, 1]) expect(other[j]).toBeCloseTo(first[j], 11)
  })

  test("the integral of r(t) · score along t, by brute force over the paths of tiny nets", () => {
    // p(y) p(c | y) p(d | y, c) p(s | y, c) p(b | y, c, d): two switches below the label
    const d = dice(3)
    const chance = (): [number, number] => {
      const q = 0.02 + 0.96 * d.uniform()
      return [q, 1 - q]
    }
    const level = (p: [number, number]) => ({ family: "categorical", probabilities: two(p) })
    for (let trial = 0; trial < 20; trial++) {
      const y = chance()
      const c = [chance(), chance()]
      const e = [0, 1].map(() => [chance(), chance()])
      const s = [0, 1].map(() => [chance(), chance()])
      const b = [0, 1].map(() => [0, 1].map(() => [chance(), chance()]))
      const pick = [0, 1] as const
      const solved = specified(
        classes(
          "y",
          mixture(
            2,
            independent({ s: categorical() }, mixture(2, independent({ b: categorical() }), { name: "d" })),
            {
              name: "c",
            },
          ),
        ),
        {
          y: {
            probabilities: two(y),
            given: Object.fromEntries(
              pick.map(k => [
                k,
                {
                  c: {
                    probabilities: two(c[k]),
                    given: Object.fromEntries(
                      pick.map(l => [
                        l,
                        {
                          s: level(s[k][l]),
                          d: {
                            probabilities: two(e[k][l]),
                            given: Object.fromEntries(pick.map(m => [m, { b: level(b[k][l][m]) }])),
                          },
                        },
                      ]),
                    ),
                  },
                },
              ]),
            ),
          },
        },
      )
      const [sv, bv] = [d.integer(2), d.integer(2)]
      const paths = (k: number) =>
        pick.flatMap(l =>
          pick.map(m => ({
            weight: y[k] * c[k][l] * e[k][l][m],
            s: Math.log(s[k][l][sv]),
            b: Math.log(b[k][l][m][bv]),
          })),
        )
      const integral = (k: number, of: "s" | "b"): number => {
        const at = (t: number): number => {
          const terms = paths(k).map(path => ({ ...path, p: path.weight * Math.exp(t * (path.s + path.b)) }))
          const total = terms.reduce((sum, { p }) => sum + p, 0)
          return terms.reduce((sum, path) => sum + (path.p / total) * path[of], 0)
        }
        // Simpson
        const n = 400
        let total = at(0) + at(1)
        for (let j = 1; j < n; j++) total += (j % 2 === 1 ? 4 : 2) * at(j / n)
        return total / (3 * n)
      }
      const found = explain(solved, { s: String(sv), b: String(bv) }, { level: "1", against: "0" })
      expect(found.prior).toBeCloseTo(Math.log(y[1] / y[0]), 11)
      expect(contribution(found, "s")).toBeCloseTo(integral(1, "s") - integral(0, "s"), 9)
      expect(contribution(found, "b")).toBeCloseTo(integral(1, "b") - integral(0, "b"), 9)
      const joint = (k: number): number =>
        Math.log(paths(k).reduce((sum, p) => sum + p.weight * Math.exp(p.s + p.b), 0))
      expect(found.logOdds).toBeCloseTo(joint(1) - joint(0), 11)
    }
  })

  test("0 for columns that have nothing to do with the target", async () => {
    for (const other of [independent({ z: gaussian() }), mixture(3, independent({ z: gaussian() }))]) {
      for (const body of [independent(x), mixture(2, independent(x))]) {
        const solved = await fitted(independent(classes("y", body), other))
        for (const row of rows(10, false, 4)) expect(contribution(explain(solved, row), "z")).toBe(0)
      }
    }
  })

  test("given to labels that are seen: all of it, where they make the target independent of the rest", async () => {
    const solved = await fitted(classes("y", independent({ ...x, s: categorical() })))
    const row = rows(1, false)[0]
    const found = explain(solved, row, { target: "s" })
    expect(found.terms.map(({ column }) => column)).toEqual(["y", "x", "v"])
    expect(found.terms.slice(1).map(term => term.contribution)).toEqual([0, 0])
    expect(found.prior + found.terms[0].contribution).toBeCloseTo(found.logOdds, 12)
    const hidden = explain(
      solved,
      { ...row, y: null },
      { target: "s", level: found.level, against: found.against },
    )
    expect(hidden.prior).toBe(found.prior)
    expect(Math.abs(contribution(hidden, "x"))).toBeGreaterThan(0.01)
    expect(contribution(hidden, "y")).toBe(0)
  })

  test("0 for a level that training never saw, and it is reported", async () => {
    const solved = await fitted(classes("y", independent({ ...x, s: categorical() })))
    const found = explain(solved, { x: 101, v: 0, s: "violet" })
    expect(found.unseen).toEqual({ s: "violet" })
    expect(found.terms.find(term => term.column === "s")).toEqual({
      column: "s",
      value: "violet",
      contribution: 0,
    })
  })

  test("one for all columns of a family that does not divide its score", async () => {
    const family = { ...gaussian(), name: "pair" }
    const bound: typeof family.bind = (columns, places, slots) => {
      const [a, b] = columns.map((column, j) => gaussian().bind([column], [places[j]], slots))
      const half = a.shape.parameters
      return {
        ...a,
        shape: {
          ...a.shape,
          statistics: a.shape.statistics + b.shape.statistics,
          parameters: half + b.shape.parameters,
        },
        prior(stats) {
          a.prior(stats.subarray(0, a.shape.statistics))
          b.prior(stats.subarray(a.shape.statistics))
        },
        score(block, params, out) {
          a.score(block, params.subarray(0, half), out)
          b.score(block, params.subarray(half), out)
        },
        absorb(block, params, weights, stats) {
          a.absorb(block, params, weights, stats.subarray(0, a.shape.statistics))
          return b.absorb(block, params, weights, stats.subarray(a.shape.statistics))
        },
        solve: (stats, strength, params) =>
          a.solve(stats.subarray(0, a.shape.statistics), strength, params.subarray(0, half)) +
          b.solve(stats.subarray(a.shape.statistics), strength, params.subarray(half)),
        value: (stats, params) =>
          a.value(stats.subarray(0, a.shape.statistics), params.subarray(0, half)) +
          b.value(stats.subarray(a.shape.statistics), params.subarray(half)),
      }
    }
    const { leafModel } = await import("../structures/leaf.ts")
    const solved = await fitted(classes("y", leafModel({ ...family, bind: bound }, ["x", "v"])))
    const plain = await fitted(classes("y", independent(x)))
    const row = rows(1, false, 9)[0]
    const found = explain(solved, row)
    const split = explain(plain, row)
    expect(contribution(found, "x, v")).toBeCloseTo(contribution(split, "x") + contribution(split, "v"), 11)
  })
})

describe("what is impossible", () => {
  const letters = (p: Record<string, number>) => ({ family: "categorical", probabilities: p })
  const bodies = { s: categorical(), g: categorical() }

  test("contributes infinitely much, under the level that it rules out", () => {
    const solved = specified(classes("y", independent(bodies)), {
      y: {
        probabilities: { a: 0.5, b: 0.5 },
        given: {
          a: { s: letters({ p: 0.5, q: 0.5 }), g: letters({ p: 0.2, q: 0.8 }) },
          b: { s: letters({ p: 1, q: 0 }), g: letters({ p: 0.6, q: 0.4 }) },
        },
      },
    })
    const found = explain(solved, { s: "q", g: "p" })
    expect(found).toMatchObject({ level: "a", against: "b", logOdds: Infinity, prior: 0 })
    expect(contribution(found, "s")).toBe(Infinity)
    expect(contribution(found, "g")).toBeCloseTo(Math.log(0.2 / 0.6), 12)
    expect(sum(explain(solved, { s: "q", g: "p" }, { level: "b" }))).toBe(-Infinity)
  })

  test("leaves the terms finite where another component is possible, and they add up", () => {
    const part = (s: number, g: number) => ({
      s: letters({ p: s, q: 1 - s }),
      g: letters({ p: g, q: 1 - g }),
    })
    const mixed = (s: [number, number], g: [number, number]) => ({
      c: { probabilities: two([0.3, 0.7]), given: { 0: part(s[0], g[0]), 1: part(s[1], g[1]) } },
    })
    const solved = specified(classes("y", mixture(2, independent(bodies), { name: "c" })), {
      y: {
        probabilities: { a: 0.5, b: 0.5 },
        given: { a: mixed([1, 0.5], [0.5, 0.1]), b: mixed([0.5, 0.3], [0, 0.9]) },
      },
    })
    for (const row of [
      { s: "q", g: "p" },
      { s: "q", g: "q" },
      { s: "p", g: "p" },
    ]) {
      const found = explain(solved, row)
      expect(Number.isFinite(found.logOdds)).toBe(true)
      expect(Math.abs(sum(found) - found.logOdds)).toBeLessThan(1e-9)
    }
    const none = specified(classes("y", mixture(2, independent(bodies), { name: "c" })), {
      y: {
        probabilities: { a: 0.5, b: 0.5 },
        given: { a: mixed([1, 1], [0.5, 0.1]), b: mixed([0.5, 0.3], [0, 0.9]) },
      },
    })
    const found = explain(none, { s: "q", g: "p" }, { level: "a" })
    expect(found.logOdds).toBe(-Infinity)
    expect(contribution(found, "s")).toBe(-Infinity)
    expect(Number.isFinite(contribution(found, "g"))).toBe(true)
  })

  test("is so by what rules it out where it stands, not by what would in a component that nobody takes", () => {
    const part = (s: number, g: number) => ({
      s: letters({ p: s, q: 1 - s }),
      g: letters({ p: g, q: 1 - g }),
    })
    const both = (one: Description, other: Description, share: number) => ({
      c: { probabilities: two([1 - share, share]), given: { 0: one, 1: other } },
    })
    const solved = specified(classes("y", mixture(2, independent(bodies), { name: "c" })), {
      y: {
        probabilities: { a: 0.5, b: 0.5 },
        given: {
          // s rules the one out, g the other, of which there is nearly nothing
          a: both(part(0, 0.5), part(0.5, 0), 1e-14),
          b: both(part(0.4, 0.3), part(0.2, 0.6), 0.5),
        },
      },
    })
    const found = explain(solved, { s: "p", g: "p" }, { level: "a" })
    expect(found.logOdds).toBe(-Infinity)
    expect(contribution(found, "s")).toBe(-Infinity)
    expect(Number.isFinite(contribution(found, "g"))).toBe(true)
  })

  test("by a label is so once: what other labels add to it is 0", async () => {
    const model = classes("u", classes("v", classes("y", independent({ s: categorical() }))))
    const rows = [
      { u: "m", v: "m", y: "a", s: "p" },
      { u: "m", v: "n", y: "a", s: "q" },
      { u: "n", v: "m", y: "b", s: "p" },
      { u: "n", v: "n", y: "a", s: "q" },
      { u: "n", v: "m", y: "a", s: "q" },
    ]
    const fitted = await fit(model, rows, { learner: em({ prior: 0 }) })
    // under u = m there is no b
    const found = fitted.explain({ u: "m", v: "n", s: "q" }, { target: "y", level: "a" })
    expect(found.logOdds).toBe(Infinity)
    expect(contribution(found, "u")).toBe(Infinity)
    expect(contribution(found, "v")).toBe(0)
  })

  test("words that a component rules out together share what they cost it", () => {
    const words = (...p: number[]) => ({
      t: {
        family: "multinomial",
        words: Object.fromEntries(["sun", "rain", "snow", "fog"].map((w, j) => [w, p[j]])),
      },
    })
    const mixed = (one: Description, other: Description) => ({
      c: { probabilities: two([0.6, 0.4]), given: { 0: one, 1: other } },
    })
    const solved = specified(classes("y", mixture(2, independent({ t: multinomial() }), { name: "c" })), {
      y: {
        probabilities: { a: 0.5, b: 0.5 },
        given: {
          a: mixed(words(0, 0, 0.5, 0.5), words(0.3, 0.3, 0.2, 0.2)),
          b: mixed(words(0.1, 0.2, 0.3, 0.4), words(0.4, 0.3, 0.2, 0.1)),
        },
      },
    })
    const found = explain(solved, { t: "sun rain snow" })
    expect(Number.isFinite(found.logOdds)).toBe(true)
    expect(Math.abs(sum(found) - found.logOdds)).toBeLessThan(1e-9)
  })

  test("beforehand is in the prior", () => {
    const solved = specified(classes("y", independent({ s: categorical() })), {
      y: {
        probabilities: { a: 1, b: 0 },
        given: { a: { s: letters({ p: 0.5, q: 0.5 }) }, b: { s: letters({ p: 0.5, q: 0.5 }) } },
      },
    })
    expect(explain(solved, { s: "p" })).toMatchObject({ logOdds: Infinity, prior: Infinity })
  })

  test("under both levels has no odds", () => {
    const solved = specified(classes("y", independent({ s: categorical() })), {
      y: {
        probabilities: { a: 0.5, b: 0.4, c: 0.1 },
        given: {
          a: { s: letters({ p: 1, q: 0 }) },
          b: { s: letters({ p: 1, q: 0 }) },
          c: { s: letters({ p: 0.5, q: 0.5 }) },
        },
      },
    })
    expect(() =>
      explain(solved, { s: "q" }, { level: "a", against: "b" }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: explain: the row is impossible under "a" and under "b". The odds of two impossible levels are not defined. Fit the model with a prior, or ask about levels the row can have.]`,
    )
    expect(explain(solved, { s: "q" })).toMatchObject({ level: "c", against: "a", logOdds: Infinity })
  })
})

describe("levels", () => {
  test("are the winner and the runner-up, unless named", async () => {
    const solved = await fitted(classes("y", independent(x)))
    const row = { x: 104, v: 0 }
    const found = explain(solved, row)
    const three = ["ash", "birch", "cedar"]
    const third = three.find(level => level !== found.level && level !== found.against)!
    expect(explain(solved, row, { level: third }).against).toBe(found.level)
    expect(explain(solved, row, { against: found.level }).level).toBe(found.against)
    expect(explain(solved, row, { against: third }).level).toBe(found.level)
  })

  test("may be named as text", async () => {
    const solved = await fitted(mixture(2, independent(x), { name: "part" }))
    const found = explain(solved, { x: 104, v: 0 }, { target: "part", level: "1" })
    expect([found.level, found.against]).toEqual([1, 0])
  })
})

test("an integral that misses a piece of the path is not passed off as an explanation", async () => {
  const solved = await fitted(classes("y", mixture(2, independent(x))))
  const settled = vi.spyOn(Terms.prototype, "settle").mockReturnValue(0.25)
  expect(() => explain(solved, { x: 104, v: 0 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: explain: the contributions add up to the log-odds but for 0.25. Under this row the components change places too fast for their shares to be told. Ask about a row that lies nearer to the data, or use posterior().]`,
  )
  settled.mockRestore()
})

test("one explanation after another says the same as each alone: they share a tree", async () => {
  const model = classes("y", mixture(2, independent({ ...x, w: multinomial() })))
  const solved = await fitted(model)
  const [a, b] = rows(2, false, 9)
  const first = explain(solved, a)
  const other = explain(solved, b, { target: "y" })
  expect(explain(await fitted(model), b)).toEqual(other)
  expect(explain(solved, a)).toEqual(first)
})

describe("refused:", () => {
  const solved = fitted(classes("y", independent({ ...x, s: categorical() })))
  const row = { x: 104, v: 0, s: "red" }
  const message = async (options: object, given: Row = row): Promise<string> => {
    try {
      explain(await solved, given, options)
    } catch (error) {
      return (error as Error).message
    }
    return "nothing"
  }

  test("a level that is not there", async () => {
    expect(await message({ level: "birc" })).toMatchInlineSnapshot(
      `"explain: level is "birc", which is no level of "y". It has "ash", "birch" and "cedar". Did you mean "birch"?"`,
    )
    expect(await message({ against: 7 })).toMatchInlineSnapshot(
      `"explain: against is 7, which is no level of "y". It has "ash", "birch" and "cedar". Name one of them."`,
    )
  })

  test("a level against itself", async () => {
    expect(await message({ level: "ash", against: "ash" })).toMatchInlineSnapshot(
      `"explain: level and against are both "ash". The odds of a level against itself are even. Name two levels of "y"."`,
    )
  })

  test("a target without levels, and one that is not there", async () => {
    expect(await message({ target: "x" })).toMatchInlineSnapshot(
      `"column "x" has no levels to choose from. A posterior over levels needs some. Name one of "y" and "s"."`,
    )
    expect(await message({ target: "q" })).toMatchInlineSnapshot(
      `"the model has no column "q". It has "y", "s", "x" and "v". Name one of them."`,
    )
  })

  test("an option that is not there", async () => {
    expect(await message({ rival: "ash" })).toMatchInlineSnapshot(
      `"explain: there is no option "rival". It knows "target", "level", "against" and "step". Leave it out."`,
    )
  })

  test("a row whose column is written otherwise", async () => {
    expect(await message({}, { x: 1, s: "red", V: 2 })).toMatchInlineSnapshot(
      `"column "v" is not in the data. The data has "x", "s" and "V". Did you mean "V"? If it is missing in every row, put null in its cells."`,
    )
  })

  test("a model without a label, and a column of one level", async () => {
    const bare = await fitted(independent(x))
    expect(() => explain(bare, row)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no label, and no target is named. It cannot be guessed. Name one of "x" and "v": { target: … }.]`,
    )
    const one = await fitted(
      classes("y", independent(x)),
      rows(30, false).map(row => ({ ...row, y: "ash" })),
    )
    expect(() => explain(one, row)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: explain: "y" has only the level "ash". An explanation weighs one level against another. Ask for another column.]`,
    )
  })

  test("a mixture that stands in some bodies only", async () => {
    const some = await fitted(
      classes("y", {
        ash: mixture(2, independent(x), { name: "part" }),
        birch: independent(x),
        cedar: independent(x),
      }),
    )
    expect(() => explain(some, row, { target: "part" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: "part" is not the same in every body of "y". Where it is missing, or has other components, it has no probability. Give every body one of that name with as many components, or ask for "y".]`,
    )
  })
})

test("a missing cell has no value, whatever its column is called", async () => {
  const name = "constructor" as string
  const table: Row[] = rows(40, false).map(({ y, x }) => ({ y, [name]: x }))
  const named = await fit(classes("y", independent({ [name]: gaussian() })), table)
  const { terms } = named.explain({ [name]: null })
  expect(terms.map(({ column, value }) => [column, value])).toEqual([[name, null]])
})
