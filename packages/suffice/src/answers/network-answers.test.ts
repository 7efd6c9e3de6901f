import { describe, expect, it, test } from "vitest"
import { bernoulli } from "../families/bernoulli.ts"
import { bins, categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { fit } from "../fit/fit.ts"
import { load } from "../fit/load.ts"
import { specify } from "../fit/specify.ts"
import { classes, mixture } from "../structures/classes.ts"
import { given, hidden, network } from "../structures/network/declare.ts"

const coin = (p: number) => ({ probability: p })
/** Pearl's sprinkler: the season decides on rain and sprinkler, both wet the grass. */
const sprinkler = specify(
  network({
    season: categorical({ levels: ["dry", "wet"] }),
    sprinkler: given(["season"], bernoulli()),
    rain: given(["season"], bernoulli()),
    grass: given(["sprinkler", "rain"], bernoulli()),
  }),
  {
    season: { probabilities: { dry: 0.6, wet: 0.4 } },
    sprinkler: { given: { dry: coin(0.7), wet: coin(0.1) } },
    rain: { given: { dry: coin(0.2), wet: coin(0.8) } },
    grass: {
      given: {
        false: { false: coin(0.05), true: coin(0.9) },
        true: { false: coin(0.8), true: coin(0.95) },
      },
    },
  },
)

/** p(all four) by the product of the tables. */
function joint(season: string, on: boolean, rain: boolean, grass: boolean): number {
  const dry = season === "dry"
  const chance = (p: number, is: boolean): number => (is ? p : 1 - p)
  const wet = on ? (rain ? 0.95 : 0.8) : rain ? 0.9 : 0.05
  return (dry ? 0.6 : 0.4) * chance(dry ? 0.7 : 0.1, on) * chance(dry ? 0.2 : 0.8, rain) * chance(wet, grass)
}

const BOTH = [false, true]
const sumOver = (f: (season: string, on: boolean, rain: boolean, grass: boolean) => number): number => {
  let sum = 0
  for (const season of ["dry", "wet"])
    for (const on of BOTH)
      for (const rain of BOTH) for (const grass of BOTH) sum += f(season, on, rain, grass)
  return sum
}

describe("query", () => {
  it("gives the joint table of columns, given others", () => {
    const { of, levels, probabilities, entries, logEvidence } = sprinkler.query({
      of: ["season", "rain"],
      given: { grass: true },
    })
    expect(of).toEqual(["season", "rain"])
    expect(levels).toEqual([
      ["dry", "wet"],
      [false, true],
    ])
    const evidence = sumOver((season, on, rain, grass) => (grass ? joint(season, on, rain, grass) : 0))
    expect(Math.exp(logEvidence)).toBeCloseTo(evidence, 12)
    entries.forEach(({ levels, probability }, e) => {
      expect(probability).toBe(probabilities[e])
      const p = sumOver((season, on, rain, grass) =>
        grass && season === levels.season && rain === levels.rain ? joint(season, on, rain, grass) : 0,
      )
      expect(Math.abs(probability - p / evidence)).toBeLessThan(1e-14)
    })
  })

  it("sets columns from outside by do, which is not the same as seeing them", () => {
    const p = (options: object): number =>
      sprinkler.query({ of: "season", ...options } as never).probabilities[0]
    // seeing the sprinkler tells of the season; setting it does not
    expect(p({ given: { sprinkler: true } })).toBeCloseTo(0.42 / 0.46, 12)
    expect(p({ do: { sprinkler: true } })).toBeCloseTo(0.6, 14)
  })

  it("asks for hidden columns, and takes their values as given", () => {
    const model = specify(
      network({ cause: hidden(2), a: given(["cause"], bernoulli()), b: given(["cause"], bernoulli()) }),
      {
        cause: { probabilities: { 0: 0.3, 1: 0.7 } },
        a: { given: { 0: coin(0.9), 1: coin(0.2) } },
        b: { given: { 0: coin(0.6), 1: coin(0.1) } },
      },
    )
    const { probabilities } = model.query({ of: ["cause", "a"], given: { b: true } })
    const raw = [0.3 * 0.1 * 0.6, 0.3 * 0.9 * 0.6, 0.7 * 0.8 * 0.1, 0.7 * 0.2 * 0.1]
    const total = raw.reduce((x, y) => x + y)
    raw.forEach((p, e) => void expect(probabilities[e]).toBeCloseTo(p / total, 14))
    expect(model.query({ of: "a", given: { cause: 1 } as never }).probabilities[1]).toBeCloseTo(0.2, 14)
  })

  test("what it refuses", () => {
    const ask = (options: object) => () => sprinkler.query(options as never)
    expect(ask({ of: [] })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: query: of is a list of 0. It names the columns whose table is asked for, each once. Write for example { of: ["a", "b"] }.]`,
    )
    expect(ask({ of: "snow" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: query: the model has no column "snow". It has "season", "sprinkler", "rain" and "grass". Name one of these.]`,
    )
    expect(ask({ of: "rain", given: { rain: true } })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: query: column "rain" is given, and asked for. What is given is known. Leave it out of one of the two.]`,
    )
    expect(ask({ of: "rain", given: { season: "hot" } })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: query: "season" is given as "hot", which training never saw. Nothing is known of rows like that. Give a level the model knows.]`,
    )
    expect(ask({ of: "rain", do: { season: "hot" } })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: query: column "season" is set to "hot". Its levels are "dry" and "wet". Set it to one of these.]`,
    )
    const height = specify(network({ a: bernoulli(), x: given(["a"], gaussian()) }), {
      a: coin(0.5),
      x: { given: { false: { mean: 0, sd: 1 }, true: { mean: 1, sd: 1 } } },
    })
    expect(() => height.query({ of: "x" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: query: column "x" has no levels. A table needs some. Predict it: predict(rows, { target: "x" }), or bin it.]`,
    )
    const never = specify(network({ a: bernoulli(), b: given(["a"], bernoulli()) }), {
      a: coin(0),
      b: { given: { false: coin(0.5), true: coin(0.5) } },
    })
    expect(() => never.query({ of: "b", given: { a: true } })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: query: what is given of "a" has probability 0. Nothing follows from what cannot be. Give other cells, or learn the model with a prior.]`,
    )
  })
})

describe("marginals", () => {
  const rows = [
    {},
    { grass: true },
    { season: "dry" as const, grass: false },
    { season: "wet" as const, sprinkler: true, rain: false },
  ]

  it("tells of every column what query tells of one", () => {
    const { columns, logDensity } = sprinkler.marginals(rows)
    expect(Object.keys(columns)).toEqual(["season", "sprinkler", "rain", "grass"])
    rows.forEach((row: Record<string, unknown>, i) => {
      expect(logDensity[i]).toBeCloseTo(sprinkler.logDensity([row as never])[0], 13)
      for (const [name, { levels, probabilities }] of Object.entries(columns)) {
        const told = probabilities.subarray(i * levels.length, (i + 1) * levels.length)
        const known = levels.indexOf(row[name] as never)
        const asked = known < 0 ? sprinkler.query({ of: name, given: row as never }).probabilities : undefined
        levels.forEach((_, l) => void expect(told[l]).toBeCloseTo(asked ? asked[l] : l === known ? 1 : 0, 13))
      }
    })
  })

  it("includes hidden columns, and those of models that are no network", () => {
    const body = () => network({ a: bernoulli(), b: given(["a"], bernoulli()) })
    const told = (p: number, q: number) => ({ a: coin(p), b: { given: { false: coin(q), true: coin(0.9) } } })
    const mixed = specify(mixture(2, body(), { name: "h" }), {
      h: { probabilities: { 0: 0.3, 1: 0.7 }, given: { 0: told(0.2, 0.4), 1: told(0.6, 0.1) } },
    })
    const { columns, logDensity } = mixed.marginals([{ a: false }, { b: true }])
    expect(columns.h.probabilities[0]).toBeCloseTo(0.24 / (0.24 + 0.28), 13)
    expect(columns.b.probabilities[1]).toBeCloseTo((0.24 * 0.4 + 0.28 * 0.1) / 0.52, 13)
    expect([...columns.a.probabilities.subarray(0, 2)]).toEqual([1, 0])
    expect(Math.exp(logDensity[0])).toBeCloseTo(0.52, 13)
  })

  test("what cannot be is refused, by the row and its columns", () => {
    const never = specify(network({ a: bernoulli(), b: given(["a"], bernoulli()) }), {
      a: coin(0),
      b: { given: { false: coin(0.5), true: coin(0.5) } },
    })
    expect(() => never.marginals([{}, { a: true }])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: marginals: what row 1 says of "a" has probability 0. Nothing follows from what cannot be. Leave cells of it out, or learn the model with a prior.]`,
    )
  })
})

