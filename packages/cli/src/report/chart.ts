/**
 * Charts as SVG text, drawn by Observable Plot on a document without a browser. Text and axes take the colour of the page, series the
 * colours --c1 … --c8 of its style sheet, so one drawing suits light and dark. Every chart has a title and a description.
 */
import * as Plot from "@observablehq/plot"
import { parseHTML } from "linkedom"
import { count } from "../format.ts"
import { Html, html } from "./html.ts"

export interface ChartText {
  readonly title: string
  /** What it shows, in a sentence, for screen readers. */
  readonly description: string
}

export interface Series {
  readonly name: string
  readonly points: readonly {
    readonly x: number
    readonly y: number
    readonly low?: number
    readonly high?: number
  }[]
}

interface Axis {
  readonly label: string
  readonly domain?: readonly [number, number]
  readonly percent?: boolean
  readonly log?: boolean
  readonly ticks?: number | readonly number[]
  /** Only whole numbers occur on it. */
  readonly whole?: boolean
}

const COLOURS = 8
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "1 4", "12 3", "5 2 1 2 1 2", "3 6"]
/** The margin around a drawing, in pixels. */
const AIR = 4

export function colour(i: number): string {
  return `var(--c${(i % COLOURS) + 1})`
}

/** Lines through points, one per series; with `low` and `high`, their error bars. */
export function lineChart(
  text: ChartText,
  series: readonly Series[],
  {
    x,
    y,
    diagonal = false,
    dots = false,
    steps = false,
    square = false,
  }: {
    readonly x: Axis
    readonly y: Axis
    /** A line from 0, 0 to 1, 1, to compare with. */
    readonly diagonal?: boolean
    readonly dots?: boolean
    readonly steps?: boolean
    readonly square?: boolean
  },
): Html {
  const marks: Plot.Markish[] = []
  if (diagonal) {
    marks.push(
      Plot.line(
        [
          { x: 0, y: 0 },
          { x: 1, y: 1 },
        ],
        { x: "x", y: "y", stroke: "currentColor", strokeOpacity: 0.4, strokeDasharray: "3 3" },
      ),
    )
  }
  series.forEach(({ points }, s) => {
    const reaching = points.filter(point => point.low !== undefined)
    if (reaching.length > 0) {
      marks.push(
        Plot.ruleX(reaching, {
          x: "x",
          y1: "low",
          y2: "high",
          stroke: colour(s),
          strokeOpacity: 0.6,
          strokeWidth: 1.5,
        }),
      )
    }
    marks.push(
      Plot.line(points, {
        x: "x",
        y: "y",
        stroke: colour(s),
        strokeWidth: 2,
        strokeDasharray: DASHES[s % DASHES.length],
        curve: steps ? "step-after" : "linear",
      }),
    )
    if (dots || points.length === 1) marks.push(Plot.dot(points, { x: "x", y: "y", fill: colour(s), r: 3.5 }))
  })
  return framed(
    text,
    {
      width: square ? 420 : 640,
      height: square ? 380 : 340,
      marginTop: 32,
      marginLeft: Math.max(60, 24 + 7 * longestNumber(series)),
      marginRight: 24,
      marginBottom: 44,
      grid: true,
      x: scaleOf(x),
      y: scaleOf(y),
      marks: [Plot.frame({ strokeOpacity: 0.2 }), ...marks],
    },
    series.length > 1 ? series.map(({ name }) => name) : [],
    true,
  )
}

/** The length of the longest number on the y axis, plus one if its ends are rounded up. */
function longestNumber(series: readonly Series[]): number {
  const far = Math.max(...series.flatMap(({ points }) => points.map(({ y }) => Math.abs(y))), 0)
  return count(-Math.round(far)).length + 1
}

/** Horizontal bars from 0, in the given order. */
export function barChart(
  text: ChartText,
  bars: readonly { readonly name: string; readonly value: number }[],
  { label, series = 0 }: { readonly label: string; readonly series?: number },
): Html {
  const longest = bars.reduce((most, { name }) => Math.max(most, [...name].length), 4)
  return framed(text, {
    width: 420,
    height: 68 + 22 * bars.length,
    marginLeft: Math.min(24 + 7.2 * longest, 230),
    marginRight: 20,
    marginBottom: 44,
    x: { label, grid: true, nice: true },
    y: { label: null, domain: bars.map(({ name }) => name) },
    marks: [
      Plot.barX(bars, {
        x: "value",
        y: "name",
        fill: colour(series),
        fillOpacity: 0.85,
        insetTop: 1,
        insetBottom: 1,
      }),
      Plot.ruleX([0], { stroke: "currentColor", strokeOpacity: 0.5 }),
    ],
  })
}

