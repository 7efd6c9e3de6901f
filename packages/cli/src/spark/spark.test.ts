/** `--engine` against a server of our own on Spark's protos: chosen on a sample, learned from all rows there, measured on rows held out there. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { em, fit } from "suffice"
import { evaluate } from "suffice/measure"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type FakeSpark, fakeSpark } from "../../../spark/testing/fake-spark.ts"
import { evaluateCommand } from "../commands/evaluate.ts"
import { fitCommand } from "../commands/fit.ts"
import { predictCommand } from "../commands/predict.ts"
import { toldOf } from "../failure.ts"
import type { FitOptions } from "../subject.ts"
import type { Session } from "../terminal/session.ts"

const rows = Array.from({ length: 300 }, (_, i) => ({
  y: i % 2 ? "b" : "a",
  x: Math.sin(i) + 2 * (i % 2),
  n: i % 9 === 0 ? null : String((i * 7) % 13),
  colour: ["red", "green", "blue"][(i * 7) % 3],
  day: "2024-01-01",
}))
const types = { y: "string", x: "double", n: "string", colour: "string", day: "date" }
const isHeld = (r: number): boolean => r % 5 === 0
const folder = mkdtempSync(join(tmpdir(), "suffice-engine-"))
let server: FakeSpark

beforeAll(async () => {
  server = await fakeSpark({
    rows,
    types,
    made: {
      "suffice train": (_, r) => (isHeld(r) ? 0 : 1),
      "suffice test": (_, r) => (isHeld(r) ? 1 : 0),
      n: row => (row.n === null ? null : Number(row.n)),
    },
  })
})
afterAll(async () => {
  await server.end()
  rmSync(folder, { recursive: true, force: true })
})

/** What is printed, noted and answered. */
function heard() {
  const said = {
    printed: "",
    notes: [] as string[],
    tasks: [] as string[],
    answer: {} as Record<string, never>,
  }
  const bar = {
    advance: () => undefined,
    at: () => undefined,
    show: async () => undefined,
    stop: () => undefined,
  }
  const session = {
    json: false,
    signal: new AbortController().signal,
    command: "suffice fit …",
    version: "0",
    kept: "",
    print: async (text: string) => {
      said.printed += `${text}\n`
    },
    answer: async (value: object) => {
      said.answer = value as never
    },
    note: (text: string) => void said.notes.push(text),
    progress(label: string, total?: number, unit?: string) {
      said.tasks.push(`${label} ${total} ${unit}`)
      return bar
    },
  } as unknown as Session
  return { said, session }
}
const refused = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "nothing was refused",
    error => toldOf(error).message.replace(/127\.0\.0\.1:\d+/g, "host"),
  )
const fixed = { label: "y", model: "naive-bayes", learner: "em" } as const

test("fit, evaluate and predict where the rows are", async () => {
  const path = join(folder, "model.json")
  const { said, session } = heard()
  await fitCommand(session, ["t"], { ...fixed, engine: server.address, output: path })
  const kept = rows
    .filter((_, r) => !isHeld(r))
    .map(row => ({ ...row, n: row.n === null ? null : Number(row.n) }))
  const saved = JSON.parse(readFileSync(path, "utf8"))
  const { declare } = await import("suffice")
  const here = await fit(declare(saved.model) as never, kept as never, { learner: em() })
  expect(saved.statistics).toEqual(JSON.parse(JSON.stringify(here)).statistics)
  const held = rows
    .filter((_, r) => isHeld(r))
    .map(row => ({ ...row, n: row.n === null ? null : Number(row.n) }))
  const { accuracy } = evaluate(here as never, held as never)
  expect(said.printed).toContain("t: 300 rows")
  expect(said.printed).toContain("from 240 rows by counting on Spark 4.3.0")
  expect(said.answer).toMatchObject({ rows: { learned: 240, measured: 60 }, quality: { accuracy } })
  expect(said.notes.join(" ")).toContain('"day" (date) left out')
  // Spark's own count of tasks
  expect(said.tasks).toContain("on the cluster 1 tasks")

  const measured = heard()
  await evaluateCommand(measured.session, path, ["t"], { engine: server.address })
  expect(measured.said.answer).toMatchObject({ command: "evaluate", rows: 300 })
  const predicted = heard()
  const options = { engine: server.address, into: "answers", keep: ["y"], probabilities: true }
  await predictCommand(predicted.session, path, ["t"], options as never)
  expect(predicted.said.answer).toMatchObject({
    table: "answers",
    rows: 300,
    columns: ["row", "y", "value", "probability", "probabilities"],
  })
})

test("what is not said is chosen on a sample", async () => {
  const { said, session } = heard()
  await fitCommand(session, ["t"], { label: "y", model: "base-rate", engine: server.address })
  expect(said.printed).toContain("← chosen")
  expect(said.answer).toMatchObject({ rows: { learned: 240, measured: 60 } })
})

test("sentences", async () => {
  const run = (paths: string[], options: FitOptions): Promise<string> =>
    refused(fitCommand(heard().session, paths, { ...fixed, engine: server.address, ...options }))
  expect([
    await run(["t", "u"], {}),
    await run([], { sql: "SELECT * FROM t" }),
    await run([], { sql: "SELECT * FROM t", order: "y" }),
    await run(["t"], { delimiter: ";" }),
    await run(["t"], { tag: "y" }),
    await run(["t"], { threads: 2 }),
    await run(["t"], { weight: "kg" }),
    await run(["t"], { node: "no-node-here" }),
    await refused(
      predictCommand(heard().session, join(folder, "model.json"), ["t"], {
        engine: server.address,
        probabilities: true,
      }),
    ),
    await refused(
      evaluateCommand(heard().session, join(folder, "model.json"), ["t"], { engine: "spark://host" }),
    ),
  ]).toMatchInlineSnapshot(`
    [
      "with --engine one table is read. DATA is its name on the cluster, or files as parquet.\`s3a://…\`. Name one, or write --sql with --order instead.",
      "--engine with --sql needs --order. Sums depend on the order of rows, which must be the same at every sweep. Name a column that is different in every row: --order id.",
      "the query is ordered by \`y\`, of which 298 rows have no value of their own. Sums depend on the order of rows, which must be the same at every sweep. Order by columns that are together different in every row: --order id.",
      "--delimiter is given with --engine. Tables of a cluster have columns of a type, and no text to be read. Leave it out, or convert the column in --sql.",
      "steps of sequences are asked for with --engine. On a cluster a sequence is one row, whose cell is an array of steps. Gather them in --sql (collect_list), and give a model file; or use the library.",
      "--threads is given with --engine. Rows are shared out by Spark. Leave it out.",
      "--weight names "kg", which is no column of t. It has "y", "x", "n" and "colour". Name one of them.",
      "the workers have no node: the command was not found there. Rows are swept by Node beside Spark. Install Node ≥ 20 on the workers' PATH, or name its place: --node /opt/node/bin/node.",
      "predict with --engine writes a table on the cluster. Rows that stay there have their answers there. Name it with --into, and leave -o out.",
      "the address is "spark://host". A Spark Connect server has one like sc://host:15002. Write it so, with /;token=… behind it if it asks for one.",
    ]
  `)
})
