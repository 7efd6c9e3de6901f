/** The records differ where the values differ, and nowhere else. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { modelTable } from "./models.ts"
import { canonical, compared, digest, readTable, type Table, writeTable } from "./record.ts"
import { valuesOf } from "./values.ts"

const HERE = dirname(fileURLToPath(import.meta.url))

test("one specimen of each kind has its recorded digests", async () => {
  const words = ["naive Bayes, gaussians", "mixture of spheres", "poisson alone"]
  const measured = await modelTable(words)
  expect(measured.size).toBe(words.length)
  const recorded = readTable(join(HERE, "models.tsv"))
  for (const [name, cells] of measured) expect(cells, name).toEqual(recorded.get(name))
})

test("a table is read as it was written", () => {
  const folder = mkdtempSync(join(tmpdir(), "suffice-record-"))
  const table: Table = new Map<string, Record<string, string>>([
    ["one", { a: "1", b: "2" }],
    ["two", { a: "3" }],
  ])
  try {
    writeTable(join(folder, "t.tsv"), table)
    expect(compared(table, readTable(join(folder, "t.tsv")))).toEqual({ different: [], added: [] })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test("a changed cell, a missing row and a new row are named", () => {
  const before: Table = new Map<string, Record<string, string>>([
    ["same", { a: "1" }],
    ["other", { a: "1", b: "2" }],
    ["gone", { a: "1" }],
  ])
  const after: Table = new Map<string, Record<string, string>>([
    ["same", { a: "1" }],
    ["other", { a: "5", b: "2" }],
    ["new", { a: "1" }],
  ])
  expect(compared(before, after)).toEqual({
    different: ["other: a 1 → 5", "gone: missing"],
    added: ["new"],
  })
})

test("digests distinguish the last bit, the sign of zero and the form of a list", () => {
  const different = [0, -0, Number.NaN, null, undefined, [0.1 + 0.2], [0.3], Float64Array.of(0.3)]
  expect(new Set(different.map(canonical)).size).toBe(different.length)
  expect(digest([1])).toMatch(/^[0-9a-f]{8}$/)
})

test("values and keys stay, sentences go", () => {
  expect(valuesOf('{ "accuracy": 0.5, "seconds": 3, "note": "Of 12 rows, 3 are new.", "by": "em" }')).toBe(
    '{"accuracy":0.5,"seconds":"clock","note":"12 3","by":"em"}',
  )
  expect(valuesOf('{"a":1}\n{"a":2}\n')).toBe('[{"a":1},{"a":2}]')
  expect(valuesOf("a,b\n1,x\n2,y\n")).toBe("a,b\n1,x\n2,y\n")
  expect(valuesOf("accuracy 0.97, from 12 rows.")).toBe("0.97 12")
})
