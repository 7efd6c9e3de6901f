import { describe, expect, test } from "vitest"
import { bagsOf } from "../blocks/encoded.ts"
import type { Bags } from "../contract/block.ts"
import type { TextOptions } from "../contract/columns.ts"
import {
  classes,
  dice,
  em,
  fit,
  gaussian,
  independent,
  load,
  mixture,
  multinomial,
  wordSet,
} from "../index.ts"
import { sdem } from "../learn.ts"
import { SCALINGS, type Scaling, scaler } from "./scaling.ts"

const VOCABULARY = ["sun", "moon", "rain", "fog", "wind"]
const documents: Record<string, number>[] = [
  { sun: 3, moon: 1 },
  { rain: 1 },
  { sun: 1, rain: 7, fog: 2 },
  { fog: 0.5, sun: 2 },
  {},
  { sun: 1, moon: 1, rain: 1, fog: 1 },
]
/** The number of documents that contain a word. */
const standing = (word: string): number => documents.filter(document => document[word] > 0).length

/** The table of the header, with the engine's own logarithm. */
function byHand(document: Record<string, number>, scaling: Scaling): Record<string, number> {
  if (scaling === "raw") return document
  const damped = Object.entries(document).map(([word, c]): [string, number] => {
    const count = c > 1 ? 1 + Math.log(c) : c
    const rarity = 1 + Math.log((1 + documents.length) / (1 + standing(word)))
    return [word, scaling === "tfidf" ? count * rarity : count]
  })
  const norm = Math.sqrt(damped.reduce((sum, [, c]) => sum + c * c, 0))
  return Object.fromEntries(scaling === "log" ? damped : damped.map(([word, c]) => [word, (2 * c) / norm]))
}

function held(): Bags {
  const bags = documents.map(document =>
    Object.entries(document).map(([word, c]) => [VOCABULARY.indexOf(word), c]),
  )
  const offsets = Int32Array.from([0, ...bags].keys(), i => bags.slice(0, i).flat().length)
  return bagsOf(
    offsets,
    Int32Array.from(bags.flat(), ([w]) => w),
    Float64Array.from(bags.flat(), ([, c]) => c),
  )
}

const text = (scaling: Scaling): TextOptions => ({
  lowercase: true,
  scaling,
  ...(scaling === "tfidf" && { documents: documents.length, frequencies: VOCABULARY.map(standing) }),
})

