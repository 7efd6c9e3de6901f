/** What npm would publish: built by the package's own script, into a folder of its own, and used from there. */
import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openBrowser } from "../testing/browser.ts"
import { builtPackage } from "../testing/built-packages.ts"

const PACKAGE = fileURLToPath(new URL("../../packages/suffice", import.meta.url))
const ROOT = join(PACKAGE, "../..")
const CACHE = join(ROOT, "node_modules/.cache")

// A consumer: a folder with the package in its node_modules, as npm would leave it.
let consumer = ""
let installed = ""
let packed: string[] = []
let sources: string[] = []

beforeAll(() => {
  mkdirSync(CACHE, { recursive: true })
  consumer = mkdtempSync(join(CACHE, "package-"))
  installed = join(consumer, "node_modules/suffice")
  mkdirSync(installed, { recursive: true })
  cpSync(builtPackage("suffice"), join(installed, "dist"), { recursive: true })
  copyFileSync(join(PACKAGE, "package.json"), join(installed, "package.json"))
  // only the package's own files: npm takes nothing from the root of a workspace
  for (const name of ["README.md", "LICENSE"]) {
    if (existsSync(join(PACKAGE, name))) copyFileSync(join(PACKAGE, name), join(installed, name))
  }
  const laws = join(consumer, "node_modules/suffice-laws")
  mkdirSync(laws, { recursive: true })
  cpSync(builtPackage("laws"), join(laws, "dist"), { recursive: true })
  copyFileSync(join(ROOT, "packages/laws/package.json"), join(laws, "package.json"))
  packed = wouldPack(installed)
  sources = wouldPack(PACKAGE).filter(path => path.startsWith("src/"))
})

afterAll(() => rmSync(consumer, { recursive: true, force: true }))

