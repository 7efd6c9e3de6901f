/** Bags counted and scored in ordinary memory and in a room of WebAssembly, to the bit; and parameters that are kept are never stale. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { bagRoomOf, giveBack, KeptWords, lend } from "./bag-rooms.ts"
import { absorbEach, absorbOne, eachOnce, isWhole, scoreBags, wholeIn } from "./bag-rows.ts"
import { fastKernels, setFastKernels } from "./twins.ts"
import { useKernels } from "./fast/use.ts"
import { openRoom } from "./word-rooms.ts"

useKernels("wasm")

const shapes = fc.record({
  seed: fc.nat(),
  words: fc.integer({ min: 1, max: 40 }),
  // 10, 6, 4 and 2 at a time; of 40 a room has not the numbers of a whole block
  slots: fc.oneof(fc.integer({ min: 1, max: 23 }), fc.constant(40)),
  rows: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(257, 479, 480, 481, 961)),
  holes: fc.constantFrom(0, 0.3, 1),
})
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never

function made({ seed, words, slots, rows, holes }: Shape) {
  const random = dice(seed)
  const offsets = new Int32Array(rows + 1)
  for (let i = 0; i < rows; i++)
    offsets[i + 1] = offsets[i] + (random.uniform() < holes ? 0 : random.integer(7))
  const numbers = (length: number) => Float64Array.from({ length }, () => random.normal())
  return {
    bags: { offsets, words: Int32Array.from({ length: offsets[rows] }, () => random.integer(words)) },
    weighed: numbers(offsets[rows]).map(Math.abs),
    // signed, and some 0
    weight: numbers(rows).map(weight => (weight < -1 ? 0 : weight)),
    // as roots have it: longer than the rows
    slot: Int32Array.from({ length: rows + 3 }, () => random.integer(slots)),
    values: numbers(slots * rows),
    start: numbers((words + 1) * slots),
    out: numbers(slots * rows),
  }
}

function same(ours: Float64Array, theirs: Float64Array): void {
  expect(theirs.length).toBe(ours.length)
  for (let i = 0; i < ours.length; i++) {
    if (!Object.is(ours[i], theirs[i])) expect([i, theirs[i]]).toEqual([i, ours[i]])
  }
}

const check = (law: (shape: Shape) => void): void =>
  fc.assert(fc.property(shapes, law), { seed: 7, numRuns: Number(process.env.LAWS_RUNS ?? 60) })

/** The same numbers in a room of their own. */
function moved(numbers: Float64Array): Float64Array {
  const there = fastKernels()!.openBags(numbers.length)!.numbers(numbers.length)
  there.set(numbers)
  expect(bagRoomOf(there)).not.toBe(bagRoomOf(numbers))
  return there
}

test("TypeScript and wasm give the same bits: absorbOne", () => {
  check(shape => {
    const { bags, weighed, slot, weight, start } = made(shape)
    const there = moved(start)
    for (let turn = 0; turn < 2; turn++) {
      absorbOne(bags, weighed, shape.rows, slot, weight, shape.slots, start)
      bagRoomOf(there).absorbOne(bags, weighed, shape.rows, slot, weight, shape.slots, there)
    }
    same(start, there)
  })
})

test("TypeScript and wasm give the same bits: absorbEach", () => {
  check(shape => {
    const { bags, weighed, values, start } = made(shape)
    const there = moved(start)
    for (let turn = 0; turn < 2; turn++) {
      absorbEach(bags, weighed, shape.rows, values, shape.slots, start)
      bagRoomOf(there).absorbEach(bags, weighed, shape.rows, values, shape.slots, there)
    }
    same(start, there)
  })
})

test("whole numbers are counted in single precision to the same numbers, in TypeScript and in wasm", () => {
  check(shape => {
    const { bags, weighed, slot, weight, values } = made(shape)
    const [counts, weights, all] = [weighed, weight, values].map(numbers => numbers.map(Math.round))
    const { rows, slots } = shape
    const doubles = new Float64Array((shape.words + 1) * slots)
    const there = wholeIn(moved(doubles), doubles.length)
    expect([isWhole(doubles), isWhole(there), there.length]).toEqual([false, true, doubles.length])
    const here = wholeIn(doubles.slice(), doubles.length)
    for (const [stats, kernels] of [
      [doubles, { absorbOne, absorbEach }],
      [here, { absorbOne, absorbEach }],
      [there, bagRoomOf(there)],
    ] as const) {
      kernels.absorbOne(bags, counts, rows, slot, weights, slots, stats)
      kernels.absorbEach(bags, counts, rows, all, slots, stats)
    }
    same(doubles, new Float64Array(here))
    same(doubles, new Float64Array(there))
  })
})

