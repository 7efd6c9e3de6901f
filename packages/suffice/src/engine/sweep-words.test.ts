/** However chunks are counted, their statistics are the sums of the chunks, added in order, to the bit. */

import { expect, test } from "vitest"
import { bagsOf } from "../blocks/encoded.ts"
import type { Block, Chunk } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { useKernels } from "../kernels/fast/use.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { type Laid, lay } from "./lay.ts"
import { ChunkSweep, sweep } from "./sweep.ts"

const WORDS = 300
const words = Array.from({ length: WORDS }, (_, w) => `w${w}`)
const columns: Column[] = [
  { kind: "level", name: "y", levels: ["a", "b", "c"] },
  { kind: "bag", name: "text", words, text: { lowercase: true, scaling: "raw" } },
  { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
]
const text = () => multinomial({ scaling: "raw" })
const words1 = lay(classes("y", independent({ text: text() })) as Model, columns)
const mixed = lay(classes("y", independent({ text: text(), x: gaussian() })) as Model, columns)
const hidden = lay(mixture(1, independent({ text: text() })) as Model, columns)

const roll = dice(5)
/** Documents of a third of the words each: one block is worth memory of the kernels. */
function blockOf(count: (w: number) => number, weight = 1): Block {
  const rows = 350
  const bags = { offsets: new Int32Array(rows + 1), words: [] as number[], counts: [] as number[] }
  for (let i = 0; i < rows; i++) {
    for (let w = roll.integer(3); w < WORDS; w += 3) {
      bags.words.push(w)
      bags.counts.push(count(w))
    }
    bags.offsets[i + 1] = bags.words.length
  }
  const held = bagsOf(bags.offsets, Int32Array.from(bags.words), Float64Array.from(bags.counts))
  return {
    rows,
    weight: new Float64Array(rows).fill(weight),
    cells: [
      Int32Array.from({ length: rows }, () => roll.integer(3)),
      held,
      Float64Array.from({ length: rows }, () => roll.normal()),
    ],
  }
}
const few = () => blockOf(() => 1 + roll.integer(4))
const parts = () => blockOf(() => roll.uniform())
const third = () => blockOf(() => 1, 1 / 3)

/** The definition: each chunk by itself, in doubles, and then their sum. */
function summed(laid: Laid, chunks: readonly Chunk[]): Float64Array {
  const total = new Float64Array(laid.statistics)
  for (const chunk of chunks) {
    const swept = new ChunkSweep(laid, new Float64Array(laid.parameters), true)
    for (const block of chunk) swept.add(block)
    for (let j = 0; j < total.length; j++) total[j] += swept.stats[j]
  }
  return total
}

const cases: readonly (readonly [string, Laid, readonly Chunk[]])[] = [
  ["whole counts", words1, [[few(), few()], [few()], [few()]]],
  ["parts of words, later", words1, [[few()], [few(), parts()], [few()]]],
  ["parts of rows, later", words1, [[few()], [third()], [third()]]],
  ["numbers beside the words", mixed, [[few()], [few()]]],
  ["a switch that is hidden", hidden, [[few()], [few()]]],
  ["few words", words1, [[{ ...few(), rows: 1 }].slice(1), [few()]]],
]
test.each(cases)("%s: every chunk is summed, and the sums are added", async (_, laid, chunks) => {
  const params = new Float64Array(laid.parameters)
  for (const kernels of ["wasm", "typescript"] as const) {
    useKernels(kernels)
    // memory is used again, with all that is in it
    for (let turn = 0; turn < 2; turn++) {
      const { stats } = await sweep(laid, chunks, params, { certain: true })
      expect(stats.buffer.byteLength).toBe(8 * laid.statistics)
      expect(stats).toEqual(summed(laid, chunks))
    }
  }
})

test("a sweep over words pauses too, so that a timer can abort it", async () => {
  useKernels("wasm")
  const block = few()
  const endless: Iterable<Chunk> = {
    *[Symbol.iterator]() {
      for (;;) yield [block, block]
    },
  }
  for (const certain of [true, false]) {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error("enough")), 10)
    const options = { certain, signal: controller.signal }
    await expect(sweep(words1, endless, new Float64Array(words1.parameters), options)).rejects.toThrow(
      "enough",
    )
  }
})
