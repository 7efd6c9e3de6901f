import { describe, expect, test } from "vitest"
import { list, nearest, refuseUnknown, SufficeError, show, wrongOption } from "./errors.ts"

describe("a value in a message is short and shows its type", () => {
  test.each<[unknown, string]>([
    ["1", '"1"'],
    [1, "1"],
    [1n, "1n"],
    [Number.NaN, "NaN"],
    [null, "null"],
    [undefined, "undefined"],
    [true, "true"],
    [Symbol("x"), "Symbol(x)"],
    [["a", "b"], "a list of 2"],
    [{ a: 1 }, "an object with 1 key"],
    [{ a: 1, b: 2 }, "an object with 2 keys"],
    [Object.create(null), "an object with 0 keys"],
    [new Date(0), "a Date"],
    [new Map(), "a Map"],
    [new Int8Array(3), "an Int8Array"],
    [Promise.resolve(), "a Promise"],
    [() => 1, "a function"],
    ["x".repeat(50), `"${"x".repeat(40)}…"`],
    ['say "no"', '"say \\"no\\""'],
  ])("%o", (value, shown) => {
    expect(show(value)).toBe(shown)
  })

  test("an object of an anonymous class, or with a constructor that is no function, is an object", () => {
    expect(show({ constructor: "me" })).toBe("an object with 1 key")
    expect(show(new (class {})())).toMatch(/^an? /)
  })
})

describe("the nearest names", () => {
  test("are within a third of their length in edits, best first, whatever their case", () => {
    expect(nearest("Speceis", ["island", "spices", "species"])).toEqual(["species", "spices"])
    expect(nearest("priro", ["start", "prior"])).toEqual(["prior"])
    expect(nearest("bill_lenght", ["bill_length", "bill_depth", "BILL_LENGHT"])).toEqual([
      "BILL_LENGHT",
      "bill_length",
    ])
  })

  test("are three at most, and in their given order where they are as close", () => {
    expect(nearest("x1", ["x2", "x3", "x4", "x5"])).toEqual(["x2", "x3", "x4"])
  })

  test("have something in common with the misspelt one", () => {
    expect(nearest("x", ["y", "z"])).toEqual([])
    expect(nearest("", ["y"])).toEqual([])
  })
})

test("names are listed as a sentence would, and a long list is cut", () => {
  expect(list([])).toBe("")
  expect(list(["a"])).toBe('"a"')
  expect(list(["a", "b", "c"])).toBe('"a", "b" and "c"')
  expect(list([1, true, "1"])).toBe('1, true and "1"')
  expect(list(["a", "b", "c", "d"], 2)).toBe('"a", "b" and 2 more')
})

test("an unknown option is named with those there are, and with the nearest", () => {
  const given = (options: object) => () => refuseUnknown("em", options, ["prior", "start"])
  expect(given({ prior: 1 })).not.toThrow()
  expect(given({ priro: 1 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: em: there is no option "priro". It knows "prior" and "start". Did you mean "prior"?]`,
  )
  expect(given({ verbose: 1 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: em: there is no option "verbose". It knows "prior" and "start". Leave it out.]`,
  )
})

test("an option that is wrong is named with its value, and what it must be", () => {
  const error = wrongOption("em", "prior", -1, "It must be ≥ 0. Leave it out.")
  expect(error.message).toMatchInlineSnapshot(`"em: prior is -1. It must be ≥ 0. Leave it out."`)
  expect([error.code, error.details]).toEqual(["option", { option: "prior", value: -1 }])
  expect(() => refuseUnknown("em", { priro: 1 }, ["prior"])).toThrow(/Did you mean "prior"\?$/)
  expect(() => refuseUnknown("em", { prior: 1 }, ["prior"])).not.toThrow()
})

test("an error carries its code, its values and its cause", () => {
  const cause = new Error("disk full")
  const error = new SufficeError("data", "what, why, what to do.", { row: 3 }, { cause })
  expect(error).toBeInstanceOf(Error)
  expect(error.name).toBe("SufficeError")
  expect(error.code).toBe("data")
  expect(error.details).toEqual({ row: 3 })
  expect(error.cause).toBe(cause)
  expect("cause" in new SufficeError("data", "no cause")).toBe(false)
})
