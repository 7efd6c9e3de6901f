/** How well each level is ranked against the rest: ROC, precision and recall. */
import type { LevelEvaluation } from "suffice/measure"
import { clipped, count, percent, plain } from "../format.ts"
import { lineChart } from "./chart.ts"
import { type Html, html, htmlTable } from "./html.ts"
import { type LevelOrder, placeOf } from "./order.ts"

const FALSE_ALARMS = [0.01, 0.05, 0.1, 0.2]
const RECALLS = [0.5, 0.8, 0.9, 0.95]

/** Of all levels in order: those with both kinds of rows have a curve. */
export function curves(each: readonly LevelEvaluation[], order: LevelOrder): Html | false {
  const ranked = each.filter(one => one.roc && one.precisionRecall)
  if (ranked.length === 0) return false
  const drawn = ranked.filter(one => order.drawn.includes(String(one.level)))
  const without = each.length - ranked.length
  const note =
    without > 0 &&
    `${count(without)} of the levels ${without === 1 ? "has" : "have"} no curve: among the measured rows are none of it, or no others.`
  const of = ranked.length === 1 ? ` of “${ranked[0].level}”` : ", each level against the rest"
  return html`<h3>How well it ranks</h3>
${note && html`<p class="note">${note}</p>`}
<div class="pair">
${lineChart(
  {
    title: `ROC curve${of}`,
    description: `Area under the curve: ${drawn.map(one => `${one.level}: ${maybe(one.auc)}`).join(", ")}. The higher to the left, the better.`,
    table: rocTable(ranked),
  },
  drawn.map(one => ({
    place: placeOf(order, String(one.level)),
    name: `${clipped(String(one.level), 24)}, area ${fixed(one.auc)}`,
    points: simplified(one.roc!.map(point => ({ x: point.falsePositiveRate, y: point.truePositiveRate }))),
  })),
  {
    x: { label: "false alarms (%)", domain: [0, 1], percent: true },
    y: { label: "found (%)", domain: [0, 1], percent: true },
    diagonal: true,
    square: true,
  },
)}
${lineChart(
  {
    title: `Precision and recall${of}`,
    description: `Average precision: ${drawn.map(one => `${one.level}: ${maybe(one.averagePrecision)}`).join(", ")}. The higher to the right, the better.`,
    table: precisionTable(ranked),
  },
  drawn.map(one => ({
    place: placeOf(order, String(one.level)),
    name: `${clipped(String(one.level), 24)}, average ${fixed(one.averagePrecision)}`,
    points: simplified(one.precisionRecall!.map(point => ({ x: point.recall, y: point.precision }))),
  })),
  {
    x: { label: "found: recall (%)", domain: [0, 1], percent: true },
    y: { label: "right among those called: precision (%)", domain: [0, 1], percent: true },
    square: true,
  },
)}
</div>`
}

/** Three places: a legend is read line against line. */
function fixed(area: number | undefined): string {
  return area === undefined ? "–" : area.toFixed(3)
}

function rocTable(ranked: readonly LevelEvaluation[]): Html {
  return htmlTable(
    "Area under the ROC curve, and the share that is found at so many false alarms",
    [
      { title: "level" },
      { title: "area", number: true },
      ...FALSE_ALARMS.map(rate => ({ title: `at ${percent(rate, 0)}`, number: true })),
    ],
    ranked.map(one => [
      String(one.level),
      maybe(one.auc),
      ...FALSE_ALARMS.map(rate =>
        percent(highest(one.roc!.filter(at => at.falsePositiveRate <= rate).map(at => at.truePositiveRate))),
      ),
    ]),
  )
}

function precisionTable(ranked: readonly LevelEvaluation[]): Html {
  return htmlTable(
    "Average precision, and the precision at which so much is found",
    [
      { title: "level" },
      { title: "average", number: true },
      ...RECALLS.map(recall => ({ title: `at ${percent(recall, 0)}`, number: true })),
    ],
    ranked.map(one => [
      String(one.level),
      maybe(one.averagePrecision),
      ...RECALLS.map(recall =>
        percent(highest(one.precisionRecall!.filter(at => at.recall >= recall).map(at => at.precision))),
      ),
    ]),
  )
}

function highest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}

function maybe(value: number | undefined): string {
  return value === undefined ? "–" : plain(value)
}

interface Point {
  readonly x: number
  readonly y: number
}

/** So far apart that an eye sees it: a pixel or so of a square chart. */
const SEEN = 0.004

/** The same curve in fewer points: those within a pixel of the last one are left out. */
export function simplified(points: readonly Point[]): Point[] {
  const kept: Point[] = []
  points.forEach((point, i) => {
    const last = kept.at(-1)
    const isFar = !last || Math.abs(point.x - last.x) >= SEEN || Math.abs(point.y - last.y) >= SEEN
    if (isFar || i === points.length - 1) kept.push(point)
  })
  // on a straight line, its ends are enough
  return kept.filter((point, i) => {
    const [before, after] = [kept[i - 1], kept[i + 1]]
    if (!before || !after) return true
    return !((before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y))
  })
}
