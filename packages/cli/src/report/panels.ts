/** Panels below each other, one per group on a common axis: filled is what the rows hold, the line is what the model has learned. */
import * as Plot from "@observablehq/plot"
import type { LearnedLevels, LearnedNumber } from "../learned/columns.ts"
import { marginFor, ticksFor } from "./chart.ts"
import { type ChartText, figure } from "./figure.ts"
import type { Html } from "./html.ts"
import { widthOf } from "./layered.ts"
import { colour } from "./palette.ts"

/** The height of a panel in pixels, and what of it may be filled. */
const PANEL = 46
const FILLED = 0.9
/** A density may rise so far above the histogram; beyond it is cut. */
const ABOVE = 2

/** `groups`: their names, in order; the place is the colour. */
export function densityPanels(
  text: ChartText,
  groups: readonly string[],
  { column, bins, at, each }: LearnedNumber,
): Html {
  const marks = each.flatMap(({ heights, density }, g) => {
    const base = groups.length - 1 - g
    const filled = Math.max(...heights)
    const top = filled > 0 ? Math.min(Math.max(filled, ...density), ABOVE * filled) : Math.max(...density)
    const y = (height: number): number => base + (FILLED * Math.min(height, top)) / (top || 1)
    const steps = heights.flatMap((height, b) => [
      { x: bins.from + b * bins.width, y: y(height) },
      { x: bins.from + (b + 1) * bins.width, y: y(height) },
    ])
    return [
      Plot.areaY(steps, { x: "x", y1: base, y2: "y", fill: colour(g), fillOpacity: 0.28 }),
      Plot.line(
        at.map((x, i) => ({ x, y: y(density[i]) })),
        { x: "x", y: "y", stroke: colour(g), strokeWidth: 2 },
      ),
    ]
  })
  return panels(text, groups, marks, { label: column, ...ticksFor(at) })
}

export function levelPanels(
  text: ChartText,
  groups: readonly string[],
  { column, values, each }: LearnedLevels,
): Html {
  const top = Math.max(...each.flatMap(({ shares, probabilities }) => [...shares, ...probabilities]))
  const marks = each.flatMap(({ shares, probabilities }, g) => {
    const base = groups.length - 1 - g
    const y = (share: number): number => base + (FILLED * share) / (top || 1)
    return [
      Plot.rect(
        shares.map((share, v) => ({ x1: v + 0.15, x2: v + 0.85, y1: base, y2: y(share) })),
        { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: colour(g), fillOpacity: 0.28 },
      ),
      Plot.ruleY(
        probabilities.map((p, v) => ({ x1: v + 0.08, x2: v + 0.92, y: y(p) })),
        { x1: "x1", x2: "x2", y: "y", stroke: colour(g), strokeWidth: 2 },
      ),
    ]
  })
  const turned = values.some(value => widthOf(value) > 280 / values.length)
  return panels(text, groups, marks, {
    label: column,
    domain: [0, values.length],
    ticks: values.map((_, v) => v + 0.5) as unknown as number,
    tickFormat: (x: number) => values[Math.floor(x)],
    tickSize: 0,
    ...(turned && { tickRotate: -90, labelOffset: marginFor(values, 150) + 8 }),
  })
}

function panels(
  text: ChartText,
  groups: readonly string[],
  marks: readonly Plot.Markish[],
  x: Plot.ScaleOptions,
): Html {
  const below = (x.labelOffset ?? 32) + 16
  return figure(text, {
    width: 420,
    height: 12 + below + PANEL * groups.length,
    marginLeft: marginFor(groups, 150),
    marginRight: 16,
    marginTop: 8,
    marginBottom: below,
    x,
    y: {
      label: null,
      domain: [0, groups.length],
      ticks: groups.map((_, g) => g + 0.4) as unknown as number,
      tickFormat: (y: number) => groups[groups.length - 1 - Math.floor(y)],
      tickSize: 0,
    },
    marks: [
      ...marks,
      Plot.ruleY(
        groups.map((_, g) => g),
        { stroke: "currentColor", strokeOpacity: 0.35 },
      ),
    ],
  })
}
