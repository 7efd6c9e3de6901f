/**
 * Generative against discriminative (Ng & Jordan 2001): the same naive Bayes learned by counting and by sdEM, and logistic
 * regression, on the first m rows of a seeded order, m from 10 to all.
 *
 *     npm run bench:curves              all sets, the page and its chart
 *     npm run bench:curves -- sms-spam  this one only, printed, no page
 */
import { writeFileSync } from "node:fs"
import type { Row } from "suffice"
import { type Curve, chart, type Look } from "./chart.ts"
import { texts } from "./corpora.ts"
import { requireData, table } from "./datasets.ts"
import { average, judged, METHODS, type Method, naiveBayes, type Quality } from "./learners.ts"
import { table as lines, percent, sd, writePage } from "./page.ts"
import { askOnce, type Versions } from "./peer.ts"
import { published, seeded, shuffled, type Task } from "./splits.ts"

const LOOK: Look = {
  width: 360,
  height: 320,
  left: 50,
  x: { name: "training rows", min: 10 },
  y: { type: "value", scale: true, name: "accuracy, %" },
}

const SIZES = [10, 30, 100, 300, 1_000, 3_000, 10_000]
const SEEDS = 10

/** One task per seed. */
const SETS: Readonly<Record<string, () => Task[]>> = {
  "breast-cancer-diagnostic": () =>
    seeded(table("breast-cancer-diagnostic", "wdbc.csv.gz", "diagnosis"), SEEDS),
  adult: () => {
    const [task] = published("adult", part => `adult-${part}.csv.gz`, "income")
    return Array.from({ length: SEEDS / 2 }, () => task)
  },
  "sms-spam": () => seeded(texts("sms-spam", "sms-spam.tsv.gz"), SEEDS),
}

/** In a seeded order, but one row of every class first: no model can learn to tell classes apart that it has not seen. */
function ordered({ table: { label }, train }: Task, seed: number): Row[] {
  const rows = shuffled(train.length, [seed, 2]).map(i => train[i])
  const firsts = new Map(rows.toReversed().map(row => [row[label], row]))
  return [...firsts.values(), ...rows.filter(row => firsts.get(row[label]) !== row)]
}

// ── both sides ─────────────────────────────────────────────────────────────────────────────────────

type Learned = Method | "regression"
const LEARNED: readonly Learned[] = [...METHODS, "regression"]
interface Point extends Readonly<Record<Learned, readonly Quality[]>> {
  readonly rows: number
}
interface Peer extends Versions {
  /** By task, then by size. */
  readonly answers: readonly (readonly Quality[])[]
}

async function curve(name: string, tasks: readonly Task[]): Promise<{ points: Point[]; peer: Peer }> {
  const { columns, label } = tasks[0].table
  const orders = tasks.map(ordered)
  const all = orders[0].length
  const sizes = [...SIZES.filter(size => size < all), all]
  const part = (rows: readonly Row[]) => ({
    cells: rows.map(row => columns.map(column => row[column.name])),
    labels: rows.map(row => row[label]),
  })
  const peer = askOnce<Peer>("curves.py", {
    name,
    kinds: columns.map(({ kind }) => kind),
    sizes,
    tasks: tasks.map(({ test }, seed) => ({ train: part(orders[seed]), test: part(test) })),
  })
  const model = naiveBayes(tasks[0].table)
  const points: Point[] = []
  for (const [at, rows] of sizes.entries()) {
    const ours: Record<Method, Quality[]> = { counting: [], ncll: [], hinge: [] }
    for (const [seed, { test }] of tasks.entries()) {
      for (const method of METHODS)
        ours[method].push(await judged(model, method, orders[seed].slice(0, rows), test))
    }
    points.push({ rows, ...ours, regression: peer.answers.map(answer => answer[at]) })
    const said = LEARNED.map(learned => `${learned} ${percent(average(points[at][learned]).accuracy)}`)
    console.log(`  ${name}, ${rows} rows: ${said.join(", ")}`)
  }
  return { points, peer }
}

// ── the report ─────────────────────────────────────────────────────────────────────────────────────

const TITLES: Readonly<Record<Learned, string>> = {
  counting: "counting",
  ncll: "NCLL",
  hinge: "hinge",
  regression: "logistic regression",
}

function cells(found: readonly Quality[]): string {
  const { accuracy, logLoss } = average(found)
  return `${percent(accuracy)} ± ${percent(sd(found.map(one => one.accuracy)))} / ${logLoss.toFixed(3)}`
}

const best = (point: Point) =>
  LEARNED.reduce((a, b) => (average(point[b]).accuracy > average(point[a]).accuracy ? b : a))

/** Where each wins, in words: runs of sizes with the same winner; and from where on sdEM is past counting for good. */
function words(points: readonly Point[]): string {
  const runs: { learned: Learned; from: number; to: number }[] = []
  for (const point of points) {
    const learned = best(point)
    const last = runs.at(-1)
    if (last?.learned === learned) last.to = point.rows
    else runs.push({ learned, from: point.rows, to: point.rows })
  }
  const said = runs.map(
    ({ learned, from, to }) => `${TITLES[learned]} at ${from === to ? from : `${from}–${to}`}`,
  )
  const past = (["ncll", "hinge"] as const).map(method => {
    const behind = points.findLastIndex(
      point => average(point[method]).accuracy <= average(point.counting).accuracy,
    )
    if (behind === points.length - 1) return `${TITLES[method]} is not ahead of counting at the end`
    return `${TITLES[method]} is ahead of counting from ${points[behind + 1].rows} rows on`
  })
  return `The most accurate by number of rows: ${said.join(", ")}. ${past.join("; ")}.`
}

const drawn = (name: string, points: readonly Point[]): Curve => ({
  title: name,
  lines: LEARNED.map(learned => ({
    name: TITLES[learned],
    points: points.map(point => [point.rows, 100 * average(point[learned]).accuracy]),
  })),
})

// ── the study ──────────────────────────────────────────────────────────────────────────────────────

requireData()
const asked = process.argv.slice(2)
const parts = [
  `Accuracy in % (± sd over the seeds) / log-loss in nats on the test rows, learned from the first m rows of a seeded order that begins with one row of each class.
The same naive Bayes by counting (\`em()\`), \`sdem({ loss: "ncll" })\` and \`sdem({ loss: "hinge" })\`, all at default settings; and scikit-learn's
logistic regression on standardised columns or tf-idf, C cross-validated on the m rows for accuracy and for log-loss each. Breast-cancer-diagnostic and sms-spam: ${SEEDS} seeded 70/30 splits; adult:
the published split, ${SEEDS / 2} seeded orders.`,
]
const curves: Curve[] = []
let versions: Versions = { versions: {} }
for (const name of asked.length > 0 ? asked : Object.keys(SETS)) {
  const { points, peer } = await curve(name, SETS[name]())
  versions = peer
  curves.push(drawn(name, points))
  const rows = points.map(point => [String(point.rows), ...LEARNED.map(learned => cells(point[learned]))])
  parts.push(`## ${name}`, lines(["rows", ...LEARNED.map(learned => TITLES[learned])], rows), words(points))
}
if (asked.length > 0) console.log(parts.join("\n\n"))
else {
  writeFileSync(new URL("curves.svg", import.meta.url), chart(curves, LOOK))
  parts.splice(1, 0, "![Accuracy by number of training rows](curves.svg)")
  writePage("curves", "Generative against discriminative", parts, versions)
}
