/**
 * What `suffice fit DATA --label L` is worth, without any other flag: the candidates that the core proposes, the one that `choose` takes, learned from all
 * training rows; beside scikit-learn's logistic regression with C cross-validated, gradient boosting, and for numbers ridge regression.
 *
 *     npm run bench:auto                      everything, and the page
 *     npm run bench:auto -- small             these only, printed, no page: small, large, texts, numbers, or names of tables
 *     npm run bench:auto -- small --hindsight      every candidate as well, learned from all training rows and judged on the test rows
 *     npm run bench:auto -- --page            the page of what has been measured so far
 *     npm run bench:auto -- --hindsight-page  the page of hindsight, of what has been measured so far
 *     npm run bench:auto -- --anew            what has been measured is measured again
 *
 * Every result is kept in bench/.cache, so that a run that was cut short goes on where it ended. Choices are made on training rows only. Rows of levels that no
 * training row has are judged on neither side.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { fit, type Model, type Row } from "suffice"
import { linearSvm, logisticRegression } from "suffice/baselines"
import { sdem } from "suffice/learn"
import {
  type Baselines,
  candidates,
  choose,
  type Evaluation,
  evaluate,
  type NumberEvaluation,
  type ProposedCandidate,
  split,
  verdict,
} from "suffice/measure"
import { published as publishedTexts, seeded as seededTexts, stemmed } from "./corpora.ts"
import { HOME, requireData, type Table, table } from "./datasets.ts"
import { table as lines, mean, percent, signed, writePage, verdict as yes } from "./page.ts"
import { askOnce, type Versions } from "./peer.ts"
import { cut, published, seeded, type Task } from "./splits.ts"
import { NAMES, smallTables } from "./uci.ts"

/** Splits of what has no published one: `--seeds=1` for a quicker look. */
const SEEDS = Number(process.argv.find(word => word.startsWith("--seeds="))?.slice(8) ?? 3)
/** As the command shows them beside what it takes: their cost belongs to choosing. */
const STRENGTHS = [1 / 64, 1 / 8, 1, 8, 64]
const BASELINES = {
  "logistic regression": STRENGTHS.map(c => logisticRegression({ c, tolerance: 1e-3 })),
  "linear SVM": STRENGTHS.map(c => linearSvm({ c, tolerance: 1e-3, maxIterations: 1000 })),
} as unknown as Baselines
/** Names of the groups, and the tables in them. */
const GROUPS = ["small", "large", "texts", "numbers"] as const
type Group = (typeof GROUPS)[number]

interface Peer extends Versions {
  readonly lr?: { readonly logLoss: number; readonly logLossError: number; readonly accuracy: number }
  readonly boosting?: { readonly logLoss: number; readonly accuracy: number }
  readonly ridge?: { readonly r2: number }
}

interface Job {
  readonly name: string
  readonly group: Group
  readonly tasks: () => Promise<readonly Task[]>
}

// ── the data ───────────────────────────────────────────────────────────────────────────────────────

const small = (name: string): Job => ({
  name,
  group: "small",
  tasks: async () => seeded((await smallTables([name]))[0], SEEDS),
})
const job = (name: string, group: Group, tasks: () => readonly Task[]): Job => ({
  name,
  group,
  tasks: async () => tasks(),
})
const texts = (name: string, corpus: () => ReturnType<typeof publishedTexts>): Job =>
  job(name, "texts", () =>
    corpus().splits.map(({ train, test }) => ({
      table: { name, label: "label", columns: [{ name: "text", kind: "text" as const }], rows: [] },
      train: train as unknown as Row[],
      test: test as unknown as Row[],
    })),
  )
/** A table whose label is a number; rows without it are of no use here. */
const number = (name: string, file: string, label: string, ignored: readonly string[] = []): Job =>
  job(name, "numbers", () => {
    const all = quotedTable(name, file, label, ignored)
    return Array.from({ length: SEEDS }, (_, seed) => ({
      table: all,
      ...split(all.rows as Row[], { test: 0.3, seed }),
    }))
  })

