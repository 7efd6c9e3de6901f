/**
 * Names that objects have by inheritance, names with NUL, empty and odd ones: as columns, labels, levels and words. Whatever is fitted is saved, loaded
 * and answers to the same bits, and no name is lost on the way.
 */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { logisticRegression } from "../baselines.ts"
import {
  auto,
  categorical,
  classes,
  em,
  type Fitted,
  fit,
  gaussian,
  independent,
  type Learner,
  linear,
  load,
  type Model,
  mixture,
  multinomial,
  normal,
  poisson,
  specify,
  wordSet,
} from "../index.ts"
import { onlineEm, sdem } from "../learn.ts"

const NAMES = [
  "constructor",
  "toString",
  "__proto__",
  "hasOwnProperty",
  "valueOf",
  "__defineGetter__",
  "length",
  "name",
  "prototype",
  "then",
  "toJSON",
  "",
  " ",
  "\0",
  "a\0b",
  "a",
  "b",
  "0",
  "1",
  "-1",
  "1e3",
  "NaN",
  "null",
  "$number",
  "é",
  "e\u0301",
  "\ud800",
  "🦄",
]
const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NAMES) }, fc.string({ maxLength: 5 }))
const names = (least: number, most: number) =>
  fc.uniqueArray(name, { minLength: least, maxLength: most, selector: each => each })

type Cells = Record<string, unknown>
/** Each name an own field, "__proto__" too. */
const own = (entries: readonly (readonly [string, unknown])[]): Cells => Object.fromEntries(entries)

interface Case {
  readonly model: Model
  readonly rows: readonly Cells[]
  readonly label: string
  readonly columns: readonly string[]
  readonly levels: readonly string[]
  readonly learner: Learner
}

const LEARNERS = [em({ maxIterations: 4 }), onlineEm({ epochs: 1, batch: 8 }), sdem({ epochs: 2, batch: 8 })]

const cases: fc.Arbitrary<Case> = fc
  .record({
    columns: names(7, 7),
    levels: names(2, 3),
    colours: names(2, 4),
    vocabulary: names(3, 5),
    shape: fc.integer({ min: 0, max: 4 }),
    declared: fc.boolean(),
    learner: fc.constantFrom(...LEARNERS),
    draws: fc.array(fc.nat({ max: 1e6 }), { minLength: 24, maxLength: 24 }),
    hole: fc.nat({ max: 5 }),
  })
  .map(({ columns, levels, colours, vocabulary, shape, declared, learner, draws, hole }) => {
    const [label, colour, bag, x, z, count, hidden] = columns
    const rows = draws.map((draw, i) =>
      own([
        [label, i === hole ? null : levels[i % levels.length]],
        [colour, i === hole + 1 ? null : colours[draw % colours.length]],
        [bag, i % 2 ? vocabulary.slice(draw % 3) : own(vocabulary.map((word, w) => [word, (draw >> w) % 3]))],
        [x, (draw % 1000) / 100 + (i % levels.length)],
        [z, i === hole + 2 ? null : (draw % 777) / 50],
        [count, draw % 7],
      ]),
    )
    const family = categorical(declared ? { levels: colours } : {})
    const words = shape % 2 ? wordSet(declared ? { words: vocabulary } : {}) : multinomial()
    const parts = own([
      [colour, family],
      [bag, words],
      [count, poisson()],
    ]) as Record<string, never>
    const numbers =
      shape === 1
        ? normal([x, z], { covariance: "spherical" })
        : shape === 2
          ? independent(own([[z, gaussian()]]) as never, linear(x, [z]))
          : independent(
              own([
                [x, gaussian()],
                [z, gaussian()],
              ]) as never,
            )
    const plain = shape === 2 ? independent(parts) : independent(parts, numbers as never)
    const body = shape === 3 ? mixture(2, plain as never, { name: hidden }) : plain
    const model = classes(
      label,
      (shape === 4 ? own(levels.map(level => [level, body])) : body) as never,
      declared && shape !== 4 ? { levels } : {},
    )
    return { model: model as unknown as Model, rows, label, columns, levels, learner }
  })

const bits = (values: ArrayLike<number>): unknown[] =>
  Array.from(values, value => (Object.is(value, -0) ? "-0" : value))

test("fit → JSON → load answers to the same bits, and loses no name", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ model, rows, label, levels, learner }) => {
      const fitted = (await fit(model as never, rows as never, { learner })) as Fitted<Cells, string>
      const text = JSON.stringify(fitted)
      const loaded = load<Cells, string>(text)
      expect(JSON.stringify(loaded)).toBe(text)
      const [ours, theirs] = [fitted, loaded].map(each => each.posterior(rows as never))
      expect(theirs.levels).toEqual(ours.levels)
      expect(bits(theirs.logs)).toEqual(bits(ours.logs))
      expect([...ours.probabilities].every(p => p >= 0 && p <= 1)).toBe(true)
      for (const each of [fitted, loaded]) {
        const [answer] = each.predict(rows.slice(0, 1) as never) as unknown as { probabilities: Cells }[]
        expect(Object.keys(answer.probabilities).sort()).toEqual([...levels].sort())
        const [filled] = (each.impute(rows.slice(0, 1) as never) as unknown as { rows: Cells[] }).rows
        expect(Object.keys(filled).sort()).toEqual(Object.keys(rows[0]).sort())
        const described = each.describe() as Cells
        expect(Object.hasOwn(described, label)).toBe(true)
        const { probabilities, given } = described[label] as { probabilities: Cells; given: Cells }
        expect(Object.keys(probabilities).sort()).toEqual([...levels].sort())
        expect(Object.keys(given).sort()).toEqual([...levels].sort())
      }
      expect(JSON.stringify(loaded.describe())).toBe(JSON.stringify(fitted.describe()))
      // tf-idf is no density: there is nothing to sample from
      if (learner.name !== "sdem") {
        const [drawn] = fitted.sample(1) as unknown as Cells[]
        for (const use of model.uses)
          if (use.role !== "hidden") expect(Object.hasOwn(drawn, use.column)).toBe(true)
        expect(loaded.sample(3, { seed: 2 })).toEqual(fitted.sample(3, { seed: 2 }))
      }
      expect(({} as Cells).polluted).toBeUndefined()
    }),
    { numRuns: 60, seed: 18 },
  )
})

