/**
 * What the default prior of numbers is worth: variances drawn towards what lies within classes, around each class's own mean, beside one
 * pseudo-row per class at the total mean and variance, and beside maximum likelihood.
 *
 *     npm run bench:prior             all tables, and the page
 *     npm run bench:prior -- wine     this one only, printed, no page
 */
import { classes, dice, em, fit, gaussian, independent, type Model, normal, type Row } from "suffice"
import { requireData, type Table, table } from "./datasets.ts"
import { table as lines, mean, percent, signed, verdict, writePage } from "./page.ts"
import { smallTables } from "./uci.ts"

/** Rows per class to learn from (0: seven tenths of all), and how many draws of them. */
const SIZES = [
  [3, 8],
  [10, 6],
  [30, 4],
  [0, 2],
] as const
const MOST_ASKED = 2000

type Shape = "gaussian" | "full" | "tied" | "spherical"
const SHAPES: readonly Shape[] = ["gaussian", "full", "tied", "spherical"]
const PRIORS = ["total", "within", "none"] as const
type Prior = (typeof PRIORS)[number]

interface Quality {
  readonly accuracy: number
  readonly logLoss: number
}

function modelOf(shape: Shape, label: string, names: readonly string[]): Model {
  return classes(
    label,
    shape === "gaussian"
      ? independent(Object.fromEntries(names.map(name => [name, gaussian()])))
      : normal(names, { covariance: shape }),
  ) as never
}

/** The numbers of a table, rows without holes. */
function numbersOf({ name, label, columns, rows }: Table): Table {
  const numeric = columns.filter(({ kind }) => kind === "number")
  const whole = rows.filter(
    row => numeric.every(({ name }) => typeof row[name] === "number") && row[label] !== null,
  )
  return { name, label, columns: numeric, rows: whole }
}

/** Training rows in units of their spread, and the others in the same; columns that do not spread are left out. */
function drawn({ label, columns, rows }: Table, perClass: number, seed: number) {
  const random = dice([seed, perClass])
  const order = Int32Array.from(rows.keys())
  random.shuffle(order)
  const byClass = new Map<string, number[]>()
  for (const i of order) {
    const level = String(rows[i][label])
    byClass.set(level, [...(byClass.get(level) ?? []), i])
  }
  const train: Row[] = []
  const asked: Row[] = []
  for (const own of byClass.values()) {
    const cut = perClass > 0 ? Math.min(perClass, own.length - 1) : Math.max(1, Math.round(0.7 * own.length))
    train.push(...own.slice(0, cut).map(i => rows[i]))
    asked.push(...own.slice(cut).map(i => rows[i]))
  }
  const measured = columns.flatMap(({ name }) => {
    const cells = train.map(row => row[name] as number)
    const centre = mean(cells)
    const spread = Math.sqrt(mean(cells.map(x => (x - centre) ** 2)))
    return spread > 0 ? [{ name, centre, spread }] : []
  })
  const held = (row: Row): Row =>
    Object.fromEntries([
      [label, row[label]],
      ...measured.map(({ name, centre, spread }) => [name, ((row[name] as number) - centre) / spread]),
    ])
  const few = Int32Array.from(asked.keys())
  random.shuffle(few)
  return {
    names: measured.map(({ name }) => name),
    train: train.map(held),
    asked: [...few.subarray(0, MOST_ASKED)].map(i => held(asked[i])),
  }
}

/** One pseudo-row per class at the total mean (0) and variances (1), as rows: two for each column, a share of a row each. */
function withTotal(train: readonly Row[], label: string, names: readonly string[]): Row[] {
  const levels = [...new Set(train.map(row => row[label]))]
  const gap = Math.sqrt(names.length)
  const origin = Object.fromEntries(names.map(name => [name, 0]))
  return [
    ...train.map(row => ({ ...row, w: 1 })),
    ...levels.flatMap(level =>
      names.flatMap(name =>
        [-gap, gap].map(x => ({ ...origin, [name]: x, [label]: level, w: 1 / (2 * names.length) })),
      ),
    ),
  ]
}

async function qualityOf(
  shape: Shape,
  prior: Prior,
  { label }: Table,
  { names, train, asked }: ReturnType<typeof drawn>,
): Promise<Quality> {
  const model = modelOf(shape, label, names)
  const fitted =
    prior === "total"
      ? await fit(model, withTotal(train, label, names) as never, { weight: "w", learner: em({ prior: 0 }) })
      : await fit(model, train as never, { learner: em({ prior: prior === "none" ? 0 : 1 }) })
  const levels = [...new Set(train.map(row => String(row[label])))]
  // the pseudo-rows are no reason to believe in a class
  const shares = Object.fromEntries(
    levels.map(level => [level, train.filter(row => String(row[label]) === level).length / train.length]),
  )
  const answer = fitted.posterior(asked as never, { prior: shares } as never) as {
    levels: readonly unknown[]
    logs: Float64Array
  }
  const k = answer.levels.length
  let right = 0
  let loss = 0
  asked.forEach((row, i) => {
    const logs = answer.logs.subarray(i * k, (i + 1) * k)
    const truth = answer.levels.map(String).indexOf(String(row[label]))
    if (logs.indexOf(Math.max(...logs)) === truth) right++
    // a probability of 0 would make every mean infinite
    loss -= Math.max(logs[truth], -700)
  })
  return { accuracy: right / asked.length, logLoss: loss / asked.length }
}

