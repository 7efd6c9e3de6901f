import { describe, expect, test } from "vitest"
import type { Need, Use } from "../contract/columns.ts"
import { multinomial } from "../families/multinomial.ts"
import { type Discovery, discover } from "./discover.ts"
import type { Data } from "./read.ts"
import type { Weighting } from "./weigh.ts"

const use = (column: string, need: Need, role: Use["role"] = "cell", group = column): Use => ({
  column,
  need,
  measure: need.kind === "number" ? "density" : "mass",
  group,
  role,
})
const number: Need = { kind: "number", scale: "own" }
const level: Need = { kind: "level" }
const bag = multinomial().need as Extract<Need, { kind: "bag" }>
const find = (uses: readonly Use[], data: unknown, weighting: Weighting = {}): Promise<Discovery> =>
  discover(uses, data as Data, weighting)
const said = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "nothing was thrown",
    error => error.message,
  )
const levelsOf = async (
  cells: readonly unknown[],
  need: Need = level,
  role?: Use["role"],
): Promise<unknown> => {
  const { schema } = await find(
    [use("y", need, role)],
    cells.map(y => ({ y })),
  )
  const [column] = schema.columns
  return column.kind === "level" && column.levels
}

describe("the first pass finds", () => {
  test("the mean and the spread of numbers, held as (x − shift)/scale", async () => {
    const { schema, missing, rows, weight } = await find([use("x", number)], {
      x: [1, null, 3, Number.NaN, undefined, 5n],
    })
    expect(schema.columns).toEqual([
      { kind: "number", name: "x", shift: 3, scale: expect.closeTo(Math.sqrt(8 / 3), 14), variance: 1 },
    ])
    expect({ missing, rows, weight }).toEqual({ missing: { x: 3 }, rows: 6, weight: 6 })
  })

  test("the mean of counts", async () => {
    const { schema } = await find([use("n", { kind: "count" })], { n: [0, 4, null] })
    expect(schema.columns).toEqual([{ kind: "count", name: "n", mean: 2 }])
  })

  test("levels, sorted, of whatever type they are", async () => {
    expect(await levelsOf(["b", "a", null, "b"])).toEqual(["a", "b"])
    expect(await levelsOf([10, 9, 2])).toEqual([2, 9, 10])
    expect(await levelsOf([true, false])).toEqual([false, true])
    expect(await levelsOf([3n, 1n])).toEqual([1, 3])
    expect(await levelsOf(["b", 2, "a", true])).toEqual([true, 2, "a", "b"])
    expect(await levelsOf(["toString", "__proto__", "constructor"])).toEqual([
      "__proto__",
      "constructor",
      "toString",
    ])
  })

  test("levels that are numbers, however alike: by their last bits, as halves, as zeros of two signs", async () => {
    const levels = [1, 0, -0, 1025, 2049, 1, 1.5, -1, -1023, 4294967297, 2 ** 53, Number.NaN]
    const cells = Array.from({ length: 600 }, (_, i) => levels[(i * i + (i >> 4)) % levels.length])
    const expected = [...new Set(cells.filter(cell => !Number.isNaN(cell)))].sort((a, b) => a - b)
    for (const y of [cells, Float64Array.from(cells)]) {
      const { schema, missing } = await find([use("y", level)], { y })
      expect(schema.columns).toEqual([{ kind: "level", name: "y", levels: expected }])
      expect(missing).toEqual({ y: cells.filter(Number.isNaN).length })
    }
  })

  test("the declared levels in their own order, copied", async () => {
    const levels = ["b", "a", "c"]
    const found = await levelsOf(["a"], { kind: "level", levels })
    expect(found).toEqual(["b", "a", "c"])
    expect(found).not.toBe(levels)
  })

  test("false and true, or 0 and 1, whichever a binary column has", async () => {
    const binary: Need = { kind: "level", binary: true }
    expect(await levelsOf([true], binary)).toEqual([false, true])
    expect(await levelsOf([0n, 0], binary)).toEqual([0, 1])
    expect(await levelsOf([null], binary)).toEqual([false, true])
  })

  test("words, in the order in which they come; those of a declared vocabulary stay", async () => {
    const { schema } = await find([use("w", bag)], { w: ["the Cat sat", ["dog", "cat"], { mat: 2 }, null] })
    expect(schema.columns).toMatchObject([{ words: ["the", "cat", "sat", "dog", "mat"] }])
    const given = await find([use("w", { ...bag, words: ["mat", "cat"] })], { w: ["dog"] })
    expect(given.schema.columns).toMatchObject([{ words: ["mat", "cat"] }])
  })

  test("columns named like parts of an object's prototype", async () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      const { schema, missing } = await find([use(name, number)], [Object.fromEntries([[name, 2]]), {}])
      expect(schema.columns).toMatchObject([{ name, shift: 2 }])
      expect(Object.entries(missing)).toEqual([[name, 1]])
    }
  })
})

