/** One HTML file that opens offline: a heading, the list of its sections, the sections. It fetches nothing, and runs at most the one script it was made with. */
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
  /** What makes it answer, and the digest by which the page's policy knows it; without it the page must say the same. */
  readonly script?: { readonly text: string; readonly digest: string }
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
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:${script === undefined ? "" : `; script-src '${script.digest}'`}">
<title>${escaped(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
${body.text}${script === undefined ? "" : `\n<script>${script.text}</script>`}
</body>
</html>
`
}

function contents(sections: readonly Section[]): Html | false {
  if (sections.length < 2) return false
  return html`<nav aria-label="Contents"><ol>${sections.map(
    ({ id, title, short = title }) => html`<li><a href="#${id}">${short}</a></li>\n`,
  )}</ol></nav>`
}
