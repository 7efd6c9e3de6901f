import type { Source } from "suffice"
import { expect, test } from "vitest"
import { file } from "../test/scratch.ts"
import type { As } from "./asked.ts"
import { openTable } from "./open.ts"
import { proposeModel } from "./propose.ts"
import { type ColumnReport, summarise } from "./summary.ts"
import type { FileColumn } from "./table.ts"

const ROWS = 400
const at = <T>(make: (i: number) => T): T[] => Array.from({ length: ROWS }, (_, i) => make(i))

async function reportsOf(
  columns: Readonly<Record<string, readonly (string | number | boolean | null)[]>>,
  options: { as?: Record<string, As>; label?: string; types?: Record<string, FileColumn["type"]> } = {},
): Promise<Record<string, ColumnReport>> {
  const source: Source = {
    async *[Symbol.asyncIterator]() {
      yield columns
    },
  }
  const described = Object.keys(columns).map(
    (name): FileColumn => ({
      name,
      type: options.types?.[name] ?? (typeof columns[name][0] === "number" ? "number" : "string"),
    }),
  )
  const reports = await summarise(described, source, options)
  return Object.fromEntries(reports.map(report => [report.name, report]))
}

test("each kind of column is told from the others", async () => {
  const reports = await reportsOf(
    {
      species: at(i => ["cat", "dog"][i % 2]),
      weight: at(i => (i % 10 === 0 ? null : Math.sqrt(i))),
      visits: at(i => [0, 1, 1, 2, 3][i % 5]),
      smoker: at(i => i % 3 === 0),
      city: at(i => ["Oslo", "Rome", "Paris"][i % 3]),
      remark: at(i => `nothing to say about number ${i}`),
      key: at(i => `K${i}`),
      row: at(i => i + 1),
      customer_id: at(i => (i * 7919) % 100_003),
      born: at(i => `2001-01-0${1 + (i % 9)}`),
      country: at(() => "Norway"),
      nothing: at(() => null),
      grade: at(i => [3, 1, 7, 9][i % 4]),
    },
    { label: "species", types: { born: "date" } },
  )
  const shown = Object.values(reports).map(
    ({ name, kind, family, why, note }) =>
      `${name}: ${kind}${family ? `, ${family}` : ""} (${why})${note ? ` ${note}` : ""}`,
  )
  expect(shown).toMatchInlineSnapshot(`
    [
      "species: label (it is the label)",
      "weight: number, gaussian (360 different numbers)",
      "visits: count, poisson (whole numbers from 0 to 3, their variance near their mean: counts)",
      "smoker: binary, bernoulli (true or false)",
      "city: category, categorical (3 different words in 400 cells)",
      "remark: text, multinomial (400 of 400 strings are several words)",
      "key: id (nearly every string is different) left out: an id says nothing about other rows",
      "row: id (whole numbers, each the one before plus 1) left out: an id says nothing about other rows",
      "customer_id: id (different whole numbers, called an id) left out: an id says nothing about other rows",
      "born: date (dates) left out: a date by itself says nothing about other rows; read it as its parts, or as a number of days",
      "country: constant (every cell is the same)",
      "nothing: ignore (every cell is missing)",
      "grade: number, gaussian (4 different whole numbers, whose order and distance count; if they are codes, name categorical()) 4 different whole numbers: if they are codes, read it as a category",
    ]
  `)
})

test("missing cells and levels are counted over all rows", async () => {
  const { word, n } = await reportsOf({
    word: at(i => (i % 4 === 0 ? null : i % 4 === 1 ? "rare" : "often")),
    n: at(i => (i % 8 === 0 ? Number.NaN : i % 3)),
  })
  expect(word.missing).toEqual({ count: 100, share: 0.25 })
  expect(word.levels).toEqual({
    count: 2,
    more: false,
    frequent: [
      { level: "often", rows: 200 },
      { level: "rare", rows: 100 },
    ],
  })
  expect(n.missing).toEqual({ count: 50, share: 0.125 })
})

