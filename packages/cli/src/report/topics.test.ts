/** The page of topics in a browser: it answers to mouse and keyboard, fetches nothing, and says the same without its script. */
import { writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults } from "axe-core"
import type { Browser, Page } from "playwright-core"
import { classes, dice, fit, topics } from "suffice"
import { sdem } from "suffice/learn"
import { coherence } from "suffice/measure"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openBrowser } from "../../../../checks/testing/browser.ts"
import type { LooseFitted } from "../loose.ts"
import { classesIn, foundTopics } from "../topics.ts"
import { topicsReport } from "./topics.ts"

const GROUPS = {
  sky: ["sun", "moon", "star", "comet", "cloud"],
  farm: ["dog", "cow", "pig", "hen", "goat"],
  road: ["car", "bus", "truck", "bike", "tram"],
}

async function specimen(): Promise<string> {
  const draws = dice(4)
  const kinds = Object.keys(GROUPS) as (keyof typeof GROUPS)[]
  const rows = Array.from({ length: 90 }, (_, i) => {
    const own = GROUPS[kinds[i % 3]]
    const other = GROUPS[kinds[draws.integer(3)]]
    const word = (): string =>
      draws.uniform() < 0.2 ? "the" : (draws.uniform() < 0.8 ? own : other)[draws.integer(5)]
    return { kind: kinds[i % 3], text: `${Array.from({ length: 25 }, word).join(" ")} </script>` }
  })
  const documents = { kind: rows.map(({ kind }) => kind), text: rows.map(({ text }) => text) }
  const model = classes("kind", topics(0, "text", { shared: 3 }))
  const fitted = (await fit(model, rows)) as unknown as LooseFitted
  const apart = (await fit(model, rows, { learner: sdem() })) as unknown as LooseFitted
  const npmi = coherence(fitted, documents)
  return topicsReport({
    title: "3 topics in <notes>",
    lead: "Found in 90 documents.",
    command: "suffice topics notes.csv --k 2..4",
    facts: [["seed", "0"]],
    warnings: [],
    data: { name: "notes.csv", rows: 90, columns: [] },
    found: foundTopics(fitted, "text", documents, npmi.topics),
    quality: { perplexity: 8.4, npmi: npmi.mean, diversity: 0.9 },
    tried: [2, 3, 4].map(k => ({ k, perplexity: 8 + (k - 3) ** 2, standardError: 0.02 })),
    why: "3 topics have the lowest perplexity.",
    label: "kind",
    byClass: classesIn(fitted, apart, "kind", documents),
  })
}

let page: string
let browser: Browser
beforeAll(async () => {
  page = await specimen()
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const first = (opened: Page): Promise<string> =>
  opened.evaluate("document.querySelector('#words-of-topic th').textContent") as Promise<string>

test("every word of a document is data: nothing ends the script that holds them", () => {
  expect(page.match(/<script/g)).toHaveLength(2)
  expect(page).toContain("3 topics in &lt;notes&gt;")
  const hash = /script-src '(sha256-[^']+)'/.exec(page)?.[1]
  expect(hash).toMatch(/^sha256-.{44}$/)
})

test("lists its sections, and every chart has its numbers in a table", () => {
  const headed = [...page.matchAll(/<h2 id="([\w-]+)"/g)].map(match => match[1])
  expect(headed).toEqual(["map", "topics", "classes", "candidates", "documents", "data", "facts"])
  for (const kind of ["sky", "farm", "road"]) expect(page).toContain(`<th scope="row">${kind}</th>`)
})

describe("in a browser", () => {
  test.each(["light", "dark"] as const)("nothing fails or is fetched (%s)", async colorScheme => {
    const opened = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } })
    const troubles: string[] = []
    opened.on("request", request => troubles.push(`asks for ${request.url()}`))
    opened.on("pageerror", error => troubles.push(error.message))
    opened.on("console", message => troubles.push(message.text()))
    await opened.setContent(page, { timeout: 0 })
    expect(await opened.evaluate("document.getElementById('words-of-topic').rows.length")).toBeGreaterThan(9)
    expect(troubles).toEqual([])
  })

  test("the keyboard chooses a topic on the map, and moves λ", async () => {
    const opened = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await opened.setContent(page, { timeout: 0 })
    for (const topic of ["0", "1", "2"]) {
      await opened.focus(`[data-topic="${topic}"]`)
      await opened.keyboard.press("Enter")
      expect(await opened.evaluate("document.getElementById('topic').value")).toBe(topic)
      expect(await opened.locator("[aria-pressed='true']").count()).toBe(1)
    }
    // "the" is frequent in every topic: first by frequency alone, and last by lift
    await opened.focus("#lambda")
    await opened.keyboard.press("End")
    expect(await first(opened)).toBe("the")
    await opened.keyboard.press("Home")
    expect(await opened.evaluate("document.getElementById('lambda-value').textContent")).toBe("0.00")
    expect(await first(opened)).not.toBe("the")
  })

  test.each([1280, 390])("axe-core finds nothing to object to, %i wide", async width => {
    const opened = await browser.newPage({ bypassCSP: true, viewport: { width, height: 900 } })
    await opened.setContent(page, { timeout: 0 })
    await opened.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    await opened.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") })
    const found = (await opened.evaluate("axe.run()")) as AxeResults
    expect(found.violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 200)])).toEqual(
      [],
    )
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    expect(await opened.evaluate(overflow)).toBe(0)
  })

  test("without scripts the same topics stand in tables", async () => {
    const opened = await browser.newPage({ javaScriptEnabled: false })
    await opened.setContent(page, { timeout: 0 })
    expect(await opened.locator("#explorer").isVisible()).toBe(false)
    expect(await opened.locator("section[aria-labelledby='topics'] tbody tr").count()).toBe(3)
  })
})

// SUFFICE_KEEP_REPORT=file: to look at it
if (process.env.SUFFICE_KEEP_REPORT) {
  test("is kept", () => {
    writeFileSync(process.env.SUFFICE_KEEP_REPORT!, page)
  })
}
