import { describe, expect, test } from "vitest"
import type { Block } from "../contract.ts"
import { COLUMN } from "../kernels/hold.ts"
import { dice } from "../random.ts"
import { madeWhole } from "./made-whole.ts"

describe.each([1, 2])("a chunk made whole, weights up to %i:", most => {
  const random = dice(most)
  const chunk: Block[] = [256, 256, 41].map(rows => ({
    rows,
    weight: Float64Array.from({ length: rows }, () => 1 + random.integer(most)),
    cells: [0, 1, 2].map(() => Float64Array.from({ length: rows }, () => random.normal())),
  }))
  const whole = madeWhole(chunk)
  const arrays = whole.flatMap(({ weight, cells }) => [weight, ...(cells as Float64Array[])])

  test("holds the same", () => {
    expect(whole).toEqual(chunk.map(block => ({ ...block, isWhole: true })))
  })

  test("stands in one buffer, which is full, and no two columns in the same place", () => {
    expect(new Set(arrays.map(({ buffer }) => buffer)).size).toBe(1)
    const places = new Set(arrays.map(({ byteOffset }) => byteOffset))
    expect(places.size).toBe(most === 1 ? 10 : 12)
    expect(arrays[0].buffer.byteLength).toBe(8 * COLUMN * places.size)
  })

  test("has the columns of a block one after the other", () => {
    for (const { cells } of whole) {
      const [x, y, z] = (cells as Float64Array[]).map(({ byteOffset }) => byteOffset)
      expect([y - x, z - y]).toEqual([8 * COLUMN, 8 * COLUMN])
    }
  })
})
