import { categorical, chain, fit, independent, sequences } from "suffice"
import { expect, test } from "vitest"
import { file, refusal } from "../test/scratch.ts"
import { openTable } from "./open.ts"

const IOB = `-DOCSTART- -X- O

# written by hand
Anna NNP B-PER
sold VBD O
# # O
3 CD O


In  IN\tO
Oslo NNP B-LOC
`.replace("\t", "  ")

test("a line is a token, a blank line ends a sentence, and a comment has other cells than a token", async () => {
  const table = await openTable(file("names.iob", IOB))
  expect(table.columns).toEqual([
    { name: "sequence", type: "integer" },
    { name: "c1", type: "string" },
    { name: "c2", type: "string" },
    { name: "c3", type: "string" },
  ])
  expect(await table.take(9)).toEqual([
    { sequence: 0, c1: "Anna", c2: "NNP", c3: "B-PER" },
    { sequence: 0, c1: "sold", c2: "VBD", c3: "O" },
    { sequence: 0, c1: "#", c2: "#", c3: "O" },
    { sequence: 0, c1: "3", c2: "CD", c3: "O" },
    { sequence: 1, c1: "In", c2: "IN", c3: "O" },
    { sequence: 1, c1: "Oslo", c2: "NNP", c3: "B-LOC" },
  ])
  expect(await table.count()).toBe(6)
})

test("between tabs a word may contain blanks, be empty, or look like a missing cell", async () => {
  const text = "New York\tB\n?\tO\nNA\tO\n\tO\n\n-\tO\n"
  const table = await openTable(file("towns.conll.gz", text), { names: ["word", "tag"], missing: ["-"] })
  expect((await table.take(9)).map(({ word }) => word)).toEqual(["New York", "?", "NA", "", null])
  for await (const batch of table.read(["tag"])) expect(batch).toEqual({ tag: ["B", "O", "O", "O", "O"] })
})

test("CoNLL-U names its columns, and has lines that are no tokens", async () => {
  const line = (...cells: string[]): string => [...cells, ...Array(10 - cells.length).fill("_")].join("\t")
  const lines = [
    "# sent_id = 1",
    line("1-2", "dont"),
    line("1", "do", "do", "AUX"),
    line("2", "_", "_", "PUNCT"),
  ]
  const table = await openTable(file("a.conllu", [...lines, line("2.1", "x"), "", ""].join("\n")))
  expect(table.columns.map(({ name }) => name).slice(0, 5)).toEqual([
    "sequence",
    "id",
    "form",
    "lemma",
    "upos",
  ])
  expect((await table.take(9)).map(({ form, upos, xpos }) => [form, upos, xpos])).toEqual([
    ["do", "AUX", null],
    ["_", "PUNCT", null],
  ])
})

test("more tokens than a batch keep their sentences", async () => {
  const sentence = "a A\nb B\nc C\n"
  const table = await openTable(file("many.conll", Array(4000).fill(sentence).join("\n")))
  const rows = await table.take(Number.POSITIVE_INFINITY)
  expect(rows).toHaveLength(12_000)
  expect(rows.every(({ sequence, c1 }, i) => sequence === Math.floor(i / 3) && c1 === "abc"[i % 3])).toBe(
    true,
  )
})

test("sentences teach a tagger", async () => {
  const text = "the D\ndog N\nran V\n\na D\ndog N\nsaw V\nthe D\nman N\n"
  const table = await openTable(file("few.conll", text), { names: ["word", "tag"] })
  const rows = sequences(table.source, { by: "sequence", column: "tokens" })
  const model = chain("tag", independent({ word: categorical() }), { column: "tokens" })
  const tagger = await fit(model, rows as never)
  const [path] = tagger.path([{ tokens: [{ word: "the" }, { word: "man" }, { word: "ran" }] }])
  expect(path.values).toEqual(["D", "N", "V"])
})

test("what is no CoNLL is refused, with its line", async () => {
  const refused = (text: string, options = {}) => refusal(openAndRead(text, options))
  expect(await refused("a A\nb B\n\nc\n")).toMatchInlineSnapshot(
    `"line 4 of "bad.conll" has 1 cell ("c"), line 1 has 2. Every token has the same columns, between blanks. Mend the line; a blank line ends a sentence, and # begins a comment."`,
  )
  expect(await refused("a\tA\nb B\tB\tC\n")).toMatchInlineSnapshot(
    `"line 2 of "bad.conll" has 3 cells ("b B", "B" and "C"), line 1 has 2. Every token has the same columns, between tabs. Mend the line; a blank line ends a sentence, and # begins a comment."`,
  )
  expect(await refused("# nothing\n\n")).toMatchInlineSnapshot(
    `""bad.conll" is empty. There is no row to learn from. Check whether it was written to its end."`,
  )
  expect(await refused("a A\n", { names: ["word"] })).toMatchInlineSnapshot(
    `"names lists 1 column, and a line of "bad.conll" has 2 cells. Each needs a name of its own. Pass for example names: ["word","tag"]."`,
  )
  expect(await refused("a A\n", { names: "word" })).toMatchInlineSnapshot(
    `"names is no list of names, and a line of "bad.conll" has 2 cells. Each needs a name of its own. Pass for example names: ["word","tag"]."`,
  )
  expect(await refused("a A\n", { names: ["word", "word"] })).toMatchInlineSnapshot(
    `"names gives "word" to two columns. Columns go by their names. Choose another for one of them."`,
  )
  expect(await refused("a A\n", { names: ["sequence", "tag"] })).toMatchInlineSnapshot(
    `"names gives "sequence" to two columns, one of which counts the sentences. Columns go by their names. Choose another for one of them."`,
  )
})

async function openAndRead(text: string, options: object): Promise<unknown> {
  const table = await openTable(file("bad.conll", text), options)
  return table.take(99)
}
