/** Sequences on a page: from which state to which, what is seen in each, the path over one of them, and spans by type. */
import * as Plot from "@observablehq/plot"
import type { SpanEvaluation, SpanScores } from "suffice/measure"
import { clipped, count, many, percent, plain } from "../format.ts"
import type { PathAnswer } from "../sequences/path.ts"
import { type ChainAnswer, nextText } from "../sequences/states.ts"
import type { Section } from "./document.ts"
import { figure } from "./figure.ts"
import { type Content, type Html, html, htmlTable } from "./html.ts"
import { widthOf } from "./layered.ts"
import { COLOURS, colour } from "./palette.ts"

/** A larger matrix is unreadable: the states that are most often entered are drawn. Tables hold all. */
const DRAWN = 24
/** Chains that are shown: of more classes the first. */
const CHAINS = 8

export function statesSection(chains: readonly ChainAnswer[]): Section {
  const shown = chains.slice(0, CHAINS)
  const body = html`<p>A step is in one state, and what comes next depends on it alone. How long a state lasts is told by how probable it is to stay.</p>
${shown.map(
  chain => html`${chain.of !== "" && html`<h3>${chain.of}</h3>`}
${transitions(chain)}
${statesTable(chain)}`,
)}
${shown.length < chains.length && html`<p class="note">The first ${CHAINS} of ${many(chains.length, "chain")}; --json has all.</p>`}`
  return { id: "states", title: "States, and what follows them", short: "States", body }
}

function transitions({ of, states }: ChainAnswer): Html {
  const kept = mostEntered(states)
  const names = kept.map(({ state }) => clipped(state, 24))
  const hasEnds = states.some(({ ends }) => ends !== undefined)
  const columns = hasEnds ? [...names, "end"] : names
  const cells = kept.flatMap((from, i) => {
    const row = kept.map(to => from.next[to.state])
    return [...row, ...(hasEnds ? [from.ends ?? 0] : [])].map((p, j) => ({ i, j, p }))
  })
  const size = names.length > 8 ? 34 : 62
  const left = Math.max(...names.map(widthOf), 30) + 40
  const turned = columns.some(name => widthOf(name) > size)
  const below = (turned ? Math.max(...columns.map(widthOf)) : 16) + 32
  const most = cells.reduce((top, cell) => (cell.i !== cell.j && cell.p > top.p ? cell : top), {
    i: 0,
    j: 0,
    p: 0,
  })
  return figure(
    {
      title: `From state to state${of === "" ? "" : `, ${of}`}`,
      description: `Rows are where a step is, columns where the next one is, in per cent. The most frequent change is from ${names[most.i]} to ${columns[most.j]}, ${percent(most.p)}.`,
      table: matrix(states, hasEnds),
      ...(kept.length < states.length && {
        note: `The ${DRAWN} states that are entered most, of ${count(states.length)}. The table has all.`,
      }),
    },
    {
      width: left + 24 + size * columns.length,
      height: 16 + below + size * names.length,
      marginLeft: left,
      marginTop: 8,
      marginBottom: below,
      padding: 0.04,
      x: {
        label: "the next step",
        type: "band",
        domain: columns.map((_, j) => j),
        tickFormat: (j: number) => columns[j],
        tickRotate: turned ? -90 : 0,
        tickSize: 0,
      },
      y: {
        label: "a step",
        type: "band",
        domain: names.map((_, i) => i),
        tickFormat: (i: number) => names[i],
        tickSize: 0,
      },
      marks: [
        Plot.cell(cells, {
          x: "j",
          y: "i",
          fill: (cell: { i: number; j: number }) => (cell.i === cell.j ? "var(--c1)" : "var(--c2)"),
          fillOpacity: (cell: { p: number }) => 0.04 + 0.6 * cell.p,
        }),
        Plot.text(
          cells.filter(({ p }) => p >= 0.005),
          { x: "j", y: "i", text: (cell: { p: number }) => (100 * cell.p).toFixed(0), fill: "currentColor" },
        ),
      ],
      color: { type: "identity" },
      opacity: { type: "identity" },
    },
  )
}

