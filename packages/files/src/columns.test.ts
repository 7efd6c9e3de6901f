import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { expect, test } from "vitest"
import { numberIn } from "./columns.ts"

const SRC = dirname(fileURLToPath(import.meta.url))

test("suffice-files/columns reaches no file and no database: it can stand in a page", async () => {
  const { metafile } = await build({
    entryPoints: [join(SRC, "columns.ts")],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    conditions: ["source", "browser"],
    logLevel: "silent",
  })
  const inputs = Object.keys(metafile.inputs)
  expect(inputs.length).toBeGreaterThan(10)
  expect(inputs.filter(path => path.includes("duckdb") || path.startsWith("node:"))).toEqual([])
})

test("a cell is a number if a database casts it to one", () => {
  const cells = ["1", " 1 ", "+1", ".5", "5.", "1e5", "inf", "-Infinity", "1_000", "1e400"]
  expect(cells.map(numberIn)).toEqual([1, 1, 1, 0.5, 5, 1e5, Infinity, -Infinity, 1000, Infinity])
  for (const cell of ["", "0x1F", "1,000", "_1", "1__0", "1\u00a0", "e5", "1.5.2", "½"])
    expect(numberIn(cell), cell).toBeUndefined()
})