describe.each(SCALINGS)("%s", scaling => {
  test("weighs each count as the formula says", () => {
    const bags = held()
    const scaled = scaler(text(scaling))(bags)
    documents.forEach((document, i) => {
      const wanted = byHand(document, scaling)
      for (let t = bags.offsets[i]; t < bags.offsets[i + 1]; t++) {
        expect(scaled[t]).toBeCloseTo(wanted[VOCABULARY[bags.words[t]]], 12)
      }
    })
  })

  test("brings documents to the norm 2 where it norms them", () => {
    const bags = held()
    const scaled = scaler(text(scaling))(bags)
    const norms = documents.map((_, i) =>
      Math.sqrt(scaled.subarray(bags.offsets[i], bags.offsets[i + 1]).reduce((sum, c) => sum + c * c, 0)),
    )
    norms.forEach((norm, i) => {
      if (bags.offsets[i] === bags.offsets[i + 1]) expect(norm).toBe(0)
      else if (scaling === "l2" || scaling === "tfidf") expect(norm).toBeCloseTo(2, 12)
    })
    if (scaling === "raw" || scaling === "log") expect(new Set(norms).size).toBeGreaterThan(3)
  })

  test("leaves the counts themselves alone, and scales a block once", () => {
    const bags = held()
    const scale = scaler(text(scaling))
    const scaled = scale(bags)
    expect([bags.offsets, bags.words, bags.counts]).toEqual([held().offsets, held().words, held().counts])
    expect(scale(bags)).toBe(scaled)
  })

  test("is the score: a posterior by hand", async () => {
    const rows = documents.map((t, i) => ({ y: "ab"[i % 2], t }))
    const fitted = await fit(classes("y", independent({ t: multinomial({ scaling }) })), rows)
    const { levels, logs } = fitted.posterior(rows)
    const given = fitted.describe().y as never as {
      probabilities: Record<string, number>
      given: Record<string, { t: { words: Record<string, number> } }>
    }
    documents.forEach((document, i) => {
      const joint = ["a", "b"].map(level =>
        Object.entries(byHand(document, scaling)).reduce(
          (sum, [word, c]) => sum + c * Math.log(given.given[level].t.words[word]),
          Math.log(given.probabilities[level]),
        ),
      )
      const total = Math.log(joint.reduce((sum, score) => sum + Math.exp(score), 0))
      levels.forEach((_, l) => void expect(logs[i * 2 + l]).toBeCloseTo(joint[l] - total, 10))
    })
    // and the words of a class are its scaled counts, with the prior
    const alpha = scaling === "l2" || scaling === "tfidf" ? 0.05 : 1
    const weighed = (word: string): number =>
      documents.reduce(
        (sum, document, i) => sum + (i % 2 === 0 ? (byHand(document, scaling)[word] ?? 0) : 0),
        alpha,
      )
    const met = VOCABULARY.filter(word => standing(word) > 0)
    const total = met.reduce((sum, word) => sum + weighed(word), 0)
    for (const word of met) expect(given.given.a.t.words[word]).toBeCloseTo(weighed(word) / total, 10)
  })

  test("is saved: the same answers to the bit", async () => {
    const rows = documents.map((t, i) => ({ y: "ab"[i % 2], t }))
    for (const learner of [em(), sdem({ epochs: 2 })]) {
      const fitted = await fit(classes("y", independent({ t: multinomial({ scaling }) })), rows, { learner })
      const again = load(JSON.stringify(fitted))
      expect(again.posterior(rows as never).logs).toEqual(fitted.posterior(rows).logs)
      expect(JSON.stringify(again)).toBe(JSON.stringify(fitted))
    }
  })

  test("adds up in an explanation", async () => {
    const rows = documents.map((t, i) => ({ y: "ab"[i % 2], t, x: i }))
    const fitted = await fit(classes("y", independent({ t: multinomial({ scaling }), x: gaussian() })), rows)
    for (const row of rows) {
      const { prior, terms, logOdds, level, against } = fitted.explain(row)
      expect(terms.reduce((sum, { contribution }) => sum + contribution, prior)).toBeCloseTo(logOdds, 9)
      const { levels, logs } = fitted.posterior([row])
      const at = (name: unknown): number => logs[levels.indexOf(name as string)]
      expect(logOdds).toBeCloseTo(at(level) - at(against), 9)
    }
  })
})

const rolls = dice(4)
const rows = Array.from({ length: 40 }, (_, i) => ({
  y: "ab"[i % 2],
  t: Array.from({ length: 1 + rolls.integer(4) }, () => VOCABULARY[rolls.integer(4) + (i % 2)]),
}))
const model = classes("y", independent({ t: multinomial() }))
const textOf = (fitted: unknown): TextOptions =>
  JSON.parse(JSON.stringify(fitted)).columns.find(({ name }: { name: string }) => name === "t").text

describe("who chooses", () => {
  test("the learner, where the model leaves it open: raw for generative ones, tfidf for discriminative ones", async () => {
    expect(textOf(await fit(model, rows)).scaling).toBe(undefined)
    expect(textOf(await fit(model, rows, { learner: sdem({ epochs: 1 }) })).scaling).toBe("tfidf")
    expect(textOf(await fit(model, rows, { learner: sdem({ epochs: 1, generative: 1 }) })).scaling).toBe(
      "raw",
    )
    const own = classes("y", independent({ t: multinomial({ scaling: "log" }) }))
    expect(textOf(await fit(own, rows, { learner: sdem({ epochs: 1 }) })).scaling).toBe("log")
  })

  test("how rare a word is was learned on the training rows, and stays so", async () => {
    const fitted = await fit(model, rows, { learner: sdem({ epochs: 1 }) })
    const words = [...new Set(rows.flatMap(({ t }) => t))]
    expect(textOf(fitted)).toEqual({
      lowercase: true,
      scaling: "tfidf",
      documents: 40,
      frequencies: words.map(word => rows.filter(({ t }) => t.includes(word)).length),
    })
    fitted.predict([{ t: ["fog", "fog"] }])
    expect(textOf(fitted).documents).toBe(40)
  })
})

