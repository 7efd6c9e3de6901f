/** The committed kernels are those of assembly/: compiling again yields the same bytes. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { compile } from "../../packages/suffice/assembly/build.ts"

const SRC = fileURLToPath(new URL("../../packages/suffice/src", import.meta.url))

test("src/kernels/fast/module.ts is what assembly/ compiles to; if not, run npm run build:kernels", async () => {
  expect(await compile()).toBe(readFileSync(join(SRC, "kernels/fast/module.ts"), "utf8"))
})
