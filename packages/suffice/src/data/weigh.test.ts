import { describe, expect, test } from "vitest"
import type { Row } from "../contract/cells.ts"
import { slicesOf } from "./read.ts"
import { checkClassWeights, classFactor, rowWeights, type Weighting } from "./weigh.ts"

const weightsOf = (rows: readonly unknown[], weighting: Weighting): number[] =>
  [...slicesOf(rows as readonly Row[])].flatMap(slice => [...rowWeights(slice, weighting)])

describe("the weight of a row", () => {
  test("is 1, or what its column says", () => {
    expect(weightsOf([{ x: 1 }, { x: 2 }], {})).toEqual([1, 1])
    expect(weightsOf([{ w: 0 }, { w: 2.5 }, { w: 3n }], { column: "w" })).toEqual([0, 2.5, 3])
  })

  test("is multiplied by the weight of its class; rows without a label are not", () => {
    const rows = [{ y: "a" }, { y: "b" }, { y: null }, { y: "constructor" }]
    expect(weightsOf(rows, { classes: { a: 3 }, label: "y" })).toEqual([3, 1, 1, 1])
    const weighted = rows.map(row => ({ ...row, w: 2 }))
    expect(weightsOf(weighted, { column: "w", classes: { a: 3, b: 0 }, label: "y" })).toEqual([6, 0, 2, 2])
  })

  test("goes by the text of the label: classes may be numbers or booleans", () => {
    expect(weightsOf([{ y: 1 }, { y: true }], { classes: { 1: 5, true: 7 }, label: "y" })).toEqual([5, 7])
  })

  test("with a soft label is multiplied by the mean of its classes", () => {
    expect(weightsOf([{ y: { a: 1, b: 1 } }], { classes: { a: 3 }, label: "y" })).toEqual([2])
  })

  test("is finite and not negative", () => {
    const read = (w: unknown) => () => weightsOf([{ w: 1 }, { w }], { column: "w" })
    expect(read(-1)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1 of the weights "w" holds -1. A weight is a finite number ≥ 0. Correct it, or give the row weight 0 to leave it out.]`,
    )
    expect(read(Number.NaN)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1 of the weights "w" holds NaN. A weight is a finite number ≥ 0. Correct it, or give the row weight 0 to leave it out.]`,
    )
    expect(read(Number.POSITIVE_INFINITY)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1 of the weights "w" holds Infinity. A weight is a finite number ≥ 0. Correct it, or give the row weight 0 to leave it out.]`,
    )
    expect(read(null)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1 of the weights "w" holds null. A weight is a finite number ≥ 0. Correct it, or give the row weight 0 to leave it out.]`,
    )
    expect(read("2")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1 of the weights "w" holds "2". A weight is a finite number ≥ 0. Correct it, or give the row weight 0 to leave it out.]`,
    )
  })

  test("needs its column", () => {
    expect(() => weightsOf([{ weights: 1 }], { column: "weight" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "weight" is not in the data. The data has "weights". Did you mean "weights"?]`,
    )
  })
})

describe("class weights", () => {
  test("are copied, and a class of another column has factor 1", () => {
    const given = { a: 2 }
    const classes = checkClassWeights(given)
    given.a = 9
    expect(classFactor({ classes, label: "y" }, "y")("a")).toBe(2)
    expect(classFactor({ classes, label: "y" }, "z")("a")).toBe(1)
    expect(classFactor({ classes, label: "y" }, "y")("toString")).toBe(1)
  })

  test("are finite and not negative", () => {
    expect(() => checkClassWeights({ a: -2 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: fit: classWeights gives "a" the weight -2. A class weight is a finite number ≥ 0. Correct it, or leave it out for 1.]`,
    )
    expect(() => checkClassWeights({ a: Number.NaN })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: fit: classWeights gives "a" the weight NaN. A class weight is a finite number ≥ 0. Correct it, or leave it out for 1.]`,
    )
    expect(() => checkClassWeights("balanced" as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: fit: classWeights is "balanced". It holds a factor for each level. Write for example { rare: 5 }.]`,
    )
  })
})
