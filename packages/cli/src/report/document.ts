/** One HTML file that opens offline: a heading, the list of its sections, the sections. It fetches nothing, and runs at most the one script it was made with. */
import { createHash } from "node:crypto"
import { escaped, type Html, html } from "./html.ts"
import { STYLE } from "./style.ts"

/** A part of a page with a heading, which the contents list names. */
export interface Section {
  /** The anchor: letters, digits and hyphens. */
  readonly id: string
  readonly title: string
  /** In the contents list, where the title is long. */
  readonly short?: string
  readonly body: Html
}

export interface Document {
  readonly title: string
  readonly lead: string
  /** Before everything else. */
  readonly warnings?: readonly string[]
  /** Absent sections are left out, of the contents list too. */
  readonly sections: readonly (Section | false | undefined)[]
  /** Rules beside those of every page. */
  readonly style?: string
  /** What makes it answer; without it the page must say the same. */
  readonly script?: string
}

export function htmlDocument(page: Document): string {
  const { title, lead, warnings = [], sections, style = "", script } = page
  const present = sections.filter(section => section !== undefined && section !== false)
  const body = html`<header><h1>${title}</h1><p class="lead">${lead}</p></header>
${contents(present)}
<main>
${warnings.map(text => html`<p class="verdict warning"><strong>Mind:</strong> ${text}</p>\n`)}
${present.map(
  one => html`<section aria-labelledby="${one.id}"><h2 id="${one.id}">${one.title}</h2>
${one.body}
</section>\n`,
)}</main>
<footer>Made by Suffice. This file fetches nothing; it can be kept, sent and opened anywhere.</footer>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:${script === undefined ? "" : `; script-src '${digest(script)}'`}">
<title>${escaped(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
${body.text}${script === undefined ? "" : `\n<script>${script}</script>`}
</body>
</html>
`
}

/** Only this text may run. */
function digest(script: string): string {
  return `sha256-${createHash("sha256").update(script).digest("base64")}`
}

function contents(sections: readonly Section[]): Html | false {
  if (sections.length < 2) return false
  return html`<nav aria-label="Contents"><ol>${sections.map(
    ({ id, title, short = title }) => html`<li><a href="#${id}">${short}</a></li>\n`,
  )}</ol></nav>`
}
