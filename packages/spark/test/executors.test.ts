/** On a real Spark whose executors are processes of their own: one that is killed loses its frames, and the bits stay. */
import { fit } from "suffice"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Cluster, spark } from "../src/index.ts"
import { climbing, groups } from "../testing/climbing.ts"
import { everyRow } from "../testing/everything.ts"
import { heldWorker } from "../testing/held-worker.ts"
import { type LocalSpark, startSpark } from "../testing/local-spark.ts"
import { below, killed } from "../testing/processes.ts"
import { makeTable } from "../testing/rows.ts"

const ROWS = 20_000
let server: LocalSpark
let cluster: Cluster
const held = heldWorker()

beforeAll(async () => {
  server = await startSpark(process.env.SPARK_HOME!, { master: "local-cluster[2,1,1024]", brief: true })
  await makeTable(server.address, "t", ROWS)
  cluster = await spark(server.address, { node: held.node })
})
afterAll(async () => {
  held.end()
  await cluster?.close()
  await server?.end()
})

test("kill -9 of an executor in the middle of a sweep: the same bits", async () => {
  const table = await cluster.table("t", { partitions: 2 })
  held.hold()
  const run = fit(groups, table as never, climbing)
  const worker = await held.held()
  const executors = below(server.pid).filter(({ command }) =>
    command.includes("CoarseGrainedExecutorBackend"),
  )
  expect(executors.length).toBe(2)
  const [own] = executors.filter(({ pid }) => below(pid).some(({ pid }) => pid === worker))
  expect(killed(own.pid)).toBe(true)
  held.letGo()
  const rows = Array.from({ length: ROWS }, (_, i) => everyRow(i))
  const here = await fit(groups, rows as never, climbing)
  expect((await run).toJSON()).toEqual(here.toJSON())
  await table.close()
})
