/** Against a server of our own on Spark's protos, which runs the real worker: bits, answers, audits and sentences. A real Spark: `npm run test:spark -w suffice-spark`. */
import { classes, em, fit, gaussian, independent, mixture, multinomial } from "suffice"
import { onlineEm, sdem } from "suffice/learn"
import { evaluate, evaluateSource } from "suffice/measure"
import { CHUNK } from "suffice/worker"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { everyRow, everything } from "../testing/everything.ts"
import { type FakeOptions, type FakeSpark, fakeSpark } from "../testing/fake-spark.ts"
import { type Cluster, type SparkTable, spark } from "./index.ts"

/** Holes, levels, weights (some 0), and text with tabs, ends of lines and emoji. */
const rows = Array.from({ length: CHUNK + 700 }, (_, i) => ({
  id: i,
  y: i % 5 === 0 ? null : i % 2 === 0 ? "even\todd" : 'o"dd\n😀',
  x: i % 7 === 0 ? null : Math.sin(i) + (i % 2) * 3,
  text: `w${(i * 7919) % 13}\t b\n 😀 w${(i * 31) % 7}`,
  w: i % 11 === 0 ? 0 : 1 + (i % 3) / 4,
}))
const types = { id: "bigint", y: "string", x: "double", text: "string", w: "double" }
const usual: FakeOptions = { rows, types }
const model = classes("y", mixture(2, independent({ x: gaussian(), text: multinomial() })))
const options = { learner: em({ maxIterations: 2 }), weight: "w" } as const
/** For what does not depend on the model: one sweep, and one that begins with a sample. */
const small = independent({ x: gaussian() })
const hidden = mixture(2, small)
const once = { learner: em({ maxIterations: 1 }) } as const

let server: FakeSpark
let cluster: Cluster
let table: SparkTable
beforeAll(async () => {
  server = await fakeSpark(usual)
  cluster = await spark(server.address)
  table = await cluster.table("t")
})
afterEach(() => {
  server.options = usual
})
afterAll(async () => {
  await table.close()
  await cluster.close()
  await server.end()
})
const said = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "nothing was refused",
    error => `${error.code}: ${error.message}`,
  )
const short = (text: string): string => text.replace(/\. (Statistics|Answers) that lack rows.*$/, "")

test("em learns the bits of memory, and says how many tasks are done", async () => {
  const seen: [number, number][] = []
  const own = await cluster.query("SELECT * FROM t", {
    orderBy: ["id"],
    partitions: 1,
    onProgress: ({ done, tasks }) => seen.push([done, tasks]),
  })
  const here = await fit(model, rows as never, options)
  for (const data of [table, own])
    expect((await fit(model, data as never, options)).toJSON()).toEqual(here.toJSON())
  expect(seen.slice(0, 2)).toEqual([
    [0, 1],
    [1, 1],
  ])
  await own.close()
  expect(server.said.filter(sql => sql.startsWith("UNCACHE")).length).toBe(2)
  // the rows were packed once for each table, with the columns of model and weights alone
  const framed = server.said.filter(sql => /^CACHE TABLE.*TRANSFORM/.test(sql))
  expect(framed.length).toBe(2)
  expect(framed[0]).not.toContain("`id`")
})

