import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { folded } from "./tokenise.ts"
import { WordTable } from "./word-table.ts"

const find = (table: WordTable, word: string): number => table.code(word, 0, word.length, false)
const add = (table: WordTable, word: string): number => table.code(word, 0, word.length, true)
const byRegex = (text: string): string[] => (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).sort()
const wordsOf = (table: WordTable, count: number): string[] =>
  Array.from(table.found.subarray(0, count), code => table.word(code)).sort()

describe("a table of words", () => {
  test("is a Map from words to numbers, whatever the words are", () => {
    const letters = fc.constantFrom(..."abzAZ09 é\u0301Ω\u0000".split(""), "𝒳", "\ud800")
    const word = fc.array(letters, { maxLength: 22 }).map(list => list.join(""))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), words => {
        const table = new WordTable()
        const map = new Map<string, number>()
        for (const one of words) {
          expect(find(table, one)).toBe(map.get(one) ?? -1)
          if (!map.has(one)) map.set(one, map.size)
          expect(add(table, one)).toBe(map.get(one))
        }
        expect(Array.from({ length: table.size }, (_, code) => table.word(code))).toEqual([...map.keys()])
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  test("grows, and loses nobody", () => {
    const words = Array.from({ length: 20_000 }, (_, i) => (i * 7919).toString(36) + "x".repeat(i % 18))
    const table = new WordTable(words)
    expect(table.size).toBe(words.length)
    expect(words.map(word => find(table, word))).toEqual(words.map((_, i) => i))
  })

  test("finds a word inside a text", () => {
    const table = new WordTable(["cat", "extraordinarily"])
    expect(table.code("a cat!", 2, 5, false)).toBe(0)
    expect(table.code("an extraordinarily", 3, 18, false)).toBe(1)
    expect(table.code("a cat!", 2, 6, false)).toBe(-1)
  })

  test("finds the words of a text in bytes as the regular expression does", () => {
    const character = fc.oneof(
      fc.constantFrom(..."aZ9bc -_\nΣéİ".split("")),
      fc.integer({ min: 0, max: 127 }),
      fc.constantFrom(0xe9, 0x301, 0x2019, 0x430, 0x10400, 0x1f600, 0xd800, 0xdc00),
    )
    const text = fc
      .array(character, { maxLength: 90 })
      .map(list => list.map(one => (typeof one === "string" ? one : String.fromCodePoint(one))).join(""))
    fc.assert(
      fc.property(text, string => {
        const table = new WordTable()
        expect(wordsOf(table, table.codes(string, false, true))).toEqual(byRegex(string))
        const lower = new WordTable()
        expect(wordsOf(lower, lower.codes(string, true, true))).toEqual(byRegex(folded(string)))
        // nothing is added where nothing may be
        const none = new WordTable()
        const count = none.codes(string, true, false)
        expect([...none.found.subarray(0, count)]).toEqual(byRegex(folded(string)).map(() => -1))
        expect(none.size).toBe(0)
      }),
      { numRuns: 2000, seed: 1 },
    )
  })

  test("takes long texts, and texts that grow in lower case", () => {
    const table = new WordTable()
    expect(table.codes("w ".repeat(5000), true, true)).toBe(5000)
    expect(table.size).toBe(1)
    expect(table.codes("İ ".repeat(9000), true, true)).toBe(9000)
    expect(table.word(1)).toBe("i\u0307")
  })

  test("has an end", () => {
    const table = new WordTable(["a", "b"], 2)
    expect(add(table, "a")).toBe(0)
    expect(() => add(table, "c")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: there are more than 2 different words. No more have room in a model. Give them buckets, for example hash: 262144, or leave the column out if it holds ids.]`,
    )
  })
})
