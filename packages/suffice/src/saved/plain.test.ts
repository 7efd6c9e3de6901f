import { describe, expect, test } from "vitest"
import { decodePlain, encodePlain } from "./plain.ts"

const throughText = (value: unknown): unknown =>
  decodePlain(JSON.parse(JSON.stringify(encodePlain(value, "x"))), "x")

describe("plain data through JSON", () => {
  test.each([
    0,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    5e-324,
    1.7976931348623157e308,
    0.1,
  ])("the number %s comes back as it is", value => {
    expect(Object.is(throughText(value), value)).toBe(true)
    expect(throughText({ trace: [value, 1] })).toStrictEqual({ trace: [value, 1] })
  })

  test("objects that look like an encoded number come back as they are", () => {
    for (const value of [
      { $number: "-0" },
      { $number: -0 },
      { $$number: { $number: "NaN" } },
      { $number: "x", y: 1 },
    ]) {
      expect(throughText(value)).toStrictEqual(value)
    }
  })

  test("fields named like parts of an object's prototype are fields like any other", () => {
    const value = JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": 1, "toString": [{"__proto__": 2}]}',
    )
    const back = throughText(value) as Record<string, unknown>
    expect(JSON.stringify(back)).toBe(JSON.stringify(value))
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
    expect(back.polluted).toBeUndefined()
  })

  test("lone surrogates survive", () => {
    expect(throughText(["\ud800", "a\udfff"])).toStrictEqual(["\ud800", "a\udfff"])
  })

  test("what no file can hold is refused when it is saved", () => {
    expect(() => encodePlain({ options: { link: () => 1 } }, "model")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has a function at model.options.link. A file holds plain data: numbers, text, booleans, lists and objects. Give the family options of these kinds.]`,
    )
  })

  test("nesting is bounded both ways", () => {
    let deep: unknown = 1
    for (let i = 0; i < 100; i++) deep = [deep]
    expect(() => encodePlain(deep, "model")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model is nested more than 64 deep, at model[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][…. No model needs that, and reading it could exhaust the stack. Nest fewer structures.]`,
    )
    expect(() => decodePlain(deep, "model")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model is nested more than 64 deep, at model[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][…. No model needs that, and reading it could exhaust the stack. Nest fewer structures.]`,
    )
    let allowed: unknown = 1
    for (let i = 0; i < 64; i++) allowed = [allowed]
    expect(throughText(allowed)).toStrictEqual(allowed)
  })
})
