import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { dice } from "../random.ts"
import { type CoherenceMeasure, Occurrences, WINDOWS } from "./coherence.ts"

interface Golden {
  readonly texts: readonly string[]
  readonly cases: readonly {
    readonly measure: CoherenceMeasure
    readonly topics: readonly (readonly string[])[]
    readonly values: readonly number[]
  }[]
}

const golden = JSON.parse(
  readFileSync(new URL("../../../../checks/golden/topics.json", import.meta.url), "utf8"),
) as Golden

describe("coherence equals gensim's CoherenceModel", () => {
  const code = new Map(
    [...new Set(golden.texts.flatMap(text => text.split(" ")))].map((word, i) => [word, i]),
  )
  for (const { measure, topics, values } of golden.cases) {
    test(`${measure} of ${topics[0].join(" ")}`, () => {
      const occurrences = new Occurrences(
        topics.map(words => words.map(word => code.get(word)!)),
        WINDOWS[measure],
      )
      for (const text of golden.texts) occurrences.add(text.split(" ").map(word => code.get(word)!))
      const found = topics.map((_, t) => occurrences.coherence(t, measure))
      for (const [t, value] of values.entries()) expect(found[t]).toBeCloseTo(value, 9)
    })
  }
})

test("shares of windows equal those counted window by window", () => {
  const draws = dice(3)
  const topic = [4, 0, 2, 7]
  for (const window of [1, 2, 5, Number.POSITIVE_INFINITY]) {
    const documents = Array.from({ length: 30 }, () =>
      Array.from({ length: draws.integer(14) }, () => draws.integer(9) - 1),
    )
    const occurrences = new Occurrences([topic], window)
    for (const document of documents) occurrences.add(document)
    const windows = documents.flatMap(document =>
      Array.from({ length: Math.max(document.length - window + 1, 1) }, (_, s) =>
        document.slice(s, s + window),
      ),
    )
    for (let i = 0; i < topic.length; i++) {
      for (let j = 0; j <= i; j++) {
        const both = windows.filter(held => held.includes(topic[i]) && held.includes(topic[j])).length
        expect(occurrences.share(0, i, j)).toBe(both / windows.length)
      }
    }
  }
})

describe("npmi", () => {
  const npmi = (documents: readonly (readonly number[])[]): number => {
    const occurrences = new Occurrences([[0, 1]], WINDOWS.npmi)
    for (const document of documents) occurrences.add(document)
    return occurrences.coherence(0, "npmi")
  }

  test("is −1 for words that never meet, and 1 for words that are never apart", () => {
    expect(npmi([[0], [1], [2], []])).toBe(-1)
    expect(npmi([[0, 1], [2], [1, 0, 0]])).toBeCloseTo(1, 14)
    expect(npmi([[0, 1]])).toBe(1)
  })

  test("is 0 for words that meet as often as chance has it", () => {
    expect(npmi([[0, 1], [0], [1], []])).toBeCloseTo(0, 14)
  })
})
