/** Charts of a page: lines, bars, a confusion matrix, points. Each is a figure with its numbers in a table. */
import * as Plot from "@observablehq/plot"
import { count } from "../format.ts"
import { type ChartText, figure } from "./figure.ts"
import type { Html } from "./html.ts"
import { widthOf } from "./layered.ts"
import { colour, dashes, symbol } from "./palette.ts"

export interface Series {
  readonly name: string
  /** Its colour, where that is not its place in the list. */
  readonly place?: number
  readonly points: readonly {
    readonly x: number
    readonly y: number
    readonly low?: number
    readonly high?: number
  }[]
}

export interface Axis {
  readonly label: string
  readonly domain?: readonly [number, number]
  readonly percent?: boolean
  readonly log?: boolean
  readonly ticks?: number | readonly number[]
  /** Only whole numbers occur on it. */
  readonly whole?: boolean
}

export interface LineOptions {
  readonly x: Axis
  readonly y: Axis
  /** A line from 0, 0 to 1, 1, to compare with. */
  readonly diagonal?: boolean
  readonly dots?: boolean
  readonly square?: boolean
  /** Bars behind the lines, from the bottom up; the highest takes a quarter of the height. Both axes go from 0 to 1. */
  readonly sizes?: readonly { readonly from: number; readonly to: number; readonly size: number }[]
}

/** Lines through points, one per series; with `low` and `high`, their error bars. */
export function lineChart(
  text: ChartText,
  series: readonly Series[],
  { x, y, diagonal = false, dots = false, square = false, sizes = [] }: LineOptions,
): Html {
  return figure(
    text,
    {
      width: square ? 420 : 500,
      height: square ? 380 : 310,
      marginTop: 32,
      marginLeft: numberMargin(series.flatMap(({ points }) => points.map(({ y }) => y))),
      marginRight: 24,
      marginBottom: 44,
      grid: true,
      x: scaleOf(x),
      y: scaleOf(y),
      marks: [
        Plot.frame({ strokeOpacity: 0.2 }),
        ...sizeMarks(sizes),
        ...(diagonal ? [diagonalMark()] : []),
        ...series.flatMap((one, s) => seriesMarks(one, one.place ?? s, dots)),
      ],
    },
    series.length > 1 ? series.map(({ name, place }, s) => ({ name, place: place ?? s })) : [],
    "lines",
  )
}

function seriesMarks({ points }: Series, s: number, dots: boolean): Plot.Markish[] {
  const reaching = points.filter(point => point.low !== undefined)
  return [
    ...(reaching.length > 0
      ? [
          Plot.ruleX(reaching, {
            x: "x",
            y1: "low",
            y2: "high",
            stroke: colour(s),
            strokeOpacity: 0.6,
            strokeWidth: 1.5,
          }),
        ]
      : []),
    Plot.line(points, { x: "x", y: "y", stroke: colour(s), strokeWidth: 2, strokeDasharray: dashes(s) }),
    ...(dots || points.length === 1 ? [Plot.dot(points, { x: "x", y: "y", fill: colour(s), r: 3.5 })] : []),
  ]
}

function diagonalMark(): Plot.Markish {
  const ends = [
    { x: 0, y: 0 },
    { x: 1, y: 1 },
  ]
  return Plot.line(ends, {
    x: "x",
    y: "y",
    stroke: "currentColor",
    strokeOpacity: 0.4,
    strokeDasharray: "3 3",
  })
}

function sizeMarks(sizes: NonNullable<LineOptions["sizes"]>): Plot.Markish[] {
  const most = Math.max(...sizes.map(({ size }) => size))
  return sizes.length === 0
    ? []
    : [
        Plot.rect(
          sizes.map(({ from, to, size }) => ({ x1: from, x2: to, y1: 0, y2: (0.25 * size) / most })),
          { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "currentColor", fillOpacity: 0.14, inset: 0.5 },
        ),
      ]
}

/** The space that numbers need beside an axis: of the longest, and one sign more if its ends are rounded up. */
function numberMargin(values: readonly number[]): number {
  const far = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return Math.max(60, 24 + 7 * (count(-Math.round(far)).length + 1))
}

/** Horizontal bars from 0, in the given order. */
export function barChart(
  text: ChartText,
  bars: readonly { readonly name: string; readonly value: number }[],
  { label, series = 0 }: { readonly label: string; readonly series?: number },
): Html {
  const names = bars.map(({ name }) => name)
  return figure(text, {
    width: 420,
    height: 68 + 22 * bars.length,
    marginLeft: marginFor(names, 230),
    marginRight: 20,
    marginBottom: 44,
    x: { label, grid: true, nice: true, ticks: 5 },
    y: { label: null, ...bandOf(names) },
    marks: [
      Plot.barX(bars, {
        x: "value",
        y: (_, i) => i,
        fill: colour(series),
        fillOpacity: 0.85,
        insetTop: 1,
        insetBottom: 1,
      }),
      Plot.ruleX([0], { stroke: "currentColor", strokeOpacity: 0.5 }),
    ],
  })
}

/** A band for each name, by its place: two names that are clipped to the same text stay two. */
export function bandOf(names: readonly string[]): Plot.ScaleOptions {
  return { type: "band", domain: names.map((_, i) => i), tickFormat: (i: number) => names[i] }
}

