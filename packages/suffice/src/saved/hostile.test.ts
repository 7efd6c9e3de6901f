/**
 * Files that are cut, edited or meant to harm: each is refused in one clear sentence, or works.
 * Long because it quotes every message.
 */
import { beforeAll, describe, expect, test } from "vitest"
import { float64FromBase64, float64ToBase64 } from "../kernels/base64.ts"
import { type File, said, savedText } from "./testing/file.ts"

let text = ""
beforeAll(async () => {
  text = await savedText()
})

/** What loading says of the file with another value at a path like columns.1.scale; undefined: with nothing there. */
function put(path: string, value: unknown): string {
  const file: File = JSON.parse(text)
  const names = path.split(".")
  const last = names.pop()!
  let here = file
  for (const name of names) here = here[name]
  here[last] = value
  return said(JSON.stringify(file))
}

describe("what is no model file", () => {
  test("is told apart", () => {
    expect(said("")).toMatchInlineSnapshot(
      `"the model file is empty. There is no model in it. Save the model again."`,
    )
    expect(said("model.json")).toMatchInlineSnapshot(
      `"the model file is not JSON: it begins with "model.json". A saved model is what JSON.stringify(fitted) wrote. Pass that text, not a file name."`,
    )
    expect(said(text.slice(0, 1000))).toMatchInlineSnapshot(
      `"the model file ends in the middle, after 1000 characters. It was cut when it was written or copied. Save the model again, or copy the whole file."`,
    )
    expect(said(`${text}}`)).toMatchInlineSnapshot(
      `"the model file is no longer JSON. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    // a quote inside a word does not end it: nothing is missing, and one comma is wrong
    const quoted = text.replace('"training":', '"said": "5\\" wide",, "training":')
    expect(said(quoted)).toMatch(/^the model file is no longer JSON\./)
    expect(said("[1, 2]")).toMatchInlineSnapshot(
      `"this is not a saved Suffice model: it is a list of 2. One begins with { "format": "suffice" }. Pass what JSON.stringify(fitted) wrote."`,
    )
    expect(said("null")).toMatchInlineSnapshot(
      `"this is not a saved Suffice model: it is null. One begins with { "format": "suffice" }. Pass what JSON.stringify(fitted) wrote."`,
    )
    expect(said(undefined)).toMatchInlineSnapshot(
      `"this is not a saved Suffice model: it is undefined. One begins with { "format": "suffice" }. Pass what JSON.stringify(fitted) wrote."`,
    )
    expect(said('{"format": "pickle"}')).toMatchInlineSnapshot(
      `"this is not a saved Suffice model: its format is "pickle". One begins with { "format": "suffice" }. Pass what JSON.stringify(fitted) wrote."`,
    )
    expect(said(new TextEncoder().encode(text))).toMatchInlineSnapshot(
      `"load was given bytes. It takes the text of a model file, or the object parsed from it. Decode them first: readFile(path, "utf8")."`,
    )
  })

  test("a byte order mark does no harm", () => {
    expect(said(`\ufeff${text}`)).toBe("it loads")
  })

  test("a newer version is named", () => {
    expect(put("version", 2)).toMatchInlineSnapshot(
      `"the model file was written by a newer Suffice: its version is 2, this Suffice reads up to 1. What the newer version means is not known here. Update Suffice."`,
    )
    expect(put("version", "1")).toMatchInlineSnapshot(
      `"the model file has "1" at version, where a whole number ≥ 1 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })

  test("parts that are missing, or too many, are named", () => {
    expect(put("statistics", undefined)).toMatchInlineSnapshot(
      `"the model file has nothing at statistics, where a value belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("colums", [])).toMatchInlineSnapshot(
      `"the model file has "colums" at the top, where only "format", "version", "model", "columns", "labels", "prior", "statistics", "training", "diagnostics", "target", "belief", "spread" and "calibration" belong. It was damaged, or changed by hand. Did you mean "columns"?"`,
    )
  })
})

describe("a model that is not one", () => {
  const PART = "model.bodies.0.parts.1"

  test("unknown names are named", () => {
    const known = /known here: .* are\./
    expect(put(`${PART}.family`, "zipf").replace(known, "known here: … are.")).toMatchInlineSnapshot(
      `"the model file uses the family "zipf" at model.bodies[0].parts[1].family, which is not known here: … are. A file names families, it does not bring them along. Pass its kind: load(json, { families: [ … ] })."`,
    )
    expect(put(`${PART}.family`, "constructor")).toContain('"constructor"')
    expect(put(`${PART}.kind`, "forest")).toMatchInlineSnapshot(
      `"the model file has the structure "forest" at model.bodies[0].parts[1].kind, which is not known here: "leaf", "independent", "classes", "mixture", "plate", "chain", "network", "dynamicNetwork" and "window" are. It was damaged, or written by another Suffice. Update Suffice, or save the model again."`,
    )
    expect(put(`${PART}.kind`, "__proto__")).toContain('"__proto__"')
  })

  test("wrong types are named with their path", () => {
    expect(put("model", 3)).toMatchInlineSnapshot(
      `"the model file has 3 at model, where a model belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("model.kind", undefined)).toMatchInlineSnapshot(
      `"the model file has nothing at model.kind, where text belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("model.bodies", {})).toMatchInlineSnapshot(
      `"the model file has an object with 0 keys at model.bodies, where a list belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("model.bodies", [])).toMatchInlineSnapshot(
      `"the model file has a list of 0 at model.bodies, where one body belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("model.column", null)).toMatchInlineSnapshot(
      `"the model file has null at model.column, where text belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("model.levels", ["a", 1, "1"])).toMatchInlineSnapshot(
      `"the model file has "1" a second time at model.levels[2], where each stands once. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("model.prior", -1)).toMatchInlineSnapshot(
      `"the model file cannot be used at model: classes: prior is -1. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default."`,
    )
    expect(put(`${PART}.options`, [])).toMatchInlineSnapshot(
      `"the model file has a list of 0 at model.bodies[0].parts[1].options, where an object belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put(`${PART}.options.variance`, "fixed")).toMatchInlineSnapshot(
      `"the model file cannot be used at model.bodies[0].parts[1].options: gaussian: variance is "fixed". It must be one of "own" and "tied". Choose one of them, or leave it out."`,
    )
    expect(put(`${PART}.options.varience`, "own")).toMatchInlineSnapshot(
      `"the model file cannot be used at model.bodies[0].parts[1].options: gaussian: there is no option "varience". It knows "variance" and "prior". Did you mean "variance"?"`,
    )
    expect(put(`${PART}.columns`, [])).toMatchInlineSnapshot(
      `"the model file has a list of 0 at model.bodies[0].parts[1].columns, where at least one column belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put(`${PART}.columns`, ["z", "z"])).toMatchInlineSnapshot(
      `"the model file has "z" a second time at model.bodies[0].parts[1].columns[1], where each stands once. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put(`${PART}.columns`, ["b"])).toMatchInlineSnapshot(
      `"the model file cannot be used at model.bodies[0]: independent: column "b" stands in two parts. Independent parts share no column. Put the column in one part, or model both together with normal([...])."`,
    )
    expect(put("model.bodies.0.parts.0.name", 7)).toMatchInlineSnapshot(
      `"the model file has 7 at model.bodies[0].parts[0].name, where text belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })

  test("levels that are no list are refused, wherever they stand", () => {
    const levels = "model.bodies.0.parts.0.bodies.0.parts.1.options.levels"
    expect(put(levels, 5)).toMatch(/^the model file/)
    expect(put(levels, "red")).toMatch(/^the model file/)
    expect(put(levels, ["red", "red", "green"])).toMatch(/^the model file/)
    expect(put(levels, ["blue", "green", "red"])).toBe("it loads")
  })
})

// the columns of the file: y, x, s, z, b, w, v
describe("columns that do not fit", () => {
  test("are named", () => {
    expect(put("columns.2", { kind: "level", name: "x", levels: ["a"] })).toMatchInlineSnapshot(
      `"the model file has "x" a second time at columns[2], where each stands once. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns", [])).toMatchInlineSnapshot(
      `"the model file describes no columns, but its model uses "y", "x", "s", "z", "b", "w" and "v", in this order. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.1.name", "X")).toMatchInlineSnapshot(
      `"the model file describes the columns "y", "X", "s", "z", "b", "w" and "v", but its model uses "y", "x", "s", "z", "b", "w" and "v", in this order. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.1", { kind: "count", name: "x", mean: 1 })).toMatchInlineSnapshot(
      `"the model file describes column "x" at columns[1] otherwise than its model uses it: a "number" there, a "count" here. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.1", { kind: "colour", name: "x" })).toMatchInlineSnapshot(
      `"the model file has "colour" at columns[1].kind, where one of "number", "count", "level", "bag" and "steps" belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.1", 1)).toMatchInlineSnapshot(
      `"the model file has 1 at columns[1], where a column belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("labels", [])).toMatchInlineSnapshot(
      `"the model file has no labels, but its model switches on "y". It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("labels", ["s"])).toMatchInlineSnapshot(
      `"the model file has the labels "s", but its model switches on "y". It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })

  test("numbers that no arithmetic survives are refused", () => {
    expect(put("columns.1.shift", { $number: "NaN" })).toMatchInlineSnapshot(
      `"the model file has NaN at columns[1].shift, where a finite number belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.1.scale", 0)).toMatchInlineSnapshot(
      `"the model file has 0 at columns[1].scale, where a finite number above 1e-308 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.1.scale", 1e-310)).toMatchInlineSnapshot(
      `"the model file has 1e-310 at columns[1].scale, where a finite number above 1e-308 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.1.scale", { $number: "Infinity" })).toMatchInlineSnapshot(
      `"the model file has Infinity at columns[1].scale, where a finite number above 1e-308 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.1.scale", { $number: "many" })).toMatchInlineSnapshot(
      `"the model file has "many" at columns[1].scale, where one of NaN, Infinity, -Infinity, -0 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.1.scale", "1")).toMatchInlineSnapshot(
      `"the model file has "1" at columns[1].scale, where a finite number above 1e-308 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.1.variance", -1)).toMatchInlineSnapshot(
      `"the model file has -1 at columns[1].variance, where a finite number above 0 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })

  test("levels and words stand once", () => {
    expect(put("columns.2.levels", ["red", "red", "blue"])).toMatchInlineSnapshot(
      `"the model file has "red" a second time at columns[2].levels[1], where each stands once. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.2.levels", [1, "1", 2])).toMatchInlineSnapshot(
      `"the model file has "1" a second time at columns[2].levels[1], where each stands once. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.2.levels", [null, "a", "b"])).toMatchInlineSnapshot(
      `"the model file has null at columns[2].levels[0], where text, a boolean or a finite number belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.4.levels", ["no", "yes"])).toMatchInlineSnapshot(
      `"the model file describes column "b" at columns[4] otherwise than its model uses it: the levels are neither false and true nor 0 and 1. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.0.levels", [])).toMatchInlineSnapshot(
      `"the model file describes column "y" at columns[0] otherwise than its model uses it: a label needs at least one level. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.5.words", ["sun", "sun", "rain"])).toMatchInlineSnapshot(
      `"the model file has "sun" a second time at columns[5].words[1], where each stands once. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("columns.5.text", { lowercase: false })).toMatchInlineSnapshot(
      `"the text options of column "w" are not those of its model. How words are found and weighed must be as it was in training. Save the model again, or undo the change."`,
    )
  })
})

