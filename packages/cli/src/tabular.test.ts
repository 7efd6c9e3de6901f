import type { Columns } from "suffice"
import { expect, test } from "vitest"
import { joined } from "./tabular.ts"

test("batches of numbers are joined as numbers, and where one of them holds text as cells", () => {
  const numbers: Columns = { x: Float64Array.of(1, Number.NaN), y: Float64Array.of(5, 6) }
  const mixed: Columns = { x: Float64Array.of(3), y: ["six"] }
  expect(joined([numbers, mixed])).toEqual({ x: Float64Array.of(1, Number.NaN, 3), y: [5, 6, "six"] })
  expect(joined([mixed, numbers])).toEqual({ x: Float64Array.of(3, 1, Number.NaN), y: ["six", 5, 6] })
  expect(joined([])).toEqual({})
})
