/** How good the model is: tiles, confusion, reliability, ROC and PR. */
import { type Evaluation, type LevelEvaluation, type NumberEvaluation, verdict } from "suffice/measure"
import type { QualityAnswer } from "../answers.ts"
import { clipped, count, many, percent, percents, plain, range } from "../format.ts"
import { confusionChart, lineChart, type Series, scatterChart } from "./chart.ts"
import { type Html, html, htmlTable } from "./html.ts"
import { mistakes } from "./mistakes.ts"

/** With more levels a chart is unreadable: only the table is shown. */
const MOST_LEVELS = 24
const MOST_CURVES = 8

export function qualitySection({ on, rows, evaluation }: QualityAnswer): Html {
  const where =
    on === "training rows"
      ? html`<p class="verdict warning"><strong>Measured on the ${many(rows, "row")} the model has learned from.</strong> That is too bright a picture: give <code>--holdout</code> or <code>--test</code> for an honest one.</p>`
      : html`<p>Measured on ${many(rows, "row")} ${on === "test file" ? "of the test file" : "held out"}, none of which the model has learned from. Ranges hold with 95 % confidence.</p>`
  return html`<section aria-labelledby="quality"><h2 id="quality">How good it is</h2>
${where}
<p class="verdict">${verdict(evaluation).sentence}</p>
${evaluation.kind === "levels" ? levels(evaluation) : numbers(evaluation)}
</section>`
}

function levels(evaluation: Evaluation): Html {
  const names = evaluation.confusion.levels.map(level => clipped(String(level), 24))
  const { counts } = evaluation.confusion
  const ranked = Object.values(evaluation.perLevel).filter(one => one.support > 0)
  return html`<ul class="tiles">
${tile(percent(evaluation.accuracy), "accuracy", percents(evaluation.accuracyInterval))}
${tile(plain(evaluation.logLoss), "log-loss (nats)", range(evaluation.logLossInterval))}
${tile(plain(evaluation.brier), "Brier score", "0 is perfect, 2 is worst")}
${tile(plain(evaluation.ece), "calibration error", "expected, of the predicted level")}
${tile(plain(evaluation.macroF1), "macro F1", "")}
${evaluation.auc !== undefined && tile(plain(evaluation.auc), "area under ROC", "mean over levels")}
</ul>
<h3>Where it is right and wrong</h3>
${
  names.length <= MOST_LEVELS
    ? confusionChart(
        {
          title: "Confusion matrix",
          description: `Rows are the truth, columns what was predicted. ${percent(evaluation.accuracy)} of the rows lie on the diagonal.`,
        },
        names,
        counts,
      )
    : html`<p class="note">${many(names.length, "level")}: too many for a picture.</p>`
}
<details><summary>The most frequent mistakes, and every level, as tables</summary>
${htmlTable(
  "The most frequent mistakes",
  [{ title: "truth" }, { title: "predicted" }, { title: "rows", number: true }],
  mistakes(names, counts),
)}
${htmlTable(
  "By level",
  [
    { title: "level" },
    { title: "rows", number: true },
    { title: "precision", number: true },
    { title: "recall", number: true },
    { title: "F1", number: true },
    { title: "ROC area", number: true },
    { title: "average precision", number: true },
  ],
  ranked
    .slice(0, 100)
    .map(one => [
      String(one.level),
      count(one.support),
      maybe(one.precision),
      maybe(one.recall),
      maybe(one.f1),
      maybe(one.auc),
      maybe(one.averagePrecision),
    ]),
)}</details>
<h3>Are its probabilities frequencies?</h3>
<div class="pair"><div>${reliabilityChart(evaluation)}</div>
<div>${htmlTable(
    "Of the rows predicted with this confidence, so many were right",
    [
      { title: "confidence" },
      { title: "rows", number: true },
      { title: "mean said", number: true },
      { title: "were right", number: true },
      { title: "95 % interval", number: true },
    ],
    evaluation.reliability.map(bin => [
      `${percent(bin.from, 0)} – ${percent(bin.to, 0)}`,
      count(bin.count),
      percent(bin.confidence),
      percent(bin.frequency),
      percents(bin.interval),
    ]),
  )}</div></div>
${curves(ranked)}`
}

