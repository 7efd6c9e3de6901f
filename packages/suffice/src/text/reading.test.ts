/** Options of text, from declaration to prediction. */
import { describe, expect, test } from "vitest"
import { linearScores } from "../answers/linear-scores.ts"
import type { Row } from "../contract/cells.ts"
import type { Column, Stem } from "../contract/columns.ts"
import { type MultinomialOptions, multinomial, multinomialKind } from "../families/multinomial.ts"
import { wordSet } from "../families/word-set.ts"
import { declare } from "../fit/declare.ts"
import { fit } from "../fit/fit.ts"
import type { Fitted } from "../fit/fitted.ts"
import { load } from "../fit/load.ts"
import { specify } from "../fit/specify.ts"
import { onlineEm } from "../learners/online-em.ts"
import { loadPredictor } from "../predict.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { bucketOf } from "./hash.ts"

const cut: Stem = word => word.slice(0, 4)
const english = { name: "english", stem: cut }
const rows = [
  { y: "a", text: "The cat sat on the mat", w: 1 },
  { y: "a", text: "a cat and the mat", w: 1 },
  { y: "b", text: "The dogs were barking", w: 1 },
  { y: "b", text: "the dog barks at night", w: 1 },
  { y: "b", text: "nothing nothing nothing nothing", w: 0 },
]
const modelOf = (options: MultinomialOptions) => classes("y", independent({ text: multinomial(options) }))
const fitted = (options: MultinomialOptions, data: readonly Row[] = rows) =>
  fit(modelOf(options), data as never, { weight: "w" })
const columnOf = (model: Pick<Fitted, "toJSON">): Extract<Column, { kind: "bag" }> =>
  (model.toJSON().columns as unknown as Column[]).find(({ name }) => name === "text") as never
const wordsOf = async (options: MultinomialOptions, data?: readonly Row[]) =>
  columnOf((await fitted(options, data)) as never).words
const said = async (run: () => unknown): Promise<string> => {
  try {
    await run()
  } catch (error) {
    return (error as Error).message
  }
  return "nothing was thrown"
}
const ask = { text: "Cats and DOGS barking at the mat", y: null }

describe("the vocabulary", () => {
  test("holds runs of words, without stop words, as stems, in the order in which they came", async () => {
    expect(
      await wordsOf({ ngrams: 2, stopWords: ["the", "on", "a", "and", "at", "were"], stem: english }),
    ).toEqual([
      "cat",
      "cat sat",
      "sat",
      "sat mat",
      "mat",
      "cat mat",
      "dogs",
      "dogs bark",
      "bark",
      "dog",
      "dog bark",
      "bark nigh",
      "nigh",
    ])
  })

  test("keeps within limits, counted in documents with weight", async () => {
    expect(await wordsOf({ minDocuments: 2 })).toEqual(["the", "cat", "mat"])
    expect(await wordsOf({ minDocuments: 2, maxDocuments: 0.5 })).toEqual(["cat", "mat"])
    expect(await wordsOf({ maxDocuments: 0.25, maxWords: 3 })).toEqual(["a", "and", "at"])
    // "the" is in four documents, "cat" and "mat" in two: of equals the first in code order
    expect(await wordsOf({ maxWords: 2 })).toEqual(["the", "cat"])
    expect(await wordsOf({ maxWords: 2 }, [...rows].reverse())).toEqual(["the", "cat"])
    expect(await said(() => wordsOf({ minDocuments: 5 }))).toMatchInlineSnapshot(
      `"none of the 14 words of "text" stands in as many of its 4 documents as minDocuments and maxDocuments ask. Nothing is left to learn from. Lower minDocuments, or raise maxDocuments."`,
    )
  })

  test("takes a row of weight 2 for two rows, in limits and in frequencies", async () => {
    const options = { minDocuments: 2, maxDocuments: 0.6, maxWords: 6, scaling: "tfidf" } as const
    const heavy = rows.map((row, i) => ({ ...row, w: i % 2 === 0 ? 2 * row.w : row.w }))
    const copied = heavy.flatMap(row => Array.from({ length: row.w }, () => ({ ...row, w: 1 })))
    const column = columnOf((await fitted(options, heavy)) as never)
    expect(column).toEqual(columnOf((await fitted(options, copied)) as never))
    expect(column.words).toEqual(["cat", "sat", "on", "mat", "dogs", "barking"])
    expect(column.text).toMatchObject({ documents: 6, frequencies: [3, 2, 2, 3, 2, 2] })
  })

  test("is the same from memory and from a source, row by row, in any order", async () => {
    const options = { ngrams: 2, minDocuments: 2, scaling: "tfidf" } as const
    const model = modelOf(options)
    const inMemory = await fitted(options)
    const source = {
      async *[Symbol.asyncIterator]() {
        for (const row of [...rows].reverse()) yield [row]
      },
    }
    const streamed = await fit(model, source as never, { weight: "w" })
    const frequenciesOf = (model: typeof streamed) => {
      const { words, text } = columnOf(model as never)
      return Object.fromEntries(words.map((word, w) => [word, text.frequencies![w]]))
    }
    expect(frequenciesOf(streamed)).toEqual(frequenciesOf(inMemory))
    expect(streamed.describe()).toEqual(inMemory.describe())
  })

  test("is as plain as before where nothing is asked", async () => {
    expect(columnOf((await fitted({})) as never).text).toEqual({ lowercase: true })
    expect(multinomial({ ngrams: 1 }).options).toEqual({ lowercase: true })
  })
})

