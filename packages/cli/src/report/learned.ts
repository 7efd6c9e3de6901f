/** What the model has learned: densities over histograms, probabilities over shares, words; for a number, how it moves with each column. */

import { clipped, count, many, percent, plain } from "../format.ts"
import type { LearnedAnswer, LearnedByGroup, LearnedOfNumber } from "../learned/answer.ts"
import type { LearnedLevels, LearnedNumber } from "../learned/columns.ts"
import type { LearnedResponse } from "../learned/response.ts"
import type { LearnedWords } from "../learned/words.ts"
import { barChart, responseChart } from "./chart.ts"
import type { Section } from "./document.ts"
import { type Html, html, htmlTable } from "./html.ts"
import { densityPanels, levelPanels } from "./panels.ts"

/** Rows of the table of every column. */
const MOST_ROWS = 1000

export function learnedSection(answer: LearnedAnswer): Section {
  const body = answer.kind === "groups" ? groupsPart(answer) : numberPart(answer)
  return { id: "learned", title: "What it has learned", body }
}

function groupsPart(answer: LearnedByGroup): Html {
  const { of, by, drawn, groups, rows, columns, says, all, undrawn } = answer
  const given = by === "all" ? "" : by === "levels" ? `, given each level of ${of}` : ", given each component"
  const names = drawn.map(name => clipped(by === "components" ? `${of} ${name}` : name, 20))
  const drawnOver = columns.some(({ kind }) => kind !== "words")
  return html`<p>One column at a time${given}.${
    drawnOver &&
    html` Filled is what ${many(rows, "row")} hold${by === "components" && ", each counted for its most probable component"}, the line is what the model has learned. Each panel of a number has its own height.`
  }</p>
${by === "components" && drawn.length < groups.length && html`<p class="note">Drawn are the ${drawn.length} most frequent of ${many(groups.length, "component")}.</p>`}
${
  all > columns.length + undrawn.length &&
  html`<p class="note">Of ${many(all, "column")}, ${by === "all" ? `the first ${columns.length} are drawn.` : `the ${columns.length} that say most by themselves are drawn; the table below has ${says.length < all ? `the ${says.length} that differ most in the rows` : "all"}.`}</p>`
}
${undrawn.length > 0 && html`<p class="note">Not drawn, since the model gives no density of it alone: ${undrawn.map(name => clipped(name, 24)).join(", ")}.</p>`}
<div class="pair">${columns.map(column => {
    switch (column.kind) {
      case "number":
        return numberPanels(column, names)
      case "levels":
        return valuePanels(column, names)
      case "words":
        return wordCharts(column, names)
      default:
        return column satisfies never
    }
  })}</div>
${
  by !== "all" &&
  html`<details><summary>What ${says.length < all ? `${says.length} columns say` : "every column says"} by itself, as a table</summary>${htmlTable(
    `What a column says by itself about ${by === "levels" ? of : "the component"}: 0 is nothing`,
    [{ title: "column" }, { title: "nats", number: true }],
    says.map(({ column, nats }) => [column, plain(nats, 3)]),
  )}</details>`
}`
}

function numberPanels(column: LearnedNumber, names: readonly string[]): Html {
  const total = column.at.map((_, i) => i)
  const most = column.each.map(
    ({ density }) => column.at[total.reduce((a, b) => (density[b] > density[a] ? b : a), 0)],
  )
  return densityPanels(
    {
      title: column.column,
      description: `Where it is, given each: ${names.map((name, g) => `${name} around ${plain(most[g])}`).join(", ")}.`,
      table: htmlTable(
        `${column.column}: the rows, and where the learned density is highest`,
        [
          { title: "given" },
          { title: "rows", number: true },
          { title: "mean", number: true },
          { title: "sd", number: true },
          { title: "most probable", number: true },
        ],
        column.each.map((one, g) => [
          names[g],
          count(one.rows),
          plain(one.mean),
          plain(one.sd),
          plain(most[g]),
        ]),
      ),
      ...(column.outside > 0 && {
        note: `${percent(column.outside)} of the cells lie further out.`,
      }),
    },
    names,
    column,
  )
}

