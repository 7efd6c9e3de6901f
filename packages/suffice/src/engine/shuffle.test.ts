import { describe, expect, test } from "vitest"
import type { Block, Chunk } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import { dice } from "../random.ts"
import { bufferOf, shuffled } from "./shuffle.ts"

const columns: Column[] = [{ kind: "level", name: "y", levels: ["a", "b"] }]

/** Rows in order, in blocks: the first half of class 0, the rest of class 1; the weight is the row's number. */
function sorted(rows: number): { chunks(): Chunk[] } {
  const chunks: Chunk[] = []
  for (let from = 0; from < rows; from += 256) {
    const count = Math.min(256, rows - from)
    const block: Block = {
      rows: count,
      weight: Float64Array.from({ length: count }, (_, i) => from + i),
      cells: [Int32Array.from({ length: count }, (_, i) => (2 * (from + i) < rows ? 0 : 1))],
    }
    chunks.push([block])
  }
  return { chunks: () => chunks }
}

async function batchesOf(
  rows: number,
  size: number,
  seed: number | undefined,
  most?: number,
): Promise<Block[]> {
  const blocks: Block[] = []
  const order = seed === undefined ? undefined : dice(seed)
  for await (const block of shuffled(columns, sorted(rows), size, order, most)) {
    // the next one is gathered in the same arrays
    blocks.push(structuredClone(block))
  }
  return blocks
}
const numbersOf = (blocks: readonly Block[]): number[] => blocks.flatMap(({ weight }) => [...weight])

describe("mini-batches", () => {
  test.each([undefined, 7, 300])("hold every row once, whatever is buffered (%s)", async most => {
    for (const rows of [1, 255, 1000]) {
      const blocks = await batchesOf(rows, 16, 1, most)
      expect(blocks.slice(0, -1).every(block => block.rows === 16)).toBe(true)
      expect(numbersOf(blocks).sort((a, b) => a - b)).toEqual([...new Array(rows).keys()])
    }
  })

  test("come in another order with other dice, and as they stand without", async () => {
    const order = async (seed?: number): Promise<number[]> => numbersOf(await batchesOf(500, 16, seed))
    expect(await order(1)).toEqual(await order(1))
    expect(await order(1)).not.toEqual(await order(2))
    expect(await order()).toEqual([...new Array(500).keys()])
  })

  test("of data sorted by class are mixed: each has both, as chance would have it", async () => {
    // more than any buffer of a few ten thousand rows
    const blocks = await batchesOf(150_000, 1000, 3)
    for (const { cells } of blocks) {
      const ones = (cells[0] as Int32Array).reduce((sum, code) => sum + code, 0)
      // six standard deviations around a half
      expect(Math.abs(ones - 500)).toBeLessThan(6 * Math.sqrt(250))
    }
  })

  test("reach no further ahead than the buffer", async () => {
    let at = 0
    for (const number of numbersOf(await batchesOf(5000, 1, 4, 300))) {
      // a chunk is taken in whole
      expect(number).toBeLessThanOrEqual(at + 300 + 256)
      at++
    }
  })
})

test("the buffer holds fewer rows where rows are long", () => {
  const numbers = (count: number): Column[] =>
    Array.from({ length: count }, (_, i) => ({
      kind: "number",
      name: `x${i}`,
      shift: 0,
      scale: 1,
      variance: 1,
    }))
  expect(bufferOf([])).toBe(1_048_576)
  expect(bufferOf(numbers(10))).toBe(1_048_576)
  expect(bufferOf(numbers(100))).toBe(335_544)
  expect(bufferOf(numbers(10_000))).toBe(65_536)
  expect(bufferOf([{ kind: "bag", name: "t", words: [], text: { lowercase: true } }])).toBe(131_072)
})

test("rows of a wide table that stays in memory are gathered to the same bits, with the numbers of their rows", async () => {
  const die = dice(4)
  const wide = Array.from(
    { length: 200 },
    (_, j): Column =>
      j % 3 === 0
        ? { kind: "level", name: `x${j}`, levels: ["a", "b"] }
        : { kind: "number", name: `x${j}`, shift: 0, scale: 1, variance: 1 },
  )
  const block = (rows: number, first: number): Block => ({
    rows,
    first,
    weight: Float64Array.from({ length: rows }, () => die.uniform()),
    cells: wide.map(({ kind }) =>
      kind === "level"
        ? Int32Array.from({ length: rows }, () => die.integer(3) - 1)
        : Float64Array.from({ length: rows }, () => (die.uniform() < 0.1 ? Number.NaN : die.normal())),
    ),
  })
  const chunks: Chunk[] = [[block(30, 0), block(11, 30)], [block(20, 41)]]
  const gathered = async (inMemory: Chunk[] | undefined): Promise<Block[]> => {
    const found: Block[] = []
    for await (const batch of shuffled(wide, { chunks: () => chunks, inMemory }, 8, dice(1)))
      found.push(structuredClone(batch))
    return found
  }
  expect(await gathered(chunks)).toEqual(await gathered(undefined))
})
