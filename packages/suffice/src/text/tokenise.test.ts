import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Stem, TextOptions } from "../contract/columns.ts"
import { eachWord } from "./tokenise.ts"

/** The words of a cell with their counts; false: no bag. */
function visits(
  cell: unknown,
  options: Partial<TextOptions> = {},
  stem?: Stem,
): readonly (readonly [string, number])[] | false {
  const seen: (readonly [string, number])[] = []
  const fine = eachWord({ lowercase: true, ...options }, stem)(cell, {
    word: (text, from, to, count) => void seen.push([text.slice(from, to), count]),
  })
  return fine && seen
}
const words = (cell: unknown, options?: Partial<TextOptions>, stem?: Stem) =>
  visits(cell, options, stem) && (visits(cell, options, stem) as [string, number][]).map(([word]) => word)
const lower = (text: string) => words(text)
const asWritten = (text: string) => words(text, { lowercase: false })

/** The definition, in one line. */
const byRegex = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
const byCodePoint = (word: string): string => [...word].map(character => character.toLowerCase()).join("")

describe("words", () => {
  test("are maximal runs of letters, marks and numbers", () => {
    expect(lower("The cat, the dog & 2 emus.")).toEqual(["the", "cat", "the", "dog", "2", "emus"])
    expect(lower("don't re-use x_1")).toEqual(["don", "t", "re", "use", "x", "1"])
    expect(lower("")).toEqual([])
    expect(lower(" …!\n")).toEqual([])
  })

  test("keep the accents of Latin-1 and beyond, composed or not", () => {
    expect(lower("Ångström NAÏVE Žižek")).toEqual(["ångström", "naïve", "žižek"])
    expect(lower("cafe\u0301 au lait")).toEqual(["cafe\u0301", "au", "lait"])
  })

  test("are found in every script", () => {
    expect(lower("Война и МИР")).toEqual(["война", "и", "мир"])
    expect(lower("हिन्दी में")).toEqual(["हिन्दी", "में"])
    expect(lower("東京タワー、333m")).toEqual(["東京タワー", "333m"])
    expect(lower("½ x² Ⅷ")).toEqual(["½", "x²", "ⅷ"])
  })

  test("may hold characters of two code units, and end before an emoji", () => {
    expect(lower("𝒳𝒴 𐐀𐐁😀z")).toEqual(["𝒳𝒴", "𐐨𐐩", "z"])
  })

  test("do not hold half a character", () => {
    expect(lower("a\ud800b\udc00c\ud83d")).toEqual(["a", "b", "c"])
  })

  test("are lower-cased code point by code point: no locale, no final sigma", () => {
    expect(lower("ΟΔΟΣ İSTANBUL ẞ")).toEqual(["οδοσ", "i̇stanbul", "ß"])
    expect(asWritten("ΟΔΟΣ Cat")).toEqual(["ΟΔΟΣ", "Cat"])
  })

  test("are those of the regular expression, on any string", () => {
    const code = fc.oneof(
      fc.integer({ min: 0, max: 0x7f }),
      fc.integer({ min: 0x80, max: 0xff }),
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0x10000, max: 0x1ffff }),
    )
    const text = fc
      .array(code, { maxLength: 60 })
      .map(codes => codes.map(c => String.fromCodePoint(c)).join(""))
    fc.assert(
      fc.property(text, string => {
        expect(asWritten(string)).toEqual(byRegex(string))
        expect(lower(string)).toEqual(byRegex(string).map(byCodePoint))
      }),
      { numRuns: 2000, seed: 1 },
    )
  })
})

describe("a bag", () => {
  test("of text is its words, one by one", () => {
    expect(visits("A cat, a dog")).toEqual([
      ["a", 1],
      ["cat", 1],
      ["a", 1],
      ["dog", 1],
    ])
    expect(visits("")).toEqual([])
  })

  test("that is a list or counts keeps its words as they stand; zero counts are skipped", () => {
    expect(visits(["New York", "Cat"])).toEqual([
      ["New York", 1],
      ["Cat", 1],
    ])
    expect(visits({ Cat: 2, dog: 0, emu: 0.5 })).toEqual([
      ["Cat", 2],
      ["emu", 0.5],
    ])
    expect(visits(Object.assign(Object.create(null), { cat: 1 }))).toEqual([["cat", 1]])
    expect(visits(JSON.parse('{"__proto__": 3}'))).toEqual([["__proto__", 3]])
  })

  test.each([
    ["a number", 7],
    ["a boolean", true],
    ["null", null],
    ["nothing", undefined],
    ["a date", new Date(0)],
    ["a set", new Set()],
    ["a map by numbers", new Map([[1, 1]])],
    ["a map with a negative count", new Map([["a", -1]])],
    ["a typed array", Float64Array.of(1)],
    ["a list with a number", ["a", 1]],
    ["a negative count", { a: -1 }],
    ["a count that is not finite", { a: Infinity }],
    ["a count that is no number", { a: NaN }],
    ["a count that is a string", { a: "1" }],
  ])("is not %s", (_, cell) => {
    expect(visits(cell)).toBe(false)
  })
})

describe("of text and of lists", () => {
  const cut: Stem = word => word.slice(0, 3)

  test("neighbouring words are a word too, up to so many", () => {
    expect(words("a b, c", { ngrams: 2 })).toEqual(["a", "a b", "b", "b c", "c"])
    expect(words(["New", "York", "City"], { ngrams: 3 })).toEqual([
      "New",
      "New York",
      "New York City",
      "York",
      "York City",
      "City",
    ])
    expect(words("one", { ngrams: 3 })).toEqual(["one"])
    expect(visits({ a: 2, b: 1 }, { ngrams: 2 })).toEqual([
      ["a", 2],
      ["b", 1],
    ])
  })

  test("stop words are dropped before runs are made, stems are made of what is left", () => {
    const options = { stopWords: ["the", "of"], ngrams: 2 }
    expect(words("The king of Spain", options)).toEqual(["king", "king spain", "spain"])
    expect(words("The king of Spain", { ...options, stem: "cut" }, cut)).toEqual(["kin", "kin spa", "spa"])
    expect(words(["the", "connected"], { ...options, stem: "cut" }, cut)).toEqual(["con"])
    expect(visits({ the: 1, connected: 2 }, { ...options, stem: "cut" }, cut)).toEqual([
      ["the", 1],
      ["connected", 2],
    ])
  })

  test("a word without a stem is dropped, and a stem that is no text is refused", () => {
    expect(words("a bee", { stem: "rest" }, word => word.slice(1))).toEqual(["ee"])
    expect(() => words("bee", { stem: "odd" }, () => 7 as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the stemmer "odd" made 7 of "bee". A stem is text. Return the word itself where there is nothing to cut.]`,
    )
  })

  test("a Map of counts stands as it is, without its zeros", () => {
    const counts = new Map([
      ["The king", 2],
      ["none", 0],
      ["connected", 0.5],
    ])
    expect(visits(counts, { ngrams: 2, stem: "cut" }, cut)).toEqual([
      ["The king", 2],
      ["connected", 0.5],
    ])
  })

  test("a cell that failed leaves nothing behind", () => {
    const each = eachWord({ lowercase: true, ngrams: 2 })
    const seen: string[] = []
    const sink = { word: (text: string, from: number, to: number) => void seen.push(text.slice(from, to)) }
    expect(each(["left", 7], sink)).toBe(false)
    expect(each("right", sink)).toBe(true)
    expect(seen).toEqual(["right"])
  })
})
