import { chmodSync } from "node:fs"
import { expect, test } from "vitest"
import { file, refusal } from "../test/scratch.ts"
import { AS } from "./asked.ts"
import { type FileError, listed } from "./errors.ts"
import { openTable, type TableInput } from "./open.ts"
import type { TableOptions } from "./table.ts"

/** Opens the table and reads all of it. */
async function readAll(input: TableInput, options: TableOptions = {}): Promise<void> {
  const table = await openTable(input, options)
  try {
    for await (const _ of table.source);
  } finally {
    await table.close()
  }
}

const refused = (input: TableInput, options: TableOptions = {}): Promise<string> =>
  refusal(readAll(input, options))

test("a path that leads nowhere is refused", async () => {
  expect(await refused("no-such.csv")).toMatchInlineSnapshot(
    `"there is no file "no-such.csv". Nothing is at this path. Check the spelling, and the folder you are in."`,
  )
  expect(await refused("no-such.parquet", { format: "parquet" })).toMatchInlineSnapshot(
    `"there is no file "no-such.parquet". Nothing is at this path. Check the spelling, and the folder you are in."`,
  )
})

test("a directory where a file is meant is refused", async () => {
  file("folder.csv/inside.txt", "x")
  expect(await refused("folder.csv", { format: "csv" })).toMatchInlineSnapshot(
    `""folder.csv" is a directory, and a file is meant. Only a folder of text files, or with one sub-folder of them per label, can be read as a table. Name a file in it, or pass format: "folder"."`,
  )
  file("bare/.hidden", "x")
  expect(await refused("bare")).toMatchInlineSnapshot(
    `""bare" holds no files. A folder is read as a table of texts: folder/text.txt or, with one sub-folder per label, folder/label/text.txt. Arrange the files so, or name a single file."`,
  )
})

test.skipIf(process.getuid?.() === 0)("a file without permission is refused", async () => {
  chmodSync(file("secret.csv", "a,b\n1,2\n"), 0)
  expect(await refused("secret.csv")).toMatchInlineSnapshot()
})

test("an unknown format is refused", async () => {
  expect(await refused(file("table.xlsx", "x"))).toMatchInlineSnapshot(
    `""table.xlsx" is no Excel workbook, whatever its name says: it is text. If it is CSV, it was given the wrong name. Rename it, or pass format: "csv"."`,
  )
  expect(await refused("table.xlsx", { format: "excel" as "csv" })).toMatchInlineSnapshot(
    `"format is "excel". Nothing reads it. Choose among "csv", "tsv", "xlsx", "ods", "parquet", "json", "svmlight", "arff", "conll", "conllu" and "folder"."`,
  )
})

test("a file without rows is refused", async () => {
  expect(await refused(file("empty.csv", ""))).toMatchInlineSnapshot(
    `""empty.csv" is empty. There is no row to learn from. Check whether it was written to its end."`,
  )
  expect(await refused(file("blank.csv", "\n\n"))).toMatchInlineSnapshot(
    `""blank.csv" is empty. There is no row to learn from. Check whether it was written to its end."`,
  )
  expect(await refused(file("header.csv", "a,b,c\n"))).toMatchInlineSnapshot(
    `""header.csv" has a header and no rows. There is nothing to learn from. Check whether it was written to its end; if its first line is a row, pass header: false."`,
  )
  expect(await refused(file("empty.json", "[]"))).toMatchInlineSnapshot(
    `""empty.json" has no rows. There is nothing to learn from. Check whether it was written to its end."`,
  )
  expect(
    await refused(file("empty.arff", "@relation r\n@attribute a numeric\n@data\n")),
  ).toMatchInlineSnapshot(
    `""empty.arff" has a header and no rows. There is nothing to learn from. Check whether it was written to its end."`,
  )
  expect(await refused(file("empty.svm", "# nothing\n"))).toMatchInlineSnapshot(
    `""empty.svm" is empty. There is no row to learn from. Check whether it was written to its end."`,
  )
  expect(await refused({ sql: "select 1 as a where false" })).toMatchInlineSnapshot(
    `"the SQL gives no rows. There is nothing to learn from. Check its conditions."`,
  )
})

test("a ragged row is refused, with its line", async () => {
  expect(await refused(file("short.csv", "a,b,c\n1,2,3\n4,5\n6,7,8\n"))).toMatchInlineSnapshot(
    `"line 3 of "short.csv" has 2 cells, the first line has 3: "4,5". A row may be cut off, or the file ends in the middle of one. Mend the line."`,
  )
  expect(await refused(file("long.csv", "a,b,c\n1,2,3\n4,5,6,7\n6,7,8\n"))).toMatchInlineSnapshot(
    `"line 3 of "long.csv" has 4 cells, the first line has 3: "4,5,6,7". A cell that holds "," must be quoted. Mend the line."`,
  )
  const error = await readAll("long.csv").catch(error => error as FileError)
  expect(error).toMatchObject({
    name: "FileError",
    code: "row",
    details: { path: "long.csv", line: 3, expected: 3, found: 4 },
  })
})

