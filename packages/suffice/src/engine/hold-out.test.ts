import { expect, test } from "vitest"
import type { Chunk } from "../contract/block.ts"
import { dice } from "../random.ts"
import { holdOut } from "./hold-out.ts"
import type { Table } from "./learnable.ts"

/** Rows without cells, known by their weights. */
function tableOf(weights: readonly number[]): Table {
  const chunk: Chunk = [{ rows: weights.length, weight: Float64Array.from(weights), cells: [] }]
  return {
    rows: weights.length,
    weight: weights.reduce((sum, w) => sum + w, 0),
    certain: true,
    chunks: () => [chunk],
  }
}

async function weightsOf(table: Table): Promise<number[]> {
  const found: number[] = []
  for await (const chunk of table.chunks()) for (const { weight } of chunk) found.push(...weight)
  return found
}

test("every row is on one side, and the sides say how much they hold", async () => {
  const table = tableOf([1, 2, 4, 8, 16, 32, 64, 128])
  const [rest, held] = await holdOut([], table, 0.25, dice(3))
  expect([rest.rows, held.rows]).toEqual([6, 2])
  const [one, other] = [await weightsOf(rest), await weightsOf(held)]
  expect([...one, ...other].sort((a, b) => a - b)).toEqual([1, 2, 4, 8, 16, 32, 64, 128])
  expect([rest.weight, held.weight]).toEqual([one, other].map(side => side.reduce((sum, w) => sum + w, 0)))
  expect(await weightsOf(held)).toEqual(other)
})

test("one row at least is left to learn from", async () => {
  for (const count of [1, 2, 3]) {
    const [rest, held] = await holdOut([], tableOf(new Array(count).fill(1)), 0.99, dice(1))
    expect([rest.rows, held.rows]).toEqual([1, count - 1])
  }
})
