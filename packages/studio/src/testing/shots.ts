/**
 * Pictures of every step and every page of the lab, light and dark, wide and narrow, to be looked at: `tsx --conditions=source shots.ts FOLDER [PART OF A NAME]`.
 * A step is pictured with a table that has what it can show: labels, groups, topics, hidden states, a network.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { LAB_PAGES } from "../lab/pages.ts"
import { openStudio } from "./site.ts"

const [folder = "shots", only = ""] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })

const LOOKS = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 390 },
] as const

const studio = await openStudio()
const { page, errors } = await studio.open("#/data")

async function picture(page: Page, name: string): Promise<void> {
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await idle(page)
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true })
  }
  console.log(name)
}

/** Nothing is computed, and what was drawn has been drawn again for its width. */
async function idle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 300))))
  await page.waitForFunction(
    () =>
      !document.querySelector("main progress, main [aria-busy=true]") &&
      !document.querySelector("main [role=status]")?.textContent?.includes("Loading"),
  )
}

async function go(place: string): Promise<void> {
  await page.evaluate(hash => {
    location.hash = hash
  }, `#/${place}`)
  await idle(page)
}

/** A sample, a model of the gallery by the beginning of its title ("" for the one that is chosen), a learner. */
const SUBJECTS: readonly (readonly [sample: string, model: string, learner: string])[] = [
  ["Penguins", "Naive Bayes of species", "EM maximum likelihood"],
  ["Old Faithful", "A mixture of 2 groups of correlated", "EM maximum likelihood"],
  ["Messages", "Naive Bayes of kind", "EM maximum likelihood"],
  ["Votes", "A tree-augmented network", "EM maximum likelihood"],
  ["News", "", "EM maximum likelihood"],
  ["Earthquakes", "A chain of 2 hidden states", "EM maximum likelihood"],
]

const wanted = (name: string): boolean => name.includes(only)
if (wanted("data-empty")) await picture(page, "data-empty")
for (const [sample, model, learner] of SUBJECTS) {
  const name = sample.toLowerCase().replaceAll(" ", "-")
  if (!["data", "model", "learn", "understand", "use"].some(step => wanted(`${step}-${name}`))) continue
  await page.setViewportSize({ width: 1280, height: 900 })
  await go("data")
  await page.click(`button:has-text("${sample}")`)
  await page.waitForSelector("#what")
  await go("model")
  if (model) await page.click(`li:has(h2:has-text("${model}")) button`)
  await page.waitForSelector(`li:has(h2:has-text("${model}")) button[aria-pressed=true]`)
  await go("learn")
  await page.check(`label:has-text("${learner}") input`)
  await page.click("main button.primary:text-is('Learn')")
  await page.waitForSelector("#board, [role=alert]")
  for (const step of ["data", "model", "learn", "understand", "use"]) {
    if (!wanted(`${step}-${name}`)) continue
    await go(step)
    await picture(page, `${step}-${name}`)
  }
}
if (wanted("lab-front")) {
  await go("lab")
  await picture(page, "lab-front")
}
for (const { id } of LAB_PAGES) {
  if (!wanted(`lab-${id}`)) continue
  await go(`lab/${id}`)
  await picture(page, `lab-${id}`)
}
console.log(errors)
await studio.close()
