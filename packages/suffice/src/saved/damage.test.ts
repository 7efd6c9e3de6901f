/** Files damaged at random: each is refused, or gives a model that answers. Never another error, never a hang. */
import { beforeAll, describe, expect, test } from "vitest"
import { SufficeError } from "../errors.ts"
import { load } from "../fit/load.ts"
import { float64ToBase64 } from "../kernels/base64.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { normal } from "../structures/normal.ts"
import { type File, ROWS, said, savedText } from "./testing/file.ts"

let text = ""
let normals = ""
beforeAll(async () => {
  text = await savedText()
  normals = await savedText(classes("y", normal(["x", "z"])))
})

describe("damage at random", () => {
  /** A SufficeError, or a model that answers without NaN. */
  function survives(damagedText: string): "loads" | "refused" {
    let loaded: ReturnType<typeof load>
    try {
      loaded = load(damagedText)
    } catch (error) {
      if (error instanceof SufficeError) return "refused"
      throw error
    }
    try {
      for (const p of loaded.posterior(ROWS as never).probabilities) expect(p).not.toBeNaN()
      for (const density of loaded.logDensity(ROWS as never)) expect(density).not.toBeNaN()
      loaded.predict(ROWS as never)
      JSON.stringify(loaded.describe())
      JSON.stringify(loaded)
    } catch (error) {
      // a column that got another name is not in the rows
      if (!(error instanceof SufficeError)) throw error
    }
    return "loads"
  }

  test("a file cut anywhere is refused", () => {
    for (const whole of [text, normals]) {
      for (let end = 0; end < whole.length; end += 50) {
        expect(said(whole.slice(0, end))).toMatch(/ends in the middle|is empty/)
      }
    }
  })

  test.each([1, 2, 3, 10])("%i characters changed", changes => {
    const fuzz = dice([99, changes])
    const outcomes = { loads: 0, refused: 0 }
    for (const whole of [text, normals]) {
      for (let trial = 0; trial < 500; trial++) {
        const characters = [...whole]
        for (let c = 0; c < changes; c++) {
          const at = fuzz.integer(characters.length)
          characters[at] =
            fuzz.uniform() < 0.5
              ? String.fromCharCode(32 + fuzz.integer(95))
              : String.fromCharCode(whole.charCodeAt(at) ^ (1 << fuzz.integer(7)))
        }
        outcomes[survives(characters.join(""))]++
      }
    }
    expect(outcomes.refused).toBeGreaterThan(0)
    if (changes === 1) expect(outcomes.loads).toBeGreaterThan(0)
  })

  test("characters lost, repeated and moved", () => {
    const fuzz = dice(101)
    for (let trial = 0; trial < 500; trial++) {
      const from = fuzz.integer(text.length)
      const to = Math.min(text.length, from + 1 + fuzz.integer(30))
      const piece = text.slice(from, to)
      const at = fuzz.integer(text.length)
      survives(text.slice(0, from) + text.slice(to))
      survives(text.slice(0, to) + piece + text.slice(to))
      survives(text.slice(0, at) + piece + text.slice(at))
    }
  })

  test("statistics of any bits", () => {
    const fuzz = dice(102)
    for (const whole of [text, normals]) {
      const file = JSON.parse(whole)
      const bytes = Math.floor((file.statistics.replace(/=/g, "").length * 3) / 4)
      for (let trial = 0; trial < 200; trial++) {
        const values = Float64Array.from({ length: bytes / 8 }, () => {
          const sign = fuzz.uniform() < 0.2 ? -1 : 1
          return sign * Number(`1e${fuzz.integer(600) - 300}`)
        })
        survives(JSON.stringify({ ...file, statistics: float64ToBase64(values) }))
      }
    }
  })

  test("any value put anywhere", () => {
    const fuzz = dice(103)
    const values = [
      null,
      0,
      -1,
      1e308,
      1e-320,
      2 ** 31,
      "",
      "__proto__",
      "x",
      true,
      [],
      {},
      [[]],
      { $number: "NaN" },
    ]
    for (const whole of [text, normals]) {
      for (let trial = 0; trial < 1000; trial++) {
        const file = JSON.parse(whole)
        let here: File = file
        for (;;) {
          const keys = Object.keys(here)
          const key = keys[fuzz.integer(keys.length)]
          const below = here[key]
          if (
            typeof below !== "object" ||
            below === null ||
            Object.keys(below).length === 0 ||
            fuzz.uniform() < 0.2
          ) {
            here[key] = values[fuzz.integer(values.length)]
            break
          }
          here = below
        }
        survives(JSON.stringify(file))
      }
    }
  })
})
