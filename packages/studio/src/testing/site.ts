/**
 * The built studio in a real browser: one build, one server, one browser for a test file. Requests that would leave the page's own origin are
 * refused and counted; errors of the page are kept.
 */

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { openBrowser } from "../../../../checks/testing/browser.ts"
import { builtPackage } from "../../../../checks/testing/built-packages.ts"
import { serveFolder } from "../../../cli/src/terminal/site.ts"

export interface Studio {
  readonly address: string
  /** The folder that is served. */
  readonly folder: string
  /** A page of its own context, at this place: "#/data". */
  open(hash?: string, options?: BrowserContextOptions): Promise<Opened>
  close(): Promise<void>
}

export interface Opened {
  readonly page: Page
  readonly context: BrowserContext
  /** Addresses that are not the page's own, each refused. */
  readonly foreign: readonly string[]
  /** What the page complained about. */
  readonly errors: readonly string[]
  /** What axe-core has against the page as it is now, in words. */
  violations(): Promise<string[]>
  close(): Promise<void>
}

export async function openStudio(also: Readonly<Record<string, string>> = {}): Promise<Studio> {
  const folder = builtPackage("studio")
  const site = await serveFolder(folder, { port: 0, also })
  const browser: Browser = await openBrowser()
  return {
    address: site.address,
    folder,
    open: (hash = "", options = {}) => openPage(browser, site.address, hash, options),
    async close() {
      await browser.close()
      await site.close()
    },
  }
}

async function openPage(
  browser: Browser,
  address: string,
  hash: string,
  options: BrowserContextOptions,
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const foreign: string[] = []
  const errors: string[] = []
  await context.route("**/*", route => {
    const { url } = { url: route.request().url() }
    if (url.startsWith(address)) return route.continue()
    foreign.push(url)
    return route.abort()
  })
  const page = await context.newPage()
  page.setDefaultTimeout(600_000) // only ends what hangs: a busy machine takes minutes
  page.on("pageerror", error => errors.push(error.message))
  page.on("console", message => {
    if (message.type() === "error") errors.push(message.text())
  })
  await page.goto(address + hash)
  await page.waitForSelector("main h1")
  return {
    page,
    context,
    foreign,
    errors,
    violations: () => violationsOf(page),
    close: () => context.close(),
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE)
  const { violations } = (await page.evaluate("axe.run()")) as AxeResult
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary ?? ""}`),
  )
}
