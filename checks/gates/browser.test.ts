/** The same bits in Node and in a browser: one job that touches every family, EM with holes and hidden switches, dice, saving and answers, run in both. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openBrowser } from "../testing/browser.ts"

const SRC = fileURLToPath(new URL("../../packages/suffice/src", import.meta.url))

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const JOB = `
import { core as s } from "../../../checks/gates/testing/core.ts"
const die = s.dice(3)
const rows = Array.from({ length: 1500 }, (_, i) => ({
  y: i % 3 ? (i % 7 ? "a" : "b") : null,
  x: die.uniform() < 0.1 ? null : die.normal() * (i % 7 ? 1 : 3),
  z: die.normal() + (i % 2),
  g: die.gamma(2),
  c: ["p", "q", "r"][die.integer(3)],
  b: die.uniform() < 0.3,
  n: die.poisson(4),
  w: Array.from({ length: 1 + die.integer(6) }, () => "word" + die.integer(50)),
}))
const body = s.independent(s.mixture(2, s.normal(["x", "z"])), {
  g: s.gaussian(), c: s.categorical(), b: s.bernoulli(), n: s.poisson(), w: s.multinomial(),
})
const bits = async () => {
  let kernels
  const onStep = step => { kernels = step.kernels }
  const fitted = await s.fit(s.classes("y", body), rows, { learner: s.em({ maxIterations: 10 }), seed: 5, onStep })
  const themes = await s.fit(s.topics(5, "w"), rows, { seed: 5 })
  const shared = await s.fit(s.classes("y", s.topics(0, "w", { shared: 4 })), rows, { learner: s.sdem({ epochs: 2 }), seed: 5 })
  const text = JSON.stringify([
    themes, [...themes.proportions(rows).values], themes.topics({ top: 5 }), shared, shared.explain(rows[1]),
    fitted, [...fitted.posterior(rows).probabilities], fitted.sample(20, { seed: 2 }),
    fitted.predict(rows.slice(0, 20), { target: "z" }), fitted.explain(rows[1]), fitted.impute(rows.slice(0, 20)),
  ])
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return kernels + ": " + hash + " over " + text.length + " characters"
}
// first with the default kernels, then with those in TypeScript
export const job = async () => {
  const chosen = await bits()
  s.useKernels("typescript")
  return chosen + ", " + await bits()
}`

test("a browser and Node compute the same bits, on both kernels", async () => {
  const folder = mkdtempSync(join(tmpdir(), "suffice-browser-"))
  try {
    const { outputFiles } = await build({
      stdin: { contents: JOB, resolveDir: SRC, loader: "ts" },
      bundle: true,
      format: "esm",
      platform: "browser",
      conditions: ["source"],
      write: false,
    })
    const code = outputFiles[0].text
    writeFileSync(join(folder, "job.mjs"), code)
    const { job } = (await import(/* @vite-ignore */ pathToFileURL(join(folder, "job.mjs")).href)) as {
      job(): Promise<string>
    }
    const page = await browser.newPage()
    await page.addScriptTag({ type: "module", content: `${code}\nglobalThis.job = job` })
    await page.waitForFunction("globalThis.job", undefined, { timeout: 0 })
    const there = await page.evaluate("job()")
    const here = await job()
    expect(there).toBe(here)
    expect(here).toMatch(/^wasm: (.*), typescript: \1$/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