describe("columns of a group with a common scale", () => {
  const common: Need = { kind: "number", scale: "common" }
  test("are held in the root mean square of their spreads, with their own pooled variances", async () => {
    const { schema } = await find([use("x", common, "cell", "g"), use("y", common, "cell", "g")], {
      x: [-3, 3],
      y: [-1, 1],
    })
    const scale = Math.sqrt((9 + 1) / 2)
    expect(schema.columns).toMatchObject([
      { scale: expect.closeTo(scale, 14), variance: expect.closeTo(9 / 5, 14) },
      { scale: expect.closeTo(scale, 14), variance: expect.closeTo(1 / 5, 14) },
    ])
  })

  test("without any spread have scale 1", async () => {
    const { schema } = await find([use("x", common, "cell", "g"), use("y", common, "cell", "g")], {
      x: [2, 2],
      y: [5, 5],
    })
    expect(schema.columns).toMatchObject([
      { scale: 1, variance: 1 },
      { scale: 1, variance: 1 },
    ])
  })
})

describe("a row of weight 0 leaves no trace", () => {
  const uses = [use("x", number), use("y", level, "label"), use("w", bag), use("n", { kind: "count" })]
  const rows = [
    { x: 1, y: "a", w: "one", n: 2, weight: 1 },
    { x: 4, y: "b", w: "two", n: 3, weight: 2 },
  ]
  const ghosts = [
    { x: 1000, y: "ghost", w: "boo", n: 99, weight: 0 },
    { x: null, y: null, w: null, n: null, weight: 0 },
    { x: Number.POSITIVE_INFINITY, y: { phantom: -1 }, w: 7, n: -1, weight: 0 },
  ]
  test("in moments, levels, words, missing cells and rows, and its cells are not even checked", async () => {
    const column = { column: "weight" }
    expect(await find(uses, [ghosts[0], rows[0], ghosts[1], rows[1], ghosts[2]], column)).toEqual(
      await find(uses, rows, column),
    )
  })

  test("nor does a class of weight 0", async () => {
    const weighting = { column: "weight", classes: { ghost: 0 }, label: "y" }
    const haunted = [...rows, { ...rows[0], x: 1e6, y: "ghost" }]
    expect(await find(uses, haunted, weighting)).toEqual(await find(uses, rows, weighting))
  })
})

