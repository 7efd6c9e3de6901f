/** On a real Spark with two cores: the bits of memory, killed workers and drivers, aborts, workers that lie, rounds, measures and predictions, and the command. */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { classes, em, type FitOptions, fit, gaussian, independent } from "suffice"
import { bayes, onlineEm } from "suffice/learn"
import { evaluate, evaluateSource } from "suffice/measure"
import { afterAll, beforeAll, expect, test } from "vitest"
import { SparkClient } from "../src/connect.ts"
import { type Cluster, spark } from "../src/index.ts"
import { climbing, groups } from "../testing/climbing.ts"
import { everyRow, everything, withTopics } from "../testing/everything.ts"
import { heldWorker } from "../testing/held-worker.ts"
import { type LocalSpark, startSpark } from "../testing/local-spark.ts"
import { killed, until, workers } from "../testing/processes.ts"
import { makeTable } from "../testing/rows.ts"

/** Five chunks, so that five partitions have one each. */
const ROWS = 33_000
const rows = Array.from({ length: ROWS }, (_, i) => everyRow(i))
const folder = mkdtempSync(join(tmpdir(), "suffice-real-spark-"))
let server: LocalSpark
let cluster: Cluster
/** The same, whose workers can be held in the middle of a sweep. */
let holding: Cluster
const held = heldWorker()

beforeAll(async () => {
  // a task that fails is tried again, as on a cluster
  server = await startSpark(process.env.SPARK_HOME!, { master: "local[2,4]", brief: true })
  await makeTable(server.address, "t", ROWS)
  cluster = await spark(server.address)
  holding = await spark(server.address, { node: held.node })
})
afterAll(async () => {
  held.end()
  await holding?.close()
  await cluster?.close()
  await server?.end()
  rmSync(folder, { recursive: true, force: true })
})

/** The objective of every step, and the model as it is saved. */
async function learned(model: unknown, data: unknown, options: object): Promise<string> {
  const objectives: number[] = []
  const fitted = await fit(model as never, data as never, {
    ...(options as FitOptions),
    onStep: ({ objective }) => void objectives.push(objective),
  })
  return JSON.stringify([objectives, fitted])
}

const once = { learner: em({ maxIterations: 1, unlabelled: 1 }), weight: "w" } as const

test("every family and structure, holes, text, weights and steps: the bits of memory in 1, 2 and 5 partitions", async () => {
  const here = await learned(everything, rows, once)
  expect(cluster.version).toMatch(/^4\./)
  for (const partitions of [1, 2, 5]) {
    const table = await cluster.table("t", { partitions })
    expect(table.rows).toBe(ROWS)
    expect(await learned(everything, table, once)).toBe(here)
    await table.close()
  }
})

test("topics, which begin with passes over the rows", async () => {
  const options = { learner: em({ maxIterations: 1 }) }
  const here = await learned(withTopics, rows, options)
  for (const partitions of [1, 2, 5]) {
    const table = await cluster.table("t", { partitions })
    expect(await learned(withTopics, table, options)).toBe(here)
    await table.close()
  }
})

test("a query in an order of its own, a posterior", async () => {
  const options = { learner: bayes({ maxIterations: 3, tolerance: 0 }), weight: "w" }
  const table = await cluster.query("SELECT id, x, a, w FROM t WHERE id % 3 < 2", { orderBy: ["id"] })
  const some = rows.filter((_, i) => i % 3 < 2)
  expect(await learned(groups, table, options)).toBe(await learned(groups, some, options))
  await table.close()
})

test("kill -9 of workers in the middle of a sweep: the same bits", async () => {
  const table = await holding.table("t")
  held.hold()
  const run = learned(groups, table, climbing)
  for (let kills = 0; kills < 2; kills++) {
    const pid = await held.held()
    if (kills === 0) held.hold()
    expect(killed(pid)).toBe(true)
  }
  expect(await run).toBe(await learned(groups, rows, climbing))
  await table.close()
})

test("the driver killed: another goes on from its checkpoint to the same bits", async () => {
  const path = join(folder, "checkpoint")
  const drive = fileURLToPath(new URL("../testing/drive.ts", import.meta.url))
  const { signal } = spawnSync(
    process.execPath,
    ["--conditions=source", "--import", "tsx", drive, server.address, "t", path, "2"],
    { stdio: "inherit" },
  )
  expect(signal).toBe("SIGKILL")
  const checkpoint = { read: () => readFileSync(path), write: () => undefined }
  const table = await cluster.table("t")
  const whole = JSON.parse(await learned(groups, rows, climbing))
  const [objectives, model] = JSON.parse(await learned(groups, table, { ...climbing, checkpoint }))
  expect(model).toEqual(whole[1])
  expect(objectives).toEqual(whole[0].slice(-objectives.length))
  expect(objectives.length).toBeLessThan(whole[0].length)
  const others = await cluster.query("SELECT id, x + 1 AS x, a, w FROM t", { orderBy: ["id"] })
  await expect(fit(groups, others as never, { ...climbing, checkpoint })).rejects.toThrow(
    "the checkpoint belongs to other data",
  )
  await others.close()
  await table.close()
})