const JOBS: readonly Job[] = [
  ...NAMES.map(small),
  job("letter-recognition", "large", () =>
    cut(table("letter-recognition", "letter-recognition.csv.gz", "letter"), 16_000),
  ),
  job("optdigits", "large", () => published("optdigits", part => `optdigits-${part}.csv.gz`, "digit")),
  job("adult", "large", () => published("adult", part => `adult-${part}.csv.gz`, "income")),
  job("spambase", "large", () => seeded(table("spambase", "spambase.csv.gz", "spam"), 1)),
  texts("r8", () => publishedTexts("r8", stemmed("r8"))),
  texts("webkb", () => publishedTexts("webkb", stemmed("webkb"))),
  texts("sms-spam", () => seededTexts("sms-spam", "sms-spam.tsv.gz", 1)),
  texts("rt-polarity", () => seededTexts("rt-polarity", "rt-polarity.tsv.gz", 1)),
  texts("20ng", () => publishedTexts("20ng", stemmed("20ng"))),
  texts("imdb", () => publishedTexts("imdb", part => `imdb-${part}.tsv.gz`, true)),
  number("penguins", "penguins.csv.gz", "body_mass_g"),
  number("old-faithful", "faithful.csv.gz", "waiting"),
  number("titanic", "titanic-1309.csv.gz", "age", ["name"]),
  number("pima", "pima.csv.gz", "bmi"),
  number("wine", "wine.csv.gz", "alcohol"),
]

/** Cells may be quoted, with commas inside. */
function quotedTable(name: string, file: string, label: string, ignored: readonly string[]): Table {
  const text = gunzipSync(readFileSync(new URL(`${name}/${file}`, HOME))).toString("utf8")
  const parsed = text
    .trim()
    .split(/\r?\n/)
    .map(line => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(cell => cell[1] ?? cell[2]))
  const [header, ...rest] = parsed
  const place = header.indexOf(label)
  if (place < 0) throw new Error(`${name}/${file} has no column ${label}: ${header.join(", ")}.`)
  const missing = (cell: string) => ["", "?", "NA"].includes(cell)
  const kept = rest.filter(row => !missing(row[place]))
  const columns = header
    .map((column, at) => ({
      name: column,
      at,
      kind: kept.every(row => missing(row[at]) || Number.isFinite(Number(row[at])))
        ? ("number" as const)
        : ("level" as const),
    }))
    .filter(column => !ignored.includes(column.name))
  const rows = kept.map(row =>
    Object.fromEntries(
      columns.map(({ name, at, kind }) => [
        name,
        missing(row[at]) ? null : kind === "number" ? Number(row[at]) : row[at],
      ]),
    ),
  )
  return { name, label, columns: columns.filter(column => column.name !== label), rows }
}

// ── both sides ─────────────────────────────────────────────────────────────────────────────────────

/** What one split showed. NaN is kept as null. */
interface Found {
  readonly model: string
  /** Processor time: choosing and the last fit; the last fit; one fit of the chosen model by sdEM. */
  readonly seconds: number
  readonly last: number
  readonly sdem: number
  readonly rows: number
  readonly logLoss: number
  readonly accuracy: number
  readonly base: number
  readonly r2: number
  /** Share of truths inside 90 % intervals. */
  readonly held: number
  readonly peer: Peer
}

/** Above this many rows choosing is measured by fits of sdEM, below by seconds. */
const MANY = 20_000

const cpu = () => process.cpuUsage().user / 1e6

interface Prepared {
  readonly label: string
  readonly train: readonly Row[]
  readonly test: readonly Row[]
  readonly proposed: readonly ProposedCandidate[]
}

function prepared(task: Task, { group }: Job): Prepared {
  const { label } = task.table
  const train = withoutFolds(task.train, task.table)
  const known = new Set(train.map(row => String(row[label])))
  const isNumber = group === "numbers"
  const test = withoutFolds(task.test, task.table).filter(row => isNumber || known.has(String(row[label])))
  return { label, train, test, proposed: candidates(train, { label, kind: isNumber ? "number" : "levels" }) }
}

