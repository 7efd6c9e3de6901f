import { expect, test } from "vitest"
import type { Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import { chain, classes, fit, gaussian, independent, sequences } from "../index.ts"
import type { Batch, Source } from "./read.ts"

const table = [
  { id: "b", t: 2, x: 20, label: "up" },
  { id: "a", t: 1, x: 1, label: "down" },
  { id: "b", t: 1, x: 10, label: "up" },
  { id: "a", t: 4, x: 4, label: "down" },
]

const source = (...batches: Batch[]): Source => ({
  async *[Symbol.asyncIterator]() {
    yield* batches
  },
})

async function all(from: Source): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of from) rows.push(...(batch as Row[]))
  return rows
}

const asked = { by: "id", order: "t", keep: ["label"] }

test("rows in memory are gathered and sorted", () => {
  const wanted = [
    {
      id: "b",
      label: "up",
      steps: [
        { t: 1, x: 10 },
        { t: 2, x: 20 },
      ],
    },
    {
      id: "a",
      label: "down",
      steps: [
        { t: 1, x: 1 },
        { t: 4, x: 4 },
      ],
    },
  ]
  expect(sequences(table, asked)).toEqual(wanted)
  const columns = Object.fromEntries(
    ["id", "t", "x", "label"].map(name => [name, table.map(row => row[name as "x"])]),
  )
  expect(sequences(columns, asked)).toEqual(wanted)
})

test("without an id all rows are one sequence, in the order they have", () => {
  expect(sequences([{ x: 2 }, { x: 1 }], { column: "series" })).toEqual([{ series: [{ x: 2 }, { x: 1 }] }])
  expect(sequences([])).toEqual([])
})

test("missing time stamps become steps in which nothing is seen", () => {
  const [, a] = sequences(table, { ...asked, gaps: 1 })
  expect(a.steps).toEqual([{ t: 1, x: 1 }, null, null, { t: 4, x: 4 }])
})

test("a source is read sequence by sequence, wherever it is cut, and again from the beginning", async () => {
  const rows = [table[2], table[0], table[1], table[3]]
  for (const cut of [1, 2, 3]) {
    const made = sequences(source(rows.slice(0, cut), rows.slice(cut)), asked)
    expect(await all(made)).toEqual(sequences(table, asked))
    expect(await all(made)).toEqual(sequences(table, asked))
  }
})

test("a fit from a long table, in memory and from a source", async () => {
  const long = Array.from({ length: 200 }, (_, i) => ({
    id: i >> 2,
    t: i & 3,
    x: (i * 37) % 11,
    y: (i >> 2) % 2,
  }))
  const model = classes("y", chain(2, independent({ x: gaussian() }))) as unknown as Model
  const how = { by: "id", order: "t", keep: ["y"] }
  const one = await fit(model, sequences(long, how) as never)
  const other = await fit(model, sequences(source(long.slice(0, 99), long.slice(99)), how) as never)
  expect(other.describe()).toEqual(one.describe())
})

test("what cannot be put in sequence says why", async () => {
  const said = (make: () => unknown): string => {
    try {
      make()
    } catch (error) {
      return (error as Error).message
    }
    return "nothing"
  }
  const saidBy = async (made: Source): Promise<string> =>
    all(made).then(
      () => "nothing",
      (error: Error) => error.message,
    )
  const wrong = sequences as (...all: never[]) => unknown
  expect([
    said(() => sequences(table, { by: "di" })),
    said(() =>
      sequences(
        [
          { id: 1, x: 2 },
          { id: null, x: 3 },
        ],
        { by: "id" },
      ),
    ),
    said(() => sequences([{ t: null, x: 2 }], { order: "t" })),
    said(() => sequences(table, { order: "time" })),
    said(() => sequences(table, { by: "id", keep: ["lable"] })),
    said(() => sequences([{ t: 1 }, { t: 2 }, { t: 1 }], { order: "t" })),
    said(() => sequences([{ t: 1 }, { t: "2" }], { order: "t" })),
    said(() => sequences(table, { by: "id", keep: ["x"] })),
    said(() => sequences([{ t: 1 }, { t: 2.5 }], { order: "t", gaps: 1 })),
    said(() => sequences([{ t: 0 }, { t: 1e9 }], { order: "t", gaps: 1 })),
    said(() => wrong(table as never, { gaps: 1 } as never)),
    said(() => wrong(table as never, { keep: "label" } as never)),
    said(() => wrong(table as never, { by: 3 } as never)),
    said(() => wrong(table as never, { id: "id" } as never)),
    await saidBy(sequences(source(table), { by: "id" })),
    await saidBy(sequences(source([table[0], table[2]]), { by: "id", order: "t" })),
  ]).toMatchInlineSnapshot(`
    [
      "sequences: row 0 has no "di". It says which sequence a step belongs to. The rows have "id", "t", "x" and "label": name one of these columns.",
      "sequences: row 1 has no "id". It says which sequence a step belongs to. Fill it, or leave the row out.",
      "sequences: row 0 holds null in "t", by which the steps are ordered. A number or a text belongs there. Fill it, or leave the row out.",
      "sequences: row 0 has no "time", by which the steps are ordered. The rows have "id", "t", "x" and "label". Name one of these columns.",
      "sequences: row 0 has no "lable", which keep names. The rows have "id", "t", "x" and "label". Name one of these columns, or take it out of keep.",
      "sequences: rows 0 and 2 of one sequence both hold 1 in "t". Which comes first cannot be told. Leave one of them out, or order by another column.",
      "sequences: row 0 holds 1 and row 1 "2" in "t". Numbers and text have no common order. Convert one of them.",
      "sequences: "x" is 20 in row 0 and 10 in row 2 of one sequence. A column that is kept belongs to the sequence, so it is the same in all its rows. Take it out of keep, or correct the rows.",
      "sequences: "t" goes from 1 in row 0 to 2.5 in row 1. With gaps: 1 that is no whole number of steps. Give the distance of two steps, or leave gaps out.",
      "sequences: "t" goes from 0 in row 0 to 1000000000 in row 1. With gaps: 1 that is more than 1000000 steps without a row. Give the distance of two steps, or leave gaps out.",
      "sequences: gaps is 1. It is the distance of two steps in \`order\`, a finite number above 0. Give both, as in { order: "t", gaps: 1 }.",
      "sequences: keep is "label". It lists names of columns. Write for example { keep: ["label"] }.",
      "sequences: by is 3. It is the name of a column. Write for example { by: "id" }.",
      "sequences: there is no option "id". It knows "by", "order", "column", "keep" and "gaps". Leave it out.",
      "sequences: row 2 belongs to "b" again, after rows of another "id". The rows of a source are read once, sequence by sequence. Sort it by "id", or pass rows in memory.",
      "sequences: row 1 holds 1 in "t", after 2 in row 0. The rows of a source are read once, in order. Sort it by sequence and "t", or pass rows in memory.",
    ]
  `)
})
