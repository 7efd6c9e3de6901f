import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import { dice } from "../random.ts"
import { useKernels } from "./fast/use.ts"
import { deliverEach, deliverOne, moveTopics } from "./topic-counts.ts"
import { type Climb, PLAIN, scoreFolded } from "./topic-fold.ts"
import { scoreDocument, scoreTopics } from "./topic-rows.ts"
import { documentOf, gatheredOf, placesOf, sizeOf, type TopicShape, widthOf } from "./topic-shape.ts"
import { fastKernels } from "./twins.ts"

useKernels("wasm")
const fast = fastKernels()!
afterAll(() => useKernels("wasm"))

const RUNS = Number(process.env.LAWS_RUNS ?? 60)

/** A random document: α and g, what its words weigh, and their φ, as `scoreTopics` gathers them. */
function drawn(memory: Float64Array, seed: number, topics: number, count: number, zeros: number): number {
  const rolls = dice(seed)
  const width = (topics + 1) & ~1
  const { x, phi } = documentOf(width, count)
  let length = 0
  for (let k = 0; k < width; k++) {
    memory[k] = k < topics ? 0.01 + rolls.gamma(0.5) : 0
    // what earlier documents left
    for (let row = 2; row < 5; row++) memory[row * width + k] = k % 3 === 1 ? Infinity : rolls.normal()
  }
  for (let j = 0; j < count; j++) {
    memory[x + j] = 1 + rolls.integer(5)
    length += memory[x + j]
    for (let k = 0; k < width; k++)
      memory[phi + j * width + k] = k < topics && rolls.uniform() >= zeros ? rolls.gamma(0.3) / 100 : 0
  }
  for (let k = 0; k < width; k++) memory[width + k] = k < topics ? memory[k] + length / topics : 0
  return length
}

test("TypeScript and wasm give the same bits: a document is folded and scored", () => {
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.nat(),
        topics: fc.integer({ min: 1, max: 23 }),
        count: fc.integer({ min: 1, max: 60 }),
        zeros: fc.constantFrom(0, 0.3, 0.95),
        steps: fc.integer({ min: 0, max: 60 }),
        tolerance: fc.constantFrom(0, 1e-7, 0.01),
        leaps: fc.boolean(),
      }),
      ({ seed, topics, count, zeros, steps, tolerance, leaps }) => {
        const width = (topics + 1) & ~1
        const needed = documentOf(width, count).end
        const found = [PLAIN, fast].map(kernels => {
          const memory = kernels.documentMemory(needed)!
          const length = drawn(memory, seed, topics, count, zeros)
          const score = kernels.foldTopics(memory, topics, width, count, length, { steps, tolerance, leaps })
          const own = memory.slice(width, width + topics)
          return [...own, Number.isNaN(score) ? scoreFolded(memory, topics, width, count, length) : score]
        })
        expect(found[1]).toEqual(found[0])
      },
    ),
    { numRuns: 5 * RUNS },
  )
})

test("leaps end where plain steps end, in fewer of them", () => {
  const end = (leaps: boolean, steps: number): Float64Array => {
    const memory = PLAIN.documentMemory(4000)
    const length = drawn(memory, 5, 10, 40, 0)
    PLAIN.foldTopics(memory, 10, 10, 40, length, { steps, tolerance: 1e-12, leaps })
    return memory.slice(10, 20)
  }
  const plain = end(false, 20_000)
  end(true, 300).forEach((g, k) => {
    expect(g).toBeCloseTo(plain[k], 6)
  })
})

test("there is no memory for documents that are too long", () => {
  expect(fast.documentMemory(1 << 22)).toBeUndefined()
})

interface Case extends TopicShape {
  readonly seed: number
  readonly rows: number
  readonly one: boolean
  /** η: 0 leaves words that no topic has. */
  readonly e: number
  readonly least: number
  readonly longest: number
  /** How many of the words whose φ are to be gathered once have no room. */
  readonly without: number
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    seed: fc.nat(),
    slots: fc.integer({ min: 1, max: 3 }),
    own: fc.integer({ min: 0, max: 5 }),
    shared: fc.integer({ min: 0, max: 5 }),
    words: fc.integer({ min: 1, max: 12 }),
    rows: fc.integer({ min: 1, max: 300 }),
    one: fc.boolean(),
    e: fc.constantFrom(0, 1e-3),
    least: fc.constantFrom(0, 1e-4),
    longest: fc.constantFrom(3, 12),
    without: fc.integer({ min: 0, max: 12 }),
  })
  .filter(({ own, shared }) => own + shared > 0)

