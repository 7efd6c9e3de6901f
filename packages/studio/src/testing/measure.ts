/**
 * How long a table takes from the drop to an explained model, and the longest task of the main thread meanwhile:
 *
 *     tsx --conditions=source measure.ts                      100,000 rows, what fits best
 *     tsx --conditions=source measure.ts --rows 20000
 *     tsx --conditions=source measure.ts --megabytes 500      a long file, naive Bayes by counting
 *
 * Every line has the time on the wall, the processor time of the browser and all of its processes, and the memory of the one that holds most. Wall time counts on a machine
 * that does nothing else; processor time hardly depends on others.
 */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { openStudio } from "./site.ts"

const { values: asked } = parseArgs({
  options: { rows: { type: "string" }, megabytes: { type: "string" } },
})
const bytes = asked.megabytes === undefined ? Infinity : 1e6 * Number(asked.megabytes)
const rows = asked.megabytes === undefined ? Number(asked.rows ?? 100_000) : Infinity
const isLong = asked.megabytes !== undefined

const folder = mkdtempSync(join(tmpdir(), "suffice-measure-"))
const path = join(folder, "large.csv")

/** A label of three levels, 14 numbers and 5 categories, 5 % of the cells missing. */
function written(): void {
  let state = 1
  const die = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const named = (letter: string, n: number): string[] => Array.from({ length: n }, (_, j) => `${letter}${j}`)
  const out = openSync(path, "w")
  let [done, size] = [0, 0]
  let lines = [["label", ...named("x", 14), ...named("c", 5)].join(",")]
  while (done < rows && size < bytes) {
    const y = Math.floor(3 * die())
    const cells = [
      ...Array.from({ length: 14 }, (_, j) =>
        die() < 0.05 ? "" : (y * (j % 3) * 0.4 + die() + die() + die()).toFixed(3),
      ),
      ...Array.from({ length: 5 }, (_, j) =>
        die() < 0.05 ? "NA" : `l${Math.floor((3 + j) * die() ** (1 + 0.3 * y))}`,
      ),
    ]
    const line = [`k${y}`, ...cells].join(",")
    lines.push(line)
    size += line.length + 1
    if (++done % 10_000 === 0) {
      writeSync(out, `${lines.join("\n")}\n`)
      lines = []
    }
  }
  if (lines.length > 0) writeSync(out, `${lines.join("\n")}\n`)
  closeSync(out)
}

/** Of all processes that this one has started: seconds of processor time, and the memory of the largest. */
function spent(): { seconds: number; megabytes: number } {
  const parents = new Map<number, number>()
  const own = new Map<number, { ticks: number; pages: number }>()
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")
      parents.set(Number(name), Number(fields[1]))
      // utime, stime, and those of children that have ended
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      own.set(Number(name), { ticks, pages: Number(fields[21]) })
    } catch {
      // it has ended since
    }
  }
  let [ticks, pages] = [0, 0]
  for (const [id, one] of own) {
    let at = parents.get(id)
    while (at !== undefined && at > 1 && at !== process.pid) at = parents.get(at)
    if (at !== process.pid) continue
    ticks += one.ticks
    pages = Math.max(pages, one.pages)
  }
  return { seconds: ticks / 100, megabytes: (pages * 4096) / 1e6 }
}

written()
console.log(
  `${(statSync(path).size / 1e6).toFixed(1)} MB; ${cpus().length} processors, load ${loadavg()[0].toFixed(1)}`,
)
const studio = await openStudio()
const { page, errors } = await studio.open("#/data")
await page.evaluate(
  `globalThis.tasks = []; new PerformanceObserver(list => { for (const one of list.getEntries()) tasks.push(one.duration) }).observe({ entryTypes: ["longtask"] })`,
)
// a file of the disk, to be dropped
await page.evaluate(() => {
  const input = document.createElement("input")
  input.type = "file"
  input.id = "held"
  document.body.append(input)
})
await page.setInputFiles("#held", path)
let most = 0
const watching = setInterval(() => {
  most = Math.max(most, spent().megabytes)
}, 500)
const began = performance.now()
const before = spent().seconds
const lap = (what: string): void => {
  const { seconds, megabytes } = spent()
  most = Math.max(most, megabytes)
  const wall = (performance.now() - began) / 1000
  console.log(
    `${what}: ${wall.toFixed(1)} s, processor ${(seconds - before).toFixed(1)} s; memory at most ${Math.round(most)} MB; load ${loadavg()[0].toFixed(1)}`,
  )
}
await page.evaluate(() => {
  const data = new DataTransfer()
  data.items.add(document.querySelector<HTMLInputElement>("#held")!.files![0])
  document
    .querySelector("section.drop")!
    .dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
})
await page.waitForSelector("#what, [role=alert]")
await page.waitForFunction(() => !document.querySelector("main progress"))
lap("read")
const said = await page.evaluate(() => document.querySelector("#what, [role=alert]")?.textContent ?? "")
console.log(said.trim())
if (isLong) {
  await page.click("nav[aria-label=Steps] a:has-text('Model')")
  await page.click('li:has(h2:text-is("Naive Bayes of label")) button')
}
await page.click("nav[aria-label=Steps] a:has-text('Learn')")
if (isLong) await page.check('label:has-text("EM maximum likelihood") input')
await page.click("main button.primary:text-is('Learn')")
await page.waitForSelector("#board, [role=alert]")
lap("learned and measured")
const refused = await page.evaluate(() => document.querySelector("[role=alert]")?.textContent?.trim())
if (refused) console.log(refused)
else {
  console.log(await page.evaluate(() => document.querySelector("#board ~ .said")?.textContent ?? ""))
  await page.click("nav[aria-label=Steps] a:has-text('Understand')")
  await page.waitForSelector("#telling")
  lap("explained")
}
clearInterval(watching)
const tasks = (await page.evaluate("tasks")) as number[]
console.log(
  `longest task of the main thread ${Math.round(Math.max(0, ...tasks))} ms; above 50 ms: ${tasks.length}`,
  errors,
)
await studio.close()
rmSync(folder, { recursive: true, force: true })