test("rounds, measures and predictions are made where the rows are", async () => {
  const learner = onlineEm({ epochs: 2 })
  const learned = await fit(model, table as never, { learner, weight: "w" })
  const here = await fit(model, rows as never, { learner, weight: "w" })
  const loss = (of: typeof here): number => evaluate(of as never, rows as never).logLoss
  expect(Math.abs(loss(learned as never) - loss(here))).toBeLessThan(0.02)
  const measured = await evaluateSource(learned as never, table, { weight: "w" })
  expect(measured).toEqual(evaluate(learned as never, rows as never, { weight: "w" } as never))

  const made = await table.predict(learned, { into: "db.answers", keep: ["id"], probabilities: true })
  expect(made).toEqual({
    ...{ table: "db.answers", rows: rows.length },
    columns: ["row", "id", "value", "probability", "probabilities"],
  })
  const sql = server.said.find(text => text.startsWith("CREATE TABLE"))!
  expect(sql).toContain("k.`id`, from_json(a.value, 'v STRING').v AS value, CAST(a.probability AS DOUBLE)")
  const written = (server as unknown as { tables: Map<string, string[][]> }).tables.get("`db`.`answers`")!
  const unknown = rows.map(({ y: _, ...rest }) => rest)
  const answers = learned.predict(unknown as never) as { value: string; probability: number }[]
  expect(written.length).toBe(rows.length)
  for (const [row, value, probability] of written) {
    expect(JSON.parse(value).v).toBe(answers[Number(row)].value)
    expect(Number(probability)).toBe(answers[Number(row)].probability)
  }
  const numbers = await table.predict(learned, { into: "n", target: "x", coverage: 0.9 })
  expect(numbers.columns).toEqual(["row", "value", "sd", "low", "high"])
  expect(await said(table.predict(learned, { into: "n", keep: ["no"] }))).toMatchInlineSnapshot(
    `"table: keep names "no", which the table does not have. What is kept stands beside each answer. Name columns of it: id, y, x, text, w."`,
  )
})

test("soft labels weigh what they weigh in memory", async () => {
  const soft = rows.map((row, i) => ({ ...row, y: i % 3 === 0 ? null : { a: 0.25, b: 0.5 + (i % 2) } }))
  server.options = { rows: soft, types: { ...types, y: "map<string,double>" } }
  const classed = classes("y", small)
  const there = await fit(classed, (await cluster.table("t")) as never, once)
  expect(there.toJSON()).toEqual((await fit(classed, soft as never, once)).toJSON())
})

describe("what workers do wrong is refused", () => {
  type Tamper = NonNullable<FakeOptions["tamper"]>
  const when =
    (mode: string, change: (lines: Parameters<Tamper>[1]) => Parameters<Tamper>[1]): Tamper =>
    (asked, lines, partition) =>
      asked === mode && partition === 1 ? change(lines) : lines
  const rubbish = [["bm8gYW5zd2Vy"]]
  test("by the audit of the first pass and of sweeps", async () => {
    const all: string[] = []
    for (const mode of ["explore", "sweep"])
      for (const tamper of [
        when(mode, () => []),
        when(mode, lines => [...lines, ...lines]),
        when(mode, () => rubbish),
      ]) {
        server.options = { ...usual, tamper }
        all.push(short(await said(fit(small, table as never, once))))
      }
    expect(all).toMatchInlineSnapshot(`
      [
        "worker: the pass over the rows is not whole: chunk 1 of 2 was not explored",
        "worker: the pass over the rows is not whole: chunk 1 was explored twice",
        "worker: the pass over the rows is not whole: a worker wrote what is no answer",
        "threads: the sweep is refused: chunk 1 of 2 was not answered",
        "threads: the sweep is refused: chunk 1 was answered twice",
        "threads: the sweep is refused: an answer is none: its bytes were changed, or cut short",
      ]
    `)
  })
  test("by the audit of rounds, samples, measures and predictions", async () => {
    const learned = await fit(classes("y", independent({ x: gaussian() })), rows as never)
    const learner = onlineEm({ epochs: 1 })
    const asked: [string, () => Promise<unknown>][] = [
      ["round", () => fit(hidden, table as never, { learner })],
      ["judge", () => evaluateSource(learned as never, table)],
      ["predict", () => table.predict(learned, { into: "wrong" })],
      ["pick", () => fit(hidden, table as never, once)],
    ]
    const all: string[] = []
    for (const [mode, ask] of asked) {
      server.options = { ...usual, tamper: when(mode, () => []) }
      all.push(`${mode} · ${short(await said(ask()))}`)
    }
    for (const [mode, ask] of asked.filter(([mode]) => mode !== "predict")) {
      server.options = { ...usual, tamper: when(mode, () => rubbish) }
      all.push(`${mode} · ${short(await said(ask()))}`)
    }
    expect(all).toMatchInlineSnapshot(`
      [
        "round · threads: the sweep is refused: chunk 1 of 2 was not answered",
        "judge · threads: the sweep is refused: 8192 rows were answered for, and there are 8892",
        "predict · worker: the pass over the rows is not whole: 8192 of 8892 rows were answered, by 8192 answers; the table was removed",
        "pick · worker: the pass over the rows is not whole: rows of 2 chunks were asked for, and 1 came",
        "round · worker: the pass over the rows is not whole: a worker wrote what is no answer",
        "judge · threads: the sweep is refused: a part of the measures cannot be read: it was changed, or cut short",
        "pick · worker: the pass over the rows is not whole: a worker wrote what is no answer",
      ]
    `)
  })
  test("when a worker leaves early without an error, and when it fails", async () => {
    const broken = await spark(server.address, { node: "true" })
    const own = await broken.table("t")
    expect(short(await said(fit(small, own as never, once)))).toMatchInlineSnapshot(
      `"worker: the pass over the rows is not whole: chunk 0 of 2 was not explored"`,
    )
    await broken.close()
    const none = await spark(server.address, { node: "nodejs-is-not-here" })
    expect(await said(fit(small, (await none.table("t")) as never, once))).toMatchInlineSnapshot(
      `"worker: the workers have no node: the command was not found there. Rows are swept by Node beside Spark. Install Node ≥ 20 on the workers' PATH, or name its place: spark(address, { node: "/opt/node/bin/node" })."`,
    )
    await none.close()
  })
})