async function ours(task: Task, job: Job): Promise<Found> {
  const { label, train, test, proposed } = prepared(task, job)
  const isNumber = job.group === "numbers"
  const before = cpu()
  let chosen = 0
  const choice = await choose(proposed, train as never, {
    target: label,
    threads: 1,
    baselines: BASELINES,
    // the first step of the last fit: all before was choosing
    onStep: () => {
      chosen ||= cpu()
    },
  })
  const after = cpu()
  const judged = evaluate(choice.fitted, test as never) as unknown as Evaluation | NumberEvaluation
  const base = verdict(judged).base
  const said = choice.fitted.predict(test as never, isNumber ? { coverage: 0.9 } : {})
  const held = isNumber
    ? mean(said.map(({ interval }, i) => (inside(interval!, Number(test[i][label])) ? 1 : 0)))
    : Number.NaN
  const peer = askOnce<Peer>("auto.py", {
    name: job.name,
    kind: isNumber ? "number" : "levels",
    label,
    columns: task.table.columns,
    train,
    test,
  })
  const found: Found = {
    model: `${choice.model} by ${choice.learner}${choice.calibrated ? ", calibrated" : ""}`,
    seconds: after - before,
    last: after - chosen,
    sdem: train.length > MANY ? await secondsOf(proposed, choice.model, train) : Number.NaN,
    rows: train.length,
    logLoss: judged.kind === "levels" ? judged.logLoss : -judged.logDensity,
    accuracy: judged.kind === "levels" ? judged.accuracy : Number.NaN,
    base: base.kind === "levels" ? base.logLoss : -base.logDensity,
    r2: judged.kind === "number" ? judged.r2 : Number.NaN,
    held,
    peer,
  }
  console.log(
    `  ${job.name}: ${found.model}, ${found.logLoss.toFixed(3)} (${found.seconds.toFixed(1)} s); base rate ${found.base.toFixed(3)}, logistic regression ${peer.lr?.logLoss.toFixed(3) ?? "–"}, boosting ${peer.boosting?.logLoss.toFixed(3) ?? "–"}; R² ${found.r2.toFixed(3)}, ridge ${peer.ridge?.r2.toFixed(3) ?? "–"}`,
  )
  return found
}

/** One fit of a model by sdEM. */
async function secondsOf(
  proposed: readonly ProposedCandidate[],
  name: string,
  train: readonly Row[],
): Promise<number> {
  const before = cpu()
  await fit(proposed.find(one => one.name === name)!.model as Model, train as never, { learner: sdem() })
  return cpu() - before
}

const inside = ([low, high]: readonly [number, number], x: number) => x >= low && x <= high

/** Columns of the table, and its label. */
function withoutFolds(rows: readonly Row[], { columns, label }: Table): Row[] {
  const names = [...columns.map(({ name }) => name), label]
  return rows.map(row => Object.fromEntries(names.map(name => [name, row[name]])))
}

interface Hindsight {
  /** The lowest log-loss on the test rows of all candidates, as they are or calibrated on two folds of the training rows, and whose it is. */
  readonly logLoss: number
  readonly model: string
  /** The same without luck: the candidate that is best on one half of the test rows, judged on the other half; both ways. */
  readonly halved: number
  /** Where some of the training rows were taken, for all candidates and for choosing: how many, and the loss of what was chosen from them. */
  readonly rows?: number
  readonly chosen?: number
}

/** Tables with more training rows than this are sampled for hindsight: learning all candidates from all rows takes hours. */
const MOST_ROWS = 2500
const SAMPLED_ROWS = 2000

async function hindsightOf(task: Task, job: Job): Promise<Hindsight> {
  const isSampled = job.group !== "texts" && task.train.length > MOST_ROWS
  const some = isSampled
    ? split(task.train as Row[], {
        test: SAMPLED_ROWS / task.train.length,
        stratify: task.table.label,
        seed: 0,
      }).test
    : task.train
  const { label, train, test, proposed } = prepared({ ...task, train: some }, job)
  const halves = [0, 1].map(side => test.filter((_, i) => i % 2 === side))
  const tried: { model: string; losses: readonly number[] }[] = []
  for (const { name, model, learners = {} } of proposed) {
    for (const [learner, by] of Object.entries(learners)) {
      const one = [{ name, model: model as Model, learners: { [learner]: by } }]
      const { fitted, calibration } = await choose(one, train as never, {
        target: label,
        folds: 2,
        budget: 1e6,
      })
      const plain = fitted.calibrated({ target: label, method: "temperature", temperature: 1 })
      for (const form of calibration ? [fitted, plain] : [plain]) {
        const losses = halves.map(half => (evaluate(form, half as never) as unknown as Evaluation).logLoss)
        tried.push({ model: `${name} by ${learner}`, losses })
      }
    }
  }
  const shares = halves.map(half => half.length / test.length)
  const whole = ({ losses: [even, odd] }: (typeof tried)[number]) => shares[0] * even + shares[1] * odd
  const bestBy = (loss: (one: (typeof tried)[number]) => number) =>
    tried.reduce((best, one) => (loss(one) < loss(best) ? one : best))
  const best = bestBy(whole)
  const halved =
    shares[1] * bestBy(({ losses }) => losses[0]).losses[1] +
    shares[0] * bestBy(({ losses }) => losses[1]).losses[0]
  let found: Hindsight = { logLoss: whole(best), model: best.model, halved }
  if (isSampled) {
    const { fitted } = await choose(proposed, train as never, { target: label, threads: 1 })
    const { logLoss } = evaluate(fitted, test as never) as unknown as Evaluation
    found = { ...found, rows: train.length, chosen: logLoss }
  }
  console.log(
    `  ${job.name}, in hindsight: ${best.model}, ${whole(best).toFixed(3)}; by halves ${halved.toFixed(3)}${isSampled ? `; chosen ${found.chosen!.toFixed(3)}, from ${train.length} rows` : ""}`,
  )
  return found
}

