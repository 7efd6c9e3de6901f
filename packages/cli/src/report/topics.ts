/** The page of topics: a map, their words by relevance, documents, classes, and how their number was chosen. */
import { createHash } from "node:crypto"
import type { Card, DataAnswer } from "../answers.ts"
import type { TriedAnswer } from "../commands/topics.ts"
import { many, percent, plain } from "../format.ts"
import { spread } from "../topic-map.ts"
import { type ClassAnswer, type FoundTopics, LOOKED_AT, type TopicAnswer } from "../topics.ts"
import { lineChart } from "./chart.ts"
import { htmlDocument, type Section } from "./document.ts"
import { dataSection, factsSection } from "./facts.ts"
import { type Content, escaped, Html, html, htmlTable } from "./html.ts"
import { tile, tiles } from "./tiles.ts"
import { TOPIC_SCRIPT } from "./topic-script.ts"

export interface TopicsCard extends Pick<Card, "title" | "lead" | "command" | "facts" | "warnings"> {
  readonly data: DataAnswer
  readonly found: FoundTopics
  readonly quality: { readonly perplexity: number; readonly npmi: number; readonly diversity: number }
  readonly tried: readonly TriedAnswer[]
  /** Why this number of topics, in a sentence; empty: it was given. */
  readonly why: string
  readonly label?: string | undefined
  readonly byClass?: readonly ClassAnswer[]
}

export function topicsReport(card: TopicsCard): string {
  const { title, lead, warnings, found, tried } = card
  return htmlDocument({
    title,
    lead,
    warnings,
    style: STYLE,
    script: { text: TOPIC_SCRIPT, digest: digest(TOPIC_SCRIPT) },
    sections: [
      mapSection(card),
      listSection(found),
      card.byClass && card.label !== undefined && classesSection(card.label, card.byClass, found.topics),
      tried.length > 1 && triedSection(tried, found.topics.length, card.why),
      documentsSection(found),
      dataSection(card.data),
      factsSection(card),
    ],
  })
}

// ── the map, and the words of one topic ────────────────────────────────────────────────────────────

function mapSection({ found, quality }: TopicsCard): Section {
  const { topics, onPage, words } = found
  const body = html`${tiles([
    tile(String(topics.length), "topics"),
    tile(words.toLocaleString("en"), "words"),
    tile(plain(quality.perplexity), "perplexity", "of completion, on documents it had not learned from"),
    tile(quality.npmi.toFixed(3), "coherence (NPMI)", "of ten words of each topic"),
    tile(percent(quality.diversity, 0), "diversity", "distinct among their first words"),
  ])}
<p>A circle is a topic. Its area is its share of all words; topics with similar words are close to each other. Choose one, here or in the list, to see its words.</p>
<div class="explorer">${map(topics)}
<div id="explorer" hidden>
<div class="controls"><label>Topic <select id="topic">${topics.map(
    one => html`<option value="${one.topic}">${one.topic}: ${firstWords(one, 3)}</option>`,
  )}</select></label>
<label>λ = <output id="lambda-value" for="lambda">0.60</output>
<input type="range" id="lambda" min="0" max="1" step="0.01" value="0.6" aria-describedby="lambda-says"></label>
<p class="note" id="lambda-says">λ = 1 ranks words by how frequent they are in the topic, λ = 0 by how much more frequent they are in it than elsewhere.</p></div>
<h3 id="words-heading" aria-live="polite">Words</h3>
<div class="scroll" role="group" tabindex="0" aria-labelledby="words-heading"><table aria-labelledby="words-heading" class="words"><thead><tr><th scope="col">word</th><th scope="col"><span class="key own"></span> topic <span class="key all"></span> all</th><th scope="col" class="n">topic</th><th scope="col" class="n">all</th><th scope="col" class="n">lift</th></tr></thead>
<tbody id="words-of-topic"></tbody></table></div>
</div></div>
<script type="application/json" id="topic-words">${new Html(jsonOf(onPage))}</script>`
  return { id: "map", title: "The topics", short: "Map", body }
}

const WIDTH = 460
const HEIGHT = 400
const LARGEST = 58
const MARGIN = 6

