import { expect, test } from "vitest"
import { type StepSize, stepSizes } from "./schedule.ts"

const first = (size: StepSize): number[] => [1, 2, 10].map(stepSizes("sdem", size))
const close = (found: readonly number[], wanted: readonly number[]): void =>
  found.forEach((rho, i) => void expect(rho).toBeCloseTo(wanted[i], 14))

test("step sizes are what their formulas say", () => {
  close(first({ kind: "average" }), [1, 1 / 2, 1 / 10])
  close(first({ kind: "power", power: 0.75, delay: 3 }), [4 ** -0.75, 5 ** -0.75, 13 ** -0.75])
  close(first({ kind: "decay", rho: 0.5, decay: 0.1 }), [0.5 / 1.1, 0.5 / 1.2, 0.25])
  close(first({ kind: "constant", rho: 0.3 }), [0.3, 0.3, 0.3])
})

test("a power is above ½, or its steps would not settle, and at most 1, or they would not arrive", () => {
  const isFine = (power: number): boolean => {
    try {
      stepSizes("sdem", { kind: "power", power, delay: 0 })
      return true
    } catch {
      return false
    }
  }
  expect([0.5, 0.500001, 1, 1.000001, Number.NaN].map(isFine)).toEqual([false, true, true, false, false])
})