// ── what is known ──────────────────────────────────────────────────────────────────────────────────

const KEPT = new URL(".cache/auto/", import.meta.url)
const anew = process.argv.includes("--anew")

/** A result by its name: measured once, then read. `undefined`: neither, as only what is known was asked for. */
async function kept<T>(name: string, measure: (() => Promise<T>) | undefined): Promise<T | undefined> {
  const file = new URL(`${name}.json`, KEPT)
  if (existsSync(file) && !(anew && measure)) {
    return JSON.parse(readFileSync(file, "utf8"), (_, value) => (value === null ? Number.NaN : value)) as T
  }
  if (!measure) return undefined
  const found = await measure()
  mkdirSync(KEPT, { recursive: true })
  writeFileSync(file, JSON.stringify(found))
  return found
}

// ── the report ─────────────────────────────────────────────────────────────────────────────────────

interface Result {
  readonly job: Job
  readonly each: readonly Found[]
  /** Of the first split, where it was computed. */
  readonly hindsight: Hindsight | undefined
}

const over = (each: readonly Found[], of: (one: Found) => number) => mean(each.map(of))

function report(results: readonly Result[]): string[] {
  const levels = results.filter(({ job }) => job.group !== "numbers")
  const numbers = results.filter(({ job }) => job.group === "numbers")
  const rows = levels.map(({ job, each, hindsight }) => {
    const lr = over(each, one => one.peer.lr!.logLoss)
    const error = over(each, one => one.peer.lr!.logLossError)
    const own = over(each, one => one.logLoss)
    return {
      name: job.name,
      splits: each.length,
      own,
      lr,
      isBelow: own <= lr + 1.96 * error,
      isAboveBase: own < over(each, one => one.base),
      accuracy: over(each, one => one.accuracy),
      lrAccuracy: over(each, one => one.peer.lr!.accuracy),
      boosting: over(each, one => one.peer.boosting?.logLoss ?? Number.NaN),
      first: hindsight?.chosen ?? each[0].logLoss,
      hindsight: hindsight?.logLoss ?? Number.NaN,
      halved: hindsight?.halved ?? Number.NaN,
      isSampled: hindsight?.rows !== undefined,
      seconds: Math.max(...each.map(one => one.seconds)),
      choosing: Math.max(...each.map(one => one.seconds - one.last)),
      fits: Math.max(...each.map(one => (one.seconds - one.last) / one.sdem)),
      isLarge: each[0].rows > MANY,
      models: [...new Set(each.map(one => one.model))].join("; "),
      base: over(each, one => one.base),
    }
  })
  const digits = (x: number) => (Number.isNaN(x) ? "–" : x.toFixed(3))
  const parts: string[] = [
    `\`suffice fit\` with no flags but \`--label\`: what \`choose(candidates(rows, { label }), rows)\` takes, on training rows alone, judged on the test rows. The
16 small tables and the numbers are cut 70/30 by up to ${SEEDS} seeds (splits, in the tables), spambase, sms-spam and rt-polarity once; the others have a published split. scikit-learn gets the same
rows: logistic regression with C cross-validated by log-loss (one-hot, mean-imputed, standardised; tf-idf), gradient boosting at its defaults.`,
  ]
  if (rows.length > 0) {
    const own = mean(rows.map(one => one.own))
    const lr = mean(rows.map(one => one.lr))
    const accuracy = mean(rows.map(one => one.accuracy))
    const lrAccuracy = mean(rows.map(one => one.lrAccuracy))
    const below = rows.filter(one => one.isBelow).length
    const seen = rows.filter(one => !Number.isNaN(one.hindsight))
    const ratio = mean(seen.map(one => one.first)) / mean(seen.map(one => one.hindsight))
    const halved = mean(seen.map(one => one.first)) / mean(seen.map(one => one.halved))
    const sampled = seen.filter(one => one.isSampled).map(one => one.name)
    const boosted = rows.filter(one => !Number.isNaN(one.boosting))
    const few = rows.filter(one => !one.isLarge)
    const many = rows.filter(one => one.isLarge)
    parts.push(
      "## Levels",
      lines(
        [
          "data",
          "splits",
          "chosen",
          "log-loss",
          "base rate",
          "LR",
          "boosting",
          "accuracy, %",
          "LR, %",
          "in hindsight",
          "choosing, s",
          "in all, s",
        ],
        [
          ...rows.map(one => [
            one.name,
            String(one.splits),
            one.models,
            digits(one.own),
            digits(one.base),
            digits(one.lr),
            digits(one.boosting),
            percent(one.accuracy),
            percent(one.lrAccuracy),
            `${digits(one.hindsight)}${one.isSampled ? ` (${digits(one.first)})` : ""}`,
            one.choosing.toFixed(1),
            one.seconds.toFixed(1),
          ]),
          [
            "**mean**",
            "",
            "",
            digits(own),
            "",
            digits(lr),
            "",
            percent(accuracy),
            percent(lrAccuracy),
            "",
            "",
            "",
          ],
        ],
      ),
      [
        `- log-loss lower on the mean than logistic regression: ${yes(own < lr)} (${signed(own - lr, 3)})`,
        `- lower, or within its interval, on three quarters: ${yes(below >= 0.75 * rows.length)} (${below} of ${rows.length})`,
        `- better than the base rate everywhere: ${yes(rows.every(one => one.isAboveBase))}`,
        `- accuracy at least that of logistic regression on the mean: ${yes(accuracy >= lrAccuracy)} (${signed(100 * (accuracy - lrAccuracy), 2)} points)`,
        ...(seen.length > 0
          ? [
              `- chosen against the best in hindsight, on the first split of ${seen.length} tables: ${yes(ratio <= 1.05)} (${ratio.toFixed(3)} ×); against the candidate that is best on one half of the test rows, judged on the other half, both ways: ${halved.toFixed(3)} ×${sampled.length > 0 ? `. Of ${sampled.join(", ")} all candidates, and what is chosen (in parentheses), are learned from ${SAMPLED_ROWS.toLocaleString("en")} training rows for this` : ""}`,
            ]
          : []),
        `- up to 20,000 rows, choosing within 30 s of processor time, the last fit included: ${yes(few.every(one => one.seconds <= 30))} (at most ${Math.max(...few.map(one => one.seconds)).toFixed(1)} s)`,
        ...(many.length > 0
          ? [
              `- above, choosing within 5 fits of the chosen model by sdEM: ${yes(many.every(one => one.fits <= 5))} (${many.map(one => `${one.name} ${one.fits.toFixed(1)}`).join(", ")})`,
            ]
          : []),
        ...(boosted.length > 0
          ? [
              `- beside gradient boosting, on ${boosted.length} tables: mean log-loss ${digits(mean(boosted.map(one => one.own)))}, boosting ${digits(mean(boosted.map(one => one.boosting)))}; lower on ${boosted.filter(one => one.own < one.boosting).length}`,
            ]
          : []),
      ].join("\n"),
    )
  }
  if (numbers.length > 0) {
    const r2 = mean(numbers.map(({ each }) => over(each, one => one.r2)))
    const ridge = mean(numbers.map(({ each }) => over(each, one => one.peer.ridge!.r2)))
    const held = mean(numbers.map(({ each }) => over(each, one => one.held)))
    parts.push(
      "## Numbers",
      lines(
        [
          "data",
          "chosen",
          "R²",
          "ridge",
          "90 % intervals hold, %",
          "−ln density",
          "base rate",
          "choosing, s",
        ],
        [
          ...numbers.map(({ job, each }) => [
            `${job.name}`,
            [...new Set(each.map(one => one.model))].join("; "),
            digits(over(each, one => one.r2)),
            digits(over(each, one => one.peer.ridge!.r2)),
            percent(over(each, one => one.held)),
            digits(over(each, one => one.logLoss)),
            digits(over(each, one => one.base)),
            Math.max(...each.map(one => one.seconds)).toFixed(1),
          ]),
          ["**mean**", "", digits(r2), digits(ridge), percent(held), "", "", ""],
        ],
      ),
      [
        `- mean R² within 0.02 of ridge, or above: ${yes(r2 >= ridge - 0.02)} (${signed(r2 - ridge, 3)})`,
        `- 90 % intervals hold 87 to 93 %: ${yes(held >= 0.87 && held <= 0.93)} (${percent(held)} %)`,
      ].join("\n"),
    )
  }
  return parts
}