describe.each(["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"])("%s", odd => {
  const rows = Array.from({ length: 20 }, (_, i) => ({
    y: i % 2 ? odd : "other",
    u: ["p", "q"][(i >> 1) % 2],
    x: i % 5,
  }))
  const model = classes("y", independent({ u: categorical(), x: poisson() }))

  test("a row that has no such cell has none by inheritance", async () => {
    const named = rows.map(({ y, u, x }) =>
      own([
        ["y", y],
        ["u", u],
        [odd, x],
      ]),
    )
    const of = classes(
      "y",
      independent(
        own([
          ["u", categorical()],
          [odd, poisson()],
        ]) as never,
      ),
    ) as Model
    const without = rows.map(({ y, u }) => ({ y, u }))
    await expect(fit(of, without as never)).rejects.toMatchObject({ code: "column" })
    const some = await fit(of, [...named, ...without] as never)
    const holes = await fit(of, [
      ...named,
      ...without.map(row => own([...Object.entries(row), [odd, null]])),
    ] as never)
    expect(JSON.stringify(some)).toBe(JSON.stringify(holes))
    const { inferred } = auto([...named, ...without] as never, { label: "y" })
    expect(inferred.find(({ column }) => column === odd)!.family).toBe("poisson")
  })

  test("words and levels that training never saw are told by their names", async () => {
    const texts = rows.map(({ y, u }) =>
      own([
        ["y", y],
        ["u", u],
        [odd, ["sun", "moon"]],
      ]),
    )
    const of = classes(
      "y",
      independent(
        own([
          ["u", categorical()],
          [odd, multinomial()],
        ]) as never,
      ),
    ) as Model
    const fitted = await fit(of, texts as never)
    const [answer] = fitted.predict([
      own([
        ["u", odd],
        [odd, [odd, "rain", odd]],
      ]),
    ] as never) as { unseen?: object }[]
    expect(answer.unseen).toEqual(
      own([
        ["u", odd],
        [odd, [odd, "rain"]],
      ]),
    )
  })

  test("costs, weights, targets and stemmers are looked up by own names only", async () => {
    const fitted = await fit(model, rows)
    // what is left out of a loss has no cost, not that of a function's length
    expect(() =>
      fitted.decide(rows.slice(0, 1), { loss: { other: { length: 1, name: 2 } } as never }),
    ).toThrow(/the loss of "length" when the truth is .* is undefined/)
    const weighted = await fit(model, rows, { classWeights: own([[odd, 2]]) as never })
    const twice = await fit(
      model,
      rows.flatMap(row => (row.y === odd ? [row, row] : [row])),
    )
    expect(weighted.posterior(rows)).toEqual(twice.posterior(rows))
    const twisted = await fit(model, rows, {
      learner: sdem({ epochs: 2, classWeights: own([[odd, 2]]) as never }),
    })
    expect(JSON.stringify(load(JSON.stringify(twisted)))).toBe(JSON.stringify(twisted))
    const stem = { name: odd, stem: (word: string) => word.slice(0, 3) }
    const texts = rows.map(({ y }) => ({ y, t: `${y} sunny moonlit` }))
    const cut = await fit(classes("y", independent({ t: multinomial({ stem }) })), texts)
    expect(() => load(JSON.stringify(cut))).toThrow(/which was not passed/)
    const back = load(JSON.stringify(cut), { stemmers: own([[odd, stem.stem]]) as never })
    expect(back.predict(texts as never)).toEqual(cut.predict(texts))
  })

  test("what is described can be specified", async () => {
    const fitted = await fit(model, rows)
    const same = specify(model, JSON.parse(JSON.stringify(fitted.describe())))
    const [ours, theirs] = [fitted, same].map(each => each.posterior(rows).probabilities)
    ours.forEach((p, i) => {
      expect(theirs[i]).toBeCloseTo(p, 10)
    })
  })

  test("the references know it, too", async () => {
    const learned = await logisticRegression().fit(model, rows)
    const [answer] = learned.predict(rows.slice(0, 1))
    expect(Object.keys(answer.probabilities).sort()).toEqual([odd, "other"].sort())
    expect(Object.hasOwn(learned.describe().bias, odd)).toBe(true)
  })
})

test("NUL parts no names: one column is not two, one level not two", async () => {
  expect(() =>
    classes(
      "y",
      { a: independent({ x: gaussian() }), b: independent({ x: gaussian() }) },
      { levels: ["a\0b"] as never },
    ),
  ).toThrow(/Each level needs a body of its own/)
  // columns of one leaf get one scale; "a\0b" is a leaf of its own
  const rows = Array.from({ length: 12 }, (_, i) => ({ a: i, b: (i * 5) % 12, "a\0b": 1e6 * ((i * 7) % 12) }))
  const spherical = { covariance: "spherical" } as const
  const both = await fit(independent(normal(["a", "b"], spherical), normal(["a\0b"], spherical)), rows)
  const alone = await fit(
    normal(["a", "b"], spherical),
    rows.map(({ a, b }) => ({ a, b })),
  )
  expect((both.describe() as Cells)["a, b"]).toEqual((alone.describe() as Cells)["a, b"])
})