function valuePanels(column: LearnedLevels, names: readonly string[]): Html {
  const values = column.values.map(value => clipped(value, 20))
  return levelPanels(
    {
      title: column.column,
      description: `The most probable value, given each: ${column.each
        .map(({ probabilities }, g) => {
          const best = probabilities.indexOf(Math.max(...probabilities))
          return `${names[g]}: ${values[best]} (${percent(probabilities[best])})`
        })
        .join(", ")}.`,
      table: htmlTable(
        `${column.column}: learned probability (and share of the rows)`,
        [{ title: "value" }, ...names.map(title => ({ title, number: true }))],
        values.map((value, v) => [
          value,
          ...column.each.map(
            ({ probabilities, shares }) => `${percent(probabilities[v])} (${percent(shares[v])})`,
          ),
        ]),
      ),
      ...(column.more > 0 && { note: `${many(column.more, "less probable value")} left out.` }),
    },
    names,
    { ...column, values },
  )
}

function wordCharts({ column, counts, each }: LearnedWords, names: readonly string[]): Html[] {
  const label = counts ? "per 1,000 words" : "per 1,000 documents"
  return each.flatMap(({ words }, g) =>
    words.length === 0
      ? []
      : [
          barChart(
            {
              title: `${column}: words that set ${names[g]} apart`,
              description: words
                .map(({ word, lift }) => `${word} (${plain(lift, 2)} times as frequent)`)
                .join(", "),
              table: htmlTable(
                `Words of ${names[g]}`,
                [
                  { title: "word" },
                  { title: label, number: true },
                  { title: "times as frequent as overall", number: true },
                ],
                words.map(({ word, probability, lift }) => [
                  clipped(word, 40),
                  plain(1000 * probability, 3),
                  plain(lift, 3),
                ]),
              ),
            },
            words.map(({ word, probability }) => ({ name: clipped(word, 24), value: 1000 * probability })),
            { label, series: g },
          ),
        ],
  )
}

function numberPart({ target, rows, columns, densities, atMean }: LearnedOfNumber): Html {
  const drawn = columns.filter(({ line }) => line.length > 0)
  const dots = drawn.reduce((most, { points }) => Math.max(most, points.length), 0)
  return html`<p>What the model says of ${target} as one column moves and ${atMean.length > 0 ? "the others that it reads stay at their means" : "nothing else is known"}: the line is what it expects, the band its 95&nbsp;% interval, the dots are ${dots < rows && `${count(dots)} of `}${many(rows, "row")}. First the columns that explain most by themselves.</p>
${drawn.length < columns.length && html`<p class="note">Of ${many(columns.length, "column")}, the first ${drawn.length} are drawn; the table below has all.</p>`}
<div class="pair">${drawn.map(column => responsePart(column, target))}</div>
<details><summary>What every column explains by itself, as a table</summary>${htmlTable(
    `The share of the variance of ${target} that a column explains by itself`,
    [{ title: "column" }, { title: "explains", number: true }],
    columns.slice(0, MOST_ROWS).map(({ column, explains }) => [column, percent(explains)]),
  )}</details>
${
  densities.length > 0 &&
  html`<h3>Each number by itself</h3>
<p>Filled is what ${many(rows, "row")} hold, the line the density that the model has learned, whatever the other columns are.</p>
<div class="pair">${densities.map(column => numberPanels(column, ["all rows"]))}</div>`
}`
}

function responsePart(response: LearnedResponse, target: string): Html {
  const { column, explains, line } = response
  const said = (x: unknown): string => (typeof x === "number" ? plain(x) : clipped(String(x), 20))
  return responseChart(
    {
      title: `${column}: explains ${percent(explains)} by itself`,
      description: `${target} as ${column} moves: from ${plain(line[0].value)} at ${said(line[0].x)} to ${plain(line.at(-1)!.value)} at ${said(line.at(-1)!.x)}.`,
      table: htmlTable(
        `${target} by ${column}`,
        [{ title: column }, { title: "expected", number: true }, { title: "95 % interval", number: true }],
        line.map(({ x, value, low, high }) => [said(x), plain(value), `${plain(low)} – ${plain(high)}`]),
      ),
    },
    { ...response, line: line.map(one => ({ ...one, x: typeof one.x === "number" ? one.x : said(one.x) })) },
    { x: column, y: target },
  )
}