describe("sentences", () => {
  test("a query without a unique order", async () => {
    const query = (orderBy: string[]): Promise<string> => said(cluster.query("SELECT * FROM t", { orderBy }))
    expect([await query([]), await query(["no"]), await query(["w"])]).toMatchInlineSnapshot(`
      [
        "table: the query names no column to order by. Sums depend on the order of rows, which must be the same at every sweep. Order by columns that are together different in every row: { orderBy: ["id"] }.",
        "table: the query orders by "no", which it does not return. Sums depend on the order of rows, which must be the same at every sweep. Order by columns that are together different in every row: { orderBy: ["id"] }.",
        "table: the query is ordered by \`w\`, of which 8888 rows have no value of their own. Sums depend on the order of rows, which must be the same at every sweep. Order by columns that are together different in every row: { orderBy: ["id"] }.",
      ]
    `)
  })
  test("a table whose rows have no place: not of Parquet files", async () => {
    server.options = {
      ...usual,
      refuse: sql =>
        sql.includes("_metadata.row_index")
          ? "[FIELD_NOT_FOUND] No such struct field `row_index`"
          : undefined,
    }
    expect(await said(cluster.table("csv.`/a.csv`"))).toMatchInlineSnapshot(
      `"table: csv.\`/a.csv\` is not made of Parquet files, so its rows have no place. Sums depend on the order of rows. Use query("SELECT * FROM …", { orderBy: ["id"] })."`,
    )
  })
  test("a cell that the model cannot have, as in memory", async () => {
    server.options = {
      rows: [...rows.slice(0, 40), { ...rows[1], x: "one" }],
      types: { ...types, x: "string" },
    }
    expect(await said(fit(model, (await cluster.table("t")) as never, options))).toMatchInlineSnapshot(
      `"worker: row 40 of "x" holds "one". The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical()."`,
    )
  })
  test("a column whose type has no cells", async () => {
    server.options = { rows, types: { ...types, x: "binary" } }
    expect(await said(fit(model, (await cluster.table("t")) as never, options))).toMatchInlineSnapshot(
      `"table: column "x" is of type binary. A cell is a number, a text, a boolean, a list or a record. Cast the column in a query, or leave it out of the model."`,
    )
  })
  test("a column that vanished, files that are gone, a full disk", async () => {
    const later = (details: string): Promise<string> => {
      server.options = {
        ...usual,
        before(mode) {
          if (mode === "sweep") throw new Error(details)
        },
      }
      return said(fit(small, table as never, once))
    }
    expect([
      await later("[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `x` cannot be resolved."),
      await later("[FAILED_READ_FILE.FILE_NOT_EXIST] Encountered error while reading file file:/a."),
      await later("java.io.IOException: No space left on device"),
    ]).toMatchInlineSnapshot(`
      [
        "table: Spark does not find it: [UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name \`x\` cannot be resolved. A table and its columns must be there for every sweep. Correct the name, or bring it back.",
        "table: files of the table are gone or were replaced while it was read: [FAILED_READ_FILE.FILE_NOT_EXIST] Encountered error while reading file file:/a. Frames that Spark lost are made again from the table, which must stay as it was. Bring the files back, or open the table anew and fit again.",
        "worker: a disk of the cluster is full: No space left on device. Frames that do not fit into the memory of Spark are kept in spark.local.dir of the workers. Free some space there, name a larger folder, or give Spark more memory; then fit again with the same checkpoint.",
      ]
    `)
  })
  test("data that changed under a resumed run", async () => {
    let kept: Uint8Array | undefined
    const checkpoint = {
      read: () => kept,
      write(bytes: Uint8Array) {
        kept = bytes.slice()
      },
    }
    await fit(hidden, table as never, { ...once, checkpoint })
    server.options = { ...usual, rows: rows.slice(0, -9) }
    const changed = await cluster.table("t")
    expect(await said(fit(hidden, changed as never, { ...once, checkpoint }))).toMatchInlineSnapshot(
      `"checkpoint: the checkpoint belongs to other data. Learning cannot go on from there. Give the ones it was written with, or begin anew with an empty checkpoint."`,
    )
  })
  test("a learner that cannot: one that keeps rows back within", async () => {
    const learner = sdem({ holdout: 0.2, epochs: 1 })
    expect(await said(fit(classes("y", small), table as never, { learner }))).toMatchInlineSnapshot(
      `"option: sdem: holdout is 0.2, but the rows are on other machines. They are learned from there in rounds, and none is held out. Pass holdout: 0, and judge or calibrate the model on other rows afterwards."`,
    )
  })
})

