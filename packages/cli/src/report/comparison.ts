/** Which way of learning is best here: a verdict in words, a table, a learning curve. */
import type { CompareAnswer, ContestantAnswer } from "../answers.ts"
import { chosenText } from "../chosen-c.ts"
import { count, duration, percent, plain, signed } from "../format.ts"
import { lineChart } from "./chart.ts"
import type { Section } from "./document.ts"
import { stageChart } from "./facts.ts"
import { type Html, html, htmlTable } from "./html.ts"

export function comparisonSection(answer: CompareAnswer): Section {
  const took = answer.contestants.filter(one => one.refused === undefined)
  const refused = answer.contestants.filter(one => one.refused !== undefined)
  const against = new Map(answer.differences.map(one => [one.against, one]))
  const curves = took.filter(one => one.curve.length > 1)
  const body = html`<p class="verdict">${answer.recommendation}</p>
${htmlTable(
  `Cross-validated on the same ${answer.folds} folds; ± is one standard error`,
  [
    { title: "learned by" },
    { title: "kind" },
    { title: "accuracy", number: true },
    { title: "log-loss", number: true },
    { title: "best minus this, points", number: true },
    { title: "time", number: true },
  ],
  took.map(one => {
    const gap = against.get(one.name)
    return [
      one.name === answer.best ? html`<strong>${one.name}</strong>` : one.name,
      one.kind,
      `${percent(one.accuracy)} ± ${(100 * one.accuracyStandardError).toFixed(1)}`,
      one.logLoss === undefined
        ? "no probabilities"
        : `${plain(one.logLoss)} ± ${plain(one.logLossStandardError ?? Number.NaN, 2)}`,
      gap === undefined
        ? "–"
        : `${signed(100 * gap.difference, 1)} (${signed(100 * gap.interval[0], 1)} to ${signed(100 * gap.interval[1], 1)})`,
      duration(one.seconds),
    ]
  }),
)}
${chosenText(took).map(sentence => html`<p class="note">${sentence}</p>`)}
${refused.map(one => html`<p class="note">${one.name} took no part: ${one.refused}</p>`)}
${
  curves.length > 0 &&
  lineChart(
    {
      title: "Learning curve",
      description: `Accuracy by the number of rows learned from. ${curves
        .map(
          one =>
            `${one.name}: ${percent(one.curve[0].accuracy)} with ${count(one.curve[0].rows)} rows, ${percent(one.curve.at(-1)!.accuracy)} with ${count(one.curve.at(-1)!.rows)}`,
        )
        .join("; ")}.`,
      table: htmlTable(
        "Accuracy on held-out rows, ± one standard error",
        [
          { title: "learned by" },
          ...curves[0].curve.map(({ rows }) => ({ title: `${count(rows)} rows`, number: true })),
        ],
        curves.map(({ name, curve }) => [
          name,
          ...curve.map(
            ({ accuracy, standardError }) => `${percent(accuracy)} ± ${(100 * standardError).toFixed(1)}`,
          ),
        ]),
      ),
    },
    curves.map(({ name, curve }) => ({
      name,
      points: curve.map(({ rows, accuracy, standardError }) => ({
        x: rows,
        y: accuracy,
        low: accuracy - standardError,
        high: accuracy + standardError,
      })),
    })),
    {
      x: { label: "rows learned from", log: true, ticks: 5 },
      y: { label: "accuracy on held-out rows (%)", percent: true },
      dots: true,
    },
  )
}
${objectives(took)}`
  return {
    id: "compare",
    title: "Generative or discriminative: which is better here?",
    short: "Which way of learning",
    body,
  }
}

/** What each way of learning climbs, apart: a log-likelihood and a loss have no common scale. What is counted at once has no steps. */
function objectives(took: readonly ContestantAnswer[]): Html | false {
  const drawn = took.flatMap(({ name, stages = [] }) => {
    const own = stages.filter(({ trace }) => trace.length > 1)
    return own.map((stage, s) => ({ ...stage, name: s === own.length - 1 ? name : `${name}: ${stage.name}` }))
  })
  return (
    drawn.length > 0 &&
    html`<h3>What each of them climbs</h3>
<p>Each has its own objective, on a scale of its own; drawn is the learning of the first fold.</p>
<div class="pair">${drawn.map(stage => stageChart(stage))}</div>`
  )
}
