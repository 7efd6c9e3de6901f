/** Steps through the door: what is found in them, how they are held, and what is said of bad ones. */
import { expect, test } from "vitest"
import { cellOf, ownerOf, placeIn } from "../blocks/encoded.ts"
import type { Bags, Block, Chunk, Nested } from "../contract/block.ts"
import type { Model } from "../contract/model.ts"
import { categorical, classes, fit, gaussian, independent, multinomial, plate } from "../index.ts"
import { BLOCK } from "./cut.ts"
import { type Discovery, discover } from "./discover.ts"
import { encodeForLearning } from "./encode.ts"
import { questionBlocks } from "./question-blocks.ts"
import type { Data } from "./read.ts"
import { STEPS } from "./steps-encoder.ts"

const body = independent({ x: gaussian(), tag: categorical() })
const model = plate("steps", body) as Model

async function held(data: Data, of: Model = model): Promise<{ found: Discovery; chunks: Chunk[] }> {
  const found = await discover(of.uses, data, {})
  const chunks: Chunk[] = []
  for await (const chunk of encodeForLearning(found.schema, data, {}, found.rows)) chunks.push(chunk)
  return { found, chunks }
}

const plain = ({ offsets, block }: Nested): unknown => ({
  offsets: [...offsets],
  cells: block.cells.map(cells => Array.from(cells as Float64Array)),
})

test("levels, moments and missing cells are those of all steps", async () => {
  const { found } = await held([
    { steps: [{ x: 1, tag: "b" }, null, { x: 3 }] },
    { steps: null },
    { steps: [] },
    { steps: { x: [5, 7], tag: ["a", null] } },
  ])
  expect(found.schema.columns).toEqual([
    {
      kind: "steps",
      name: "steps",
      columns: [
        { kind: "number", name: "x", shift: 4, scale: Math.sqrt(5), variance: 1 },
        { kind: "level", name: "tag", levels: ["a", "b"] },
      ],
    },
  ])
  expect(found.missing).toEqual({ steps: 1, x: 1, tag: 3 })
  expect(found.steps).toEqual({ steps: 5 })
})

test("every form of the same steps is held alike", async () => {
  const forms: Data[] = [
    [
      {
        steps: [
          { x: 1, tag: "b" },
          { x: null, tag: "a" },
        ],
      },
      { steps: [{ x: 3, tag: "b" }] },
    ],
    [{ steps: { x: [1, NaN], tag: ["b", "a"] } }, { steps: { x: [3], tag: ["b"] } }],
    [
      { steps: { x: Float64Array.of(1, NaN), tag: ["b", "a"] } },
      { steps: { x: Float64Array.of(3), tag: ["b"] } },
    ],
    { steps: [[{ tag: "b", x: 1 }, { tag: "a" }], { tag: ["b"], x: [3] }] },
  ]
  const all = await Promise.all(forms.map(data => held(data)))
  const [first, ...others] = all.map(({ found, chunks }) => ({
    columns: found.schema.columns,
    cells: plain(chunks[0][0].cells[0] as Nested),
  }))
  for (const other of others) expect(other).toEqual(first)
  const { columns } = all[0].found.schema
  expect(cellOf(columns[0], all[0].chunks[0][0].cells[0], 0)).toEqual([
    { x: 1, tag: "b" },
    { x: null, tag: "a" },
  ])
})

test("where there is one column, a list of its cells will do; a bag is one too", async () => {
  const letters = plate("steps", independent({ tag: categorical() })) as Model
  const [named, bare] = await Promise.all([
    held([{ steps: [{ tag: "a" }, { tag: "b" }, null] }], letters),
    held([{ steps: ["a", "b", null] }], letters),
  ])
  expect(bare.chunks).toEqual(named.chunks)
  const texts = plate("steps", independent({ text: multinomial() })) as Model
  const [rows, cells] = await Promise.all([
    held([{ steps: [{ text: { sun: 2 } }, { text: "rain sun" }] }], texts),
    held([{ steps: [{ sun: 2 }, "rain sun"] }], texts),
  ])
  expect(cells.chunks).toEqual(rows.chunks)
  const bags = (cells.chunks[0][0].cells[0] as Nested).block.cells[0] as Bags
  expect([[...bags.offsets], [...bags.block.weight]]).toEqual([
    [0, 1, 3],
    [2, 1, 1],
  ])
})

test("blocks are cut by rows and by steps, wherever the source is cut", async () => {
  const long = Array.from({ length: 700 }, (_, i) => ({
    steps: Array.from({ length: i === 5 ? 2 * STEPS : 4 + (i % 9) }, (_, t) => ({ x: i + t, tag: "a" })),
  }))
  const source: Data = {
    async *[Symbol.asyncIterator]() {
      for (let at = 0; at < long.length; at += 13) yield long.slice(at, at + 13)
    },
  }
  const { chunks } = await held(long)
  const blocks = chunks.flat()
  for (const { rows, cells } of blocks) {
    const steps = (cells[0] as Nested).block.rows
    expect(rows <= BLOCK && (rows === 1 || steps <= STEPS)).toBe(true)
  }
  expect(blocks.some(({ rows }) => rows === 1)).toBe(true)
  const ways = (all: readonly Block[]): unknown =>
    all.map(({ rows, first, cells }) => [rows, first, plain(cells[0] as Nested)])
  expect(ways((await held(source)).chunks.flat())).toEqual(ways(blocks))
})

