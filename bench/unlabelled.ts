/**
 * What rows without a label are worth: labels are hidden but for 1, 5 and 20 %, and EM learns from the labelled rows alone, from all rows fully, and from
 * all rows at its default, where it chooses what the others weigh.
 *
 *     npm run bench:unlabelled          all sets, the page and its chart
 *     npm run bench:unlabelled -- r8    this one only, printed, no page
 */
import { writeFileSync } from "node:fs"
import { classes, dice, em, fit, type Model, normal, type Row } from "suffice"
import { evaluate, wilsonInterval } from "suffice/measure"
import { type Curve, chart, type Look } from "./chart.ts"
import { type Corpus, published as corpus, stemmed, texts } from "./corpora.ts"
import { requireData, type Table, table } from "./datasets.ts"
import { naiveBayes } from "./learners.ts"
import { table as lines, mean, percent, signed, verdict, writePage } from "./page.ts"
import { published, seeded, shuffled, type Task } from "./splits.ts"
import { smallTables } from "./uci.ts"

const SHARES = [0.01, 0.05, 0.2]
const LOOK: Look = {
  width: 300,
  height: 320,
  left: 50,
  x: { name: "labelled rows, %", min: 0.8 },
  y: { type: "value", scale: true, name: "accuracy, %" },
}

interface Study {
  readonly kind: "table" | "text" | "clusters"
  readonly tasks: readonly Task[]
  readonly model: Model
}

const naive = (tasks: readonly Task[]): Study => ({ kind: "table", tasks, model: naiveBayes(tasks[0].table) })
const correlated = (tasks: readonly Task[]): Study => {
  const { label, columns } = tasks[0].table
  const names = columns.map(({ name }) => name)
  return { kind: "table", tasks, model: classes(label, normal(names, { covariance: "tied" })) as Model }
}
const small = async (name: string, seeds: number) => naive(seeded((await smallTables([name]))[0], seeds))
const repeated = (tasks: readonly Task[], seeds: number) =>
  Array.from({ length: seeds }, (_, seed) => tasks[seed % tasks.length])
const text = (tasks: readonly Task[]): Study => ({ ...naive(tasks), kind: "text" })
const tasksOf = ({ name, splits }: Corpus, seeds: number): Task[] => {
  const rows = (documents: Corpus["splits"][number]["train"]): Row[] =>
    documents.map(({ label, text }) => ({ label, text }))
  const [{ train, test }] = splits
  const all: Table = { name, label: "label", columns: [{ name: "text", kind: "text" }], rows: [] }
  return repeated([{ table: all, train: rows(train), test: rows(test) }], seeds)
}
const numeric = (file: string, label: string, name = file) => {
  const { columns, ...rest } = table(file, `${name}.csv.gz`, label)
  return { ...rest, columns: columns.filter(({ kind }) => kind === "number") }
}

const SETS: Readonly<Record<string, () => Study | Promise<Study>>> = {
  clusters: () => ({ ...naive(Array.from({ length: 5 }, (_, seed) => clouds(seed))), kind: "clusters" }),
  iris: () => correlated(seeded(numeric("iris", "species"), 10)),
  wine: () => naive(seeded(numeric("wine", "class"), 10)),
  "breast-cancer-diagnostic": () =>
    naive(seeded(table("breast-cancer-diagnostic", "wdbc.csv.gz", "diagnosis"), 10)),
  "house-votes-84": () => naive(seeded(table("house-votes-84", "house-votes-84.csv.gz", "party"), 10)),
  segment: () => small("segment", 5),
  vehicle: () => small("vehicle", 5),
  waveform5000: () => small("waveform5000", 5),
  "credit-g": () => small("credit-g", 5),
  "sms-spam": () => text(seeded(texts("sms-spam", "sms-spam.tsv.gz"), 5)),
  webkb: () => text(tasksOf(corpus("webkb", stemmed("webkb")), 3)),
  r8: () => text(tasksOf(corpus("r8", stemmed("r8")), 3)),
  "rt-polarity": () => text(seeded(texts("rt-polarity", "rt-polarity.tsv.gz"), 3)),
  spambase: () => naive(seeded(table("spambase", "spambase.csv.gz", "spam"), 3)),
  optdigits: () =>
    naive(
      repeated(
        published("optdigits", part => `optdigits-${part}.csv.gz`, "digit"),
        3,
      ),
    ),
  "20ng": () => text(tasksOf(corpus("20ng", stemmed("20ng")), 1)),
}

