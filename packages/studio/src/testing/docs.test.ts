/** The documentation as a site: every link leads somewhere, search finds, nobody is shut out, and nothing is asked of others. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseHTML } from "linkedom"
import { afterAll, beforeAll, expect, test } from "vitest"
import { LAB_OF, pagesAbout } from "../docs/lab-links.ts"
import { readDocs } from "../docs/pages.ts"
import { LAB_PAGES } from "../lab/pages.ts"
import { openStudio, type Studio } from "./site.ts"

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../../..")
const REPOSITORY = "https://github.com/suffice-js/suffice/blob/main/"
let studio: Studio
let pages: string[] = []
beforeAll(async () => {
  studio = await openStudio()
  pages = readdirSync(join(studio.folder, "docs"), { recursive: true, encoding: "utf8" })
    .filter(path => path.endsWith(".html"))
    .map(path => join("docs", path))
    .sort()
})
afterAll(() => studio?.close())

const parsed = new Map<string, Document>()
function read(path: string): Document {
  if (!parsed.has(path))
    parsed.set(
      path,
      parseHTML(readFileSync(join(studio.folder, path), "utf8")).document as unknown as Document,
    )
  return parsed.get(path)!
}

/** Why a link of a page leads nowhere; undefined if it does. */
function broken(page: string, href: string): string | undefined {
  if (href.startsWith(REPOSITORY)) {
    const path = href.slice(REPOSITORY.length).replace(/#.*/, "")
    return existsSync(join(ROOT, path)) ? undefined : "no such file in the repository"
  }
  if (/^https?:/.test(href)) return undefined
  const [path, place = ""] = href.split("#")
  const file = path === "" ? page : join(dirname(page), path)
  if (!existsSync(join(studio.folder, file))) return "no such page"
  if (place === "") return undefined
  if (!place.startsWith("/"))
    return read(file).getElementById(place) ? undefined : "no such place in the page"
  const [, first, second] = place.split("/")
  if (first === "lab")
    return second === undefined || LAB_PAGES.some(({ id }) => id === second)
      ? undefined
      : "no such experiment"
  return first === "data" ? undefined : "no such step"
}

test("every page of docs/ is there, and every link of every page leads somewhere", () => {
  const sources = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).filter(path =>
    path.endsWith(".md"),
  )
  expect(pages.length).toBeGreaterThanOrEqual(sources.length)
  const wrong: string[] = []
  for (const page of pages) {
    const links = [...read(page).querySelectorAll("a[href]")]
    expect(links.length, page).toBeGreaterThan(20)
    for (const link of links) {
      const href = link.getAttribute("href")!
      const why = broken(page, href)
      if (why) wrong.push(`${page}: ${href}: ${why}`)
    }
    for (const picture of read(page).querySelectorAll("img"))
      if (!existsSync(join(studio.folder, dirname(page), picture.getAttribute("src")!)))
        wrong.push(`${page}: ${picture.outerHTML}`)
  }
  expect(wrong).toEqual([])
})

test("every page of docs/ stands in the navigation, and pages of models and learners lead to the lab and back", () => {
  const { pages: all, nav } = readDocs(ROOT)
  const named = new Set(["index", ...nav.flatMap(section => section.pages.map(({ path }) => path))])
  expect(
    all.filter(({ source, path }) => source.startsWith("docs/") && !named.has(path)).map(({ path }) => path),
  ).toEqual([])
  const ids = LAB_PAGES.map(({ id }) => id)
  expect(
    Object.values(LAB_OF)
      .flat()
      .filter(id => !ids.includes(id)),
  ).toEqual([])
  expect(Object.keys(LAB_OF).filter(path => !all.some(page => page.path === path))).toEqual([])
  expect(pagesAbout("half-lives")).toContain("models/mixtures")
  expect(
    read("docs/models/mixtures.html").querySelector("a[href='../../index.html#/lab/half-lives']")
      ?.textContent,
  ).toBe("EM on the half-lives")
})

test("code is highlighted while the site is built, and all pages share the studio's policy", () => {
  expect(read("docs/tutorials/spam.html").querySelectorAll("pre .hljs-keyword").length).toBeGreaterThan(3)
  const policy = (path: string) =>
    read(path).querySelector("meta[http-equiv=Content-Security-Policy]")?.getAttribute("content")
  for (const page of pages) expect(policy(page), page).toBe(policy("index.html"))
})

const LOOKS = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 390 },
] as const

/** DOCS=all: every page in every look; else each page in one of them, in turn. */
test.each(LOOKS)("no page shuts anyone out ($colorScheme, $width px)", async ({ colorScheme, width }) => {
  const look = LOOKS.findIndex(one => one.colorScheme === colorScheme && one.width === width)
  const opened = await studio.open("docs/index.html", { colorScheme, viewport: { width, height: 900 } })
  const { page, foreign, errors } = opened
  for (const [i, path] of pages.entries()) {
    if (process.env.DOCS !== "all" && i % LOOKS.length !== look) continue
    await page.goto(studio.address + path)
    await page.waitForSelector("#search button")
    expect(await opened.violations(), path).toEqual([])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wide, `${path} is wider than the window`).toBeLessThanOrEqual(0)
  }
  expect(foreign).toEqual([])
  expect(errors).toEqual([])
  await opened.close()
})

test("search is loaded when it is opened, finds by keyboard alone, and shuts nobody out", async () => {
  const opened = await studio.open("docs/models/topics.html")
  const { page, foreign, errors } = opened
  const loaded: string[] = []
  page.on("request", request => loaded.push(relative(studio.address, request.url())))
  await page.keyboard.press("/")
  await page.keyboard.type("soft k-means")
  await page.waitForSelector("dialog li a")
  expect(loaded.some(path => path.endsWith("search.json"))).toBe(true)
  expect(await opened.violations()).toEqual([])
  const found = await page.locator("dialog li a").allTextContents()
  expect(found[0]).toBe("Mixtures")
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Enter")
  await page.waitForURL(/docs\/models\/mixtures\.html/)
  await page.keyboard.press("/")
  await page.keyboard.type("qwertyuiop")
  await page.waitForSelector("text=Nothing has all of these words")
  // once for what was typed, once for the search
  await page.keyboard.press("Escape")
  await page.keyboard.press("Escape")
  expect(await page.locator("dialog[open]").count()).toBe(0)
  expect(foreign).toEqual([])
  expect(errors).toEqual([])
  await opened.close()
})
