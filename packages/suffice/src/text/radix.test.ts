import fc from "fast-check"
import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { inOrderOfKeys } from "./radix.ts"

test("places are in the order of their keys, and equal ones stay as they are", () => {
  // few different numbers, so that many are equal
  const key = fc.constantFrom(0, 1, 2, 5, 1023, 1024, 0x3fffffff)
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300, size: "max" }), keys => {
      expect([...inOrderOfKeys(Int32Array.from(keys))]).toEqual(byComparing(keys))
    }),
    { seed: 2, numRuns: 200 },
  )
})

test("so are many", () => {
  const die = dice(1)
  const keys = Array.from({ length: 20_000 }, () => die.integer(1 << 30))
  expect([...inOrderOfKeys(Int32Array.from(keys))]).toEqual(byComparing(keys))
})

function byComparing(keys: readonly number[]): number[] {
  return keys.map((_, place) => place).sort((a, b) => keys[a] - keys[b] || a - b)
}
