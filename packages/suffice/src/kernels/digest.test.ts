import { expect, test } from "vitest"
import { digest, digestOf } from "./digest.ts"

test("is FNV-1a", () => {
  // the empty digest is the offset basis; the others are test vectors of its authors
  const of = (text: string): string => digest(new TextEncoder().encode(text)).toString(16)
  expect(["", "a", "b", "foobar"].map(of)).toEqual(["811c9dc5", "e40c292c", "e70c2de5", "bf9cf968"])
})

test("one byte that differs is a digest that differs", () => {
  const bytes = Uint8Array.from({ length: 50 }, (_, i) => i)
  for (let at = 0; at < bytes.length; at++) {
    const other = bytes.slice()
    other[at] ^= 4
    expect(digest(other)).not.toBe(digest(bytes))
  }
})

test("numbers go by their bits, wherever they stand in a buffer", () => {
  const all = Float64Array.of(1, 2, 3)
  expect(digestOf(all.subarray(1))).toBe(digestOf(Float64Array.of(2, 3)))
  expect(digestOf(Float64Array.of(0))).not.toBe(digestOf(Float64Array.of(-0)))
})
