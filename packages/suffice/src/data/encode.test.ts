/** Long because every sentence of the door stands here as it reads, for learning and for questions. */
import { describe, expect, test } from "vitest"
import type { Bags, Block, Chunk } from "../contract/block.ts"
import type { Column, Need } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { gaussian } from "../families/gaussian.ts"
import { fit } from "../fit/fit.ts"
import { em } from "../learners/em.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { normal } from "../structures/normal.ts"
import { readingOf } from "../text/reading.ts"
import { BLOCK, CHUNK } from "./cut.ts"
import { discover, type Schema } from "./discover.ts"
import { encodeForLearning } from "./encode.ts"
import { encodedForQuestion } from "./question-blocks.ts"
import type { Data } from "./read.ts"
import type { Weighting } from "./weigh.ts"

const x: Column = { kind: "number", name: "x", shift: 10, scale: 2, variance: 1 }
const n: Column = { kind: "count", name: "n", mean: 1 }
const y: Column = { kind: "level", name: "y", levels: ["a", "b"] }
const w: Extract<Column, { kind: "bag" }> = {
  kind: "bag",
  name: "w",
  words: ["cat", "dog", "mat"],
  text: { lowercase: true },
}
const readings = new Map([["w", readingOf({ lowercase: true })]])
const schema: Schema = { columns: [x, n, y, w], labels: ["y"], readings }
const plain: Schema = { columns: [x], labels: [], readings }

async function learn(
  schema: Schema,
  data: unknown,
  rows: number,
  weighting: Weighting = {},
): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of encodeForLearning(schema, data as Data, weighting, rows)) chunks.push(chunk)
  return chunks
}
const ask = (schema: Schema, data: unknown, asked?: string) => {
  const { blocks, unseen } = encodedForQuestion(schema, data as Data, asked)
  return { blocks, unseen, rows: blocks.reduce((sum, block) => sum + block.rows, 0) }
}
const said = async (run: () => unknown): Promise<string> => {
  try {
    await run()
  } catch (error) {
    return (error as Error).message
  }
  return "nothing was thrown"
}
const plainCells = (block: Block): unknown[] =>
  block.cells.map(held =>
    "words" in held
      ? { offsets: [...held.offsets], words: [...held.words], counts: [...held.counts] }
      : Array.from(held as Float64Array),
  )

const rows = [
  { x: 12, n: 3, y: "b", w: "Dog, cat; dog!" },
  { x: null, n: null, y: null, w: null },
  { x: 6, n: 0n, y: "a", w: { mat: 2.5, dog: 0, ghost: 9 } },
]
const held = [
  [1, Number.NaN, -2],
  [3, Number.NaN, 0],
  [1, -1, 0],
  { offsets: [0, 2, 2, 3], words: [0, 1, 2], counts: [1, 2, 2.5] },
]

test("cells are held as (x − shift)/scale, counts, codes and bags; NaN, −1 and no words are missing", async () => {
  const [[block]] = await learn(schema, rows, 3)
  expect(plainCells(block)).toEqual(held)
  expect([...block.weight]).toEqual([1, 1, 1])
  const { blocks, unseen } = ask(schema, rows)
  expect(plainCells(blocks[0])).toEqual(held)
  expect([...unseen]).toEqual([[2, { w: ["ghost"] }]])
})

test("numbers that have lost bits, near 0, are held apart, and their variance beside them", async () => {
  const step = 5e-321
  for (const cells of [Float64Array.of(0, step, 2 * step, 3 * step), [0, step, 2 * step, 3 * step]]) {
    const { schema } = await discover(independent({ x: gaussian() }).uses, { x: cells } as Data, {})
    const [{ cells: held }] = ask(schema, { x: cells }).blocks
    const [a, b, c, d] = held[0] as Float64Array
    const { variance } = schema.columns[0] as Extract<Column, { kind: "number" }>
    for (const gap of [b - a, c - b, d - c]) {
      expect(gap / Math.sqrt(variance)).toBeCloseTo(1 / Math.sqrt(1.25), 3)
    }
  }
})

