/** How long 100,000 × 20 with holes takes from the drop to an explained model, and the longest task of the main thread meanwhile. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openStudio } from "./site.ts"

const ROWS = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), "suffice-measure-"))
const path = join(folder, "large.csv")
let state = 1
const die = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}
const lines = [
  [
    "label",
    ...Array.from({ length: 14 }, (_, j) => `x${j}`),
    ...Array.from({ length: 5 }, (_, j) => `c${j}`),
  ].join(","),
]
for (let i = 0; i < ROWS; i++) {
  const y = Math.floor(3 * die())
  const cells = [
    ...Array.from({ length: 14 }, (_, j) =>
      die() < 0.05 ? "" : (y * (j % 3) * 0.4 + die() + die() + die()).toFixed(3),
    ),
    ...Array.from({ length: 5 }, (_, j) =>
      die() < 0.05 ? "NA" : `l${Math.floor((3 + j) * die() ** (1 + 0.3 * y))}`,
    ),
  ]
  lines.push([`k${y}`, ...cells].join(","))
}
writeFileSync(path, `${lines.join("\n")}\n`)
const studio = await openStudio()
const { page, errors } = await studio.open("#/data")
await page.evaluate(
  `globalThis.tasks = []; new PerformanceObserver(list => { for (const one of list.getEntries()) tasks.push(one.duration) }).observe({ entryTypes: ["longtask"] })`,
)
const began = performance.now()
const lap = (what: string): void => console.log(what, ((performance.now() - began) / 1000).toFixed(1), "s")
await page.setInputFiles("section.drop input[type=file]", path)
await page.waitForSelector("#what")
lap("read")
// a function, since the policy of the page refuses strings
await page.waitForFunction(() => !document.querySelector("main progress"))
await page.click("nav[aria-label=Steps] a:has-text('Learn')")
await page.click("main button.primary:text-is('Learn')")
await page.waitForSelector("#board, [role=alert]", { timeout: 600_000 })
lap("learned and measured")
await page.click("nav[aria-label=Steps] a:has-text('Understand')")
await page.waitForSelector("#telling")
lap("explained")
const tasks = (await page.evaluate("tasks")) as number[]
console.log(
  "longest task of the main thread",
  Math.round(Math.max(0, ...tasks)),
  "ms; above 50 ms:",
  tasks.length,
  errors,
)
await studio.close()
rmSync(folder, { recursive: true, force: true })
