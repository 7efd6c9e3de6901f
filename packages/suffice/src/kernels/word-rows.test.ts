/** Words in ordinary memory and in a room of WebAssembly move alike, to the bit. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { fastKernels } from "./twins.ts"
import { useKernels } from "./wasm/use.ts"
import { openRoom, roomOf, type WordMoments, type WordRoom } from "./word-rooms.ts"

useKernels("wasm")

const shapes = fc.record({
  seed: fc.nat(),
  words: fc.integer({ min: 1, max: 40 }),
  // 20, 8, 2 and 1 at a time
  slots: fc.oneof(fc.integer({ min: 1, max: 23 }), fc.constantFrom(28, 31, 40, 51)),
  rows: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(255, 256, 257, 300)),
  // far from the floor, and at it
  least: fc.constantFrom(0.01, 0.9),
  step: fc.constantFrom(0.05, 2),
})

/** Scores before and after, and all moments after a few moves. */
function moved(
  room: WordRoom,
  { seed, words, slots, rows, least, step }: typeof shapes extends fc.Arbitrary<infer T> ? T : never,
): Float64Array[] {
  const random = dice(seed)
  const size = words * slots
  const moments: WordMoments = {
    counts: room.numbers(size + slots),
    params: room.numbers(size + slots),
    totals: room.numbers(slots),
    least,
  }
  for (let j = 0; j < size; j++) moments.counts[j] = 0.9 + random.uniform()
  room.settleWords(moments, new Float64Array(slots), new Float64Array(slots))
  const out: Float64Array[] = []
  for (let turn = 0; turn < 4; turn++) {
    const lengths = Array.from({ length: rows }, () => random.integer(Math.min(words, 6) + 1))
    const offsets = new Int32Array(rows + 1)
    lengths.forEach((length, i) => {
      offsets[i + 1] = offsets[i] + length
    })
    const bags = { offsets, words: Int32Array.from({ length: offsets[rows] }, () => random.integer(words)) }
    const weighed = Float64Array.from(bags.words, () => 2 * random.uniform())
    const scores = new Float64Array(slots * rows).fill(turn)
    roomOf(moments.params).scoreWords(bags, weighed, rows, moments.params, slots, scores)
    out.push(scores)
    const weight = Float64Array.from({ length: rows }, () => (random.uniform() < 0.3 ? 0 : random.normal()))
    const slot = Int32Array.from({ length: rows }, () => random.integer(slots))
    const values = Float64Array.from({ length: slots * rows }, () => random.normal())
    if (turn % 2 === 0) room.moveOne(bags, weighed, rows, slot, weight, step, moments)
    else room.moveEach(bags, weighed, rows, values, step, moments)
    out.push(...[moments.counts, moments.params, moments.totals].map(array => Float64Array.from(array)))
  }
  const share = moments.totals.map(() => random.uniform())
  room.settleWords(
    moments,
    share,
    moments.totals.map(total => total / words),
  )
  return [...out, moments.counts.slice(), moments.params.slice(), moments.totals.slice()]
}

test("TypeScript and wasm give the same bits: words that are scored, moved, pulled and settled", () => {
  fc.assert(
    fc.property(shapes, shape => {
      const { words, slots } = shape
      const room = fastKernels()!.openRoom(2 * (words + 1) * slots + slots, words, slots)!
      const [ours, theirs] = [openRoom(0, 0, 0), room].map(one => moved(one, shape))
      ours.forEach((values, a) => {
        for (let i = 0; i < values.length; i++) {
          if (!Object.is(values[i], theirs[a][i])) expect([a, i, theirs[a][i]]).toEqual([a, i, values[i]])
        }
      })
    }),
    { seed: 7, numRuns: Number(process.env.LAWS_RUNS ?? 60) },
  )
})

test("a room knows its numbers, and rows with more words than it has room for are moved in TypeScript", () => {
  const room = fastKernels()!.openRoom(100, 3, 2)!
  const params = room.numbers(8)
  expect(roomOf(params)).toBe(room)
  expect(roomOf(params.slice())).toBe(openRoom(0, 0, 0))
  const long = 20_000
  const bags = { offsets: Int32Array.of(0, long), words: new Int32Array(long) }
  const out = new Float64Array(2)
  params.set([1, 2, 0, 0, 0, 0, 0.5, 0.25])
  room.scoreWords(bags, new Float64Array(long).fill(1), 1, params, 2, out)
  expect([...out]).toEqual([0.5 * long, 1.75 * long])
})

test("a room of more than two gigabytes is not opened", () => {
  expect(fastKernels()!.openRoom(3e8, 10, 2)).toBeUndefined()
})
