import fc from "fast-check"
import { expect, test } from "vitest"
import { sortWords } from "./sort.ts"

test("words are put in order, each with its count, however many there are and however large their codes", () => {
  const bits = fc.constantFrom(3, 9, 10, 17, 18, 19, 24)
  const size = fc.constantFrom(0, 1, 2, 7, 8, 9, 15, 16, 31, 32, 33, 130, 511, 512, 2000, 4096, 5000)
  fc.assert(
    fc.property(bits, size, fc.integer(), (width, most, seed) => {
      const codes = new Set<number>()
      for (let t = 0, code = seed; t < most; t++) {
        code = Math.imul(code ^ t, 0x9e3779b1) ^ (code >>> 7)
        codes.add((code >>> 3) & ((1 << width) - 1))
      }
      const given = [...codes].map((code, t) => [code, 0.5 + t])
      const words = Int32Array.from([7, 8, ...given.map(([code]) => code), 7])
      const counts = Float64Array.from([3, 4, ...given.map(([, count]) => count), 9])
      const inOrder = given.sort(([a], [b]) => a - b)
      const size = given.length
      const sorted = new Int32Array(size + 5).fill(-7)
      const numbers = new Float64Array(size + 5).fill(-7)
      sortWords(words, counts, 2, 2 + size, sorted, numbers, 3)
      const got = Array.from(sorted, (word, t) => [word, numbers[t]])
      // nothing beside them is touched
      const rest = (count: number) => new Array(count).fill([-7, -7])
      expect([got.slice(0, 3), got.slice(3 + size)]).toEqual([rest(3), rest(2)])
      expect(got.slice(3, 3 + size)).toEqual(inOrder)
    }),
    { numRuns: 120, seed: 1 },
  )
})
