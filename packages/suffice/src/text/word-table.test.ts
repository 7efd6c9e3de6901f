import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Tally } from "./tally.ts"
import { folded } from "./tokenise.ts"
import { WordTable } from "./word-table.ts"

const find = (table: WordTable, word: string): number => table.code(word, 0, word.length, false)
const add = (table: WordTable, word: string): number => table.code(word, 0, word.length, true)
const byRegex = (text: string): string[] => (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).sort()
/** The words of a text and their counts, read by a table. */
function read(table: WordTable, text: string, lowercase: boolean, tally = new Tally()): string[] {
  table.read(text, lowercase, true, tally)
  const codes = [...tally.codes.subarray(0, tally.size)]
  return codes.flatMap((code, t) => Array<string>(tally.counts[t]).fill(table.word(code))).sort()
}

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
        expect(read(table, string, false)).toEqual(byRegex(string))
        const lower = new WordTable()
        expect(read(lower, string, true)).toEqual(byRegex(folded(string)))
        // nothing is added where nothing may be
        const none = new WordTable()
        const tally = new Tally()
        none.read(string, true, false, tally)
        expect([none.size, tally.size, tally.any]).toEqual([0, 0, byRegex(string).length > 0])
      }),
      { numRuns: 2000, seed: 1 },
    )
  })

  test("takes long texts, and texts that grow in lower case", () => {
    const table = new WordTable()
    expect(read(table, "w ".repeat(5000), true).length).toBe(5000)
    expect(table.size).toBe(1)
    expect(read(table, "İ ".repeat(9000), true).length).toBe(9000)
    expect(table.word(1)).toBe("i\u0307")
  })

  test("reads texts one after another, and counts each for itself", () => {
    const table = new WordTable(["of", "before"])
    const tally = new Tally()
    const texts = [
      "b a b",
      "",
      "a c a a before",
      ...Array.from({ length: 900 }, (_, i) => `w${i} x${i} a`),
      "b",
    ]
    for (const text of texts) expect(read(table, text, true, tally)).toEqual(byRegex(text))
  })

  test("takes a Map of counts as it takes the same counts in an object, and refuses the same", () => {
    const word = fc.constantFrom("a", "b", "é", "a word", "beyond fifteen letters")
    const count = fc.oneof(
      fc.nat(3),
      fc.constantFrom<unknown>(0.5, -1, Number.NaN, Number.POSITIVE_INFINITY, "1"),
    )
    const taken = (cell: unknown, add: boolean) => {
      const table = new WordTable(["b"])
      const tally = new Tally()
      const unknown: string[] = []
      const fine = table.take(cell, true, add, tally, word => unknown.push(word))
      const { codes, counts, size, any } = tally
      return fine && [[...codes.slice(0, size)], [...counts.slice(0, size)], any, unknown, table.size]
    }
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(word, count), { selector: ([w]) => w }),
        fc.boolean(),
        (all, add) => {
          expect(taken(new Map(all), add)).toEqual(taken(Object.fromEntries(all), add))
        },
      ),
      { numRuns: 300, seed: 1 },
    )
    expect(taken(new Map([[7, 1]]), true)).toBe(false)
  })

  test("has an end", () => {
    const table = new WordTable(["a", "b"], 2)
    expect(add(table, "a")).toBe(0)
    expect(() => add(table, "c")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: there are more than 2 different words. No more have room in a model. Give them buckets, for example hash: 262144, or leave the column out if it holds ids.]`,
    )
  })
})
