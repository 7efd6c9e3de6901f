/**
 * The same bits in Node and in a browser: one job that touches every family, EM with holes and hidden switches, dice, saving and
 * answers, run in both. Skipped where no Chromium is installed: the tests need Node and npm alone.
 */
import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { build } from "esbuild"
import { expect, test } from "vitest"

const SRC = dirname(dirname(fileURLToPath(import.meta.url)))
const BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
const FLAGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync", "--disable-quic"],
  ...["--disable-background-networking", "--disable-component-update", "--virtual-time-budget=60000"],
]
const browser = BROWSERS.find(name => spawnSync(name, ["--version"]).status === 0)

const JOB = `
import * as s from "./index.ts"
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
  const text = JSON.stringify([
    fitted, [...fitted.posterior(rows).probabilities], fitted.sample(20, { seed: 2 }),
    fitted.predict(rows.slice(0, 20), { target: "z" }), fitted.explain(rows[1]), fitted.impute(rows.slice(0, 20)),
  ])
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return kernels + ": " + hash + " over " + text.length + " characters"
}
// the kernels that are chosen by themselves, then those of TypeScript
export const job = async () => {
  const chosen = await bits()
  s.useKernels("typescript")
  return chosen + ", " + await bits()
}`

test.skipIf(!browser)("a browser and Node compute the same bits, on both kernels", async () => {
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
    const script = `${code.replaceAll("</script", "<\\/script")}\njob().then(text => { document.title = text }, error => { document.title = error.stack })`
    writeFileSync(
      join(folder, "page.html"),
      `<!doctype html><title>…</title><script type="module">${script}</script>`,
    )
    const { stdout } = await promisify(execFile)(
      browser!,
      [
        ...FLAGS,
        `--user-data-dir=${join(folder, "user")}`,
        "--dump-dom",
        pathToFileURL(join(folder, "page.html")).href,
      ],
      { maxBuffer: 1e8, timeout: 60_000 },
    )
    const here = await job()
    expect(/<title>(.*?)<\/title>/s.exec(stdout)?.[1]).toBe(here)
    expect(here).toMatch(/^wasm: (.*), typescript: \1$/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
