/**
 * A sweep on a real Spark, which is installed by pip: processor seconds of the server, its workers and this process together.
 * One and two million rows of eight numbers. Printed; spark.md holds the figures.
 *
 *     npm run bench -- spark
 */
import { readFileSync } from "node:fs"
import { em, fit, gaussian, independent, mixture } from "suffice"
import { spark } from "suffice-spark"
import { SparkClient } from "../packages/spark/src/connect.ts"
import { findSpark, startSpark } from "../packages/spark/testing/local-spark.ts"
import { below } from "../packages/spark/testing/processes.ts"
import { cpu } from "./clock.ts"
import { optionsOf } from "./options.ts"
import { Stop } from "./stop.ts"

/** Jiffies of a process and of its children that have ended. */
function jiffies(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
}

export async function run(options: readonly string[]): Promise<void> {
  optionsOf(options, [])
  const found = findSpark(console.log)
  if ("missing" in found) throw new Stop(found.missing)
  const server = await startSpark(found.home)
  try {
    const java = [server.pid, ...below(server.pid).map(({ pid }) => pid)]
    const total = (): number => java.reduce((sum, pid) => sum + jiffies(pid) / 100, cpu())
    const client = new SparkClient(server.address)
    const names = Array.from({ length: 8 }, (_, j) => `x${j}`)
    const model = mixture(6, independent(Object.fromEntries(names.map(name => [name, gaussian()]))))
    const cluster = await spark(server.address)
    for (const millions of [1, 2]) {
      const cells = names.map((name, j) => `(id % 6 * ${j + 3}) % 7 + rand(${j}) AS ${name}`)
      await client.command(
        `CREATE TABLE t${millions} USING parquet AS SELECT id, ${cells.join(", ")} FROM range(0, ${millions}000000, 1, 2)`,
      )
      const table = await cluster.table(`t${millions}`, { partitions: 2 })
      let before = total()
      await fit(model, table as never, {
        learner: em({ maxIterations: 4, tolerance: 0 }),
        onStep({ iteration, objective }) {
          const now = total()
          console.log(JSON.stringify({ millions, iteration, seconds: now - before, objective }))
          before = now
        },
      })
      await table.close()
    }
    await client.close()
    await cluster.close()
  } finally {
    await server.end()
  }
}
