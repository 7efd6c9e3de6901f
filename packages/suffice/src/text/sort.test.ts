import fc from "fast-check"
import { expect, test } from "vitest"
import { giveInOrder } from "./sort.ts"

test("words are handed over in order, each with its count, however many there are and however large their codes", () => {
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
      expect(handedOver(words, counts, given.length, undefined)).toEqual(inOrder)
      if (width > 20) return
      // every third is left out, and the others are numbered anew
      const became = new Int32Array(1 << width).map((_, code) => (code % 3 === 0 ? -1 : code ^ 5))
      const expected = given
        .filter(([code]) => code % 3 !== 0)
        .map(([code, count]) => [code ^ 5, count])
        .sort(([a], [b]) => a - b)
      expect(handedOver(words, counts, given.length, became)).toEqual(expected)
    }),
    { numRuns: 120, seed: 1 },
  )
})

/** The words of entries 2 … 1 + size. */
function handedOver(
  words: Int32Array,
  counts: Float64Array,
  size: number,
  became: Int32Array | undefined,
): number[][] {
  const got: number[][] = []
  giveInOrder(words, counts, 2, 2 + size, became, {
    addWords(codes, counted, length) {
      for (let t = 0; t < length; t++) got.push([codes[t], counted[t]])
    },
  })
  return got
}