describe("numbers that do not fit", () => {
  const base64 = (...values: number[]): string => float64ToBase64(Float64Array.from(values))

  test("statistics have the right length and are finite", () => {
    const { statistics } = JSON.parse(text)
    expect(put("statistics", statistics.slice(4))).toMatchInlineSnapshot(
      `"the model file has "AAAANEAAAAAAAAA0QN/JcE5+AhFA/MsTQf0DJUAR…" at statistics, where base64 of whole doubles belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("statistics", [1, 2])).toMatchInlineSnapshot(
      `"the model file has a list of 2 at statistics, where text belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("statistics", base64(1, 2, 3))).toMatchInlineSnapshot(
      `"the model file has 3 statistics, but its model needs at least 6. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("statistics", base64(...new Array(1000).fill(1)))).toMatchInlineSnapshot(
      `"the model file has 1000 statistics, but its model needs 53. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("statistics", base64(1, Number.NaN))).toMatchInlineSnapshot(
      `"the model file has NaN at statistics[1], where a finite number belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("statistics", base64(Number.NEGATIVE_INFINITY))).toMatchInlineSnapshot(
      `"the model file has -Infinity at statistics[0], where a finite number belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })

  test("the prior is not negative", () => {
    expect(put("prior", -0.5)).toMatchInlineSnapshot(
      `"the model file has -0.5 at prior, where a finite number ≥ 0 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("prior", { $number: "Infinity" })).toMatchInlineSnapshot(
      `"the model file has Infinity at prior, where a finite number ≥ 0 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })

  test("statistics that make no parameters are refused", () => {
    const numbers = float64FromBase64(JSON.parse(text).statistics)!
    expect(put("statistics", float64ToBase64(numbers.fill(1e308)))).toMatchInlineSnapshot(`"it loads"`)
  })

  test("training and diagnostics are checked too", () => {
    expect(put("training.trace", ["low"])).toMatchInlineSnapshot(
      `"the model file has "low" at training.trace[0], where a number belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("training.learner.options", undefined)).toMatchInlineSnapshot(
      `"the model file has nothing at training.learner.options, where a value belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("training.runs.0.stopped", 1)).toMatchInlineSnapshot(
      `"the model file has 1 at training.runs[0].stopped, where text belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("training.continued", "yes")).toMatchInlineSnapshot(
      `"the model file has "yes" at training.continued, where true or nothing belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("training.runs.0.held", false)).toMatchInlineSnapshot(
      `"the model file has false at training.runs[0].held, where true or nothing belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(put("diagnostics", [{ code: "x", message: 3 }])).toMatchInlineSnapshot(
      `"the model file has 3 at diagnostics[0].message, where text belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })
})

describe("sizes nobody meant", () => {
  const small = (model: unknown): unknown => ({
    format: "suffice",
    version: 1,
    model,
    columns: [{ kind: "number", name: "x", shift: 0, scale: 1, variance: 1 }],
    labels: [],
    prior: 0,
    statistics: float64ToBase64(new Float64Array(100)),
    training: null,
    diagnostics: [],
  })
  const leaf = { kind: "leaf", columns: ["x"], family: "gaussian", options: {} }

  test("2^31 components in a small file make no room for them", () => {
    expect(
      said(small({ kind: "mixture", components: 2 ** 31, prior: 1, bodies: [leaf] })),
    ).toMatchInlineSnapshot(
      `"the model file has 2147483648 components at model.components, but statistics for at most 100. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(
      said(small({ kind: "mixture", components: 1e300, prior: 1, bodies: [leaf] })),
    ).toMatchInlineSnapshot(
      `"the model file has 1e+300 at model.components, where a whole number ≥ 1 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })

  test("nor do mixtures that multiply", () => {
    let model: unknown = leaf
    for (let depth = 0; depth < 20; depth++)
      model = { kind: "mixture", components: 50, prior: 1, bodies: [model] }
    expect(said(small(model))).toMatchInlineSnapshot(
      `"the model file has 100 statistics, but its model needs at least 2550. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })

  test("deep nesting is refused before the stack ends", () => {
    let model: unknown = leaf
    for (let depth = 0; depth < 1000; depth++) model = { kind: "independent", parts: [model] }
    expect(said(small(model))).toMatchInlineSnapshot(
      `"the model is nested more than 64 deep, at model.parts[0].parts[0].parts[0].parts[0].parts[0].parts[0].…. No model needs that, and reading it could exhaust the stack. Nest fewer structures."`,
    )
    const million = 1_000_000
    const head = '{"format": "suffice", "version": 1, "model": '
    expect(said(head + "[".repeat(million))).toMatch(/ends in the middle/)
    expect(said(`${head}${"[".repeat(million)}${"]".repeat(million)}}`)).toMatch(/^the model file/)
    const nested = `"trace":[${"[".repeat(million)}${"]".repeat(million)},`
    expect(said(text.replace('"trace":[', nested))).toMatch(/nested/)
  })

  test("names in the file never reach a prototype", () => {
    expect(said(text.replace('"format"', '"__proto__":{"polluted":true},"format"'))).toMatchInlineSnapshot(
      `"the model file has "__proto__" at the top, where only "format", "version", "model", "columns", "labels", "prior", "statistics", "training", "diagnostics", "target", "belief", "spread" and "calibration" belong. It was damaged, or changed by hand. Take it out."`,
    )
    expect(said(text.replace('"options":{', '"options":{"__proto__":{"prior":5},'))).toMatchInlineSnapshot(
      `"the model file cannot be used at model.bodies[0].parts[0].bodies[0].parts[0].options: gaussian: there is no option "__proto__". It knows "variance" and "prior". Leave it out."`,
    )
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