describe("rows are cut into blocks of 480 and chunks of 8192", () => {
  test.each([1, 479, 480, 481, 8191, 8192, 8193, 20000])("%d rows", async count => {
    const data = { x: Float64Array.from({ length: count }, (_, i) => i) }
    const chunks = await learn(plain, data, count)
    const sizes = chunks.map(chunk => chunk.reduce((sum, block) => sum + block.rows, 0))
    expect(sizes.slice(0, -1).every(size => size === CHUNK)).toBe(true)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count)
    for (const chunk of chunks) expect(chunk.slice(0, -1).every(block => block.rows === BLOCK)).toBe(true)
    const back = chunks.flat().flatMap(block => Array.from(block.cells[0] as Float64Array))
    expect(back).toEqual(Array.from(data.x, value => (value - 10) / 2))
    const asked = ask(plain, data)
    expect(asked.rows).toBe(count)
    expect(asked.blocks.flatMap(block => Array.from(block.cells[0] as Float64Array))).toEqual(back)
    expect(asked.blocks.map(block => block.rows)).toEqual(chunks.flat().map(block => block.rows))
  })

  test("however a source cuts them, and with bags across the cuts", async () => {
    const count = 8500
    const all = Array.from({ length: count }, (_, i) => ({
      w: i % 3 === 0 ? null : `cat ${"dog ".repeat(i % 5)}`,
    }))
    const bags: Schema = { columns: [w], labels: [], readings }
    const whole = (await learn(bags, all, count)).map(chunk => chunk.map(plainCells))
    for (const size of [7, 256, 8192, 10000]) {
      const source = {
        async *[Symbol.asyncIterator]() {
          for (let from = 0; from < count; from += size) yield all.slice(from, from + size)
        },
      }
      expect((await learn(bags, source, count)).map(chunk => chunk.map(plainCells))).toEqual(whole)
    }
    const offsets = ((await learn(bags, all, count))[1][0].cells[0] as Bags).offsets
    expect(offsets[0]).toBe(0)
  })
})

test("every kind of typed array is held like the plain one", async () => {
  const whole = [0, 1, 2, 3]
  const expected = plainCells((await learn(plain, { x: whole }, 4))[0][0])
  const kinds = [
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
  ]
  for (const kind of kinds)
    expect(plainCells((await learn(plain, { x: kind.from(whole) }, 4))[0][0])).toEqual(expected)
  for (const kind of [BigInt64Array, BigUint64Array])
    expect(
      plainCells(
        (await learn(plain, { x: (kind as BigInt64ArrayConstructor).from(whole.map(BigInt)) }, 4))[0][0],
      ),
    ).toEqual(expected)
})

test("a bag is held in order of its codes, each word once, however long it is", async () => {
  const draws = dice(4)
  const words = Array.from({ length: 500 }, (_, code) => `w${String(code).padStart(3, "0")}`)
  const bag: Column = { kind: "bag", name: "w", words, text: { lowercase: true } }
  const bags = [0, 1, 31, 32, 33, 400, 5, 3000].map(length =>
    Array.from({ length }, () => words[draws.integer(words.length)]),
  )
  const [[block]] = await learn({ columns: [bag], labels: [], readings }, { w: bags }, bags.length)
  const { offsets, words: codes, counts } = block.cells[0] as Bags
  bags.forEach((bag, i) => {
    const counted = [...new Set(bag)]
      .sort()
      .map(word => [words.indexOf(word), bag.filter(w => w === word).length])
    const held = Array.from({ length: offsets[i + 1] - offsets[i] }, (_, t) => [
      codes[offsets[i] + t],
      counts[offsets[i] + t],
    ])
    expect(held).toEqual(counted)
  })
})

