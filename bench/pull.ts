/**
 * How strongly the prior may pull under sdEM. EM starts with the prior's full strength (1 pseudo-row per slot); on the way the pull at every
 * step is made f times as strong, by a learner written out here. Judged on 30 % of the training rows, kept aside; of the toy, by quadrature on
 * seeds that its own study does not use.
 *
 *     npm run bench:pull               all tables, and the page
 *     npm run bench:pull -- spambase   this one only, printed, no page
 */
import { classes, em, fit, type Learner, type Model, mixture, type Row } from "suffice"
import { evaluate, split } from "suffice/measure"
import { requireData, type Table, table } from "./datasets.ts"
import { average, leaves, naiveBayes, type Quality } from "./learners.ts"
import { table as lines, mean, percent, writePage } from "./page.ts"
import { cut, published, seeded } from "./splits.ts"
import { accuracy, ONE, TWO, toy } from "./toys.ts"
import { smallTables } from "./uci.ts"

const PULLS = [1, 0.3, 0.1, 0.03, 0]
const LOSSES = ["ncll", "hinge"] as const
/** Rows per slot from which on the engine weakens the pull (engine/moving.ts): undone here. */
const ENOUGH = 1000

/** sdEM at its defaults but for the pull. `slots`: of the largest part of the model. */
function pulled(f: number, loss: (typeof LOSSES)[number], slots: number, epochs: number): Learner {
  return {
    name: "pulled",
    options: { f, loss },
    async *learn(problem, dice) {
      let counts = problem.theta.prior
      for await (const { stats } of em().learn(problem, dice.fork(0))) {
        counts = stats.map((count, j) => count + problem.theta.prior[j])
      }
      const { column } = problem.moments.target(undefined, loss === "hinge" ? "rival" : "hidden")
      const target = column.name
      const moving = problem.moments.moving(counts, {
        regime: loss === "hinge" ? { against: "rival", target, margin: 1 } : { against: "hidden", target },
        generative: 0,
        prior: f / Math.min(1, (ENOUGH * slots) / problem.data.weight),
      })
      const total = epochs * Math.ceil(problem.data.rows / 16)
      let t = 0
      for (let epoch = 0; epoch < epochs; epoch++) {
        for await (const block of problem.data.batches(16, dice.fork(1).fork(epoch))) {
          moving.step(block, 0.03 / (1 + 0.003 * ++t), undefined)
          if (2 * t > total) moving.average()
        }
      }
      yield {
        iteration: 1,
        run: 0,
        objective: 0,
        logLikelihood: Number.NaN,
        entropy: 0,
        change: 0,
        rows: problem.data.rows,
        stats: moving.stats(),
        prior: 0,
        diagnostics: [],
        stopped: "epochs",
      }
    },
  }
}

const enough = (rows: number) => Math.max(20, Math.ceil(2000 / Math.ceil(rows / 16)))

interface Subject {
  readonly name: string
  /** Of rows to learn from. */
  readonly perSlot: number
  /** Quality of a learner that is made for so many rows. */
  judge(f: number, loss: (typeof LOSSES)[number]): Promise<Quality>
}

/** Tables that share a line: means. `components`: hidden ones per class. */
function subject(name: string, of: readonly Table[], components: number): Subject {
  const parts = of.map(table => {
    const { train, test } = split(table.rows, { test: 0.3, stratify: table.label, seed: 5 })
    const slots = components * new Set(table.rows.map(row => row[table.label])).size
    const model: Model =
      components === 1 ? naiveBayes(table) : classes(table.label, mixture(components, leaves(table)))
    return { model, train, test, slots }
  })
  return {
    name,
    perSlot: mean(parts.map(({ train, slots }) => train.length / slots)),
    async judge(f, loss) {
      const found: Quality[] = []
      for (const { model, train, test, slots } of parts) {
        const learner = pulled(f, loss, slots, enough(train.length))
        found.push(evaluate(await fit(model, train as Row[], { learner }), test as Row[]))
      }
      return average(found)
    },
  }
}

