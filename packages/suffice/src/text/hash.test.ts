import { describe, expect, test } from "vitest"
import { bucketNames, bucketOf, hashOf } from "./hash.ts"

/** The definitions once more, in whole numbers without end. */
const M = 2n ** 32n
function fnv1a(word: string): bigint {
  let hash = 2166136261n
  for (let i = 0; i < word.length; i++) hash = ((hash ^ BigInt(word.charCodeAt(i))) * 16777619n) % M
  return hash
}
function murmurMix(hash: bigint): bigint {
  let h = hash
  h = ((h ^ (h >> 16n)) * 0x85ebca6bn) % M
  h = ((h ^ (h >> 13n)) * 0xc2b2ae35n) % M
  return h ^ (h >> 16n)
}
const bucket = (word: string, buckets: number): number => bucketOf(word, 0, word.length, buckets)
const WORDS = ["", "a", "cat", "Ångström", "война", "𝒳𝒴", "new york", "#", "#x", "#012", "\ud800"]

describe("the hash", () => {
  test("is FNV-1a: the values of its authors", () => {
    // http://www.isthe.com/chongo/tech/comp/fnv: "", "a", "foobar"
    expect(hashOf("", 0, 0)).toBe(0x811c9dc5)
    expect(hashOf("a", 0, 1)).toBe(0xe40c292c)
    expect(hashOf("xfoobary", 1, 7)).toBe(0xbf9cf968)
  })

  test("and the bucket are what their formulas say, of any code units", () => {
    for (const word of WORDS) {
      expect(BigInt(hashOf(word, 0, word.length))).toBe(fnv1a(word))
      for (const buckets of [1, 7, 1024, 16777216])
        expect(BigInt(bucket(word, buckets))).toBe(murmurMix(fnv1a(word)) % BigInt(buckets))
    }
  })

  test("spreads words over buckets whose number is a power of two", () => {
    const counts = new Array(64).fill(0)
    for (let i = 0; i < 6400; i++) counts[bucket(`word${i}`, 64)]++
    // χ² with 63 degrees of freedom: 99.9 % lie below 103.4
    const chi2 = counts.reduce((sum, count) => sum + (count - 100) * (count - 100) * 0.01, 0)
    expect(chi2).toBeLessThan(103.4)
  })
})

test("a word that is called as a bucket is in it", () => {
  expect(bucketNames(3)).toEqual(["#0", "#1", "#2"])
  expect(bucketNames(1000).map(name => bucket(name, 1000))).toEqual(Array.from({ length: 1000 }, (_, b) => b))
  // no bucket is called so
  for (const word of ["#1000", "#01", "#1e2", "#-1", "#-0", "#0.5", "#"])
    expect(BigInt(bucket(word, 1000))).toBe(murmurMix(fnv1a(word)) % 1000n)
})
