/** The 14 tables of levels: numbers are cut at quantiles of the training rows, and a published split or five folds says which rows those are. */
import type { Row } from "suffice"
import { folds } from "suffice/measure"
import { read, table } from "../datasets.ts"
import { smallTables } from "../uci.ts"

/** Columns of levels or null, and a label. */
export interface LevelTask {
  readonly columns: readonly string[]
  readonly label: string
  readonly train: readonly Row[]
  readonly test: readonly Row[]
}

interface Raw {
  readonly label: string
  readonly columns: readonly { readonly name: string; readonly kind: string }[]
  readonly rows: readonly Row[]
}

export const TABLES = [
  ...["letter", "adult", "nursery", "kr-vs-kp", "car", "house-votes-84", "tic-tac-toe"],
  ...["vowel", "segment", "credit-g", "vehicle", "soybean", "splice", "waveform"],
] as const
export type TableName = (typeof TABLES)[number]

/** How many tasks are measured: one for a published split; of five folds, fewer of tables that take long. */
export const tasksOf = (name: TableName): number => TASKS[name] ?? 5
const TASKS: Partial<Record<TableName, number>> = { letter: 1, adult: 1, soybean: 3, splice: 2, waveform: 1 }

export async function levelTask(name: TableName, fold: number): Promise<LevelTask> {
  if (name === "letter") {
    const all = table("letter-recognition", "letter-recognition.csv.gz", "letter")
    // its numbers are whole, from 0 to 15: levels as they are
    const levels = { ...all, columns: all.columns.map(({ name }) => ({ name, kind: "level" as const })) }
    return cutTask(levels, all.rows.slice(0, 16_000), all.rows.slice(16_000))
  }
  if (name === "adult") {
    const [train, test] = ["train", "test"].map(part => table("adult", `adult-${part}.csv.gz`, "income"))
    return cutTask(train, train.rows, test.rows)
  }
  const raw = await rawOf(name)
  const { train, test } = folds(raw.rows, 5, { stratify: raw.label, seed: 0 })[fold]
  return cutTask(raw, train, test)
}

async function rawOf(name: TableName): Promise<Raw> {
  if (name === "house-votes-84") return table(name, `${name}.csv.gz`, "party")
  if (name === "splice") return splice()
  const [found] = await smallTables([name === "waveform" ? "waveform5000" : name])
  return found
}

/** A column for each of the 60 places of the sequence. */
function splice(): Raw {
  const lines = read("splice/splice.csv.gz").trim().split("\n").slice(1)
  const rows = lines.map(line => {
    const [kind, , sequence] = line.split(",")
    return { class: kind, ...Object.fromEntries([...sequence.trim()].map((base, t) => [`p${t}`, base])) }
  })
  const columns = Object.keys(rows[0]).filter(name => name !== "class")
  return { label: "class", columns: columns.map(name => ({ name, kind: "level" })), rows }
}

const BINS = 8

/** Numbers become the eighth of the training rows that they fall into; levels become text. */
function cutTask({ columns, label }: Raw, train: readonly Row[], test: readonly Row[]): LevelTask {
  const cuts = new Map(
    columns.filter(({ kind }) => kind === "number").map(({ name }) => [name, quantiles(train, name)]),
  )
  const levelled = (row: Row): Row => {
    const cells = columns.map(({ name }) => {
      const cell = row[name] ?? null
      const own = cuts.get(name)
      if (cell === null) return [name, null]
      return [name, own ? String(own.filter(cut => (cell as number) > cut).length) : String(cell)]
    })
    return { ...Object.fromEntries(cells), [label]: String(row[label]) }
  }
  const learned = train.map(levelled)
  // a column with one level says nothing
  const names = columns
    .map(({ name }) => name)
    .filter(name => new Set(learned.map(row => row[name]).filter(cell => cell !== null)).size > 1)
  return { columns: names, label, train: learned, test: test.map(levelled) }
}

function quantiles(rows: readonly Row[], name: string): number[] {
  const seen = rows
    .map(row => row[name])
    .filter((cell): cell is number => typeof cell === "number")
    .sort((a, b) => a - b)
  const cuts = Array.from({ length: BINS - 1 }, (_, j) => seen[Math.floor(((j + 1) * seen.length) / BINS)])
  return [...new Set(cuts)]
}
