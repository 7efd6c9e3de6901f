/**
 * The pages of the documentation as HTML, made while the studio is built: every Markdown file of docs/, and every one that they link to. Links between
 * them lead from page to page; what is no page is linked to where the repository is read.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import GithubSlugger from "github-slugger"
import hljs from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import json from "highlight.js/lib/languages/json"
import python from "highlight.js/lib/languages/python"
import typescript from "highlight.js/lib/languages/typescript"
import MarkdownIt from "markdown-it"

for (const [name, language] of Object.entries({ bash, json, python, typescript }))
  hljs.registerLanguage(name, language)

/** Words behind ``` that highlight.js knows by another name. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  js: "typescript",
  sh: "bash",
  json: "json",
  py: "python",
  python: "python",
}

const REPOSITORY = "https://github.com/suffice-js/suffice/blob/main/"

/** A part of a page below one heading, as it is searched. */
export interface Section {
  readonly heading: string
  /** Of the heading; "" for what stands before the first. */
  readonly anchor: string
  readonly text: string
}

export interface DocPage {
  /** In the repository: "docs/models/topics.md". */
  readonly source: string
  /** In the site, from its docs/ and without .html: "models/topics". */
  readonly path: string
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
  /** Headings of the second order, to go to. */
  readonly headings: readonly { readonly text: string; readonly anchor: string }[]
}

/** A section of the navigation: a heading of docs/README.md, with the pages that it names. */
export interface NavSection {
  readonly title: string
  readonly pages: readonly { readonly title: string; readonly path: string }[]
}

export interface Docs {
  readonly pages: readonly DocPage[]
  readonly nav: readonly NavSection[]
  /** Pictures, by their path in the site. */
  readonly pictures: ReadonlyMap<string, Uint8Array>
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number]