test("a ragged row far behind the first ones is refused when it is read", async () => {
  const rows = Array.from({ length: 300_000 }, (_, i) => `${i},${i % 7},some words to make the file longer`)
  rows[290_000] = "1,2"
  const table = await openTable(file("late.csv", `a,b,c\n${rows.join("\n")}\n`))
  const reading = (async () => {
    for await (const _ of table.source);
  })()
  expect(await refusal(reading)).toMatchInlineSnapshot(
    `"line 290,002 of "late.csv" has 2 cells, the first line has 3: "1,2". A row may be cut off, or the file ends in the middle of one. Mend the line."`,
  )
  expect(await refusal(table.count())).toContain("line 290,002")
  await table.close()
})

test("a file that ends in the middle of a row is refused", async () => {
  expect(await refused(file("cut.csv", "a,b,c\n1,2,3\n4,5"))).toMatchInlineSnapshot(
    `"line 3 of "cut.csv" has 2 cells, the first line has 3: "4,5". A row may be cut off, or the file ends in the middle of one. Mend the line."`,
  )
  expect(await refused(file("open.csv", 'a,b,c\n1,2,3\n4,"5\n7,8,9\n'))).toMatchInlineSnapshot(
    `"line 3 of "open.csv" opens a quote that is never closed: "4,\\"5". The file ends inside a cell, or a cell holds a single quote sign. Close it, write a quote inside a cell twice, or, if no cell is quoted, pass quote: ""."`,
  )
  expect(await refused(file("cut.json", '{"a": 1}\n{"a": 2, "b'))).toMatchInlineSnapshot(
    `""cut.json" cannot be read as JSON. Line 2 is no JSON. Check whether it was written to its end, or pass its format."`,
  )
  expect(
    await refused(file("cut.arff", "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1,2\n3")),
  ).toMatchInlineSnapshot(
    `"line 6 of "cut.arff" has 1 cell: "3". The header declares 2 columns. Mend the line; if it is the last one, the file may be cut off."`,
  )
})

test("a byte that is not UTF-8 is refused, and can be read as what it is", async () => {
  const bytes = Buffer.from("city,n\nMalm\xf6,1\nOslo,2\n", "latin1")
  expect(await refused(file("latin.csv", bytes))).toMatchInlineSnapshot(
    `""latin.csv", line 2, holds a byte that is not UTF-8. Text is read as UTF-8. Files of Windows programs are often in Windows-1252: pass encoding: "windows-1252", or save it as UTF-8."`,
  )
  const table = await openTable("latin.csv", { encoding: "latin-1" })
  expect((await table.take(1))[0]).toEqual({ city: "Malmö", n: 1 })
  await table.close()
  // what Windows calls Latin-1 has signs where Latin-1 has control characters
  const western = Buffer.from([
    ...Buffer.from("pay;c\n"),
    0x80,
    ...Buffer.from(" 5,50;"),
    0x93,
    0xf6,
    0x94,
    0x0a,
  ])
  for (const encoding of ["windows-1252", "latin-1"] as const) {
    const opened = await openTable(file("western.csv", western), { encoding })
    expect(await opened.take(1)).toEqual([{ pay: 5.5, c: "“ö”" }])
    await opened.close()
  }
  expect(
    await refused(
      file("latin.arff", Buffer.from("@relation r\n@attribute a string\n@data\nMalm\xf6\n", "latin1")),
    ),
  ).toMatchInlineSnapshot(
    `""latin.arff" holds a byte that is not UTF-8. Text is read as UTF-8. Files of Windows programs are often in Windows-1252: pass encoding: "windows-1252", or save it as UTF-8."`,
  )
})

test("a delimiter that cuts nothing is refused, with the one that would", async () => {
  expect(await refused(file("comma.csv", "a,b,c\n1,2,3\n"), { delimiter: ";" })).toMatchInlineSnapshot(
    `""comma.csv" does not look separated by ";": its first line, "a,b,c", would be one cell. "," would make 3 columns. Pass delimiter: ",", or leave the option out."`,
  )
  expect(await refused(file("comma.tsv", "a,b,c\n1,2,3\n"))).toMatchInlineSnapshot(
    `""comma.tsv" does not look separated by "\\t": its first line, "a,b,c", would be one cell. "," would make 3 columns. Pass delimiter: ","."`,
  )
  expect(await refused("comma.csv", { delimiter: ", " })).toMatchInlineSnapshot(
    `"delimiter is ", ". It is one character, and neither a quote nor the end of a line. Pass for example ";"."`,
  )
})