function mostEntered(states: ChainAnswer["states"]): ChainAnswer["states"] {
  if (states.length <= DRAWN) return states
  const entered = (state: string): number => states.reduce((sum, { next }) => sum + next[state], 0)
  const kept = new Set(states.toSorted((a, b) => entered(b.state) - entered(a.state)).slice(0, DRAWN))
  return states.filter(one => kept.has(one))
}

function matrix(states: ChainAnswer["states"], hasEnds: boolean): Html {
  return htmlTable(
    "The state of a step by row, that of the next one by column, in per cent",
    [
      { title: "from" },
      ...states.map(({ state }) => ({ title: state, number: true })),
      ...(hasEnds ? [{ title: "end", number: true }] : []),
    ],
    states.map(({ state, next, ends }) => [
      state,
      ...states.map(to => (100 * next[to.state]).toFixed(1)),
      ...(hasEnds ? [(100 * (ends ?? 0)).toFixed(1)] : []),
    ]),
  )
}

function statesTable({ of, states }: ChainAnswer): Html {
  const hasShare = states.some(({ share }) => share !== undefined)
  const columns = [...new Set(states.flatMap(({ parts }) => parts.map(({ column }) => column)))].slice(0, 6)
  const table = htmlTable(
    `Every state${of === "" ? "" : `, ${of}`}: how it begins, how long it lasts, what follows, what is seen`,
    [
      { title: "state" },
      { title: "begins", number: true },
      ...(hasShare ? [{ title: "in the long run", number: true }] : []),
      { title: "stays (steps)", number: true },
      { title: "then" },
      ...columns.map(title => ({ title })),
    ],
    states.map(one => [
      one.state,
      percent(one.initial),
      ...(hasShare ? [one.share === undefined ? "" : percent(one.share)] : []),
      one.stay === null ? "for ever" : plain(one.stay, 3),
      nextText(one),
      ...columns.map(name => one.parts.find(({ column }) => column === name)?.summary ?? ""),
    ]),
  )
  return states.length > 12
    ? html`<details><summary>Every state, as a table</summary>${table}</details>`
    : table
}

// ── a path over one sequence ───────────────────────────────────────────────────────────────────────

export function pathSection(path: PathAnswer): Section {
  const body = html`<p>The most probable states of all steps of ${path.name} together${path.steps.some(({ truth }) => truth !== undefined) ? ", beside the true ones" : ""}.</p>
${path.column === undefined ? words(path) : series(path, path.column)}`
  return { id: "path", title: "A path over one sequence", short: "Path", body }
}

interface Segment {
  readonly lane: string
  readonly state: string
  readonly from: number
  readonly to: number
}

/** Runs of steps in one state, as intervals of places. */
function segmentsOf(
  path: PathAnswer,
  lane: string,
  of: (step: PathAnswer["steps"][number]) => string | undefined,
): Segment[] {
  const found: { lane: string; state: string; from: number; to: number }[] = []
  path.steps.forEach((step, t) => {
    const state = of(step)
    const last = found.at(-1)
    if (state === undefined) return
    if (last && last.state === state && last.to === t) last.to = t + 1
    else found.push({ lane, state, from: t, to: t + 1 })
  })
  return found
}

