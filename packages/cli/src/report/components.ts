/** What a mixture found: its components, a picture of them, and how their number was chosen. */
import type { Card } from "../answers.ts"
import { percent, plain } from "../format.ts"
import { barChart, lineChart, scatterChart } from "./chart.ts"
import { type Html, html, htmlTable } from "./html.ts"

export function componentsSection({ title, each, picture }: NonNullable<Card["components"]>): Html {
  const columns = [...new Set(each.flatMap(one => one.parts.map(part => part.column)))]
  return html`<section aria-labelledby="components"><h2 id="components">${title}</h2>
${
  picture &&
  scatterChart(
    {
      title: `${picture.x} and ${picture.y}, by component`,
      description: `Each mark is a row, drawn with the component it most probably belongs to; the outlines hold about 86 % of a component. ${each.map(one => `${one.name}: ${percent(one.share)}`).join(", ")}.`,
    },
    picture.points,
    picture.outlines,
    each.map(one => one.name),
    picture,
  )
}
${barChart(
  {
    title: "How large they are",
    description: each.map(one => `${one.name}: ${percent(one.share)}`).join(", "),
  },
  each.map(one => ({ name: one.name, value: 100 * one.share })),
  { label: "share of the rows (%)" },
)}
${htmlTable(
  "Every component, column by column",
  [{ title: "column" }, ...each.map(one => ({ title: `${one.name} (${percent(one.share)})` }))],
  columns.map(column => [
    column,
    ...each.map(one => one.parts.find(part => part.column === column)?.summary ?? "–"),
  ]),
)}
</section>`
}

export function candidatesSection({ criterion, chosen, each }: NonNullable<Card["candidates"]>): Html {
  const value = (one: (typeof each)[number]): number => one[criterion as "aic" | "bic" | "icl"]
  const finite = each.filter(one => Number.isFinite(value(one)))
  return html`<section aria-labelledby="choice"><h2 id="choice">How many?</h2>
<p>${chosen} ${chosen === 1 ? "component has" : "components have"} the lowest ${criterion.toUpperCase()}. Differences below 2 say little, above 10 a lot.</p>
${
  finite.length > 1 &&
  lineChart(
    {
      title: `${criterion.toUpperCase()} by number of components: lower is better`,
      description: finite.map(one => `${one.k}: ${plain(value(one), 6)}`).join(", "),
    },
    [{ name: criterion, points: finite.map(one => ({ x: one.k, y: value(one) })) }],
    {
      x: { label: "components", whole: true },
      y: { label: criterion.toUpperCase() },
      dots: true,
    },
  )
}
${htmlTable(
  "Every candidate",
  [
    { title: "components" },
    { title: "AIC", number: true },
    { title: "BIC", number: true },
    { title: "ICL", number: true },
  ],
  each.map(one => [
    one.k === chosen ? html`<strong>${one.k}</strong>` : one.k,
    plain(one.aic, 6),
    plain(one.bic, 6),
    plain(one.icl, 6),
  ]),
)}
</section>`
}
