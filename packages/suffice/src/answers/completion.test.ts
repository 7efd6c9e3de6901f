import { describe, expect, test } from "vitest"
import { classes, fit, specify, topics } from "../index.ts"
import { choose, coherence, completion, diversity } from "../measure.ts"
import { planted, proportionsByHand } from "./testing/planted.ts"

const words = ["ant", "bee", "cat"]
const PHI = [
  [0.5, 0.3, 0.2],
  [0.1, 0.2, 0.7],
]
const ALPHA = [0.4, 0.2]
const known = specify(topics(2, "text", { words }), {
  text: {
    topics: PHI.map((phi, k) => ({
      alpha: ALPHA[k],
      words: Object.fromEntries(words.map((word, w) => [word, phi[w]])),
    })),
  },
})

describe("completion", () => {
  test("is the mean of ln Σ θ φ over the words that were not given", () => {
    // documents of one word: whichever half is given, it is known
    const rows = [{ text: "ant ant ant ant" }, { text: { cat: 7 } }, { text: "bee" }, { text: null }]
    const found = completion(known, rows, { seed: 3 })
    const theta = [proportionsByHand([2, 0, 0], PHI, ALPHA), proportionsByHand([0, 0, 4], PHI, ALPHA)]
    const log = (d: number, w: number): number => Math.log(theta[d][0] * PHI[0][w] + theta[d][1] * PHI[1][w])
    const perWord = (2 * log(0, 0) + 3 * log(1, 2)) / 5
    expect(found.perWord).toBeCloseTo(perWord, 6)
    expect(found.perplexity).toBeCloseTo(Math.exp(-perWord), 5)
    expect(found).toMatchObject({ words: 5, documents: 2, skipped: 2 })
  })

  test("takes every word once, whatever the share", () => {
    for (const share of [0.01, 0.3, 0.5, 0.99]) {
      const { words } = completion(known, [{ text: "ant bee cat ant bee cat" }], { share })
      expect(words).toBe(6 - Math.min(Math.max(Math.round(6 * share), 1), 5))
    }
    // 2.5 words: two whole ones, and a half
    expect(completion(known, [{ text: { ant: 2.5 } }]).words + 2).toBeGreaterThanOrEqual(2.5)
  })

  test("does not depend on how rows are cut into blocks, and the seed decides the halves", () => {
    const rows = planted(1000).map(({ words }) => ({
      text: words.replaceAll("sun", "ant").replaceAll("dog", "cat"),
    }))
    expect(completion(known, rows)).toEqual(completion(known, { text: rows.map(row => row.text) }))
    expect(completion(known, rows, { seed: 2 })).not.toEqual(completion(known, rows))
  })

  test("knows the class of a document where the row tells it", async () => {
    const rows = planted(300)
    const fitted = await fit(classes("label", topics(1, "words")), rows)
    const told = completion(fitted, rows)
    const untold = completion(
      fitted,
      rows.map(({ words }) => ({ words })),
    )
    expect(told.perplexity).toBeLessThan(untold.perplexity)
  })

  test("refuses what it cannot complete", () => {
    expect(() => completion(known, [{ text: "ant dog" }, { text: "" }])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: completion: no document has two words that the model knows. One is to be predicted from the other. Pass longer documents, or look whether the column holds the same kind of text.]`,
    )
    expect(() => completion(known, [{ text: "ant bee" }], { share: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: completion: share is 1. It must lie between 0 and 1. Write for example { share: 0.5 }.]`,
    )
    expect(() => completion({} as never, [])).toThrow("completion: the model is an object with 0 keys.")
  })
})

describe("choosing by completion", () => {
  test("finds how many topics there are", async () => {
    const models = [1, 2, 3, 4].map(k => ({ name: String(k), model: topics(k, "words") }))
    const tried: string[] = []
    const choice = await choose(models, planted(120), {
      criterion: "completion",
      folds: 3,
      onTrial: ({ model, rows }) => tried.push(`${model}: ${rows}`),
    })
    expect(choice.model).toBe("3")
    expect(tried).toEqual(["1", "2", "3", "4"].flatMap(k => Array(3).fill(`${k}: 80`)))
    expect(choice.trials.map(({ folds, judged }) => [folds, judged])).toEqual(Array(4).fill([3, 120]))
    expect(choice.why).toMatch(/^3 by em has the lowest perplexity of completion, \d/)
    expect(choice.fitted.topics({ top: 1 })).toHaveLength(3)
  })

  test("refuses candidates that know different words", async () => {
    const models = {
      all: topics(2, "words"),
      some: topics(2, "words", { words: ["sun", "dog", "car"] }),
    }
    await expect(
      choose(models, planted(60), { criterion: "completion", folds: 2 }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: choose: "all" and "some" know different words. Completion counts the words that a model knows, and an easier vocabulary looks like a better model. Give all of them the same text options.]`,
    )
  })
})

describe("coherence and diversity", () => {
  test("of words that were planted together are high", async () => {
    const rows = planted(200)
    const fitted = await fit(topics(3, "words"), rows)
    const { topics: each, mean, measure } = coherence(fitted, rows, { top: 4 })
    expect(measure).toBe("npmi")
    for (const value of each) expect(value).toBeGreaterThan(0.4)
    expect(mean).toBeCloseTo(each.reduce((a, b) => a + b, 0) / 3, 14)
    expect(diversity(fitted, { top: 4 })).toBe(1)
    expect(diversity(fitted)).toBe(12 / 36)
    // counts have no order, and need none where a document is one window
    const counted = rows.map(({ words }) => ({
      words: Object.fromEntries(
        [...new Set(words.split(" "))].map(word => [
          word,
          words.split(" ").filter(one => one === word).length,
        ]),
      ),
    }))
    for (const measure of ["npmi", "umass"] as const) {
      expect(coherence(fitted, counted, { top: 4, measure })).toEqual(
        coherence(fitted, rows, { top: 4, measure }),
      )
    }
  })

  test("refuse what they cannot measure", () => {
    const rows = [{ text: "ant bee cat" }]
    expect(() => coherence(known, rows, { top: 4 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: coherence: top is 4. The vocabulary has 3 words. Ask for at most that many, or keep more words.]`,
    )
    expect(() => coherence(known, rows, { top: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: coherence: top is 1. Coherence is that of pairs of words. Ask for at least 2.]`,
    )
    expect(() => coherence(known, rows, { measure: "uci" as never })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: coherence: measure is "uci". It must be one of "npmi", "umass" and "c_v". Leave it out for "npmi".]`,
    )
    expect(() => coherence(known, [{ text: "ant bee" }], { top: 3 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: coherence: "cat", a word of topic 0, is in no row of "text". How often words occur together is counted in these rows. Pass those the model was learned from, or more of them.]`,
    )
    expect(() =>
      coherence(known, [{ text: { ant: 1 } }], { top: 2, measure: "c_v" }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: coherence: row 0 of "text" holds counts of words, which have no order, and "c_v" looks at windows of 110 words. Pass texts or lists of words, or measure by "npmi".]`,
    )
    expect(() => coherence(known, [{ text: 5 as never }], { top: 2 })).toThrow('row 0 of "text" holds 5.')
    expect(() => diversity(known, { top: 9 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: diversity: top is 9. The vocabulary has 3 words. Ask for at most that many, or keep more words.]`,
    )
  })
})