test("learning reads the columns of the model, and never lists the names of a row", async () => {
  const shy = rows.map(
    row =>
      new Proxy(row, {
        ownKeys: () => {
          throw new Error("names were listed")
        },
      }),
  )
  const uses = schema.columns.map(({ name, kind }) => ({
    column: name,
    need: (kind === "number"
      ? { kind, scale: "own" }
      : kind === "bag"
        ? { kind, text: w.text, reading: readings.get("w") }
        : { kind }) as Need,
    measure: "mass" as const,
    group: name,
    role: name === "y" ? ("label" as const) : ("cell" as const),
  }))
  expect((await discover(uses, shy as never, {})).rows).toBe(3)
  expect(plainCells((await learn(schema, shy, 3))[0][0])).toEqual(held)
})

test("held cells are copies: whoever changes the data afterwards changes nothing", async () => {
  const data = { x: Float64Array.of(12, 14), weight: Float64Array.of(1, 2) }
  const [[block]] = await learn(plain, data, 2, { column: "weight" })
  data.x.fill(0)
  data.weight.fill(0)
  expect(plainCells(block)).toEqual([[1, 2]])
  expect([...block.weight]).toEqual([1, 2])
})

test("rows of weight 0 are left out", async () => {
  const data = { x: [10, Number.POSITIVE_INFINITY, 14], weight: [1, 0, 3] }
  const [[block]] = await learn(plain, data, 2, { column: "weight" })
  expect(plainCells(block)).toEqual([[0, 2]])
  expect([...block.weight]).toEqual([1, 3])
})

describe("a soft label", () => {
  const labels: Schema = { columns: [x, y], labels: ["y"], readings }
  test("is one copy of its row per level, with its share of the weight", async () => {
    const [[block]] = await learn(
      labels,
      [
        { x: 12, y: { b: 3, a: 1 }, weight: 8 },
        { x: 6, y: "a", weight: 1 },
      ],
      3,
      { column: "weight" },
    )
    expect(plainCells(block)).toEqual([
      [1, 1, -2],
      [1, 0, 0],
    ])
    expect([...block.weight]).toEqual([6, 2, 1])
  })

  test("gives each copy the weight of its class", async () => {
    const soft = await learn(labels, [{ x: 12, y: { a: 1, b: 3 } }], 2, {
      classes: { a: 5, b: 2 },
      label: "y",
    })
    expect([...soft[0][0].weight]).toEqual([expect.closeTo(5 / 4, 15), expect.closeTo(6 / 4, 15)])
  })

  test("of two labels is a copy for each pair", async () => {
    const z: Column = { kind: "level", name: "z", levels: [0, 1] }
    const [[block]] = await learn(
      { columns: [y, z], labels: ["y", "z"], readings },
      [{ y: { a: 1, b: 1 }, z: { 0: 1, 1: 3 } }],
      4,
    )
    expect(plainCells(block)).toEqual([
      [0, 0, 1, 1],
      [0, 1, 0, 1],
    ])
    expect([...block.weight]).toEqual([0.125, 0.375, 0.125, 0.375])
  })

  test("is no question", async () => {
    expect(
      await said(() =>
        ask(labels, [
          { x: 1, y: "a" },
          { x: 1, y: { a: 1 } },
        ]),
      ),
    ).toMatchInlineSnapshot(
      `"row 1 of "y" holds an object with 1 key. A level is text, a boolean or a finite number. Put one level in each cell (soft labels are for fit), or choose multinomial() for lists of words."`,
    )
    expect(ask(labels, [{ x: 1, y: { a: 1 } }], "y").rows).toBe(1)
  })

  test("makes its chunk longer: chunks are cut by the rows of the data", async () => {
    const count = 9000
    const rows = Array.from({ length: count }, (_, i) => ({ x: i, y: { a: 1, b: 1 } }))
    const chunks = await learn(labels, rows, 2 * count)
    expect(chunks.map(chunk => chunk.reduce((sum, block) => sum + block.rows, 0))).toEqual([16384, 1616])
    expect(chunks[1][0].first).toBe(8192)
    expect(chunks[0].every(({ weight }) => weight.every(w => w === 0.5))).toBe(true)
  })

  test("and rows of weight 0 leave theirs shorter, or empty", async () => {
    const rows = Array.from({ length: 20000 }, (_, i) => ({ x: i, y: "a", w: i < 8192 || i % 2 }))
    const chunks = await learn(
      labels,
      rows.map(row => ({ ...row, w: row.x < 8192 ? 0 : row.x % 2 })),
      5904,
      { column: "w" },
    )
    expect(chunks.map(chunk => chunk.reduce((sum, block) => sum + block.rows, 0))).toEqual([0, 4096, 1808])
  })
})