describe("an update", () => {
  test("keeps what known words weigh, and weighs new ones by their share of the new documents", async () => {
    const fitted = await fit(model, rows, { learner: sdem({ epochs: 1 }) })
    const before = textOf(fitted)
    // more documents than the model has seen, all of them with a word it does not know
    const more = Array.from({ length: 200 }, (_, i) => ({
      y: "ab"[i % 2],
      t: i % 4 === 0 ? "sun comet" : "comet",
    }))
    const updated = await fitted.update(more, { learner: sdem({ epochs: 1 }) })
    const after = textOf(updated)
    expect(after.documents).toBe(before.documents)
    expect(after.frequencies!.slice(0, -1)).toEqual(before.frequencies)
    expect(after.frequencies!.at(-1)).toBe(40)
    const { logs } = updated.posterior([{ t: "comet sun" }])
    expect([...logs].every(Number.isFinite)).toBe(true)
    // one document of two with the word is half of the documents, however many there are
    const half = await fitted.update(
      [
        { y: "a", t: "sun" },
        { y: "b", t: "comet" },
      ],
      { learner: sdem({ epochs: 1 }) },
    )
    expect(textOf(half).frequencies!.at(-1)).toBe(20)
  })
})

describe("a scaled score is no density, and what needs one refuses", () => {
  const message = (ask: () => unknown): string => {
    try {
      ask()
      return "answered"
    } catch (error) {
      return (error as Error).message
    }
  }
  test("log-densities, anomalies, samples and information criteria", async () => {
    const fitted = await fit(classes("y", independent({ t: multinomial({ scaling: "tfidf" }) })), rows)
    const refusals = [
      () => fitted.logDensity(rows),
      () => fitted.anomalies(rows),
      () => fitted.sample(1),
      () => fitted.criteria(),
    ].map(message)
    expect(refusals[0]).toMatchInlineSnapshot(
      `"the documents in "t" are scaled ("tfidf"), so their score is a weighted log-likelihood. It is no density: there is nothing to sample from, and no likelihood to compare. Use multinomial({ scaling: "raw" }) and a generative learner for that."`,
    )
    for (const refusal of refusals) expect(refusal).toBe(refusals[0])
    // below a mixture as well
    const hidden = await fit(mixture(2, independent({ t: multinomial({ scaling: "l2" }) })), rows)
    expect(message(() => hidden.criteria())).toMatch(/^the documents in "t" are scaled \("l2"\)/)
    // everything else is answered
    expect(fitted.predict([{ t: "sun" }])).toHaveLength(1)
    expect(hidden.responsibilities(rows)).toHaveLength(80)
  })

  test("toLinear", async () => {
    const fitted = await fit(model, rows, { learner: sdem({ epochs: 1 }) })
    expect(message(() => fitted.toLinear())).toMatchInlineSnapshot(
      `"toLinear: the posterior of "y" is not linear in features of the row: multinomial over "t" scales counts ("tfidf"), so that what a word weighs depends on more than how often it occurs. A softmax needs one sum per level. Use multinomial({ scaling: "raw" }), or posterior() and explain()."`,
    )
    const sets = await fit(classes("y", independent({ t: wordSet() })), rows)
    expect(sets.toLinear().features.length).toBeGreaterThan(0)
  })

  test("raw counts answer all of it", async () => {
    const fitted = await fit(classes("y", independent({ t: multinomial({ scaling: "raw" }) })), rows)
    expect(fitted.logDensity(rows)).toHaveLength(40)
    expect(fitted.anomalies(rows).scores).toHaveLength(40)
    expect(fitted.sample(2, { seed: 1 })).toHaveLength(2)
    expect(Number.isFinite(fitted.criteria().bic)).toBe(true)
    expect(fitted.toLinear().features).toHaveLength(5)
  })
})

describe("bad options and files", () => {
  test("a scaling that is none", () => {
    expect(() => multinomial({ scaling: "bm25" as never })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: multinomial: scaling is "bm25". It says what a count weighs: "raw", "log", "l2" and "tfidf". Leave it out to let the learner choose.]`,
    )
  })

  test("a file whose frequencies cannot be", async () => {
    const saved = JSON.parse(JSON.stringify(await fit(model, rows, { learner: sdem({ epochs: 1 }) })))
    const column = saved.columns.find(({ name }: { name: string }) => name === "t")
    const [first, ...rest] = column.text.frequencies
    for (const frequencies of [rest, [first + 1000, ...rest], [-1, ...rest], ["1", ...rest], null]) {
      column.text.frequencies = frequencies
      expect(() => load(saved)).toThrow(/the text options of column "t" are not those of its model/)
    }
  })
})
