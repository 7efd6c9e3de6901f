/** Logarithms that are looked up are those that would be computed, to the bit. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { solveWords } from "./bag-logs.ts"
import { log } from "./log.ts"
import { simplexMass } from "./simplex.ts"

/** The definition, slot by slot. */
function solved(counts: Float64Array, slots: number, words: number): { params: Float64Array; held: number } {
  const params = new Float64Array((words + 1) * slots)
  let held = 0
  for (let p = 0; p < slots; p++) {
    const total = simplexMass(counts, slots, words, p)
    let outside = total < 0
    for (let w = 0; w < words; w++) {
      if (counts[w * slots + p] < 0) outside = true
      params[w * slots + p] = total > 0 ? log(Math.max(counts[w * slots + p], 0)) : 0
    }
    params[words * slots + p] = log(total > 0 ? total : words)
    if (outside) held++
  }
  return { params, held }
}

test("counts that repeat, whole or not, negative, huge or nothing: the same bits as one logarithm each", () => {
  const shapes = fc.record({
    seed: fc.nat(),
    slots: fc.integer({ min: 1, max: 6 }),
    words: fc.integer({ min: 0, max: 60 }),
    alpha: fc.constantFrom(0, 0.2, 1, 1e-300),
    strange: fc.constantFrom(0, 0.2),
  })
  fc.assert(
    fc.property(shapes, ({ seed, slots, words, alpha, strange }) => {
      const random = dice(seed)
      const numbers = [0, -0, -1.5, 2 ** 31, 2 ** 32 + 1, 1e300, 1023, 1024, 5e-324, Number.NaN]
      const cell = (): number => {
        if (random.uniform() < strange) return numbers[random.integer(numbers.length)]
        if (random.uniform() < 0.5) return alpha
        return alpha + (random.uniform() < 0.5 ? random.integer(4) : random.uniform())
      }
      const counts = Float64Array.from({ length: (words + 1) * slots }, cell)
      const params = new Float64Array(counts.length).fill(7)
      const held = solveWords(counts, slots, words, params)
      expect({ params, held }).toEqual(solved(counts, slots, words))
    }),
    { seed: 3, numRuns: Number(process.env.LAWS_RUNS ?? 200) },
  )
})

test("a slot without words is uniform, one with a negative count is held", () => {
  const params = new Float64Array(6)
  expect(solveWords(Float64Array.of(0, 2, 0, -1, 9, 9), 2, 2, params)).toBe(1)
  expect([...params]).toEqual([0, log(2), 0, -Infinity, log(2), 0])
})
