import { expect, test } from "vitest"
import { dialectOf } from "./dialect.ts"

test("a quote inside a cell is a character like others", () => {
  const text = 'size,kind\n5" disk,old\n3,new\n"a, ""b"" c",new\n'
  expect(dialectOf(text, false)).toMatchObject({
    delimiter: ",",
    first: ["size", "kind"],
    agreeing: 4,
    records: 4,
    header: true,
  })
})

test("the last record of a beginning may not be whole, and does not count", () => {
  const text = "a;b\n1;2\n3"
  expect(dialectOf(text, true)).toMatchObject({ delimiter: ";", records: 2, agreeing: 2 })
  expect(dialectOf(text, false)).toMatchObject({ delimiter: ";", records: 3, agreeing: 2 })
})

test("of two signs on which all lines agree, the one that cuts more stands between cells", () => {
  expect(dialectOf("a;b,c;d\n1;2,5;3\n4;5,5;6\n", false)).toMatchObject({
    delimiter: ";",
    first: ["a", "b,c", "d"],
  })
})