/** What the numbers do not say by themselves. */
function missed(results: readonly Result[]): string[] {
  const own = ({ each }: Result) => over(each, one => one.logLoss)
  const boosting = ({ each }: Result) => over(each, one => one.peer.boosting?.logLoss ?? Number.NaN)
  const behind = results
    .filter(one => own(one) > boosting(one))
    .toSorted((a, b) => own(b) - boosting(b) - (own(a) - boosting(a)))
    .map(one => `${one.job.name} ${signed(own(one) - boosting(one), 3)}`)
  const missing = JOBS.filter(job => !results.some(one => one.job === job)).map(({ name }) => name)
  return [
    "## What is missed, and what would close it",
    `Gradient boosting at its defaults loses less than what was chosen on: ${behind.join(", ") || "none"}.`,
    `- **spambase, letter-recognition, segment, sonar, adult**: its gain is interactions of columns and thresholds, with no assumption on how a number is spread. spambase's 57 shares of words are mostly 0
  with long tails, which no normal fits: a family of zeros beside a log-normal would, and logistic regression, which makes no assumption either, is ahead there, too. Trees of columns with levels (tree-augmented naive Bayes) reach interactions that naive Bayes cannot, but spambase, letter-recognition, segment and sonar have no such columns, and on adult,
  which has eight, the folds prefer a mixture per class. They are no trees of numbers: cut at quantiles, numbers could be in them.
- **colic, credit-a, credit-g, ecoli, hepatitis, vehicle**: small tables on which a regularised line is a little better; the difference is within its interval, which one split leaves wide:
  more seeds narrow it.
- **hindsight** takes the best of some thirty candidates by the test rows themselves, of which there are a few dozen on the small tables: part of the ratio is the luck of that choice.
- What is tried, and the rules of choosing, were settled while looking at other random splits of the small tables, whose rows overlap the test rows here, and at training rows of optdigits,
  letter-recognition, adult and spambase: only the published test rows had no part in it. A first run of
  this study on eleven small tables, with a budget of 10, was seen: segment lost 0.261 there, and the budget was then raised to 14, and what finalists do not need given to looking further. The
  small tables are the same splits, so their numbers are that much too good, segment's most of all. The score of trees (AIC) and the shared variances beside them were chosen by folds of training rows alone: AIC, beside BIC, on four of the tables here and on
  car, nursery, kr-vs-kp, tic-tac-toe and soybean, where it gains by counting and neither gains nor loses by ncll; the variances on three of the tables here (credit-a, hepatitis, adult).`,
    "A million rows of 20 columns (16 normals, three columns of five levels; interactions of two), by `suffice fit` on this machine beside other work, before trees were among what is tried: 43.5 s of processor time in all, reading and the measure included; qda by sdEM with NCLL was chosen on samples.",
    ...(missing.length > 0
      ? [`Not measured yet: ${missing.join(", ")}. \`npm run bench:auto\` goes on where it ended.`]
      : []),
  ]
}

