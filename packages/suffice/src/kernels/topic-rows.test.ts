import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import { dice } from "../random.ts"
import { useKernels } from "./fast/use.ts"
import { documentMemory, foldTopics } from "./topic-rows.ts"
import { fastKernels } from "./twins.ts"

useKernels("wasm")
const fast = fastKernels()!
afterAll(() => useKernels("wasm"))

/** A random document: α and g, what its words weigh, and their φ, as `scoreTopics` gathers them. */
function drawn(memory: Float64Array, seed: number, topics: number, count: number, zeros: number): number {
  const rolls = dice(seed)
  const width = (topics + 1) & ~1
  const x = 5 * width
  const phi = x + ((count + 1) & ~1)
  let length = 0
  for (let k = 0; k < width; k++) {
    memory[k] = k < topics ? 0.01 + rolls.gamma(0.5) : 0
    // what earlier documents left
    for (let row = 2; row < 5; row++) memory[row * width + k] = rolls.normal()
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

test("TypeScript and wasm give the same bits: foldTopics", () => {
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.nat(),
        topics: fc.integer({ min: 1, max: 23 }),
        count: fc.integer({ min: 1, max: 60 }),
        zeros: fc.constantFrom(0, 0.3),
        steps: fc.integer({ min: 0, max: 60 }),
        tolerance: fc.constantFrom(0, 1e-7, 0.01),
        leaps: fc.boolean(),
      }),
      ({ seed, topics, count, zeros, steps, tolerance, leaps }) => {
        const width = (topics + 1) & ~1
        const needed = (5 + count) * width + count + 1
        const found = [documentMemory(needed), fast.documentMemory(needed)].map((memory, twin) => {
          const length = drawn(memory, seed, topics, count, zeros)
          const fold = twin === 0 ? foldTopics : fast.foldTopics
          fold(memory, topics, width, count, length, { steps, tolerance, leaps })
          return memory.slice(width, width + topics)
        })
        expect(found[1]).toEqual(found[0])
      },
    ),
    { numRuns: 300 },
  )
})

test("leaps end where plain steps end, in fewer of them", () => {
  const end = (leaps: boolean, steps: number): Float64Array => {
    const memory = documentMemory(4000)
    const length = drawn(memory, 5, 10, 40, 0)
    foldTopics(memory, 10, 10, 40, length, { steps, tolerance: 1e-12, leaps })
    return memory.slice(10, 20)
  }
  const plain = end(false, 20_000)
  end(true, 300).forEach((g, k) => {
    expect(g).toBeCloseTo(plain[k], 6)
  })
})

test("documents that do not fit are folded by the plain twin", () => {
  const memory = fast.documentMemory(1 << 22)
  expect(memory.length).toBeGreaterThanOrEqual(1 << 22)
  const length = drawn(memory, 3, 3, 4, 0)
  const before = memory.slice(4, 7)
  fast.foldTopics(memory, 3, 4, 4, length, { steps: 3, tolerance: 0, leaps: false })
  expect(memory.slice(4, 7)).not.toEqual(before)
})