/** Four round clouds in eight columns that overlap one by one and hardly together: naive Bayes is right about them. */
function clouds(seed: number): Task {
  const roll = dice([seed, 4])
  const columns = Array.from({ length: 8 }, (_, j) => ({ name: `x${j}`, kind: "number" as const }))
  const centres = Array.from({ length: 4 }, () => columns.map(() => 1.2 * roll.normal()))
  const drawn = (count: number): Row[] =>
    Array.from({ length: count }, () => {
      const y = roll.integer(4)
      return {
        ...Object.fromEntries(columns.map(({ name }, j) => [name, centres[y][j] + roll.normal()])),
        y: `${y}`,
      }
    })
  const train = drawn(2000)
  return { table: { name: "clusters", label: "y", columns, rows: train }, train, test: drawn(2000) }
}

// ── labels hidden ──────────────────────────────────────────────────────────────────────────────────

/** This share of the labels in a seeded order, and one row of every class. */
function hidden({ table: { label }, train }: Task, share: number, seed: number): Row[] {
  const order = shuffled(train.length, [seed, 3])
  const kept = new Set(order.slice(0, Math.round(share * train.length)))
  const shown = new Set([...kept].map(i => train[i][label]))
  for (const i of order) {
    if (shown.has(train[i][label])) continue
    shown.add(train[i][label])
    kept.add(i)
  }
  return train.map((row, i) => (kept.has(i) ? row : { ...row, [label]: null }))
}

const WAYS = ["alone", "fully", "chosen"] as const
type Way = (typeof WAYS)[number]
const TITLES: Readonly<Record<Way, string>> = {
  alone: "labelled rows alone",
  fully: "all rows, unlabelled: 1",
  chosen: "all rows, the default",
}

interface Found {
  readonly accuracy: number
  readonly logLoss: number
  /** λ */
  readonly weight: number
}

interface Point extends Readonly<Record<Way, readonly Found[]>> {
  readonly share: number
  readonly labelled: number
  /** Half of the 95 % interval of the accuracy of labelled rows alone. */
  readonly reach: number
}

async function points(name: string, { tasks, model }: Study): Promise<Point[]> {
  const all: Point[] = []
  for (const share of SHARES) {
    const found: Record<Way, Found[]> = { alone: [], fully: [], chosen: [] }
    let labelled = 0
    for (const [seed, task] of tasks.entries()) {
      const { label } = task.table
      const rows = hidden(task, share, seed)
      const seen = rows.filter(row => row[label] !== null)
      labelled += seen.length / tasks.length
      for (const way of WAYS) {
        const learner = way === "fully" ? em({ unlabelled: 1 }) : em()
        const fitted = await fit(model, way === "alone" ? seen : rows, { learner })
        const { accuracy, logLoss } = evaluate(fitted, task.test)
        found[way].push({ accuracy, logLoss, weight: fitted.training?.unlabelled ?? 1 })
      }
    }
    const asked = tasks[0].test.length
    const alone = mean(found.alone.map(({ accuracy }) => accuracy))
    const [low, high] = wilsonInterval(alone, asked)
    all.push({ share, labelled, ...found, reach: (high - low) / 2 })
    const said = WAYS.map(way => `${way} ${percent(mean(found[way].map(one => one.accuracy)))}`)
    console.log(
      `  ${name}, ${percent(share, 0)} %: ${said.join(", ")} (λ ${found.chosen.map(({ weight }) => weight).join(" ")})`,
    )
  }
  return all
}

