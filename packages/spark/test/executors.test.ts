/** On a real Spark whose executors are processes of their own: one that is killed loses its frames, and the bits stay. */
import { fit } from "suffice"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Cluster, spark } from "../src/index.ts"
import { climbing, groups } from "../testing/climbing.ts"
import { everyRow } from "../testing/everything.ts"
import { type LocalSpark, startSpark } from "../testing/local-spark.ts"
import { below, killed, until, workers } from "../testing/processes.ts"
import { makeTable } from "../testing/rows.ts"

const ROWS = 20_000
let server: LocalSpark
let cluster: Cluster

beforeAll(async () => {
  server = await startSpark(process.env.SPARK_HOME!, { master: "local-cluster[2,1,1024]" })
  await makeTable(server.address, "t", ROWS)
  cluster = await spark(server.address)
})
afterAll(async () => {
  await cluster?.close()
  await server?.end()
})

test("kill -9 of an executor in the middle of a sweep: the same bits", async () => {
  const table = await cluster.table("t", { partitions: 2 })
  let ended = false
  const run = fit(groups, table as never, climbing).finally(() => {
    ended = true
  })
  await until(() => ended || workers(server.pid, "sweep").length > 0)
  const executors = below(server.pid).filter(({ command }) =>
    command.includes("CoarseGrainedExecutorBackend"),
  )
  expect(executors.length).toBe(2)
  expect(killed(executors[0].pid)).toBe(true)
  const rows = Array.from({ length: ROWS }, (_, i) => everyRow(i))
  const here = await fit(groups, rows as never, climbing)
  expect((await run).toJSON()).toEqual(here.toJSON())
  await table.close()
})
