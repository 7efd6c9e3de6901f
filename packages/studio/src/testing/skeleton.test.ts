/** The page as a whole: it opens offline under its policy, every page of the lab opens, and nobody is shut out. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, expect, test } from "vitest"
import { LAB_PAGES } from "../lab/pages.ts"
import { openStudio, type Studio } from "./site.ts"

let studio: Studio
let folder = ""
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "suffice-skeleton-"))
  const tries = ["eval('1')", "new Function('return 1')()"]
  const each = tries.map(
    code => `(() => { try { ${code}; return "ran" } catch (error) { return error.name } })()`,
  )
  writeFileSync(join(folder, "eval.js"), `globalThis.tried = [${each.join(", ")}]`)
  studio = await openStudio({ "opened/eval.js": join(folder, "eval.js") })
})
afterAll(async () => {
  await studio?.close()
  rmSync(folder, { recursive: true, force: true })
})

const places = [
  "#/data",
  "#/model",
  "#/learn",
  "#/understand",
  "#/use",
  "#/lab",
  ...LAB_PAGES.map(({ id }) => `#/lab/${id}`),
]

const looks = (["light", "dark"] as const).flatMap(colorScheme =>
  [1280, 390].map(width => ({ colorScheme, width })),
)

test("every page opens, says nothing to others and shuts nobody out, light and dark, wide and narrow", async () => {
  const opened = await studio.open("#/data")
  const { page, foreign, errors } = opened
  for (const place of places) {
    await page.evaluate(hash => {
      location.hash = hash
    }, place)
    await page.waitForFunction(
      () => !document.querySelector("main [role=status]")?.textContent?.includes("Loading"),
    )
    await page.waitForSelector("main h1")
    for (const { colorScheme, width } of looks) {
      const look = `${place}, ${colorScheme}, ${width} px`
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      expect(await opened.violations(), look).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide, `${look}: wider than the window`).toBeLessThanOrEqual(0)
    }
  }
  expect(foreign).toEqual([])
  expect(errors).toEqual([])
  await opened.close()
})

test("the first page loads less than 110 kB, packed, and a worker of less than 350 kB", async () => {
  const opened = await studio.open()
  const { page } = opened
  const loaded = new Set<string>()
  page.on("request", request => loaded.add(new URL(request.url()).pathname))
  await page.reload({ waitUntil: "networkidle" })
  const packed = (path: string): number =>
    gzipSync(readFileSync(join(studio.folder, path === "/" ? "index.html" : path))).length
  const isWorker = (path: string): boolean => /\/worker-[^/]*\.js$/.test(path)
  const bytesOf = (paths: string[]): number => paths.reduce((sum, path) => sum + packed(path), 0)
  const first = bytesOf([...loaded].filter(path => !isWorker(path)))
  const worker = bytesOf([...loaded].filter(isWorker))
  expect(first).toBeGreaterThan(10_000)
  expect(first).toBeLessThan(110_000)
  expect(worker).toBeGreaterThan(10_000)
  expect(worker).toBeLessThan(350_000)
  await opened.close()
})

test("the page's policy lets no text be run as code, neither in an element nor by eval from the page's own code", async () => {
  const { page, close } = await studio.open()
  const policy = await page.getAttribute("meta[http-equiv=Content-Security-Policy]", "content")
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
  // evaluate() of playwright passes the policy by: an element with code, and a file of the page's own origin, do not
  await page.evaluate(() => {
    const script = document.createElement("script")
    script.textContent = "globalThis.ran = true"
    document.body.append(script)
  })
  expect(await page.evaluate("globalThis.ran")).toBeUndefined()
  await page.addScriptTag({ url: `${studio.address}opened/eval.js` })
  expect(await page.evaluate("globalThis.tried")).toEqual(["EvalError", "EvalError"])
  await close()
})

test("nothing that is served imports a module of Node", () => {
  const code = readdirSync(join(studio.folder, "assets")).filter(file => file.endsWith(".js"))
  expect(code.length).toBeGreaterThan(20)
  const imports = code.flatMap(file =>
    [
      ...readFileSync(join(studio.folder, "assets", file), "utf8").matchAll(
        /(?:\bfrom|\bimport)\s*\(?\s*["'`](node:[^"'`]*|fs|path|os)["'`]/g,
      ),
    ].map(([, name]) => `${file}: ${name}`),
  )
  expect(imports).toEqual([])
})
