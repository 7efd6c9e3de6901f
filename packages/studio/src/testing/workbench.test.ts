/** The five steps of the workbench in a real browser, as people go through them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { builtCommand, run } from "../../../cli/src/testing/built.ts"
import { type Opened, openStudio, type Studio } from "./site.ts"

const PENGUINS = new URL("../../../files/examples/penguins.csv", import.meta.url).pathname
let studio: Studio
let folder = ""
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "suffice-studio-"))
  studio = await openStudio({ "opened/penguins.csv": PENGUINS })
})
afterAll(async () => {
  await studio?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function go(page: Page, step: string): Promise<void> {
  await page.click(`nav[aria-label=Steps] a:has-text("${step}")`)
  await page.waitForSelector(`main h1:has-text("${step}")`)
}

/** A sample becomes a learned model, by its model and learner. */
async function learned({ page }: Opened, sample: string, model: string, learner: string): Promise<void> {
  await page.click(`button:has-text("${sample}")`)
  await page.waitForSelector("#what")
  await go(page, "Model")
  await page.click(`li:has(h2:text-is("${model}")) button`)
  await go(page, "Learn")
  await page.check(`label:has-text("${learner}") input`)
  await page.click("main button.primary:text-is('Learn')")
  await page.waitForSelector("#board, [role=alert]")
}

async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.click(`button:has-text("${button}")`),
  ])
  return readFileSync((await download.path())!, "utf8")
}

test.each([
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
] as const)(
  "every step shows what it has, to everyone ($colorScheme, $width px)",
  async ({ colorScheme, width }) => {
    const opened = await studio.open("#/data", { colorScheme, viewport: { width, height: 900 } })
    const { page, foreign, errors } = opened
    await learned(opened, "Penguins", "Naive Bayes of species", "EM maximum likelihood")
    for (const [step, shown] of [
      ["Data", "#what"],
      ["Model", "#tree"],
      ["Learn", "#board"],
      ["Understand", "#strange"],
      ["Use", "#take"],
    ]) {
      await go(page, step)
      await page.waitForSelector(shown)
      expect(await opened.violations(), step).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide, `${step} is wider than the window`).toBeLessThanOrEqual(0)
    }
    await go(page, "Understand")
    expect(await page.textContent("main")).toContain("Better than the base rate")
    await page.click("button[aria-label^='Adelie predicted as Adelie']")
    await page.waitForSelector("text=Adelie, predicted as Adelie")
    // what if: without its bill a penguin is less surely what it was
    const before = await page.textContent(".bars")
    await page.fill("label:has-text('culmen_length_mm') input", "")
    await page.waitForFunction(text => document.querySelector(".bars")?.textContent !== text, before)
    expect(foreign).toEqual([])
    expect(errors).toEqual([])
    await opened.close()
  },
)

