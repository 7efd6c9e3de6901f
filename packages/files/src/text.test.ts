import { expect, test } from "vitest"
import { stemmer, stopWords } from "./text.ts"

test("words are stemmed as Snowball does", () => {
  // The sample vocabularies of https://snowballstem.org/algorithms/, English and German
  const english = stemmer("english")
  expect(
    ["consigned", "consigning", "consistency", "knightly", "knocking", "generously", "dying"].map(english),
  ).toEqual(["consign", "consign", "consist", "knight", "knock", "generous", "die"])
  expect(["aufeinanderfolgenden", "kategorien", "aufenthalt"].map(stemmer("de"))).toEqual([
    "aufeinanderfolg",
    "kategori",
    "aufenthalt",
  ])
})

test("a stem is the same each time, and its own input is not changed", () => {
  const stem = stemmer("en")
  expect(stem("connections")).toBe(stem("connected"))
  expect(stem("connections")).toBe(stem("connections"))
})

test("stop words are the small words of a language", () => {
  expect(["the", "and", "of", "spam"].map(word => stopWords("english").has(word))).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(stopWords("de")).toEqual(stopWords("german"))
  // "they don't": words are cut at apostrophes
  expect(["don", "t", "donkey"].map(word => stopWords("english").has(word))).toEqual([true, true, false])
})

test("a language nobody has written for is refused, with those that are", () => {
  expect(() => stemmer("klingon")).toThrowErrorMatchingInlineSnapshot(
    `[FileError: there is no stemmer for "klingon". The package that knows them has none, or another name for it. Choose among "arabic", "armenian", "basque", "catalan", "czech", "danish", "dutch", "english", "finnish", "french", "german", "hungarian", "irish", "italian", "norwegian", "portuguese", "romanian", "russian", "slovene", "spanish", "swedish", "tamil" and "turkish".]`,
  )
  expect(() => stopWords("tamil")).toThrow(/there are no stop words for "tamil"/)
})
