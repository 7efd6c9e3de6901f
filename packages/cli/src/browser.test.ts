/** `suffice-cli/browser`: the part of the command that the studio bundles. */
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { expect, test } from "vitest"

const SRC = dirname(fileURLToPath(import.meta.url))

/** The files of a program, and the modules that it imports from elsewhere. */
async function filesOf(program: string): Promise<{ own: string[]; others: string[] }> {
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: SRC, loader: "ts" },
    bundle: true,
    write: false,
    splitting: true,
    outdir: "out",
    metafile: true,
    packages: "external",
    format: "esm",
    logLevel: "silent",
  })
  const inputs = Object.entries(metafile.inputs)
  const imports = inputs.flatMap(([, { imports }]) => imports.filter(({ external }) => external))
  return {
    own: inputs.map(([path]) => path.replace(/^.*packages\/cli\/src\//, "")),
    others: [...new Set(imports.map(({ path }) => path))],
  }
}

test("it writes to no terminal, and needs no module of Node", async () => {
  const { own, others } = await filesOf('export * from "./browser.ts"')
  expect(own).toContain("rows/task.ts")
  expect(own.filter(path => path.startsWith("terminal/")).sort()).toEqual([
    "terminal/shown.ts",
    "terminal/table.ts",
  ])
  expect(own.filter(path => /^(commands|spark)\//.test(path))).toEqual([])
  expect(others.filter(path => path.startsWith("node:"))).toEqual([])
})

test("a command that needs them is noticed", async () => {
  const { own, others } = await filesOf('export * from "./commands/fit.ts"')
  expect(own).toContain("terminal/save.ts")
  expect(others).toContain("node:fs/promises")
})
