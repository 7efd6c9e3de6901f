/** Words in ordinary memory and in that of fast kernels move alike, to the bit. */
import fc from "fast-check"
import { expect, test } from "vitest"
import type { Dice } from "../contract/dice.ts"
import { dice } from "../random.ts"
import { useKernels } from "./fast/use.ts"
import { fastKernels } from "./twins.ts"
import { movingMemory, openWordMemory, type WordMemory, type WordMoments } from "./word-memory.ts"

useKernels("wasm")

const shapes = fc.record({
  seed: fc.nat(),
  words: fc.integer({ min: 1, max: 40 }),
  // scored 10, 6, 4 and 2 at a time; two alone move in a loop of their own
  slots: fc.oneof(fc.integer({ min: 1, max: 23 }), fc.constantFrom(2, 28, 31, 40, 51)),
  rows: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(255, 256, 257, 513)),
  // far from the floor, and at it
  least: fc.constantFrom(0.01, 0.9),
  step: fc.constantFrom(0.001, 0.05, 2),
  /** Words of rows that it may keep: none, those of one block, all. */
  kept: fc.constantFrom(0, 600, 10_000),
})

interface Rows {
  readonly offsets: Int32Array
  readonly words: Int32Array
  readonly weighed: Float64Array
  readonly picked?: { readonly from: readonly Rows[]; readonly rows: readonly number[] }
}

const weigh = ({ weighed }: Rows): Float64Array => weighed

/** So many rows of up to six words, which need not go up. */
function drawnRows(random: Dice, rows: number, words: number): Rows {
  const offsets = new Int32Array(rows + 1)
  for (let i = 0; i < rows; i++) offsets[i + 1] = offsets[i] + random.integer(Math.min(words, 6) + 1)
  const drawn = Int32Array.from({ length: offsets[rows] }, () => random.integer(words))
  return { offsets, words: drawn, weighed: Float64Array.from(drawn, () => 2 * random.uniform()) }
}

/** So many rows out of blocks, gathered. */
function pickedRows(random: Dice, blocks: readonly Rows[], rows: number): Rows {
  const from = Array.from({ length: rows }, () => blocks[random.integer(blocks.length)])
  const places = from.map(({ offsets }) => random.integer(offsets.length - 1))
  const cut = <T>(values: (bags: Rows) => ArrayLike<T>): T[][] =>
    from.map((bags, i) =>
      Array.from(values(bags)).slice(bags.offsets[places[i]], bags.offsets[places[i] + 1]),
    )
  const words = cut(bags => bags.words)
  const offsets = new Int32Array(rows + 1)
  words.forEach((row, i) => {
    offsets[i + 1] = offsets[i] + row.length
  })
  return {
    offsets,
    words: Int32Array.from(words.flat()),
    weighed: Float64Array.from(cut(bags => bags.weighed).flat()),
    picked: { from, rows: places },
  }
}

/** Scores before and after, and all moments after a few moves. */
function moved(
  memory: WordMemory,
  { seed, words, slots, rows, least, step }: typeof shapes extends fc.Arbitrary<infer T> ? T : never,
): Float64Array[] {
  const random = dice(seed)
  const size = words * slots
  const moments: WordMoments = {
    counts: memory.numbers(size + slots),
    params: memory.numbers(size + slots),
    totals: memory.numbers(slots),
    least,
  }
  for (let j = 0; j < size; j++) moments.counts[j] = 0.9 + random.uniform()
  memory.settleWords(moments, new Float64Array(slots), new Float64Array(slots))
  const out: Float64Array[] = []
  const blocks = [100, 101, 7].map(count => drawnRows(random, count, words))
  for (let turn = 0; turn < 6; turn++) {
    const bags = turn < 2 ? drawnRows(random, rows, words) : pickedRows(random, blocks, rows)
    const scores = new Float64Array(slots * rows).fill(turn)
    movingMemory(moments.params)!.scoreWords(bags, weigh, rows, moments.params, slots, scores)
    out.push(scores)
    const weight = Float64Array.from({ length: rows }, () => (random.uniform() < 0.3 ? 0 : random.normal()))
    const slot = Int32Array.from({ length: rows }, () => random.integer(slots))
    const values = Float64Array.from({ length: slots * rows }, () => random.normal())
    if (turn % 2 === 0) memory.moveOne(bags, weigh, rows, slot, weight, step, moments)
    else memory.moveEach(bags, weigh, rows, values, step, moments)
    out.push(moments.counts.slice(), moments.params.slice(), moments.totals.slice())
  }
  const share = moments.totals.map(() => random.uniform())
  memory.settleWords(
    moments,
    share,
    moments.totals.map(total => total / words),
  )
  return [...out, moments.counts.slice(), moments.params.slice(), moments.totals.slice()]
}

