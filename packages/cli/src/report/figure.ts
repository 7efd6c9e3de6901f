/**
 * A drawing and what stands around it: a caption, a legend, a title and a description for screen readers, and its numbers in a table that
 * unfolds. Observable Plot draws on a document without a browser. Text and axes take the colour of the page, series the colours
 * --c1 … --c8 of its style sheet, so one drawing suits light and dark.
 */
import * as Plot from "@observablehq/plot"
import { parseHTML } from "linkedom"
import { type Content, Html, html } from "./html.ts"
import { colour, dashes } from "./palette.ts"

export interface ChartText {
  readonly title: string
  /** What it shows, in a sentence, for screen readers. */
  readonly description: string
  /** Its numbers; false where they stand in a table beside it. */
  readonly table: Html | false
  /** A line below the drawing: what is left out of it, and why. */
  readonly note?: Content
}

/** The margin around a drawing, in pixels. */
const AIR = 4

/** A name with its colour. */
export interface LegendEntry {
  readonly name: string
  readonly place: number
}

/** What the marks of a legend look like. */
export type LegendOf = "lines" | "marks"

export function figure(
  { title, description, table, note }: ChartText,
  options: Plot.PlotOptions,
  legend: readonly LegendEntry[] = [],
  legendOf: LegendOf = "marks",
): Html {
  return html`<figure><figcaption>${title}</figcaption>${legend.length > 0 && legendList(legend, legendOf)}
${framed(title, description, options)}${note !== undefined && html`<p class="note">${note}</p>`}
${table && html`<details><summary>The numbers, as a table</summary>${table}</details>`}</figure>`
}

/** A drawing that would be unreadable on a narrow window scrolls there; any other shrinks. */
const WIDE = 560

function framed(title: string, description: string, options: Plot.PlotOptions): Html {
  const drawn = drawing(title, description, options)
  const { width = 0 } = options
  return width <= WIDE
    ? drawn
    : html`<div class="scroll" role="group" tabindex="0" aria-label="${title}"><div style="min-width: ${Math.round(0.8 * width)}px">${drawn}</div></div>`
}

function drawing(title: string, description: string, options: Plot.PlotOptions): Html {
  const { document } = parseHTML("<!doctype html><html><body></body></html>")
  const drawn = Plot.plot({
    ...options,
    document: document as unknown as Document,
    style: { fontSize: "13px" },
  })
  // a picture is named as a whole
  for (const part of drawn.querySelectorAll("[aria-label], [aria-description]")) {
    part.removeAttribute("aria-label")
    part.removeAttribute("aria-description")
  }
  drawn.setAttribute("role", "img")
  drawn.setAttribute("aria-label", title)
  drawn.removeAttribute("height") // the view box keeps the proportions
  // leaves space for labels at the edge in any font: some have lines a third higher than their size
  const [x, y, width, height] = drawn.getAttribute("viewBox")!.split(" ").map(Number)
  drawn.setAttribute("viewBox", [x - AIR, y - AIR, width + 2 * AIR, height + 2 * AIR].join(" "))
  const inside = (name: string, content: string): void => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name)
    element.textContent = content
    drawn.insertBefore(element as unknown as Node, drawn.firstChild)
  }
  inside("desc", description)
  inside("title", title)
  return new Html(shortened(drawn.outerHTML))
}

/** Coordinates to a tenth of a pixel: the third of a page that nobody sees is left out. */
function shortened(svg: string): string {
  return svg.replace(
    /\b(d|x|y|x1|x2|y1|y2|width|height|cx|cy|transform)="([^"]*)"/g,
    (_, name: string, value: string) =>
      `${name}="${value.replace(/-?\d+\.\d+/g, number => String(Math.round(10 * Number(number)) / 10))}"`,
  )
}

function legendList(entries: readonly LegendEntry[], of: LegendOf): Html {
  return html`<ul class="legend">${entries.map(({ name, place }) => html`<li>${sample(place, of)}${name}</li>`)}</ul>`
}

function sample(series: number, of: LegendOf): Html {
  return new Html(
    of === "lines"
      ? `<svg width="28" height="10" aria-hidden="true"><line x1="0" x2="28" y1="5" y2="5" stroke="${colour(series)}" stroke-width="2.5" stroke-dasharray="${dashes(series)}"/></svg>`
      : `<svg width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="5" fill="${colour(series)}"/></svg>`,
  )
}