function series(path: PathAnswer, column: string): Html {
  const place = (state: string): number => path.states.indexOf(state) % COLOURS
  const placed = path.steps.map((step, t) => ({ ...step, x: t + 0.5 }))
  const lanes = [
    ...segmentsOf(path, "path", ({ state }) => state),
    ...segmentsOf(path, "truth", ({ truth }) => truth),
  ]
  const hasTruth = lanes.some(({ lane }) => lane === "truth")
  const values = placed.flatMap(({ value }) => (value !== undefined && Number.isFinite(value) ? [value] : []))
  const [low, high] = [
    values.reduce((a, b) => Math.min(a, b), Infinity),
    values.reduce((a, b) => Math.max(a, b), -Infinity),
  ]
  const spread = high > low ? high - low : 1
  const band = 0.07 * spread
  const bottom = (lane: string): number => low - (lane === "path" ? 1.6 : 2.9) * band
  const wrong = path.steps.filter(({ truth, state }) => truth !== undefined && truth !== state).length
  const known = path.steps.filter(({ truth }) => truth !== undefined).length
  const every = Math.max(1, Math.ceil(path.steps.length / 10))
  const legend = path.states.slice(0, COLOURS).map((name, at) => ({ name: clipped(name, 24), place: at }))
  return figure(
    {
      title: `${column} of ${path.name}, and the path through its states`,
      description: `${column} step by step; the bar below it shows the state of the most probable path${hasTruth ? ", the one below that the true state" : ""}. It changes ${many(lanes.filter(({ lane }) => lane === "path").length - 1, "time")} in ${many(path.steps.length, "step")}.${known > 0 ? ` ${many(wrong, "step")} of ${count(known)} ${wrong === 1 ? "differs" : "differ"} from the truth.` : ""}`,
      table: stepsTable(path, column),
      note: `The bar below the line is the path${hasTruth ? "; the bar below that is the truth" : ""}. Colours are states.`,
    },
    {
      width: 820,
      height: 330,
      marginTop: 32,
      marginLeft: 60,
      marginRight: 24,
      marginBottom: 44,
      x: {
        label: path.order,
        domain: [0, path.steps.length],
        ticks: path.steps.flatMap((_, t) => (t % every === 0 ? [t + 0.5] : [])),
        tickFormat: (x: number) => String(path.steps[Math.floor(x)]?.at ?? ""),
      },
      y: { label: column, grid: true },
      marks: [
        Plot.frame({ strokeOpacity: 0.2 }),
        ...lanes.map(one =>
          Plot.rect([one], {
            x1: "from",
            x2: "to",
            y1: () => bottom(one.lane),
            y2: () => bottom(one.lane) + band,
            fill: colour(place(one.state)),
          }),
        ),
        Plot.line(placed, { x: "x", y: "value", stroke: "currentColor", strokeOpacity: 0.45 }),
        ...path.states.map(state =>
          Plot.dot(
            placed.filter(step => step.state === state),
            { x: "x", y: "value", fill: colour(place(state)), r: path.steps.length > 150 ? 2 : 3 },
          ),
        ),
      ],
    },
    legend,
  )
}

function stepsTable(path: PathAnswer, column: string): Html {
  const hasTruth = path.steps.some(({ truth }) => truth !== undefined)
  return htmlTable(
    `Every step of ${path.name}`,
    [
      { title: path.order },
      { title: column, ...(path.column !== undefined && { number: true }) },
      { title: "state" },
      { title: "its probability", number: true },
      ...(hasTruth ? [{ title: "truth" }] : []),
    ],
    path.steps.map(step => [
      step.at,
      step.value === undefined ? (step.text ?? "") : plain(step.value),
      step.state,
      percent(step.probability),
      ...(hasTruth ? [told(step)] : []),
    ]),
  )
}

function told({ truth, state }: PathAnswer["steps"][number]): Content {
  if (truth === undefined) return ""
  return truth === state ? truth : html`<strong>${truth}</strong>`
}

function words(path: PathAnswer): Html {
  return html`${stepsTable(path, "seen")}<p class="note">A truth in bold differs from the path.</p>`
}

// ── spans ──────────────────────────────────────────────────────────────────────────────────────────

/** Precision, recall and F1 of spans, by type. */
export function spansPart({ perType, ...all }: SpanEvaluation): Html {
  const line = (name: string, one: SpanScores): Content[] => [
    name,
    count(one.true),
    count(one.predicted),
    count(one.right),
    percent(one.precision),
    percent(one.recall),
    percent(one.f1),
  ]
  const types = Object.entries(perType).sort((a, b) => b[1].true - a[1].true)
  return html`<h3>Spans, by type</h3>
<p>Tags that begin with B- and I- mark spans. One is right if both of its ends and its type are.</p>
${htmlTable(
  "Spans of the most probable paths",
  [
    { title: "type" },
    { title: "there are", number: true },
    { title: "said", number: true },
    { title: "right", number: true },
    { title: "precision", number: true },
    { title: "recall", number: true },
    { title: "F1", number: true },
  ],
  [line("all", all), ...types.map(([type, one]) => line(type, one))],
)}`
}
