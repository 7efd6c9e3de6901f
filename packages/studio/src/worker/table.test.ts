/** A table that is open is not read again for another label: its cells are there. */
import { expect, test } from "vitest"
import type { Settings } from "../bench/types.ts"
import { opened } from "./table.ts"

const PLAIN: Settings = {
  as: {},
  label: undefined,
  weight: undefined,
  sequence: undefined,
  missing: [],
  seed: 0,
  holdout: 0.2,
  folds: 0,
}

/** A file that counts how often its cells are read from the beginning. */
function counted(text: string, name: string): { file: File; readings: () => number } {
  const file = new File([text], name)
  let readings = 0
  const stream = file.stream.bind(file)
  file.stream = () => {
    readings++
    return stream()
  }
  return { file, readings: () => readings }
}

/** `long`: so that kinds are found from the first rows only. */
test.each([
  { rows: 300, long: false },
  { rows: 60_000, long: true },
])("$rows rows are taken apart once, whatever is the label", async ({ rows, long }) => {
  const wide = long ? "x".repeat(160) : "x"
  const lines = Array.from({ length: rows }, (_, i) => `${i % 7}.5,k${i % 3},${wide}${i % 11}`)
  const { file, readings } = counted(`x,y,z\n${lines.join("\n")}\n`, "some.csv")
  const signal = new AbortController().signal
  const first = await opened(file, PLAIN, signal, () => undefined)
  // once to see how the file is written, once for all cells
  expect(readings()).toBe(2)
  const second = await opened(file, { ...PLAIN, label: "y" }, signal, () => undefined, first)
  expect(readings()).toBe(2)
  expect(second.rows).toBe(rows)
  expect(second.cells).toEqual(first.cells)
  expect(second.reports.map(({ kind }) => kind)).toEqual(["number", "label", "category"])
  // another kind is another reading
  const third = await opened(file, { ...PLAIN, as: { x: "category" } }, signal, () => undefined, second)
  expect(readings()).toBeGreaterThan(2)
  expect(third.reports[0].kind).toBe("category")
})