describe("a source that changed between passes is refused", () => {
  test("with fewer rows, more rows, or none: a generator runs only once", async () => {
    const data = { x: [1, 2, 3] }
    expect(await said(() => learn(plain, data, 4))).toMatchInlineSnapshot(
      `"the source changed between passes: the first pass found 4 rows, this one 3. It is read again for every sweep, and must give the same rows each time. Pass an object whose [Symbol.asyncIterator]() begins anew (a generator runs only once), or hold the rows in memory."`,
    )
    expect(await said(() => learn(plain, data, 2))).toMatchInlineSnapshot(
      `"the source changed between passes: the first pass found 2 rows, this one more. It is read again for every sweep, and must give the same rows each time. Pass an object whose [Symbol.asyncIterator]() begins anew (a generator runs only once), or hold the rows in memory."`,
    )
    expect(await said(() => learn(plain, [], 2))).toMatchInlineSnapshot(
      `"the source changed between passes: the first pass found 2 rows, this one 0. It is read again for every sweep, and must give the same rows each time. Pass an object whose [Symbol.asyncIterator]() begins anew (a generator runs only once), or hold the rows in memory."`,
    )
  })

  test("with a level that was not there before", async () => {
    const levels: Schema = { columns: [y], labels: ["y"], readings }
    expect(await said(() => learn(levels, [{ y: "a" }, { y: "c" }], 2))).toMatchInlineSnapshot(
      `"the source changed between passes: row 1 of "y" holds "c", which the first pass never met. It is read again for every sweep, and must give the same rows each time. Pass an object whose [Symbol.asyncIterator]() begins anew (a generator runs only once), or hold the rows in memory."`,
    )
    expect(await said(() => learn(levels, [{ y: { a: 1, c: 1 } }], 2))).toMatchInlineSnapshot(
      `"the source changed between passes: row 0 of "y" holds "c", which the first pass never met. It is read again for every sweep, and must give the same rows each time. Pass an object whose [Symbol.asyncIterator]() begins anew (a generator runs only once), or hold the rows in memory."`,
    )
  })
})

describe("numbers farther than a square can say", () => {
  const far = [1e200, -1e200, 1.7e308, null]

  test("are held at ±1e140, in learning and in asking; missing stays missing", async () => {
    const expected = [1e140, -1e140, 1e140, Number.NaN]
    const cells = far.map(x => ({ x }))
    expect(plainCells((await learn(plain, cells, 4))[0][0])).toEqual([expected])
    expect(plainCells(ask(plain, cells).blocks[0])).toEqual([expected])
  })

  const body = { x: gaussian(), z: gaussian() }
  const rows = Array.from({ length: 60 }, (_, i) => ({
    y: i % 2 ? "wide" : "narrow",
    x: (i % 2 ? 5 : 1) * Math.sin(i),
    z: i % 2 ? Math.cos(7 * i) : 3, // constant: its variance is held at the floor
  }))
  test.each([
    ["independent columns", independent(body), 0],
    ["independent columns with a prior", independent(body), 1],
    ["a full normal", normal(["x", "z"]), 0],
    ["a diagonal normal", normal(["x", "z"], { covariance: "diag" }), 0],
    ["a spherical normal", normal(["x", "z"], { covariance: "spherical" }), 1],
  ] as const)("belong to the class with the larger spread: %s", async (_, model, prior) => {
    const fitted = await fit(classes("y", model as Model), rows as never, { learner: em({ prior }) })
    for (const x of [1e3, 1e100, 1e154, 1e200, -1e200, 1.7e308]) {
      for (const row of [{ x }, { x: 0, z: x }, { x, z: -x }]) {
        const asked = [{ z: null, ...row }] as never[]
        expect(fitted.predict(asked)[0], JSON.stringify(row)).toMatchObject({ value: "wide", probability: 1 })
        expect(fitted.logDensity(asked)[0]).toBeGreaterThan(-Infinity)
      }
    }
  })
})

