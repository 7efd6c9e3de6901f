import { expect, test } from "vitest"
import { file, refusal } from "../test/scratch.ts"
import { openTable } from "./open.ts"

const HEADER = `% The weather
@RELATION weather
@attribute outlook {sunny, 'partly cloudy', rainy}
@attribute 'the temperature' REAL
@attribute humidity integer [0, 100]
@attribute note string
@attribute day date "yyyy-MM-dd"
@attribute play {yes,no}

@DATA
`

test("a table has the columns, types, levels and rows of its file", async () => {
  const text = `${HEADER}sunny, 85.5, 85, 'it\\'s hot, very', 2024-01-01, no
% a comment
'partly cloudy',?,70,plain,?,yes
rainy,65,?,?,2024-01-03,?,{2}
`
  const table = await openTable(file("weather.arff", text.replace(",?,{2}", ",?, {2}")))
  expect(table.columns).toEqual([
    { name: "outlook", type: "string", levels: ["sunny", "partly cloudy", "rainy"] },
    { name: "the temperature", type: "number" },
    { name: "humidity", type: "integer" },
    { name: "note", type: "string" },
    { name: "day", type: "date" },
    { name: "play", type: "string", levels: ["yes", "no"] },
  ])
  expect(await table.take(9)).toEqual([
    {
      outlook: "sunny",
      "the temperature": 85.5,
      humidity: 85,
      note: "it's hot, very",
      day: "2024-01-01",
      play: "no",
    },
    {
      outlook: "partly cloudy",
      "the temperature": null,
      humidity: 70,
      note: "plain",
      day: null,
      play: "yes",
    },
    { outlook: "rainy", "the temperature": 65, humidity: null, note: null, day: "2024-01-03", play: null },
  ])
  expect(await table.count()).toBe(3)
})

test("a sparse row leaves out numbers that are 0 and the first level", async () => {
  const text =
    "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute c numeric\n@data\n{0 1.5, 1 y}\n{}\n{2 ?, 1 'y'}\n"
  const table = await openTable(file("sparse.arff.gz", text))
  expect(await table.take(9)).toEqual([
    { a: 1.5, b: "y", c: 0 },
    { a: 0, b: "x", c: 0 },
    { a: 0, b: "y", c: null },
  ])
})

test("what is not as declared is refused, with its line", async () => {
  const refused = async (row: string) => {
    const table = await openTable(file("bad.arff", `${HEADER}sunny,1,1,x,?,yes\n${row}\n`)).catch(
      error => error,
    )
    return table instanceof Error ? table.message : refusal(table.take(9))
  }
  expect(await refused("foggy,1,1,x,?,yes")).toMatchInlineSnapshot(
    `"line 12 of "bad.arff" holds "foggy" in column "outlook", whose levels are "sunny", "partly cloudy" and "rainy". A cell must be one of the declared levels. Add it to the @attribute, or put ?."`,
  )
  expect(await refused("sunny,hot,1,x,?,yes")).toMatchInlineSnapshot(
    `"line 12 of "bad.arff" holds "hot" in column "the temperature", which is declared numeric. A cell must be of the declared type. Mend the cell, put ? if it is not known, or declare the column as string."`,
  )
  expect(await refused("sunny,1,1,x,?")).toMatchInlineSnapshot(
    `"line 12 of "bad.arff" has 5 cells: "sunny,1,1,x,?". The header declares 6 columns. Mend the line; if it is the last one, the file may be cut off."`,
  )
  expect(await refused("sunny,1,1,'x,?,yes")).toMatchInlineSnapshot(
    `"line 12 of "bad.arff" opens a quote that is never closed: "sunny,1,1,'x,?,yes". The file ends inside a cell, or a cell holds a single quote sign. Close it, or write \\' inside a cell."`,
  )
  expect(await refused("{0 sunny, 9 1}")).toMatchInlineSnapshot(
    `"line 12 of "bad.arff" holds a sparse cell of no column: "{0 sunny, 9 1}". The header declares 6 columns. Mend the line; if it is the last one, the file may be cut off."`,
  )
  expect(await refused("{0 sunny, 1 1")).toMatchInlineSnapshot(
    `"line 12 of "bad.arff" opens a sparse row and never closes it: "{0 sunny, 1 1". The header declares 6 columns. Mend the line; if it is the last one, the file may be cut off."`,
  )
  const header = (text: string) => refusal(openTable(file("header.arff", text)))
  expect(await header("@relation r\n@attribute a relational\n@data\n1\n")).toMatchInlineSnapshot(
    `"line 2 of "header.arff" declares "a" as "relational". Types are numeric, real, integer, string, date and { levels }. Change it to one of them."`,
  )
  expect(await header("@relation r\n@attribute a {x,y\n@data\nx\n")).toMatchInlineSnapshot(
    `"line 2 of "header.arff" is "@attribute a {x,y". Before @data, an ARFF file holds @relation, @attribute and % comments. Mend the line, or pass another format."`,
  )
  expect(await header("@relation r\n@attribute a numeric\n")).toMatchInlineSnapshot(
    `""header.arff" has no @data in its 2 lines. An ARFF file declares its columns, then says @data, then gives the rows. Check whether it was written to its end, or pass another format."`,
  )
})

test("a level that is declared is one, though it reads like a missing cell", async () => {
  const text = "@relation r\n@attribute a {NA, x, '?'}\n@attribute b string\n@data\nNA,NA\nx,y\n'?',?\n"
  const table = await openTable(file("na.arff", text))
  expect(await table.take(9)).toEqual([
    { a: "NA", b: null },
    { a: "x", b: "y" },
    { a: "?", b: null },
  ])
})
