/** Where it comes from: the data column by column, the learning, the exact command. */
import type { Card } from "../answers.ts"
import { count, many, percent, plain } from "../format.ts"
import { climbText, type StageAnswer, type TrainingAnswer } from "../training.ts"
import { lineChart } from "./chart.ts"
import type { Section } from "./document.ts"
import { type Html, html, htmlTable } from "./html.ts"

/** A longer table of columns is folded. */
const UNFOLDED = 40

export function dataSection({ name, rows, columns }: NonNullable<Card["data"]>): Section {
  const table = htmlTable(
    "Columns as they were read",
    [
      { title: "column" },
      { title: "kind" },
      { title: "in the model as" },
      { title: "missing", number: true },
      { title: "levels", number: true },
      { title: "note" },
    ],
    columns.map(one => [
      one.name,
      one.kind,
      one.role === "label" ? "label" : (one.family ?? "left out"),
      percent(one.missing),
      one.levels === undefined ? "" : count(one.levels),
      one.note ?? "",
    ]),
  )
  const body = html`<p>${name}: ${many(rows, "row")}, ${many(columns.filter(({ of }) => of === undefined).length, "column")}.</p>
${columns.length > UNFOLDED ? html`<details><summary>Every column, as a table</summary>${table}</details>` : table}`
  return { id: "data", title: "The data", body }
}

/** The steps of a stage that its table holds. */
const MOST_STEPS = 200

export function trainingSection({ stages, runs, run }: TrainingAnswer): Section {
  const drawn = stages.filter(({ trace }) => trace.length > 1)
  const body = html`${drawn.length > 1 && html`<p>Each climbs its own objective, on a scale of its own.</p>`}
<div class="pair">${drawn.map(stage => stageChart(stage))}</div>
${
  runs.length > 1 &&
  html`<details><summary>Every start, as a table</summary>${htmlTable(
    "Every start; the best is kept",
    [
      { title: "start" },
      { title: "steps", number: true },
      { title: "objective", number: true },
      { title: "ended" },
    ],
    runs.map(one => [
      one.run === run ? html`<strong>${one.run + 1}</strong>` : one.run + 1,
      count(one.iterations),
      plain(one.objective, 8),
      `${one.stopped}${one.held ? ", at the edge of its domain" : ""}`,
    ]),
  )}</details>`
}`
  return { id: "training", title: "How the learning went", body }
}

/** The objective of one learner, step by step, on a scale of its own. */
export function stageChart({ name, objective, trace }: StageAnswer): Html {
  const points = trace.flatMap((y, x) => (Number.isFinite(y) ? [{ x: x + 1, y }] : []))
  return lineChart(
    {
      title: `${name}: higher is better`,
      description: `${objective} by step, ${climbText(trace)} in ${many(trace.length, "step")}.`,
      table: html`${htmlTable(
        `${name}: ${objective}`,
        [{ title: "step" }, { title: objective, number: true }],
        trace.slice(0, MOST_STEPS).map((y, x) => [x + 1, plain(y, 8)]),
      )}${trace.length > MOST_STEPS && html`<p class="note">The first ${MOST_STEPS} of ${many(trace.length, "step")}.</p>`}`,
    },
    [{ name, points }],
    { x: { label: "step", whole: true }, y: { label: objective }, dots: trace.length < 40 },
  )
}

export function factsSection({ command, facts }: Pick<Card, "command" | "facts">): Section {
  const body = html`<pre><code>${command}</code></pre>
${htmlTable(
  "Facts",
  [{ title: "fact" }, { title: "value" }],
  facts.map(([name, value]) => [name, value]),
)}`
  return { id: "facts", title: "How to make this again", body }
}
