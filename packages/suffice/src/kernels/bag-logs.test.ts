/** Logarithms that are looked up, or computed in wasm, are those that would be computed one by one, to the bit. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { solveWords } from "./bag-logs.ts"
import { WORTH } from "./bag-rows.ts"
import { digestOf } from "./digest.ts"
import { useKernels } from "./fast/use.ts"
import { log } from "./log.ts"
import { simplexMass } from "./simplex.ts"
import { fastKernels } from "./twins.ts"

/** The definition, slot by slot. */
function solved(
  given: Float64Array,
  slots: number,
  words: number,
  alpha: number,
): { params: Float64Array; held: number } {
  const counts = given.map(count => count + alpha)
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
    added: fc.constantFrom(0, 0.2, 1),
    strange: fc.constantFrom(0, 0.2),
  })
  fc.assert(
    fc.property(shapes, ({ seed, slots, words, alpha, added, strange }) => {
      const random = dice(seed)
      const numbers = [0, -0, -1.5, 2 ** 31, 2 ** 32 + 1, 1e300, 1023, 1024, 5e-324, Number.NaN]
      const cell = (): number => {
        if (random.uniform() < strange) return numbers[random.integer(numbers.length)]
        if (random.uniform() < 0.5) return alpha
        return alpha + (random.uniform() < 0.5 ? random.integer(4) : random.uniform())
      }
      const counts = Float64Array.from({ length: (words + 1) * slots }, cell)
      const params = new Float64Array(counts.length).fill(7)
      const held = solveWords(counts, slots, words, params, added)
      expect({ params, held }).toEqual(solved(counts, slots, words, added))
    }),
    { seed: 3, numRuns: Number(process.env.LAWS_RUNS ?? 200) },
  )
})

test("a slot without words is uniform, one with a negative count is held", () => {
  const params = new Float64Array(6)
  expect(solveWords(Float64Array.of(0, 2, 0, -1, 9, 9), 2, 2, params)).toBe(1)
  expect([...params]).toEqual([0, log(2), 0, -Infinity, log(2), 0])
})

test("so many words that they are solved by the fast kernels, whole counts or not, some 0: the same bits", () => {
  for (const slots of [1, 3, 20]) {
    for (const alpha of [0, 0.2]) {
      for (const strange of [[0], [0.3, 1500, 2 ** 40], [-0.05], [-2, Number.NaN]]) {
        const words = Math.ceil(WORTH / slots)
        const random = dice(slots)
        const cell = (): number =>
          random.uniform() < 1e-3 ? strange[random.integer(strange.length)] : random.integer(3)
        const counts = Float64Array.from({ length: (words + 1) * slots }, cell)
        const both = (["wasm", "typescript"] as const).map(kernels => {
          useKernels(kernels)
          const params = new Float64Array(counts.length).fill(7)
          const before = counts.slice()
          const held = solveWords(counts, slots, words, params, alpha)
          expect(digestOf(counts)).toBe(digestOf(before))
          return [digestOf(params), held]
        })
        expect(both[0]).toEqual(both[1])
      }
    }
  }
})

test("numbers that the fast kernels can take the logarithms of are not left to the others", () => {
  useKernels("wasm")
  const { logWords } = fastKernels()!
  const table = Float64Array.from({ length: 1024 }, (_, count) => log(count + 0.5))
  const logged = (...counts: number[]) => {
    const logs = new Float64Array(counts.length)
    const totals = Float64Array.of(1, 2)
    return [logWords(Float64Array.from(counts), 0.5, table, totals, logs), [...logs], [...totals]]
  }
  const ln = (...counts: number[]) => counts.map(count => log(count + 0.5))
  expect(logged(0, 1, 2, 1023)).toEqual([true, ln(0, 1, 2, 1023), [4, 1027]])
  expect(logged(1024, 0.25, -0.25, 0)).toEqual([true, ln(1024, 0.25, -0.25, 0), [1025.75, 3.25]])
  for (const strange of [-0.5, -1, Number.NaN, Infinity]) {
    expect(logged(0, strange)[0]).toBe(false)
    expect(logged(strange, 0)[0]).toBe(false)
  }
})