describe("a question", () => {
  test("reports levels that training never saw, by row and column, and takes them as missing", () => {
    const z: Column = { kind: "level", name: "__proto__", levels: [1, 2] }
    const rows = [
      { y: "a", ["__proto__"]: 1 },
      { y: "new", ["__proto__"]: 3 },
      { y: "b", ["__proto__"]: "1" },
    ]
    const { blocks, unseen } = ask({ columns: [y, z], labels: [], readings }, rows)
    expect(plainCells(blocks[0])).toEqual([
      [0, -1, 1],
      [0, -1, -1],
    ])
    expect([...unseen].map(([row, found]) => [row, Object.entries(found)])).toEqual([
      [
        1,
        [
          ["y", "new"],
          ["__proto__", 3],
        ],
      ],
      [2, [["__proto__", "1"]]],
    ])
  })

  test("never reads the column it asks for, and may leave labels out", () => {
    const { blocks } = ask(schema, [{ n: 1, w: null }], "x")
    expect(plainCells(blocks[0]).slice(0, 3)).toEqual([[Number.NaN], [1], [-1]])
    expect(ask(plain, [{ x: "no number" }], "x").rows).toBe(1)
  })

  test("a column that no row has is missing, unless it is there under another spelling, or no column is known", async () => {
    const late = Array.from({ length: CHUNK + 2 }, (_, i) => (i === 0 ? { x: 1 } : {}))
    expect(ask(plain, late).rows).toBe(CHUNK + 2)
    expect(await said(() => ask(plain, [{ X: 1 }, { other: 2 }]))).toMatchInlineSnapshot(
      `"column "x" is not in the data. The data has "X" and "other". Did you mean "X"? If it is missing in every row, put null in its cells."`,
    )
    expect(await said(() => ask(plain, [{ other: 2 }]))).toMatchInlineSnapshot(
      `"column "x" is not in the data. The data has "other". Rename the column in the model or in the data. If it is missing in every row, put null in its cells."`,
    )
    const left = ask(schema, [{ n: 1 }])
    const whole = ask(schema, [{ x: null, n: 1, w: null }])
    expect(plainCells(left.blocks[0])).toEqual(plainCells(whole.blocks[0]))
    expect(ask(plain, [{}]).rows).toBe(1)
    expect(ask(plain, [])).toEqual({ blocks: [], rows: 0, unseen: new Map() })
  })

  test("takes rows in memory", async () => {
    const source = {
      async *[Symbol.asyncIterator]() {
        yield [{ x: 1 }]
      },
    }
    expect(await said(() => ask(plain, source))).toMatchInlineSnapshot(
      `"a question takes rows in memory, not a source: answers come all at once. Loop over it."`,
    )
  })

  test("checks cells as learning does", async () => {
    expect(await said(() => ask(plain, [{ x: 1 }, { x: "2" }]))).toMatchInlineSnapshot(
      `"row 1 of "x" holds "2". The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical()."`,
    )
    expect(await said(() => ask(schema, [{ x: 1, n: 0.5, w: "" }]))).toMatchInlineSnapshot(
      `"row 0 of "n" holds 0.5. The support is the non-negative integers. Round it, drop the row, or choose gaussian()."`,
    )
    expect(await said(() => ask(schema, [{ x: 1, n: 1, w: 5 }]))).toMatchInlineSnapshot(
      `"row 0 of "w" holds 5. A bag of words is text, a list of words, or { word: count } or a Map with counts ≥ 0. Pass one of these, or null."`,
    )
  })
})