const CLIMB: Climb = { steps: 5, tolerance: 0.01, leaps: false }

/** Two steps: score, deliver, move. Everything that comes of them. */
function moved(memory: "plain" | "fast", given: Case): Float64Array[] {
  const { seed, rows, one, e, least, longest, without, slots, own, shared, words } = given
  const rolls = dice(seed)
  const width = widthOf(given)
  const size = sizeOf(given)
  const places = placesOf(given)
  const opened = fast.openMoving({
    numbers: 2 * size + places.end + slots * own + shared + gatheredOf(given),
    longest: words,
    slots,
    kept: 0,
    scratch: slots * (1 + width) + documentOf(width, longest).end,
  })!
  const params = opened.numbers(places.end)
  const delta = opened.numbers(size)
  const totals = opened.numbers(slots * own + shared)
  for (let j = 0; j < size; j++) params[j] = Math.max(rolls.uniform() < 0.3 ? 0 : rolls.gamma(0.5), least)
  params[places.e] = e
  for (let q = places.inverse; q < places.alpha; q++) params[q] = 0.1 + rolls.uniform()
  for (let q = places.alpha; q < places.end; q++) params[q] = 0.01 + rolls.uniform()
  const offsets = new Int32Array(rows + 1)
  const codes: number[] = []
  for (let i = 0; i < rows; i++) {
    for (let w = 0; w < words; w++) if (rolls.uniform() < 0.5) codes.push(w)
    offsets[i + 1] = codes.length
  }
  const bags = { offsets, words: Int32Array.from(codes) }
  const x = Float64Array.from(codes, () => 1 + rolls.integer(4))
  const weigh = () => x
  const slot = Int32Array.from({ length: rows }, () => rolls.integer(slots))
  const weight = Float64Array.from({ length: rows }, () => rolls.integer(4) - 1)
  const values = Float64Array.from({ length: rows * slots }, () => rolls.integer(4) - 1.5)
  const out = new Float64Array(rows * slots)
  const g = new Float64Array(rows * slots * width)
  const topics = opened.topics!
  const gathered = gatheredOf(given)
  expect(gathered > 0).toBe(own === 0 || slots === 1)
  if (gathered > 0)
    topics.gatherOnce(params, given, opened.numbers(gathered - width * Math.min(words, without)))
  for (let step = 0; step < 2; step++) {
    if (memory === "plain") {
      scoreTopics(bags, x, rows, params, given, CLIMB, out, g, PLAIN)
      if (one) deliverOne(bags, x, rows, slot, weight, params, given, g, delta)
      else deliverEach(bags, x, rows, values, params, given, g, delta)
      moveTopics(bags, rows, given, 0.1, least, params, delta, totals)
    } else {
      for (const i of topics.scoreTopics(bags, weigh, rows, params, given, CLIMB, out, g))
        scoreDocument(bags, x, i, rows, params, given, CLIMB, out, g, PLAIN)
      if (one) topics.deliverOne(bags, weigh, rows, slot, weight, params, given, g, delta)
      else topics.deliverEach(bags, weigh, rows, values, params, given, g, delta)
      topics.moveTopics(bags, weigh, rows, given, 0.1, least, params, delta, totals)
    }
  }
  expect(delta.every(left => left === 0)).toBe(true)
  return [out, g, params.slice(), totals.slice()]
}

test("TypeScript and wasm give the same bits: topics are gathered, scored, delivered and moved", () => {
  fc.assert(
    fc.property(cases, given => {
      const [ours, theirs] = [moved("plain", given), moved("fast", given)]
      ours.forEach((values, a) => {
        for (let i = 0; i < values.length; i++) {
          if (!Object.is(values[i], theirs[a][i])) expect([a, i, theirs[a][i]]).toEqual([a, i, values[i]])
        }
      })
    }),
    { numRuns: RUNS },
  )
})
