/** Where it comes from: the data column by column, the learning, the exact command. */
import type { Card } from "../answers.ts"
import { count, many, percent, plain } from "../format.ts"
import { lineChart } from "./chart.ts"
import { type Html, html, htmlTable } from "./html.ts"

export function dataSection({ name, rows, columns }: NonNullable<Card["data"]>): Html {
  return html`<section aria-labelledby="data"><h2 id="data">The data</h2>
<p>${name}: ${many(rows, "row")}, ${many(columns.filter(({ of }) => of === undefined).length, "column")}.</p>
${htmlTable(
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
)}
</section>`
}

export function trainingSection({ learner, trace }: NonNullable<Card["training"]>): Html {
  return html`<section aria-labelledby="training"><h2 id="training">How the learning went</h2>
${lineChart(
  {
    title: `Objective by step (${learner}): higher is better`,
    description: `${many(trace.length, "step")}, from ${plain(trace[0], 6)} to ${plain(trace.at(-1)!, 6)}.`,
  },
  [{ name: learner, points: trace.flatMap((y, x) => (Number.isFinite(y) ? [{ x: x + 1, y }] : [])) }],
  { x: { label: "step", whole: true }, y: { label: "objective" }, dots: trace.length < 40 },
)}
<details><summary>Numbers</summary>${htmlTable(
    "Objective",
    [{ title: "step" }, { title: "objective", number: true }],
    trace.slice(0, 200).map((y, x) => [x + 1, plain(y, 8)]),
  )}</details>
</section>`
}

export function factsSection({ command, facts }: Card): Html {
  return html`<section aria-labelledby="facts"><h2 id="facts">How to make this again</h2>
<pre><code>${command}</code></pre>
${htmlTable(
  "Facts",
  [{ title: "" }, { title: "" }],
  facts.map(([name, value]) => [name, value]),
)}
</section>`
}
