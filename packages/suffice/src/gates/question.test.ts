/**
 * A question of one row allocates little beside its answer: nothing is made anew that could be used again. What is left are the closures of a call
 * and numbers that the engine boxes on the way. Measured in a Node whose young generation no round fills.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { expect, test } from "vitest"

const SRC = dirname(dirname(fileURLToPath(import.meta.url)))
const STILL = ["--expose-gc", "--single-threaded", "--min-semi-space-size=256", "--max-semi-space-size=256"]
/** Bytes beside the answer, of ten columns; and of each column more: the number that the engine boxes when it is read by its name. */
const MOST = 1500
const BOXED = 16

/** Runs in the child: bytes per call beside a result of the same shape, for a model of so many columns. */
async function measure(core: typeof import("../index.ts"), columns: number): Promise<number> {
  const CALLS = 2000
  const dice = core.dice(1)
  const names = Array.from({ length: columns }, (_, j) => `x${j}`)
  const rows = Array.from({ length: 200 }, (_, i) => ({
    ...Object.fromEntries(names.map(name => [name, dice.normal() + (i % 5)])),
    y: i % 5,
  }))
  const features = core.independent(Object.fromEntries(names.map(name => [name, core.gaussian()])))
  const fitted = await core.fit(core.classes("y", features), rows as never)
  const one = rows.slice(0, 1)
  const bytes = (call: () => unknown): number => {
    for (let i = 0; i < 3 * CALLS; i++) call()
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 5; round++) {
      globalThis.gc?.()
      const before = process.memoryUsage()
      for (let i = 0; i < CALLS; i++) call()
      const after = process.memoryUsage()
      const grown = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers
      least = Math.min(least, grown / CALLS)
    }
    return least
  }
  const answer = () => ({ levels: [], probabilities: new Float64Array(5), logs: new Float64Array(5) })
  return bytes(() => fitted.posterior(one as never)) - bytes(answer)
}

test("a question of one row allocates next to nothing beside its answer, however many columns there are", async () => {
  const folder = mkdtempSync(join(tmpdir(), "suffice-question-"))
  const program = join(folder, "measure.mjs")
  await build({
    stdin: {
      contents: `import * as core from "./index.ts"
        const measure = ${measure}
        console.log(await measure(core, Number(process.argv[2])))`,
      resolveDir: SRC,
      loader: "js",
    },
    bundle: true,
    outfile: program,
    format: "esm",
    platform: "node",
    conditions: ["source"],
    target: "es2022",
  })
  const asked = (columns: number): number =>
    Number(execFileSync(process.execPath, [...STILL, program, String(columns)], { encoding: "utf8" }))
  const [few, many] = [asked(10), asked(110)]
  rmSync(folder, { recursive: true })
  expect(few).toBeLessThan(MOST)
  expect((many - few) / 100).toBeLessThan(BOXED + 1)
})
