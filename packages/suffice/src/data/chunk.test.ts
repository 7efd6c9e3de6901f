import fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import type { Column } from "../contract/columns.ts"
import { useKernels } from "../kernels/fast/use.ts"
import { columnMemory } from "../kernels/twins.ts"
import { dice } from "../random.ts"
import { ChunkBuilder } from "./chunk.ts"
import { BLOCK, CHUNK } from "./cut.ts"
import type { Schema } from "./discover.ts"
import { SLICE } from "./read.ts"

afterAll(() => useKernels("wasm"))

const column = (name: string): Column => ({ kind: "number", name, shift: 3, scale: 1 / 7, variance: 1 })
const schema: Schema = { columns: [column("x"), column("z")], labels: [], readings: new Map() }
const onUnseen = { level() {} }

function open(kernels: "wasm" | "typescript", rows: number): ChunkBuilder {
  useKernels(kernels)
  return new ChunkBuilder(schema, rows, columnMemory())
}

describe("a chunk that is used again", () => {
  test("holds the same bits in the memory of the kernels as in arrays: missing cells, far ones, whatever the cuts", () => {
    const cases = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 700 }), fc.constantFrom(0, 0, 0.01))
    fc.assert(
      fc.property(cases, ([seed, rows, odd]) => {
        const die = dice(seed)
        const cell = () => (die.uniform() < odd ? [NaN, 1e150, -1e300][die.integer(3)] : 1e3 * die.normal())
        const columns = [0, 1].map(() => Float64Array.from({ length: rows }, cell))
        const cut = die.integer(rows + 1)
        const [slow, fast] = (["typescript", "wasm"] as const).map(kernels => {
          const builder = open(kernels, rows)
          builder.push(columns, 0, 0, cut, onUnseen)
          builder.push(columns, 0, cut, rows, onUnseen)
          const blocks = builder.take()
          const cells = blocks.flatMap(block =>
            block.cells.map(held => Float64Array.from(held as Float64Array)),
          )
          builder.end()
          return cells
        })
        expect(fast).toEqual(slow)
      }),
    )
  })

  test("refuses a number that is not finite, wherever it stands", () => {
    const cells = new Float64Array(300).fill(1)
    cells[299] = Number.POSITIVE_INFINITY
    const builder = open("wasm", 300)
    expect(() => builder.push([cells, cells], 40, 0, 300, onUnseen)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 339 of "x" holds Infinity. A number must be finite to be modelled. Drop the row, or put null for a missing cell.]`,
    )
    builder.end()
  })

  test("keeps its numbers while another one is filled, which has memory of its own", () => {
    const numbers = (value: number) => [0, 1].map(() => new Float64Array(500).fill(value))
    const [first, second] = [open("wasm", 500), open("wasm", 500)]
    first.push(numbers(1), 0, 0, 500, onUnseen)
    const [mine] = first.take()
    second.push(numbers(2), 0, 0, 500, onUnseen)
    const [theirs] = second.take()
    const [x, other] = [mine, theirs].map(({ cells }) => cells[0] as Float64Array)
    expect([x[0], other[0]]).toEqual([(1 - 3) * 7, (2 - 3) * 7])
    expect(x.buffer).not.toBe(other.buffer)
    first.end()
    second.end()
    const third = open("wasm", 500)
    third.push(numbers(4), 0, 0, 500, onUnseen)
    expect((third.take()[0].cells[0] as Float64Array).buffer).toBe(x.buffer)
    third.end()
  })
})

test("rows of which nothing is said weigh 1 to the last of a chunk, and a label that is asked for is missing in all of them", () => {
  const y: Column = { kind: "level", name: "y", levels: ["a", "b"] }
  const most = Math.max(CHUNK, SLICE)
  const builder = new ChunkBuilder({ ...schema, columns: [column("x"), y] }, most, columnMemory(), "y")
  builder.push([new Float64Array(most), undefined], 0, 0, most, onUnseen)
  const blocks = builder.take()
  expect(blocks.slice(0, -1).every(({ rows }) => rows === BLOCK)).toBe(true)
  for (const { rows, weight, cells } of blocks) {
    expect([...weight]).toEqual(new Array(rows).fill(1))
    expect([...(cells[1] as Int32Array)]).toEqual(new Array(rows).fill(-1))
  }
  builder.end()
})
