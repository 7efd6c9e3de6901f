/** The report of sequences in a browser: nothing fetched, readable by everyone, and what it says. */
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults } from "axe-core"
import type { Browser } from "playwright-core"
import { categorical, chain, dice, fit, gaussian, independent, type Row, sequences } from "suffice"
import { evaluate } from "suffice/measure"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openBrowser } from "../../../../checks/testing/browser.ts"
import type { Card, QualityAnswer } from "../answers.ts"
import type { LooseFitted, LooseModel } from "../loose.ts"
import { pathAnswer } from "../sequences/path.ts"
import { chainsAnswer } from "../sequences/states.ts"
import { ofRows } from "../sequences/table.ts"
import { report } from "./page.ts"

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

/** Tags of spans that a column of numbers and one of levels tell apart. */
function table(): Row[] {
  const roll = dice(5)
  return Array.from({ length: 12 }, (_, s) => s).flatMap(s =>
    Array.from({ length: 20 }, (_, t) => {
      const inside = t % 7 >= 3
      const tag = !inside ? "O" : t % 7 === 3 ? "B-RUN" : "I-RUN"
      return { id: `s${s}`, t, heat: (inside ? 5 : 0) + roll.normal(), load: inside ? "high" : "low", tag }
    }),
  )
}

async function specimen(): Promise<Card> {
  const { columns } = ofRows(sequences(table(), { by: "id", order: "t" }), "steps")
  const model = chain("tag", independent({ heat: gaussian(), load: categorical() }), { ends: true })
  const fitted = (await fit(model as unknown as LooseModel, columns)) as LooseFitted
  const evaluation = evaluate(fitted, columns, { curves: true }) as unknown as QualityAnswer["evaluation"]
  return {
    title: "Tags",
    lead: "l",
    command: "suffice fit x.csv --tag tag",
    facts: [["seed", "0"]],
    warnings: [],
    quality: { on: "test file", rows: 240, sequences: 12, evaluation },
    chains: chainsAnswer(fitted),
    path: pathAnswer(fitted, columns, "steps", { sequence: "id", order: "t" })!,
  }
}

test("states, a path and spans stand on the page, which fetches nothing and is accessible", async () => {
  const text = report(await specimen())
  if (process.env.SUFFICE_REPORT) writeFileSync(process.env.SUFFICE_REPORT, text)
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8")
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 390],
  ] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
    const requests: string[] = []
    const problems: string[] = []
    page.on("request", request => requests.push(request.url()))
    page.on("console", message => problems.push(message.text()))
    page.on("pageerror", error => problems.push(String(error)))
    await page.setContent(text)
    expect(await page.locator("h2").allTextContents()).toEqual(
      expect.arrayContaining(["How good it is", "A path over one sequence", "States, and what follows them"]),
    )
    expect(await page.locator("h3").allTextContents()).toContain("Spans, by type")
    const said = await page.locator("figure svg[role=img] desc").allTextContents()
    expect(said).toEqual(
      expect.arrayContaining([
        expect.stringContaining("heat step by step; the bar below it shows the state"),
        expect.stringContaining("Rows are where a step is, columns where the next one is"),
      ]),
    )
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    expect(
      await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
    ).toBe(0)
    // the page itself allows no script: the looking glass comes from outside
    const looked = (await page.evaluate(`(() => { ${axe}; return axe.run() })()`)) as AxeResults
    expect(looked.violations.map(({ id, nodes }) => [id, nodes.length])).toEqual([])
    expect([requests, problems]).toEqual([[], []])
    await page.close()
  }
})
