/** Answers about the steps of a chain, against all paths. */
import { describe, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import { categorical, chain, classes, dice, fit, gaussian, independent, mixture, specify } from "../index.ts"
import { evaluate } from "../measure.ts"

// biome-ignore lint/suspicious/noExplicitAny: models of all kinds
type Any = any
const loose = (model: unknown): Model => model as Model
const TAGS = ["a", "b", "c"]

const parameters = (ends: boolean): Any => ({
  steps: {
    initial: { a: 0.5, b: 0.2, c: 0.3 },
    transitions: ends
      ? { a: { a: 0.5, b: 0.3, c: 0.1 }, b: { a: 0.1, b: 0.5, c: 0.1 }, c: { a: 0.2, b: 0.2, c: 0.4 } }
      : { a: { a: 0.6, b: 0.3, c: 0.1 }, b: { a: 0.1, b: 0.7, c: 0.2 }, c: { a: 0.3, b: 0.2, c: 0.5 } },
    ...(ends && { ends: { a: 0.1, b: 0.3, c: 0.2 } }),
    given: Object.fromEntries(
      TAGS.map((tag, l) => [
        tag,
        {
          c: { family: "categorical", probabilities: { u: 0.2 + 0.25 * l, v: 0.8 - 0.25 * l } },
          x: { family: "gaussian", mean: l, sd: 1 },
        },
      ]),
    ),
  },
})
const body = () => independent({ c: categorical(), x: gaussian() })
const model = (ends: boolean): Any => specify(loose(chain("tag", body(), { ends })), parameters(ends))
const rows = [
  { steps: [{ c: "u", x: 0.3 }, { c: "v" }, null, { x: 2, tag: "b" }] },
  { steps: [{ c: "u" }] },
  { steps: [] },
  { steps: [{ tag: "c", x: -1 }, { tag: null, c: "v" }, {}] },
] as { steps: Any[] }[]

/** ln p(steps, path) of every path that agrees with what is seen of the tags. */
function joints(fitted: Any, steps: Any[]): { path: string[]; score: number }[] {
  const all: { path: string[]; score: number }[] = []
  for (let code = 0; code < 3 ** steps.length; code++) {
    const path = steps.map((_, t) => TAGS[Math.trunc(code / 3 ** t) % 3])
    if (steps.some((step, t) => step?.tag && step.tag !== path[t])) continue
    const tagged = steps.map((step, t) => ({ ...step, tag: path[t] }))
    all.push({ path, score: fitted.logDensity([{ steps: tagged }])[0] })
  }
  return all
}
const hidden = (steps: Any[]): Any[] => steps.map(step => step && { ...step, tag: null })

for (const ends of [false, true]) {
  describe(ends ? "with ends" : "without ends", () => {
    const fitted = model(ends)

    test("each step's tag, from the whole row: the tags themselves are not read", () => {
      const answers = fitted.predict(rows)
      const { levels, probabilities, offsets } = fitted.posterior(rows)
      expect(levels).toEqual(TAGS)
      expect([...offsets]).toEqual([0, 4, 5, 5, 8])
      const labels = fitted.labels(rows)
      rows.forEach(({ steps }, i) => {
        const all = joints(fitted, hidden(steps))
        const total = all.reduce((sum, { score }) => sum + Math.exp(score), 0)
        expect(answers[i].length).toBe(steps.length)
        steps.forEach((_, t) => {
          TAGS.forEach((tag, l) => {
            const own = all.filter(({ path }) => path[t] === tag)
            const wanted = own.reduce((sum, { score }) => sum + Math.exp(score), 0) / total
            expect(answers[i][t].probabilities[tag]).toBeCloseTo(wanted, 10)
            expect(probabilities[(offsets[i] + t) * 3 + l]).toBeCloseTo(wanted, 10)
          })
          expect(labels[i][t]).toBe(answers[i][t].value)
          expect(answers[i][t].probability).toBe(
            Math.max(...(Object.values(answers[i][t].probabilities) as number[])),
          )
        })
      })
    })

    test("from the past alone: as if later steps had not come", () => {
      if (ends) return
      const answers = fitted.predict(rows, { past: true })
      rows.forEach(({ steps }, i) => {
        steps.forEach((_, t) => {
          const cut = fitted.predict([{ steps: steps.slice(0, t + 1) }])[0][t]
          for (const tag of TAGS)
            expect(answers[i][t].probabilities[tag]).toBeCloseTo(cut.probabilities[tag], 10)
        })
      })
    })

    test("the best path is the best of all that keep the tags seen", () => {
      const paths = fitted.path(rows)
      rows.forEach(({ steps }, i) => {
        if (steps.length === 0) {
          expect(paths[i]).toEqual({ values: [], logProbability: 0, segments: [] })
          return
        }
        const best = joints(fitted, steps).reduce((a, b) => (b.score > a.score ? b : a))
        expect(paths[i].values).toEqual(best.path)
        expect(paths[i].logProbability).toBeCloseTo(best.score, 10)
        const again = paths[i].segments.flatMap(({ value, from, to }: Any) => Array(to - from).fill(value))
        expect(again).toEqual(best.path)
      })
    })

    test("other columns of the steps", () => {
      const numbers = fitted.predict(rows, { target: "x" })
      const letters = fitted.predict(rows, { target: "steps.c" })
      const steps = rows[0].steps
      const without = (column: string): Any[] => steps.map(step => step && { ...step, [column]: null })
      // tags that are seen are evidence here
      const all = joints(fitted, without("x"))
      const total = all.reduce((sum, { score }) => sum + Math.exp(score), 0)
      steps.forEach((_, t) => {
        const mean = all.reduce(
          (sum, { path, score }) => sum + (Math.exp(score) / total) * TAGS.indexOf(path[t]),
          0,
        )
        expect(numbers[0][t].value).toBeCloseTo(mean, 9)
        expect(numbers[0][t].interval[0]).toBeLessThan(numbers[0][t].value)
        const odds = ["u", "v"].map(c =>
          Math.exp(
            fitted.logDensity([
              { steps: without("c").map((step, s) => (s === t ? { ...step, c } : step)) },
            ])[0],
          ),
        )
        expect(letters[0][t].probabilities.u).toBeCloseTo(odds[0] / (odds[0] + odds[1]), 9)
      })
    })
  })
}

test("hidden states, below classes and mixtures, and beside other columns", async () => {
  const draws = dice(3)
  const data = Array.from({ length: 60 }, (_, i) => ({
    kind: i % 2 ? "even" : "odd",
    age: draws.normal(),
    steps: Array.from({ length: 1 + draws.integer(3) }, () => ({
      c: draws.uniform() < 0.5 ? "u" : "v",
      x: draws.normal(),
    })),
  }))
  for (const structure of [
    classes("kind", independent({ age: gaussian() }, chain(2, body(), { name: "mood" }) as never)),
    independent({ age: gaussian() }, mixture(2, chain(2, body(), { name: "mood" }) as never)),
  ]) {
    const fitted: Any = await fit(loose(structure), data as never)
    const asked = data.slice(0, 5).map(({ kind: _, ...row }) => row)
    const { probabilities, offsets } = fitted.posterior(asked, { target: "mood" })
    expect(fitted.responsibilities(asked, { of: "mood" }).slice()).toEqual(probabilities)
    for (let step = 0; step < offsets[5]; step++)
      expect(probabilities[2 * step] + probabilities[2 * step + 1]).toBeCloseTo(1, 10)
    const paths = fitted.path(asked)
    paths.forEach(({ values }: Any, i: number) => {
      expect(values.length).toBe(asked[i].steps.length)
    })
    expect(() => fitted.predict(asked, { target: "mood", past: true })).toThrow("below a switch")
    expect(fitted.predict(asked, { target: "x" })[0][0].sd).toBeGreaterThan(0)
  }
})

test("what comes next is what steps in which nothing is seen say, and following is filtering", () => {
  for (const ends of [false, true]) {
    const fitted = model(ends)
    const asked = rows.map(({ steps }) => ({ steps: hidden(steps) }))
    const answers = fitted.forecast(asked, { steps: 3 })
    const past = ends
      ? undefined
      : fitted.predict(asked.map(({ steps }) => ({ steps: [...steps, null, null, null] })))
    const numbers = ends
      ? undefined
      : fitted.predict(
          asked.map(({ steps }) => ({ steps: [...steps, null, null, null] })),
          { target: "c" },
        )
    asked.forEach(({ steps }, i) => {
      expect(answers[i].length).toBe(3)
      for (let h = 0; h < 3; h++) {
        const { state, columns } = answers[i][h]
        const sum = TAGS.reduce((total, tag) => total + state.probabilities[tag], 0)
        expect(sum).toBeCloseTo(1, 12)
        if (!past) continue
        for (const tag of TAGS)
          expect(state.probabilities[tag]).toBeCloseTo(past[i][steps.length + h].probabilities[tag], 10)
        // the column itself is not hidden in the steps that came
        if (steps.length === 0)
          expect(columns.c.probabilities.u).toBeCloseTo(numbers[i][h].probabilities.u, 10)
        expect(columns.x.interval[0]).toBeLessThan(columns.x.value)
      }
      const live = fitted.follow()
      const filtered = fitted.predict([{ steps }], { past: true })[0]
      steps.forEach((step, t) => {
        const { probabilities } = live.push(step)
        for (const tag of TAGS) expect(probabilities[tag]).toBeCloseTo(filtered[t].probabilities[tag], 10)
      })
      if (!ends) expect(live.logDensity).toBeCloseTo(fitted.logDensity([{ steps }])[0], 10)
      const next = live.forecast()[0].state.probabilities
      for (const tag of TAGS) expect(next[tag]).toBeCloseTo(answers[i][0].state.probabilities[tag], 10)
    })
  }
})

/** p(z_t = l | the steps) by the recursions as they are written, scaled at each step; `b`: p(step t | l). */
function marginals(ends: boolean, T: number, b: (t: number, l: number) => number): number[][] {
  const { initial, transitions, ends: end } = parameters(ends).steps
  const normed = (values: number[]): number[] => {
    const total = values.reduce((sum, x) => sum + x, 0)
    return values.map(x => x / total)
  }
  const a = (i: number, j: number): number => transitions[TAGS[i]][TAGS[j]]
  const sum = (of: (l: number) => number): number => of(0) + of(1) + of(2)
  const each = [0, 1, 2]
  const alpha: number[][] = []
  for (let t = 0; t < T; t++)
    alpha.push(
      normed(each.map(j => (t === 0 ? initial[TAGS[j]] : sum(i => alpha[t - 1][i] * a(i, j))) * b(t, j))),
    )
  let beta = each.map(l => (ends ? end[TAGS[l]] : 1))
  const gamma: number[][] = []
  for (let t = T - 1; t >= 0; t--) {
    gamma[t] = normed(each.map(l => alpha[t][l] * beta[l]))
    beta = normed(each.map(i => sum(j => a(i, j) * b(t, j) * beta[j])))
  }
  return gamma
}

for (const ends of [false, true]) {
  test(`a long row is answered step by step as a short one is, ends: ${ends}`, () => {
    const fitted = model(ends)
    const draws = dice(6)
    const long: Any[] = Array.from({ length: 2000 }, (_, t) => ({
      x: (Math.trunc(t / 30) % 3) + draws.normal(),
      c: "uv"[draws.integer(2)],
    }))
    const ofC = (t: number, l: number): number => (long[t].c === "u" ? 0.2 + 0.25 * l : 0.8 - 0.25 * l)
    const ofX = (t: number, l: number): number => Math.exp(-((long[t].x - l) ** 2) / 2)
    const both = marginals(ends, long.length, (t, l) => ofC(t, l) * ofX(t, l))
    const [answers] = fitted.predict([{ steps: long }])
    const { probabilities } = fitted.posterior([{ steps: long }])
    // x is asked for without itself
    const without = marginals(ends, long.length, ofC)
    const [numbers] = ends ? fitted.predict([{ steps: long }], { target: "x" }) : []
    const {
      rows: [filled],
    } = fitted.impute([{ steps: long.map(({ x, ...rest }, t) => (t % 9 ? { x, ...rest } : rest)) }])
    const holed = marginals(ends, long.length, (t, l) => ofC(t, l) * (t % 9 ? ofX(t, l) : 1))
    for (const t of [0, 9, 72, 1000, 1919, 1920, 1926, 1999]) {
      TAGS.forEach((tag, l) => {
        expect(answers[t].probabilities[tag], `step ${t}`).toBeCloseTo(both[t][l], 10)
        expect(probabilities[3 * t + l]).toBeCloseTo(both[t][l], 10)
      })
      if (ends) expect(numbers[t].value).toBeCloseTo(without[t][1] + 2 * without[t][2], 9)
      expect(filled.steps[t].x).toBeCloseTo(t % 9 ? long[t].x : holed[t][1] + 2 * holed[t][2], 9)
    }
  })
}

test("no probability of a long row is above 1, forwards or both ways", () => {
  const draws = dice(5)
  const long = Array.from({ length: 3000 }, (_, t) => ({
    x: 20 * (Math.trunc(t / 50) % 3) + draws.normal(),
    c: "u",
  }))
  for (const past of [false, true]) {
    const [answers] = model(false).predict([{ steps: long }], { past })
    const each = answers.flatMap(({ probabilities }: Any) => Object.values(probabilities)) as number[]
    expect(Math.max(...each)).toBe(1)
  }
})

test("what training never saw is missing, and told of in its step", () => {
  const fitted = model(false)
  const strange = { steps: [{ c: "z", x: 1, tag: "N" }, { c: "u" }] }
  const [answers] = fitted.predict([strange])
  expect(answers[0].unseen).toEqual({ c: "z", tag: "N" })
  expect(answers[1].unseen).toBe(undefined)
  const [plain] = fitted.predict([{ steps: [{ x: 1 }, { c: "u" }] }])
  expect(answers[0].probabilities).toEqual(plain[0].probabilities)
})

test("as many steps are drawn as are asked for, and those that are given are kept", () => {
  const fitted = model(false)
  const drawn = fitted.sample(3, { steps: 4, seed: 2 })
  for (const { steps } of drawn) {
    expect(steps).toHaveLength(4)
    for (const { tag, c, x } of steps)
      expect([TAGS.includes(tag), "uv".includes(c), typeof x]).toEqual([true, true, "number"])
  }
  const given = { steps: [{ tag: "b" }, null] }
  for (const { steps } of fitted.sample(2, { steps: 4, given }))
    expect([steps.length, steps[0].tag]).toEqual([2, "b"])
})

test("tags are judged step by step, by sequence and by span", async () => {
  const sentences = [
    { steps: "B-A/u I-A/v O/u".split(" ") },
    { steps: "O/u B-B/v".split(" ") },
    { steps: "B-A/u I-A/v O/u B-B/v".split(" ") },
  ].map(({ steps }) => ({
    steps: steps.map(step => ({ tag: step.split("/")[0], c: step.split("/")[1] })),
  }))
  const fitted: Any = await fit(loose(chain("tag", independent({ c: categorical() }))), sentences as never)
  const found: Any = evaluate(fitted, sentences as never)
  const labels = fitted.labels(sentences).flat()
  const truth = sentences.flatMap(({ steps }) => steps.map(({ tag }) => tag))
  const right = truth.filter((tag, t) => tag === labels[t]).length
  expect(found.accuracy).toBeCloseTo(right / truth.length, 12)
  const paths = fitted.path(sentences.map(({ steps }) => ({ steps: steps.map(({ c }) => ({ c })) })))
  const whole = sentences.filter(({ steps }, i) => steps.every(({ tag }, t) => tag === paths[i].values[t]))
  const bare = sentences.map(({ steps }) => ({ steps: steps.map(({ c }) => ({ c })) }))
  const sum = (rows: unknown) => fitted.logDensity(rows).reduce((total: number, x: number) => total + x, 0)
  expect(found.sequences).toMatchObject({ rows: 3, accuracy: whole.length / 3 })
  expect(found.sequences.logLoss).toBeCloseTo((sum(bare) - sum(sentences)) / truth.length, 12)
  expect(found.spans.true).toBe(4)
  expect(Object.keys(found.spans.perType)).toEqual(["A", "B"])
  const strange = evaluate(fitted, [
    {
      steps: [
        { tag: "B-C", c: "u" },
        { tag: null, c: "v" },
      ],
    },
  ] as never) as Any
  expect(strange).toMatchObject({ accuracy: 0, skipped: 1, unseen: { "B-C": 1 } })
})

test("what cannot be asked says why", async () => {
  const fitted = model(false)
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
    said(() => fitted.predict(rows, { target: "tga" })),
    said(() => fitted.predict(rows, { target: "steps" })),
    said(() => fitted.predict(rows, { prior: { a: 1, b: 1, c: 1 } })),
    said(() => fitted.predict(rows, { target: "x", coverage: 2 })),
    said(() => fitted.posterior(rows, { target: "x" })),
    said(() => fitted.predict(rows, { target: "x", past: true })),
    said(() => plain.predict([{}], { target: "x", past: true })),
    said(() => plain.path([{}])),
    said(() => fitted.path(rows, { of: "x" })),
    said(() => evaluate(fitted, rows as never, { target: "x" } as never)),
    said(() => fitted.explain(rows[0])),
    said(() => plain.forecast([{}])),
    said(() => fitted.forecast(rows, { steps: 0 })),
    said(() => fitted.forecast(rows, { coverage: 1 })),
    said(() => fitted.forecast(rows, { horizon: 1 })),
    said(() => fitted.sample(1)),
    said(() => fitted.sample(1, { steps: -1 })),
    said(() => plain.sample(1, { steps: 2 })),
  ]).toMatchInlineSnapshot(`
    [
      "the model has no column "tga". It has "steps.tag", "steps.c" and "steps.x". Did you mean "steps.tag"?",
      "column "steps" has no levels to choose from. A posterior over levels needs some. No other column has any.",
      "predict: prior and classWeights weigh the levels of one value in each row, but "tag" stands in the steps. Leave them out, or weigh the probabilities yourself.",
      "predict: coverage is 2. It is the probability the interval holds, so it lies between 0 and 1. Leave it out for 0.95.",
      "posterior: "x" has no levels to choose from: it is a number. Use predict().",
      "predict: past is asked of "x", which is not the state of a chain. The steps so far are known for the state of a chain that stands alone or beside other columns. Leave past out, or cut the sequences off yourself.",
      "predict: past is given, but "x" has one value in each row. It tells earlier steps of a row from later ones. Leave it out, or ask for the state of a chain.",
      "path: the model has no chain. A path is one through the states of a chain. Use predict() for a column.",
      "path: "x" is not the state of a chain. The model has "tag". Name one: path(rows, { of: "tag" }).",
      "evaluate: "x" is a number in the steps of rows. Only levels are compared step by step. Name a column of the steps that has levels.",
      "explain: step is undefined. The row has the steps 0 to 3, and each has a state of its own. Name one: { step: 0 }.",
      "forecast: it is not known from where the model goes on: it has no chain, so that its rows do not go on. A model with one chain, alone or beside other columns, knows what comes after what. Fit one.",
      "forecast: steps is 0. It counts steps ahead, so it is a whole number ≥ 1. Leave it out for 1.",
      "forecast: coverage is 1. It is the probability the interval holds, so it lies between 0 and 1. Leave it out for 0.95.",
      "forecast: there is no option "horizon". It knows "steps" and "coverage". Leave it out.",
      "sample: "steps" is not given. How many steps a row has is given to the model, not modelled by it, so they cannot be drawn out of nothing. Say how many: { steps: 3 }, or give them, those with nothing seen as null: { given: { steps: [null, null, null] } }.",
      "sample: steps is -1. It must be a whole number ≥ 0. Give one.",
      "sample: steps is 2. It counts the steps of a row, and the model has none. Leave it out.",
    ]
  `)
})
