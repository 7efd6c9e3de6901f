/** HTML templates: inserted values are escaped, unless they are HTML themselves. */

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Content = Html | string | number | false | null | undefined | readonly Content[]

export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(parts.reduce((text, part, i) => `${text}${textOf(contents[i - 1])}${part}`))
}

function textOf(content: Content): string {
  if (content === undefined || content === null || content === false) return ""
  if (content instanceof Html) return content.text
  if (typeof content === "object") return content.map(textOf).join("")
  return escaped(String(content))
}

export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}

export interface Head {
  readonly title: string
  readonly number?: boolean
}

/** A table with its head; the first column names the row. It scrolls sideways by itself, also by the keyboard. */
export function htmlTable(
  caption: string,
  heads: readonly Head[],
  rows: readonly (readonly Content[])[],
): Html {
  return html`<div class="scroll" role="group" tabindex="0" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr>${heads.map(({ title, number }) => html`<th scope="col"${number ? new Html(' class="n"') : ""}>${title}</th>`)}</tr></thead>
<tbody>${rows.map(
    row =>
      html`<tr>${row.map((cell, c) =>
        c === 0
          ? html`<th scope="row">${cell}</th>`
          : html`<td${heads[c]?.number ? new Html(' class="n"') : ""}>${cell}</td>`,
      )}</tr>\n`,
  )}</tbody></table></div>`
}