test("the same file and seed in the page and by the command give the same model, to the bit, and new rows the same predictions", async () => {
  const command = await builtCommand()
  const opened = await studio.open("#/data?open=penguins.csv")
  const { page } = opened
  try {
    await page.waitForSelector("#what")
    await go(page, "Model")
    await page.click('li:has(h2:text-is("Naive Bayes of species")) button')
    await go(page, "Learn")
    for (const learner of ["EM maximum likelihood", "sdEM, NCLL"])
      await page.check(`label:has-text("${learner}") input`)
    await page.click("main button.primary:text-is('Learn')")
    await page.waitForSelector("tbody tr:nth-child(2)")
    await page.waitForSelector("text=worse", { state: "attached" })
    for (const [i, flags] of ["--learner em", "--learner sdem --loss ncll"].entries()) {
      await go(page, "Learn")
      await page.click(`tbody tr:nth-child(${i + 1}) button:first-child`)
      await go(page, "Use")
      const there = await saved(page, "Save model.json")
      const out = join(folder, `m${i}.json`)
      const { exit, stderr } = await run(command, {
        cwd: folder,
        args: [
          "fit",
          PENGUINS,
          "--label",
          "species",
          "--model",
          "naive-bayes",
          ...flags.split(" "),
          "-o",
          out,
          "--quiet",
        ],
      })
      expect(exit, stderr).toBe(0)
      expect(there === readFileSync(out, "utf8"), flags).toBe(true)
    }
    await page.setInputFiles("section.drop input[type=file]", PENGUINS)
    await page.waitForSelector("text=344 predictions")
    expect((await saved(page, "Save as CSV")).split("\n")[0]).toContain("p(Adelie)")
    expect(await saved(page, "Save report.html")).toContain("Naive Bayes of species")
    // a model that is dropped on the page is opened, and one of another version is refused
    const model = JSON.parse(readFileSync(join(folder, "m0.json"), "utf8"))
    writeFileSync(join(folder, "old.json"), JSON.stringify({ ...model, version: 999 }))
    await go(page, "Data")
    await page.setInputFiles("section.drop input[type=file]", join(folder, "old.json"))
    expect(await page.textContent("[role=alert]")).toContain("999")
    await page.setInputFiles("section.drop input[type=file]", join(folder, "m0.json"))
    await go(page, "Learn")
    await page.waitForSelector("tbody tr:nth-child(3)")
    // what was done is there after the page is opened anew
    await page.goto(`${studio.address}#/learn`)
    await page.reload()
    await page.waitForSelector("tbody tr:nth-child(2)")
  } finally {
    command.remove()
    await opened.close()
  }
})

test("what cannot be read is said in a sentence, and what was there stays", async () => {
  const opened = await studio.open("#/data")
  const { page } = opened
  await page.click('button:has-text("Iris")')
  await page.waitForSelector("text=iris.csv: 150 rows")
  const refused = async (name: string, text: string | Buffer): Promise<string> => {
    await page.setInputFiles("section.drop input[type=file]", {
      name,
      mimeType: "text/plain",
      buffer: Buffer.from(text),
    })
    await page.waitForSelector("[role=alert]")
    const said = (await page.textContent("[role=alert]"))!.replace(/\s*Close\s*$/, "").trim()
    await page.click("[role=alert] button")
    expect(await page.textContent("#what")).toContain("iris.csv: 150 rows")
    return said
  }
  expect(await refused("empty.csv", "")).toMatchInlineSnapshot(
    `""empty.csv" is empty. There is no row to learn from. Check whether it was written to its end."`,
  )
  expect(await refused("quote.csv", 'a,b\n1,2\n3,"x\n4,5\n')).toMatchInlineSnapshot(
    `"Line 3 of "quote.csv" opens a quote that is never closed: "3,\\"x". The file ends inside a cell, or a cell holds a single quote sign. Close it, write a quote inside a cell twice, or, if no cell is quoted, pass quote: ""."`,
  )
  expect(await refused("tool.bin", Buffer.from([0, 1, 2, 3, 255]))).toMatchInlineSnapshot(
    `""tool.bin" is no text: it holds bytes that are no characters. The studio reads CSV, TSV, JSON, NDJSON and Parquet, and models that it has saved. Save it as one of these, or use the command, which reads more: suffice fit "tool.bin" --label COLUMN."`,
  )
  // a label with one level
  await page.setInputFiles("section.drop input[type=file]", {
    name: "one.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("x,y\n1,a\n2,a\n3,a\n4,a\n"),
  })
  await page.waitForSelector("text=one.csv: 4 rows")
  await page.selectOption("label:has-text('The label') select", "y")
  await page.waitForSelector("[role=alert]")
  expect(await page.textContent("[role=alert]")).toContain("one level only")
  expect(opened.errors).toEqual([])
  await opened.close()
})

