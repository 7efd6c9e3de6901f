import { type Columns, fit } from "suffice"
import { expect, test } from "vitest"
import { file } from "../test/scratch.ts"
import { openTable } from "./open.ts"
import { pool, proposeModel, sourceFor } from "./propose.ts"
import type { TableOptions } from "./table.ts"

async function reports(text: string, options: TableOptions = {}, name = "table.csv") {
  const table = await openTable(file(name, text), options)
  return { table, reports: await table.summary() }
}

const people = Array.from({ length: 60 }, (_, i) =>
  [
    i + 1,
    ["yes", "no"][i % 2],
    20 + ((i * 7) % 41),
    ["Oslo", "Rome"][i % 3 > 0 ? 0 : 1],
    `word${i % 4} and word${i % 5} in ${i}`,
  ].join(","),
)
const PEOPLE = `id,smoker,age,city,remark\n${people.join("\n")}\n`

test("a proposed model says what it made of each column", async () => {
  const { table, reports: found } = await reports(PEOPLE, { label: "smoker" })
  const model = proposeModel(found, { label: "smoker" })
  expect(model.inferred.map(({ column, family }) => [column, family])).toEqual([
    ["id", undefined],
    ["age", "gaussian"],
    ["city", "categorical"],
    ["remark", "multinomial"],
  ])
  expect(model.target).toBe("smoker")
  const fitted = await fit(model, sourceFor(table, model))
  expect(fitted.predict(await table.take(1))).toHaveLength(1)
  await table.close()
})

test("without a label, the columns are independent", async () => {
  const { table, reports: found } = await reports(PEOPLE)
  const model = proposeModel(found, { text: "city" })
  expect(model.kind).toBe("independent")
  expect(model.inferred.find(({ column }) => column === "city")).toEqual({
    column: "city",
    family: "multinomial",
    why: "as was asked",
  })
  await table.close()
})

test("declared levels travel with the model", async () => {
  const text = "@relation r\n@attribute y {a,b}\n@attribute x {u,v,w}\n@data\na,u\nb,v\na,u\nb,v\n"
  const { table, reports: found } = await reports(text, { label: "y" }, "table.arff")
  const model = proposeModel(found, { label: "y" })
  const fitted = await fit(model, sourceFor(table, model))
  expect(Object.keys(fitted.predict([{ y: "a" }], { target: "x" })[0].probabilities)).toEqual(["u", "v", "w"])
})

test("rare levels are pooled, in training and ever after", async () => {
  const cells = Array.from({ length: 6000 }, (_, i) => (i % 10 === 0 ? 150 + ((i / 10) % 150) : i % 150))
  const text = `street,y\n${cells.map((cell, i) => `s${cell},${i % 2 ? "yes" : "no"}`).join("\n")}\n`
  const { table, reports: found } = await reports(text, { label: "y" })
  const model = proposeModel(found, { label: "y" })
  const kept = model.pooled.street
  expect(kept).toHaveLength(200)
  let others = 0
  for await (const batch of sourceFor(table, model)) {
    for (const cell of Array.from((batch as Columns).street)) if (cell === "(other)") others++
  }
  expect(others).toBe(cells.filter(cell => !kept.includes(`s${cell}`)).length)
  const fitted = await fit(model, sourceFor(table, model))
  const given = {
    async *[Symbol.asyncIterator]() {
      yield { street: ["never seen", null, "s1"] }
    },
  }
  for await (const batch of pool(given, model.pooled)) {
    expect(batch).toEqual({ street: ["(other)", null, "s1"] })
    expect(fitted.predict(batch as Columns)[0].unseen).toBeUndefined()
  }
  await table.close()
})

test("labels that cannot be learned from are refused", async () => {
  const refused = async (column: (i: number) => unknown, n = 12_000) => {
    const { table, reports: found } = await reports(
      `y,x\n${Array.from({ length: n }, (_, i) => `${column(i)},${i % 10}`).join("\n")}\n`,
      { label: "y" },
    )
    await table.close()
    try {
      proposeModel(found, { label: "y" })
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(await refused(i => `name${i % 10_000}`)).toMatchInlineSnapshot(
    `"the label "y" has 10,000 levels in 12,000 rows. A class needs rows to learn from, and at most 1,000 classes are told apart. Choose another column, or pool its rare levels."`,
  )
  expect(await refused(i => i / 7)).toMatchInlineSnapshot(
    `"the label "y" has more than 10,000 levels in 12,000 rows. A class needs rows to learn from, and at most 1,000 classes are told apart. If it is a quantity, leave the label out and predict the column as a number."`,
  )
  expect(await refused(() => "same", 50)).toMatchInlineSnapshot(
    `"the label "y" has one level only, in 50 rows. There is nothing to tell apart. Choose another column."`,
  )
  expect(await refused(() => "?", 50)).toMatchInlineSnapshot(
    `"the label "y" is missing in every row. How many classes there are cannot be guessed. Choose another column, or a mixture for groups that nobody named."`,
  )
})

test("columns that are not there, and a table with nothing to model, are refused", async () => {
  const { table, reports: found } = await reports("id,day\na1,2024-01-01\na2,2024-01-02\n")
  expect(() => proposeModel(found, { label: "days" })).toThrowErrorMatchingInlineSnapshot(
    `[FileError: label names "days", which is no column of the table. It has "id" and "day". Did you mean "day"?]`,
  )
  expect(() => proposeModel(found, { text: ["remark"] })).toThrowErrorMatchingInlineSnapshot(
    `[FileError: text names "remark", which is no column of the table. It has "id" and "day". Name one of them.]`,
  )
  expect(() => proposeModel(found)).toThrowErrorMatchingInlineSnapshot(
    `[FileError: no column is left to model ("id": nearly every string is different; "day": dates). A model needs at least one beside the label. Say what they are, for example as: { "id": "category" }.]`,
  )
  await table.close()
})

test("numbers that are missing are no level of their own when rare ones are pooled", async () => {
  const given = {
    async *[Symbol.asyncIterator]() {
      yield { code: Float64Array.of(1, Number.NaN, 7), kept: [undefined, "a", null] }
    },
  }
  for await (const batch of pool(given, { code: ["1"], kept: ["a"] })) {
    expect(batch).toEqual({ code: ["1", null, "(other)"], kept: [null, "a", null] })
  }
})