describe("words outside of the limits", () => {
  test("are ignored, and not reported: they may be old", async () => {
    const chosen = await fitted({ minDocuments: 2 })
    expect(chosen.predict([{ ...ask }])[0].unseen).toBeUndefined()
    expect(chosen.posterior([ask] as never)).toEqual(
      chosen.posterior([{ y: null, text: "the mat" }] as never),
    )
    const all = await fitted({})
    expect(all.predict([ask] as never)[0].unseen).toEqual({ text: ["cats"] })
  })

  test("stay outside in an update", async () => {
    const chosen = await fitted({ minDocuments: 2 })
    const updated = await chosen.update([
      { y: "a", text: "zebra zebra cat", w: 1 },
      { y: "b", text: "zebra", w: 1 },
    ] as never)
    expect(columnOf(updated as never).words).toEqual(["the", "cat", "mat"])
  })
})

describe("buckets", () => {
  const options = { hash: 16 }
  test("are all there from the beginning, so that no word is unseen", async () => {
    const model = await fitted(options)
    expect(columnOf(model as never).words).toEqual(Array.from({ length: 16 }, (_, b) => `#${b}`))
    expect(model.predict([{ y: null, text: "zebra" }] as never)[0].unseen).toBeUndefined()
  })

  test("count what their words count", async () => {
    const hashed = await fitted({ hash: 16 })
    const words = rows.map(({ text }) => text.toLowerCase().split(" "))
    const byHand = rows.map((row, i) => ({
      ...row,
      text: words[i].map(word => `b${bucketOf(word, 0, word.length, 16)}`),
    }))
    const names = Array.from({ length: 16 }, (_, b) => `b${b}`)
    const other = await fitted({ words: names }, byHand)
    expect(hashed.posterior([{ y: null, text: "the dog sat" }] as never)).toEqual(
      other.posterior([
        { y: null, text: ["the", "dog", "sat"].map(word => `b${bucketOf(word, 0, word.length, 16)}`) },
      ] as never),
    )
  })

  test("read the bags that were drawn from them", async () => {
    const model = await fitted(options)
    const [drawn] = model.sample(1, { seed: 3, words: 5 } as never) as unknown as {
      text: Record<string, number>
    }[]
    const names = Object.keys(drawn.text)
    expect(names.every(name => /^#\d+$/.test(name))).toBe(true)
    const evidence = model.explain({ ...drawn, y: null } as never)
    expect(JSON.stringify(evidence)).toContain(names[0])
  })

  test("take a stream whose words never end", async () => {
    async function* stream() {
      for (let i = 0; i < 300; i++)
        yield [{ y: i % 2 ? "odd" : "even", text: `new${i} ${i % 2 ? "one" : "two"}` }]
    }
    const model = await fit(
      classes("y", independent({ text: multinomial({ hash: 64 }) })),
      stream() as never,
      {
        learner: onlineEm({ warmup: 8 } as never),
      },
    )
    expect(columnOf(model as never).words).toHaveLength(64)
    expect(model.predict([{ y: null, text: "one" }] as never)[0].value).toBe("odd")
    expect(model.diagnostics).toEqual([])
  })

  test("can be specified", () => {
    const words = Object.fromEntries(Array.from({ length: 11 }, (_, b) => [`#${b}`, 1 / 11]))
    const model = specify(independent({ text: multinomial({ hash: 11 }) }), { text: { words } } as never)
    expect(columnOf(model as never).words).toHaveLength(11)
  })
})

describe("a saved model", () => {
  const options = { ngrams: 2, stopWords: ["the"], stem: english, maxDocuments: 0.9 }
  test("holds the choices, and predicts from raw text once it has its stemmer", async () => {
    const model = await fitted(options)
    const json = JSON.stringify(model)
    const loaded = load(json, { stemmers: { english: cut } })
    expect(loaded.posterior([ask])).toEqual(model.posterior([ask] as never))
    expect(JSON.stringify(loaded)).toBe(json)
    const small = loadPredictor(json, { families: [multinomialKind], stemmers: { english: cut } })
    expect(small.posterior([ask])).toEqual(model.posterior([ask] as never))
    expect(columnOf(model as never).text).toEqual({
      lowercase: true,
      ngrams: 2,
      stopWords: ["the"],
      stem: "english",
      maxDocuments: 0.9,
    })
  })

  test("says where to get a stemmer that is not there", async () => {
    const json = JSON.stringify(await fitted(options))
    expect(await said(() => load(json))).toMatchInlineSnapshot(
      `"the model file cannot be used at model.bodies[0].parts[0].options: multinomial: its words are cut by the stemmer "english", which was not passed. A file names its stemmer, it does not bring it along. Pass it: load(json, { stemmers: { english: stemmer("english") } }), with stemmer from "suffice-files/text"."`,
    )
    expect(await said(() => load(json, { stemmers: { german: cut } }))).toContain("which was not passed")
    expect(await said(() => load(json, { stemmers: { english: "english" } as never }))).toMatchInlineSnapshot(
      `"load: stemmers.english is "english". It takes functions from words to stems, by name. Write for example { stemmers: { english: stemmer("english") } }, with stemmer from "suffice-files/text"."`,
    )
    expect(await said(() => load(json, { stemmers: 7 as never }))).toContain("load: stemmers is 7.")
    expect(await said(() => declare(modelOf(options).spec))).toContain("which was not passed")
    expect(declare(modelOf(options).spec, { stemmers: { english: cut } }).spec).toEqual(modelOf(options).spec)
    expect(await said(() => declare({}, { stemmer: {} } as never))).toMatchInlineSnapshot(
      `"declare: there is no option "stemmer". It knows "stemmers". Did you mean "stemmers"?"`,
    )
  })

  test("refuses options of text that are not those of its model, and buckets that are not buckets", async () => {
    const json = JSON.parse(JSON.stringify(await fitted({ hash: 4 })))
    const at = json.columns.findIndex((column: Column) => column.name === "text")
    const changed = (change: object) => {
      const copy = structuredClone(json)
      Object.assign(copy.columns[at].text, change)
      return copy
    }
    expect(await said(() => load(changed({ hash: 5 })))).toContain("are not those of its model")
    expect(await said(() => load(changed({ ngrams: 2 })))).toContain("are not those of its model")
    const renamed = structuredClone(json)
    renamed.columns[at].words[2] = "#9"
    expect(await said(() => load(renamed))).toContain("are not those of its model")
  })

  test("as a linear form reads text alike", async () => {
    const model = await fitted({ ...options, scaling: "raw" })
    const linear = model.toLinear()
    const stemmers = { english: cut }
    const [, second] = linearScores(linear, ask, { stemmers })
    const { probabilities } = model.predict([ask] as never)[0] as never as {
      probabilities: Record<string, number>
    }
    expect(second).toBeCloseTo(Math.log(probabilities.b / probabilities.a), 10)
    expect(await said(() => linearScores(linear, ask))).toMatchInlineSnapshot(
      `"linearScores: the words of "text" are cut by the stemmer "english", which was not passed. A linear form names its stemmer, it does not bring it along. Pass it: linearScores(linear, row, { stemmers: { english: stemmer("english") } }), with stemmer from "suffice-files/text"."`,
    )
    const hashed = await fitted({ hash: 32, scaling: "raw" })
    const [, score] = linearScores(hashed.toLinear(), ask)
    const [shares] = hashed.predict([ask] as never) as never as { probabilities: Record<string, number> }[]
    expect(score).toBeCloseTo(Math.log(shares.probabilities.b / shares.probabilities.a), 10)
  })
})

test.each([
  { scaling: "raw" },
  { minDocuments: 3, scaling: "raw" },
  { words: ["w1", "wé", "a word of many letters", "w12"], scaling: "raw" },
] as const)(
  "words are found alike one row at a time and in many, by the table of the first pass and by one made of its words: %j",
  async options => {
    const die = dice(3)
    const draw = () => ["wé", "a word of many letters", `w${die.integer(40)}`][Math.min(2, die.integer(9))]
    const forms = [
      (words: string[]) => words,
      (words: string[]) => new Map(words.map((word, w) => [word, w % 3])),
      (words: string[]) => Object.fromEntries(words.map((word, w) => [word, 0.5 * w])),
      (words: string[]) => words.join(", "),
    ]
    // most are short, some empty, and a few long: space for them grows as needed
    const made = Array.from({ length: 600 }, (_, i) => ({
      y: i % 2 === 0 ? "a" : "b",
      text: forms[die.integer(4)](
        Array.from({ length: i % 97 === 5 ? 900 : die.integer(12) }, i % 5 === 0 ? () => `x${draw()}` : draw),
      ),
    }))
    const learned = await fit(modelOf(options), made.slice(0, 300) as never)
    const asked = made.map(({ text }) => ({ text }))
    const answers = learned.predict(asked as never, { target: "y" })
    expect(asked.map(row => learned.predict([row] as never, { target: "y" })[0])).toEqual(answers)
    expect(load(JSON.stringify(learned)).predict(asked as never, { target: "y" })).toEqual(answers)
  },
)

test("messages say what, why and what to do", async () => {
  const wrong: MultinomialOptions[] = [
    { ngrams: 0 },
    { stopWords: "the" as never },
    { stem: "english" as never },
    { minDocuments: 0.5 },
    { maxDocuments: 3 },
    { maxWords: 0 },
    { hash: -1 },
    { hash: 8, words: ["a"] },
    { hash: 8, minDocuments: 2 },
    { words: ["a"], maxWords: 2 },
  ]
  const messages = await Promise.all(wrong.map(options => said(() => multinomial(options))))
  expect(messages).toMatchInlineSnapshot(`
    [
      "multinomial: ngrams is 0. It says how many neighbouring words are a word together, from 1 to 100. Give 2 for pairs, or leave it out for single words.",
      "multinomial: stopWords is "the". Stop words are a list of words. Write for example ["the", "of"], or take stopWords("english") of "suffice-files/text" as a list.",
      "multinomial: stem is "english". A stemmer has a name, which is saved, and a function. Write for example { name: "english", stem: stemmer("english") }, with stemmer from "suffice-files/text".",
      "multinomial: minDocuments is 0.5. It says in how many documents a word must stand, so it must be a whole number ≥ 1. Leave it out to keep rare words.",
      "multinomial: maxDocuments is 3. It is the share of the documents that a word may stand in, above 0 and at most 1. Write for example 0.5, or leave it out to keep frequent words.",
      "multinomial: maxWords is 0. It says how many words are kept, so it must be a whole number ≥ 1. Leave it out to keep all.",
      "multinomial: hash is -1. It is a number of buckets, from 1 to 16777216. Write for example 262144, or leave it out to tell all words apart.",
      "multinomial: hash and words are both given. Buckets take every word, so no words are chosen. Leave one of them out.",
      "multinomial: hash and minDocuments are both given. Buckets take every word, so no words are chosen. Leave one of them out.",
      "multinomial: words and maxWords are both given. The vocabulary is given, so no words are chosen. Leave one of them out.",
    ]
  `)
  const ofSets = await Promise.all(wrong.map(options => said(() => wordSet(options))))
  expect(ofSets).toEqual(messages.map(message => message.replace("multinomial", "wordSet")))
})