requireData()
const only = process.argv[2]
const tables = [
  table("iris", "iris.csv.gz", "species"),
  table("wine", "wine.csv.gz", "class"),
  table("breast-cancer-diagnostic", "wdbc.csv.gz", "diagnosis"),
  table("penguins", "penguins.csv.gz", "species", ["year"]),
  table("pima", "pima.csv.gz", "diabetes"),
  table("optdigits", "optdigits-train.csv.gz", "digit"),
  table("letter-recognition", "letter-recognition.csv.gz", "letter"),
  table("spambase", "spambase.csv.gz", "spam"),
  ...(await smallTables([
    "balance-scale",
    "ecoli",
    "glass",
    "ionosphere",
    "segment",
    "sonar",
    "vehicle",
    "vowel",
    "waveform5000",
  ])),
]
  .map(numbersOf)
  .filter(({ name }) => only === undefined || name === only)

type Found = Record<Shape, Record<Prior, Quality[][]>> // size, table
const found = Object.fromEntries(
  SHAPES.map(shape => [shape, Object.fromEntries(PRIORS.map(prior => [prior, SIZES.map(() => [])]))]),
) as unknown as Found

for (const own of tables) {
  for (const [s, [perClass, draws]] of SIZES.entries()) {
    for (const shape of SHAPES) {
      const all = Object.fromEntries(PRIORS.map(prior => [prior, [] as Quality[]])) as Record<
        Prior,
        Quality[]
      >
      for (let seed = 0; seed < draws; seed++) {
        const rows = drawn(own, perClass, seed)
        for (const prior of PRIORS) all[prior].push(await qualityOf(shape, prior, own, rows))
      }
      for (const prior of PRIORS) {
        found[shape][prior][s].push({
          accuracy: mean(all[prior].map(({ accuracy }) => accuracy)),
          logLoss: mean(all[prior].map(({ logLoss }) => logLoss)),
        })
      }
      const show = PRIORS.map(prior => {
        const { accuracy, logLoss } = found[shape][prior][s].at(-1)!
        return `${prior} ${percent(accuracy)}/${logLoss.toFixed(2)}`
      })
      console.error(own.name, perClass || "all", shape, show.join("  "))
    }
  }
}

if (only === undefined) {
  const geometric = (xs: readonly number[]) => Math.exp(mean(xs.map(x => Math.log(Math.max(x, 1e-6)))))
  const cell = (qualities: readonly Quality[]) =>
    `${percent(mean(qualities.map(({ accuracy }) => accuracy)))} / ${geometric(qualities.map(({ logLoss }) => logLoss)).toPrecision(3)}`
  const flat = (shape: Shape, prior: Prior) => found[shape][prior].flat()
  const accuracyOf = (shape: Shape, prior: Prior) => mean(flat(shape, prior).map(({ accuracy }) => accuracy))
  const lossOf = (shape: Shape, prior: Prior) => geometric(flat(shape, prior).map(({ logLoss }) => logLoss))
  writePage(
    "prior",
    "The default prior of numbers",
    [
      `Classes of numbers learned by counting from 3, 10, 30 rows per class and from seven tenths of all, asked about up to ${MOST_ASKED.toLocaleString("en")} others; ${SIZES.map(([, draws]) => draws).join(", ")} draws. Accuracy in per cent, and the geometric mean of the log-loss (of a table, in nats), over ${tables.length} tables: ${tables.map(({ name }) => name).join(", ")}. Columns are standardised by the training rows.\n\n*total*: one pseudo-row per class at the total mean and the total variances. *within*: the default, variances drawn towards what lies within classes (docs/models/numbers.md). *none*: maximum likelihood.`,
      lines(
        ["shape", "prior", ...SIZES.map(([perClass]) => (perClass > 0 ? `${perClass} rows` : "all"))],
        SHAPES.flatMap(shape => PRIORS.map(prior => [shape, prior, ...found[shape][prior].map(cell)])),
      ),
      "## Bars",
      lines(
        ["shape", "accuracy within − total", "log-loss within / total", "met"],
        SHAPES.map(shape => {
          const more = 100 * (accuracyOf(shape, "within") - accuracyOf(shape, "total"))
          const ratio = lossOf(shape, "within") / lossOf(shape, "total")
          const needsLoss = shape === "gaussian" || shape === "full"
          return [shape, signed(more), ratio.toFixed(3), verdict(more > 0 && (!needsLoss || ratio <= 1))]
        }),
      ),
    ],
    { versions: {} },
  )
}
