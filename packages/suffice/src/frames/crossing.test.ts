import { expect, test } from "vitest"
import { packData, readData } from "./crossing.ts"

test("data crosses to the bit", () => {
  const value = {
    odd: [-0, NaN, Infinity, -Infinity, 0.1, 5e-324],
    doubles: Float64Array.of(-0, NaN, 1 / 3, Infinity),
    none: new Float64Array(0),
    map: new Map<unknown, unknown>([
      ["a", 1],
      [2, new Map([[true, -0]])],
    ]),
    record: { $: "map", of: [1] },
    text: "tab\t line\n 😀",
    nothing: null,
  }
  const text = packData(value)
  expect(text).not.toMatch(/[\t\n]/)
  expect(readData(text)).toEqual(value)
  expect(readData<typeof value>(text)!.doubles).toBeInstanceOf(Float64Array)
})

test("what is no packed data is undefined", () => {
  for (const text of ["", "{", '{"$":"doubles","of":"AAA"}', '{"$":"else"}', '{"$":"map","of":3}'])
    expect(readData(text)).toBe(undefined)
})
