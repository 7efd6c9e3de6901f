/** What each step offers, done by hand in a real browser: kinds of columns, wrong cells, the tree, pause and stop, a row explained, costs, work saved as one file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Opened, openStudio, type Studio } from "./site.ts"

let studio: Studio
let folder = ""
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "suffice-steps-"))
  studio = await openStudio()
})
afterAll(async () => {
  await studio?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function go(page: Page, step: string): Promise<void> {
  await page.click(`nav[aria-label=Steps] a:has-text("${step}")`)
  await page.waitForSelector(`main h1:has-text("${step}")`)
}

async function sample({ page }: Opened, title: string): Promise<void> {
  await page.click(`button:has-text("${title}")`)
  await page.waitForSelector("#what")
}

/** The TypeScript beside the model, once it says so. */
async function codeWith(page: Page, part: string): Promise<string> {
  return (await page.waitForSelector(`pre:has-text("${part.replaceAll('"', '\\"')}")`)).evaluate(
    node => node.textContent ?? "",
  )
}

test("data: a pasted table, its wrong cells, every kind of column, rows that exist only in sight", async () => {
  const opened = await studio.open("#/data")
  const { page } = opened
  const rows = Array.from({ length: 90 }, (_, i) =>
    [i === 40 ? "twelve" : 10 + (i % 13), i % 5, `k${i % 3}`, 1 + (i % 2), `s${Math.floor(i / 9)}`].join(","),
  )
  await page.click("summary:has-text('Paste')")
  await page.fill("textarea", `size,times,kind,worth,of\n${rows.join("\n")}\n`)
  await page.click("button:text-is('Take it')")
  await page.waitForSelector("text=pasted.csv: 90 rows, 5 columns")
  // the wrong cell is named on its card, and marked in its row
  const card = (name: string): string => `li.card:has(h3:text-is("${name}"))`
  expect(await page.textContent(card("size"))).toContain("row 41: “twelve”")
  const frame = page.locator("[aria-label='Rows of the table']")
  await frame.evaluate(node => node.scrollTo(0, 38 * 30))
  await page.waitForSelector("td.odd:text-is('twelve')")
  // of 90 rows fewer than 40 exist
  expect(await frame.locator("tbody tr").count()).toBeLessThan(40)
  await frame.evaluate(node => node.scrollTo(0, node.scrollHeight))
  await page.waitForSelector("[aria-label='Rows of the table'] td:text-is('90')")
  await page.click("button:has-text('Take as missing')")
  await page.waitForFunction(() => document.querySelector("main")?.textContent?.includes("1.1 % missing"))
  const take = async (name: string, kind: string, says: string): Promise<void> => {
    await page.selectOption(`${card(name)} label:has-text("Take it as") select`, kind)
    await page.waitForSelector(`${card(name)}:has-text("${says}")`)
  }
  await take("times", "number", "number, gaussian: as was asked")
  await take("times", "count", "count, poisson: as was asked")
  await take("times", "category", "category, categorical: as was asked")
  await take("kind", "text", "text, multinomial: as was asked")
  await take("kind", "label", "label: it is the label")
  await take("size", "ignore", "ignore: as was asked")
  await page.selectOption(`${card("worth")} select`, "weight")
  await page.waitForFunction(() => !document.querySelector("main progress"))
  expect(await page.inputValue(`${card("worth")} select`)).toBe("weight")
  await go(page, "Model")
  expect(await codeWith(page, "--weight worth")).toContain("--as size=ignore")
  await go(page, "Data")
  await page.selectOption(`${card("of")} select`, "sequence")
  await page.waitForFunction(() => !document.querySelector("main progress"))
  await go(page, "Model")
  await page.waitForSelector("h2:has-text('A chain of kind')")
  expect(opened.errors).toEqual([])
  await opened.close()
})

test("model: families are swapped, columns grouped and parted, a mixture is put below a class; code and command follow", async () => {
  const opened = await studio.open("#/data")
  const { page } = opened
  await sample(opened, "Penguins")
  await go(page, "Model")
  await page.click('li:has(h2:text-is("Naive Bayes of species")) button')
  expect(await codeWith(page, "const model")).toContain("body_mass_g: gaussian(")
  await page.selectOption("select[aria-label='Family of body_mass_g']", "gamma")
  expect(await codeWith(page, "body_mass_g: gamma(")).toContain("gamma")
  for (const column of ["culmen_length_mm", "culmen_depth_mm"])
    await page.check(`input[aria-label="Group ${column} with others"]`)
  await page.click("button:text-is('Group culmen_length_mm and culmen_depth_mm')")
  const grouped = await codeWith(page, 'normal(["culmen_length_mm","culmen_depth_mm"]')
  expect(grouped).toContain("flipper_length_mm: gaussian(")
  await page.click("button:text-is('Put a mixture below')")
  await codeWith(page, 'classes("species", mixture(2, independent(')
  expect(await codeWith(page, "suffice fit")).toContain("--model model.json")
  await page.click("button:text-is('Part them')")
  await codeWith(page, "culmen_depth_mm: gaussian(")
  await page.click("button[aria-label='Leave out sex']")
  await page.waitForFunction(() => !document.querySelector("select[aria-label='Family of sex']"))
  // what is no model is refused, and the one that was there stays
  await page.fill("label:has-text('components') input", "0")
  await page.keyboard.press("Tab")
  await page.waitForSelector("[role=alert]")
  await codeWith(page, "mixture(2, ")
  expect(opened.errors).toEqual([])
  await opened.close()
})

