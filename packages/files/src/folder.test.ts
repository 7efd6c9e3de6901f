import { expect, test } from "vitest"
import { file } from "../test/scratch.ts"
import { openTable } from "./open.ts"

test("a folder is a table of label, text and file, in the order of the names", async () => {
  file("mail/spam/2.txt", "win a prize")
  file("mail/spam/1.txt", Buffer.from("caf\xe9", "latin1"))
  file("mail/ham/old/3.txt", "lunch at noon?")
  file("mail/.hidden/4.txt", "no")
  file("mail/spam/.DS_Store", "no")
  file("mail/readme.txt", "no")
  const table = await openTable("mail", { label: "kind" })
  expect(table.columns.map(({ name }) => name)).toEqual(["kind", "text", "file"])
  expect(await table.count()).toBe(3)
  expect(await table.take(9)).toEqual([
    { kind: "ham", text: "lunch at noon?", file: "ham/old/3.txt" },
    { kind: "spam", text: "café", file: "spam/1.txt" },
    { kind: "spam", text: "win a prize", file: "spam/2.txt" },
  ])
})

test("a folder without sub-folders is a table of text and file", async () => {
  file("notes/b.txt", "second")
  file("notes/a.md", "first")
  file("notes/.DS_Store", "no")
  const table = await openTable("notes")
  expect(table.columns.map(({ name }) => name)).toEqual(["text", "file"])
  expect(await table.take(9)).toEqual([
    { text: "first", file: "a.md" },
    { text: "second", file: "b.txt" },
  ])
})