test("a single row and several are asked about alike", async () => {
  const { found } = await held([
    {
      steps: [
        { x: 1, tag: "b" },
        { x: 3, tag: "a" },
      ],
    },
  ])
  const row = {
    steps: [
      { x: 2, tag: "b" },
      { x: 4, tag: "z" },
    ],
  }
  const one = questionBlocks(found.schema, [row])
  const two = questionBlocks(found.schema, [row, row])
  const alone = plain(one.next()!.cells[0] as Nested)
  const block = two.next()!
  expect(plain(block.cells[0] as Nested)).toMatchObject({ offsets: [0, 2, 4] })
  expect(one.unseen).toEqual(new Map([[0, { "steps[1].tag": "z" }]]))
  expect(two.unseen.get(1)).toEqual({ "steps[1].tag": "z" })
  expect(alone).toMatchObject({
    offsets: [0, 2],
    cells: [
      [expect.anything(), expect.anything()],
      [1, -1],
    ],
  })
})

test("a column that looks misspelt in the steps of a question is refused, in every form of steps", async () => {
  const long = plate("steps", independent({ length: gaussian(), tag: categorical() })) as Model
  const { found } = await held(
    [{ steps: [{ length: 1, tag: "a" }] }, { steps: [{ length: 2, tag: "b" }] }],
    long,
  )
  const refused = (...rows: unknown[]): string => {
    try {
      questionBlocks(found.schema, rows as Data).next()
      return "nothing"
    } catch (error) {
      return (error as Error).message
    }
  }
  const alone = refused({ steps: [{ lenght: 1, tag: "a" }] })
  expect(alone).toMatchInlineSnapshot(
    `"column "length" is not in the steps of "steps". They have "lenght" and "tag". Did you mean "lenght"? If it is missing in every step, put null in its cells."`,
  )
  for (const wrong of [
    [{ steps: { lenght: [1], tag: ["a"] } }],
    [{ steps: [{ lenght: 1, tag: "a" }] }, { steps: null }],
    [{ steps: [] }, { steps: [{ lenght: 1, tag: "a" }] }],
  ])
    expect(refused(...wrong)).toBe(alone)
  expect(refused({ steps: [{ width: 1 }] })).toMatchInlineSnapshot(
    `"column "length" is not in the steps of "steps". They have "width". Rename the column in the model or in the data. If it is missing in every step, put null in its cells."`,
  )
  // one that has it, a column left out, another besides, and nothing at all
  for (const right of [
    [{ steps: [{ lenght: 1, tag: "a" }] }, { steps: [{ length: 1 }] }],
    [{ steps: [{ tag: "a" }] }],
    [{ steps: [{ tag: "a", note: 7 }] }],
    [{ steps: [null] }],
    [{ steps: [] }],
  ])
    expect(refused(...right)).toBe("nothing")
  const inner = plate(
    "days",
    plate("steps", independent({ length: gaussian(), tag: categorical() })),
  ) as Model
  const nested = await held(
    [
      {
        days: [
          {
            steps: [
              { length: 1, tag: "a" },
              { length: 2, tag: "b" },
            ],
          },
        ],
      },
    ],
    inner,
  )
  expect(() =>
    questionBlocks(nested.found.schema, [{ days: [{ steps: [{ lenght: 1, tag: "a" }] }] }]),
  ).toThrow(alone)
})

test("where a step stands is told by its row", () => {
  const offsets = Int32Array.of(0, 2, 2, 5)
  expect([0, 1, 2, 4].map(inner => ownerOf(offsets, inner))).toEqual([0, 0, 2, 2])
  const block: Block = { rows: 5, weight: new Float64Array(5), cells: [], first: 10, offsets }
  expect(placeIn(block, 3)).toEqual({ row: 12, step: 1 })
  expect(placeIn({ ...block, numbers: Float64Array.of(7, 8, 40) }, 4)).toEqual({ row: 40, step: 2 })
})

test("rows of weight 0 count for nothing, and messages name the row of the data", async () => {
  const rows = [
    { w: 0, y: "a", steps: "nonsense" },
    { w: 1, y: "a", steps: [{ x: 1, tag: "a" }] },
    {
      w: 2,
      y: "b",
      steps: [
        { x: 2, tag: "b" },
        { x: Number.POSITIVE_INFINITY, tag: "b" },
      ],
    },
  ]
  const labelled = classes("y", plate("steps", body)) as Model
  await expect(fit(labelled, rows as never, { weight: "w" })).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: row 2, step 1 of "x" holds Infinity. A number must be finite to be modelled. Drop the row, or put null for a missing cell.]`,
  )
})

test("words of lists in steps are looked up once, and forgotten when they are encoded", async () => {
  let read = 0
  const watched = (words: readonly string[]) =>
    new Proxy([...words], {
      get(cells, at, self) {
        if (typeof at === "string" && /^\d+$/.test(at)) read++
        return Reflect.get(cells, at, self)
      },
    })
  const rows = ["ab ba b", "a", "ba a b c"].map(text => ({
    steps: text.split(" ").map(word => ({ letters: watched([...word]) })),
  }))
  const model = plate("steps", independent({ letters: multinomial() }) as never) as unknown as Model
  const { schema } = await discover(model.uses, rows as never, {})
  const letters = rows.flatMap(({ steps }) => steps.flatMap(({ letters }) => [...letters]))
  const once = letters.length
  expect(read).toBe(2 * once)
  const encoded = async () => {
    const chunks: Chunk[] = []
    for await (const chunk of encodeForLearning(schema, rows as never, {}, rows.length)) chunks.push(chunk)
    const { block } = chunks[0][0].cells[0] as Nested
    return [...(block.cells[0] as Bags).words]
  }
  const first = await encoded()
  expect(read).toBe(2 * once)
  expect(await encoded()).toEqual(first)
  expect(read).toBe(3 * once)
})