/** Where a file of the repository stands in the site. */
export function pathOf(source: string): string {
  const inside = source.replace(/^docs\//, "").replace(/\.md$/, "")
  if (inside === "README") return "index"
  return inside.replace(/\/README$/, "")
}

export function readDocs(root: string): Docs {
  const markdown = (source: string): string => readFileSync(join(root, source), "utf8")
  const own = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map(path => `docs/${path.replaceAll("\\", "/")}`)
    .filter(path => path.endsWith(".md"))
    .sort()
  const parser = new MarkdownIt({ html: false, linkify: false })
  const linked = own.flatMap(source =>
    linksIn(parser.parse(markdown(source), {}))
      .map(({ href }) => targetOf(source, href).file)
      .filter(file => file?.endsWith(".md") && existsSync(join(root, file))),
  ) as string[]
  const sources = new Set([...own, ...linked])
  const pictures = new Map<string, Uint8Array>()
  const site = { root, sources, pictures }
  const pages = [...sources].map(source => pageOf(site, source, markdown(source)))
  return { pages, nav: navigation(parser.parse(markdown("docs/README.md"), {}), sources), pictures }
}

function linksIn(tokens: readonly Token[]): { href: string; text: string }[] {
  return tokens.flatMap(({ children }) =>
    (children ?? []).flatMap((child, i) =>
      child.type === "link_open"
        ? [{ href: String(child.attrGet("href") ?? ""), text: children![i + 1]?.content ?? "" }]
        : [],
    ),
  )
}

/** What a link of a file means: a file of the repository and a place in it, or an address elsewhere. */
function targetOf(source: string, href: string): { file?: string; anchor: string } {
  if (/^[a-z]+:/i.test(href)) return { anchor: "" }
  const [path, anchor = ""] = href.split("#")
  const file = path === "" ? source : posix.normalize(posix.join(posix.dirname(source), path))
  return { file, anchor }
}

/** The way from one page of the site to a file of it. */
function relative(from: string, to: string): string {
  const way = posix.relative(posix.dirname(from), to)
  return way === "" ? "./" : way
}

function navigation(tokens: readonly Token[], sources: ReadonlySet<string>): NavSection[] {
  const sections: { title: string; pages: { title: string; path: string }[] }[] = []
  tokens.forEach((token, t) => {
    if (token.type === "heading_open" && token.tag === "h2")
      sections.push({ title: tokens[t + 1].content, pages: [] })
    const section = sections.at(-1)
    if (token.type !== "inline" || !section) return
    for (const { href, text } of linksIn([token])) {
      const { file } = targetOf("docs/README.md", href)
      if (!file || !sources.has(file) || section.pages.some(({ path }) => path === pathOf(file))) continue
      section.pages.push({ title: text.charAt(0).toUpperCase() + text.slice(1), path: pathOf(file) })
    }
  })
  return sections.filter(({ pages }) => pages.length > 0)
}

/** The files of the site, and its pictures so far. */
interface Site {
  readonly root: string
  readonly sources: ReadonlySet<string>
  readonly pictures: Map<string, Uint8Array>
}

function pageOf(site: Site, source: string, text: string): DocPage {
  const markdown = renderer()
  const path = pathOf(source)
  const slugger = new GithubSlugger()
  const tokens = markdown.parse(text, {})
  const sections: { heading: string; anchor: string; text: string }[] = []
  const headings: { text: string; anchor: string }[] = []
  tokens.forEach((token, t) => {
    if (token.type === "heading_open") {
      const heading = plainText(tokens[t + 1])
      const anchor = slugger.slug(heading)
      token.attrSet("id", anchor)
      // where the skip link and a change of the page put the focus
      if (token.tag === "h1") token.attrSet("tabindex", "-1")
      if (token.tag === "h2") headings.push({ text: heading, anchor })
      sections.push({ heading, anchor: token.tag === "h1" ? "" : anchor, text: "" })
    } else if (token.type === "inline" && tokens[t - 1].type !== "heading_open")
      add(sections, plainText(token))
    else if (token.type === "fence") add(sections, token.content)
    // an empty cell of the head names nothing
    if (token.type === "th_open" && tokens[t + 1].content === "") {
      token.tag = "td"
      tokens[t + 2].tag = "td"
    }
    setAddresses(site, source, token)
  })
  const html = markdown.renderer.render(tokens, markdown.options, {})
  const title = sections[0]?.heading ?? path
  return { source, path, title, html, sections, headings }
}

/** Markdown with highlighted code, and frames around what may be wider than the page. */
function renderer() {
  const markdown = new MarkdownIt({
    html: false,
    linkify: false,
    highlight(code, language) {
      const known = LANGUAGES[language]
      return known ? hljs.highlight(code, { language: known }).value : ""
    },
  })
  const { rules } = markdown.renderer
  // what is wider than the page is scrolled in its own frame, by keyboard too
  rules.table_open = () => '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>\n'
  rules.table_close = () => "</table></div>\n"
  rules.code_block = (all, t) =>
    `<pre tabindex="0"><code>${markdown.utils.escapeHtml(all[t].content)}</code></pre>\n`
  rules.fence = (all, t, options) => {
    const { info, content } = all[t]
    const [language = ""] = info.trim().split(/\s+/)
    const code = options.highlight?.(content, language, "") || markdown.utils.escapeHtml(content)
    return `<pre tabindex="0"><code>${code}</code></pre>\n`
  }
  return markdown
}

/** Rewrites links and pictures to their addresses in the site. */
function setAddresses(site: Site, source: string, { children }: Token): void {
  for (const child of children ?? []) {
    if (child.type === "link_open")
      child.attrSet("href", linkOf(site, source, String(child.attrGet("href") ?? "")))
    if (child.type !== "image") continue
    child.attrSet("src", pictureOf(site, source, String(child.attrGet("src") ?? "")))
    // Vite leaves it as it is
    child.attrSet("vite-ignore", "")
  }
}

function linkOf({ sources }: Site, source: string, href: string): string {
  const { file, anchor } = targetOf(source, href)
  if (file === undefined) return href
  const place = anchor === "" ? "" : `#${anchor}`
  if (file === source) return place
  return sources.has(file)
    ? `${relative(pathOf(source), `${pathOf(file)}.html`)}${place}`
    : `${REPOSITORY}${file}${place}`
}

function pictureOf({ root, pictures }: Site, source: string, src: string): string {
  const { file } = targetOf(source, src)
  if (file === undefined || !existsSync(join(root, file))) return src
  const picture = `pictures/${posix.basename(file)}`
  pictures.set(picture, readFileSync(join(root, file)))
  return relative(pathOf(source), picture)
}

function add(sections: { text: string }[], text: string): void {
  const section = sections.at(-1)
  if (section) section.text += `${section.text === "" ? "" : " "}${text.replace(/\s+/g, " ").trim()}`
}

function plainText({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) =>
      type === "text" || type === "code_inline" ? content : type === "softbreak" ? " " : "",
    )
    .join("")
}