describe("soft labels", () => {
  test("are one row per level with weight", async () => {
    const { rows, weight, missing } = await find(
      [use("y", level, "label"), use("z", level, "label")],
      [
        { y: { a: 1, b: 2, c: 0 }, z: { d: 1, e: 1, f: 1 } },
        { y: "a", z: { d: 1 } },
        { y: null, z: "d" },
      ],
    )
    expect({ rows, weight, missing }).toEqual({ rows: 6 + 1 + 1, weight: 3, missing: { y: 1, z: 0 } })
  })

  test("name levels by their text, whatever their type and order", async () => {
    expect(await levelsOf([{ 0: 0.5, 1: 0.5 }, 0, 1], level, "label")).toEqual([0, 1])
    expect(await levelsOf([1, { 0: 0.5, 1: 0.5 }], level, "label")).toEqual([0, 1])
    expect(await levelsOf([{ true: 1 }, false], level, "label")).toEqual([false, true])
    expect(await levelsOf([{ 1: 0.5, 2: 0.5 }], { kind: "level", levels: [1, 2] }, "label")).toEqual([1, 2])
    expect(await levelsOf([{ b: 1 }, { a: 1 }], level, "label")).toEqual(["a", "b"])
  })

  test("are weighed by their classes", async () => {
    const found = await find([use("y", level, "label")], [{ y: { a: 1, b: 1 } }, { y: "b" }], {
      classes: { a: 3, b: 0 },
      label: "y",
    })
    expect(found).toMatchObject({ rows: 1, weight: 1.5, schema: { columns: [{ levels: ["a"] }] } })
  })

  test("are for labels only", async () => {
    expect(await said(levelsOf([{ a: 1 }]))).toMatchInlineSnapshot(
      `"row 0 of "y" holds an object with 1 key. A level is text, a boolean or a finite number. Put one level in each cell (soft labels are for fit), or choose multinomial() for lists of words."`,
    )
  })

  test("name declared levels", async () => {
    const read = levelsOf(["a", { a: 1, bb: 2 }], { kind: "level", levels: ["a", "b"] }, "label")
    expect(await said(read)).toMatchInlineSnapshot(
      `"row 1 of "y" holds "bb", which is not among the declared levels "a" and "b". A level that is not declared cannot be learned. Add it to the levels, or put null."`,
    )
  })
})

test("levels given as keys take the type of the cells", async () => {
  const need: Need = { kind: "level", levels: ["1", "2", "10"], named: true }
  expect(await levelsOf([10, 2], need)).toEqual([1, 2, 10])
  expect(await levelsOf(["10"], need)).toEqual(["1", "2", "10"])
  expect(await said(levelsOf([3], need))).toMatchInlineSnapshot(
    `"row 0 of "y" holds 3, which is not among the declared levels "1", "2" and "10". A level that is not declared cannot be learned. Add it to the levels, or put null."`,
  )
})

describe("a column that teaches nothing is reported", () => {
  const codes = async (need: Need, cells: unknown, role?: Use["role"]): Promise<unknown> =>
    (await find([use("x", need, role)], { x: cells })).diagnostics.map(({ code, column }) => [code, column])
  test("if it is constant", async () => {
    expect(await codes(number, [2, 2, null])).toEqual([["constant-column", "x"]])
    expect(await codes({ kind: "count" }, [2, 2])).toEqual([["constant-column", "x"]])
    expect(await codes(level, ["a", "a"])).toEqual([["constant-column", "x"]])
    expect(await codes({ kind: "level", levels: ["a", "b"] }, ["a", "a"])).toEqual([["constant-column", "x"]])
    expect(await codes({ kind: "level", binary: true }, [true, true])).toEqual([["constant-column", "x"]])
    expect(await codes(number, [2, 3])).toEqual([])
  })
  test("if it is empty; a label may be, where its levels are declared", async () => {
    for (const need of [number, { kind: "count" }, level, { kind: "level", binary: true }, bag] as const)
      expect(await codes(need, [null, null])).toEqual([["empty-column", "x"]])
    expect(await codes({ kind: "level", levels: ["a"] }, [null], "label")).toEqual([])
  })
  test("if it is a label and a declared level has no row; not where every label is missing", async () => {
    const declared: Need = { kind: "level", levels: ["a", "b", "c"] }
    const { diagnostics } = await find([use("y", declared, "label")], { y: ["a", "b", null, "a"] })
    expect(diagnostics).toMatchInlineSnapshot(`
      [
        {
          "code": "empty-level",
          "column": "y",
          "message": "no row holds the declared level "c" of "y": unless a prior or rows without a label speak for it, its probability is 0. Bring such rows, give classes("y", …) a prior, or declare it no longer.",
        },
      ]
    `)
    const several = await find([use("y", declared, "label")], { y: ["a", { a: 1 }] })
    expect(several.diagnostics.map(({ message }) => message)).toMatchInlineSnapshot(`
      [
        "column "y" holds one value only: it tells no rows apart.",
        "no row holds the declared levels "b" and "c" of "y": unless a prior or rows without a label speak for them, their probability is 0. Bring such rows, give classes("y", …) a prior, or declare them no longer.",
      ]
    `)
    expect(await codes(declared, ["a", { b: 1, c: 2 }], "label")).toEqual([])
    expect(await codes(declared, [null, null], "label")).toEqual([])
    expect(await codes(declared, ["a", "b"])).toEqual([])
    const named: Need = { kind: "level", levels: ["1", "2"], named: true }
    expect(await codes(named, [1, 2], "label")).toEqual([])
    expect(await codes(named, [2, 2], "label")).toContainEqual(["empty-level", "x"])
  })
  test("in a sentence", async () => {
    const { diagnostics } = await find([use("x", number), use("y", level)], { x: [1, 1], y: [null, null] })
    expect(diagnostics.map(({ message }) => message)).toMatchInlineSnapshot(`
      [
        "column "x" holds one value only: it tells no rows apart.",
        "column "y" is missing in every row: it teaches nothing.",
      ]
    `)
  })
  test("also beside soft labels, which are several rows each", async () => {
    const { diagnostics } = await find(
      [use("x", number), use("y", level, "label")],
      [{ x: null, y: { a: 1, b: 1 } }],
    )
    expect(diagnostics).toMatchObject([{ code: "empty-column", column: "x" }])
  })
})

