import { describe, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import type { Fitted } from "../fit/fitted.ts"
import {
  bernoulli,
  categorical,
  classes,
  fit,
  gaussian,
  independent,
  mixture,
  multinomial,
  wordSet,
} from "../index.ts"

const rows = Array.from({ length: 40 }, (_, i) => ({
  y: i % 4 === 0 ? "a" : "b",
  x: (i % 4 === 0 ? 0 : 5) + ((i * 7) % 5) / 2,
  u: ["r", "s", "t"][i % 3],
  flag: i % 5 < 2,
  empty: null,
}))
const learned = (model: unknown, data: unknown = rows): Promise<Fitted> =>
  fit(model as Model, data as never) as Promise<Fitted>
const features = { x: gaussian(), u: categorical(), flag: bernoulli() }
const fitted = await learned(classes("y", independent(features)))

describe("the posterior", () => {
  test("is rows × levels, each row adding up to 1", () => {
    const { levels, probabilities } = fitted.posterior(rows)
    expect(levels).toEqual(["a", "b"])
    expect(probabilities).toHaveLength(80)
    for (let i = 0; i < 40; i++) {
      expect(probabilities[2 * i] + probabilities[2 * i + 1]).toBeCloseTo(1, 14)
    }
  })

  test("ignores what the row says of the target", () => {
    const lies = rows.map(row => ({ ...row, y: "a" }))
    const without = rows.map(({ y, ...row }) => row)
    expect(fitted.posterior(lies)).toEqual(fitted.posterior(rows))
    expect(fitted.posterior(without)).toEqual(fitted.posterior(rows))
  })

  test("of any column with levels is p(level | the rest), by the densities of the filled-in rows", () => {
    for (const target of ["y", "u", "flag"] as const) {
      const { levels, probabilities } = fitted.posterior(rows, { target })
      rows.slice(0, 8).forEach((row, i) => {
        const joint = levels.map(level => Math.exp(fitted.logDensity([{ ...row, [target]: level }])[0]))
        const total = joint.reduce((sum, p) => sum + p, 0)
        expect([...probabilities.slice(i * levels.length, (i + 1) * levels.length)]).toEqual(
          joint.map(p => expect.closeTo(p / total, 12)),
        )
      })
    }
  })

  test("of a row in which nothing is seen is the prior", () => {
    const { probabilities } = fitted.posterior([{ x: null, u: null, flag: null }])
    expect([...probabilities]).toEqual([expect.closeTo(0.25, 14), expect.closeTo(0.75, 14)])
  })

  test("adds up to 1 far from all data, and is even where nothing is possible", async () => {
    for (const x of [1e6, -1e6, 1e150]) {
      const { probabilities } = fitted.posterior([{ x, u: "r", flag: true }])
      expect(probabilities[0] + probabilities[1]).toBeCloseTo(1, 14)
    }
    const strict = await learned(
      classes("y", independent({ u: categorical({ prior: 0, levels: ["r", "s", "t", "never"] }) })),
    )
    expect([...strict.posterior([{ u: "never" }]).probabilities]).toEqual([0.5, 0.5])
  })

  test("row by row is the same as all at once, to the bit, at any number of rows", () => {
    const many = Array.from({ length: 8500 }, (_, i) => rows[(i * 17) % 40])
    const all = fitted.posterior(many).probabilities
    for (const count of [1, 255, 256, 257, 8191, 8192, 8193]) {
      expect(fitted.posterior(many.slice(0, count)).probabilities).toEqual(all.slice(0, 2 * count))
    }
    for (const i of [0, 256, 8192]) {
      expect(fitted.posterior([many[i]]).probabilities).toEqual(all.slice(2 * i, 2 * i + 2))
    }
  })

  test("changes nothing in the rows, and is the same for columns", () => {
    const frozen = Object.freeze(rows.map(row => Object.freeze({ ...row })))
    const columns = {
      x: Float64Array.from(rows, row => row.x),
      u: rows.map(row => row.u),
      flag: rows.map(row => row.flag),
    }
    expect(fitted.posterior(frozen)).toEqual(fitted.posterior(columns))
  })

  test("of a named mixture is asked for like that of a column", async () => {
    const mixed = await learned(classes("y", mixture(2, independent(features), { name: "part" })))
    const { levels, probabilities } = mixed.posterior(rows, { target: "part" })
    expect(levels).toEqual([0, 1])
    expect(probabilities).toEqual(mixed.responsibilities(rows))
  })
})

describe("refused is", () => {
  const ask = (fitted: Fitted, target?: string) => () => fitted.posterior(rows, { target } as never)
  test("a question without a target, of a model without a label", async () => {
    expect(ask(await learned(independent(features)))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no label, and no target is named. It cannot be guessed. Name one of "u", "flag" and "x": { target: … }.]`,
    )
    expect(ask(await learned(independent({ x: gaussian() })))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no label, and no target is named. It cannot be guessed. Name one of "x": { target: … }.]`,
    )
    expect(ask(await learned(mixture(2, independent({ x: gaussian() }))))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no label, and no target is named. It cannot be guessed. Name one of "mixture(x)" and "x": { target: … }.]`,
    )
  })

  test("a target that is not there", () => {
    expect(ask(fitted, "falg")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no column "falg". It has "y", "u", "flag" and "x". Did you mean "flag"?]`,
    )
    expect(ask(fitted, "colour")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no column "colour". It has "y", "u", "flag" and "x". Name one of them.]`,
    )
    expect(ask(fitted, "constructor")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no column "constructor". It has "y", "u", "flag" and "x". Name one of them.]`,
    )
  })

  test("a target without levels", async () => {
    expect(ask(fitted, "x")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "x" has no levels to choose from. A posterior over levels needs some. Name one of "y", "u" and "flag".]`,
    )
    expect(ask(await learned(independent({ x: gaussian() })), "x")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "x" has no levels to choose from. A posterior over levels needs some. No other column has any.]`,
    )
    const empty = await learned(independent({ x: gaussian(), empty: categorical() }))
    expect(ask(empty, "empty")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "empty" has no levels to choose from. A posterior over levels needs some. No other column has any.]`,
    )
    const bags = await learned(classes("y", independent({ w: multinomial() })), [{ y: "a", w: "p q" }])
    expect(() => bags.posterior([{ w: "p" }], { target: "w" } as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "w" has no levels to choose from. A posterior over levels needs some. Name one of "y".]`,
    )
  })

  test("a row whose column is written otherwise, and a source", () => {
    expect(() =>
      fitted.posterior([{ x: 1, U: "r", flag: true } as never]),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "u" is not in the data. The data has "x", "U" and "flag". Did you mean "U"? If it is missing in every row, put null in its cells.]`,
    )
    const source = {
      async *[Symbol.asyncIterator]() {
        yield rows
      },
    }
    expect(() => fitted.posterior(source as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: a question takes rows in memory, not a source: answers come all at once. Loop over it.]`,
    )
  })
})

test("a row is answered alike alone, beside others, and as the one row of the last slice", async () => {
  const texts = Array.from({ length: 8193 }, (_, i) => ({
    t: Array.from({ length: 1 + (i % 7) }, (_, j) => `w${(7 * i + j * j) % 6}`),
    y: i % 3,
  }))
  for (const family of [multinomial(), multinomial({ scaling: "tfidf" }), wordSet()]) {
    const fitted = await fit(classes("y", independent({ t: family })), texts)
    const alone = fitted.posterior([texts[8192]]).probabilities
    expect(fitted.posterior(texts).probabilities.slice(-3)).toEqual(alone)
    expect(fitted.posterior(texts.slice(8191)).probabilities.slice(-3)).toEqual(alone)
  }
})
