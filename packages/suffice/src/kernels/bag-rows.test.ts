/** Bags counted and scored in ordinary memory and in that of fast kernels, to the bit; and parameters that are kept are never stale. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { absorbEach, absorbOne, eachOnce, scoreBags } from "./bag-rows.ts"
import { useKernels } from "./fast/use.ts"
import { KeptWords } from "./kept-words.ts"
import { fastKernels, setFastKernels } from "./twins.ts"
import { openWordMemory } from "./word-memory.ts"

useKernels("wasm")
const fast = fastKernels()!

const shapes = fc.record({
  seed: fc.nat(),
  words: fc.integer({ min: 1, max: 40 }),
  // 10, 6, 4 and 2 at a time; of 40 there are not the numbers of a whole block
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

/** The same numbers in kernel memory. */
function moved(numbers: Float64Array): Float64Array {
  const there = fast.allocateWords(numbers.length)!
  there.set(numbers)
  return there
}

test("TypeScript and wasm give the same bits: absorbOne", () => {
  check(shape => {
    const { bags, weighed, slot, weight, start } = made(shape)
    const there = moved(start)
    for (let turn = 0; turn < 2; turn++) {
      absorbOne(bags, weighed, shape.rows, slot, weight, shape.slots, start)
      fast.absorbOne(bags, weighed, shape.rows, slot, weight, shape.slots, there)
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
      fast.absorbEach(bags, weighed, shape.rows, values, shape.slots, there)
    }
    same(start, there)
  })
})

test("words that count once and words that weigh something go through one memory, by turns", () => {
  const there = fast.allocateWords(1000 * 4)!
  const here = new Float64Array(there.length)
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
      fast.absorbOne(bags, x, rows, slot, weight, 4, there)
      same(here, there)
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
    fast.absorbOne(later, x, rows, slot, weight, slots, there)
    same(start, there)
  })
})

test("TypeScript and wasm give the same bits: scoreBags", () => {
  check(shape => {
    const { bags, weighed, start, out } = made(shape)
    const there = moved(start)
    const scores = out.slice()
    scoreBags(bags, weighed, shape.rows, start, shape.slots, out)
    fast.scoreBags(bags, weighed, shape.rows, there, shape.slots, scores)
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
    fast.absorbOne(bags, weighed, rows, new Int32Array(rows).fill(1), weight, slots, there)
    fast.absorbEach(bags, weighed, rows, values, slots, there)
    fast.scoreBags(bags, weighed, rows, there, slots, theirs)
    same(start, there)
    same(ours, theirs)
  }
})

/** Enough words at a time to be worth a copy. */
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

test("parameters that move are scored where they are, in kernel memory or in ordinary memory", () => {
  const { bags, weighed, numbers, scored } = many()
  for (const size of [0, (WORDS + 1) * SLOTS]) {
    const memory = openWordMemory({ numbers: size, longest: 200, slots: SLOTS, kept: 0, scratch: 0 })
    const kept = new KeptWords(SLOTS)
    const params = memory.numbers((WORDS + 1) * SLOTS)
    for (let turn = 0; turn < 4; turn++) {
      params.set(numbers())
      same(
        scored(out => scoreBags(bags, weighed, ROWS, params, SLOTS, out)),
        scored(out => kept.score(bags, () => weighed, ROWS, params, out)),
      )
    }
  }
})

test("memory is allocated where it is not too large, and there are fast kernels", () => {
  expect(fast.allocateWords(1000)).toHaveLength(1000)
  expect(fast.allocateWords(2e8)).toBeUndefined()
  setFastKernels(undefined)
  try {
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

test("memory that was returned is lent again, all of it; some that is still out, too small, or very large is not", () => {
  const lent = (length: number) => fast.lendWords(length)!
  const first = lent(1000).fill(3)
  expect(lent(1000).buffer).not.toBe(first.buffer)
  fast.returnWords(first)
  const second = lent(900)
  expect(second).toEqual(new Float64Array(900).fill(3))
  expect(second.buffer).toBe(first.buffer)
  fast.returnWords(second)
  fast.returnWords(new Float64Array(2000))
  expect(lent(1000).buffer).toBe(first.buffer)
  fast.returnWords(second)
  expect(lent(1e5).buffer).not.toBe(first.buffer)
  const huge = lent(9e6)
  fast.returnWords(huge)
  expect(lent(9e6).buffer).not.toBe(huge.buffer)
})

test("more slots than there is memory for are left to the plain twins, many slots in fewer rows at a time", () => {
  for (const slots of [100, 20_000]) {
    const { bags, weighed, values, start, out } = made({ seed: 4, words: 5, slots, rows: 200, holes: 0.3 })
    const there = moved(start)
    const scores = out.slice()
    scoreBags(bags, weighed, 200, start, slots, out)
    fast.scoreBags(bags, weighed, 200, there, slots, scores)
    same(out, scores)
    absorbEach(bags, weighed, 200, values, slots, start)
    fast.absorbEach(bags, weighed, 200, values, slots, there)
    same(start, there)
  }
})