test("values from 1e−300 to 1e+300 have a finite scale that is not 0", async () => {
  for (const x of [
    [1e-300, 1, 2],
    [1e150, -1e150, 1e-150],
    [1e-300, 3e-300],
    [-8e307, 8e307],
  ]) {
    const [column] = (await find([use("x", number)], { x })).schema.columns
    expect(column.kind === "number" && column.scale > 0 && Number.isFinite(column.scale)).toBe(true)
  }
})

test("the first pass stops at an abort, and does not begin after one", async () => {
  const controller = new AbortController()
  controller.abort(new Error("enough"))
  let read = 0
  const source = {
    async *[Symbol.asyncIterator]() {
      read++
      yield [{ x: 1 }]
    },
  }
  expect(await said(discover([use("x", number)], source, {}, controller.signal))).toBe("enough")
  expect(read).toBe(0)
})

describe("refused is", () => {
  const x = [use("x", number)]
  const nothing = {
    async *[Symbol.asyncIterator]() {
      yield []
      yield {}
    },
  }
  test("data without rows", async () => {
    const sentence = await said(find(x, []))
    expect(sentence).toMatchInlineSnapshot(
      `"the data has no rows. There is nothing to learn from. Pass at least one row."`,
    )
    for (const data of [{}, { x: [] }, nothing]) expect(await said(find(x, data))).toBe(sentence)
  })

  test("data without the column", async () => {
    expect(await said(find(x, [{ X1: 1 }]))).toMatchInlineSnapshot(
      `"column "x" is not in the data. The data has "X1". Did you mean "X1"?"`,
    )
    expect(await said(find(x, [{}]))).toMatchInlineSnapshot(
      `"column "x" is not in the data. The data has no columns. Rename the column in the model or in the data."`,
    )
  })

  test("weights that add up to nothing, or to more than a number holds", async () => {
    const rows = [{ x: 1, y: "a", w: 0 }]
    const y = [...x, use("y", level, "label")]
    expect(await said(find(x, rows, { column: "w" }))).toMatchInlineSnapshot(
      `"all rows together weigh 0, by "w". The total must be finite and above 0. Give at least one row a weight above 0."`,
    )
    expect(await said(find(y, rows, { classes: { a: 0 }, label: "y" }))).toMatchInlineSnapshot(
      `"all rows together weigh 0, by classWeights. The total must be finite and above 0. Give at least one row a weight above 0."`,
    )
    expect(await said(find(x, { x: [1, 2], w: [1e308, 1e308] }, { column: "w" }))).toMatchInlineSnapshot(
      `"all rows together weigh Infinity, by "w". The total must be finite and above 0. Divide the weights by their mean."`,
    )
  })

  test("a cell of the wrong type, with its row and column", async () => {
    expect(await said(find(x, [{ x: 1 }, { x: "2" }]))).toMatchInlineSnapshot(
      `"row 1 of "x" holds "2". The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical()."`,
    )
    expect(await said(find([use("w", bag)], { w: ["a", 5] }))).toMatchInlineSnapshot(
      `"row 1 of "w" holds 5. A bag of words is text, a list of words, or { word: count } or a Map with counts ≥ 0. Pass one of these, or null."`,
    )
    expect(await said(find([use("w", bag)], { w: ["a", ["b", 5]] }))).toMatchInlineSnapshot(
      `"row 1 of "w" holds a list of 2. A bag of words is text, a list of words, or { word: count } or a Map with counts ≥ 0. Pass one of these, or null."`,
    )
    expect(await said(find([use("w", bag)], { w: [{ a: -1 }] }))).toMatchInlineSnapshot(
      `"row 0 of "w" holds an object with 1 key. A bag of words is text, a list of words, or { word: count } or a Map with counts ≥ 0. Pass one of these, or null."`,
    )
  })

  test("a number so large that differences overflow", async () => {
    expect(await said(find(x, { x: [1.5e308, 1] }))).toMatchInlineSnapshot(
      `"column "x" holds numbers as large as 1.5e+308. Above 8.9e+307 their differences overflow. Rescale the column, or take logarithms."`,
    )
  })

  test("a level that is not declared, or is declared as another type", async () => {
    expect(await said(levelsOf(["a", "c"], { kind: "level", levels: ["a", "b"] }))).toMatchInlineSnapshot(
      `"row 1 of "y" holds "c", which is not among the declared levels "a" and "b". A level that is not declared cannot be learned. Add it to the levels, or put null."`,
    )
    expect(await said(levelsOf([1], { kind: "level", levels: ["1", "2"] }))).toMatchInlineSnapshot(
      `"row 0 of "y" holds 1, which is not among the declared levels "1" and "2". A level that is not declared cannot be learned. Add it to the levels, or put null."`,
    )
  })

  test("a list of levels with a repetition", async () => {
    expect(await said(levelsOf(["a"], { kind: "level", levels: ["a", "b", "a"] }))).toMatchInlineSnapshot(
      `"the declared levels of "y" repeat: "a", "b" and "a". A description names each level once. Remove the repetition."`,
    )
  })

  test('a column with both 1 and "1"', async () => {
    expect(await said(levelsOf([1, "1"]))).toMatchInlineSnapshot(
      `"row 1 of "y" holds "1", another row holds 1. One is a string, the other a number, and no table tells them apart. Convert the column to one type."`,
    )
  })

  test("a binary cell that is not binary, or of both kinds", async () => {
    const binary: Need = { kind: "level", binary: true }
    expect(await said(levelsOf([0, 1, 2], binary))).toMatchInlineSnapshot(
      `"row 2 of "y" holds 2. bernoulli() takes booleans, or 0 and 1. Convert the cell, or choose categorical()."`,
    )
    expect(await said(levelsOf(["yes"], binary))).toMatchInlineSnapshot(
      `"row 0 of "y" holds "yes". bernoulli() takes booleans, or 0 and 1. Convert the cell, or choose categorical()."`,
    )
    expect(await said(levelsOf([0, true], binary))).toMatchInlineSnapshot(
      `"row 1 of "y" holds true, another row holds 0. bernoulli() takes booleans, or 0 and 1, but not both in one column. Convert the column to one of them."`,
    )
  })

  test("a label that is missing everywhere, without declared levels", async () => {
    expect(await said(levelsOf([null, undefined, Number.NaN], level, "label"))).toMatchInlineSnapshot(
      `"all labels in "y" are missing and no levels are declared. How many classes there are cannot be guessed. Declare them: classes("y", body, { levels: [ … ] }), or use mixture(k, body)."`,
    )
  })
})