/** Chosen against the best of all candidates, table by table. */
function hindsightPage(results: readonly Result[]): string[] {
  const rows = results.flatMap(({ job, each, hindsight }) =>
    hindsight
      ? [
          {
            name: job.name,
            chosen: hindsight.chosen ?? each[0].logLoss,
            by: hindsight.rows ? "–" : each[0].model,
            ...hindsight,
          },
        ]
      : [],
  )
  const chosen = mean(rows.map(one => one.chosen))
  const ratio = chosen / mean(rows.map(one => one.logLoss))
  const halved = chosen / mean(rows.map(one => one.halved))
  const ratioWithout = (name: string) => {
    const others = rows.filter(one => one.name !== name)
    return (mean(others.map(one => one.chosen)) / mean(others.map(one => one.logLoss))).toFixed(3)
  }
  const lacking = JOBS.filter(
    ({ name, group }) => group !== "numbers" && !rows.some(one => one.name === name),
  )
  return [
    `What \`choose\` takes by training rows alone, beside the lowest log-loss on the test rows of all candidates (some thirty), each learned from all training rows, as it is or calibrated; the first split of [auto.md](auto.md). The
lowest of thirty is lucky in part. By halves: the candidate that is best on one half of the test rows, judged on the other half, both ways; what somebody reaches who may look at half of the test rows.`,
    lines(
      ["data", "chosen", "log-loss", "in hindsight", "log-loss", "chosen / hindsight", "by halves"],
      [
        ...rows.map(one => [
          `${one.name}${one.rows === undefined ? "" : ` (${one.rows} rows)`}`,
          one.by,
          one.chosen.toFixed(3),
          one.model,
          one.logLoss.toFixed(3),
          (one.chosen / one.logLoss).toFixed(3),
          one.halved.toFixed(3),
        ]),
        [
          "**mean**",
          "",
          chosen.toFixed(3),
          "",
          mean(rows.map(one => one.logLoss)).toFixed(3),
          ratio.toFixed(3),
          mean(rows.map(one => one.halved)).toFixed(3),
        ],
      ],
    ),
    [
      `- chosen within 1.05 × of the best in hindsight, on ${rows.length} tables: ${yes(ratio <= 1.05)} (${ratio.toFixed(3)} ×)`,
      `- chosen beside the best by halves: ${halved.toFixed(3)} ×`,
      ...(lacking.length > 0 ? [`- not measured: ${lacking.map(({ name }) => name).join(", ")}`] : []),
    ].join("\n"),
    `Nothing is tuned by this page. The truth lies between the two: the lowest of thirty is lucky, and half of the test rows, a few dozen on the small tables, choose worse than the training rows do. On colic, dermatology, hepatitis and
ionosphere the best of all is not the best of each half. On credit-a, segment and vehicle both measures agree (1.14 to 1.20 ×), yet there the folds of the training rows put what was chosen first: diagonal by ncll 0.315 ± 0.030 on
credit-a, mixture-lda-2 by hinge 0.160 ± 0.014 on segment, and on vehicle qda by ncll 0.376 ± 0.027 with qda by counting 0.049 behind. Nothing in the training rows tells the other answer; more folds would not.
optdigits is another matter: of 2,000 rows lda by ncll was chosen (0.127 ± 0.032 on one fold), and qda by hinge, the best, was never tried, since steps of sdEM over ten covariances of 64 columns cost more than what was left of the budget. Sparser
steps of covariances, or a budget above 14, would close that one; without it the ratio is ${ratioWithout("optdigits")} ×. Of tables in parentheses all candidates, and the choice, have the rows named; the choice made of these is not always the one of [auto.md](auto.md), and has no name here.`,
  ]
}