test("learn: the objective is drawn while it is climbed, held, gone on with and stopped; every learner has a curve", async () => {
  const opened = await studio.open("#/data")
  const { page } = opened
  await sample(opened, "Old Faithful")
  await go(page, "Learn")
  await page.check('label:has-text("EM maximum likelihood; counting") input')
  await page.click("main button.primary:text-is('Learn')")
  await page.waitForSelector("#board")
  // it took a moment, and is drawn nevertheless
  await page.waitForSelector("figure:has-text('The objective of EM') svg")
  await go(page, "Data")
  await sample(opened, "Penguins")
  await go(page, "Model")
  await page.click('li:has(h2:text-is("Naive Bayes of species")) button')
  await go(page, "Learn")
  await page.check('label:has-text("sdEM, NCLL") input')
  await page.click("summary:has-text('Options')")
  await page.fill("label:has-text('Epochs') input", "1000000")
  await page.click("main button.primary:text-is('Learn')")
  const drawn = (): Promise<string | null> =>
    page.getAttribute("section[aria-labelledby=live] svg[role=img]", "aria-label")
  await page.waitForSelector("section[aria-labelledby=live] svg[role=img]")
  await page.click("button:text-is('Pause')")
  await page.waitForSelector("button:text-is('Go on')")
  // what was under way arrives; then nothing does
  let before = await drawn()
  for (let same = 0; same < 30; same++) {
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)))
    const now = await drawn()
    if (now !== before) same = 0
    before = now
  }
  await page.click("button:text-is('Go on')")
  await page.waitForFunction(
    text =>
      document.querySelector("section[aria-labelledby=live] svg[role=img]")?.getAttribute("aria-label") !==
      text,
    before,
  )
  await page.click("button:text-is('Stop')")
  // what was learned so far is a run like others
  await page.waitForSelector("#board")
  expect(await page.textContent("tbody tr")).toContain("stochastic discriminative EM")
  await page.fill("label:has-text('Epochs') input", "5")
  await page.check('label:has-text("sdEM, hinge") input')
  await page.click("main button.primary:text-is('Learn')")
  await page.waitForSelector("tbody tr:nth-child(3)")
  await page.waitForFunction(() => !document.querySelector("button.primary[disabled]"))
  expect(await page.textContent("caption")).toBe("log-loss on the same held-out rows")
  const row = await page.locator("tbody tr").allTextContents()
  expect(row.filter(text => /\d+\.\d % \(\d+\.\d % – \d+\.\d %\)/.test(text))).toHaveLength(3)
  expect(row.filter(text => text.includes("best"))).toHaveLength(1)
  expect(row.filter(text => /\+\S+ \(\S+ to \S+\)/.test(text))).toHaveLength(2)
  expect(await page.textContent("#board ~ .said")).toContain("95 % interval")
  expect(await page.locator("figure:has-text('The objective of sdEM')").count()).toBe(3)
  expect(opened.errors).toEqual([])
  await opened.close()
})

