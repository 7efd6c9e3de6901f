/**
 * The documentation as pages of the studio's site, each a page that Vite builds beside index.html, whose head (policy, icon) it shares; and the index that
 * is searched. Nothing of it is written to the sources.
 */
import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import MiniSearch from "minisearch"
import { type Plugin, runnerImport } from "vite"
import { LAB_OF } from "./lab-links.ts"
import { type DocPage, type Docs, readDocs } from "./pages.ts"
import { type Entry, INDEXED } from "./search.ts"

interface Experiment {
  readonly id: string
  readonly title: string
}

export function docsSite(studio: string): Plugin {
  let docs: Docs
  let template = ""
  let lab: readonly Experiment[] = []
  /** By the path that Vite knows a page by. */
  const pages = new Map<string, DocPage>()
  const begin = async (): Promise<void> => {
    docs = readDocs(join(studio, "../.."))
    template = readFileSync(join(studio, "index.html"), "utf8")
    // the list alone: its pages are loaded when they are opened
    const { module } = await runnerImport<{ LAB_PAGES: readonly Experiment[] }>(
      join(studio, "src/lab/pages.ts"),
    )
    lab = module.LAB_PAGES
    for (const page of docs.pages) pages.set(posix.join(studio, "docs", `${page.path}.html`), page)
  }
  const built = (page: DocPage): string => document(template, page, docs, lab)
  return {
    name: "suffice-docs",
    async config() {
      await begin()
      const input = {
        index: join(studio, "index.html"),
        ...Object.fromEntries([...pages].map(([id, { path }]) => [`docs/${path}`, id])),
      }
      return { build: { rollupOptions: { input } } }
    },
    resolveId: id => (pages.has(id) ? id : undefined),
    load: id => (pages.has(id) ? built(pages.get(id)!) : undefined),
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "docs/search.json", source: indexOf(docs) })
      for (const [path, source] of docs.pictures)
        this.emitFile({ type: "asset", fileName: `docs/${path}`, source })
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const path = (request.url ?? "").replace(/[?#].*$/s, "")
        const page = pages.get(posix.join(studio, path))
        if (page)
          response
            .setHeader("content-type", "text/html")
            .end(await server.transformIndexHtml(path, built(page)))
        else if (path === "/docs/search.json") response.end(indexOf(docs))
        else if (docs.pictures.has(path.slice(6)))
          response.setHeader("content-type", "image/svg+xml").end(docs.pictures.get(path.slice(6)))
        else next()
      })
    },
  }
}

/** What search reads, as it is loaded in the page. */
export function indexOf({ pages }: Docs): string {
  const index = new MiniSearch<Entry>(INDEXED)
  let id = 0
  for (const { path, title, sections } of pages)
    for (const { heading, anchor, text } of sections)
      index.add({
        id: id++,
        title,
        heading,
        address: `${path}.html${anchor === "" ? "" : `#${anchor}`}`,
        begins: text.length > 140 ? `${text.slice(0, 140).replace(/\s\S*$/, "")} …` : text,
        text,
      })
  return JSON.stringify(index)
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** The studio's own page with a text in its place. */
function document(template: string, page: DocPage, docs: Docs, lab: readonly Experiment[]): string {
  const up = "../".repeat(page.path.split("/").length - 1)
  const changes: readonly (readonly [string, string])[] = [
    ['<html lang="en">', `<html lang="en" data-docs="${up || "./"}">`],
    ["<title>Suffice studio</title>", `<title>${escaped(page.title)} · Suffice</title>`],
    ['<div id="app"></div>', body(page, docs, lab, up)],
    ["./src/main.ts", "/src/docs/main.ts"],
  ]
  const whole = changes.reduce((html, [from, to]) => {
    if (!html.includes(from))
      throw new Error(
        `index.html no longer has ${from}, in whose place a page of the documentation is written`,
      )
    return html.replace(from, () => to)
  }, template)
  return whole.replace(/<noscript>.*<\/noscript>/s, "")
}

function body(page: DocPage, { nav }: Docs, lab: readonly Experiment[], up: string): string {
  const studio = `${up}../index.html`
  const link = (path: string, title: string): string =>
    `<a href="${up}${path}.html"${path === page.path ? ' aria-current="page"' : ""}>${escaped(title)}</a>`
  const order = nav.flatMap(({ pages }) => pages)
  const at = order.findIndex(({ path }) => path === page.path)
  const beside = [order[at - 1], order[at + 1]].map((one, i) =>
    one && at >= 0
      ? `<span>${i === 0 ? "← " : ""}${link(one.path, one.title)}${i === 1 ? " →" : ""}</span>`
      : "<span></span>",
  )
  const tried = (LAB_OF[page.path] ?? []).flatMap(id => lab.filter(one => one.id === id))
  const [first, rest] = afterHeading(page.html)
  return `
    <a class="unseen" href="#text">Skip to the text</a>
    <header class="top">
      <a class="name" href="${studio}#/data">Suffice <span>studio</span></a>
      <nav aria-label="The site">
        <a href="${studio}#/data">Workbench</a>
        <a href="${studio}#/lab">Lab</a>
        <a href="${up}index.html"${page.path === "index" ? ' aria-current="page"' : ' aria-current="true"'}>Documentation</a>
      </nav>
      <div id="search" class="search"></div>
    </header>
    <div class="columns">
      <nav class="pages" aria-label="Pages of the documentation">
        <details open><summary>All pages</summary>
          ${nav.map(({ title, pages }) => `<h2>${escaped(title)}</h2><ul>${pages.map(one => `<li>${link(one.path, one.title)}</li>`).join("")}</ul>`).join("\n")}
        </details>
      </nav>
      <main id="text">
        ${first}
        ${tried.length > 0 ? `<p class="said lab">Try it in the lab: ${tried.map(({ id, title }) => `<a href="${studio}#/lab/${id}">${escaped(title)}</a>`).join(" · ")}</p>` : ""}
        ${rest}
        <nav class="beside" aria-label="Pages before and after">${beside.join("")}</nav>
      </main>
      ${
        page.headings.length > 1
          ? `<nav class="here" aria-label="On this page"><h2>On this page</h2><ul>${page.headings.map(({ text, anchor }) => `<li><a href="#${anchor}">${escaped(text)}</a></li>`).join("")}</ul></nav>`
          : ""
      }
    </div>`
}

function afterHeading(html: string): readonly [string, string] {
  const end = html.indexOf("</h1>")
  return end < 0 ? ["", html] : [html.slice(0, end + 5), html.slice(end + 5)]
}
