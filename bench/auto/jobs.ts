/** The data of the bench: 16 small tables, four larger ones, six corpora, and five tables whose label is a number. */
import type { Row } from "suffice"
import { split } from "suffice/measure"
import { type Corpus, published as publishedTexts, seeded as seededTexts, stemmed } from "../corpora.ts"
import { table } from "../datasets.ts"
import { cut, published, seeded, type Task } from "../splits.ts"
import { NAMES, smallTables } from "../uci.ts"

export const GROUPS = ["small", "large", "texts", "numbers"] as const
export type Group = (typeof GROUPS)[number]

/** Splits of a table without a published one. */
export const SEEDS = 3

export interface Job {
  readonly name: string
  readonly group: Group
  readonly tasks: () => Promise<readonly Task[]>
}

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

const texts = (name: string, corpus: () => Corpus): Job =>
  job(name, "texts", () =>
    corpus().splits.map(({ train, test }) => ({
      table: { name, label: "label", columns: [{ name: "text", kind: "text" as const }], rows: [] },
      train: train as unknown as Row[],
      test: test as unknown as Row[],
    })),
  )

const number = (name: string, file: string, label: string, ignored: readonly string[] = []): Job =>
  job(name, "numbers", () => {
    const all = table(name, file, label, { ignored, kind: "number" })
    return Array.from({ length: SEEDS }, (_, seed) => ({
      table: all,
      ...split(all.rows as Row[], { test: 0.3, seed }),
    }))
  })

export const JOBS: readonly Job[] = [
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
