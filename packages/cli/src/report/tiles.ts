/** Numbers that stand at the top of a section. */
import { type Html, html } from "./html.ts"

export function tiles(each: readonly (Html | false | undefined)[]): Html {
  return html`<ul class="tiles">\n${each}</ul>`
}

export function tile(value: string, name: string, more = ""): Html {
  return html`<li><b>${value}</b><span>${name}</span>${more !== "" && html`<span>${more}</span>`}</li>\n`
}
