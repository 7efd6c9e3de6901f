/**
 * Logistic regression with missing data = sdEM + naive Bayes + NCLL; linear SVM with missing data = sdEM + naive Bayes + hinge:
 * beside imputing first and regressing then. Every method sees the same rows and the same holes.
 *
 *     npm run bench:missing          all tables, and the page
 *     npm run bench:missing -- wine  this one only, printed, no page
 */
import { requireData, table } from "./datasets.ts"
import { average, METHODS, type Method, naiveBayes, type Quality, qualities } from "./learners.ts"
import { table as lines, mean, percent, signed, verdict, writePage } from "./page.ts"
import { askOnce, type Versions } from "./peer.ts"
import { cut, published, punched, seeded, type Task } from "./splits.ts"

const SEEDS = 10
const OTHERS = ["meanLr", "meanSvm", "iterativeLr"] as const
type Other = (typeof OTHERS)[number]
interface Peer extends Versions {
  /** One per task; the SVM has no log-loss. */
  readonly answers: readonly Readonly<Record<Other, Quality>>[]
}

const small = (name: string, file: string, label: string, ignored?: readonly string[]) =>
  seeded(table(name, file, label, ignored), SEEDS)
/** Tables with holes of their own. */
const HOLED: Readonly<Record<string, () => Task[]>> = {
  "house-votes-84": () => small("house-votes-84", "house-votes-84.csv.gz", "party"),
  "breast-cancer-wisconsin": () =>
    small("breast-cancer-wisconsin", "breast-cancer-wisconsin.csv.gz", "class", ["id"]),
  adult: () => published("adult", part => `adult-${part}.csv.gz`, "income"),
  penguins: () => small("penguins", "penguins.csv.gz", "species"),
}
/** Complete ones, to remove cells from. */
const COMPLETE: Readonly<Record<string, () => Task[]>> = {
  wine: () => small("wine", "wine.csv.gz", "class"),
  "breast-cancer-diagnostic": () => small("breast-cancer-diagnostic", "wdbc.csv.gz", "diagnosis"),
  "letter-recognition": () => cut(table("letter-recognition", "letter-recognition.csv.gz", "letter"), 16_000),
}
const SHARES = [0.1, 0.3, 0.5]

function groups(asked: readonly string[]): { name: string; tasks: Task[] }[] {
  const wanted = (sets: object) =>
    Object.keys(sets).filter(name => asked.length === 0 || asked.includes(name))
  return [
    ...wanted(HOLED).map(name => ({ name, tasks: HOLED[name]() })),
    ...wanted(COMPLETE).flatMap(name => {
      const tasks = COMPLETE[name]()
      return SHARES.map(share => ({
        name: `${name}, ${percent(share, 0)} % removed`,
        tasks: punched(tasks, share),
      }))
    }),
  ]
}

function peers({ name, tasks }: { name: string; tasks: readonly Task[] }): Peer {
  const { columns, label } = tasks[0].table
  const part = (rows: Task["train"]) => ({
    cells: rows.map(row => columns.map(column => row[column.name])),
    labels: rows.map(row => row[label]),
  })
  const kinds = columns.map(({ kind }) => kind)
  return askOnce<Peer>("missing.py", {
    name,
    tasks: tasks.map(({ train, test }) => ({ kinds, train: part(train), test: part(test) })),
  })
}

// ── the report ─────────────────────────────────────────────────────────────────────────────────────

interface Result extends Readonly<Record<Method | Other, Quality>> {
  readonly name: string
}
const TITLES: Readonly<Record<Method | Other, string>> = {
  counting: "generative",
  ncll: "NCLL",
  hinge: "hinge",
  meanLr: "mean, LR",
  meanSvm: "mean, SVM",
  iterativeLr: "iterative, LR",
}
const ALL = [...METHODS, ...OTHERS]

function report(results: readonly Result[]): string[] {
  const accuracy = (method: Method | Other, of = results) =>
    mean(of.map(result => 100 * result[method].accuracy))
  const others = results.filter(({ name }) => !name.startsWith("letter"))
  const against = (ours: Method, other: Method | Other) => {
    const gap = accuracy(ours) - accuracy(other)
    const rest = accuracy(ours, others) - accuracy(other, others)
    const wins = results.filter(result => result[ours].accuracy > result[other].accuracy).length
    return `- ${TITLES[ours]} above ${TITLES[other]} in accuracy on average: ${verdict(gap > 0)}, ${signed(gap)} points, ahead on ${wins} of ${results.length}; without letter-recognition ${signed(rest)}.`
  }
  const sure = ALL.filter(method => method !== "meanSvm")
  return [
    `Naive Bayes (gaussian() for numbers, categorical() for levels) learned from the rows as they are, holes and all: the generative
fit (\`em()\`), \`sdem({ loss: "ncll" })\` as logistic regression with missing data, \`sdem({ loss: "hinge" })\` as linear SVM with missing data; all
at default settings. Beside scikit-learn: column means (the most frequent level) and one column per level, then logistic regression
or a linear SVM; IterativeImputer, then logistic regression; C cross-validated on the training rows, for accuracy and for log-loss each.

Small tables: ${SEEDS} seeded 70/30 splits, labels in proportion; adult: the published split; letter-recognition: first 16,000 / last 4,000. The first four
have holes of their own; from the others a share of all cells is removed at random, in training and test rows alike. All columns are used;
IterativeImputer guesses each of adult's columns from its 20 nearest. A gaussian() per class and column makes the log-odds quadratic in
a number, where those of the regressions are linear: with numbers the two sides are not the same model.`,
    "## Accuracy, %",
    lines(
      ["data", ...ALL.map(method => TITLES[method])],
      [
        ...results.map(result => [result.name, ...ALL.map(method => percent(result[method].accuracy))]),
        ["**average**", ...ALL.map(method => accuracy(method).toFixed(2))],
      ],
    ),
    [
      against("ncll", "meanLr"),
      against("hinge", "meanSvm"),
      against("ncll", "iterativeLr"),
      against("ncll", "counting"),
    ].join("\n"),
    "## Log-loss, nats",
    lines(
      ["data", ...sure.map(method => TITLES[method])],
      [
        ...results.map(result => [result.name, ...sure.map(method => result[method].logLoss.toFixed(3))]),
        [
          "**average**",
          ...sure.map(method => mean(results.map(result => result[method].logLoss)).toFixed(3)),
        ],
      ],
    ),
    "The SVM of scikit-learn has no probabilities; those of hinge are the model's own, which this loss does not ask to be frequencies.",
  ]
}

// ── the study ──────────────────────────────────────────────────────────────────────────────────────

requireData()
const asked = process.argv.slice(2)
const all = groups(asked)
const others = all.map(peers)
const results: Result[] = []
for (const [i, { name, tasks }] of all.entries()) {
  const ours = await qualities(name, naiveBayes(tasks[0].table), tasks)
  const of = (method: Method | Other) =>
    average(
      method in ours ? ours[method as Method] : others[i].answers.map(answer => answer[method as Other]),
    )
  results.push({
    name,
    ...(Object.fromEntries(ALL.map(method => [method, of(method)])) as Record<Method | Other, Quality>),
  })
}
if (asked.length > 0) console.log(report(results).join("\n\n"))
else writePage("missing", "Missing cells", report(results), others[0])
