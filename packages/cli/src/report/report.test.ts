/** The report in a browser: nothing fetched, no error, every chart named, readable in light and dark. */
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults } from "axe-core"
import type { Browser } from "playwright-core"
import {
  type Cell,
  type Columns,
  categorical,
  classes,
  dice,
  fit,
  gaussian,
  independent,
  mixture,
  normal,
  poisson,
  type Row,
} from "suffice"
import { evaluate, split } from "suffice/measure"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openBrowser } from "../../../../checks/testing/browser.ts"
import type { Card, QualityAnswer } from "../answers.ts"
import { learnedAnswer } from "../learned/answer.ts"
import type { LooseFitted, LooseModel } from "../loose.ts"
import { tellingFeatures } from "../telling.ts"
import { basisOf, trainingAnswer } from "../training.ts"
import { report } from "./page.ts"

const COLUMNS = ["culmen_length_mm", "culmen_depth_mm", "flipper_length_mm", "body_mass_g"]

function penguins(): Row[] {
  const file = createRequire(import.meta.url).resolve("@observablehq/sample-datasets/penguins.csv")
  const [head, ...lines] = readFileSync(file, "utf8").trim().split(/\r?\n/)
  const names = head.split(",")
  return lines.map(line => {
    const cells = line.split(",")
    return Object.fromEntries(
      names.map((name, c): [string, Cell] => {
        if (cells[c] === "" || cells[c] === "NaN" || cells[c] === ".") return [name, null]
        return [name, COLUMNS.includes(name) ? Number(cells[c]) : cells[c]]
      }),
    )
  })
}

function columnsIn(rows: readonly Row[]): Columns {
  return Object.fromEntries(Object.keys(rows[0]).map(name => [name, rows.map(row => row[name])]))
}

const bare: Card = {
  title: "t <script>alert(1)</script>",
  lead: "l",
  command: "suffice fit <x>",
  facts: [["seed", "7"]],
  warnings: ["a & b"],
}