function reliabilityChart(evaluation: Evaluation): Html {
  return lineChart(
    {
      title: "Reliability curve",
      description: `How often predictions of a given confidence were right. On the diagonal, probabilities are frequencies; the expected calibration error is ${plain(evaluation.ece)}.`,
    },
    [
      {
        name: "predicted level",
        points: evaluation.reliability.map(bin => ({
          x: bin.confidence,
          y: bin.frequency,
          low: bin.interval[0],
          high: bin.interval[1],
        })),
      },
    ],
    {
      x: { label: "probability said (%)", domain: [0, 1], percent: true },
      y: { label: "share that was right (%)", domain: [0, 1], percent: true },
      diagonal: true,
      dots: true,
      square: true,
    },
  )
}

function curves(ranked: readonly LevelEvaluation[]): Html | false {
  const withCurves = ranked.filter(one => one.roc && one.precisionRecall)
  if (withCurves.length === 0) return false
  // two levels mirror each other
  const shown = (withCurves.length === 2 ? withCurves.slice(1) : [...withCurves])
    .sort((a, b) => b.support - a.support)
    .slice(0, MOST_CURVES)
  const roc: Series[] = shown.map(one => ({
    name: clipped(String(one.level), 24),
    points: thinned(one.roc!.map(point => ({ x: point.falsePositiveRate, y: point.truePositiveRate }))),
  }))
  const pr: Series[] = shown.map(one => ({
    name: clipped(String(one.level), 24),
    points: thinned(one.precisionRecall!.map(point => ({ x: point.recall, y: point.precision }))),
  }))
  const areas = shown.map(one => `${one.level}: ${plain(one.auc ?? Number.NaN)}`).join(", ")
  const precise = shown.map(one => `${one.level}: ${plain(one.averagePrecision ?? Number.NaN)}`).join(", ")
  const of = shown.length === 1 ? ` of “${shown[0].level}”` : ", each level against the rest"
  return html`<h3>How well it ranks</h3>
<div class="pair">
${lineChart(
  {
    title: `ROC curve${of}`,
    description: `Area under the curve: ${areas}. The higher to the left, the better.`,
  },
  roc,
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
    description: `Average precision: ${precise}. The higher to the right, the better.`,
  },
  pr,
  {
    x: { label: "found: recall (%)", domain: [0, 1], percent: true },
    y: { label: "right among those called: precision (%)", domain: [0, 1], percent: true },
    square: true,
  },
)}
</div>
${htmlTable(
  "Areas",
  [{ title: "level" }, { title: "ROC area", number: true }, { title: "average precision", number: true }],
  shown.map(one => [String(one.level), maybe(one.auc), maybe(one.averagePrecision)]),
)}`
}

function numbers(evaluation: NumberEvaluation): Html {
  return html`<ul class="tiles">
${tile(plain(evaluation.rmse), "root mean squared error", `of “${evaluation.target}”`)}
${tile(plain(evaluation.mae), "mean absolute error", "")}
${tile(plain(evaluation.r2), "R²", "1 is perfect, 0 a constant guess")}
${tile(percent(evaluation.coverage), "inside the 95 % interval", percents(evaluation.coverageInterval))}
${tile(plain(evaluation.logDensity), "mean log-density", "higher is better")}
</ul>
${evaluation.points && residuals(evaluation)}`
}

/** What is left of the truth beside what was said: without a pattern, nothing is left to explain. */
function residuals({ points = [], target, rmse, mae }: NumberEvaluation): Html {
  const shown = thinned(points, MOST_POINTS)
  const left = shown.map(({ value, truth }) => ({ x: value, y: truth - value, group: 0 }))
  return html`<h3>What it misses</h3>
${scatterChart(
  {
    title: "Residuals",
    description: `The truth minus what was said, by what was said; ${many(points.length, "row")}, root mean square ${plain(rmse)}, mean distance ${plain(mae)}. A curve or a funnel would be something the model has not understood.`,
  },
  left,
  [],
  ["held-out row"],
  { x: `${target}, as said`, y: "truth minus said" },
)}
<details><summary>The largest misses, as a table</summary>${htmlTable(
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
  )}</details>`
}

const MOST_POINTS = 1000

function tile(value: string, name: string, more: string): Html {
  return html`<li><b>${value}</b><span>${name}</span>${more !== "" && html`<span>${more}</span>`}</li>\n`
}

function maybe(value: number | undefined): string {
  return value === undefined ? "–" : plain(value)
}

/** At most `most` points: a curve looks the same without the others. */
function thinned<Point>(points: readonly Point[], most = 240): Point[] {
  if (points.length <= most) return [...points]
  const step = (points.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, i) => points[Math.round(i * step)])
}