test("every family and structure: memory, a source, frames, threads, and machines in 1 and 2 partitions", async () => {
  const own = Array.from({ length: CHUNK + 300 }, (_, i) => everyRow(i))
  const kinds = Object.entries(own[1]).map(([name, cell]) => [
    name,
    typeof cell === "number" ? "double" : "string",
  ])
  server.options = { rows: own, types: Object.fromEntries(kinds) }
  const batches = {
    async *[Symbol.asyncIterator]() {
      for (let at = 0; at < own.length; at += 900) yield own.slice(at, at + 900)
    },
  }
  const learned = async (data: unknown, more: object = {}): Promise<string> => {
    const objectives: number[] = []
    const fitted = await fit(everything as never, data as never, {
      ...{ learner: em({ maxIterations: 1, unlabelled: 1 }), weight: "w", threads: 1 },
      onStep: ({ objective }) => void objectives.push(objective),
      ...more,
    })
    return JSON.stringify([objectives, fitted])
  }
  const here = await learned(own)
  expect(await learned(own, { threads: 2 })).toBe(here)
  expect(await learned(batches, { spill: false })).toBe(here)
  expect(await learned(batches)).toBe(here)
  expect(await learned(batches, { threads: 2 })).toBe(here)
  for (const partitions of [1, 2]) expect(await learned(await cluster.table("t", { partitions }))).toBe(here)
})

test("columns made of others, and a sample on this machine", async () => {
  server.options = { ...usual, made: { double: row => 2 * Number(row.id) } }
  const made = await table.with({ double: "2 * id" })
  expect(made.columns).toEqual([...table.columns, "double"])
  const model = independent({ double: gaussian() })
  const own = rows.map(({ id }) => ({ double: 2 * id }))
  expect((await fit(model, made as never)).toJSON()).toEqual((await fit(model, own)).toJSON())
  expect(server.said.find(sql => sql.includes("`double`"))).toContain("(2 * id) AS `double`")
  const sample = await made.sample(50, { seed: 3 })
  expect([sample.x.slice(0, 2), sample.y[1], sample.double[7]]).toEqual([[null, rows[1].x], rows[1].y, 14])
  expect(server.said.at(-1)).toContain(`pmod(xxhash64(r, 3), ${rows.length}) < 50 ORDER BY r`)
})

test("an abort interrupts the query, and leaves no worker behind", async () => {
  const stop = new AbortController()
  server.options = {
    ...usual,
    before(mode) {
      if (mode === "sweep") stop.abort(new Error("enough"))
    },
  }
  await expect(fit(small, table as never, { ...once, signal: stop.signal })).rejects.toThrow("enough")
  expect(server.running.size).toBe(0)
})