async function specimen(): Promise<Card> {
  const rows = penguins()
  const { train, test } = split(rows, { test: 0.3, stratify: "species", seed: 7 })
  const body = independent(normal(COLUMNS), { island: categorical(), sex: categorical() })
  const fitted = await fit(classes("species", body) as unknown as LooseModel, train, { seed: 7 })
  const groups = mixture(3, normal(COLUMNS)) as LooseModel
  const chances = (await fit(groups, rows, { seed: 1 })).responsibilities(rows)
  const contestant = (name: string, kind: "generative" | "discriminative", accuracy: number) => ({
    name,
    kind,
    accuracy,
    accuracyStandardError: 0.01,
    ...(name !== "linear SVM" && { logLoss: 0.1, logLossStandardError: 0.02 }),
    folds: [],
    ...(name.startsWith("sdEM") && {
      stages: [
        { name: "EM, the first guess", objective: "log-likelihood + ln prior", trace: [-900] },
        { name, objective: "minus the loss over an epoch", trace: [-0.5, -0.3, -0.25] },
      ],
    }),
    seconds: 1.5,
    curve: [20, 50, 100, 275].map((n, i) => ({
      rows: n,
      accuracy: accuracy - 0.1 / (i + 1),
      standardError: 0.02 / (i + 1),
    })),
  })
  return {
    title: "Naive Bayes of species",
    lead: "Learned from 240 rows of penguins.csv by EM.",
    command: "suffice fit penguins.csv --label species --seed 7 --report report.html",
    facts: [
      ["seed", "7"],
      ["learner", "em"],
      ["suffice", "0.1.0"],
    ],
    warnings: [],
    data: {
      name: "penguins.csv",
      rows: rows.length,
      columns: Object.keys(rows[0]).map(name => ({
        name,
        kind: COLUMNS.includes(name) ? "number" : "category",
        family: COLUMNS.includes(name) ? "normal" : "categorical",
        role: name === "species" ? ("label" as const) : ("cell" as const),
        missing: rows.filter(row => row[name] === null).length / rows.length,
      })),
    },
    quality: {
      on: "held-out rows",
      rows: test.length,
      evaluation: evaluate(fitted, test, { curves: true }),
    },
    telling: tellingFeatures(fitted, columnsIn(test), "species"),
    learned: learnedAnswer(fitted, columnsIn(train))!,
    basis: { rows: train.length, free: fitted.free, calibrated: false },
    compare: {
      label: "species",
      folds: 5,
      contestants: [
        contestant("counting (EM)", "generative", 0.96),
        contestant("sdEM, NCLL", "discriminative", 0.985),
        contestant("sdEM, hinge", "discriminative", 0.98),
        contestant("logistic regression", "discriminative", 0.983),
        contestant("linear SVM", "discriminative", 0.984),
      ],
      best: "sdEM, NCLL",
      differences: [{ against: "counting (EM)", difference: 0.025, interval: [0.004, 0.046] }],
      recommendation: "Learn it discriminatively.",
    },
    candidates: {
      criterion: "bic",
      chosen: 3,
      each: [1, 2, 3, 4].map(k => ({ k, aic: 1000 + k, bic: 1000 + (k - 3) ** 2 * 40, icl: 1010 + k })),
    },
    components: {
      title: "3 clusters",
      each: [0, 1, 2].map(k => ({
        name: `cluster ${k}`,
        share: 1 / 3,
        parts: [{ column: "body_mass_g", summary: `mean ${k}` }],
      })),
      picture: {
        x: "culmen_length_mm",
        y: "flipper_length_mm",
        points: rows.flatMap((row, i) =>
          row.culmen_length_mm === null
            ? []
            : [
                {
                  x: row.culmen_length_mm as number,
                  y: row.flipper_length_mm as number,
                  group: [0, 1, 2].reduce(
                    (best, k) => (chances[3 * i + k] > chances[3 * i + best] ? k : best),
                    0,
                  ),
                },
              ],
        ),
        outlines: [],
      },
    },
    training: {
      stages: [
        {
          name: "EM, the first guess",
          objective: "log-likelihood + ln prior",
          trace: [-1_206_592.5, -650_000, -640_000],
        },
        { name: "sdEM, NCLL", objective: "minus the loss over an epoch", trace: [-0.4, -0.2, -0.1] },
      ],
      runs: [],
      run: 0,
    },
  }
}

async function cardOf(model: unknown, rows: readonly Row[], target?: string): Promise<Card> {
  const { train, test } = split(rows as Row[], { test: 0.3, seed: 3 })
  const plainly = (await fit(model as LooseModel, train, { seed: 3 })) as LooseFitted
  const fitted = target === undefined ? plainly : (plainly.withTarget(target) as LooseFitted)
  const learned = learnedAnswer(fitted, columnsIn(train))
  const measured =
    fitted.model.target === undefined
      ? undefined
      : (evaluate(fitted, test, { curves: true }) as unknown as QualityAnswer["evaluation"])
  return {
    ...bare,
    ...(learned && { learned }),
    ...(measured && { quality: { on: "held-out rows", rows: test.length, evaluation: measured } }),
    basis: basisOf(fitted),
    training: trainingAnswer(fitted.training!),
  }
}

const die = dice(11)

/** More levels and columns than are drawn. */
function manyLevels(): Promise<Card> {
  const names = Array.from({ length: 40 }, (_, j) => `measured ${j}`)
  const rows = Array.from({ length: 760 }, (_, i) => ({
    y: `level ${i % 38}`,
    ...Object.fromEntries(
      names.map((name, j) => [name, die.normal() + (j < 5 ? ((i * (j + 3)) % 38) / 4 : 0)]),
    ),
  }))
  const body = independent(Object.fromEntries(names.map(name => [name, gaussian()])) as never)
  return cardOf(classes("y", body), rows)
}

