/** What a browser downloads: the sizes of bundles, minified and gzipped, and that nothing of Node is in them. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { afterAll, expect, test } from "vitest"
import { MODULE } from "../kernels/wasm/module.ts"

const SRC = dirname(dirname(fileURLToPath(import.meta.url)))
const sizes: Record<string, { minified: number; gzipped: number }> = {}

/** Bundle a program as a web toolchain would. */
async function bundle(
  name: string,
  program: string,
): Promise<{ text: string; gzipped: number; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: SRC, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["source"],
    logLevel: "silent",
  })
  const { text, contents } = outputFiles[0]
  const gzipped = gzipSync(contents, { level: 9 }).length
  sizes[name] = { minified: contents.length, gzipped }
  const parts = Object.values(metafile.outputs)[0].inputs
  const inputs = Object.keys(parts).filter(path => parts[path].bytesInOutput > 0)
  return { text, gzipped, inputs: inputs.map(path => path.replace(/^.*\/src\//, "")) }
}

afterAll(() => {
  const rows = Object.entries(sizes).map(
    ([name, { minified, gzipped }]) =>
      `  ${name.padEnd(38)}${kilobytes(minified)} minified${kilobytes(gzipped)} gzipped`,
  )
  console.log(["bundles of the core:", ...rows].join("\n"))
})

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1).padStart(9)} kB`
}

test("the whole core is at most 146 kB gzipped, its kernels in WebAssembly and workers included, and asks nothing of Node", async () => {
  const { text, gzipped } = await bundle("everything", 'import * as core from "suffice"\nconsole.log(core)')
  expect(text).not.toMatch(/["'`]node:|\brequire\(/)
  // six families of positive numbers, shares and counts, with the special functions they need, took 5 kB
  expect(gzipped).toBeLessThanOrEqual(146_000)
  // the letters of the kernels come first, behind the names: amid the code they cost 1.3 kB more (index.ts)
  expect(text.indexOf(MODULE)).toBeGreaterThan(0)
  expect(text.indexOf(MODULE)).toBeLessThan(2_000)
})

test("a page that loads a saved model of one family and predicts takes at most 25 kB gzipped", async () => {
  await bundle(
    "load and predict, every family",
    'import { load } from "suffice"\nexport const answer = (json: string, rows: never) => load(json).predict(rows)',
  )
  const { text, gzipped, inputs } = await bundle(
    "suffice/predict, one family",
    `import { gaussianKind } from "suffice"
     import { loadPredictor } from "suffice/predict"
     export const answer = (json: string, rows: never) =>
       loadPredictor(json, { families: [gaussianKind] }).predict(rows)`,
  )
  expect(text).not.toMatch(/["'`]node:|\brequire\(/)
  expect(inputs.filter(path => /^(learners|text)\//.test(path))).toEqual([])
  expect(familiesAmong(inputs)).toEqual(["families/gaussian.ts"])
  // 22.7: a structure's kind holds how its descriptions are walked, too
  expect(gzipped).toBeLessThanOrEqual(25_000)
})

test("a program that names one family gets one family, below 4 kB gzipped", async () => {
  const { gzipped, inputs } = await bundle(
    "gaussian alone",
    'import { gaussian } from "suffice"\nexport const family = gaussian()',
  )
  expect(inputs).toContain("families/gaussian.ts")
  expect(inputs.filter(path => /^(fitted|engine|data|structures|learners|saved)\//.test(path))).toEqual([])
  expect(gzipped).toBeLessThan(4000)
})

test("fitting one naive Bayes drags in no family that was not named", async () => {
  const { inputs } = await bundle(
    "gaussian naive Bayes, fit and predict",
    `import { classes, fit, gaussian, independent } from "suffice"
     const model = classes("y", independent({ x: gaussian() }))
     export const answer = async (rows: never) => (await fit(model, rows)).predict(rows)`,
  )
  expect(familiesAmong(inputs)).toEqual(["families/gaussian.ts"])
})

/** The files of listed families among these. */
function familiesAmong(inputs: readonly string[]): string[] {
  const list = readFileSync(join(SRC, "families/list.ts"), "utf8")
  const families = [...list.matchAll(/from "\.\/(.*)"/g)].map(match => `families/${match[1]}`)
  return inputs.filter(path => families.includes(path))
}

test("the limit can fail: a bundle beyond it is seen", async () => {
  let noise = 1
  const letters = Array.from({ length: 40_000 }, () => {
    noise = (Math.imul(noise, 1664525) + 1013904223) >>> 0
    return String.fromCharCode(97 + ((noise >>> 24) % 26))
  })
  const { gzipped } = await bundle(
    "(planted: 40,000 random letters)",
    `export const text = "${letters.join("")}"`,
  )
  expect(gzipped).toBeGreaterThan(22_000)
})