/** The output of a command; on failure, what it printed. */
function run(command: string, args: readonly string[], cwd: string): string {
  try {
    const env = { ...process.env, npm_config_update_notifier: "false" }
    return execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} ${args.join(" ")} fails:\n${stdout}${stderr}`)
  }
}

/** What npm would pack in a folder. */
function wouldPack(folder: string): string[] {
  const [{ files }] = JSON.parse(run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], folder))
  return files.map(({ path }: { path: string }) => path)
}

test("every file the exports and imports name is packed, and no test", () => {
  const { exports, imports } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"))
  const named = Object.values(exports as Record<string, Record<string, string>>).flatMap(entry =>
    Object.entries(entry).flatMap(([condition, path]) => (condition === "source" ? [] : [path.slice(2)])),
  )
  expect(named).toContain("dist/index.js")
  const { browser, node } = imports["#workers"]
  named.push(browser.slice(2), node.slice(2), "dist/threads/node-worker.js", "dist/threads/browser-worker.js")
  expect(named.filter(path => !packed.includes(path))).toEqual([])
  expect(packed.filter(path => /\.ts$/.test(path) && !path.endsWith(".d.ts"))).toEqual([])
  expect(sources).toContain("src/index.ts")
  // shared code of tests is for this repository
  const own = /\.test\b|\.test-d\b|\/(gates|testing)\//
  expect([...packed, ...sources].filter(path => own.test(path))).toEqual([])
})

test("every entry can be imported in plain Node", () => {
  const { exports } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"))
  const entries = Object.keys(exports).map(path => `suffice${path.slice(1)}`)
  const program = `for (const entry of ${JSON.stringify(entries)}) await import(entry)
    console.log("all")`
  expect(run(process.execPath, ["--input-type=module", "-e", program], consumer)).toBe("all\n")
})

test("the package of the laws has its sources and no tests", () => {
  const files = wouldPack(join(ROOT, "packages/laws"))
  expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "src/index.ts", "src/probe.ts"]))
  expect(files.filter(path => /\.test\b|\/testing\//.test(path))).toEqual([])
})

test("it says what it is, and under which licence", () => {
  expect(["package.json", "README.md", "LICENSE"].filter(name => !packed.includes(name))).toEqual([])
})

const PROGRAM = `
import { classes, fit, gaussian, independent } from "suffice"
const model = classes("y", independent({ x: gaussian() }))
const fitted = await fit(model, [{ x: 1, y: "a" }, { x: 2, y: "a" }, { x: 8, y: "b" }, { x: 9, y: "b" }])
const [{ value }] = fitted.predict([{ x: 8.5 }])
console.log(value)
`

test("the built package learns and predicts in plain Node", () => {
  expect(run(process.execPath, ["--input-type=module", "-e", PROGRAM], consumer)).toBe("b\n")
})

/** The laws, as the author of a custom family calls them; fast-check is resolved from a parent folder. */
const LAWS = `
import { checkModel, nested } from "suffice-laws"
const { held } = await checkModel(nested[0], { runs: 0.1 })
console.log(held > 50)
`

test("the built laws try models of others on the built package", () => {
  expect(run(process.execPath, ["--input-type=module", "-e", LAWS], consumer)).toBe("true\n")
})

/** Bits of a mixture of 20,000 rows, as text, for some numbers of threads. */
const THREADS = `
import { dice, em, fit, mixture, normal } from "suffice"
import { learn } from "suffice/learn"
const die = dice(3)
const draw = shift => Float64Array.from({ length: 20_000 }, (_, i) => die.normal() + shift * (i % 2))
const columns = { a: draw(1), b: draw(2), c: draw(3), d: draw(4) }
const model = mixture(8, normal(["a", "b", "c", "d"]))
const learner = em({ maxIterations: 3, tolerance: 0 })
const bits = async threads => {
  const text = JSON.stringify(await fit(model, columns, { threads, learner }))
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash + " over " + text.length
}
`

test("the built package learns in threads, and the process ends: also when steps are left lying about", () => {
  const program = `${THREADS}
    console.log(new Set([await bits(1), await bits(2), await bits(3), await bits("auto")]).size)
    const { value } = await learn(model, columns, { threads: 2, learner }).next()
    console.log(value.iteration)`
  const said = run(process.execPath, ["--input-type=module", "-e", program], consumer)
  expect(said).toBe("1\n0\n")
})

test("bundled by Vite, it learns in the threads of a browser, to the bits of Node", async () => {
  const root = join(consumer, "page")
  mkdirSync(root)
  writeFileSync(join(root, "index.html"), '<!doctype html><script type="module" src="./main.js"></script>')
  // also counts the workers: "auto" would accept having none, and the second fit reuses those of the first
  writeFileSync(
    join(root, "main.js"),
    `let workers = 0
   Object.defineProperty(navigator, "hardwareConcurrency", { value: 2 })
   window.Worker = class extends Worker { constructor(...given) { super(...given); workers++ } }
   ${THREADS.replace("import {", "const {").replace('} from "suffice"', '} = await import("suffice")')}
   const all = async () => [await bits(1), await bits(2), await bits(2), await bits("auto"), workers].join(", ")
   window.told = all().catch(error => String(error.stack))`,
  )
  const { build } = await import("vite")
  await build({ root, logLevel: "silent", build: { target: "es2022", outDir: join(root, "dist") } })
  const bits = run(
    process.execPath,
    ["--input-type=module", "-e", `${THREADS}console.log(await bits(1))`],
    consumer,
  )
  const alone = bits.trim()
  expect(await told(join(root, "dist"))).toBe(`${alone}, ${alone}, ${alone}, ${alone}, 2`)
})

/** What a page, served from a folder, leaves in `window.told`. */
async function told(folder: string): Promise<unknown> {
  const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" }
  const server = createServer((request, response) => {
    const path = join(folder, request.url === "/" ? "index.html" : request.url!)
    if (!existsSync(path)) response.writeHead(404).end()
    else response.writeHead(200, { "content-type": types[extname(path)] }).end(readFileSync(path))
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`, { timeout: 0 })
    await page.waitForFunction("window.told", undefined, { timeout: 0 })
    return await page.evaluate("window.told")
  } finally {
    await browser.close()
    server.close()
  }
}

test("its declarations type-check where it is used, without its source", () => {
  writeFileSync(join(consumer, "package.json"), '{ "type": "module" }')
  writeFileSync(join(consumer, "program.ts"), PROGRAM)
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext"]
  // the declarations of TypeScript itself are not in question
  options.push("--skipDefaultLibCheck")
  run(process.execPath, [join(ROOT, "node_modules/typescript-7/bin/tsc"), ...options, "program.ts"], consumer)
})
