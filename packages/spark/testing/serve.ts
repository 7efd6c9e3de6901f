/** `npm run spark:local`: a real Spark on this machine for trying suffice-spark out, until Ctrl-C. */
import { findSpark, startSpark } from "./local-spark.ts"

const found = findSpark(line => console.log(line))
if ("missing" in found) {
  console.error(
    `${found.missing} A local Spark needs Java 17, python3 and pip. Install them, or set SPARK_HOME.`,
  )
  process.exit(1)
}
const port = Number(process.argv[2] ?? 15002)
const master = process.argv[3] ?? "local[2]"
const server = await startSpark(found.home, { port, master })
console.log(`Spark answers at ${server.address} (process ${server.pid}). Ctrl-C ends it.`)
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void server.end().then(() => process.exit(0)))