const TOY_ROWS = 30_000
const TOY_SEEDS = [21, 22, 23]
function toySubject(name: string, model: typeof ONE, slots: number): Subject {
  return {
    name,
    perSlot: TOY_ROWS / slots,
    async judge(f, loss) {
      const found: number[] = []
      for (const seed of TOY_SEEDS) {
        const fitted = await fit(model, toy(seed, TOY_ROWS), { learner: pulled(f, loss, slots, 2), seed })
        found.push(accuracy(fitted) / 100)
      }
      return { accuracy: mean(found), logLoss: Number.NaN }
    },
  }
}

const trainOf = (name: string, file: string, label: string, rows?: number): Table => {
  const whole = table(name, file, label)
  return { ...whole, rows: rows === undefined ? seeded(whole, 1)[0].train : cut(whole, rows)[0].train }
}
const optdigits = (): Table => published("optdigits", part => `optdigits-${part}.csv.gz`, "digit")[0].table
const letter = (): Table => trainOf("letter-recognition", "letter-recognition.csv.gz", "letter", 16_000)
const SUBJECTS: Readonly<Record<string, () => Promise<Subject>>> = {
  small: async () => subject("small tables, mean", await smallTables(), 1),
  optdigits: async () => subject("optdigits", [optdigits()], 1),
  "optdigits-two": async () => subject("optdigits, two normals", [optdigits()], 2),
  letter: async () => subject("letter-recognition", [letter()], 1),
  "letter-two": async () => subject("letter-recognition, two normals", [letter()], 2),
  waveform: async () => subject("waveform5000", await smallTables(["waveform5000"]), 1),
  spambase: async () => subject("spambase", [trainOf("spambase", "spambase.csv.gz", "spam")], 1),
  "spambase-two": async () =>
    subject("spambase, two normals", [trainOf("spambase", "spambase.csv.gz", "spam")], 2),
  adult: async () =>
    subject("adult", [published("adult", part => `adult-${part}.csv.gz`, "income")[0].table], 1),
  toy: async () => toySubject("the toy, one normal", ONE, 2),
  "toy-two": async () => toySubject("the toy, two normals", TWO, 4),
}

requireData()
const asked = process.argv.slice(2)
const subjects: Subject[] = []
for (const name of asked.length > 0 ? asked : Object.keys(SUBJECTS)) subjects.push(await SUBJECTS[name]())
const rows: string[][] = []
for (const { name, perSlot, judge } of subjects.toSorted((a, b) => a.perSlot - b.perSlot)) {
  const cells: string[] = []
  for (const f of PULLS) {
    for (const loss of LOSSES) {
      const { accuracy, logLoss } = await judge(f, loss)
      const sure = Number.isNaN(logLoss) ? "" : ` / ${logLoss.toPrecision(3)}`
      cells.push(`${percent(accuracy)}${sure}`)
    }
  }
  rows.push([name, String(Math.round(perSlot)), ...cells])
  console.log(`  ${rows.at(-1)?.join("  ")}`)
}
const head = ["table", "rows per slot", ...PULLS.flatMap(f => LOSSES.map(loss => `${f}: ${loss}`))]
const parts = [
  `Naive Bayes at sdEM's defaults but for the pull of the prior on the way, which is f times the prior's (columns); EM's start keeps all of it. Accuracy in % / log-loss in nats on 30 % of the
training rows, kept aside; small tables: those of [defaults.md](defaults.md); the toy by quadrature, 2 epochs, seeds ${TOY_SEEDS.join(", ")}, which [toy.md](toy.md) does not use. Ordered by how many rows a slot has.`,
  lines(head, rows),
  `The code's rule: full strength up to ${ENOUGH} rows per slot, ${ENOUGH}·slots/rows of it beyond.`,
]
if (asked.length > 0) console.log(parts.join("\n\n"))
else writePage("pull", "How strongly the prior may pull", parts, { versions: {} })