test("words that count once and words that weigh something go through one room, by turns", () => {
  const room = fastKernels()!.openBags(1000 * 4)!
  const there = room.numbers(1000 * 4)
  const here = new Float64Array(there.length)
  const random = dice(5)
  for (const rows of [3, 480, 20, 479, 300, 2, 480]) {
    const { bags, weighed, slot, weight } = made({
      seed: rows,
      words: 999,
      slots: 4,
      rows,
      holes: 0.3,
    })
    for (const x of [eachOnce(bags), weighed, eachOnce(bags)]) {
      absorbOne(bags, x, rows, slot, weight, 4, here)
      room.absorbOne(bags, x, rows, slot, weight, 4, there)
      same(here, there)
      if (random.uniform() < 0.3) room.largestWhole(weighed)
    }
  }
})

test("rows may begin in the middle of their words", () => {
  check(shape => {
    const { bags, weighed, slot, weight, start } = made(shape)
    const { rows, slots } = shape
    const later = {
      offsets: bags.offsets.map(offset => offset + 3),
      words: Int32Array.of(0, 0, 0, ...bags.words),
    }
    const x = Float64Array.of(7, 7, 7, ...weighed)
    const there = moved(start)
    absorbOne(bags, weighed, rows, slot, weight, slots, start)
    bagRoomOf(there).absorbOne(later, x, rows, slot, weight, slots, there)
    same(start, there)
  })
})

test("the largest of whole numbers is found, in as many pieces as it takes, and one that is not whole anywhere", () => {
  const { largestWhole } = fastKernels()!.openBags(0)!
  expect(largestWhole(new Float64Array(0))).toBe(0)
  for (const length of [1, 2, 3, 10, 65_535, 65_536, 65_537, 150_001]) {
    const random = dice(length)
    const numbers = Float64Array.from({ length }, () => random.integer(9))
    for (const at of [0, length >> 1, length - 1]) {
      const before = numbers[at]
      for (const [number, most] of [
        [20, 20],
        [-20, 20],
        [2 ** 40, 2 ** 40],
        [0.5, Infinity],
        [-1.25, Infinity],
        [Number.NaN, Infinity],
        [Infinity, Infinity],
      ]) {
        numbers[at] = number
        expect([length, at, number, largestWhole(numbers)]).toEqual([length, at, number, most])
      }
      numbers[at] = before
    }
  }
})

test("TypeScript and wasm give the same bits: scoreBags, of parameters in a room", () => {
  check(shape => {
    const { bags, weighed, start, out } = made(shape)
    const there = moved(start)
    const scores = out.slice()
    scoreBags(bags, weighed, shape.rows, start, shape.slots, out)
    bagRoomOf(there).scoreBags(bags, weighed, shape.rows, there, shape.slots, scores)
    same(out, scores)
  })
})

test("blocks and rows of more words than are handed over at once: the same bits", () => {
  const slots = 3
  for (const lengths of [
    [50_000, 0, 50_000, 7],
    [70_000, 2],
  ]) {
    const random = dice(1)
    const offsets = new Int32Array(lengths.length + 1)
    lengths.forEach((length, i) => {
      offsets[i + 1] = offsets[i] + length
    })
    const rows = lengths.length
    const bags = { offsets, words: Int32Array.from({ length: offsets[rows] }, () => random.integer(9)) }
    const weighed = Float64Array.from(bags.words, () => random.uniform())
    const start = Float64Array.from({ length: 10 * slots }, () => random.uniform())
    const there = moved(start)
    const weight = new Float64Array(rows).fill(0.5)
    const values = Float64Array.from({ length: slots * rows }, () => random.uniform())
    const [ours, theirs] = [new Float64Array(slots * rows), new Float64Array(slots * rows)]
    absorbOne(bags, weighed, rows, new Int32Array(rows).fill(1), weight, slots, start)
    absorbEach(bags, weighed, rows, values, slots, start)
    scoreBags(bags, weighed, rows, start, slots, ours)
    const room = bagRoomOf(there)
    room.absorbOne(bags, weighed, rows, new Int32Array(rows).fill(1), weight, slots, there)
    room.absorbEach(bags, weighed, rows, values, slots, there)
    room.scoreBags(bags, weighed, rows, there, slots, theirs)
    same(start, there)
    same(ours, theirs)
  }
})

