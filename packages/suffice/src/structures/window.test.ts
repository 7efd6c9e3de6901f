import { expect, test } from "vitest"
import {
  categorical,
  chain,
  fit,
  gaussian,
  independent,
  load,
  multinomial,
  plate,
  window,
  wordSet,
} from "../index.ts"
import { sdem } from "../learn.ts"

const text =
  "the/D old/A man/N saw/V the/D dog/N | a/D dog/N ran/V | the/D man/N ran/V | old/A dog/N saw/V a/D man/N"
const sentences = text.split(" | ").map(sentence => ({
  tokens: sentence.split(" ").map(token => ({ word: token.split("/")[0], tag: token.split("/")[1] })),
}))
const parts = [{ of: "word", at: [-1, 1] }] as const
const plain = [{ tokens: [{ word: "the" }, { word: "old" }, { word: "zebra" }] }]

test("a window is a bag of words that could have been written by hand", async () => {
  const by = chain("tag", window(parts), { column: "tokens" })
  const hand = chain("tag", independent({ features: multinomial() }), { column: "tokens" })
  const written = sentences.map(({ tokens }) => ({
    tokens: tokens.map(({ word, tag }, t) => {
      const [before, after] = [tokens[t - 1]?.word ?? "<s1>", tokens[t + 1]?.word ?? "</s1>"]
      return { tag, features: [`word@-1=${before}`, `word=${word}`, `word@1=${after}`] }
    }),
  }))
  const one = await fit(by, sentences)
  const other = await fit(hand, written)
  expect(one.describe()).toEqual(other.describe())
  const [seen] = one.predict(plain)
  const features = [
    ["word@-1=<s1>", "word=the", "word@1=old"],
    ["word@-1=the", "word=old", "word@1=zebra"],
    ["word@-1=old", "word=zebra", "word@1=</s1>"],
  ]
  const [expected] = other.predict([{ tokens: features.map(features => ({ features })) }])
  // words that were written are told where they are new; words that a window makes are not the caller's
  expect(seen).toEqual(expected.map(({ unseen: _, ...answer }) => answer))
})

test("it is saved with the model, which takes plain steps in all forms", async () => {
  const model = chain("tag", window(parts, { column: "near", family: wordSet() }), { column: "tokens" })
  const tagger = await fit(model, sentences, { learner: sdem({ epochs: 2 }) })
  const again = load(JSON.stringify(tagger))
  expect(again.predict(plain as never)).toEqual(tagger.predict(plain))
  const columns = [{ tokens: { word: ["the", "old", "zebra"] } }]
  expect(tagger.predict(columns)).toEqual(tagger.predict(plain))
  expect(tagger.path(plain)[0].values).toHaveLength(3)
  // one column beside no tag: a list of its cells
  const letters = await fit(chain(2, window([{ of: "letter", at: [-1, 0] }])), [
    { steps: [..."abab"] },
    { steps: [..."aab"] },
  ])
  expect(letters.path([{ steps: [..."ab"] }])[0].values).toHaveLength(2)
})

test("the window of a step in a plate", async () => {
  const rows = [{ steps: [{ x: "a" }, { x: "b" }] }, { steps: [{ x: "b" }] }]
  const fitted = await fit(plate("steps", window([{ of: "x", at: [0, 1] }])), rows)
  const { words } = (fitted.describe().steps as { features: { words: Record<string, number> } }).features
  expect(Object.keys(words)).toEqual(["x=a", "x@1=b", "x=b", "x@1=</s1>"])
})

test("what a window cannot be says why", async () => {
  const wrong = window as (...all: unknown[]) => never
  const said = (make: () => unknown): string => {
    try {
      make()
    } catch (error) {
      return (error as Error).message
    }
    return "nothing"
  }
  const saidBy = (fitting: Promise<unknown>): Promise<string> =>
    fitting.then(
      () => "nothing",
      (error: Error) => error.message,
    )
  const model = chain("tag", window(parts), { column: "tokens" })
  expect([
    said(() => wrong([])),
    said(() => wrong([{ of: 3 }])),
    said(() => wrong([{ of: "word", on: 1 }])),
    said(() => wrong([{ of: "word", as: "upper" }])),
    said(() => wrong([{ of: "word", as: "suffix" }])),
    said(() => wrong([{ of: "word", length: 2 }])),
    said(() => wrong([{ of: "word", at: [1, 0] }])),
    said(() => wrong([{ of: "word", at: [0, 1], ngrams: 3 }])),
    said(() => wrong(parts, { family: gaussian() })),
    said(() => wrong(parts, { column: "word" })),
    said(() => chain("word", window(parts))),
    await saidBy(fit(window(parts) as never, [{ word: "a" }])),
    await saidBy(fit(independent({ y: categorical() }, window(parts)) as never, [{ y: 1, word: "a" }])),
    await saidBy(fit(model, [{ tokens: [{ tag: "N", wrd: "a" }] }] as never)),
    await saidBy(
      fit(model, [
        {
          tokens: [
            { tag: "N", word: "a" },
            { tag: "N", word: ["b"] },
          ],
        },
      ] as never),
    ),
    await saidBy(
      fit(model, sentences).then(tagger => tagger.predict([{ tokens: [{ Word: "a" }] }] as never)),
    ),
  ]).toMatchInlineSnapshot(`
    [
      "window: the list of parts is a list of 0. Each part says which cells become words. Write for example window([{ of: "word", at: [-2, 2] }]).",
      "window: part 0: of is 3. It names the column, or several. Write for example { of: "word" }.",
      "window: part 0: there is no option "on". It knows "of", "as", "length", "at" and "ngrams". Did you mean "of"?",
      "window: part 0: as is "upper". It is one of "lower", "shape", "prefix" and "suffix". Leave it out for the cell as it is.",
      "window: part 0: length is undefined. It says how many characters a suffix has, a whole number from 1 to 100 or the first and the last of several. Write for example { as: "suffix", length: [1, 4] }.",
      "window: part 0: length is 2. It goes with as: "prefix" or "suffix". Leave it out.",
      "window: part 0: at is a list of 2. It says which steps: a whole number from −100 to 100, or the first and the last of several. Write for example { at: [-2, 2] }, or leave it out for the step itself.",
      "window: part 0: ngrams is 3. It says how many neighbouring cells are a word together, from 1 to the 2 that \`at\` spans. Widen \`at\`, or leave it out for single cells.",
      "window: family is "gaussian". A window makes words, so it takes a family over bags of words. Write for example multinomial({ prior: 0.1 }), or leave it out.",
      "window: column is "word". The steps have a column of this name, which the window reads. Choose another for the words.",
      "chain: the state "word" is also read by a window in the body. A state that explains itself teaches nothing. Leave it out of the body, or name the state otherwise.",
      "window: "features" is made of a step and its neighbours, and stands outside of steps. The rows of a table are no neighbours. Put the window into the body of chain(…) or plate(…).",
      "window: "features" is made of a step and its neighbours, and stands outside of steps. The rows of a table are no neighbours. Put the window into the body of chain(…) or plate(…).",
      "column "word" is not in the steps of "tokens". They have "tag" and "wrd". Did you mean "wrd"? If it is missing in every step, put null in its cells.",
      "row 0, step 1 of "word" holds a list of 1. A window makes words of text, numbers, true and false. Pass one of these, or null.",
      "column "word" is not in the steps of "tokens". They have "Word". Did you mean "Word"? If it is missing in every step, put null in its cells.",
    ]
  `)
})