function ofNumber(): Promise<Card> {
  const rows = Array.from({ length: 200 }, (_, i) => {
    const x = die.normal()
    return {
      x,
      year: 2001 + (i % 4),
      sort: `a rather long name ${i % 3}`,
      y: 1e6 * (2 * x + (i % 3) + die.normal()),
    }
  })
  return cardOf(classes("sort", normal(["x", "year", "y"])), rows, "y")
}

function ofComponents(): Promise<Card> {
  const rows = Array.from({ length: 200 }, (_, i) => ({
    x: die.normal() + 6 * (i % 2),
    name: `a level whose name is far too long for an axis ${die.integer(15)}`,
    n: die.poisson(2 + 5 * (i % 2)),
  }))
  return cardOf(
    mixture(2, independent({ x: gaussian(), name: categorical(), n: poisson() }), { name: "group" }),
    rows,
  )
}

let page = ""
beforeAll(async () => {
  page = report(await specimen())
})

describe("a report", () => {
  test("escapes what comes from the data", () => {
    const text = report(bare)
    expect(text).not.toContain("<script")
    expect(text).toContain("t &lt;script&gt;")
    expect(text).toContain("suffice fit &lt;x&gt;")
    expect(text).toContain("a &amp; b")
  })

  test("refers to nothing outside itself", () => {
    const addresses = [...page.matchAll(/\b(?:src|href|xlink:href)=["']([^"']*)/g)].map(match => match[1])
    expect(addresses.filter(address => !address.startsWith("#"))).toEqual([])
    expect(page).not.toMatch(/@import|url\((?!#)/)
    expect(page).not.toContain("<script")
  })

  test("lists its sections, each once, in their order", () => {
    const listed = [...page.matchAll(/<li><a href="#([\w-]+)"/g)].map(match => match[1])
    const headed = [...page.matchAll(/<h2 id="([\w-]+)"/g)].map(match => match[1])
    expect(listed).toEqual(headed)
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed.length).toBeGreaterThanOrEqual(7)
  })

  test("draws the objective of each learner apart: those of a comparison, and those of one that goes on from another", () => {
    const titles = [...page.matchAll(/<figcaption>([^<]*): higher is better/g)].map(match => match[1])
    expect(titles).toEqual(["sdEM, NCLL", "sdEM, hinge", "EM, the first guess", "sdEM, NCLL"])
  })

  test("names and describes every chart, and heads every table", () => {
    const charts = page.match(/<figure>[\s\S]*?<\/figure>/g) ?? []
    expect(charts.length).toBeGreaterThanOrEqual(10)
    for (const chart of charts)
      expect(chart).toMatch(/<svg[^>]*role="img"[\s\S]*?<title>[^<]+<\/title><desc>[^<]+<\/desc>/)
    const tables = page.match(/<table>[\s\S]*?<\/table>/g) ?? []
    for (const table of tables) expect(table).toMatch(/<caption>[^<]+<\/caption>[\s\S]*<th scope="col"/)
  })
})

/** What a page says of itself, once it is laid out: a program for the browser. */
const PROBE = `(() => {
const luminance = colour => {
  const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05) }
const paper = getComputedStyle(document.body).backgroundColor
const worst = Math.min(...[...document.querySelectorAll("h1, h2, p, td, th, caption, figcaption, svg text, summary, li")]
  .map(one => one instanceof SVGElement ? getComputedStyle(one).fill : getComputedStyle(one).color)
  .filter(colour => /^rgb/.test(colour)).map(colour => contrast(colour, paper)))
const series = Math.min(...[...document.querySelectorAll("svg [stroke^='var(--c']")].map(one => contrast(getComputedStyle(one).stroke, paper)))
const overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth
const sizes = [...document.querySelectorAll("figure svg[role=img]")].map(one => one.getBoundingClientRect()).filter(box => box.width < 100 || box.height < 50).length
const spilt = [...document.querySelectorAll("figure svg[role=img]")].flatMap(svg => {
  const frame = svg.getBoundingClientRect()
  return [...svg.querySelectorAll("path, line, rect, text, circle")].map(one => one.getBoundingClientRect())
    .filter(box => box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
}).length
return { paper, spilt, worst, series, overflow, small: sizes, charts: document.querySelectorAll("figure svg[role=img]").length }
})()`

type Seen = Readonly<Record<"spilt" | "worst" | "series" | "overflow" | "small" | "charts", number>> & {
  readonly paper: string
}

describe("in a browser", () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test.each([
    ["light", "rgb(255, 255, 255)"],
    ["dark", "rgb(21, 24, 28)"],
  ] as const)(
    "it can be read in %s: text has a contrast of 4.5, series of 3, nothing spills over, is fetched, or fails",
    async (colorScheme, paper) => {
      const opened = await browser.newPage({ colorScheme, viewport: { width: 900, height: 1200 } })
      const troubles: string[] = []
      opened.on("request", request => troubles.push(`asks for ${request.url()}`))
      opened.on("pageerror", error => troubles.push(error.message))
      opened.on("console", message => troubles.push(message.text()))
      await opened.setContent(page, { timeout: 0 })
      const seen = (await opened.evaluate(PROBE)) as Seen
      expect(troubles).toEqual([])
      expect(seen.paper).toBe(paper)
      expect(seen.worst).toBeGreaterThanOrEqual(4.5)
      expect(seen.series).toBeGreaterThanOrEqual(3)
      expect(seen).toMatchObject({ overflow: 0, small: 0, spilt: 0 })
      expect(seen.charts).toBeGreaterThanOrEqual(10)
    },
  )

  test.each([
    ["wide", 1280],
    ["narrow", 390],
  ] as const)("axe-core finds nothing to object to, %s and with every table unfolded", async (_, width) => {
    const opened = await browser.newPage({ bypassCSP: true, viewport: { width, height: 900 } })
    await opened.setContent(page, { timeout: 0 })
    await opened.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    await opened.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") })
    const found = (await opened.evaluate("axe.run()")) as AxeResults
    expect(found.passes.length).toBeGreaterThan(15)
    expect(found.violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 200)])).toEqual(
      [],
    )
    const overflow = await opened.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    )
    expect(overflow).toBe(0)
  })

  test.each([
    ["38 levels and 40 columns", manyLevels],
    ["a number", ofNumber],
    ["components, and levels with long names", ofComponents],
  ] as const)("a page of %s holds together, wide and narrow, and axe-core agrees", async (_, card) => {
    const opened = await browser.newPage({ bypassCSP: true })
    await opened.setContent(report(await card()), { timeout: 0 })
    for (const width of [1280, 390]) {
      await opened.setViewportSize({ width, height: 900 })
      const seen = (await opened.evaluate(PROBE)) as Seen
      expect(seen).toMatchObject({ overflow: 0, small: 0, spilt: 0 })
      expect(seen.worst).toBeGreaterThanOrEqual(4.5)
    }
    await opened.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") })
    const found = (await opened.evaluate("axe.run()")) as AxeResults
    expect(found.violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200)])).toEqual([])
  })

  test("the keyboard leads through the contents list to a section, and unfolds a table", async () => {
    const opened = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await opened.setContent(page, { timeout: 0 })
    await opened.keyboard.press("Tab")
    await opened.keyboard.press("Tab")
    expect(await opened.evaluate("document.activeElement.textContent")).toBe("How good it is")
    await opened.keyboard.press("Enter")
    expect(await opened.evaluate("document.querySelector('section:has(> h2:target) h2').textContent")).toBe(
      "How good it is",
    )
    expect(await opened.evaluate("document.querySelector('nav').getBoundingClientRect().top")).toBe(0)
    await opened.focus("section:has(> h2:target) summary")
    await opened.keyboard.press("Enter")
    expect(await opened.evaluate("document.activeElement.parentElement.open")).toBe(true)
  })
})

// SUFFICE_KEEP_REPORT=file: to look at it
if (process.env.SUFFICE_KEEP_REPORT) {
  test("is kept", () => {
    writeFileSync(process.env.SUFFICE_KEEP_REPORT!, page)
  })
}
