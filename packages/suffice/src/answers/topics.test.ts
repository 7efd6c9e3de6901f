import { describe, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import { classes, em, fit, independent, load, multinomial, plate, specify, topics } from "../index.ts"
import { float64FromBase64, float64ToBase64 } from "../kernels/base64.ts"
import { sdem } from "../learn.ts"
import { planted, proportionsByHand } from "./testing/planted.ts"

const words = ["ant", "bee", "cat"]
const PHI = [
  [0.5, 0.3, 0.2],
  [0.1, 0.2, 0.7],
]
const ALPHA = [0.4, 0.2]
const byName = (values: readonly number[]): Record<string, number> =>
  Object.fromEntries(words.map((word, w) => [word, values[w]]))
const known = specify(topics(2, "text", { words }), {
  text: { topics: PHI.map((phi, k) => ({ alpha: ALPHA[k], words: byName(phi) })) },
})

describe("topics", () => {
  test("are listed with share, α and the words of highest relevance λ ln φ + (1 − λ) ln(φ/p)", () => {
    const found = known.topics({ top: 3, relevance: 0.25 })
    const shares = ALPHA.map(a => a / 0.6)
    const p = words.map((_, w) => shares[0] * PHI[0][w] + shares[1] * PHI[1][w])
    expect(found.map(({ topic }) => topic)).toEqual([0, 1])
    found.forEach(({ share, alpha, words: listed, context }, k) => {
      expect(context).toBeUndefined()
      expect(share).toBeCloseTo(shares[k], 12)
      expect(alpha).toBeCloseTo(ALPHA[k], 12)
      const expected = words
        .map((word, w) => ({
          word,
          probability: PHI[k][w],
          lift: PHI[k][w] / p[w],
          relevance: 0.25 * Math.log(PHI[k][w]) + 0.75 * Math.log(PHI[k][w] / p[w]),
        }))
        .sort((a, b) => b.relevance - a.relevance)
      expect(listed.map(({ word }) => word)).toEqual(expected.map(({ word }) => word))
      listed.forEach((one, i) => {
        expect(one.probability).toBeCloseTo(expected[i].probability, 12)
        expect(one.lift).toBeCloseTo(expected[i].lift, 12)
        expect(one.relevance).toBeCloseTo(expected[i].relevance, 12)
      })
    })
  })

  test("with λ = 1 words come by probability", () => {
    expect(known.topics({ top: 2, relevance: 1 }).map(one => one.words.map(({ word }) => word))).toEqual([
      ["ant", "bee"],
      ["cat", "bee"],
    ])
  })

  test("of a class name their context; shared ones have one α per context", async () => {
    const rows = planted(120)
    const fitted = await fit(classes("label", topics(1, "words", { shared: 2 })), rows)
    const found = fitted.topics({ top: 2 })
    expect(found.map(({ context }) => context)).toEqual([
      "label=farm",
      "label=road",
      "label=sky",
      undefined,
      undefined,
    ])
    expect(found.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12)
    expect(Object.keys(found[3].alphas!)).toEqual(["label=farm", "label=road", "label=sky"])
    const alphas = Object.values(found[3].alphas!)
    expect(found[3].alpha).toBeCloseTo(alphas.reduce((a, b) => a + b, 0) / 3, 12)
    expect(found[0].alphas).toBeUndefined()
  })

  test("of several columns are asked for by name", () => {
    const two = specify(independent(topics(1, "title", { words }), topics(2, "text", { words })), {
      title: { topics: [{ alpha: 1, words: byName(PHI[0]) }] },
      text: { topics: PHI.map((phi, k) => ({ alpha: ALPHA[k], words: byName(phi) })) },
    })
    expect(two.topics({ column: "text", top: 1 })).toHaveLength(2)
    expect(() => two.topics({ top: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: topics: the model has topics of 2 columns: "title" and "text". Which is meant cannot be guessed. Name it: { column: "title" }.]`,
    )
    expect(() => two.topics({ column: "texts" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: topics: the model has no topics of "texts". It has those of "title" and "text". Did you mean "text"?]`,
    )
  })

  test("refuses what it cannot answer", () => {
    expect(() => known.topics({ top: 4 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: topics: top is 4. The vocabulary has 3 words. Ask for at most that many, or keep more words.]`,
    )
    expect(() => known.topics({ top: 0 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: topics: top is 0. It counts words, so it must be a whole number ≥ 1. Write for example { top: 10 }.]`,
    )
    expect(() => known.topics({ relevance: 2 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: topics: relevance is 2. It must be a number from 0 to 1. Write for example { relevance: 0.6 }.]`,
    )
    const none = specify(independent({ text: multinomial({ words }) }), { text: { words: byName(PHI[0]) } })
    expect(() => none.topics()).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: topics: the model has no topics. Only documents that are mixtures of topics have them. Declare it with topics(20, "words").]`,
    )
    expect(() => none.proportions([{ text: "ant" }])).toThrow("proportions: the model has no topics")
  })

  test("in steps are many per row", async () => {
    const rows = [{ mails: [{ text: "ant bee" }, { text: "cat cat" }] }, { mails: [{ text: "bee" }] }]
    const fitted = await fit(plate("mails", topics(2, "text")), rows)
    expect(() => fitted.topics({ top: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: topics: the topics of "text" stand in the steps of "mails", so that a row has many documents. This asks for one per row. Give the documents as rows to a model of their own.]`,
    )
  })
})

describe("proportions", () => {
  test("equal those of plain steps of the fixed point, and sum to 1", () => {
    const texts = ["ant ant bee", "cat", "cat bee cat ant", "bee"]
    const { topics: count, values } = known.proportions(texts.map(text => ({ text })))
    expect(count).toBe(2)
    texts.forEach((text, i) => {
      const counts = words.map(word => text.split(" ").filter(other => other === word).length)
      const theta = proportionsByHand(counts, PHI, ALPHA)
      expect(values[2 * i]).toBeCloseTo(theta[0], 5)
      expect(values[2 * i] + values[2 * i + 1]).toBeCloseTo(1, 12)
    })
  })

  test("of a document without known words are those of the prior, and the words are listed", () => {
    const { values, unseen } = known.proportions([{ text: "dog emu" }, { text: "" }, { text: null }])
    for (let i = 0; i < 3; i++) expect(values[2 * i]).toBeCloseTo(2 / 3, 12)
    expect(unseen).toEqual([{ text: ["dog", "emu"] }, {}, {}])
  })

  test("go by the label where it is seen, and by its posterior where it is not", async () => {
    const rows = planted(90)
    const fitted = await fit(classes("label", topics(2, "words")), rows)
    const [row] = rows
    const { values } = fitted.proportions([row])
    // its label, "sky", is the last of three
    expect(values.slice(0, 4)).toEqual(new Float64Array(4))
    expect(values[4] + values[5]).toBeCloseTo(1, 12)
    const open = fitted.proportions([{ words: "sun dog sky cow" }]).values
    const { probabilities } = fitted.posterior([{ words: "sun dog sky cow" }])
    for (let l = 0; l < 3; l++) expect(open[2 * l] + open[2 * l + 1]).toBeCloseTo(probabilities[l], 10)
  })
})

test("topics that tell classes apart are explained word by word, and by their proportions", async () => {
  const rows = planted(90)
  const model = classes("label", topics(1, "words", { shared: 2 }))
  const fitted = await fit(model, rows, { learner: sdem({ epochs: 3 }) })
  const { words } = rows[0]
  const { level, logOdds, prior, terms } = fitted.explain({ words })
  expect(level).toBe(rows[0].label)
  expect(terms.reduce((sum, { contribution }) => sum + contribution, prior)).toBeCloseTo(logOdds, 9)
  expect(new Set(terms.map(({ word }) => word))).toEqual(new Set([undefined, ...words.split(" ")]))
  const whole = terms.filter(({ word }) => word === undefined)
  expect(whole).toEqual([
    { column: "words", of: "proportions", value: expect.anything(), contribution: expect.any(Number) },
  ])
})

test("information criteria are refused, with the name of what compares topics", async () => {
  const fitted = await fit(topics(2, "words"), planted(30))
  expect(() => fitted.criteria()).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: criteria: the topics of "words" have no likelihood, only a bound. AIC, BIC and ICL compare likelihoods. Compare models by completion(fitted, rows) of documents they have not seen.]`,
  )
})

test("more topics than fit in memory are refused", async () => {
  const asked = fit(topics(1e8, "text"), [{ text: "ant bee" }])
  await expect(asked).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: the model would hold 400000001 numbers, more than the 134217728 that fit in a GiB. 400000001 of them are for "text": 2 words in 100000000 topics. Ask for fewer topics, or keep fewer words (minDocuments, maxWords).]`,
  )
})

describe("diagnostics", () => {
  const warned = async (model: Model, rows: readonly object[], learner = em()): Promise<string[]> => {
    const { diagnostics } = await fit(model, rows as never, { learner })
    return diagnostics.map(({ code, message }) => `${code}: ${message}`)
  }
  const documents = ["red green", "red blue", "green blue", "red red"].map(words => ({ words }))

  test("more topics than documents, and which of them hardly any document uses", async () => {
    const said = await warned(topics(6, "words", { proportions: 1e-3 }) as unknown as Model, documents)
    expect(said[0]).toMatchInlineSnapshot(
      `"many-topics: "words" has 6 topics, but there are 4 documents. A topic is what several documents have in common. Ask for fewer topics, or bring more documents."`,
    )
    expect(said[1]).toMatch(
      /^starved-component: topics? (\d, )*\d( and \d)? holds? less of "words" than one document does\. Fewer topics may be enough\.$/,
    )
    expect(said.filter(text => text.includes("component holds"))).toEqual([])
  })

  test("EM that ended before its time", async () => {
    const said = await warned(
      topics(2, "words") as unknown as Model,
      documents,
      em({ maxIterations: 1, tolerance: 1e-12 }),
    )
    expect(said.find(text => text.startsWith("not-converged"))).toMatchInlineSnapshot(
      `"not-converged: the run ended at maxIterations while the objective was still rising. Give it more, or a larger tolerance."`,
    )
  })
})

describe("a saved model", () => {
  const saved = JSON.parse(JSON.stringify(known)) as { statistics: string; model: { options: object } }
  const refusal = (changed: object): string => {
    try {
      load({ ...saved, ...changed })
    } catch (error) {
      return (error as Error).message
    }
    return "it was loaded"
  }
  const statistics = (change: (stats: Float64Array) => void): object => {
    const stats = float64FromBase64(saved.statistics)!
    change(stats)
    return { statistics: float64ToBase64(stats) }
  }

  test("loads as it was", () => {
    expect(refusal({})).toBe("it was loaded")
  })

  test("with words that are no distribution is refused", () => {
    expect(refusal(statistics(stats => stats.fill(-1, 3, 4)))).toMatchInlineSnapshot(
      `"the model file has -1 of the word "bee" in topic 1 of "text", so that its probabilities do not add up to 1: no count is below 0. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })

  test("with an α that is not above 0 is refused", () => {
    // W of three words and two topics, n, T, S
    expect(refusal(statistics(stats => stats.fill(0, 8, 9)))).toMatchInlineSnapshot(
      `"the model file has an alpha of 0 for topic 1 of "text", where a number above 0 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(refusal(statistics(stats => stats.fill(-2, 9, 10)))).toMatchInlineSnapshot(
      `"the model file has an alpha of -0.3333333333333333 for topic 0 of "text", where a number above 0 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })

  test("whose shape does not fit is refused", () => {
    const options = { ...saved.model.options, topics: 3 }
    expect(refusal({ model: { ...saved.model, options } })).toMatchInlineSnapshot(
      `"the model file has 10 statistics, but its model needs at least 14. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(refusal({ statistics: float64ToBase64(new Float64Array(3)) })).toMatchInlineSnapshot(
      `"the model file has 3 statistics, but its model needs at least 10. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })
})