/** The space that names need beside an axis. */
export function marginFor(names: readonly string[], most: number): number {
  return Math.min(
    names.reduce((widest, name) => Math.max(widest, 24 + widthOf(name)), 52),
    most,
  )
}

/** Truth by prediction: each row shaded by the share of its truth. */
export function confusionChart(
  text: ChartText,
  levels: readonly string[],
  counts: readonly (readonly number[])[],
): Html {
  const cells = counts.flatMap((row, t) => {
    const total = row.reduce((a, b) => a + b, 0)
    return row.map((value, p) => ({ t, p, value, share: total > 0 ? value / total : 0 }))
  })
  const size = levels.length > 8 ? 30 : 56
  const left = marginFor(levels, 200) + 8
  const turned = levels.some(level => widthOf(level) > size)
  const below = (turned ? Math.min(marginFor(levels, 190) - 8, 190) : 16) + 28
  return figure(text, {
    width: left + 24 + size * levels.length,
    height: 16 + below + size * levels.length,
    marginLeft: left,
    marginTop: 8,
    marginBottom: below,
    padding: 0.04,
    x: { label: "predicted", ...bandOf(levels), tickRotate: turned ? -90 : 0, tickSize: 0 },
    y: { label: "truth", ...bandOf(levels), tickSize: 0 },
    marks: [
      Plot.cell(cells, {
        x: "p",
        y: "t",
        fill: (cell: { t: number; p: number }) => (cell.t === cell.p ? "var(--c1)" : "var(--c2)"),
        fillOpacity: (cell: { share: number }) => 0.06 + 0.6 * cell.share,
      }),
      Plot.text(
        cells.filter(({ value }) => value > 0),
        {
          x: "p",
          y: "t",
          text: (cell: { value: number }) => count(Number(cell.value.toFixed(1))),
          fill: "currentColor",
        },
      ),
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
  return figure(
    text,
    {
      width: 500,
      height: 400,
      marginTop: 32,
      marginLeft: numberMargin(points.map(({ y }) => y)),
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
            { x: "x", y: "y", stroke: colour(g), symbol: symbol(g), r: 3, strokeOpacity: 0.75 },
          ),
        ),
        ...outlines.map(outline =>
          Plot.line(outline.points, {
            x: "x",
            y: "y",
            stroke: colour(outline.group),
            strokeWidth: 2,
            strokeDasharray: dashes(outline.group),
          }),
        ),
      ],
    },
    names.length > 1 ? names.map((name, place) => ({ name, place })) : [],
  )
}

/** A line with a band along a number, over points; for names, a dot with its interval for each. */
export function responseChart(
  text: ChartText,
  {
    line,
    points,
  }: {
    readonly line: readonly {
      readonly x: number | string
      readonly value: number
      readonly low: number
      readonly high: number
    }[]
    readonly points: readonly { readonly x: number; readonly y: number }[]
  },
  axes: { readonly x: string; readonly y: string },
): Html {
  const names = line.map(({ x }) => String(x))
  const isNumber = line.every(({ x }) => typeof x === "number")
  const turned = !isNumber && names.some(name => widthOf(name) > 320 / names.length)
  const below = turned ? marginFor(names, 150) + 24 : 44
  const band = { x: isNumber ? "x" : (_: unknown, i: number) => i, stroke: colour(0) }
  return figure(text, {
    width: 420,
    height: 260 + below,
    marginTop: 28,
    marginLeft: numberMargin([...points.map(({ y }) => y), ...line.flatMap(({ low, high }) => [low, high])]),
    marginRight: 20,
    marginBottom: below,
    grid: true,
    x: {
      label: axes.x,
      ...(isNumber
        ? { nice: true, ...ticksFor(line.map(({ x }) => x as number)) }
        : { ...bandOf(names), type: "point", padding: 0.5, tickRotate: turned ? -90 : 0 }),
    },
    y: { label: axes.y, nice: true },
    marks: [
      Plot.frame({ strokeOpacity: 0.2 }),
      ...(isNumber
        ? [
            Plot.dot(points, { x: "x", y: "y", r: 2, fill: "currentColor", fillOpacity: 0.35 }),
            Plot.areaY(line, { x: "x", y1: "low", y2: "high", fill: colour(0), fillOpacity: 0.16 }),
            Plot.line(line, { ...band, y: "value", strokeWidth: 2 }),
          ]
        : [
            Plot.ruleX(line, { ...band, y1: "low", y2: "high", strokeWidth: 1.5 }),
            Plot.dot(line, { ...band, y: "value", fill: colour(0), r: 4 }),
          ]),
    ],
  })
}

/** As many ticks as there is space for, at whole numbers where the axis is short and its numbers long. */
export function ticksFor(xs: readonly number[]): Plot.ScaleOptions {
  const [low, high] = xs.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity])
  const isLong = Math.max(Math.abs(low), Math.abs(high)) >= 1000
  if (isLong && high - low < 8)
    return {
      ticks: Array.from({ length: 10 }, (_, i) => Math.ceil(low) + i).filter(x => x <= high) as never,
      tickFormat: String,
    }
  return { ticks: isLong ? 4 : 6 }
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