test("topics and hidden states are learned and shown, and every step can be reached by keyboard alone", async () => {
  const opened = await studio.open("#/data")
  const { page } = opened
  /** The way to a control by Tab, and then the key. */
  const press = async (name: RegExp, key = "Enter"): Promise<void> => {
    for (let i = 0; i < 200; i++) {
      await page.keyboard.press("Tab")
      const text = await page.evaluate(() => document.activeElement?.textContent ?? "")
      if (name.test(text.trim())) return page.keyboard.press(key)
    }
    throw new Error(`no Tab leads to ${name}`)
  }
  await press(/^News/)
  await page.waitForSelector("text=news.csv: 400 rows")
  await press(/^Go on to the model/)
  await press(/^Go on to learn it/)
  await press(/^Learn$/)
  await page.waitForSelector("#board, [role=alert]")
  await press(/^Go on to understand/)
  await page.waitForSelector("#topics")
  expect(await page.locator("li.card:has-text('Topic ')").count()).toBe(5)
  await press(/^Go on to use it/)
  await page.waitForSelector("#take")
  await go(page, "Data")
  await learned(opened, "Earthquakes", "A chain of 2 hidden states", "EM maximum likelihood")
  expect(await page.textContent("tbody")).toContain("A chain of 2 hidden states")
  expect(opened.errors).toEqual([])
  await opened.close()
})

test("a network is found, drawn, changed, learned and asked; runs are compared on folds, and posteriors are among them", async () => {
  const opened = await studio.open("#/data")
  const { page } = opened
  await page.click('button:has-text("Votes")')
  await page.waitForSelector("#what")
  await go(page, "Model")
  await page.click('li:has(h2:has-text("tree-augmented")) button')
  await page.waitForSelector(".graph")
  const arrows = page.locator(".graph line")
  // a tree over 16 columns, the label not counted
  expect(await arrows.count()).toBe(15)
  const code = await page.locator("pre", { hasText: "given(" }).textContent()
  expect(code).toContain('classes("party", network({')
  const child = /(\w+): given\(\["(\w+)"\]/.exec(code!)!
  await page.click(`.graph button:text-is("${child[1]}")`)
  await page.click("fieldset button:has-text('Remove')")
  await page.waitForFunction(() => document.querySelectorAll(".graph line").length === 14)
  await page.selectOption("fieldset select", child[2])
  await page.waitForFunction(() => document.querySelectorAll(".graph line").length === 15)
  expect(await opened.violations()).toEqual([])
  await go(page, "Learn")
  await page.click("summary:has-text('Options')")
  await page.selectOption("label:has-text('compared') select", "5")
  for (const learner of ["EM maximum", "Bayes a posterior"])
    await page.check(`label:has-text("${learner}") input`)
  await page.click("main button.primary:text-is('Learn')")
  await page.waitForSelector("tbody tr:nth-child(2)")
  await page.waitForFunction(() => !document.querySelector("main progress"))
  expect(await page.textContent("caption")).toBe("log-loss on the same 5 folds")
  expect(await page.textContent(".said")).toContain("over the same 435 rows")
  await go(page, "Understand")
  await page.waitForSelector("#ask")
  // who sees a vote learns of the party; who makes one does not
  const party = (): Promise<string | null> => page.textContent("li:has(> h3:text-is('party')) .bars")
  const [before, level] = [await party(), "li:has(> h3:text-is('physician_fee_freeze')) select"]
  await page.selectOption(level, "done y")
  await page.waitForSelector("li.known")
  await page.waitForFunction(() => !document.querySelector("li.known .bars li"))
  expect(await party()).toBe(before)
  await page.selectOption(level, "seen y")
  await page.waitForFunction(
    text =>
      [...document.querySelectorAll("section[aria-labelledby=ask] li.card")].every(
        card =>
          card.querySelector("h3")?.textContent !== "party" ||
          card.querySelector(".bars")?.textContent !== text,
      ),
    before,
  )
  expect(await opened.violations()).toEqual([])
  expect(opened.errors).toEqual([])
  await opened.close()
})