describe("intervene", () => {
  it("is a model whose columns lost their parents: density, posterior, samples and predictions are those of do", () => {
    const on = sprinkler.intervene({ sprinkler: true })
    const rows = BOTH.flatMap(rain => BOTH.map(grass => ({ season: "dry" as const, rain, grass })))
    on.logDensity(rows).forEach((density, i) => {
      const { rain, grass } = rows[i]
      expect(Math.exp(density)).toBeCloseTo(joint("dry", true, rain, grass) / 0.7, 13)
    })
    expect(on.predict([{ grass: true }], { target: "sprinkler" })[0].probabilities.true).toBe(1)
    expect(on.impute([{ season: "dry", rain: true, grass: true }]).rows[0].sprinkler).toBe(true)
    const drawn = on.sample(2000, { seed: 3 })
    expect(drawn.every(row => row.sprinkler)).toBe(true)
    const dry = drawn.filter(row => row.season === "dry").length / drawn.length
    expect(Math.abs(dry - 0.6)).toBeLessThan(0.04)
    const again = load(JSON.parse(JSON.stringify(on)))
    expect([...again.logDensity(rows)]).toEqual([...on.logDensity(rows)])
    expect(on.logDensity([{ sprinkler: false }])[0]).toBe(-Infinity)
    expect(on.separated("season", "sprinkler")).toBe(true)
  })

  it("on a column without parents is the same as being given it", () => {
    const set = sprinkler.query({ of: "grass", do: { season: "wet" } })
    const known = sprinkler.query({ of: "grass", given: { season: "wet" } })
    set.probabilities.forEach((p, e) => void expect(p).toBeCloseTo(known.probabilities[e], 14))
  })

  it("sets a number that is modelled as levels to its interval", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ x: i % 10, y: i % 10 > 6 ? "high" : "low" }))
    const fitted = await fit(network({ x: bins([3, 7]), y: given(["x"], categorical()) }), rows as never)
    const asked = (x: number | string) =>
      fitted.query({ of: "y", do: { x } } as never).probabilities[0].toFixed(12)
    expect(asked(8)).toBe(asked("≥ 7"))
    expect(asked(8)).not.toBe(asked(5))
    expect(asked(-100)).toBe(asked("< 3"))
  })

  it("sets numbers, and works below a label and in a mixture", () => {
    const body = () =>
      network({ a: bernoulli(), x: given(["a"], gaussian()), y: given(["x", "a"], gaussian()) })
    const line = (intercept: number, slope: number) => ({ intercept, coefficients: { x: slope }, sd: 0.5 })
    const described = (shift: number) => ({
      a: coin(0.5),
      x: { given: { false: { mean: 0, sd: 1 }, true: { mean: 3, sd: 1 } } },
      y: { given: { false: line(shift, 2), true: line(1 + shift, -1) } },
    })
    const labelled = specify(classes("k", body(), { levels: ["p", "q"] }), {
      k: { probabilities: { p: 0.5, q: 0.5 }, given: { p: described(0), q: described(10) } },
    })
    // setting x says nothing of a, seeing it does
    expect(labelled.query({ of: "a", given: { k: "p" }, do: { x: 3 } }).probabilities[1]).toBeCloseTo(0.5, 12)
    expect(labelled.query({ of: "a", given: { k: "p", x: 3 } }).probabilities[1]).toBeGreaterThan(0.98)
    const mixed = specify(mixture(2, body(), { name: "h" }), {
      h: { probabilities: { 0: 0.5, 1: 0.5 }, given: { 0: described(0), 1: described(10) } },
    })
    expect(mixed.intervene({ a: true }).logDensity([{ a: true }])[0]).toBeCloseTo(0, 12)
  })

  test("what it refuses", () => {
    const set = (values: object) => () => sprinkler.intervene(values as never)
    expect(set({})).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: intervene: what is set is an object with 0 keys. It says which columns are set, and to what. Write for example { sprinkler: "on" }.]`,
    )
    expect(set({ sprinkle: true })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: intervene: the model has no column "sprinkle". It has "season", "sprinkler", "rain" and "grass". Did you mean "sprinkler"?]`,
    )
    expect(set({ sprinkler: "on" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: intervene: column "sprinkler" is set to "on". Its levels are false and true. Set it to one of these.]`,
    )
    const model = specify(network({ cause: hidden(2), a: given(["cause"], bernoulli()) }), {
      cause: { probabilities: { 0: 0.3, 1: 0.7 } },
      a: { given: { 0: coin(0.9), 1: coin(0.2) } },
    })
    expect(() => model.intervene({ cause: 1 } as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: intervene: column "cause" is hidden. Nobody can set what nobody sees: its values have no meaning outside the model. Set a column of the data, or ask for what is given it: query({ of: …, given: { cause: 0 } }).]`,
    )
    const label = specify(classes("k", network({ a: bernoulli() }), { levels: ["p", "q"] }), {
      k: { probabilities: { p: 0.5, q: 0.5 }, given: { p: { a: coin(0.1) }, q: { a: coin(0.2) } } },
    })
    expect(() => label.intervene({ k: "p" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: intervene: column "k" is no column of a network. Only arrows say what it depends on, and what is cut by setting it. If nothing leads to it, setting it is knowing it: give it in the rows. Otherwise declare network({ … }).]`,
    )
  })
})

describe("arrows alone tell", () => {
  it("what is independent given what: chains, forks and colliders", () => {
    expect(sprinkler.separated("sprinkler", "rain")).toBe(false)
    expect(sprinkler.separated("sprinkler", "rain", "season")).toBe(true)
    expect(sprinkler.separated("sprinkler", "rain", ["season", "grass"])).toBe(false)
    expect(sprinkler.separated("season", "grass", ["sprinkler", "rain"])).toBe(true)
  })

  it("separated columns have equal posteriors", () => {
    for (const rain of BOTH) {
      const one = sprinkler.query({ of: "sprinkler", given: { season: "dry", rain } })
      const other = sprinkler.query({ of: "sprinkler", given: { season: "dry" } })
      expect(Math.abs(one.probabilities[0] - other.probabilities[0])).toBeLessThan(1e-12)
    }
  })

  it("the blanket of a column, and what to adjust for", () => {
    expect(sprinkler.blanket("rain")).toEqual(["season", "sprinkler", "grass"])
    expect(sprinkler.blanket("season")).toEqual(["sprinkler", "rain"])
    expect(sprinkler.adjustment("sprinkler", "grass")).toEqual(["season"])
    // the effect by adjustment is that of do: Σ_season p(season) p(grass | sprinkler, season)
    const adjusted = ["dry", "wet"].reduce((sum, season) => {
      const p = sprinkler.query({ of: "season" }).probabilities[season === "dry" ? 0 : 1]
      const given = { season, sprinkler: true } as never
      return sum + p * sprinkler.query({ of: "grass", given }).probabilities[1]
    }, 0)
    expect(sprinkler.query({ of: "grass", do: { sprinkler: true } }).probabilities[1]).toBeCloseTo(
      adjusted,
      13,
    )
    const confounded = specify(
      network({
        cause: hidden(2),
        x: given(["cause"], bernoulli()),
        y: given(["cause", "x"], bernoulli()),
      }),
      {
        cause: { probabilities: { 0: 0.3, 1: 0.7 } },
        x: { given: { 0: coin(0.9), 1: coin(0.2) } },
        y: { given: { 0: { false: coin(0.1), true: coin(0.2) }, 1: { false: coin(0.3), true: coin(0.4) } } },
      },
    )
    expect(confounded.adjustment("x", "y")).toBe(undefined)
  })

  test("what they refuse", () => {
    expect(() => sprinkler.separated("rain", ["rain", "grass"])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: separated: "rain" stands on both sides. A column is never independent of itself. Name it once.]`,
    )
    expect(() => sprinkler.blanket("rian")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: blanket: the model has no column "rian". It has "season", "sprinkler", "rain" and "grass". Did you mean "rain"?]`,
    )
    expect(() => sprinkler.adjustment("grass", "rain")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: adjustment: the arrows lead from "rain" to "grass". What comes first is not changed by what follows: "grass" has no effect on it. Ask the other way round.]`,
    )
    expect(() => sprinkler.adjustment("grass", "grass")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: adjustment: "grass" is both cause and effect. A column has no effect on itself. Name two columns.]`,
    )
  })
})
