import fc from "fast-check"
import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { inOrderOfKeys } from "./radix.ts"

test("places are in the order of their keys, the first deciding, and equal ones stay as they are", () => {
  // few different numbers, so that many or nearly all are equal in their first, and some in all of them
  const number = fc.constantFrom(0, 1, 2, 1023, 1024, 0x3fffffff)
  const keys = fc.tuple(fc.oneof(number, fc.constant(5)), number, number)
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 300, size: "max" }), fc.nat(9), (rows, more) => {
      const columns = [0, 1, 2].map(k =>
        Int32Array.from([...rows.map(row => row[k]), ...Array(more).fill(7)]),
      )
      expect([...inOrderOfKeys(columns, rows.length)]).toEqual(byComparing(rows))
    }),
    { seed: 2, numRuns: 200 },
  )
})

test("so are many", () => {
  const die = dice(1)
  const rows = Array.from({ length: 20_000 }, () => [die.integer(99) << 22, die.integer(1 << 30)])
  const columns = [0, 1].map(k => Int32Array.from(rows, row => row[k]))
  expect([...inOrderOfKeys(columns, rows.length)]).toEqual(byComparing(rows))
})

function byComparing(rows: readonly (readonly number[])[]): number[] {
  return rows
    .map((_, place) => place)
    .sort((a, b) => {
      const differing = rows[a].findIndex((value, k) => value !== rows[b][k])
      return differing < 0 ? a - b : rows[a][differing] - rows[b][differing]
    })
}
