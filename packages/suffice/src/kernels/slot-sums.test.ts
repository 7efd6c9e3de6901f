import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Weights } from "../contract/block.ts"
import { dice } from "../random.ts"
import { useKernels } from "./fast/use.ts"
import { countLevels } from "./level-counts.ts"
import { SlotSums, type WeightSums } from "./slot-sums.ts"
import { withColumns } from "./testing/in-kernel-memory.ts"
import { fastKernels } from "./twins.ts"

useKernels("wasm")
const twins: readonly (readonly [string, () => WeightSums])[] = [
  ["TypeScript", () => new SlotSums()],
  ["wasm", () => fastKernels()!.openSums()],
]

/** One slot per row, and the same weights for every slot. */
function formsOf(slot: Int32Array, weight: Float64Array, slots: number): [Weights, Weights] {
  const rows = slot.length
  const values = new Float64Array(slots * rows)
  slot.forEach((p, i) => {
    values[p * rows + i] = weight[i]
  })
  return [
    { form: "one", slot, weight },
    { form: "each", values },
  ]
}

describe.each(twins)("%s", (_, open) => {
  test.each([true, false])(
    "sums and counts are those of the rows one by one, block after block, in either form; weights 1: %s",
    isPlain => {
      const die = dice(3)
      const sums = open()
      for (const [rows, slots] of [
        [0, 2],
        [1, 1],
        [7, 3],
        [256, 20],
        [13, 5],
        [8, 1],
        [255, 2],
      ]) {
        const slot = Int32Array.from({ length: rows }, () => die.integer(slots))
        // whole numbers and halves: sums of them are exact in any order
        const weight = Float64Array.from({ length: rows }, () => (isPlain ? 1 : die.integer(5) / 2))
        for (const weights of formsOf(slot, weight, slots)) {
          const given = sums.given(weights, rows, slots)
          for (let column = 0; column < 2; column++) {
            const x = Float64Array.from({ length: rows }, () =>
              column > 0 && die.uniform() < 0.2 ? NaN : die.integer(9) - 4,
            )
            const codes = Int32Array.from({ length: rows }, () => die.integer(4) - column)
            const expected = new Float64Array(3 * slots)
            const counts = new Float64Array(4 * slots).fill(0.5)
            const stats = counts.slice()
            slot.forEach((p, i) => {
              if (codes[i] >= 0) counts[codes[i] * slots + p] += weight[i]
              if (Number.isNaN(x[i])) return
              expected[3 * p] += weight[i]
              expected[3 * p + 1] += weight[i] * x[i]
              expected[3 * p + 2] += weight[i] * x[i] * x[i]
            })
            given.count(codes, stats)
            expect(stats).toEqual(counts)
            const summed = given.sums(x).subarray(0, 3 * slots)
            expect(Array.from(summed, value => value + 0)).toEqual([...expected])
          }
        }
      }
    },
  )

  test("two of them by turns keep to their own weights", () => {
    const rows = 20
    const [a, b] = [open(), open()]
    const slot = new Int32Array(rows)
    const [one, two] = [1, 2].map(w => ({
      form: "one" as const,
      slot,
      weight: new Float64Array(rows).fill(w),
    }))
    const [first, second] = [a.given(one, rows, 1), b.given(two, rows, 1)]
    const x = new Float64Array(rows).fill(3)
    for (const [weights, w] of [
      [first, 1],
      [second, 2],
      [first, 1],
    ] as const) {
      expect([...weights.sums(x).subarray(0, 3)]).toEqual([20 * w, 60 * w, 180 * w])
      const stats = new Float64Array(2)
      weights.count(new Int32Array(rows).fill(1), stats)
      expect([...stats]).toEqual([0, 20 * w])
    }
  })
})

test("TypeScript and wasm give the same bits, and count as countLevels does", () => {
  const shapes = fc.record({
    seed: fc.nat(),
    rows: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(479, 480, 481)),
    slots: fc.integer({ min: 1, max: 9 }),
    levels: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(400)),
    holes: fc.constantFrom(0, 0.2, 1),
    weights: fc.constantFrom("one", "some 0", "signed", "tiny"),
    form: fc.constantFrom("one", "each"),
  })
  const [slow, fast] = twins.map(([, open]) => open())
  fc.assert(
    fc.property(shapes, ({ seed, rows, slots, levels, holes, weights, form }) => {
      const die = dice(seed)
      const draw = (): number => {
        if (weights === "one") return 1
        if (weights === "some 0") return die.uniform() < 0.5 ? 0 : die.uniform()
        return weights === "signed" ? die.normal() : die.uniform() * 1e-300
      }
      const given: Weights =
        form === "one"
          ? {
              form,
              slot: Int32Array.from({ length: rows }, () => die.integer(slots)),
              weight: Float64Array.from({ length: rows }, draw),
            }
          : { form: "each", values: Float64Array.from({ length: slots * rows }, draw) }
      const [ours, theirs] = [slow.given(given, rows, slots), fast.given(given, rows, slots)]
      for (let column = 0; column < 2; column++) {
        const x = Float64Array.from({ length: rows }, () => (die.uniform() < holes ? NaN : die.normal() + 3))
        const summed = bits(ours.sums(x), 3 * slots)
        expect(bits(theirs.sums(x), 3 * slots)).toEqual(summed)
        withColumns([x], ([lent]) => expect(bits(theirs.sums(lent), 3 * slots)).toEqual(summed))
        const codes = Int32Array.from({ length: rows }, () =>
          die.uniform() < holes ? -1 : die.integer(levels),
        )
        const stats = Float64Array.from({ length: levels * slots }, () => die.normal())
        const [mine, yours, plain] = [stats.slice(), stats.slice(), stats.slice()]
        ours.count(codes, mine)
        theirs.count(codes, yours)
        countLevels(codes, rows, slots, given, plain)
        expect(bits(yours)).toEqual(bits(mine))
        expect(bits(plain)).toEqual(bits(mine))
      }
    }),
    { seed: 5, numRuns: Number(process.env.LAWS_RUNS ?? 200) },
  )
})

/** 0 and −0 are different, NaN is itself. */
function bits(values: Float64Array, count = values.length): BigInt64Array {
  return new BigInt64Array(values.slice(0, count).buffer)
}