test("a file that is not of its format is refused", async () => {
  expect(await refused(file("text.parquet", "a,b\n1,2\n"))).toMatchInlineSnapshot(
    `""text.parquet" cannot be read as Parquet. It does not begin and end as a Parquet file does; its end may be missing. Check whether it was written to its end, or pass its format."`,
  )
  expect(await refused(file("words.json", "hello\nworld\n"))).toMatchInlineSnapshot(
    `""words.json" cannot be read as JSON. Line 1 is no JSON. Check whether it was written to its end, or pass its format."`,
  )
  expect(await refused(file("words.arff", "hello\nworld\n"))).toMatchInlineSnapshot(
    `"line 1 of "words.arff" is "hello". Before @data, an ARFF file holds @relation, @attribute and % comments. Mend the line, or pass another format."`,
  )
  expect(await refused(file("words.svm", "1 1:2\nhello world\n"))).toMatchInlineSnapshot(
    `"line 2 of "words.svm" holds "world". A row of svmlight is a label and index:value pairs, the values being finite numbers. Mend the line, or pass another format."`,
  )
  expect(await refused(file("plain.csv", "a,b\n1,2\n"), { format: "folder" })).toMatchInlineSnapshot(
    `""plain.csv" is a file, and a folder is meant. A folder holds text files, or one sub-folder of them per label. Name the folder, or pass another format."`,
  )
})

test("what is not zipped, or not to its end, is refused", async () => {
  const { gzipSync } = await import("node:zlib")
  const { writeFileSync } = await import("node:fs")
  writeFileSync("plain.csv.gz", "a,b\n1,2\n")
  expect(await refused("plain.csv.gz")).toMatchInlineSnapshot(
    `""plain.csv.gz" cannot be unzipped. Its bytes are no gzip. If it is not zipped, rename it without .gz."`,
  )
  const zipped = gzipSync(
    `a,b\n${Array.from({ length: 90_000 }, (_, i) => `${i},${(i * 7919) % 1000}`).join("\n")}\n`,
  )
  writeFileSync("cut.csv.gz", zipped.subarray(0, zipped.length / 2))
  expect(await refused("cut.csv.gz")).toMatchInlineSnapshot(
    `"line 44,358 of "cut.csv.gz" has 1 cell, the first line has 2: "4". A row may be cut off, or the file ends in the middle of one. Mend the line."`,
  )
  writeFileSync("cut.svm.gz", gzipSync("1 1:2 # a\n".repeat(1000)).subarray(0, 30))
  expect(await refused("cut.svm.gz")).toMatchInlineSnapshot(
    `""cut.svm.gz" cannot be unzipped. Its end is missing. Fetch it again."`,
  )
})

test("SQL that cannot be run is refused in DuckDB's words", async () => {
  file("numbers.csv", "a,b\n1,2\n")
  expect(await refused({ sql: "select c from 'numbers.csv'" })).toMatchInlineSnapshot(
    `"the SQL cannot be run. Binder Error: Referenced column "c" not found in FROM clause! Candidate bindings: "a". Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv')."`,
  )
  expect(await refused({ sql: "selec 1" })).toMatchInlineSnapshot(
    `"the SQL cannot be run. Parser Error: syntax error at or near "selec". Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv')."`,
  )
  expect(await refused({ sql: "select * from 'no-such.parquet'" })).toMatchInlineSnapshot(
    `"the SQL cannot be run. IO Error: No files found that match the pattern "no-such.parquet". Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv')."`,
  )
  expect(await refused({ sql: "drop table x" })).toMatchInlineSnapshot(
    `"the SQL "drop table x" is not run: not all of it is a select. A table is what one select gives; nothing else is run. Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv')."`,
  )
})

test("options that cannot be are refused", async () => {
  file("ok.csv", "size,colour\n1,red\n2,blue\n")
  expect(await refused("ok.csv", { label: "color" })).toMatchInlineSnapshot(
    `"label names "color", which is no column of ok.csv. It has "size" and "colour". Did you mean "colour"?"`,
  )
  expect(await refused("ok.csv", { as: { Size: "category" } })).toMatchInlineSnapshot(
    `"as names "Size", which is no column of ok.csv. It has "size" and "colour". Did you mean "size"?"`,
  )
  expect(await refused("ok.csv", { as: { size: "categories" as "category" } })).toBe(
    `as: "size" is to be read as "categories". Nothing is called so. Choose among ${listed(AS, 20)}.`,
  )
  expect(await refused("ok.csv", { delimeter: ";" } as TableOptions)).toMatchInlineSnapshot(
    `"openTable: there is no option "delimeter". It knows "format", "missing", "as", "asIfThere", "delimiter", "header", "quote", "decimal" and 7 more. Leave it out."`,
  )
  expect(await refused("ok.csv", { as: { colour: "number" } })).toMatchInlineSnapshot(
    `"line 2 of "ok.csv" holds "red" in column "colour", which is to be read as numbers. A column has one type. Name the cell among the missing ones, or read the column as a category: as: { "colour": "category" }."`,
  )
})

test("reading ends when it is aborted", async () => {
  file("ok.csv", "size,colour\n1,red\n2,blue\n")
  const controller = new AbortController()
  const table = await openTable("ok.csv", { signal: controller.signal })
  controller.abort(new Error("enough"))
  expect(await refusal(table.take(1))).toBe("enough")
  await table.close()
})