// ── the report ─────────────────────────────────────────────────────────────────────────────────────

const accuracyOf = (found: readonly Found[]) => mean(found.map(({ accuracy }) => accuracy))
const cells = (found: readonly Found[]) =>
  `${percent(accuracyOf(found))} / ${mean(found.map(({ logLoss }) => logLoss)).toFixed(2)}`
const gain = (point: Point) => accuracyOf(point.chosen) - accuracyOf(point.alone)
const holds = (point: Point) => gain(point) >= -point.reach

const drawn = (title: string, all: readonly Point[]): Curve => ({
  title,
  lines: WAYS.map(way => ({
    name: TITLES[way],
    points: SHARES.map(share => [
      100 * share,
      100 * mean(all.filter(point => point.share === share).map(point => accuracyOf(point[way]))),
    ]),
  })),
})

requireData()
const asked = process.argv.slice(2)
const rows: string[][] = []
const every: { readonly kind: Study["kind"]; readonly point: Point }[] = []
for (const name of asked.length > 0 ? asked : Object.keys(SETS)) {
  const set = await SETS[name]()
  for (const point of await points(name, set)) {
    every.push({ kind: set.kind, point })
    rows.push([
      name,
      `${percent(point.share, 0)} % (${Math.round(point.labelled)})`,
      ...WAYS.map(way => cells(point[way])),
      point.chosen.map(({ weight }) => weight).join(" "),
      signed(100 * gain(point), 1),
      (100 * point.reach).toFixed(1),
      verdict(holds(point)),
    ])
  }
}
const all = every.map(({ point }) => point)
const worse = all.filter(point => accuracyOf(point.fully) < accuracyOf(point.alone) - point.reach)
const better = all.filter(point => accuracyOf(point.fully) > accuracyOf(point.alone) + point.reach)
const gained = all.filter(point => gain(point) > point.reach)
const parts = [
  `Labels are hidden but for 1, 5 and 20 % of the training rows, one row of every class kept at least. Naive Bayes (iris: tied normals) learns from the labelled rows
alone, from all rows with the full weight (\`em({ unlabelled: 1 })\`), and from all rows at its default: rows without a label weigh 0 with fewer than five labelled rows a class, else the
λ of 0, 0.03, 0.1, 0.3 and 1 that five-fold cross-validation on labelled rows prefers. Accuracy in % / log-loss in nats on test rows whose labels nobody saw, the mean over the
seeds; λ as chosen, seed by seed. The bar: the default is no worse than the labelled rows alone by more than half of the 95 % interval of their accuracy. "clusters" is drawn: four round clouds in
eight columns that hardly overlap, where naive Bayes is right, and rows without a label show what a class looks like.`,
  "![Accuracy by share of labels](unlabelled.svg)",
  lines(
    ["data", "labels", ...WAYS.map(way => TITLES[way]), "λ", "the default gains", "interval ±", "bar"],
    rows,
  ),
  `Counted fully, the rows without a label make it worse by more than the interval in ${worse.length} of ${all.length} cases and better in ${better.length}. The default meets the bar in
${all.filter(holds).length} of ${all.length}, and gains more than the interval in ${gained.length}.`,
]
if (asked.length > 0) console.log(parts.join("\n\n"))
else {
  const kinds = {
    clusters: "well-separated clusters",
    table: "tables, the mean",
    text: "text, the mean",
  } as const
  const curves = (Object.keys(kinds) as (keyof typeof kinds)[]).map(kind =>
    drawn(
      kinds[kind],
      every.filter(one => one.kind === kind).map(({ point }) => point),
    ),
  )
  writeFileSync(new URL("unlabelled.svg", import.meta.url), chart(curves, LOOK))
  writePage("unlabelled", "What rows without a label are worth", parts, { versions: {} })
}
