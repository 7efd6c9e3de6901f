/** The most telling features of each level. */
import { count, many, signed } from "../format.ts"
import type { Telling } from "../telling.ts"
import { barChart } from "./chart.ts"
import type { Section } from "./document.ts"
import { type Html, html, htmlTable } from "./html.ts"
import { type LevelOrder, placeOf } from "./order.ts"

export function tellingSection(telling: readonly Telling[], order: LevelOrder): Section {
  const ordered = order.levels.flatMap(level => telling.find(one => one.level === level) ?? [])
  const drawn = ordered.filter(({ level }) => placeOf(order, level) >= 0)
  const others = ordered.filter(({ level }) => placeOf(order, level) < 0)
  const body = html`<p>For rows of each level: how much each column, or word, speaks for it against the next best level, on average, in nats (one nat multiplies the odds by 2.7).</p>
<div class="pair">${drawn.map(one => levelPart(one, placeOf(order, one.level)))}</div>
${
  telling.length < order.levels.length &&
  html`<p class="note">${many(telling.length, "level")} of ${count(order.levels.length)}, the most frequent of the measured rows, were explained.</p>`
}
${others.length > 0 && html`<details><summary>${many(others.length, "more level")}, as a table</summary>${othersTable(others)}</details>`}`
  return { id: "telling", title: "What it goes by", body }
}

function othersTable(others: readonly Telling[]): Html {
  return htmlTable(
    "The features that speak most for a level, in nats",
    [{ title: "level" }, { title: "features" }],
    others.map(({ level, features }) => [
      level,
      features.map(({ name, evidence }) => `${name} ${signed(evidence)}`).join(", "),
    ]),
  )
}

function levelPart({ level, rows, features }: Telling, series: number): Html {
  return barChart(
    {
      title: level,
      description: `The features that speak most for ${level}: ${features.map(one => `${one.name} ${signed(one.evidence)}`).join(", ")}.`,
      table: htmlTable(
        `Evidence for ${level}, over ${many(rows, "row")}`,
        [{ title: "feature" }, { title: "column" }, { title: "nats", number: true }],
        features.map(one => [one.name, one.column, signed(one.evidence)]),
      ),
    },
    features.map(({ name, evidence }) => ({ name, value: evidence })),
    { label: "evidence (nats)", series },
  )
}
