/**
 * A drawing and what stands around it: a caption, a legend, a title and a description for screen readers, and its numbers in a table that
 * unfolds. Observable Plot draws on a document without a browser. Text and axes take the colour of the page, series the colours
 * --c1 … --c8 of its style sheet, so one drawing suits light and dark.
 */
import * as Plot from "@observablehq/plot"
import { parseHTML } from "linkedom"
import { type Content, Html, html } from "./html.ts"

export interface ChartText {
  readonly title: string
  /** What it shows, in a sentence, for screen readers. */
  readonly description: string
  /** Its numbers; false where they stand in a table beside it. */
  readonly table: Html | false
  /** A line below the drawing: what is left out of it, and why. */
  readonly note?: Content
}

/** As many series as there are colours; further ones are told in words and tables. */
export const COLOURS = 8
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "1 4", "12 3", "5 2 1 2 1 2", "3 6"]
const SYMBOLS = ["circle", "triangle", "square", "diamond", "star", "cross", "wye", "hexagon"] as const
/** The margin around a drawing, in pixels. */
const AIR = 4

export function colour(series: number): string {
  return `var(--c${(series % COLOURS) + 1})`
}

export function dashes(series: number): string {
  return DASHES[series % COLOURS]
}

export function symbol(series: number): (typeof SYMBOLS)[number] {
  return SYMBOLS[series % COLOURS]
}

/** The width of a text of the axes, in pixels, generously. */
export function widthOf(text: string): number {
  return 7.4 * [...text].length
}

/** What the marks of a legend look like. */
export type LegendOf = "lines" | "marks"

export function figure(
  { title, description, table, note }: ChartText,
  options: Plot.PlotOptions,
  legend: readonly string[] = [],
  legendOf: LegendOf = "marks",
): Html {
  return html`<figure><figcaption>${title}</figcaption>${legend.length > 0 && legendList(legend, legendOf)}
${drawing(title, description, options)}${note !== undefined && html`<p class="note">${note}</p>`}
${table && html`<details><summary>The numbers, as a table</summary>${table}</details>`}</figure>`
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

function legendList(names: readonly string[], of: LegendOf): Html {
  return html`<ul class="legend">${names.map((name, s) => html`<li>${sample(s, of)}${name}</li>`)}</ul>`
}

function sample(series: number, of: LegendOf): Html {
  return new Html(
    of === "lines"
      ? `<svg width="28" height="10" aria-hidden="true"><line x1="0" x2="28" y1="5" y2="5" stroke="${colour(series)}" stroke-width="2.5" stroke-dasharray="${dashes(series)}"/></svg>`
      : `<svg width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="5" fill="${colour(series)}"/></svg>`,
  )
}
