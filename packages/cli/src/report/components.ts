/** What a mixture found: its components, a picture of them, and how their number was chosen. */
import { type Card, decidingName, decidingValue } from "../answers.ts"
import { percent, plain } from "../format.ts"
import { barChart, lineChart, scatterChart } from "./chart.ts"
import type { Section } from "./document.ts"
import { html, htmlTable } from "./html.ts"
import { COLOURS } from "./palette.ts"

export function componentsSection({ title, each, picture }: NonNullable<Card["components"]>): Section {
  const columns = [...new Set(each.flatMap(one => one.parts.map(part => part.column)))]
  const shares = each.map(one => `${one.name}: ${percent(one.share)}`).join(", ")
  const body = html`${
    picture &&
    each.length <= COLOURS &&
    scatterChart(
      {
        title: `${picture.x} and ${picture.y}, by component`,
        description: `Each mark is a row, drawn with the component it most probably belongs to; the outlines hold about 86 % of a component. ${shares}.`,
        table: false,
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
    description: shares,
    table: htmlTable(
      "Share of the rows",
      [{ title: "component" }, { title: "share", number: true }],
      each.map(one => [one.name, percent(one.share)]),
    ),
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
)}`
  return { id: "components", title, short: "Components", body }
}

export function candidatesSection({ criterion, chosen, each }: NonNullable<Card["candidates"]>): Section {
  const value = (one: (typeof each)[number]): number => decidingValue(one, criterion)
  const name = decidingName(criterion)
  const titles = criterion === "evidence" ? ["ln p(rows)"] : ["AIC", "BIC", "ICL"]
  const finite = each.filter(one => Number.isFinite(value(one)))
  const table = htmlTable(
    "Every candidate",
    [{ title: "components" }, ...titles.map(title => ({ title, number: true }))],
    each.map(one => [
      one.k === chosen ? html`<strong>${one.k}</strong>` : one.k,
      ...("evidence" in one ? [one.evidence] : [one.aic, one.bic, one.icl]).map(value => plain(value, 6)),
    ]),
  )
  const body = html`<p>${chosen} ${chosen === 1 ? "component has" : "components have"} the lowest ${name}. Differences below 2 say little, above 10 a lot.</p>
<div class="pair">${
    finite.length > 1 &&
    lineChart(
      {
        title: `${name} by number of components: lower is better`,
        description: finite.map(one => `${one.k}: ${plain(value(one), 6)}`).join(", "),
        table: false,
      },
      [{ name: criterion, points: finite.map(one => ({ x: one.k, y: value(one) })) }],
      { x: { label: "components", whole: true }, y: { label: name }, dots: true },
    )
  }
${table}</div>`
  return { id: "candidates", title: "How many?", body }
}