function map(topics: readonly TopicAnswer[]): Html {
  const most = Math.max(...topics.map(({ share }) => share))
  const margin = LARGEST * sizeFor(topics.length) + MARGIN
  const scale = (values: readonly number[], length: number): ((x: number) => number) => {
    const [low, high] = [Math.min(...values), Math.max(...values)]
    return x => (high > low ? margin + ((x - low) / (high - low)) * (length - 2 * margin) : length / 2)
  }
  const x = scale(
    topics.map(one => one.x),
    WIDTH,
  )
  const y = scale(
    topics.map(one => one.y),
    HEIGHT,
  )
  const radii = topics.map(one => LARGEST * Math.sqrt(one.share / most) * sizeFor(topics.length))
  const places = spread(
    topics.map(one => [x(one.x), y(one.y)]),
    radii,
    [WIDTH, HEIGHT],
  )
  // large ones first, so that small ones lie above them
  const drawn = topics
    .map((one, t) => ({ one, at: places[t].map(v => v.toFixed(1)), r: radii[t].toFixed(1) }))
    .toSorted((a, b) => b.one.share - a.one.share)
  const table = htmlTable(
    "The map in numbers",
    [
      { title: "topic" },
      { title: "share", number: true },
      { title: "first axis", number: true },
      { title: "second axis", number: true },
    ],
    topics.map(one => [one.topic, percent(one.share), one.x.toFixed(3), one.y.toFixed(3)]),
  )
  return html`<figure><figcaption>Map of topics</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" role="group" aria-label="Map of topics: ${many(topics.length, "circle")}">${drawn.map(
    ({ one, at: [cx, cy], r }) =>
      html`<g class="topic" tabindex="0" role="button" data-topic="${one.topic}" aria-pressed="false" aria-label="Topic ${one.topic}, ${percent(one.share)}: ${firstWords(one, 5)}"><title>Topic ${one.topic}, ${percent(one.share)}: ${firstWords(one, 5)}</title><circle cx="${cx}" cy="${cy}" r="${r}"/><text x="${cx}" y="${cy}">${one.topic}</text></g>`,
  )}</svg>
<p class="note">Classical scaling of the Jensen–Shannon distances between topics: two axes of many, so what looks close may still differ. Circles that would hide each other are moved apart.</p>
<details><summary>The numbers, as a table</summary>${table}</details></figure>`
}

/** Many circles are smaller. */
function sizeFor(topics: number): number {
  return Math.min(1, Math.sqrt(6 / topics))
}

function firstWords({ words }: TopicAnswer, count: number): string {
  return words
    .slice(0, count)
    .map(({ word }) => word)
    .join(", ")
}

/** Only this text may run. */
function digest(script: string): string {
  return `sha256-${createHash("sha256").update(script).digest("base64")}`
}

/** JSON inside a script element: nothing in it ends the element. */
function jsonOf(onPage: FoundTopics["onPage"]): string {
  const short = (x: number): number => Number(x.toPrecision(4))
  const topics = onPage.map(words =>
    words.map(({ word, inTopic, overall }) => [word, short(inTopic), short(overall)]),
  )
  return JSON.stringify({ topics, shown: LOOKED_AT }).replaceAll("<", "\\u003c")
}

// ── tables ─────────────────────────────────────────────────────────────────────────────────────────

function listSection({ topics }: FoundTopics): Section {
  const body = htmlTable(
    "Every topic with its ten most relevant words (λ = 0.6)",
    [
      { title: "topic" },
      { title: "share", number: true },
      { title: "NPMI", number: true },
      { title: "α", number: true },
      { title: "words" },
    ],
    topics.map(one => [
      one.topic,
      percent(one.share),
      one.coherence.toFixed(2),
      plain(one.alpha, 3),
      one.words.map(({ word }) => word).join(", "),
    ]),
  )
  return { id: "topics", title: "Every topic", short: "List", body }
}

function documentsSection({ topics, named }: FoundTopics): Section {
  const body = html`<p>The documents that each topic makes up most of.</p>
${topics.map(
  one =>
    html`<details><summary>Topic ${one.topic}: ${firstWords(one, 6)}</summary>${htmlTable(
      `Documents of topic ${one.topic}`,
      [{ title: named ?? "row" }, { title: "share", number: true }, { title: "document" }],
      one.documents.map(({ row, id, proportion, text }): Content[] => [
        id ?? row,
        percent(proportion, 0),
        text,
      ]),
    )}</details>\n`,
)}`
  return { id: "documents", title: "Documents of each topic", short: "Documents", body }
}

