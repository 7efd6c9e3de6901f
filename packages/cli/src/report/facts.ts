/** Where it comes from: the data column by column, the learning, the exact command. */
import type { Card } from "../answers.ts"
import { count, many, percent, plain } from "../format.ts"
import { lineChart } from "./chart.ts"
import type { Section } from "./document.ts"
import { html, htmlTable } from "./html.ts"

export function dataSection({ name, rows, columns }: NonNullable<Card["data"]>): Section {
  const body = html`<p>${name}: ${many(rows, "row")}, ${many(columns.length, "column")}.</p>
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
)}`
  return { id: "data", title: "The data", body }
}

export function trainingSection({ learner, trace }: NonNullable<Card["training"]>): Section {
  const body = lineChart(
    {
      title: `Objective by step (${learner}): higher is better`,
      description: `${many(trace.length, "step")}, from ${plain(trace[0], 6)} to ${plain(trace.at(-1)!, 6)}.`,
      table: htmlTable(
        "Objective",
        [{ title: "step" }, { title: "objective", number: true }],
        trace.slice(0, 200).map((y, x) => [x + 1, plain(y, 8)]),
      ),
    },
    [{ name: learner, points: trace.flatMap((y, x) => (Number.isFinite(y) ? [{ x: x + 1, y }] : [])) }],
    { x: { label: "step", whole: true }, y: { label: "objective" }, dots: trace.length < 40 },
  )
  return { id: "training", title: "How the learning went", body }
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
