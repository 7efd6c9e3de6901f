import { describe, expect, test } from "vitest"
import { dice } from "../random.ts"
import { float64FromBase64, float64ToBase64, fromBase64, toBase64 } from "./base64.ts"

const ascii = (text: string) => Uint8Array.from(text, c => c.charCodeAt(0))

describe("bytes", () => {
  test("the vectors of RFC 4648 §10", () => {
    const vectors = {
      "": "",
      f: "Zg==",
      fo: "Zm8=",
      foo: "Zm9v",
      foob: "Zm9vYg==",
      fooba: "Zm9vYmE=",
      foobar: "Zm9vYmFy",
    }
    for (const [plain, coded] of Object.entries(vectors)) {
      expect(toBase64(ascii(plain))).toBe(coded)
      expect(fromBase64(coded)).toEqual(ascii(plain))
    }
  })

  test("agrees with Node's own encoder, whatever the length", () => {
    const die = dice(4)
    for (const length of [1, 2, 3, 255, 256, 257, 6141, 6142, 6143, 100_000]) {
      const bytes = Uint8Array.from({ length }, () => die.integer(256))
      const text = toBase64(bytes)
      expect(text === Buffer.from(bytes).toString("base64")).toBe(true)
      expect(Buffer.compare(fromBase64(text)!, bytes)).toBe(0)
    }
  })

  test.each([
    "A",
    "AA",
    "AAA",
    "====",
    "A===",
    "AA=A",
    "=AAA",
    "Zg==Zg==",
    "Zh==",
    "Zm9=",
    "Zm 9",
    "Zm9_",
    "Zm9é",
    "Zm9Ā",
    "AA\n=",
  ])("%j is not base64", text => {
    expect(fromBase64(text)).toBeUndefined()
  })
})

describe("doubles", () => {
  const values = Float64Array.from([
    0,
    -0,
    1,
    -1.5,
    Math.PI,
    5e-324,
    1.7976931348623157e308,
    Infinity,
    -Infinity,
    NaN,
  ])

  test("come back with the same bits", () => {
    const back = float64FromBase64(float64ToBase64(values))!
    expect([...back]).toEqual([...values])
    expect(float64FromBase64("")).toEqual(new Float64Array(0))
  })

  test("are little-endian in the text", () => {
    expect(float64ToBase64(Float64Array.of(1))).toBe(toBase64(Uint8Array.of(0, 0, 0, 0, 0, 0, 0xf0, 0x3f)))
  })

  test("a view is written without its surroundings", () => {
    expect(float64ToBase64(values.subarray(2, 4))).toBe(float64ToBase64(Float64Array.of(1, -1.5)))
  })

  test("bytes that are not whole doubles are refused", () => {
    expect(float64FromBase64(toBase64(new Uint8Array(12)))).toBeUndefined()
    expect(float64FromBase64("no!!")).toBeUndefined()
  })
})
