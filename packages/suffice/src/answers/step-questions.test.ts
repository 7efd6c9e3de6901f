/** Questions about single steps of a chain (explain, impute, anomalies, decide), against all paths, added up here by hand. */
import { describe, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import {
  categorical,
  chain,
  classes,
  fit,
  gaussian,
  independent,
  mixture,
  plate,
  specify,
  window,
} from "../index.ts"

// biome-ignore lint/suspicious/noExplicitAny: models of all kinds
type Any = any
const loose = (model: unknown): Model => model as Model
const TAGS = ["a", "b", "c"]
const INITIAL = [0.5, 0.2, 0.3]
const MOVES = [
  [0.5, 0.3, 0.1],
  [0.1, 0.5, 0.1],
  [0.2, 0.2, 0.4],
]
const LAST = [0.1, 0.3, 0.2]
const MEANS = [0, 1, 3]
const LETTERS = [0.2, 0.45, 0.7]
const named = (values: readonly number[]): Any => Object.fromEntries(TAGS.map((tag, l) => [tag, values[l]]))
const given = Object.fromEntries(
  TAGS.map((tag, l) => [
    tag,
    {
      c: { family: "categorical", probabilities: { u: LETTERS[l], v: 1 - LETTERS[l] } },
      x: { family: "gaussian", mean: MEANS[l], sd: 1 },
    },
  ]),
)
const steps = (ends: boolean): Any => ({
  initial: named(INITIAL),
  transitions: Object.fromEntries(
    TAGS.map((tag, i) => [tag, named(MOVES[i].map(p => (ends ? p : p / (1 - LAST[i]))))]),
  ),
  ...(ends && { ends: named(LAST) }),
  given,
})
const tagger = (ends: boolean): Any =>
  specify(loose(chain("tag", independent({ c: categorical(), x: gaussian() }), { ends })), {
    steps: steps(ends),
  })
const row: { steps: Any[] } = {
  steps: [{ c: "u", x: 0.3 }, { c: "v", tag: "b" }, null, { x: 2 }, { c: "v", x: null, tag: "a" }],
}

const density = (x: number, l: number): number =>
  Math.exp(-0.5 * (x - MEANS[l]) ** 2) / Math.sqrt(2 * Math.PI)
const emission = (step: Any, l: number): number =>
  (step?.c ? (step.c === "u" ? LETTERS[l] : 1 - LETTERS[l]) : 1) * (step?.x == null ? 1 : density(step.x, l))

/** p(steps, path) of every path that keeps the tags that are seen. */
function paths(all: readonly Any[], ends: boolean): { path: number[]; p: number }[] {
  return Array.from({ length: 3 ** all.length }, (_, code) => {
    const path = all.map((_, t) => Math.trunc(code / 3 ** t) % 3)
    let p = 1
    path.forEach((l, t) => {
      p *= t === 0 ? INITIAL[l] : MOVES[path[t - 1]][l] / (ends ? 1 : 1 - LAST[path[t - 1]])
      p *= emission(all[t], l) * (all[t]?.tag && all[t].tag !== TAGS[l] ? 0 : 1)
    })
    if (ends && path.length > 0) p *= LAST[path[path.length - 1]]
    return { path, p }
  })
}
const sum = (of: readonly { path: number[]; p: number }[], keep: (path: number[]) => number): number =>
  of.reduce((total, { path, p }) => total + p * keep(path), 0)

for (const ends of [false, true]) {
  describe(ends ? "with ends" : "without ends", () => {
    const fitted = tagger(ends)

    test("an explanation is past, step and future, which add up to the log-odds of the step", () => {
      const hidden = row.steps.map(step => step && { ...step, tag: null })
      const all = paths(hidden, ends)
      row.steps.forEach((step, t) => {
        const before = paths([...hidden.slice(0, t), null], false)
        const after = paths([null, ...hidden.slice(t + 1)], ends)
        const pastOf = (l: number): number => {
          // as the model begins and moves, its ends included
          const moved = ends && t > 0 ? paths(hidden.slice(0, t), false) : undefined
          if (!moved) return sum(before, path => (path[t] === l ? 1 : 0))
          return moved.reduce((total, { path, p }) => {
            const stayed = path.slice(0, -1).reduce((share, i) => share * (1 - LAST[i]), 1)
            return total + p * stayed * MOVES[path[t - 1]][l]
          }, 0)
        }
        const futureOf = (l: number): number => sum(after, path => (path[0] === l ? 1 / INITIAL[l] : 0))
        const explained = fitted.explain(row, { step: t, level: "c", against: "a" })
        expect(explained).toMatchObject({ target: "tag", step: t, level: "c", against: "a" })
        expect(explained.past).toBeCloseTo(Math.log(pastOf(2) / pastOf(0)), 10)
        expect(explained.future).toBeCloseTo(Math.log(futureOf(2) / futureOf(0)), 10)
        const byColumn = Object.fromEntries(explained.terms.map((term: Any) => [term.column, term]))
        const own = (only: Any): number => Math.log(emission(only, 2) / emission(only, 0))
        expect(byColumn.c.contribution).toBeCloseTo(own({ c: step?.c }), 10)
        expect(byColumn.x.contribution).toBeCloseTo(own({ x: step?.x }), 10)
        expect(byColumn.c.value).toBe(step?.c ?? null)
        const odds = Math.log(
          sum(all, path => (path[t] === 2 ? 1 : 0)) / sum(all, path => (path[t] === 0 ? 1 : 0)),
        )
        expect(explained.logOdds).toBeCloseTo(odds, 10)
        const terms = explained.terms.reduce((total: number, term: Any) => total + term.contribution, 0)
        expect(explained.past + terms + explained.future).toBeCloseTo(odds, 10)
        const best = fitted.predict([row])[0][t]
        expect(fitted.explain(row, { step: t }).level).toBe(best.value)
      })
    })

    test("missing cells of steps are filled from both sides, given the tags that are seen", () => {
      const all = paths(row.steps, ends)
      const total = sum(all, () => 1)
      const { rows, spread, unseen } = fitted.impute([row])
      expect(unseen).toEqual([{}])
      const filled = rows[0].steps
      row.steps.forEach((step, t) => {
        const state = TAGS.map((_, l) => sum(all, path => (path[t] === l ? 1 : 0)) / total)
        const mean = state.reduce((m, p, l) => m + p * MEANS[l], 0)
        const variance = state.reduce((v, p, l) => v + p * (1 + (MEANS[l] - mean) ** 2), 0)
        if (step?.x == null) {
          expect(filled[t].x).toBeCloseTo(mean, 9)
          expect(spread[0][`steps[${t}].x`]).toBeCloseTo(Math.sqrt(variance), 9)
        } else expect(filled[t].x).toBe(step.x)
        if (step?.tag) expect(filled[t].tag).toBe(step.tag)
        else {
          expect(filled[t].tag).toBe(TAGS[state.indexOf(Math.max(...state))])
          expect(spread[0][`steps[${t}].tag`]).toBeCloseTo(1 - Math.max(...state), 10)
        }
        const u = state.reduce((p, share, l) => p + share * LETTERS[l], 0)
        expect(filled[t].c).toBe(step?.c ?? (u > 0.5 ? "u" : "v"))
      })
    })

    test("a step is as strange as its log-density given the steps before it", () => {
      const rows = [
        { steps: row.steps.map(step => step && { c: step.c, x: step.x }) },
        { steps: [] },
        { steps: [{ x: 9 }] },
      ]
      const found = fitted.anomalies(rows, { by: "step", quantile: 0.2 })
      expect([...found.offsets]).toEqual([0, 5, 5, 6])
      const before = (t: number): number =>
        // p of a beginning: the ends of what comes later are summed out
        Math.log(
          paths(rows[0].steps.slice(0, t), false).reduce((total, { path, p }) => {
            const stayed = ends ? path.slice(0, -1).reduce((share, i) => share * (1 - LAST[i]), 1) : 1
            return total + p * stayed
          }, 0),
        )
      rows[0].steps.forEach((_, t) => {
        expect(found.scores[t]).toBeCloseTo(before(t + 1) - before(t), 10)
      })
      if (!ends) {
        const total = found.scores.slice(0, 5).reduce((a: number, b: number) => a + b, 0)
        expect(total).toBeCloseTo(fitted.logDensity(rows)[0], 10)
      }
      expect(found.steps[0]).toEqual({ row: 2, step: 0 })
      for (const { row, step } of found.steps)
        expect(found.scores[found.offsets[row] + step]).toBeLessThan(found.threshold)
    })

    test("a decision for each step has the least expected loss", () => {
      const loss = { a: { go: 0, stay: 1 }, b: { go: 5, stay: 0 }, c: { go: 1, stay: 1 } }
      const rows = [row, { steps: [] }]
      const decided = fitted.decide(rows, { loss })
      const predicted = fitted.predict(rows)
      expect(decided[1]).toEqual([])
      decided[0].forEach(({ action, risks }: Any, t: number) => {
        const { a, b, c } = predicted[0][t].probabilities
        expect(risks.go).toBeCloseTo(5 * b + c, 10)
        expect(risks.stay).toBeCloseTo(a + c, 10)
        expect(action).toBe(risks.go <= risks.stay ? "go" : "stay")
      })
    })
  })
}

test("steps keep the form they came in when they are filled, and draws fill them jointly", () => {
  const fitted = tagger(false)
  const columns = { steps: { c: ["u", null], x: [null, 3] } }
  const { rows, draws } = fitted.impute([columns, { steps: null }, { steps: [] }], { draws: 2, seed: 1 })
  expect(rows[0].steps.c[0]).toBe("u")
  expect(rows[0].steps.x[0]).toEqual(expect.any(Number))
  expect(rows[0].steps.tag).toHaveLength(2)
  expect(rows.slice(1)).toEqual([{ steps: null }, { steps: [] }])
  expect(draws[0][0].steps.x[1]).toBe(3)
  expect(TAGS).toContain(draws[1][0].steps.tag[0])
  const letters: Any = specify(loose(chain(2, independent({ c: categorical() }))), {
    steps: {
      initial: { 0: 1, 1: 0 },
      transitions: { 0: { 0: 0.1, 1: 0.9 }, 1: { 0: 0.9, 1: 0.1 } },
      given: {
        0: { c: { family: "categorical", probabilities: { u: 0.9, v: 0.1 } } },
        1: { c: { family: "categorical", probabilities: { u: 0.1, v: 0.9 } } },
      },
    },
  })
  expect(letters.impute([{ steps: ["u", null, "u", "z"] }]).rows).toEqual([{ steps: ["u", "v", "u", "z"] }])
  expect([...letters.responsibilities([{ steps: ["u"] }, { steps: ["u", "v"] }]).offsets]).toEqual([0, 1, 3])
})

test("below a class, beside other columns, and in steps without an order", async () => {
  const body = { initial: { 0: 0.5, 1: 0.5 }, transitions: { 0: { 0: 0.9, 1: 0.1 }, 1: { 0: 0.2, 1: 0.8 } } }
  const at = (mean: number): Any => ({ x: { family: "gaussian", mean, sd: 1 } })
  const both: Any = specify(loose(classes("y", chain(2, independent({ x: gaussian() })))), {
    y: {
      probabilities: { p: 0.5, q: 0.5 },
      given: {
        p: { steps: { ...body, given: { 0: at(0), 1: at(2) } } },
        q: { steps: { ...body, given: { 0: at(5), 1: at(9) } } },
      },
    },
  })
  const asked = { steps: [{ x: 1 }, { x: null }, { x: 3 }] }
  const { rows } = both.impute([{ ...asked, y: "p" }, asked])
  const [{ probabilities }] = both.predict([asked])
  const other = both.impute([{ ...asked, y: "q" }]).rows[0].steps[1].x
  expect(rows[1].steps[1].x).toBeCloseTo(probabilities.p * rows[0].steps[1].x + probabilities.q * other, 9)
  expect(rows[1].y).toBe("p")
  const flat = [{ s: [{ x: 1 }, { x: null }] }, { s: [{ x: 3 }] }]
  const plain: Any = await fit(loose(plate("s", independent({ x: gaussian() }))), flat as never)
  expect(plain.impute(flat).rows[0].s[1].x).toBeCloseTo(2, 10)
})

test("mixtures and words of a step explain it, too", async () => {
  const text = "the/D old/A man/N | a/D dog/N ran/V | the/D man/N ran/V"
  const rows = text.split(" | ").map((sentence, i) => ({
    steps: sentence
      .split(" ")
      .map((token, t) => ({ word: token.split("/")[0], tag: token.split("/")[1], x: i - 2 * t })),
  }))
  const near = window([{ of: "word", at: [-1, 0] }])
  const fitted: Any = await fit(
    loose(chain("tag", independent(near, mixture(2, independent({ x: gaussian() }))))),
    rows as never,
  )
  const explained = fitted.explain(rows[0], { step: 1 })
  expect(explained.terms.map(({ column, word }: Any) => word ?? column).sort()).toEqual([
    "word=old",
    "word@-1=the",
    "x",
  ])
  const total = explained.terms.reduce((all: number, { contribution }: Any) => all + contribution, 0)
  expect(explained.past + total + explained.future).toBeCloseTo(explained.logOdds, 10)
  const { probabilities } = fitted.predict([rows[0]])[0][1]
  const odds = Math.log(probabilities[explained.level] / probabilities[explained.against])
  expect(explained.logOdds).toBeCloseTo(odds, 9)
})

describe("below a switch an explanation is told with its values summed out", () => {
  const many = Array.from({ length: 24 }, (_, i) => ({
    kind: i % 2 ? "p" : "q",
    size: i % 2 ? 1 + (i % 5) : 4 + (i % 3),
    steps: Array.from({ length: 5 }, (_, t) => ({
      tag: TAGS[(i + t * (1 + (i % 2))) % 3],
      c: (i * t) % 5 < 3 ? "u" : "v",
      x: ((i + t * (1 + (i % 2))) % 3) * (i % 2 ? 1.5 : 1) + Math.sin(7 * i + t),
    })),
  }))
  const inner = (): Any => chain("tag", loose(independent({ c: categorical(), x: gaussian() })) as Any)
  const asked = { size: 3.5, steps: many[3].steps.map(({ tag: _, ...step }) => step) }
  const models: [string, Any, Any][] = [
    ["a mixture", mixture(2, inner()), { steps: asked.steps }],
    ["a class that is hidden", classes("kind", independent({ size: gaussian() }, inner())), asked],
    [
      "a class that is seen",
      classes("kind", independent({ size: gaussian() }, inner())),
      { ...asked, kind: "q" },
    ],
  ]
  for (const [name, model, row] of models)
    test(name, async () => {
      const fitted: Any = await fit(loose(model), many as never, { seed: 2 })
      const oddsOf = (steps: Any[], t: number): number => {
        const { probabilities } = fitted.predict([{ ...row, steps }], { target: "tag" })[0][t]
        return Math.log(probabilities.a / probabilities.c)
      }
      for (let t = 0; t < 5; t++) {
        const told = fitted.explain(row, { target: "tag", step: t, level: "a", against: "c" })
        const terms = told.terms.reduce((total: number, term: Any) => total + term.contribution, 0)
        // without ends, steps that are cut off say nothing
        const past = oddsOf([...row.steps.slice(0, t), null], t)
        const sofar = oddsOf(row.steps.slice(0, t + 1), t)
        expect(told.past).toBeCloseTo(past, 8)
        expect(terms).toBeCloseTo(sofar - past, 8)
        expect(told.logOdds).toBeCloseTo(oddsOf(row.steps, t), 8)
        expect(told.past + terms + told.future).toBeCloseTo(told.logOdds, 9)
        expect(told.terms.map(({ column }: Any) => column).sort()).toEqual(["c", "x"])
      }
    })
})

test("what cannot be asked of a step says why", () => {
  const fitted = tagger(false)
  const plain: Any = specify(loose(independent({ x: gaussian() })), { x: { mean: 0, sd: 1 } })
  const said = (ask: () => unknown): string => {
    try {
      ask()
    } catch (error) {
      return (error as Error).message
    }
    return "nothing"
  }
  expect([
    said(() => fitted.explain(row)),
    said(() => fitted.explain(row, { step: 5 })),
    said(() => fitted.explain({ steps: [] }, { step: 0 })),
    said(() => fitted.explain(row, { step: 0, target: "c" })),
    said(() => fitted.explain(row, { step: 0, level: "d" })),
    said(() => plain.explain({ x: 1 }, { step: 0 })),
    said(() => plain.anomalies([{ x: 1 }], { by: "step" })),
    said(() => fitted.anomalies([row], { by: "steps" })),
    said(() => fitted.decide([row], { target: "x" })),
    said(() => fitted.decide([row], { prior: { a: 1, b: 1, c: 1 } })),
  ]).toMatchInlineSnapshot(`
    [
      "explain: step is undefined. The row has the steps 0 to 4, and each has a state of its own. Name one: { step: 0 }.",
      "explain: step is 5. The row has the steps 0 to 4, and each has a state of its own. Name one: { step: 0 }.",
      "explain: step is 0. The row has no steps, so that none can be explained. Ask about a row that has some.",
      "explain: "c" is a column of the steps, not their state. An explanation weighs what comes before, at and after a step for the state of one chain. Ask for the state, or use predict().",
      "explain: level is "d", which is no level of "tag". It has "a", "b" and "c". Name one of them.",
      "explain: step is 0. It tells the steps of a row apart, but what is asked for is not the state of one chain. Leave it out, or name the state.",
      "anomalies: steps cannot be judged by those before them: it has no chain, so that its rows do not go on. A model with one chain, alone or beside other columns, knows what comes after what. Fit one.",
      "anomalies: by is "steps". It is "row" or "step". Leave it out for rows.",
      "decide: "x" has no levels to choose from: it is a number. Use predict().",
      "decide: prior and classWeights weigh the levels of one value in each row, but "tag" stands in the steps. Leave them out, or weigh the probabilities yourself.",
    ]
  `)
})