test("understand and use: a strange row is explained, groups are named; costs decide; the work is saved as one file and opened again", async () => {
  const opened = await studio.open("#/data")
  const { page } = opened
  const save = async (button: string): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click(`button:has-text("${button}")`),
    ])
    return readFileSync((await download.path())!, "utf8")
  }
  const predictions = async (name: string, text: string): Promise<string> => {
    writeFileSync(join(folder, name), text)
    await page.setInputFiles("section.drop input[type=file]", join(folder, name))
    await page.waitForSelector("#made")
    return save("Save as CSV")
  }
  await sample(opened, "Old Faithful")
  await go(page, "Learn")
  await page.click("main button.primary:text-is('Learn')")
  await page.waitForSelector("#board")
  await go(page, "Understand")
  await page.waitForSelector("h3:text-is('Then it belongs to')")
  await page.waitForSelector(".legend li:has-text('component 1')")
  await go(page, "Use")
  const grouped = (await predictions("geyser.csv", "eruptions,waiting\n1.8,50\n4.5,80\n")).trim().split("\n")
  expect(grouped[0]).toBe("eruptions,waiting,component,p(component 0),p(component 1)")
  expect(grouped[1].split(",")[2]).not.toBe(grouped[2].split(",")[2])

  await go(page, "Data")
  await sample(opened, "Iris")
  await go(page, "Model")
  await page.click('li:has(h2:text-is("Naive Bayes of species")) button')
  await go(page, "Learn")
  await page.check('label:has-text("EM maximum likelihood; counting") input')
  await page.click("main button.primary:text-is('Learn')")
  await page.waitForSelector("#board")
  await go(page, "Understand")
  for (const shown of [
    "Reliability",
    "ROC of setosa",
    "Precision and recall of setosa",
    "Rows, with an ellipse",
  ])
    await page.waitForSelector(`figure:has-text("${shown}") svg`)
  await page.selectOption("label:has-text('Curves of') select", "virginica")
  await page.waitForSelector('figure:has-text("ROC of virginica") svg')
  await page.waitForSelector("#strange")
  const first = page.locator("section[aria-labelledby=strange] tbody button").first()
  const asked = (await first.textContent())!.replace(/\D+/g, "")
  await first.click()
  await page.waitForSelector(`h3:text-is("What if: change or clear a cell of row ${asked}")`)
  await page.waitForSelector("figure:has-text('and not') svg")

  await go(page, "Use")
  const rows = "sepal_length,sepal_width,petal_length,petal_width\n6.1,2.8,4.9,1.7\n"
  const names = readFileSync(join(studio.folder, "samples/iris.csv"), "utf8").split("\n")[0].split(",")
  const plain = await predictions(
    "new.csv",
    rows.replace(/^.*$/m, names.filter(name => name !== "species").join(",")),
  )
  expect(plain.split("\n")[0]).not.toContain("action")
  await page.check("label:has-text('Decide by what mistakes cost') input")
  await page.fill("input[aria-label='Cost of versicolor when it is virginica']", "1000")
  await page.keyboard.press("Tab")
  await page.waitForSelector("#made ~ .scroll td:text-is('virginica')")
  await page.waitForFunction(() => !document.querySelector("main progress"))
  const dear = (await save("Save as CSV")).split("\n")
  expect(dear[0]).toContain("action,expected cost")
  expect(dear[1].split(",").at(-2)).toBe("virginica")

  const work = await save("Save all of this work as one file")
  writeFileSync(join(folder, "work.suffice.json"), work)
  await page.click("button:text-is('Throw this work away')")
  await page.waitForSelector("text=Nothing is learned yet")
  await go(page, "Data")
  await page.setInputFiles("section.drop input[type=file]", join(folder, "work.suffice.json"))
  await page.waitForSelector("text=iris.csv: 150 rows")
  await go(page, "Learn")
  await page.waitForSelector("tbody tr:has-text('Naive Bayes of species')")

  // a model alone, on a page without a table, is ready to be used
  await go(page, "Use")
  const model = await save("Save model.json")
  await page.click("button:text-is('Throw this work away')")
  await page.waitForSelector("text=Nothing is learned yet")
  await go(page, "Data")
  await page.setInputFiles("section.drop input[type=file]", {
    name: "model.json",
    mimeType: "application/json",
    buffer: Buffer.from(model),
  })
  await page.waitForSelector("text=The model of model.json")
  expect(
    (await predictions("new.csv", rows.replace(/^.*$/m, names.join(",")).replace("1.7", "1.7,"))).split(
      "\n",
    )[0],
  ).toContain("p(setosa)")
  await go(page, "Understand")
  await page.waitForSelector("text=What if: fill in what is known")
  expect(opened.foreign).toEqual([])
  expect(opened.errors).toEqual([])
  await opened.close()
})

test("learn: what fits best says what was tried, and takes one of it", async () => {
  const opened = await studio.open("#/data")
  const { page } = opened
  const rows = Array.from(
    { length: 60 },
    (_, i) => `${(i % 2) * 3 + ((i * 7) % 11) / 5},${i % 2 ? "yes" : "no"}`,
  )
  await page.click("summary:has-text('Paste')")
  await page.fill("textarea", `x,kind\n${rows.join("\n")}\n`)
  await page.click("button:text-is('Take it')")
  await page.waitForSelector("text=pasted.csv: 60 rows")
  await go(page, "Learn")
  await page.click("main button.primary:text-is('Learn')")
  await page.waitForSelector("#board")
  await page.click("summary:has-text('What was tried')")
  const tried = await page.locator("[aria-label='What was tried'] tbody tr").allTextContents()
  expect(tried.some(text => text.startsWith("naive-bayes"))).toBe(true)
  expect(tried.some(text => text.includes("never chosen"))).toBe(true)
  expect(await opened.violations()).toEqual([])
  expect(opened.errors).toEqual([])
  await opened.close()
})
