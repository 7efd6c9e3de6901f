/** The generated files of the kernels are those of assembly/: compiling again yields the same text. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { compile } from "../../packages/suffice/assembly/build.ts"

const FAST = fileURLToPath(new URL("../../packages/suffice/src/kernels/fast", import.meta.url))

test("module.ts and exports.ts are compiled from assembly/; if not, run npm run build:kernels", async () => {
  const compiled = await compile()
  expect(Object.keys(compiled)).toEqual(["module.ts", "exports.ts"])
  for (const [file, text] of Object.entries(compiled))
    expect(text, file).toBe(readFileSync(join(FAST, file), "utf8"))
})