/** Truth by prediction: each row shaded by the share of its truth. */
export function confusionChart(
  text: ChartText,
  levels: readonly string[],
  counts: readonly (readonly number[])[],
): Html {
  const cells = counts.flatMap((row, t) => {
    const total = row.reduce((a, b) => a + b, 0)
    return row.map((value, p) => ({
      truth: levels[t],
      predicted: levels[p],
      value,
      share: total > 0 ? value / total : 0,
      wrong: t !== p,
    }))
  })
  const longest = levels.reduce((most, name) => Math.max(most, [...name].length), 4)
  const size = levels.length > 8 ? 30 : 56
  const left = Math.min(32 + 7.2 * longest, 200)
  const turned = longest * 6.6 > size
  return framed(text, {
    width: left + 24 + size * levels.length,
    height: 44 + (turned ? Math.min(16 + 7.2 * longest, 190) : 16) + size * levels.length,
    marginLeft: left,
    marginTop: 8,
    marginBottom: (turned ? Math.min(16 + 7.2 * longest, 190) : 16) + 28,
    padding: 0.04,
    x: { label: "predicted", domain: [...levels], tickRotate: turned ? -90 : 0, tickSize: 0 },
    y: { label: "truth", domain: [...levels], tickSize: 0 },
    marks: [
      Plot.cell(cells, {
        x: "predicted",
        y: "truth",
        fill: (cell: { wrong: boolean }) => (cell.wrong ? "var(--c2)" : "var(--c1)"),
        fillOpacity: (cell: { share: number }) => 0.06 + 0.6 * cell.share,
      }),
      Plot.text(cells, {
        x: "predicted",
        y: "truth",
        text: (cell: { value: number }) => (cell.value > 0 ? count(Number(cell.value.toFixed(1))) : ""),
        fill: "currentColor",
      }),
    ],
    color: { type: "identity" },
    opacity: { type: "identity" },
  })
}

/** Points by group, and outlines (of components) over them. */
export function scatterChart(
  text: ChartText,
  points: readonly { readonly x: number; readonly y: number; readonly group: number }[],
  outlines: readonly {
    readonly group: number
    readonly points: readonly { readonly x: number; readonly y: number }[]
  }[],
  names: readonly string[],
  axes: { readonly x: string; readonly y: string },
): Html {
  const symbols = ["circle", "triangle", "square", "diamond", "star", "cross", "wye", "circle"] as const
  return framed(
    text,
    {
      width: 640,
      height: 440,
      marginTop: 32,
      marginLeft: 60,
      marginRight: 24,
      marginBottom: 44,
      grid: true,
      x: { label: axes.x, nice: true },
      y: { label: axes.y, nice: true },
      marks: [
        Plot.frame({ strokeOpacity: 0.2 }),
        ...names.map((_, g) =>
          Plot.dot(
            points.filter(point => point.group === g),
            {
              x: "x",
              y: "y",
              stroke: colour(g),
              symbol: symbols[g % symbols.length],
              r: 3,
              strokeOpacity: 0.75,
            },
          ),
        ),
        ...outlines.map(outline =>
          Plot.line(outline.points, {
            x: "x",
            y: "y",
            stroke: colour(outline.group),
            strokeWidth: 2,
            strokeDasharray: DASHES[outline.group % DASHES.length],
          }),
        ),
      ],
    },
    names,
  )
}

function scaleOf({ label, domain, percent, log, ticks, whole }: Axis): Plot.ScaleOptions {
  return {
    label,
    ...(domain && { domain: percent ? domain.map(end => 100 * end) : [...domain] }),
    ...(percent && { percent: true }),
    ...(log && { type: "log" }),
    ...(whole && { tickFormat: (x: number) => (Number.isInteger(x) ? String(x) : "") }),
    ...(ticks !== undefined && { ticks: ticks as number }),
    nice: domain === undefined && !log,
  }
}

/** A figure: the legend, the drawing with title and description inside, for screen readers. */
function framed(
  text: ChartText,
  options: Plot.PlotOptions,
  legend: readonly string[] = [],
  lines = false,
): Html {
  const { document } = parseHTML("<!doctype html><html><body></body></html>")
  const drawn = Plot.plot({
    ...options,
    document: document as unknown as Document,
    style: { fontSize: "12px" },
  })
  drawn.setAttribute("role", "img")
  drawn.setAttribute("aria-label", text.title)
  drawn.removeAttribute("height") // the view box keeps the proportions
  // leaves space for labels at the edge in any font: some have lines a third higher than their size
  const [x, y, width, height] = drawn.getAttribute("viewBox")!.split(" ").map(Number)
  drawn.setAttribute("viewBox", [x - AIR, y - AIR, width + 2 * AIR, height + 2 * AIR].join(" "))
  const inside = (name: string, content: string): void => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name)
    element.textContent = content
    drawn.insertBefore(element as unknown as Node, drawn.firstChild)
  }
  inside("desc", text.description)
  inside("title", text.title)
  return html`<figure><figcaption>${text.title}</figcaption>${
    legend.length > 0 &&
    html`<ul class="legend">${legend.map(
      (name, s) =>
        html`<li>${
          lines
            ? new Html(
                `<svg width="28" height="10" aria-hidden="true"><line x1="0" x2="28" y1="5" y2="5" stroke="${colour(s)}" stroke-width="2.5" stroke-dasharray="${DASHES[s % DASHES.length]}"/></svg>`,
              )
            : new Html(
                `<svg width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="5" fill="${colour(s)}"/></svg>`,
              )
        }${name}</li>`,
    )}</ul>`
  }
${new Html(drawn.outerHTML)}</figure>`
}
