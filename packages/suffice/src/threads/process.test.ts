/** What idle workers cost their process: memory, and whether it can end. Measured in a process of its own. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { afterAll, beforeAll, expect, test } from "vitest"
import { sources } from "../../../../checks/testing/sources.ts"

const SRC = fileURLToPath(new URL("..", import.meta.url))
const CACHE = join(SRC, "../../../node_modules/.cache")

/** A mixture of 800,000 rows, 12.8 MB: as columns, and once more where it is swept. */
const PROGRAM = `
import { dice, em, fit, mixture, normal } from "suffice"
const roll = dice(1)
const x = Float64Array.from({ length: 800_000 }, (_, i) => roll.normal() + 3 * (i % 2))
const model = mixture(2, normal(["x", "y"]))
const learner = em({ maxIterations: 2, tolerance: 0 })
const memory = () => {
  gc()
  return process.memoryUsage().arrayBuffers / 2 ** 20
}
const during = []
const onStep = () => void during.push(memory())
const said = []
for (let time = 0; time < 2; time++) {
  const before = memory()
  await fit(model, { x, y: x }, { threads: 2, learner, onStep })
  // the command to forget may still be in flight
  for (let wait = 0; memory() - before > 2 && wait < 10_000; wait++) await new Promise(go => setTimeout(go, 20))
  said.push({ during: Math.max(...during) - before, after: memory() - before })
}
const open = process.getActiveResourcesInfo().filter(name => !/Pipe|TTY/.test(name))
process.on("exit", () => console.log(JSON.stringify({ said, open })))
`

let folder = ""
beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true })
  folder = mkdtempSync(join(CACHE, "process-"))
  const program = join(folder, "program.ts")
  writeFileSync(program, PROGRAM)
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  await build({
    entryPoints: { program, "node-worker": join(SRC, "threads/node-worker.ts") },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    alias: { ...sources(), "#workers": join(SRC, "threads/node.ts") },
    logLevel: "error",
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("idle workers hold no rows, and a process with them ends by itself", () => {
  const printed = execFileSync(process.execPath, ["--expose-gc", join(folder, "program.js")], {
    encoding: "utf8",
  })
  const { said, open } = JSON.parse(printed)
  for (const { during, after } of said) {
    expect(during).toBeGreaterThan(12)
    expect(after).toBeLessThan(2)
  }
  // what is open is waited for: idle workers, and the timer that ends them, are not
  expect(open).toEqual([])
})