const NOTHING = { numbers: 0, longest: 0, slots: 0, kept: 0, scratch: 0 }

test("TypeScript and wasm give the same bits: words that are scored, moved, pulled and settled", () => {
  fc.assert(
    fc.property(shapes, shape => {
      const { words, slots, kept } = shape
      const memory = fastKernels()!.openMoving({
        numbers: 2 * (words + 1) * slots + slots,
        longest: words,
        slots,
        kept,
        scratch: 0,
      })!
      const [ours, theirs] = [openWordMemory(NOTHING), memory].map(one => moved(one, shape))
      ours.forEach((values, a) => {
        for (let i = 0; i < values.length; i++) {
          if (!Object.is(values[i], theirs[a][i])) expect([a, i, theirs[a][i]]).toEqual([a, i, values[i]])
        }
      })
    }),
    { seed: 7, numRuns: Number(process.env.LAWS_RUNS ?? 60) },
  )
})

test("memory knows its numbers", () => {
  const memory = fastKernels()!.openMoving({ numbers: 100, longest: 3, slots: 2, kept: 0, scratch: 0 })!
  const params = memory.numbers(8)
  expect(movingMemory(params)).toBe(memory)
  expect(movingMemory(params.slice())).toBeUndefined()
})

test("memory of more than two gigabytes is not opened", () => {
  expect(
    fastKernels()!.openMoving({ numbers: 3e8, longest: 10, slots: 2, kept: 0, scratch: 0 }),
  ).toBeUndefined()
})

test("rows that are kept are read where they stand, and nobody gathers them", () => {
  const random = dice(3)
  const blocks = [drawnRows(random, 50, 9), drawnRows(random, 51, 9)]
  const { words, weighed, ...bags } = pickedRows(random, blocks, 20)
  const silent: Rows = {
    ...bags,
    get words(): Int32Array {
      throw new Error("gathered")
    },
    get weighed(): Float64Array {
      throw new Error("gathered")
    },
  }
  const kept = blocks.reduce((sum, block) => sum + block.words.length, 0)
  const params = Float64Array.from({ length: 30 }, () => random.normal())
  const expected = new Float64Array(60)
  openWordMemory(NOTHING).scoreWords({ ...bags, words, weighed }, weigh, 20, params, 3, expected)
  for (const less of [0, Math.ceil(kept / 3)]) {
    const memory = fastKernels()!.openMoving({
      numbers: 30,
      longest: 9,
      slots: 3,
      kept: kept - less,
      scratch: 0,
    })!
    const own = memory.numbers(30)
    own.set(params)
    const out = new Float64Array(60)
    const score = () => memory.scoreWords(silent, weigh, 20, own, 3, out)
    if (less > 0) expect(score).toThrow("gathered")
    else {
      score()
      expect(out).toEqual(expected)
    }
  }
})

test("where rows would take too much memory the memory is opened without them", () => {
  const memory = fastKernels()!.openMoving({ numbers: 30, longest: 9, slots: 3, kept: 3e7, scratch: 0 })!
  expect(memory.numbers(3).buffer.byteLength).toBeLessThan(1e6)
})