test("what was asked for is what it is", async () => {
  const { a, b, c, d } = await reportsOf(
    { a: at(i => String(i)), b: at(i => i % 5), c: at(i => `x${i % 3}`), d: at(i => i) },
    { as: { a: "text", b: "category", c: "ignore", d: "count" } },
  )
  expect([a, b, c, d].map(({ kind, family }) => [kind, family])).toEqual([
    ["text", "multinomial"],
    ["category", "categorical"],
    ["ignore", undefined],
    ["count", "poisson"],
  ])
})

test("a family that is never proposed is asked for by name, and makes the model", async () => {
  const as = { a: "gamma", b: "beta", c: "negativeBinomial" } as const
  const found = await reportsOf(
    { a: at(i => 1 + (i % 7)), b: at(i => (1 + (i % 9)) / 11), c: at(i => i % 5) },
    { as },
  )
  const reports = [found.a, found.b, found.c]
  expect(reports.map(({ kind, family }) => [kind, family])).toEqual([
    ["number", "gamma"],
    ["number", "beta"],
    ["count", "negativeBinomial"],
  ])
  const { uses, inferred } = proposeModel(reports)
  expect(uses.map(({ need }) => need.kind)).toEqual(["number", "number", "count"])
  expect(inferred.map(({ why }) => why)).toEqual(["as was asked", "as was asked", "as was asked"])
})

test("a category with too many levels keeps the most frequent ones", async () => {
  // 300 levels; the first 150 fill 90 % of 6,000 rows
  const cells = Array.from(
    { length: 6000 },
    (_, i) => `street-${i % 10 === 0 ? 150 + ((i / 10) % 150) : i % 150}`,
  )
  const { street } = await reportsOf({ street: cells })
  expect([street.kind, street.family, street.keep?.length]).toEqual(["category", "categorical", 200])
  expect(street.keep).toContain("street-1")
  expect(street.note).toMatchInlineSnapshot(
    `"285 levels: the 200 most frequent (94 % of the rows) are kept, the rest become "(other)""`,
  )
})

test("one that would keep too little is left out", async () => {
  const { name } = await reportsOf({ name: Array.from({ length: 6000 }, (_, i) => `n${i % 5000}`) })
  expect([name.kind, name.family, name.why]).toEqual(["id", undefined, "nearly every string is different"])
})

test("a family is chosen from all rows, not from the first ones", async () => {
  const visits = Array.from({ length: 30_000 }, (_, i) => (i === 29_999 ? -1 : i % 3))
  const table = await openTable(file("visits.csv", `visits,x\n${visits.map(v => `${v},a`).join("\n")}\n`))
  const [report] = await table.summary()
  expect([report.kind, report.family]).toEqual(["number", "gaussian"])
  await table.close()
})

test("which levels are the most frequent does not depend on the order of the rows", async () => {
  const cells = at(i => `c${(i * 7) % 9}`)
  const [one, other] = [await reportsOf({ cells }), await reportsOf({ cells: [...cells].reverse() })]
  expect(one.cells.levels?.frequent.map(({ level }) => level)).toEqual(
    other.cells.levels?.frequent.map(({ level }) => level),
  )
  // 400 rows of nine: four levels have one row more
  const most = one.cells.levels!.frequent.slice(0, 4).map(({ level }) => level)
  expect(most).toEqual([...most].sort())
})

test("whole numbers that count up are row numbers only if there are enough of them", async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => i + 5)
  expect((await reportsOf({ n: rows(20) })).n).toMatchObject({ kind: "id" })
  expect((await reportsOf({ n: rows(19) })).n.kind).not.toBe("id")
})

test("a column called an id is one if its numbers differ, as far as they are counted", async () => {
  // more than are counted; those of the second begin to repeat at once
  const many = Array.from({ length: 12_000 }, (_, i) => (i * 7919) % 100_003)
  const { user_id, order_id } = await reportsOf({
    user_id: many,
    order_id: many.map((x, i) => (i < 50 ? 3 : x)),
  })
  expect(user_id).toMatchObject({ kind: "id", why: "different whole numbers, called an id" })
  expect(order_id.kind).toBe("number")
})
