/** The most telling features of each level. */
import { many, signed } from "../format.ts"
import type { Telling } from "../telling.ts"
import { barChart } from "./chart.ts"
import { type Html, html, htmlTable } from "./html.ts"

export function tellingSection(telling: readonly Telling[]): Html {
  return html`<section aria-labelledby="telling"><h2 id="telling">What it goes by</h2>
<p>For rows of each level: how much each column, or word, speaks for it against the next best level, on average, in nats (one nat multiplies the odds by 2.7).</p>
<div class="pair">${telling.map((one, i) => levelPart(one, i))}</div>
</section>`
}

function levelPart({ level, rows, features }: Telling, i: number): Html {
  return html`<div>${barChart(
    {
      title: level,
      description: `The features that speak most for ${level}: ${features.map(one => `${one.name} ${signed(one.evidence)}`).join(", ")}.`,
    },
    features.map(({ name, evidence }) => ({ name, value: evidence })),
    { label: "evidence (nats)", series: i },
  )}
<details><summary>Numbers, over ${many(rows, "row")}</summary>${htmlTable(
    `Evidence for ${level}`,
    [{ title: "feature" }, { title: "column" }, { title: "nats", number: true }],
    features.map(one => [one.name, one.column, signed(one.evidence)]),
  )}</details></div>`
}
