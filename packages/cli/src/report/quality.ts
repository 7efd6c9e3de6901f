/** How good the model is: on which rows that was measured, the verdict, the measures. */
import { type NumberEvaluation, verdict } from "suffice/measure"
import type { QualityAnswer } from "../answers.ts"
import { many, percent, percents, plain } from "../format.ts"
import { sizeOf } from "../quality.ts"
import { scatterChart } from "./chart.ts"
import type { Section } from "./document.ts"
import { type Html, html, htmlTable } from "./html.ts"
import { levelsPart } from "./levels.ts"
import type { LevelOrder } from "./order.ts"
import { tile, tiles } from "./tiles.ts"

/** `order`: of the levels, where the label has some. */
export function qualitySection(quality: QualityAnswer, order: LevelOrder | undefined): Section {
  const { on, evaluation } = quality
  const where =
    on === "training rows"
      ? html`<p class="verdict warning"><strong>Measured on the ${sizeOf(quality)} the model has learned from.</strong> That is too bright a picture: give <code>--holdout</code> or <code>--test</code> for an honest one.</p>`
      : html`<p>Measured on ${sizeOf(quality)} ${on === "test file" ? "of the test file" : "held out"}, none of which the model has learned from. Ranges hold with 95&nbsp;% confidence.</p>`
  const { sentence, standing } = verdict(evaluation)
  const body = html`${where}
<p class="verdict${standing === "worse" && " warning"}">${sentence}</p>
${evaluation.kind === "levels" ? levelsPart(evaluation, order!) : numbersPart(evaluation)}`
  return { id: "quality", title: "How good it is", body }
}

function numbersPart(evaluation: NumberEvaluation): Html {
  return html`${tiles([
    tile(plain(evaluation.rmse), "root mean squared error", `of “${evaluation.target}”`),
    tile(plain(evaluation.mae), "mean absolute error"),
    tile(plain(evaluation.r2), "R²", "1 is perfect, 0 a constant guess"),
    tile(percent(evaluation.coverage), "inside the 95 % interval", percents(evaluation.coverageInterval)),
    tile(plain(evaluation.logDensity), "mean log-density", "higher is better"),
  ])}
${evaluation.points && residuals(evaluation)}`
}

/** More points than these would only make the file larger. */
const MOST_POINTS = 1000

/** What is left of the truth beside what was said: without a pattern, nothing is left to explain. */
function residuals({ points = [], target, rmse, mae }: NumberEvaluation): Html {
  const shown = thinned(points, MOST_POINTS)
  return html`<h3>What it misses</h3>
${scatterChart(
  {
    title: "Residuals",
    description: `The truth minus what was said, by what was said; ${many(points.length, "row")}, root mean square ${plain(rmse)}, mean distance ${plain(mae)}. A curve or a funnel would be something the model has not understood.`,
    table: htmlTable(
      "The largest misses",
      [
        { title: "said", number: true },
        { title: "truth", number: true },
        { title: "truth minus said", number: true },
      ],
      points
        .toSorted((a, b) => Math.abs(b.truth - b.value) - Math.abs(a.truth - a.value))
        .slice(0, 20)
        .map(({ value, truth }) => [plain(value), plain(truth), plain(truth - value)]),
    ),
    ...(shown.length < points.length && {
      note: `${many(shown.length, "row")} of ${many(points.length, "row")}.`,
    }),
  },
  shown.map(({ value, truth }) => ({ x: value, y: truth - value, group: 0 })),
  [],
  ["held-out row"],
  { x: `${target}, as said`, y: "truth minus said" },
)}`
}

function thinned<Point>(points: readonly Point[], most: number): Point[] {
  if (points.length <= most) return [...points]
  const step = (points.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, i) => points[Math.round(i * step)])
}