test("an abort ends the query, and leaves no worker behind", async () => {
  const stop = new AbortController()
  const table = await holding.table("t")
  held.hold()
  const run = fit(groups, table as never, { ...climbing, signal: stop.signal })
  const refused = expect(run).rejects.toThrow("enough")
  await held.held()
  const began = performance.now()
  stop.abort(new Error("enough"))
  await refused
  const heard = performance.now()
  held.letGo()
  await until(() => workers(server.pid).length === 0)
  const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1)
  console.log(
    `abort: refused after ${seconds(began, heard)} s, no worker after ${seconds(began, performance.now())} s`,
  )
  await table.close()
})

test("workers that drop a chunk, answer twice, write rubbish, leave early or are not there are refused", async () => {
  const fault = join(folder, "fault")
  const node = join(folder, "node.sh")
  const faults = {
    drop: "sed '$d'",
    twice: "sed p",
    rubbish: "sed 's/^......../AAAAAAAA/'",
    early: "early",
  }
  writeFileSync(
    node,
    `#!/bin/sh
[ "$2" = sweep ] || exec "${process.execPath}" "$@"
case "$(cat "${fault}")" in
${Object.entries(faults)
  .map(([name, how]) =>
    how === "early"
      ? `${name}) head -c 1000 > /dev/null; exit 0;;`
      : `${name}) "${process.execPath}" "$@" | ${how};;`,
  )
  .join("\n")}
esac
`,
  )
  chmodSync(node, 0o755)
  const lying = await spark(server.address, { node })
  const table = await lying.table("t")
  const said: Record<string, string> = {}
  for (const name of Object.keys(faults)) {
    writeFileSync(fault, name)
    said[name] = await fit(independent({ x: gaussian() }), table as never).then(
      () => "nothing was refused",
      error => error.message,
    )
  }
  expect(said.drop).toMatch(/^the sweep is refused: chunk \d of 5 was not answered/)
  expect(said.twice).toMatch(/^the sweep is refused: chunk \d was answered twice/)
  expect(said.rubbish).toMatch(/^the sweep is refused: an answer is none/)
  // Spark may notice that nobody reads, or the audit that nothing came
  expect(said.early).toMatch(/^(the sweep is refused: chunk 0 of 5 was not answered|a worker left before)/)
  await table.close()
  await lying.close()
  const none = await spark(server.address, { node: join(folder, "no-node") })
  await expect(fit(independent({ x: gaussian() }), (await none.table("t")) as never)).rejects.toThrow(
    "the workers have no node",
  )
  await none.close()
})

test("rounds, measures and predictions where the rows are", async () => {
  const model = classes("y", independent({ x: gaussian(), a: gaussian() }))
  const table = await cluster.table("t")
  const rounds = await fit(model, table as never, { learner: onlineEm({ epochs: 2 }), weight: "w" })
  const here = await fit(model, rows as never, { learner: onlineEm({ epochs: 2 }), weight: "w" })
  const measured = await evaluateSource(rounds as never, table, { weight: "w" })
  expect(measured).toEqual(evaluate(rounds as never, rows as never, { weight: "w" } as never))
  const own = evaluate(here as never, rows as never, { weight: "w" } as never)
  expect(Math.abs((measured as never as { logLoss: number }).logLoss - own.logLoss)).toBeLessThan(0.02)
  await table.predict(rounds, { into: "answers", keep: ["id"], probabilities: true })
  const client = new SparkClient(server.address)
  const found = await client.all(
    "SELECT row, id, value, probability FROM answers WHERE row % 5000 = 17 ORDER BY row",
  )
  const asked = rows.filter((_, i) => i % 5000 === 17).map(({ x, a }) => ({ x, a }))
  const answers = rounds.predict(asked as never) as { value: string; probability: number }[]
  expect(
    found.map(({ row, id, value, probability }) => [Number(row), Number(id), value, probability]),
  ).toEqual(answers.map(({ value, probability }, k) => [k * 5000 + 17, k * 5000 + 17, value, probability]))
  await client.close()
  await table.close()
})
