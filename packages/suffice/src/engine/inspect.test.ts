import { expect, test } from "vitest"
import { categorical, classes, dice, fit, gaussian, independent } from "../index.ts"

const rolls = dice(1)
const rows = Array.from({ length: 60 }, (_, i) => {
  const x = rolls.normal()
  return {
    y: i % 2 === 0 ? "even" : "odd",
    x,
    fahrenheit: 32 - 1.8 * x,
    code: i % 2 === 0 ? "E" : "O",
    shade: ["light", "dark"][rolls.integer(2)],
    colour: "",
    margin: (i % 2 === 0 ? -1 : 1) * (0.1 + rolls.uniform()),
    empty: i < 2 ? 1 + i : null,
  }
}).map(row => ({ ...row, colour: row.shade === "light" ? "white" : "black" }))

const body = independent({
  x: gaussian(),
  fahrenheit: gaussian(),
  code: categorical(),
  shade: categorical(),
  colour: categorical(),
  margin: gaussian(),
  empty: gaussian(),
})

test("copies, columns that give the label away and almost empty columns are named", async () => {
  const { diagnostics } = await fit(classes("y", body), rows)
  expect(diagnostics.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "column "empty" is missing in 58 of 60 rows: what it teaches rests on the few others.",
      "column "fahrenheit" says the same as "x" in every row: its evidence counts twice. Leave one of them out.",
      "column "colour" says the same as "shade" in every row: its evidence counts twice. Leave one of them out.",
      "column "code" says the same as "y" in every row: its evidence counts twice. Leave one of them out.",
      "column "code" tells "y" by itself in every row. Is it known before "y" is? If not, leave it out.",
      "column "margin" tells "y" by itself in every row. Is it known before "y" is? If not, leave it out.",
    ]
  `)
})

test("a shuffled label is given away by nothing", async () => {
  const shuffled = rows.map((row, i) => ({
    ...row,
    y: rows[(i * 7) % 60].y === "odd" && i % 3 ? "odd" : "even",
  }))
  const { diagnostics } = await fit(classes("y", body), shuffled)
  expect(diagnostics.filter(({ code }) => code === "leaking-column")).toEqual([])
})

test("where only the first rows were looked at, the warning says how many", async () => {
  const many = Array.from({ length: 8300 }, (_, i) => ({ a: i % 7, b: i < 8200 ? 3 * (i % 7) : 1 }))
  const { diagnostics } = await fit(independent({ a: gaussian(), b: gaussian() }), many)
  expect(diagnostics.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "column "b" says the same as "a" in the first 8192 rows: its evidence counts twice. Leave one of them out.",
    ]
  `)
})

test("what shows in few rows, or in the last ones, is found all the same", async () => {
  const roll = dice(7)
  const sorted = Array.from({ length: 3000 }, (_, i) => {
    const noise = roll.normal()
    return {
      y: i < 1500 ? "first" : "second",
      noise,
      // varies in seven rows of 3000, of which a sample sees none
      rare: i % 500 === 3 ? 1 : 0,
      copy: i % 500 === 3 ? 5 : 2,
      late: i < 1500 ? noise : 100 + noise,
      // a copy but for one row
      almost: i === 1801 ? 50 : 3 * noise,
    }
  })
  const body = independent({
    noise: gaussian(),
    rare: gaussian(),
    copy: gaussian(),
    late: gaussian(),
    almost: gaussian(),
  })
  const { diagnostics } = await fit(classes("y", body), sorted)
  expect(diagnostics.map(({ code, column }) => `${code} ${column}`)).toEqual([
    "duplicate-column copy",
    "leaking-column late",
  ])
})

test("a column is not suspected because nearly every row has a value of its own: there must be five rows to each", async () => {
  const told = async (levels: number): Promise<boolean> => {
    const some = Array.from({ length: 100 }, (_, i) => ({
      y: (i % levels) % 3 === 0 ? "yes" : "no",
      code: `c${i % levels}`,
    }))
    const { diagnostics } = await fit(classes("y", independent({ code: categorical() })), some)
    return diagnostics.some(({ code }) => code === "leaking-column")
  }
  expect([await told(100), await told(21), await told(20), await told(4)]).toEqual([false, false, true, true])
})