// ── the study ──────────────────────────────────────────────────────────────────────────────────────

requireData()
const asked = process.argv.slice(2).filter(word => !word.startsWith("--"))
const onlyPage = process.argv.some(word => word === "--page" || word === "--hindsight-page")
const hindsight = process.argv.includes("--hindsight")
const results: Result[] = []
for (const job of JOBS) {
  if (asked.length > 0 && !asked.includes(job.name) && !asked.includes(job.group)) continue
  const tasks = onlyPage ? undefined : await job.tasks()
  const each: Found[] = []
  for (let split = 0; split < (tasks?.length ?? SEEDS); split++) {
    const found = await kept(`${job.group}-${job.name}-${split}`, tasks && (() => ours(tasks[split], job)))
    if (found) each.push(found)
  }
  const isLevels = job.group !== "numbers"
  const best =
    isLevels &&
    (await kept(
      `${job.group}-${job.name}-hindsight`,
      tasks && hindsight ? () => hindsightOf(tasks[0], job) : undefined,
    ))
  if (each.length > 0) results.push({ job, each, hindsight: best || undefined })
}
if (results.length === 0) throw new Error(`Nothing of that name: ${JOBS.map(({ name }) => name).join(", ")}.`)
if (process.argv.includes("--hindsight-page")) {
  writePage("hindsight", "The choice, in hindsight", hindsightPage(results), results[0].each[0].peer)
} else if (asked.length === 0 || onlyPage) {
  writePage(
    "auto",
    "What the defaults are worth",
    [...report(results), ...missed(results)],
    results[0].each[0].peer,
  )
} else console.log(report(results).join("\n\n"))
