import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { SlotSums } from "./slot-sums.ts"

test.each([true, false])(
  "sums over slots are those of the rows one by one, block after block, in either form; weights 1: %s",
  isPlain => {
    const die = dice(3)
    const sums = new SlotSums()
    for (const [rows, slots] of [
      [0, 2],
      [1, 1],
      [7, 3],
      [256, 20],
      [13, 5],
    ]) {
      const slot = Int32Array.from({ length: rows }, () => die.integer(slots))
      // whole numbers and halves: sums of them are exact in any order
      const weight = Float64Array.from({ length: rows }, () => (isPlain ? 1 : die.integer(5) / 2))
      const each = new Float64Array(slots * rows)
      slot.forEach((p, i) => {
        each[p * rows + i] = weight[i]
      })
      const one = sums.given({ form: "one", slot, weight }, rows, slots)
      const some = new SlotSums().given({ form: "each", values: each }, rows, slots)
      for (let column = 0; column < 2; column++) {
        const x = Float64Array.from({ length: rows }, () =>
          column > 0 && die.uniform() < 0.2 ? NaN : die.integer(9) - 4,
        )
        const expected = new Float64Array(3 * slots)
        x.forEach((cell, i) => {
          if (Number.isNaN(cell)) return
          expected[3 * slot[i]] += weight[i]
          expected[3 * slot[i] + 1] += weight[i] * cell
          expected[3 * slot[i] + 2] += weight[i] * cell * cell
        })
        for (const weights of [one, some]) {
          expect(Array.from(weights.sums!(x).subarray(0, 3 * slots), value => value + 0)).toEqual([
            ...expected,
          ])
        }
      }
    }
  },
)
