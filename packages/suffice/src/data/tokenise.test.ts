import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { detached, eachWord, tokenise } from "./tokenise.ts"

const lower = (text: string) => tokenise(text, { lowercase: true })
const asWritten = (text: string) => tokenise(text, { lowercase: false })

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
  const visits = (cell: unknown) => {
    const seen: [string, number][] = []
    const ok = eachWord(cell, { lowercase: true }, (word, count) => seen.push([word, count]))
    return ok ? seen : false
  }

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
    ["a map", new Map()],
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

test("a detached word is the same word, half a character included", () => {
  for (const word of ["extraordinarily", "", "ж𝒳", "a\ud800", '"\\\u2028']) expect(detached(word)).toBe(word)
})
