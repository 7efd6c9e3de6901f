import { expect, test } from "vitest"
import type { Cell, Columns } from "../contract/cells.ts"
import { sparse } from "../text.ts"
import { packFrame, readFrame } from "./frame.ts"

const many = Array.from({ length: 2000 }, (_, i) => `text ${i}`)
const words = sparse({ offsets: [0, 1, 2], codes: [1, 0], words: ["b", "a"] })

/** A column, and how its cells come back if not as they were: what is missing is null, or NaN among numbers. */
const columns: Readonly<Record<string, readonly [ArrayLike<Cell>, ArrayLike<Cell>?]>> = {
  numbers: [
    [1, -0, null, undefined, 5e-324, Number.POSITIVE_INFINITY],
    [1, -0, NaN, NaN, 5e-324, Number.POSITIVE_INFINITY],
  ],
  doubles: [Float64Array.of(1.5, NaN, -2)],
  "single precision": [Float32Array.of(1.5, 0.1), [1.5, Math.fround(0.1)]],
  levels: [["a", "", null, "a", 'tab\t, line\n, quote " and 😀', "\uFEFFmark"]],
  booleans: [[true, null, false]],
  mixed: [["a", 1, true, 2.5]],
  "many texts": [[...many, null, "", "\uFEFFmark", "tab\t\r\n😀"]],
  "half a pair": [[...many, "\uD800"]],
  "large integers": [[2n ** 60n, 1, null]],
  lists: [[["a", "b"], [], null]],
  counts: [[{ a: 1, ["__proto__"]: 2 }, { $cell: 3 }, new Map([["x", 1.5]])]],
  steps: [
    [[{ x: 1, y: null }, null], { x: Float64Array.of(1, NaN) }],
    [[{ x: 1, y: null }, null], { x: [1, NaN] }],
  ],
  sparse: [words, [{ a: 1 }, { b: 1 }]],
  __proto__: [[1]],
}

test.each(Object.entries(columns))(
  "cells of %s come back as they were",
  (name, [cells, expected = cells]) => {
    const frame = packFrame({ first: 8192, rows: cells.length, columns: { [name]: cells } as Columns })
    const back = readFrame(frame)
    expect([back.first, back.rows, Object.keys(back.columns)]).toEqual([8192, cells.length, [name]])
    expect(Array.from(back.columns[name])).toStrictEqual(Array.from(expected))
    // wherever it stands
    const elsewhere = new Uint8Array(frame.length + 3)
    elsewhere.set(frame, 3)
    expect(Array.from(readFrame(elsewhere.subarray(3)).columns[name])).toStrictEqual(Array.from(expected))
  },
)

test("a frame that is cut short, or none, is refused", () => {
  const frame = packFrame({ first: 0, rows: 2, columns: { x: [1, 2], y: ["a", "b"] } })
  const message = () => expect.stringMatching(/^a frame of rows is damaged, or cut short\. It was changed /)
  for (const bytes of [
    frame.subarray(0, frame.length - 8),
    frame.subarray(0, 4),
    frame.subarray(8),
    frame.map(() => 1),
  ])
    expect(() => readFrame(bytes)).toThrow(expect.objectContaining({ message: message() }))
})
