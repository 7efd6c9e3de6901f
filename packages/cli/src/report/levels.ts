/** How well levels are told: tiles, confusion, reliability, curves, and every level in a table. */
import type { Evaluation, LevelEvaluation } from "suffice/measure"
import type { QualityAnswer } from "../answers.ts"
import { clipped, count, many, percent, percents, plain, range } from "../format.ts"
import { confusionChart, lineChart } from "./chart.ts"
import { curves } from "./curves.ts"
import { type Html, html, htmlTable } from "./html.ts"
import { mistakes } from "./mistakes.ts"
import { drawnSentence, type LevelOrder } from "./order.ts"
import { spansPart } from "./sequences.ts"
import { tile, tiles } from "./tiles.ts"

/** A confusion matrix of more levels is unreadable: the most frequent are drawn, the others as one. */
const MOST_CELLS = 30
const KEPT = 20
/** The rows of a table that a browser lays out at once. */
const MOST_ROWS = 1000

export function levelsPart(
  evaluation: Extract<QualityAnswer["evaluation"], { kind: "levels" }>,
  order: LevelOrder,
): Html {
  const each = order.levels.map(level => evaluation.perLevel[level])
  return html`${tiles([
    tile(percent(evaluation.accuracy), "accuracy", percents(evaluation.accuracyInterval)),
    tile(plain(evaluation.logLoss), "log-loss (nats)", range(evaluation.logLossInterval)),
    tile(plain(evaluation.brier), "Brier score", "0 is perfect, 2 is worst"),
    tile(plain(evaluation.ece), "calibration error", "expected, of the predicted level"),
    tile(plain(evaluation.macroF1), "macro F1"),
    evaluation.auc !== undefined && tile(plain(evaluation.auc), "area under ROC", "mean over levels"),
    evaluation.sequences &&
      tile(percent(evaluation.sequences.accuracy), "whole sequences", "every step of the path right"),
    evaluation.spans && tile(percent(evaluation.spans.f1), "F1 of spans"),
  ])}
${evaluation.spans && spansPart(evaluation.spans)}
<p class="note">Levels stand in the order of the model everywhere, each in its own colour. ${drawnSentence(order)}</p>
<h3>Where it is right and wrong</h3>
${confusion(evaluation, order)}
<details><summary>Every level, as a table</summary>${levelTable(each)}</details>
<h3>Are its probabilities frequencies?</h3>
${reliability(evaluation)}
${curves(each, order)}`
}

function confusion(evaluation: Evaluation, { levels }: LevelOrder): Html {
  const { counts } = evaluation.confusion
  const names = levels.map(level => clipped(level, 24))
  const wrong = htmlTable(
    "The most frequent mistakes",
    [{ title: "truth" }, { title: "predicted" }, { title: "rows", number: true }],
    mistakes(names, counts, names.length <= MOST_CELLS ? 10 : 100),
  )
  const drawn = names.length <= MOST_CELLS ? { names, counts } : merged(names, counts)
  return confusionChart(
    {
      title: "Confusion matrix",
      description: `Rows are the truth, columns what was predicted. ${percent(evaluation.accuracy)} of the rows lie on the diagonal.`,
      table: html`${wrong}${names.length <= MOST_CELLS && matrixTable(names, counts)}`,
      ...(drawn.names !== names && {
        note: `The ${KEPT} most frequent of ${many(names.length, "level")}, and all others as one; a mistake among these others lies on the diagonal here. Every level is in the table below.`,
      }),
    },
    drawn.names,
    drawn.counts,
  )
}

function matrixTable(names: readonly string[], counts: readonly (readonly number[])[]): Html {
  return htmlTable(
    "Truth by row, prediction by column",
    [{ title: "truth" }, ...names.map(title => ({ title, number: true }))],
    counts.map((row, t) => [names[t], ...row.map(value => count(value))]),
  )
}

/** The most frequent levels, in order, and the others as one. */
function merged(
  names: readonly string[],
  counts: readonly (readonly number[])[],
): { names: readonly string[]; counts: readonly (readonly number[])[] } {
  const support = counts.map(row => row.reduce((a, b) => a + b, 0))
  const kept = names
    .map((_, l) => l)
    .sort((a, b) => support[b] - support[a])
    .slice(0, KEPT)
    .sort((a, b) => a - b)
  const placeOf = new Map(kept.map((l, place) => [l, place]))
  const small = Array.from({ length: KEPT + 1 }, () => new Array<number>(KEPT + 1).fill(0))
  counts.forEach((row, t) => {
    row.forEach((value, p) => {
      small[placeOf.get(t) ?? KEPT][placeOf.get(p) ?? KEPT] += value
    })
  })
  return { names: [...kept.map(l => names[l]), "(others)"], counts: small }
}

function levelTable(each: readonly LevelEvaluation[]): Html {
  const shown = each.slice(0, MOST_ROWS)
  return html`${htmlTable(
    "By level",
    [
      { title: "level" },
      { title: "rows", number: true },
      { title: "precision", number: true },
      { title: "recall", number: true },
      { title: "F1", number: true },
      { title: "ROC area", number: true },
      { title: "average precision", number: true },
      { title: "calibration error", number: true },
    ],
    shown.map(one => [
      String(one.level),
      count(one.support),
      maybe(one.precision),
      maybe(one.recall),
      maybe(one.f1),
      maybe(one.auc),
      maybe(one.averagePrecision),
      maybe(one.ece),
    ]),
  )}${shown.length < each.length && html`<p class="note">The first ${count(MOST_ROWS)} of ${many(each.length, "level")}; --json has all.</p>`}`
}

function reliability(evaluation: Evaluation): Html {
  const bins = evaluation.reliability
  return html`<div class="pair">${lineChart(
    {
      title: "Reliability curve",
      description: `How often predictions of a given confidence were right. On the diagonal, probabilities are frequencies; the expected calibration error is ${plain(evaluation.ece)}. Lines up and down are 95 % intervals, the bars at the bottom how many rows each bin has.`,
      table: false,
      note: "Lines up and down are 95 % intervals; the bars at the bottom say how many rows a bin has.",
    },
    [
      {
        name: "predicted level",
        points: bins.map(bin => ({
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
      sizes: bins.map(({ from, to, count: size }) => ({ from, to, size })),
    },
  )}
${htmlTable(
  "Of the rows predicted with this confidence, so many were right",
  [
    { title: "confidence" },
    { title: "rows", number: true },
    { title: "mean said", number: true },
    { title: "were right", number: true },
    { title: "95 % interval", number: true },
  ],
  bins.map(bin => [
    html`<span class="n">${percents([bin.from, bin.to], 0)}</span>`,
    count(bin.count),
    percent(bin.confidence),
    percent(bin.frequency),
    percents(bin.interval),
  ]),
)}</div>`
}

function maybe(value: number | undefined): string {
  return value === undefined ? "–" : plain(value)
}
