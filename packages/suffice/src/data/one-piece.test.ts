import { describe, expect, test } from "vitest"
import type { Block, Chunk } from "../contract.ts"
import { COLUMN } from "../kernels/hold.ts"
import { dice } from "../random.ts"
import { inOnePiece } from "./one-piece.ts"

const random = dice(3)

/** Blocks of numbers, levels and numbers, the last one shorter. */
function chunkOf(weightOf: () => number): Chunk {
  return [256, 256, 41].map(rows => ({
    rows,
    weight: Float64Array.from({ length: rows }, weightOf),
    cells: [
      Float64Array.from({ length: rows }, () => (random.uniform() < 0.1 ? Number.NaN : random.normal())),
      Int32Array.from({ length: rows }, () => random.integer(5) - 1),
      Float64Array.from({ length: rows }, () => random.normal()),
      Float64Array.from({ length: rows }, () => random.normal()),
    ],
  }))
}

describe.each([1, 2])("a chunk in one piece, weights up to %i:", most => {
  const chunk = chunkOf(() => 1 + random.integer(most))
  const moved = inOnePiece(chunk, "holes")

  test("holds the same", () => {
    expect(moved).toEqual(chunk.map(block => ({ ...block, piece: "holes" })))
  })

  test("stands in one buffer, which is full", () => {
    const arrays = (block: Block) => [block.weight, ...(block.cells as Float64Array[])]
    const buffers = new Set(moved.flatMap(arrays).map(({ buffer }) => buffer))
    expect(buffers.size).toBe(1)
    const ends = moved.flatMap(arrays).map(held => held.byteOffset + COLUMN * held.BYTES_PER_ELEMENT)
    expect([...buffers][0].byteLength).toBe(Math.max(...ends))
  })

  test("has its columns one after the other, and no two in the same place", () => {
    const cells = moved.flatMap(block => block.cells as Float64Array[])
    const used = new Set(cells.map(({ byteOffset }) => byteOffset))
    expect(used.size).toBe(cells.length)
    for (const block of moved) {
      const [, level, x, y] = block.cells as Float64Array[]
      expect(x.byteOffset).toBe(level.byteOffset + 4 * COLUMN)
      expect(y.byteOffset).toBe(x.byteOffset + 8 * COLUMN)
    }
  })
})