function classesSection(
  label: string,
  byClass: readonly ClassAnswer[],
  topics: readonly TopicAnswer[],
): Section {
  const most = Math.max(...byClass.flatMap(({ proportions }) => proportions))
  const shade = (share: number): Html =>
    new Html(
      `<td class="n shade" style="--share:${((100 * share) / most).toFixed(0)}%">${percent(share, 0)}</td>`,
    )
  const heads = byClass.map(({ level, rows }) => `<th scope="col" class="n">${escaped(level)} (${rows})</th>`)
  const body = html`<p>All classes of ${label} share the topics, each in proportions of its own: how much of its documents they make up.</p>
<div class="scroll" role="group" tabindex="0" aria-label="Topics by ${label}"><table><caption>Topics by ${label}; the darker, the more</caption>
<thead><tr><th scope="col">topic</th><th scope="col">words</th>${new Html(heads.join(""))}</tr></thead>
<tbody>${topics.map(
    (one, t) =>
      html`<tr><th scope="row">${one.topic}</th><td class="first-words">${firstWords(one, 5)}</td>${byClass.map(({ proportions }) => shade(proportions[t]))}</tr>\n`,
  )}</tbody></table></div>
<h3>What describes a class, and what tells it apart</h3>
<p>A generative model describes the documents of a class: its most probable words are frequent ones, also if other classes use them as much. The same topics, learned discriminatively, define just the differences between classes: the words whose probability most exceeds that in the other classes.</p>
${htmlTable(
  `Words of each ${label}`,
  [{ title: label }, { title: "describe it (generative)" }, { title: "tell it apart (discriminative)" }],
  byClass.map(one => [one.level, one.generative.join(", "), one.discriminative.join(", ")]),
)}`
  return { id: "classes", title: `Topics by ${label}`, short: "By class", body }
}

function triedSection(tried: readonly TriedAnswer[], chosen: number, why: string): Section {
  const ends = ({ perplexity, standardError }: TriedAnswer): { low: number; high: number } => ({
    low: perplexity * Math.exp(-1.96 * standardError),
    high: perplexity * Math.exp(1.96 * standardError),
  })
  const table = htmlTable(
    "Every number that was tried",
    [{ title: "topics" }, { title: "perplexity", number: true }, { title: "95 % interval", number: true }],
    tried.map(one => [
      one.k === chosen ? html`<strong>${one.k}</strong>` : one.k,
      plain(one.perplexity),
      `${plain(ends(one).low)} – ${plain(ends(one).high)}`,
    ]),
  )
  const body = html`<p>Half of the words of a document predict the other half; perplexity is how many words the model hesitates between. ${why} The intervals are those of each number alone, and wide where documents differ. Numbers are compared document by document, which tells them apart sooner.</p>
<div class="pair">${lineChart(
    {
      title: "Perplexity of completion by number of topics: lower is better",
      description: tried.map(one => `${one.k}: ${plain(one.perplexity)}`).join(", "),
      table: false,
    },
    [
      {
        name: "perplexity",
        points: tried.map(one => ({ x: one.k, y: one.perplexity, ...ends(one) })),
      },
    ],
    { x: { label: "topics", whole: true }, y: { label: "perplexity" }, dots: true },
  )}
${table}</div>`
  return { id: "candidates", title: "How many?", body }
}

const STYLE = `
.explorer { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 1rem 2rem; align-items: start; }
.explorer > * { min-width: 0; }
.first-words { min-width: 11rem; }
.topic { cursor: pointer; }
.topic circle { fill: var(--c1); fill-opacity: .22; stroke: var(--c1); stroke-width: 1.5; }
.topic text { font-size: 13px; text-anchor: middle; dominant-baseline: central; fill: currentColor; paint-order: stroke; stroke: var(--paper); stroke-width: 2px; }
.topic:hover circle { fill-opacity: .4; }
.topic:focus-visible { outline: none; }
.topic:focus-visible circle { stroke-width: 4; }
.topic[aria-pressed="true"] circle { fill: var(--c2); fill-opacity: .5; stroke: var(--c2); }
.controls label { display: block; margin: .3rem 0; }
.controls select { max-width: 100%; font: inherit; color: inherit; background: var(--wash); border: 1px solid var(--line); border-radius: 6px; padding: .2rem .4rem; }
.controls input { width: 100%; accent-color: var(--c1); }
.words { width: 100%; }
.words th, .words td { padding: .1rem .6rem .1rem 0; }
.bars { width: 40%; min-width: 5rem; vertical-align: middle; }
.bars span { display: block; height: .45rem; border-radius: 2px; min-width: 1px; }
.own { background: var(--c1); }
.all { background: var(--c8); opacity: .6; }
.key { display: inline-block; width: .7rem; height: .7rem; border-radius: 2px; }
.shade { background: color-mix(in srgb, var(--c1) calc(var(--share) * .55), transparent); padding-right: .4rem; }
`