/** Enough words at a time to be worth a room. */
const ROWS = 256
const SLOTS = 8
const WORDS = 200
function many() {
  const random = dice(3)
  const offsets = Int32Array.from({ length: ROWS + 1 }, (_, i) => 200 * i)
  const bags = { offsets, words: Int32Array.from({ length: 200 * ROWS }, () => random.integer(WORDS)) }
  const weighed = Float64Array.from(bags.words, () => random.uniform())
  const numbers = () => Float64Array.from({ length: (WORDS + 1) * SLOTS }, () => random.normal())
  const scored = (score: (out: Float64Array) => void) => {
    const out = new Float64Array(SLOTS * ROWS)
    score(out)
    return out
  }
  return { bags, weighed, numbers, scored }
}

test("parameters that are kept give the same scores, those that were changed are read again, and others are told apart", () => {
  const { bags, weighed, numbers, scored } = many()
  const kept = new KeptWords(SLOTS)
  const both = new Float64Array(2 * (WORDS + 1) * SLOTS)
  const [first, second] = [both.subarray(0, (WORDS + 1) * SLOTS), both.subarray((WORDS + 1) * SLOTS)]
  first.set(numbers())
  second.set(numbers())
  const agree = (params: Float64Array) =>
    same(
      scored(out => scoreBags(bags, weighed, ROWS, params, SLOTS, out)),
      scored(out => kept.score(bags, () => weighed, ROWS, params, out)),
    )
  for (const params of [first, first, first, second, second, second, first]) agree(params)
  // still the old ones, which shows that they are kept
  agree(first)
  agree(first)
  const before = scored(out => kept.score(bags, () => weighed, ROWS, first, out))
  first.set(numbers())
  same(
    before,
    scored(out => kept.score(bags, () => weighed, ROWS, first, out)),
  )
  kept.changed(second)
  same(
    before,
    scored(out => kept.score(bags, () => weighed, ROWS, first, out)),
  )
  kept.changed(first)
  for (let turn = 0; turn < 3; turn++) agree(first)
})

test("parameters that move are scored where they are, in a room of words or in ordinary memory", () => {
  const { bags, weighed, numbers, scored } = many()
  for (const room of [openRoom(0, 0, 0, 0), openRoom((WORDS + 1) * SLOTS, 200, SLOTS, 0)]) {
    const kept = new KeptWords(SLOTS)
    const params = room.numbers((WORDS + 1) * SLOTS)
    for (let turn = 0; turn < 4; turn++) {
      params.set(numbers())
      same(
        scored(out => scoreBags(bags, weighed, ROWS, params, SLOTS, out)),
        scored(out => kept.score(bags, () => weighed, ROWS, params, out)),
      )
    }
  }
})

test("a room is opened where it is not too large, and there are fast kernels", () => {
  expect(lend(1000)).toHaveLength(1000)
  expect(fastKernels()!.openBags(2e8)).toBeUndefined()
  const fast = fastKernels()
  setFastKernels(undefined)
  try {
    expect(lend(1000)).toBeUndefined()
    const { bags, weighed, numbers, scored } = many()
    const params = numbers()
    const kept = new KeptWords(SLOTS)
    for (let turn = 0; turn < 3; turn++) {
      same(
        scored(out => scoreBags(bags, weighed, ROWS, params, SLOTS, out)),
        scored(out => kept.score(bags, () => weighed, ROWS, params, out)),
      )
    }
  } finally {
    setFastKernels(fast)
  }
})

test("a room that was given back is lent again, all of it; one that is still out, too small, or very large is not", () => {
  const lent = (length: number) => lend(length)!
  const first = lent(1000).fill(3)
  expect(lent(1000).buffer).not.toBe(first.buffer)
  giveBack(first)
  const second = lent(900)
  expect(second).toEqual(new Float64Array(900).fill(3))
  expect(second.buffer).toBe(first.buffer)
  giveBack(second)
  giveBack(new Float64Array(2000))
  expect(lent(1000).buffer).toBe(first.buffer)
  giveBack(second)
  expect(lent(1e5).buffer).not.toBe(first.buffer)
  const huge = lent(9e6)
  giveBack(huge)
  expect(lent(9e6).buffer).not.toBe(huge.buffer)
})

test("more slots than there is room for are done in TypeScript, many slots in fewer rows at a time", () => {
  for (const slots of [100, 20_000]) {
    const { bags, weighed, values, start, out } = made({ seed: 4, words: 5, slots, rows: 200, holes: 0.3 })
    const there = moved(start)
    const scores = out.slice()
    scoreBags(bags, weighed, 200, start, slots, out)
    bagRoomOf(there).scoreBags(bags, weighed, 200, there, slots, scores)
    same(out, scores)
    absorbEach(bags, weighed, 200, values, slots, start)
    bagRoomOf(there).absorbEach(bags, weighed, 200, values, slots, there)
    same(start, there)
  }
})
