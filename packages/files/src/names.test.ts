/** Columns, words and cells may be called anything: what every object has, or what ends a text in another language. */
import { fit, type Row } from "suffice"
import { expect, test } from "vitest"
import { file } from "../test/scratch.ts"
import type { As } from "./asked.ts"
import { encode } from "./encode.ts"
import { openTable } from "./open.ts"
import { pool, proposeModel, sourceFor } from "./propose.ts"
import type { TableOptions } from "./table.ts"
import { writeTable } from "./write.ts"

const NAMES = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"]
const own = (cells: readonly (readonly [string, unknown])[]): Row => Object.fromEntries(cells) as Row

async function read(path: string, options: TableOptions = {}): Promise<{ rows: Row[]; types: string }> {
  const table = await openTable(path, options)
  try {
    await table.summary()
    return { rows: await table.take(99), types: table.columns.map(({ type }) => type).join() }
  } finally {
    await table.close()
  }
}

/** Two groups, told apart by every column. */
const ROWS = Array.from({ length: 40 }, (_, i) =>
  own([...NAMES.map(name => [name, (i % 2) + (i % 7) / 10] as const), ["y", i % 2 ? "a" : "b"]]),
)

test.each(["csv", "tsv", "ndjson", "parquet", "arff"])("columns that every object has: %s", async format => {
  const path = `names.${format}`
  if (format === "arff") {
    const head = [...NAMES.map(name => `@attribute ${name} numeric`), "@attribute y {a,b}", "@data"]
    const cells = ROWS.map(row => Object.values(row).join())
    file(path, ["@relation r", ...head, ...cells].join("\n"))
  } else await writeTable(path, ROWS)
  const { rows, types } = await read(path, { label: "y" })
  expect(rows).toEqual(ROWS)
  expect(types).toBe("number,number,number,number,number,string")

  const table = await openTable(path, { label: "y" })
  try {
    const model = proposeModel(await table.summary(), { label: "y" })
    const fitted = await fit(model, sourceFor(table, model))
    const [{ value }] = fitted.predict([own(NAMES.map(name => [name, 1.3]))])
    expect(value).toBe("a")
  } finally {
    await table.close()
  }
})

test.each(["csv", "ndjson", "parquet"])(
  "they are read as what was asked, and only then: %s",
  async format => {
    const path = `asked.${format}`
    await writeTable(path, ROWS)
    for (const name of NAMES) {
      const as = Object.fromEntries([[name, "category" as As]])
      const { rows } = await read(path, { as })
      expect(rows[1]).toEqual(
        own(Object.entries(ROWS[1]).map(([n, cell]) => [n, n === name ? String(cell) : cell])),
      )
      const left = await read(path, { as: Object.fromEntries([[name, "ignore" as As]]) })
      expect(Object.keys(left.rows[0])).toEqual(Object.keys(ROWS[0]).filter(n => n !== name))
    }
  },
)

test("labels of svmlight and of folders may be called so", async () => {
  file("label.svm", "1 1:1\n0 2:1\n")
  file("texts/a/1.txt", "one")
  for (const label of NAMES) {
    expect(Object.keys((await read("label.svm", { label })).rows[0])).toEqual([label, "features"])
    expect((await read("texts", { label })).rows).toEqual([
      own([
        [label, "a"],
        ["text", "one"],
        ["file", "a/1.txt"],
      ]),
    ])
  }
})

test("rare levels of such a column are pooled", async () => {
  const batch = own([["__proto__", ["a", "b", null]]]) as never
  const source = {
    async *[Symbol.asyncIterator]() {
      yield batch
    },
  }
  const kept = Object.fromEntries([
    ["__proto__", ["a"]],
    ["constructor", ["a"]],
  ])
  for await (const columns of pool(source, kept)) {
    expect(Object.entries(columns)).toEqual([["__proto__", ["a", "(other)", null]]])
  }
})

test("a cell that a row does not have is missing, whatever its column is called", () => {
  expect(encode([{ a: 1 }], { format: "csv", columns: ["a", ...NAMES], header: false })).toBe("1,,,,,\n")
  expect(encode({ a: [1] }, { format: "ndjson", columns: ["a", "constructor"], header: false })).toBe(
    '{"a":1,"constructor":null}\n',
  )
})

test("words that every object has are counted", async () => {
  const bags = [own(NAMES.map((name, i) => [name, i + 1])), own([["__proto__", 2]])]
  file("bags.ndjson", bags.map(bag => JSON.stringify({ words: bag })).join("\n"))
  const { rows, types } = await read("bags.ndjson")
  expect(types).toBe("bag")
  expect(rows.map(({ words }) => Object.entries(words as object).sort())).toEqual(
    bags.map(bag => Object.entries(bag).sort()),
  )
})

test.each(["csv", "ndjson", "parquet"])("NUL is a character of a cell like others: %s", async format => {
  const path = `nul.${format}`
  const rows = Array.from({ length: 30 }, (_, i) => ({
    n: i,
    short: `a\0${i % 3}`,
    long: `a long word \0 and ${i % 3}`,
  }))
  await writeTable(path, rows)
  expect((await read(path)).rows).toEqual(rows)
  const known = await read(path, { missing: ["a\0" + "1"] })
  expect(known.rows.slice(0, 3).map(({ short }) => short)).toEqual(["a\0" + "0", null, "a\0" + "2"])
})

test("NUL is a character of a name like others", async () => {
  const rows = [
    own([
      ["a\0b", 1.5],
      ["c", own([["d\0", 1]])],
    ]),
    own([
      ["a\0b", 2],
      ["c", own([["d\0", 2]])],
    ]),
  ]
  file("nul-key.ndjson", rows.map(row => JSON.stringify(row)).join("\n"))
  expect((await read("nul-key.ndjson")).rows).toEqual(rows)
  file("nul-key.csv", "a\0b,c\n1.5,x\n2,y\n")
  expect((await read("nul-key.csv", { as: { "a\0b": "number" } })).rows).toEqual([
    { "a\0b": 1.5, c: "x" },
    { "a\0b": 2, c: "y" },
  ])
  await expect(writeTable("nul-key.parquet", rows)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[FileError: the column "a\\u0000b" has the character NUL in its name. DuckDB, which writes Parquet, takes that for the end of a text. Rename the column, or write CSV or NDJSON.]`,
  )
})
