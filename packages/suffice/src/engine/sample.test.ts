import { describe, expect, test } from "vitest"
import { bagsOf } from "../blocks/encoded.ts"
import { Gatherer, gather, type Picks } from "../blocks/gather.ts"
import type { Bags, Block, Chunk, Encoded } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { gaussian } from "../families/gaussian.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { lay, solve } from "./lay.ts"
import { Taken, takeSample, worstRow } from "./sample.ts"

const columns: Column[] = [
  { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
  { kind: "level", name: "y", levels: ["a", "b"] },
  { kind: "bag", name: "w", words: ["p", "q"], text: { lowercase: true } },
]

/** Row i holds x = i, y = i mod 2, and i mod 3 words. */
function rowsFrom(first: number, rows: number): Block {
  const at = Array.from({ length: rows }, (_, i) => first + i)
  const offsets = Int32Array.from({ length: rows + 1 }, (_, i) =>
    at.slice(0, i).reduce((sum, row) => sum + (row % 3), 0),
  )
  return {
    rows,
    weight: Float64Array.from(at, row => 1 + row),
    cells: [
      Float64Array.from(at),
      Int32Array.from(at, row => row % 2),
      bagsOf(
        offsets,
        Int32Array.from(at.flatMap(row => Array(row % 3).fill(row % 2))),
        Float64Array.from(at.flatMap(row => Array(row % 3).fill(row))),
      ),
    ],
  }
}

function tableOf(
  rows: number,
  block: number,
  perChunk: number,
): { rows: number; chunks(): Generator<Chunk> } {
  return {
    rows,
    *chunks() {
      for (let from = 0; from < rows; from += block * perChunk) {
        const chunk: Block[] = []
        for (let b = 0; b < perChunk && from + b * block < rows; b++) {
          chunk.push(rowsFrom(from + b * block, Math.min(block, rows - from - b * block)))
        }
        yield chunk
      }
    },
  }
}

describe("a sample", () => {
  test("of few rows is all of them, in their order", async () => {
    const sample = await takeSample(columns, tableOf(100, 7, 3), dice(1))
    expect(sample.rows).toBe(100)
    expect([...(sample.cells[0] as Float64Array)]).toEqual(Array.from({ length: 100 }, (_, i) => i))
    expect([...sample.weight]).toEqual(Array.from({ length: 100 }, (_, i) => 1 + i))
    const { offsets, counts } = sample.cells[2] as Bags
    for (let i = 0; i < 100; i++) {
      expect([...counts.subarray(offsets[i], offsets[i + 1])]).toEqual(Array(i % 3).fill(i))
    }
  })

  test("of many is 4,096, decided by the dice and not by the chunks", async () => {
    const sample = await takeSample(columns, tableOf(10000, 256, 32), dice(1))
    const other = await takeSample(columns, tableOf(10000, 100, 1), dice(1))
    expect(sample.rows).toBe(4096)
    expect(other).toEqual(sample)
    expect((await takeSample(columns, tableOf(10000, 256, 32), dice(2))).cells[0]).not.toEqual(
      sample.cells[0],
    )
    const x = [...(sample.cells[0] as Float64Array)]
    expect(x).toEqual([...new Set(x)].sort((a, b) => a - b))
  })

  test("takes each row as likely as any other", async () => {
    const sample = await takeSample(columns, tableOf(40960, 256, 32), dice(3))
    const tenths = new Array(10).fill(0)
    for (const x of sample.cells[0] as Float64Array) tenths[Math.floor(x / 4096)]++
    // 409.6 each, give or take four standard deviations
    for (const count of tenths) expect(Math.abs(count - 409.6)).toBeLessThan(4 * Math.sqrt(409.6 * 0.9))
  })

  test("holds on to its own rows only, not to the chunks they stood in", async () => {
    const chunk = [rowsFrom(0, 256)]
    const table = { rows: 256 * 64, chunks: () => Array<Chunk>(64).fill(chunk) }
    const sample = await takeSample(columns, table, dice(1))
    expect((sample.cells[0] as Float64Array).buffer.byteLength).toBe(8 * 4096)
    expect((sample.cells[0] as Float64Array).buffer).not.toBe((chunk[0].cells[0] as Float64Array).buffer)
  })
})

test("gathered rows stand in the order they were picked, bags with their words", () => {
  const block = rowsFrom(0, 9)
  const picked = gather(columns, { blocks: [block, block, block], rows: [8, 0, 4] })
  expect(picked.rows).toBe(3)
  expect([...(picked.cells[0] as Float64Array)]).toEqual([8, 0, 4])
  expect([...(picked.cells[1] as Int32Array)]).toEqual([0, 0, 0])
  const { offsets, counts } = picked.cells[2] as Bags
  expect([...offsets]).toEqual([0, 2, 2, 3])
  expect([...counts]).toEqual([8, 8, 4])
  expect(picked.cells[2]).not.toHaveProperty("picked")
})

test("a mini-batch knows where its rows stand, and gathers their words when asked; scaled counts where all have them", () => {
  const [one, other] = [rowsFrom(0, 9), rowsFrom(9, 7)]
  const gatherer = new Gatherer(columns)
  const inBlock = (block: Block) => block.cells[2] as Bags
  const scale = ({ block, counts }: Bags) => (block.cells as Encoded[]).push(counts.map(count => -count))
  const asked = (picks: Picks) => {
    const { words, counts, block } = inBlock(gatherer.gather(picks))
    return [words, counts, block.cells[1] as Float64Array | undefined].map(values => values && [...values])
  }
  expect(asked({ blocks: [one, other], rows: [8, 2] })).toEqual([[0, 0, 1, 1], [8, 8, 11, 11], undefined])
  scale(inBlock(one))
  expect(asked({ blocks: [one, other], rows: [8, 2] })[2]).toBeUndefined()
  scale(inBlock(other))
  // more words than before, and again less
  const long = { blocks: [one, other, other, one], rows: [5, 2, 5, 1] }
  expect(asked(long)).toEqual([
    [1, 1, 1, 1, 0, 0, 1],
    [5, 5, 11, 11, 14, 14, 1],
    [-5, -5, -11, -11, -14, -14, -1],
  ])
  expect(asked({ blocks: [one], rows: [4] })).toEqual([[0], [4], [-4]])
  const { picked } = inBlock(gatherer.gather(long))
  expect(picked?.from).toEqual([one, other, other, one].map(inBlock))
  expect(picked?.rows).toEqual(long.rows)
})

test("what a mini-batch was scaled to is its own", () => {
  const bags = new Gatherer(columns).gather({ blocks: [rowsFrom(0, 9)], rows: [4] }).cells[2] as Bags
  ;(bags.block.cells as Encoded[])[1] ??= Float64Array.of(7)
  expect(bags.block.cells[1]).toEqual(Float64Array.of(7))
})

describe("the row that is explained worst", () => {
  const model = classes("y", mixture(2, independent({ x: gaussian() }))) as Model
  const laid = lay(model, columns)
  const { params } = solve(
    laid,
    Float64Array.from({ length: laid.statistics }, (_, j) => (j < 6 ? 1 : [1, 0, 1][(j - 6) % 3])),
    0,
  )
  const block: Block = {
    rows: 4,
    weight: Float64Array.of(1, 1, 1, 1),
    cells: [Float64Array.of(0, 3, 1, 9), Int32Array.of(0, 0, 1, 1), rowsFrom(0, 4).cells[2]],
  }
  const mixed = laid.switches[1]
  const worst = (slot: number, taken: Taken): number | undefined => {
    return (worstRow(laid, block, params, mixed.part, slot, taken)?.cells[0] as Float64Array | undefined)?.[0]
  }

  test("belongs to the context that starves, and each row is taken once", () => {
    const taken = new Taken()
    expect(worst(0, taken)).toBe(3)
    expect(worst(0, taken)).toBe(0)
    expect(worst(0, taken)).toBeUndefined()
    expect(worst(1, taken)).toBe(9)
  })
})
